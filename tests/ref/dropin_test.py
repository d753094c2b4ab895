# SPDX-License-Identifier: Apache-2.0
"""slowtop dmtracedump beside Debian's dmtracedump, byte for byte.

Damage that the original counts wrongly is mended for it first (mend.py); the list of
records needs no mending.  DROPIN_TRACES sets how many traces are generated; 240 are one of each
kind.
"""

import os
import sys

import kinds
import mend
from tap import DMTRACEDUMP, SHARED, SLOWTOP, Tap, Workdir, generate, run, samples, skip_all

TRACES = int(os.environ.get("DROPIN_TRACES", 240 * kinds.share()))


def lines_of_difference(want, got):
    if want == got:
        return []
    found = ["%d lines, want %d" % (got.count(b"\n"), want.count(b"\n"))]
    for a, b in zip(want.split(b"\n"), got.split(b"\n")):
        if a != b:
            found += ["want %r" % a, "got  %r" % b]
    return found


class Comparison:
    def __init__(self, tap, work):
        self.tap, self.work = tap, work
        self.whole = self.changed = 0
        self.unfit = {}

    def profile(self, path):
        """Differences of the profile, or None when there is nothing to compare."""
        with open(path, "rb") as file:
            data = file.read()
        try:
            mended, changed = mend.mend(data)
        except (mend.Unfit, ValueError) as why:
            self.unfit[str(why)] = self.unfit.get(str(why), 0) + 1
            return None
        theirs = path
        if changed:
            theirs = self.work / "mended.trace"
            with open(theirs, "wb") as file:
                file.write(mended)
        status, want, errors = run(DMTRACEDUMP, theirs)
        if status or b"Unsupported" in errors:
            return None
        self.whole += not changed
        self.changed += changed
        status, got, errors = run(SLOWTOP, "dmtracedump", path)
        if status:
            return ["status %d" % status, errors]
        return lines_of_difference(want, got)

    def records(self, path):
        status, want, _ = run(DMTRACEDUMP, "-o", path)
        if status or b"\nTrace (threadID" not in want:
            return None
        status, got, errors = run(SLOWTOP, "dmtracedump", "-o", path)
        return ["status %d" % status, errors] if status else lines_of_difference(want, got)


def test_generated(tap, comparison, work):
    """Several traces to a line of the log."""
    made, seed, bad = 0, 10, []
    while made < TRACES:
        for name, options in kinds.traces(seed):
            if made == TRACES:
                break
            made += 1
            path = generate(work / "made.trace", *options, "--seed=%d" % (seed * 1000 + made))
            for what in (comparison.profile, comparison.records):
                differences = what(path)
                if differences:
                    bad.append("%s (%s, seed %d)" % (name, " ".join(options),
                                                     seed * 1000 + made))
                    bad.extend(differences[:6])
        seed += 1
    tap.same(bad, "%d generated traces" % made)
    tap.ok(comparison.whole > made / 4, "most need no mending: %d" % comparison.whole)
    tap.ok(comparison.changed > made / 10, "many need it: %d" % comparison.changed,
           comparison.unfit)


