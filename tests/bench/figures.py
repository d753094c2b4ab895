# SPDX-License-Identifier: Apache-2.0
"""Tables of `make bench`: whole processes, parts of the engine, instructions."""

import os
import shlex
import shutil
import statistics
import subprocess
import tempfile
import threading
import time

from traces import (CALLS, ENGINE, FRAMES, LOGS, PROFILE_METHODS, PROFILE_RUNS, RUNS, SLOWTOP,
                    profiles, records, trace, warm)

CLASSIC = ("v1", "v2", "v3")    # what dmtracedump reads


class Run:
    """One run of a program to its end."""

    def __init__(self, words):
        begin = time.perf_counter()
        with open(os.devnull, "wb") as null:
            child = subprocess.Popen(words, stdout=null)
        self.anonymous = 0
        watcher = threading.Thread(target=self.watch, args=(child.pid,))
        watcher.start()
        _, status, usage = os.wait4(child.pid, 0)
        self.seconds = time.perf_counter() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        watcher.join()
        if child.returncode:
            raise RuntimeError("%s ended with status %d" % (words[0], child.returncode))
        self.cpu = usage.ru_utime + usage.ru_stime
        self.resident = usage.ru_maxrss * 1024

    def watch(self, pid):
        """Peak of the memory that is no file's, seen every few milliseconds."""
        try:
            while True:
                with open("/proc/%d/status" % pid, encoding="ascii", errors="replace") as f:
                    for line in f:
                        if line.startswith("RssAnon:"):
                            self.anonymous = max(self.anonymous, int(line.split()[1]) * 1024)
                            break
                    else:
                        return    # a zombie has no memory
                time.sleep(0.002)
        except OSError:
            return


def median(runs, member):
    return statistics.median(getattr(run, member) for run in runs)


def read_once(path):
    begin = time.perf_counter()
    warm(path)
    return time.perf_counter() - begin


def runs_of(size):
    return RUNS if size != "75M" else min(RUNS, 3)


# What a report takes: without call paths, and with them.
LOADS = {"sums": ["report", "--limit=50"], "tree": ["report", "--limit=50", "--relations"]}


def load_row(size, name, what, runs, reading):
    several, one = runs[what], runs[what + " one"]
    ours = median(several, "seconds")
    row = "%4s %-9s %-4s %6.0f %8.3f %6.1f %8.3f %6.1f %6.0f %6.0f %6.0f %8.1f" % (
        size, name, what, os.path.getsize(trace(size, name)) / 1e6, ours,
        ours / records(size) * 1e9,
        median(one, "seconds"), median(several, "cpu") / records(size) * 1e9,
        median(several, "resident") / 1e6, median(one, "resident") / 1e6,
        median(several, "anonymous") / 1e6, ours / statistics.median(reading))
    if "other" in runs:
        ratios = sorted(b.seconds / a.seconds for a, b in zip(several, runs["other"]))
        row += " %6.1f (%.1f to %.1f) %6.1f" % (
            statistics.median(ratios), ratios[0], ratios[-1],
            median(runs["other"], "cpu") / median(several, "cpu"))
    print(row, flush=True)


def load_rows(size, name, other):
    path = trace(size, name)
    programs = {}
    for what, words in LOADS.items():
        programs[what] = [SLOWTOP] + words + [path]
        programs[what + " one"] = [SLOWTOP] + words + ["--jobs=1", path]
    if other and name in CLASSIC:
        programs["other"] = [other, path]
    warm(path)
    runs = {program: [] for program in programs}
    reading = []
    for _ in range(runs_of(size)):
        reading.append(read_once(path))
        for program, words in programs.items():
            runs[program].append(Run(words))
    for what in LOADS:
        load_row(size, name, what, runs, reading)


