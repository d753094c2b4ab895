# SPDX-License-Identifier: Apache-2.0
"""
A saved profile (convert --to=pprof) gives the reports of its trace, byte for byte but for what it
cannot hold: the longest call, threads without calls, the number of records.  Of made traces and small
samples; "all" as an argument: of each.
"""

import csv
import io
import os
import sys

from tap import SLOWTOP, Tap, Workdir, generate, run, samples

SMALL = 600000  # bytes

VIEWS = [
    ["report", "--view=tree", "--format=csv"],
    ["report", "--view=parents", "--clock=wall", "--format=csv"],
    ["flame", "--format=folded", "--clock=wall"],
    ["flame", "--format=svg"],
    ["diff", "--format=csv"],
    ["diff", "--view=tree", "--format=csv"],
]


def text(path, trace, view):
    """The output for a path; of a comparison its first side is the trace itself."""
    of = [trace, path] if view[0] == "diff" else [path]
    status, out, errors = run(SLOWTOP, view[0], "--no-config", *view[1:], *of)
    for name in path, os.path.basename(path), trace, os.path.basename(trace):
        out = out.replace(name.encode(), b"TRACE")
    return status, out, errors and b"an error"


def profile(path):
    """The profile's rows, without what single calls are needed for."""
    out = run(SLOWTOP, "report", "--no-config", "--format=csv", path)[1]
    head, *rows = csv.reader(io.StringIO(out.decode(errors="surrogateescape")))
    told = [i for i, name in enumerate(head) if not name.startswith(("max", "longest"))]
    return [[row[i] for i in told] for row in [head] + rows]


def facts(path):
    """Lines of the head: damage, edges and how it was recorded."""
    out = run(SLOWTOP, "report", "--no-config", "--limit=1", path)[1].decode(errors="replace")
    head = out.split("\n\n")[0].split("\n")
    at = [i for i, line in enumerate(head) if line.startswith(("Damage", "Edges"))]
    return head[min(at):] + [line for line in head if line.startswith(("Recorded", "Clock"))]


def check(tap, path, work):
    name = os.path.basename(path)
    saved = str(work / "saved.pb.gz")
    again = str(work / "again.pb.gz")
    for file, jobs in (saved, "1"), (again, "4"):
        if os.path.exists(file):
            os.remove(file)
        if run(SLOWTOP, "convert", "-j" + jobs, "--to=pprof", "--output=" + file, path)[0]:
            tap.skip("%s: no profile of it" % name)
            return
    with open(saved, "rb") as one, open(again, "rb") as other:
        tap.ok(one.read() == other.read(), name + ": saved twice, the same bytes")
    tap.ok(profile(saved) == profile(path), name + ": profile")
    tap.ok(facts(saved) == facts(path), name + ": damage and edges", (facts(saved), facts(path)))
    for view in VIEWS:
        tap.ok(text(saved, path, view) == text(path, path, view), name + ": " + " ".join(view))


def main():
    tap = Tap()
    with Workdir() as work:
        check(tap, generate(work / "demo.trace", "--demo"), work)
        for seed in "1", "2":
            check(tap, generate(work / ("made%s.trace" % seed), "--records=20k", "--methods=300",
                                "--threads=4", "--seed=" + seed), work)
        for path in samples("art"):
            if "all" in sys.argv or os.path.getsize(path) < SMALL:
                check(tap, path, work)
    return tap.done()


sys.exit(main())
