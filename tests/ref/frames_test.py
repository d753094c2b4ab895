# SPDX-License-Identifier: Apache-2.0
"""Frames of real traces, when they lie beside the project, against what an independent program
and Perfetto's own engine say of them."""

import csv
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tap

KEYS = ("rows", "drew", "median", "longest", "slow", "open", "late", "worst_over", "layers", "with_ui")


def ns(us):
    return round(float(us) * 1000)


def frames(path):
    out = subprocess.run([tap.SLOWTOP, "report", "--view=frames", "--format=csv", path],
                         stdout=subprocess.PIPE, check=True).stdout.decode("utf-8", "replace")
    return list(csv.DictReader(line for line in out.splitlines() if not line.startswith("#")))


def figures(rows):
    counted = [r for r in rows if r["drew"] == "1"] or rows
    lengths = sorted(ns(r["time_us"]) for r in counted if r["time_us"])
    told = [r for r in rows if r["source"] in ("timeline", "display")]
    causes = [c for r in told for c in r["cause"].split(", ") if c]
    over = [ns(r["over_us"]) for r in counted if r["over_us"]]
    return {"rows": len(rows), "drew": sum(r["drew"] == "1" for r in rows),
            "slow": sum(r["slow"] == "1" for r in rows),
            "open": sum(r["time_us"] == "" for r in rows), "late": sum(o > 0 for o in over),
            "median": lengths[(len(lengths) - 1) // 2], "longest": lengths[-1],
            "worst_over": max(over, default=None),
            "layers": sum(int(r.get("layers") or 0) for r in rows),
            "causes": {c: causes.count(c) for c in causes},
            "with_ui": sum(r["ui_us"] != "" for r in rows)}


def sample(t, path, wanted):
    name = os.path.basename(path).split(".")[0]
    rows = frames(path)
    slow = sum(r["slow"] == "1" for r in rows)
    t.ok((len(rows), slow) == (wanted["rows"], wanted["slow"]),
         "%s: %d rows, %d slow" % (name, wanted["rows"], wanted["slow"]), (len(rows), slow))
    starts = [ns(r["start_us"]) for r in rows]
    t.ok(starts == sorted(starts), name + ": in order of time")
    for process in wanted.get("processes", ()):
        got = figures([r for r in rows if r["pid"] == str(process["pid"]) and
                       r["source"] == process["source"]])
        t.same(("%s: got %s, want %s" % (k, got[k], process[k]) for k in KEYS + ("causes",)
                if got[k] != process[k]),
               "%s: %s of %d" % (name, process["source"], process["pid"]))


def triage(t, path):
    """The finding of late frames, which a build server stops at."""
    done = subprocess.run([tap.SLOWTOP, "triage", "--format=json", "--fail-on=frames", path],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    t.ok(done.returncode == 1, "triage: late frames are a failure", done.returncode)
    found = json.loads(done.stdout)
    found = found[0] if isinstance(found, list) else found
    first = found["findings"][0]
    t.ok(first["kind"] == "frames" and ns(first["late_us"]) == 432228752,
         "triage: they are the first finding", first)
    t.ok(first["text"].startswith("16 of 739 frames late, worst 45.3 ms (108.0 late) at 1.832 s") and
         first["evidence"] == ["worst: App Deadline Missed, Buffer Stuffing"],
         "triage: which, and why", first)


def main():
    t = tap.Tap()
    expected = os.path.join(tap.SHARED, "spec", "frames-expected.json")
    if not os.path.exists(expected):
        t.skip("the expected figures are not here")
        return t.done()
    with open(expected, encoding="utf-8") as f:
        wanted = json.load(f)
    for folder in ("perfetto", "ftrace"):
        for name, of in sorted(wanted.items()):
            path = os.path.join(tap.SHARED, "samples", folder, name)
            if isinstance(of, dict) and of.get("frames") and os.path.exists(path):
                sample(t, path, of["frames"])
                if name.startswith("nowinandroid"):
                    triage(t, path)
    return t.done()


if __name__ == "__main__":
    sys.exit(main())
