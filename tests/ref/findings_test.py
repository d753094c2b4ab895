# SPDX-License-Identifier: Apache-2.0
"""Findings of real traces against those that were found without this program.

Traces and figures are not part of the project; without them all is skipped.
"""

import json
import os
import sys

from tap import SHARED, SLOWTOP, Tap, run, skip_all

# What is not found yet: frames by their deadline, and slices of binder that lines of events tell.
LATER = {"nowinandroid.perfetto-trace": {"frames"}, "gracker_flutter_wanandroid.html.gz": {"binder"}}


def paths(folder):
    return {name: os.path.join(root, name)
            for root, _, names in os.walk(folder) for name in names}


class Sample:
    def __init__(self, want, got):
        self.want, self.got, self.wrong = want, got, []
        self.log = "clocks" not in want
        # Axes of logs may begin at another line.
        self.shift = got["length_us"] / 1000 - want["length_ms"] if self.log else 0

    def same(self, what, want, got):
        if want != got:
            self.wrong.append("%s: %s, not %s" % (what, got, want))

    def near(self, what, want, us):
        if want is None:
            return
        most = max(0.05, 0.005 * abs(want)) if self.log else max(0.002, 0.001 * abs(want))
        if us is None or abs(us / 1000 - want) > most:
            self.wrong.append("%s: %s us, not %s ms" % (what, us, want))

    def finding(self, want, got):
        kind, place, figures = want["kind"], got["place"], got["figures"]
        self.near(kind + " user", want["user_ms"], got["user_us"])
        self.near(kind + " time", want["ms"], got["time_us"])
        if "at_ms" in want:
            self.near(kind + " start", want["at_ms"] + self.shift, place["start_us"])
        self.near(kind + " length", want.get("place_ms"), place["time_us"])
        for name in ("method", "slice"):
            if name in want:
                self.same(kind + " " + name, want[name], place[name])
        for name, figure in (("n", "count"), ("calls", "count"), ("of", "of")):
            if name in want:
                self.same(kind + " " + name, want[name], figures.get(figure))
        for name in ("cpu", "net", "longest"):
            self.near(kind + " " + name, want.get(name + "_ms"), figures.get(name + "_us", 0))
        for name, time in want.get("states", {}).items():
            self.near(kind + " " + name, time, figures.get(name + "_us", 0))
        if "app" in want:
            self.same(kind + " caller", want["app"][0], figures.get("caller"))
        if "cause" in want:
            cause = figures["cause"] or {}
            self.same(kind + " cause", want["cause"]["by"], cause.get("by"))
            self.same(kind + " cause", want["cause"].get("name", want["cause"]["what"]),
                      cause.get("name"))
            self.near(kind + " cause", want["cause"]["ms"], cause.get("time_us"))

    def check(self):
        want, got = self.want, self.got
        later = LATER.get(want["file"], set())
        wanted = [f for f in want["findings"] if f["kind"] not in later]
        self.same("kinds", [f["kind"] for f in wanted], [f["kind"] for f in got["findings"]])
        self.same("limits", sorted(want["limits"]), sorted(m["limit"] for m in got["limits"]))
        self.same("main", want.get("main", {}).get("tid"), (got["main"] or {}).get("tid"))
        if "main" in want:
            self.near("longest", want["longest_ms"], got["messages"]["longest_us"])
            self.near("late", want["late_ms"], got["messages"]["late_us"])
        found = {f["kind"]: f for f in got["findings"]}
        for finding in wanted:
            if finding["kind"] in found:
                self.finding(finding, found[finding["kind"]])
        return self.wrong


def main():
    expected = os.path.join(SHARED, "spec", "findings-expected.json")
    if not os.path.exists(expected):
        skip_all("no expected findings beside the source tree")
    tap = Tap()
    there = paths(os.path.join(SHARED, "samples"))
    with open(expected, encoding="utf-8") as text:
        document = json.load(text)
    if document.get("version", 1) != 1:
        skip_all("the expected findings are of rules that are not those of this program")
    files = document["files"]
    for want in files:
        if want["file"] not in there or "length_ms" not in want:
            continue
        status, out, errors = run(SLOWTOP, "triage", "--format=json", "--limit=0",
                                  there[want["file"]])
        if status:
            tap.ok(want["length_ms"] == 0, want["file"] + ": refused", errors)
        else:
            tap.same(Sample(want, json.loads(out)).check(), want["file"])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
