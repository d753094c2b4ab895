# SPDX-License-Identifier: Apache-2.0
"""
Call paths of two traces, compared: what a path changed by is what its callees and itself did, and folded
stacks are those that difffolded.pl makes of both.  Over pairs of the samples; "all" as an argument: over
each.  Names of logs that differ by numbers are one row.
"""

import csv
import decimal
import functools
import io
import itertools
import os
import re
import sys

from tap import BUILDDIR, SHARED, SLOWTOP, Tap, Workdir, generate, run, samples

SIDES = ("a", "b", "delta")
NUMBER = re.compile(r"(?<![A-Za-z0-9_])(0x[0-9A-Fa-f]+|[0-9]+)")


def additive(path, other, clock):
    """The paths whose figures do not add up: of callees and itself, and of both sides."""
    status, out, errors = run(SLOWTOP, "diff", "--no-config", "--view=tree", "--min-percent=0", "--format=csv",
                              "--clock=" + clock, path, other)
    if status:
        return [errors]
    wrong, above = [], []  # above: depth, row, sum of what is below
    rows = list(csv.DictReader(io.StringIO(out.decode(errors="surrogateescape"))))

    def figures(row, kind):
        return [decimal.Decimal(row["%s_%s_us_%s" % (kind, clock, side)]) for side in SIDES]

    def close(depth):
        while above and above[-1][0] >= depth:
            _, row, below = above.pop()
            whole, own = figures(row, "incl"), figures(row, "excl")
            if any(w != o + b for w, o, b in zip(whole, own, below)) or whole[1] - whole[0] != whole[2]:
                wrong.append(row)
            if any(b > w for b, w in zip(below[:2], whole)):
                wrong.append(row)

    for row in rows:
        depth = int(row["depth"])
        close(depth)
        if above:
            above[-1][2][:] = [s + f for s, f in zip(above[-1][2], figures(row, "incl"))]
        above.append((depth, row, [decimal.Decimal(0)] * 3))
    close(0)
    return wrong if rows else ["no rows"]


@functools.lru_cache(maxsize=None)
def clocks(path):
    """Clocks of a trace; none: it has no report."""
    status, out, _ = run(SLOWTOP, "report", "--no-config", "--format=csv", "--limit=1", path)
    return [clock for clock in ("cpu", "wall") if not status and b"incl_%s_us" % clock.encode() in out]


@functools.lru_cache(maxsize=None)
def stacks(path, clock):
    out = run(SLOWTOP, "flame", "--no-config", "--format=folded", "--clock=" + clock, path)[1]
    found = {}
    for line in out.splitlines():
        stack, _, count = line.rpartition(b" ")
        found[stack] = found.get(stack, 0) + int(count)
    return found


def difffolded(path, other, clock):
    """What difffolded.pl prints of two files of folded stacks, sorted."""
    one, two = stacks(path, clock), stacks(other, clock)
    return sorted(b"%s %d %d" % (stack, one.get(stack, 0), two.get(stack, 0))
                  for stack in one.keys() | two.keys())


def check(tap, path, other):
    name = "%s, %s" % (os.path.basename(path), os.path.basename(other))
    for clock in clocks(path):
        if clock not in clocks(other):
            continue
        wrong = additive(path, other, clock)
        tap.ok(not wrong, "%s, %s: adds up" % (name, clock), wrong[:3])
        out = run(SLOWTOP, "diff", "--no-config", "--format=folded", "--clock=" + clock, path, other)[1]
        tap.ok(sorted(out.splitlines()) == difffolded(path, other, clock),
               "%s, %s: as difffolded has it" % (name, clock))


def names(path, numbers):
    """The names of a log's slices; without numbers: those that differ by these are one."""
    out = run(SLOWTOP, "report", "--no-config", "--format=csv", path)[1]
    found = (row["name"] for row in csv.DictReader(io.StringIO(out.decode(errors="surrogateescape"))))
    return {name if numbers else NUMBER.sub("N", name) for name in found}


def check_numbers(tap, name, other):
    path = os.path.join(SHARED, "samples", "ftrace", name)
    if not os.path.exists(path):
        tap.skip(name)
        return
    for options in [], ["--exact-names"]:
        out = run(SLOWTOP, "diff", "--no-config", "--format=csv", *options, path, other)[1]
        rows = sum(line.startswith(b"only-a,") for line in out.splitlines())
        of = [names(file, numbers=bool(options)) for file in (path, other)]
        tap.ok(rows == len(of[0] - of[1]) > 10, "%s: rows %s" % (name, " ".join(options)),
               (rows, len(of[0] - of[1])))


def main():
    tap = Tap()
    with Workdir() as work:
        check(tap, *(generate(work / ("made%s.trace" % seed), "--records=5k", "--methods=60",
                              "--threads=3", "--seed=" + seed) for seed in ("1", "2")))
        paths = [path for path in samples("art") if clocks(path)]
        pairs = itertools.combinations(paths, 2)
        if "all" not in sys.argv:
            pairs = zip(paths[::2], paths[1::2])
        for pair in pairs:
            check(tap, *pair)
        log = str(work / "made.ftrace")
        with open(log, "wb") as file:
            file.write(run(os.path.join(BUILDDIR, "tests", "gen", "loggen"), "--events=100", "--marks=hitrace")[1])
        for name in "gracker_xiaomi_launcher_scroll.html.gz", "atrace_video_5col_flags.systrace.gz":
            check_numbers(tap, name, log)
    return tap.done()


sys.exit(main())