def test_described(tap, comparison, work):
    """What a file can look like, case by case."""
    cases = {
        "classes before (toplevel) in the alphabet": """
version 3
clock wall
thread 1 main
method 0x4 $Proxy0 run ()V
method 0x8 a.B run ()V
method 0xc $Proxy1 get ()V
method 0x10 z.Z get ()V
method 0x14 a.B get ()V
0 1 > 0x4
5 1 > 0x8
9 1 > 0xc
11 1 > 0x10
20 1 > 0x14
21 1 < 0x14
29 1 < 0x10
30 1 < 0xc
40 1 < 0x8
60 1 < 0x4
""",
        "lines of all lengths": """
version 2
clock thread-cpu
thread 1 main
thread 1 again
thread 70000 high
line methods 0x4\\tonly
line methods 0x8\\ttwo\\tfields
line methods 0xc\\tfunction\\tpath.c\\t12
line methods 0x10\\ta.B\\tf\\t()V\\tB.java
line methods 0x14\\ta.B\\tg\\t()V\\tB.java\\t12
line methods 0x18\\ta.B\\th\\t()V\\t\\t12
line methods 0x1c\\ta.B\\ti\\t\\tB.java\\t12
line methods 0x20\\ta.B\\tj\\t()V\\tB.java\\t12\\tmore
line methods 0x24\\t\\tk\\t()V
line methods 0x28\\ta.B\\t\\t()V
0 1 > 0x4
1 1 > 0x8
3 1 > 0xc
6 1 > 0x10
10 1 > 0x14
15 1 > 0x18
21 1 > 0x1c
28 1 > 0x20
36 1 > 0x24
45 1 > 0x28
55 1 < 0x28
""",
        "ids that are there twice": """
version 2
clock wall
thread 1 main
line methods 0x4\\ta.B\\tf\\t()V
line methods 0x8\\ta.B\\tg\\t()V
line methods 0x8\\ta.C\\tg\\t()V
line methods 0x8\\ta.D\\tg\\t()V
line methods 0x8\\ta.E\\tg\\t()V
line methods 0xc\\ta.B\\th\\t()V
line methods 0xc\\ta.B\\th\\t()V
0 1 > 0x4
1 1 > 0x8
3 1 < 0x8
6 1 > 0xc
10 1 > 0xc
15 1 < 0xc
21 1 < 0xc
28 1 < 0x4
""",
        "one unknown method calls another": """
version 2
clock wall
thread 1 main
method 0x4 a.B f ()V
0 1 > 0x4
1 1 > 0x8
3 1 > 0xc
7 1 > 0x4
9 1 < 0x4
15 1 < 0xc
16 1 > 0x8
18 1 < 0x8
26 1 < 0x8
28 1 < 0x4
""",
    }
    for name, description in cases.items():
        path = generate(work / "made.trace", description=description)
        for what, title in ((comparison.profile, "profile"), (comparison.records, "records")):
            differences = what(path)
            if tap.ok(differences is not None, "%s: dmtracedump reads it" % name):
                tap.same(differences, "%s: %s" % (name, title))


def test_deep(tap, comparison, work):
    """Dots end at 10 000; the original's stack, too."""
    lines = ["version 2", "clock wall", "thread 1 main", "method 0x4 a.B f ()V"]
    lines += ["%d 1 > 0x4" % i for i in range(10050)]
    path = generate(work / "made.trace", description="\n".join(lines) + "\n")
    differences = comparison.records(path)
    if tap.ok(differences is not None, "dmtracedump lists a deep stack"):
        tap.same(differences, "records of a deep stack")
    tap.ok(comparison.profile(path) is None, "dmtracedump cannot count it")
    status, out, _ = run(SLOWTOP, "dmtracedump", path)
    tap.ok(status == 0 and b"     1+10049  " in out, "slowtop can")


def test_files(tap, comparison):
    paths = samples()
    oracle = os.path.join(SHARED, "oracle")
    if os.path.isdir(oracle):
        paths += sorted(os.path.join(oracle, n) for n in os.listdir(oracle)
                        if n.endswith(".trace"))
    if not paths:
        tap.skip("no samples here")
    for path in paths:
        for what, title in ((comparison.profile, "profile"), (comparison.records, "records")):
            differences = what(path)
            name = "%s: %s" % (os.path.basename(path), title)
            if differences is None:
                tap.skip("%s: dmtracedump cannot" % name)
            else:
                tap.same(differences, name)


def main():
    if not DMTRACEDUMP:
        skip_all("no dmtracedump")
    tap = Tap()
    with Workdir() as work:
        comparison = Comparison(tap, work)
        test_described(tap, comparison, work)
        test_deep(tap, comparison, work)
        test_generated(tap, comparison, work)
        test_files(tap, comparison)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
