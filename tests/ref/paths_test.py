#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where the time of slices of real traces went, to the nanosecond: sums of causes and of leaves.

The longest slices of the main thread in front of each sample, with the sums that an independent
program found, and where Perfetto's engine reads the states, found from those, too.
"""
import csv
import glob
import io
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import SHARED, SLOWTOP, Tap, skip_all  # noqa: E402

expected = os.path.join(SHARED, "spec", "frames-expected.json")
if not os.path.exists(expected):
    skip_all("no samples (SLOWTOP_SHARED)")


def ns(us):
    whole, _, part = us.partition(".")
    return int(whole) * 1000 + int((part + "000")[:3])


KINDS = {"running": "running", "runnable": "runnable", "io": "io", "interrupt": "irq",
         "not known": "unknown"}
# Text logs have no slices of binder: what they wait for there is the thread that wakes them.
CAUSES = (("running", "running"), ("runnable", "runnable"), ("lock", "lock"), ("binder", "binder"),
          ("blocked, I/O", "io"), ("blocked", "blocked"), ("sleeping, woken", "interrupt"),
          ("woken by", "thread"), ("not known", "unknown"))


def sums(path, tid, at, length):
    out = subprocess.run(
        [SLOWTOP, "report", "--format=csv", "--view=log-path", "--thread=%d" % tid,
         "--from=%dns" % at, "--to=%dns" % (at + length), path],
        capture_output=True, text=True, check=False).stdout
    causes, leaves = {}, {}
    for row in csv.DictReader(io.StringIO(out)):
        time = ns(row["time_us"])
        if row["depth"] == "0":
            cause = next(word for start, word in CAUSES if row["cause"].startswith(start))
            causes[cause] = causes.get(cause, 0) + time
            if cause not in ("running", "runnable"):
                continue
            kind = cause
        elif row["kind"] in ("held", "idle"):
            continue
        else:
            kind = KINDS[row["kind"]]
        leaves[kind] = leaves.get(kind, 0) + time
    return causes, leaves


def without_binder(causes):
    causes = dict(causes)
    binder = causes.pop("binder", 0)
    if binder > 0:
        causes["thread"] = causes.get("thread", 0) + binder
    return causes


tap = Tap()
with open(expected, encoding="utf-8") as text:
    samples = json.load(text)
for name, sample in sorted(samples.items()):
    for path in sample.get("paths", []) if isinstance(sample, dict) else []:
        file = glob.glob(os.path.join(SHARED, "samples", "*", name))[0]
        causes, leaves = sums(file, path["tid"], path["at"] - sample["start"], path["dur"])
        want = path["causes"] if "binder" in causes else without_binder(path["causes"])
        tap.ok(causes == want and leaves == path["leaves"] and sum(causes.values()) == path["dur"],
               "%s: %s of %d ns" % (name, path["name"], path["dur"]),
               "causes %s, expected %s" % (causes, want),
               "leaves %s, expected %s" % (leaves, path["leaves"]))
sys.exit(tap.done())
