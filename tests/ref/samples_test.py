# SPDX-License-Identifier: Apache-2.0
"""slowtop's report on real traces, when they lie beside the project.

Each is compared with the plain reference, with the table of figures that came with the
samples, and a few with figures that were found by hand.  Files that are no traces must
be refused with one line.
"""

import os
import re
import sys

import compare
import reference
from subjects import Counted, Failed, report_slowtop
from tap import SHARED, SLOWTOP, Tap, run, samples, skip_all

# Wall figures, in microseconds: method, inclusive or exclusive, time, calls.
KNOWN = {
    "fxprof-art-regular.trace": {
        "total": {"cpu_us": 6081916, "wall_us": 52599734},
        "methods": [
            ("java.lang.Object.wait(JI)V", "excl_wall_us", 39241450, 120),
            ("java.lang.Object.wait(JI)V", "incl_wall_us", 39241450, 120),
            ("java.lang.Object.wait(JI)V", "excl_cpu_us", 249190, 120),
            ("org.mozilla.gecko.mozglue.GeckoLoader.nativeRun", "excl_wall_us", 4450141, None),
            ("org.mozilla.gecko.mozglue.GeckoLoader.nativeRun", "excl_cpu_us", 3356758, None),
            ("android.os.MessageQueue.nativePollOnce", "excl_wall_us", 3499415, None),
        ],
    },
    "fxprof-art-streaming.trace": {
        "total": {"wall_us": 74942933},
        "methods": [
            ("java.lang.Object.wait(JI)V", "excl_wall_us", 50079753, 70),
            ("java.lang.Thread.sleep", "excl_wall_us", 8690121, 263),
            ("android.os.MessageQueue.nativePollOnce", "excl_wall_us", 1611314, 23),
        ],
    },
    "aosp-perflib-exception.trace": {
        "methods": [
            ("Exceptions.foo", "incl_wall_us", 52, None),
            ("Exceptions.bar", "incl_wall_us", 47, None),
            ("Exceptions.baz", "incl_wall_us", 42, None),
            ("Exceptions.baz", "excl_wall_us", 9, None),
            ("Throwable.nativeFillInStackTrace", "excl_wall_us", 9, None),
            ("Throwable.<init>", "excl_wall_us", 7, None),
        ],
    },
}


def read_figures():
    """{file: {column: text}} of the first table in figures.md."""
    rows, header = {}, None
    with open(os.path.join(SHARED, "samples", "figures.md"), encoding="utf-8") as f:
        for line in f:
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            if not cells and rows:
                break
            if cells and header is None:
                header = cells
            elif cells and not set(cells[0]) <= set("- "):
                rows[cells[0]] = dict(zip(header, cells))
    return rows


def count(report, kind):
    return sum(d["count"] for d in report["damage"] + report["edges"] if d["kind"] == kind)


def compare_figures(report, row, profile):
    """Rows read like `records 16 (8/8/0)`, `unm/open 0/0`, `threads/used 4/2`."""
    trace = report["trace"]
    records, split = row["records"].split(" ")
    if trace["records"] != int(records):
        yield "records %d, want %s" % (trace["records"], records)
    actions = [0, 0, 0, 0]
    for _, _, _, action, _ in profile.trace.records():
        actions[action] += 1
    if "(%d/%d/%d)" % tuple(actions[:3]) != split:
        yield "enter/exit/unroll %s, want %s" % (actions, split)
    got = "%d/%d" % (count(report, "exit-without-entry"), count(report, "unfinished-call"))
    if got != row["unm/open"]:
        yield "exits on empty stacks and open calls %s, want %s" % (got, row["unm/open"])
    got = str(sum(1 for t in report["threads"] if t["records"]))
    if got != row["threads/used"].split("/")[-1]:
        yield "threads used %s, want %s" % (got, row["threads/used"])
    m = re.search(r"recs_of_unknown=(\d+)", row["anomalies and dmtracedump"])
    if count(report, "unknown-method") != int(m.group(1) if m else 0):
        yield "unknown %d, want %s" % (count(report, "unknown-method"), m and m.group(1))
    if ("trailing=" in row["anomalies and dmtracedump"]) != bool(count(report, "partial-record")):
        yield "a partial record: %d" % count(report, "partial-record")
    if row["clock/overflow"].endswith("true") != bool(count(report, "buffer-overflow")):
        yield "overflow: %d" % count(report, "buffer-overflow")


def compare_known(report, known):
    for key, value in known.get("total", {}).items():
        if report["total"][key] != value:
            yield "%s %d, want %d" % (key, report["total"][key], value)
    for name, key, value, calls in known["methods"]:
        found = [m for m in report["methods"]
                 if name in (m["class"].replace("/", ".") + "." + m["name"] + m["signature"])]
        if not any(m[key] == value and calls in (None, m["calls"]) for m in found):
            yield "%s: %s %s, want %d" % (name, key, [m[key] for m in found], value)


def test_sample(tap, path, figures):
    name = os.path.basename(path)
    try:
        counted = Counted(path)
    except reference.NotATrace as why:
        status, out, errors = run(SLOWTOP, "report", path)
        tap.ok(status == 2 and not out and errors.count(b"\n") == 1,
               "%s is refused with one line (%s)" % (name, why), status, errors)
        return
    try:
        report = report_slowtop(path)
    except Failed as why:
        tap.ok(False, name + " opens", why)
        return
    tap.same(compare.differences(report, counted.report()), name + ": as the reference")
    if name in figures:
        tap.same(compare_figures(report, figures[name], counted.profile), name + ": its figures")
    if name in KNOWN:
        tap.same(compare_known(report, KNOWN[name]), name + ": figures found by hand")


def main():
    paths = samples()
    if not paths:
        skip_all("no samples here")
    tap = Tap()
    figures = read_figures()
    tap.ok(len(figures) > 20, "the table of figures is understood")
    for path in paths:
        test_sample(tap, path, figures)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
