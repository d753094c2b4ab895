# SPDX-License-Identifier: Apache-2.0
"""Samples of Chrome's Trace Event Format, when they lie beside the project, against the table of
figures that came with them; and what "convert --to=chrome" writes, read again."""

import gzip
import json
import os
import re
import sys

from tap import SHARED, SLOWTOP, TRACEGEN, Tap, Workdir, run

FOLDER = os.path.join(SHARED, "samples", "other")
NUMBERS = {
    "events": r"(\d+) events", "threads": r"(\d+) threads", "calls": r"(\d+) calls",
    "methods": r"(\d+) methods", "depth": r"depth (\d+)", "total": r"total ([\d.]+) us",
    "series": r"(\d+) counter series", "values": r"\((\d+) values\)",
    "async": r"(\d+) async\b(?! end)",
    "overlapping": r"overlapping (\d+)", "rows": r"extra rows (\d+)",
    "unfinished": r"unfinished (\d+)", "no begin": r"(?<!async )end without begin (\d+)",
    "lost": r"lost exit (\d+)", "async no begin": r"async end without begin (\d+)",
}


def rows():
    if not os.path.isdir(FOLDER):
        return
    with open(os.path.join(FOLDER, "README.md"), encoding="utf-8") as f:
        for line in f:
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) > 4 and re.match(r"\d+ events", cells[4]):
                yield cells[1], cells[4]


def report(path, *options):
    status, out, errors = run(SLOWTOP, "report", "--format=json", "--clock=wall", *options, path)
    if status != 0:
        raise ValueError(errors)
    return json.loads(out)


def figures(path):
    methods, threads = report(path, "--view=methods"), report(path, "--view=threads")
    tasks = [t for t in threads["threads"] if t["kind"] == "thread" and t["calls"]]
    found = {m["name"]: m["calls"] + m["recursive_calls"] for m in methods["methods"]
             if m["name"] != "(toplevel)"}
    aside = {t["thread"] for t in threads["threads"] if t["kind"] == "async"}
    alone = report(path, *("--thread=" + row for row in aside)) if aside else {"methods": []}
    summary = {row["name"]: row["count"] for row in methods["log"]["summary"]}
    counters = report(path, "--view=log-counters")["log"]["counters"]
    kinds = {row["kind"]: row["count"] for row in methods["damage"] + methods["edges"]}
    _, info, _ = run(SLOWTOP, "info", path)
    note = re.search(r"begin in (\d+) times; they are on (\d+) further rows",
                     info.decode()) or [0, 0, 0]
    total = methods["total"]["wall_us"]
    if b"nothing but sums of other slices" in info:  # in no total of ours; the table has them in it
        sums = [t["thread"] for t in threads["threads"] if t["kind"] == "thread" and not t["calls"]]
        of = report(path, *("--thread=" + row for row in sums))
        tasks += sums
        found.update((m["name"], m["calls"]) for m in of["methods"] if m["name"] != "(toplevel)")
        total += of["total"]["wall_us"]
    return {
        "events": summary["events"], "threads": len(tasks) - int(note[2]),
        "calls": sum(found.values()), "methods": len(found),
        "depth": max([t["deepest"] for t in threads["threads"]] or [0]),
        "total": round(total, 3),
        "series": len(counters), "values": sum(c["count"] for c in counters),
        "async": sum(m["calls"] + m["recursive_calls"] for m in alone["methods"]
                     if m["name"] != "(toplevel)"),
        "overlapping": int(note[1]), "rows": int(note[2]),
        "unfinished": summary.get("unfinished", 0), "no begin": summary.get("unmatched-ends", 0),
        "lost": kinds.get("lost-exit", 0), "async no begin": summary.get("unmatched-async-ends", 0),
    }


def sample_check(tap, name, text):
    want = {}
    for key, pattern in NUMBERS.items():
        m = re.search(pattern, text)
        want[key] = round(float(m[1]), 3) if m else 0
    if "thread_time" in name:  # the table pairs these in the order of the file
        want["async no begin"] = 0
    got = figures(os.path.join(FOLDER, name))
    tap.same(["%s: %s, not %s" % (key, got[key], want[key]) for key in want
              if got[key] != want[key]], name + " has the figures of the table")


def sums(path, clock):
    return sorted((m["name"] if not m["class"] else m["class"] + "." + m["name"],
                   m["calls"], m["recursive_calls"], m["incl_%s_us" % clock],
                   m["excl_%s_us" % clock])
                  for m in report(path, "--view=methods")["methods"] if m["name"] != "(toplevel)")


def again_check(tap, work, seed):
    trace, back = work / "made.trace", work / "made.json"
    run(TRACEGEN, "--threads=4", "--records=20000", "--seed=%d" % seed, "-o", trace)
    run(SLOWTOP, "convert", "--to=chrome", "--force", "-o", back, trace)
    want, got = sums(trace, "wall"), sums(back, "wall")
    tap.ok(len(want) == len(got) and [w[1:] for w in sorted(want, key=lambda w: w[1:])] ==
           [g[1:] for g in sorted(got, key=lambda g: g[1:])],
           "what convert writes has the same figures when it is read again, seed %d" % seed,
           *[repr(p) for p in zip(want, got) if p[0][1:] != p[1][1:]][:5])
    return back


def cut_check(tap, path):
    """At any byte the file opens, with what came before."""
    with open(path, "rb") as f:
        data = f.read()
    bad = []
    for size in range(data.index(b"traceEvents") + 15, 6000, 37):
        with open(path + ".cut", "wb") as f:
            f.write(gzip.compress(data[:size]))
        status, out, errors = run(SLOWTOP, "report", "--format=csv", path + ".cut")
        if status != 0:
            bad.append("%d: %s" % (size, errors))
    tap.same(bad, "a file that is cut anywhere opens")


def main():
    tap = Tap()
    names = list(rows())
    if not names:
        tap.skip("no samples of Chrome's format")
    for name, text in names:
        sample_check(tap, name, text)
    with Workdir() as work:
        for seed in (1, 2):
            back = again_check(tap, work, seed)
        cut_check(tap, back)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