def bench_load(traces):
    other = shutil.which("dmtracedump")
    for size, name in traces:
        trace(size, name)
    print("\nslowtop report --limit=50 (sums) and with --relations, which makes the tree of call"
          "\npaths, whole processes, medians of %d runs; MB are 10^6 bytes" % RUNS)
    print("%4s %-9s %-4s %6s %8s %6s %8s %6s %6s %6s %6s %8s %s" % (
        "", "", "", "file", "seconds", "ns", "seconds", "cpu ns", "MB", "MB", "MB",
        "times", "dmtracedump takes"))
    print("%4s %-9s %-4s %6s %8s %6s %8s %6s %6s %6s %6s %8s %s" % (
        "", "format", "", "MB", "", "/rec", "jobs=1", "/rec", "peak", "jobs=1", "anon",
        "reading", "times as long, times the cpu" if other else "(not here)"))
    for size, name in traces:
        load_rows(size, name, other)


CALLS_SIZE = "10M"


def logs_other(name, path):
    """A program to compare with, and what it is called; none: no program."""
    if name == "log":
        # It counts nothing when it sees that its output is discarded.
        return ["sh", "-c", "grep -c sched_switch \"$0\" | cat", path], "grep -c"
    if name == CALLS:
        return [SLOWTOP, "info", trace(CALLS_SIZE)], "as .trace"
    engine = shlex.split(os.environ.get("TRACE_PROCESSOR", ""))
    how = "engine in node" if engine and os.path.basename(engine[0]) == "node" else "engine"
    return engine and engine + [path, "-q", "select count(*) from slice"], how


def bench_logs(sizes):
    """
    Text logs, in turn with counting their switches; Perfetto traces, with its engine; calls as
    Perfetto's events, with the same calls as the method trace that they were made of.
    """
    print("\nslowtop info of logs and Perfetto traces, whole process, medians of %d runs; beside"
          "\nthem grep -c, or Perfetto's engine if TRACE_PROCESSOR is its command; calls beside their"
          "\nmethod trace, by the MB of Perfetto's" % RUNS)
    print("%5s %-8s %8s %8s %8s %8s %8s  %s" % (
        "", "", "MB/s", "jobs=1", "cpu s/GB", "MB peak", "MB anon", "other's MB/s, MB peak"))
    rows = [(size, name) for name in LOGS for size in sizes] + [(CALLS_SIZE, CALLS)]
    for size, name in rows:
        path = trace(size, name)
        programs = {"two": [SLOWTOP, "info", path], "one": [SLOWTOP, "info", "--jobs=1", path]}
        other, how = logs_other(name, path)
        if other:
            programs["other"] = other
        warm(path)
        runs = {program: [] for program in programs}
        for _ in range(runs_of(size)):
            for program, words in programs.items():
                runs[program].append(Run(words))
        mega = os.path.getsize(path) / 1e6
        print("%5s %-8s %8.0f %8.0f %8.2f %8.0f %8.0f  %s" % (
            size, name, mega / median(runs["two"], "seconds"), mega / median(runs["one"], "seconds"),
            median(runs["two"], "cpu") / mega * 1e3, median(runs["two"], "resident") / 1e6,
            median(runs["two"], "anonymous") / 1e6,
            "%.0f, %.0f (%s)" % (mega / median(runs["other"], "seconds"),
                                 median(runs["other"], "resident") / 1e6, how)
            if other else "(not here)"),
              flush=True)


# ---------------------------------------------------------------------------
# Runs compared

def bench_diff():
    base, new = profiles()
    runs = [Run([SLOWTOP, "diff", "--base", base, "--new", new]) for _ in range(RUNS)]
    print("\nslowtop diff of %d and %d saved profiles of %d methods: %.3f s, %.0f MB"
          % (PROFILE_RUNS, PROFILE_RUNS, PROFILE_METHODS, median(runs, "seconds"),
             median(runs, "resident") / 1e6), flush=True)


# ---------------------------------------------------------------------------
# Parts of the engine


