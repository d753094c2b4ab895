# SPDX-License-Identifier: Apache-2.0
"""Samples of other profilers, when they lie beside the project, against the table of figures
that came with them, and what "flame --format=folded" writes, read again; and calls of the
kernel's function_graph."""

import json
import os
import re
import sys
import tarfile
import tempfile

from tap import SHARED, SLOWTOP, Tap, run, skip_all

FOLDER = os.path.join(SHARED, "samples", "other")
KINDS = (r"perf-|.*\.pb\.gz|simpleperf-|async-profiler|inferno|uftrace-flame|.*\.cpuprofile|hermes|"
         r"firefox-processed|gecko")
FIGURES = re.compile(r"(\d+) samples, (\d+) threads, (\d+) methods, (\d+) runs, depth (\d+), "
                     r"total ([\d.]+) (\w+)")


def rows():
    found = {}
    with open(os.path.join(FOLDER, "README.md"), encoding="utf-8") as f:
        for line in f:
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) > 4 and re.match(KINDS, cells[1]):
                found[cells[1]] = cells[4]
    for name, text in found.items():
        other = re.match(r"as ([\w-]+);", text)
        yield name, found[other[1] + ".pb.gz"] if other else text


def report(path, *options):
    status, out, _ = run(SLOWTOP, "report", "--format=json", *options, path)
    return json.loads(out) if status == 0 else None


def figures(path):
    methods, tree = report(path), report(path, "--view=tree", "--min-percent=0")
    if methods is None or tree is None:
        return None
    runs = [m for m in methods["methods"] if m["name"] != "(toplevel)"]
    return {
        "threads": len(tree["threads"]),
        "methods": len(runs),
        "runs": sum(m["calls"] + m["recursive_calls"] for m in runs),
        "depth": max(row["depth"] for row in tree["tree"]),
        "total": round(next(iter(methods["total"].values())), 3),
    }


def sums(path):
    return sorted((m["name"], m["incl" + m["unit"]], m["excl" + m["unit"]])
                  for m in methods_of(path))


def methods_of(path):
    """Methods with time, without what a folded stack has at its beginning."""
    for m in report(path)["methods"]:
        unit = next(key[4:] for key in m if key.startswith("excl"))
        if m["name"] != "(toplevel)" and m["incl" + unit] > 0:
            yield dict(m, unit=unit)


def again_check(tap, name, path):
    with tempfile.TemporaryDirectory() as folder:
        back = os.path.join(folder, name.split(".")[0] + ".folded")
        status, _, errors = run(SLOWTOP, "flame", "--format=folded", "--force", "-o", back, path)
        if not tap.ok(status == 0, name + " is written", errors):
            return
        want, got = sums(path), sums(back)
        missing = [row for row in want if row not in got]
        tap.same(missing, name + " has the same figures when it is read again")


def round_check(tap, name, path, form="pprof", end=".pb.gz", unit=None):
    """Calls or runs, inclusive and own figures of what "convert" writes."""
    def table(of, unit):
        methods = report(of)["methods"]
        if "excl%s" % unit not in methods[0]: # of one clock only
            unit = next(key[4:] for key in methods[0] if key.startswith("excl"))
        return sorted((m["calls"], m["recursive_calls"], m["incl" + unit], m["excl" + unit])
                      for m in methods if m["name"] != "(toplevel)")

    with tempfile.TemporaryDirectory() as folder:
        back = os.path.join(folder, "back" + end)
        status, _, errors = run(SLOWTOP, "convert", "--to=" + form, "-o", back, path)
        if tap.ok(status == 0, name + " is written for " + form, errors):
            tap.ok(table(path, unit) == table(back, unit), name + " is the same when that is read again")


def type_check(tap):
    """Other values of files that have several, as the table has them."""
    for name, kind, total in (("go-cpu.pb.gz", "samples", 29), ("esbuild-cpu.pb.gz", "samples", 2603),
                              ("perf-two-events.txt.gz", "cpu-clock", None)):
        got = report(os.path.join(FOLDER, name), "--sample-type=" + kind)
        tap.ok(got is not None and total in (None, next(iter(got["total"].values()))),
               "%s of %s" % (kind, name), got and got["total"])
    status, _, errors = run(SLOWTOP, "report", "--sample-type=x", os.path.join(FOLDER, "go-cpu.pb.gz"))
    tap.ok(status == 2 and b"samples, cpu" in errors, "no such value", status, errors)


