# SPDX-License-Identifier: Apache-2.0
"""What the first look at real traces shows: the first rows of the profile, and what is called
idle, damaged, and slow.

Traces are not part of the project; without them all is skipped.
"""

import functools
import json
import os
import statistics
import sys

from tap import SHARED, SLOWTOP, Tap, run, skip_all

ROWS = 12      # of methods on a screen of 80x24
SIZEABLE = 12  # methods, at least: of fewer all are there
WAITS = r"nativePollOnce\b|Object\.wait\b|Thread\.sleep\b|Unsafe\.park\b|^sleep"
MEDIAN = 65    # percent of CPU self time in the first rows, at least


@functools.lru_cache(maxsize=2)
def report(path, *options):
    status, out, errors = run(SLOWTOP, "report", "--format=json", *options, path)
    return json.loads(out) if status == 0 else None


def share(path):
    """Of all CPU self time the percentage in the first rows; None: too few to tell."""
    whole = report(path)
    if "cpu" not in whole["trace"]["clocks"]:
        return None
    methods = whole["methods"]
    total = sum(m.get("excl_cpu_us") or 0 for m in methods)
    if len(methods) <= SIZEABLE or total <= 0:
        return None
    return 100 * sum(m.get("excl_cpu_us") or 0 for m in methods[:ROWS]) / total


def idle_takes(path):
    """CPU time that is gone when idle time is hidden, in us."""
    shown = report(path)
    if "cpu" not in shown["trace"]["clocks"]:
        return 0
    hidden = report(path, "--transform=idle:" + WAITS)
    return abs(shown["total"]["cpu_us"] - hidden["total"]["cpu_us"])


def main():
    samples = os.path.join(SHARED, "samples")
    if not os.path.isdir(samples):
        skip_all("no samples beside the source tree")
    tap, shares = Tap(), []
    for folder in ("art", "ftrace", "perfetto"):
        for name in sorted(os.listdir(os.path.join(samples, folder))):
            path = os.path.join(samples, folder, name)
            if ".expected." in name or report(path) is None:
                continue
            part = share(path)
            if part is not None and folder == "art":
                shares.append(part)
            _, out, _ = run(SLOWTOP, "triage", "--limit=1", path)
            lines = [line for line in out.decode().splitlines()[2:] if line.strip()]
            damage = [d["kind"] for d in report(path)["damage"]]
            taken = idle_takes(path)
            tap.ok(taken <= 1, "%s: %s %%, idle takes %s us of CPU time, damage: %s, %s" % (
                name, "-" if part is None else "%.1f" % part, taken, " ".join(damage) or "none",
                " ".join(lines[0].split()) if lines else "nothing found"))
    tap.ok(shares and statistics.median(shares) >= MEDIAN,
           "median of %d: %.1f %%" % (len(shares), statistics.median(shares) if shares else 0))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
