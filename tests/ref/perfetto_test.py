# SPDX-License-Identifier: Apache-2.0
"""Perfetto traces: real ones against what Perfetto's own engine says of them, when they lie
beside the project, and logs that were converted into such traces against the logs."""

import gzip
import json
import os
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import opened
import tap

LOGGEN = os.path.join(tap.BUILDDIR, "tests", "gen", "loggen")


def ns(us):
    return round(us * 1000)


def output(path, *words):
    return subprocess.run([tap.SLOWTOP, *words, path], stdout=subprocess.PIPE,
                          check=True).stdout.decode("utf-8", "replace")


def view(path, name, *options):
    document = json.loads(output(path, "report", "--format=json", "--view=" + name, *options))
    return document[name.replace("-", "_")]


def differ(got, want):
    for key in sorted(set(got) | set(want), key=str):
        if got.get(key) != want.get(key):
            yield "%s: got %s, want %s" % (key, got.get(key), want.get(key))


def slices(path):
    """By thread and name: how many, and how long together."""
    sums, open_ = {}, {}
    for event in json.loads(output(path, "convert", "--to=chrome"))["traceEvents"]:
        if event["ph"] not in "BE":
            continue
        stack = open_.setdefault((event["pid"], event["tid"]), [])
        if event["ph"] == "B":
            stack.append((event["name"], opened.ns(event["ts"])))
        elif event["ph"] == "E":
            name, begun = stack.pop()
            row = sums.setdefault((event["tid"], name), [0, 0])
            row[0] += 1
            row[1] += opened.ns(event["ts"]) - begun
    return sums


FIRST_NS = 5000000  # what a core may do before its first switch


def sample(t, path):
    name = os.path.basename(path).split(".")[0]
    with gzip.open(path.replace(".perfetto-trace", ".expected.json.gz")) as f:
        want = json.load(f)
    wanted = {(s["tid"], s["name"].replace("[empty slice name]", "(unnamed)")):
              [s["count"], s["dur_to_end_ns"]]
              for s in want["slices"]["by_thread_name"]
              if s["dur_to_end_ns"] > 0}  # 0: moments
    t.same(differ(slices(path), wanted), "%s: slices by thread and name" % name)
    frames = {"Actual Timeline": [0, 0], "Expected Timeline": [0, 0]}
    seen = set()
    for row in view(path, "threads"):
        lane = frames.get(row["thread"].removeprefix("async: ").split(" (")[0])
        if lane is None:
            continue
        # They count where nothing else is chosen; in the list of threads they are no work.
        t.ok(row["calls"] == 0, "%s: %s counts nothing" % (name, row["thread"]))
        if row["thread"] in seen:
            continue
        seen.add(row["thread"])
        for m in view(path, "methods", "--thread=" + row["thread"]):
            lane[0] += m["calls"] if m["id"] != "toplevel" else 0
            lane[1] += ns(m["excl_wall_us"]) if m["id"] != "toplevel" else 0
    wanted = {lane: [0, 0] for lane in frames}
    for s in want["slices"]["by_process_track"]:
        if s["track"] in wanted:
            row = wanted[s["track"]]
            wanted[s["track"]] = [row[0] + s["count"], row[1] + s["dur_to_end_ns"]]
    t.same(differ(frames, wanted), "%s: frames" % name)
    t.same([m for m in methods(path) if m.startswith("frame: ") or m == "expected frame"],
           "%s: which are no work" % name)
    if not want["sched"]["count"]:
        return
    threads = {r["tid"]: r for r in view(path, "log-threads")}
    # The thread that the first switch of a core leads to runs from then on for certain;
    # Perfetto's engine leaves these runs out.
    more = 0
    for row in want["sched"]["per_thread_running"]:
        if row["tid"] == 0:
            continue
        got = threads.pop(row["tid"])
        extra = got["runs"] - row["count"]
        more += extra
        if extra == 0:
            t.same(differ({"ns": ns(got["running_us"])}, {"ns": row["running_to_end_ns"]}),
                   "%s: thread %d ran" % (name, row["tid"]))
        else:
            longer = ns(got["running_us"]) - row["running_to_end_ns"]
            t.ok(0 < extra <= 2 and 0 < longer < FIRST_NS,
                 "%s: thread %d ran before its first switch" % (name, row["tid"]))
    more += sum(r["runs"] for r in threads.values())
    t.ok(all(ns(r["running_us"]) < FIRST_NS for r in threads.values()),
         "%s: threads that ran before the first switches only" % name)
    cores = len(want["sched"]["per_cpu"])
    t.ok(more <= 2 * cores, "%s: no more than the first runs of %d cores differ" % (name, cores))
    states = {}
    for row in view(path, "log-states"):
        key = row["state"].split(",")[0]
        states[key] = states.get(key, 0) + row["count"]
    letters = {"Sleeping": "S", "Idle kernel thread": "I", "Runnable (preempted)": "R+"}
    counts = {s["state"]: s["count"] for s in want["thread_state"]["by_state"]}
    for long, letter in letters.items():
        t.same(differ({"count": states[long]}, {"count": counts[letter]}),
               "%s: intervals of %s" % (name, long))
    counters = {(r["pid"], r["counter"]): [r["count"], r["min"], r["max"]]
                for r in view(path, "log-counters")
                if not r["unit"] and r["counter"] != "oom_score_adj" and
                not r["counter"].endswith(" State")}
    wanted = {(c["pid"], c["name"]): [c["count"], c["min"], c["max"]]
              for c in want["counters"]["by_track"] if c["type"] == "atrace_counter"}
    t.same(differ(counters, wanted), "%s: counters" % name)