def speedscope_check(tap):
    """Calls and stacks of one program, as speedscope's own tests have them."""
    want = {"a": (1, 14, 0), "b": (1, 14, 5), "c": (2, 5, 5), "d": (1, 4, 4)}
    for name, unit in (("speedscope-sampled.json", "_cpu_us"), ("speedscope-simple.json", "_count")):
        got = report(os.path.join(FOLDER, name))
        scale = 1e6 if unit == "_cpu_us" else 1
        got = got and {m["name"]: (m["calls"], m["incl" + unit] / scale, m["excl" + unit] / scale)
                       for m in got["methods"] if m["name"] != "(toplevel)"}
        tap.ok(got == want, name + " has its figures", got)


def counts_check(tap):
    """Findings about what is no time do not call it ms."""
    for name in ("callgrind-single.out.gz", "gecko-jit_symbol.json", "perf-graphviz.txt.gz"):
        status, out, _ = run(SLOWTOP, "triage", os.path.join(FOLDER, name))
        tap.ok(status == 0 and b" ms" not in out and b" s," not in out, name + " is not of times", out)


def uftrace_check(tap):
    """What uftrace report says of the same recording, in us; without what its tasks slept."""
    path = os.path.join(FOLDER, "uftrace-dump.txt.gz")
    got = report(path)
    times = got and {m["name"]: (m["calls"] + m["recursive_calls"], m["incl_wall_us"],
                                 m["excl_wall_us"]) for m in got["methods"]}
    want = {"work": (1250, 623787, 680), "leaf": (1250, 615086, None), "main": (1, 230947, None),
            "thread_main": (3, 596481, None)}
    tap.same(["%s: %s" % (name, times.get(name)) for name, row in want.items() if any(
        w is not None and abs(w - g) > 0.6 for w, g in zip(row, times.get(name, (0, 0, 0))))],
             "uftrace-dump.txt.gz has the figures of uftrace report")
    calls = sum(t[0] for name, t in times.items() if name not in ("(toplevel)", "linux:schedule"))
    tap.ok(len(got["threads"]) == 4 and calls == 2516, "and its tasks and entries", calls)


def folder_check(tap):
    """A recording's folder has the figures of its dump."""
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(os.path.join(FOLDER, "uftrace-data.tar.gz")) as packed:
            packed.extractall(folder)
        got = report(os.path.join(folder, "uft"))
    want = report(os.path.join(FOLDER, "uftrace-dump.txt.gz"))
    tap.ok(got is not None and (got["methods"], got["threads"]) == (want["methods"], want["threads"]),
           "uftrace-data.tar.gz has the figures of its dump", got)


CALLGRIND = re.compile(r"(\d+) functions, (\d+) calls, exclusive total (\d+) \((\S+)\)")


def callgrind_check(tap):
    """Call graphs: functions, calls and the total are exact; a root has a call that is none."""
    with open(os.path.join(FOLDER, "README.md"), encoding="utf-8") as f:
        found = re.findall(r"^\| ((?:callgrind|xdebug)\S+) .*?(\d+ functions.*?\))", f.read(), re.M)
    for name, text in found:
        functions, calls, total, event = CALLGRIND.match(text).groups()
        methods = [m for m in report(os.path.join(FOLDER, name))["methods"]
                   if m["name"] not in ("(toplevel)", "(small)")]
        unit = next(key for key in methods[0] if key.startswith("excl"))
        got = sum(m[unit] for m in methods) * (1000 if event.startswith("Time") else 1)
        made = sum(m["calls"] + m["recursive_calls"] for m in methods)
        tap.ok(len(methods) == int(functions) and round(got) == int(total) and
               int(calls) < made < int(calls) + 40,
               name + " has the figures of the table", len(methods), got, made)