def engine_run(path):
    """{part: (seconds, seconds of processor time, peak of the memory)}, and the counts."""
    out = subprocess.run([ENGINE, path], check=True, capture_output=True, text=True).stdout
    return {words[0]: tuple(map(float, words[1:])) for words in map(str.split, out.splitlines())}


def bench_parts(traces):
    """Each part beside reading the file once, and beside dmtracedump, which knows only all."""
    other = shutil.which("dmtracedump")
    for size, name in traces:
        path = trace(size, name)
        warm(path)
        runs, reading, dumping = [], [], []
        for _ in range(runs_of(size)):
            reading.append(read_once(path))
            if other and name in CLASSIC:
                dumping.append(Run([other, path]).seconds)
            runs.append(engine_run(path))
        count = runs[0]["records"][0]
        once = 1e3 * statistics.median(reading)
        print("\nparts, %s %s: %d records, %d call paths; medians of %d runs; reading the file"
              " once %.3f ms%s" % (
                  size, name, count, runs[0]["paths"][0], len(runs), once,
                  ", dmtracedump %.0f ms" % (1e3 * statistics.median(dumping)) if dumping
                  else ""))
        print("  %-13s %10s %10s %9s %9s %9s %12s" % (
            "", "ms", "cpu ms", "ns/rec", "MB peak", "reading", "dmtracedump"))
        for part in (p for p in runs[0] if len(runs[0][p]) == 3):
            wall, cpu, peak = (statistics.median(r[part][k] for r in runs) for k in range(3))
            wall, cpu = 1e3 * wall, 1e3 * cpu
            print("  %-13s %10.3f %10.3f %9.2f %9.0f %9s %12s" % (
                part, wall, cpu, wall * 1e6 / count, peak / 1e6,
                "%.2f x" % (wall / once),
                "%.1f x" % (1e3 * statistics.median(dumping) / wall)
                if dumping and wall > 0.1 else "-"), flush=True)


def bench_frames(traces):
    """Windows of each width at random places; what else runs shows in the elapsed times."""
    for size, name in traces:
        path = trace(size, name)
        warm(path)
        out = subprocess.run([FRAMES, path, "200" if name == "v3" else "50"], check=True,
                             capture_output=True, text=True).stdout
        print("\nframes of 60 x 300 cells, %s %s: milliseconds, elapsed and of processor time"
              % (size, name))
        print("  %-8s %9s %9s %9s  %9s %9s %9s" % (
            "window", "median", "95 %", "longest", "median", "95 %", "longest"))
        for words in map(str.split, out.splitlines()):
            print("  %-8s %9s %9s %9s  %9s %9s %9s" % tuple(words[:7]), flush=True)


# ---------------------------------------------------------------------------
# Instructions

COUNTED = ("open", "first", "load", "sums", "fold", "range_full", "range_half", "frame_wide",
           "frame_narrow", "marks", "calls")


def instructions(path):
    """{function: instructions in it and in what it calls}"""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + out,
                        ENGINE, path, "1"], check=True, capture_output=True)
        text = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", out],
                              check=True, capture_output=True, text=True).stdout
    counts = {}
    for line in text.splitlines():
        for part in COUNTED:
            if (":bench_" + part + " ") in line or line.endswith(":bench_" + part):
                counts[part] = int(line.split()[0].replace(",", ""))
    return counts


def bench_count(traces):
    if not shutil.which("valgrind"):
        print("\nno valgrind here: instructions are not counted")
        return
    for size, name in traces:
        trace(size, name)
    print("\ninstructions a record, one thread, by callgrind")
    print("%4s %-9s" % ("", "") + "".join(" %11s" % part for part in COUNTED))
    for size, name in traces:
        counts = instructions(trace(size, name))
        print("%4s %-9s" % (size, name) + "".join(
            " %11.1f" % (counts[part] / records(size)) if part in counts else " %11s" % "-"
            for part in COUNTED), flush=True)