def methods(path):
    """What interrupts did on idle cores has threads of its own only in logs."""
    keys = ("calls", "recursive_calls", "incl_wall_us", "excl_wall_us", "incl_cpu_us",
            "excl_cpu_us")
    sums = {}
    for m in json.loads(output(path, "report", "--format=json"))["methods"]:
        if m["id"] != "toplevel":
            row = sums.setdefault(m["name"], [0] * len(keys))
            sums[m["name"]] = [a + ns(m.get(k, 0) or 0) for a, k in zip(row, keys)]
    return sums


def packed(t, folder, trace):
    """Packets within compressed packets, gzip, and standard input."""
    with open(trace, "rb") as f:
        data = f.read()
    inner = zlib.compress(data)
    sizes = []
    for size in (len(inner) + 3 + 1, len(inner)):
        text = b""
        while size > 127:
            text += bytes([size & 127 | 128])
            size >>= 7
        sizes.append(text + bytes([size]))
    forms = {"compressed": b"\x0a" + sizes[0] + b"\x92\x03" + sizes[1] + inner,
             "gzip": gzip.compress(data) + gzip.compress(data[:0])}
    want = methods(trace)
    for form, data in forms.items():
        path = os.path.join(folder, form)
        with open(path, "wb") as f:
            f.write(data)
        t.same(differ(methods(path), want), "%s packets" % form)
        with open(path, "rb") as f:
            done = subprocess.run([tap.SLOWTOP, "info", "-"], stdin=f, stdout=subprocess.PIPE)
        t.ok(b"perfetto" in done.stdout, "%s packets from a pipe" % form)


def again(t, seed, folder, *options):
    """A log, converted into a Perfetto trace, is read as the log is."""
    log, trace = os.path.join(folder, "a.log"), os.path.join(folder, "a.pftrace")
    subprocess.run([LOGGEN, "--seed=%d" % seed, "--events=800", "--threads=9", "--cores=3",
                    *options, "-o", log], check=True)
    subprocess.run([tap.SLOWTOP, "convert", "--to=perfetto", "--force", "-o", trace,
                    log], check=True)
    t.same(differ(methods(trace), methods(log)), "seed %d: methods" % seed)
    keys = ("tid", "pid", "running_us", "runs", "slept", "cores")
    both = [{r["thread"]: [r[k] for k in keys] for r in view(path, "log-threads")}
            for path in (trace, log)]
    t.same(differ(*both), "seed %d: what threads ran" % seed)


def main():
    t = tap.Tap()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, 6):
            again(t, seed, folder, "--waking")
        packed(t, folder, os.path.join(folder, "a.pftrace"))
        again(t, 6, folder, "--events=20000")
        alone, helped = (output(os.path.join(folder, "a.pftrace"), "report", "--format=json", jobs)
                         for jobs in ("-j1", "-j2"))
        t.ok(alone == helped, "the same with one thread and with two")
    folder = os.path.join(tap.SHARED, "samples", "perfetto")
    for file in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if file.endswith(".perfetto-trace"):
            sample(t, os.path.join(folder, file))
    return t.done()


if __name__ == "__main__":
    sys.exit(main())
