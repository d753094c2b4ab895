# SPDX-License-Identifier: Apache-2.0
"""The two programs to compare: slowtop and the reference."""

import json

import reference
from tap import SLOWTOP, run

LISTS = ("parents", "children", "parents_recursive", "children_recursive")
CLOCKS = ("cpu", "wall")


class Failed(Exception):
    """The program did not give a report."""


class Counted:
    """A trace that the reference has counted, for several reports."""

    def __init__(self, path):
        self.profile = reference.Profile(reference.open_trace(path))
        self.threads = [t for t in self.profile.order if t.records]
        self.clocks = self.profile.trace.clocks

    def report(self, relations=True, clock=None, threads=()):
        report = reference.Report(self.profile)
        if clock:
            report.by = report.clocks.index(clock)
        return report.json(reference.choose(self.profile, list(map(str, threads))), relations)


def report_reference(path, **options):
    return Counted(path).report(**options)


def report_slowtop(path, relations=True, clock=None, threads=()):
    words = [SLOWTOP, "report", "--format=json"]
    if relations:
        words.append("--relations")
    if clock:
        words.append("--clock=" + clock)
    words += ["--thread=" + str(t) for t in threads]
    status, out, errors = run(*words, path)
    if status or errors:
        raise Failed("status %d: %s" % (status, errors.decode("utf-8", "replace")))
    return json.loads(out)


def dotted(name):
    """Dalvik's classes have slashes in the file and dots on the screen."""
    return name.replace("/", ".")


def full_name(method):
    """class.name of a method of a report, without signature."""
    name = method["name"]
    return dotted(method["class"] + "." + name if method["class"] else name)


def by_id(entries):
    """{id: entry}; a repeated id is an error of its own."""
    out = {}
    for entry in entries:
        ident = entry["tid"] if "tid" in entry else entry["id"]
        if ident in out:
            raise Failed("id %s is there twice" % ident)
        out[ident] = entry
    return out


SUBJECTS = {"reference": report_reference, "slowtop": report_slowtop}
