# SPDX-License-Identifier: Apache-2.0
"""dmtracedump's figures of every method and list, on generated and on sample traces.

The real program is compared with our emulation of its rules (all of its output), and
with slowtop's report itself (the documented differences aside).
"""

import os
import sys

import dmtracedump
import kinds
import reference
from subjects import report_slowtop
from tap import DMTRACEDUMP, Tap, Workdir, generate, samples, skip_all

# dmtracedump gives up on a mismatched exit, knows no wraps, and subtracts unsigned.
UNFIT = ("lost exits", "stray exits", "reserved", "backward", "wraps", "all", "all, wraps")


def compare(tap, path, name):
    real = dmtracedump.run_dmtracedump(path)
    if real is None:
        return False
    case = dmtracedump.Case(path)
    tap.same(dmtracedump.differences(real, dmtracedump.emulate(case)),
             "%s: %d rows by its rules" % (name, len(real[1])))
    tap.same(dmtracedump.plain_differences(real, report_slowtop(path), case),
             "%s: slowtop" % name)
    return True


def test_generated(tap, work):
    for name, options in kinds.traces(3):
        if any(name.endswith(", " + unfit) for unfit in UNFIT):
            continue
        path = generate(work / "made.trace", *options)
        if not compare(tap, path, name):
            empty = reference.Profile(reference.open_trace(path)).record_count == 0
            tap.ok(empty, "%s: refused, but only because it is empty" % name)


def test_bites(tap, work):
    """A difference of one microsecond or one call is seen."""
    path = generate(work / "made.trace", "--records=500", "--clock=thread-cpu")
    emulated = dmtracedump.emulate(dmtracedump.Case(path))
    real = dmtracedump.run_dmtracedump(path)
    busy = max(emulated[1], key=lambda e: e.excl)
    for member in ("incl", "excl", "calls", "recursive", "own"):
        setattr(busy, member, getattr(busy, member) + 1)
        tap.ok(list(dmtracedump.differences(real, emulated)), "a wrong %s is seen" % member)
        setattr(busy, member, getattr(busy, member) - 1)
    busy.lists["parents"] = busy.lists["parents"][1:]
    tap.ok(list(dmtracedump.differences(real, emulated)), "a missing parent is seen")


def test_samples(tap):
    paths = samples()
    if not paths:
        tap.skip("no samples here")
    for path in paths:
        name = os.path.basename(path)
        try:
            reference.open_trace(path)
        except reference.NotATrace as why:
            tap.skip("%s: %s" % (name, why))
            continue
        if not compare(tap, path, name):
            tap.skip("%s: dmtracedump gives up" % name)


def main():
    if not DMTRACEDUMP:
        skip_all("no dmtracedump")
    tap = Tap()
    with Workdir() as work:
        test_bites(tap, work)
        test_generated(tap, work)
    test_samples(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
