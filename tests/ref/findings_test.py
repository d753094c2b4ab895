# SPDX-License-Identifier: Apache-2.0
"""Findings of real traces against those that were found without this program.

Traces and figures are not part of the project; without them all is skipped.
"""

import json
import os
import sys

from tap import SHARED, SLOWTOP, Tap, run, skip_all

FOUND = os.path.join(SHARED, "found")

# Figures of the cause of a finding: its name in the expectations, in JSON.
CAUSE = (("by", "by"), ("kind", "kind"), ("name", "name"), ("under", "under"))
CAUSE_TIMES = (("ms", "time_us"), ("name_ms", "name_us"), ("caller_ms", "caller_us"))


def paths(*folders):
    return {name: os.path.join(root, name) for folder in folders
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

    def cause(self, kind, want, got):
        for name, key in CAUSE:
            if name in want:
                self.same(kind + " cause " + name, want[name], got.get(key))
        for name, key in CAUSE_TIMES:
            self.near(kind + " cause " + name, want.get(name), got.get(key))
        self.same(kind + " caller", want.get("caller"), got.get("caller"))
        parts = got.get("parts", [])
        self.same(kind + " parts", [(p["name"], p["kind"]) for p in want.get("parts", [])],
                  [(p["name"], p["kind"]) for p in parts])
        for a, b in zip(want.get("parts", []), parts):
            self.near(kind + " part", a["ms"], b["time_us"])

    def finding(self, want, got):
        kind, place = want["kind"], got["place"]
        self.near(kind + " late", want["late_ms"], got["late_us"])
        self.near(kind + " time", want["ms"], got["time_us"])
        if "at_ms" in want:
            self.near(kind + " start", want["at_ms"] + self.shift, place["start_us"])
        self.near(kind + " length", want.get("place_ms"), place["time_us"])
        if self.shift == 0:
            self.same(kind + " text", want["text"], got["text"])
            self.same(kind + " evidence", want["evidence"], got["evidence"])
        if "cause" in want:
            self.cause(kind, want["cause"], got["figures"]["cause"] or {})

    def totals(self):
        want, got = self.want, self.got
        messages, frames = got.get("messages", {}), got.get("frames", {})
        self.near("busy", want.get("busy_ms"), messages.get("busy_us"))
        if "messages" in want:
            self.same("messages", want["messages"], messages["count"])
            self.same("late", want["late"], messages["late"])
            self.near("late ms", want["late_ms"], messages["late_us"])
            self.near("judged", want["judged_ms"], messages["judged_us"])
            self.near("longest", want["longest_ms"], messages["longest_us"])
        if want.get("frames"):
            self.same("frames", want["frames"]["n"], frames["count"])
            self.same("late frames", want["frames"]["late"], frames["late"])
            self.near("late frames' ms", want["frames"]["late_ms"], frames["late_us"])

    def check(self):
        """The wrong figures; with what comes with the binder of text logs only the kinds."""
        want, got = self.want, self.got
        later = {f["kind"] for f in want["findings"] if "with" in f and f["kind"] == "binder"}
        wanted = [f for f in want["findings"] if f["kind"] not in later]
        found = [f for f in got["findings"] if f["kind"] not in later]
        self.same("kinds", [f["kind"] for f in wanted], [f["kind"] for f in found])
        self.same("limits", want["limits"], {m["limit"]: m["text"] for m in got["limits"]})
        for name in ("tid", "thread", "is_main"):
            if name in want.get("main", {}):
                self.same(name, want["main"][name], (got["main"] or {}).get(name))
        if later:
            return self.wrong
        self.totals()
        by_kind = {f["kind"]: f for f in found}
        for finding in wanted:
            if finding["kind"] in by_kind:
                self.finding(finding, by_kind[finding["kind"]])
        return self.wrong


def main():
    expected = os.path.join(SHARED, "spec", "findings-expected.json")
    if not os.path.exists(expected):
        skip_all("no expected findings beside the source tree")
    tap = Tap()
    there = paths(os.path.join(SHARED, "samples"), FOUND)
    with open(expected, encoding="utf-8") as text:
        document = json.load(text)
    for want in document["files"] + document["cases"]:
        name = " ".join([want["file"]] + want.get("options", []))
        if want["file"] not in there:
            continue
        status, out, errors = run(SLOWTOP, "triage", "--format=json", "--limit=0",
                                  *want.get("options", []), there[want["file"]])
        if status:
            tap.ok("note" in want or want.get("length_ms") == 0, name + ": refused", errors)
        elif "length_ms" in want:
            tap.same(Sample(want, json.loads(out)).check(), name)
    if tap.run == 0:
        skip_all("no sample beside the source tree")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