def callgrind_back(tap, name, path):
    """Own times and calls of a trace as Callgrind's form, read again."""
    with tempfile.TemporaryDirectory() as folder:
        back = os.path.join(folder, "callgrind.out")
        status, _, errors = run(SLOWTOP, "convert", "--to=callgrind", "-o", back, path)
        if not tap.ok(status == 0, name + " is written for callgrind", errors):
            return
        own, calls = [], []
        for of in (path, back):
            methods = [m for m in report(of)["methods"] if m["name"] not in ("(toplevel)", "(small)")]
            keys = [key for key in methods[0] if key.startswith("excl")]
            unit = "excl_wall_us" if "excl_wall_us" in keys else keys[0]
            own.append(sorted(m[unit] for m in methods if m[unit] > 0))
            calls.append(sum(m["calls"] + m["recursive_calls"] for m in methods))
        tap.ok(own[0] == own[1] and calls[0] <= calls[1] <= calls[0] * 1.02,
               name + " has the same own times and calls then", len(own[0]), len(own[1]), calls)


def unit_check(tap):
    """What counts are written as is no time when it is read again."""
    for name, unit in (("perf-graphviz.txt.gz", "cycles"), ("go-allocs.pb.gz", "bytes")):
        path = os.path.join(FOLDER, name)
        want = next(iter(report(path)["total"].values()))
        for form, key in (("speedscope", "bytes" if unit == "bytes" else "count"), ("callgrind", unit)):
            with tempfile.TemporaryDirectory() as folder:
                back = os.path.join(folder, "back")
                run(SLOWTOP, "convert", "--to=" + form, "-o", back, path)
                got = report(back)["total"]
                tap.ok(got == {key: want}, "%s as %s counts %s" % (name, form, unit), got, want)


def graph_check(tap):
    """What the kernel's function_graph printed: calls of core 3, two of them open at the end."""
    name = "funcgraph-args-retval.txt"
    path = os.path.join(FOLDER, name)
    got = report(path) if os.path.exists(path) else None
    if got is None:
        tap.skip("no " + name)
        return
    calls = sum(m["calls"] + m["recursive_calls"] for m in got["methods"]
                if m["name"] != "(toplevel)")
    tap.ok(calls == 110 + 102, name + " has all calls", calls)
    tap.ok([e["count"] for e in got["edges"]] == [2], "two are open", got["edges"])
    times = {m["name"]: m["incl_wall_us"] for m in got["methods"]}
    want = {"tick_nohz_idle_stop_tick": 24.545, "tick_nohz_stop_tick": 17.93,
            "timer_base_try_to_set_idle": 7.378, "pick_next_task": 3.977}
    tap.same(["%s: %s" % (n, times.get(n)) for n, us in want.items() if times.get(n) != us],
             "their times are those of the trace")


def main():
    if not os.path.isdir(FOLDER):
        skip_all("no samples of other profilers")
    tap = Tap()
    for name, text in rows():
        path = os.path.join(FOLDER, name)
        m = FIGURES.match(text)
        want = dict(zip(["threads", "methods", "runs", "depth"], map(int, m.group(2, 3, 4, 5))))
        want["total"] = round(float(m[6]) / (1000 if m[7] == "ns" else 1), 3)
        got = figures(path)
        tap.ok(got == want, name + " has the figures of the table", "want %r" % want, "got %r" % got)
        if not name.startswith("inferno-fractional"):
            round_check(tap, name, path)
        if m[7] not in ("ns", "bytes"):
            again_check(tap, name, path)
    folder = os.path.join(SHARED, "samples", "art")
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if name.startswith(("aosp-perflib-b", "fxprof-art-r", "setapp-deck", "vroom-data")):
            path = os.path.join(folder, name)
            round_check(tap, name, path)
            round_check(tap, name, path, "firefox", ".json")
            callgrind_back(tap, name, path)
            round_check(tap, name, path, "speedscope", ".json", "_wall_us")
    type_check(tap)
    speedscope_check(tap)
    callgrind_check(tap)
    uftrace_check(tap)
    folder_check(tap)
    counts_check(tap)
    unit_check(tap)
    graph_check(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
