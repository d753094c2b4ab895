# SPDX-License-Identifier: Apache-2.0
"""What Debian's dmtracedump says about a trace, and the same by our reference.

dmtracedump counts in a few cases otherwise than slowtop: an exit on an empty stack is a
call that began at time 0, all unknown methods are one, times are those of the first
clock.  Emulation is the reference with these rules, so that the real program can be
compared with it on every method and list; where the rules do not matter, its figures
are slowtop's own.
"""

import collections
import re

import reference
from tap import DMTRACEDUMP, run

UNKNOWN = -1


class Entry:
    """A method; times in us.  None: not said."""

    def __init__(self, name):
        self.name = name
        self.incl = self.excl = self.calls = self.recursive = self.own = None
        self.lists = {}

    def key(self):
        return (self.name, self.incl, self.excl, self.calls, self.recursive)

    def __repr__(self):
        return "%s incl %s excl %s calls %s+%s" % (self.name, self.incl, self.excl,
                                                   self.calls, self.recursive)


EXCLUSIVE = re.compile(rb" *(\d+) +-?[\d.]+ +-?[\d.]+  \[(\d+)\] (.*)$", re.S)
METHOD = re.compile(rb"\[(\d+)\] +-?[\d.]+% +(\d+)\+(\d+) +(\d+) (.*)$", re.S)
RELATION = re.compile(rb" +(?:-?[\d.]+%)? +\[(\d+)\] +(\d+)/(\d+) +(\d+) (.*)$", re.S)
SELF = re.compile(rb" +-?[\d.]+% +excl +(\d+)$")
CLASS_METHOD = re.compile(rb" *(\d+) +(\d+) +\S+ +\S+ +(\d+)\+(\d+) +\[(\d+)\] (.*)$", re.S)
RULE = b"=" * 70


def run_dmtracedump(path):
    """(total, {index: Entry}), or None when it gives up on the trace."""
    status, out, _ = run(DMTRACEDUMP, path)
    if status or RULE not in out:
        return None
    return parse(out)


def parse(out):
    entries = {}
    parts = out.split(b"\n" + RULE + b"\n")

    def entry(index, name):
        return entries.setdefault(int(index), Entry(name))

    total = int(re.search(rb"Total cycles: (\d+)", parts[1]).group(1))
    for line in parts[1].split(b"\n"):
        m = EXCLUSIVE.match(line)
        if m:
            entry(m.group(2), m.group(3)).excl = int(m.group(1))
    for block in re.split(rb"\n-{52}\n", parts[2])[1:]:
        parse_block(block, entry)
    for line in parts[3].split(b"\n") if len(parts) > 3 else []:
        m = CLASS_METHOD.match(line)
        if m:
            # Names here lack the class: only methods that had no time yet are new.
            e = entry(m.group(5), None)
            e.excl, e.incl = int(m.group(1)), int(m.group(2))
            e.calls, e.recursive = int(m.group(3)), int(m.group(4))
    return total, entries


def parse_block(block, entry):
    kind, plus = "parents", False
    mine, lists = None, {"parents": [], "parents_recursive": [], "children": [],
                         "children_recursive": []}
    for line in block.split(b"\n"):
        if line.strip() == b"+" * 25:
            plus = True
            continue
        m = METHOD.match(line)
        if m:
            mine = entry(m.group(1), m.group(5))
            mine.name = m.group(5)
            mine.calls, mine.recursive = int(m.group(2)), int(m.group(3))
            mine.incl = int(m.group(4))
            kind, plus = "children", False
            continue
        m = SELF.match(line)
        if m:
            mine.own = int(m.group(1))
            continue
        m = RELATION.match(line)
        if m:
            lists[kind + ("_recursive" if plus else "")].append(
                (m.group(5), int(m.group(2)), int(m.group(3)), int(m.group(4))))
    if mine:
        mine.lists = {k: sorted(v) for k, v in lists.items()}


class Emulation(reference.Profile):
    """The reference with dmtracedump's rules; one clock, the first."""

    def step(self, offset, thread_id, method_id, action, raw):
        if method_id not in self.trace.methods:
            method_id = UNKNOWN
        if action == reference.RESERVED:
            action = reference.EXIT
        super().step(offset, thread_id, method_id, action, raw)

    def advance(self, thread, raw, offset):
        before = list(thread.root.own)
        super().advance(thread, raw, offset)
        self.gap = [a - b for a, b in zip(thread.root.own, before)]

    def adopt(self, thread, method_id, offset):
        call = reference.Call(method_id, thread.root, (0, 0), None)
        call.exit = tuple(thread.time)
        call.own = self.gap
        thread.root.own = [a - b for a, b in zip(thread.root.own, self.gap)]
        thread.root.below.append(call)
        self.damage.note("exit-without-entry", offset)


def printed_name(profile, method):
    """As dmtracedump prints it: the file of a 5-column line hangs at the signature."""
    if method is reference.TOPLEVEL:
        return b"(toplevel)"
    if method == UNKNOWN:
        return b"(unknown)"
    m = profile.methods[method]
    return m.class_name + b"." + m.name + b" " + m.printed_signature


class Case:
    """A trace by both rules, counted once."""

    def __init__(self, path):
        trace = reference.open_trace(path)
        self.profile = reference.Profile(trace)
        self.ours = reference.Sums(self.profile, self.profile.order)
        self.emulation = Emulation(trace)
        self.theirs = reference.Sums(self.emulation, self.emulation.order, strict=False)


def emulate(case):
    """(total, [Entry]) as dmtracedump should say."""
    profile, sums = case.emulation, case.theirs
    entries = []
    for method, row in sums.rows.items():
        e = Entry(printed_name(profile, method))
        e.incl, e.excl, e.own = row.incl[0], row.excl[0], row.top_excl[0]
        e.calls, e.recursive = row.calls, row.recursive
        if method is reference.TOPLEVEL:
            e.calls = 0
        for kind in ("parents", "children", "parents_recursive", "children_recursive"):
            e.lists[kind] = sorted(
                (printed_name(profile, other), calls,
                 (row if kind.startswith("parents") else sums.rows[other]).calls +
                 (row if kind.startswith("parents") else sums.rows[other]).recursive, times[0])
                for other, (calls, times) in getattr(row, kind).items())
        entries.append(e)
    return sums.total[0], entries


def differences(real, emulated):
    """Where the real program and the emulation disagree, as lines of text."""
    total, entries = real
    if total != emulated[0]:
        yield "total %d, want %d" % (total, emulated[0])
    # Methods without any time may be absent from the output, or be under their class.
    want = sorted((e for e in emulated[1] if e.incl or e.excl), key=Entry.key)
    got = []
    for e in entries.values():
        e.incl, e.excl = e.incl or 0, e.excl or 0
        if e.name is not None and (e.incl or e.excl):
            got.append(e)
    got.sort(key=Entry.key)
    if len(got) != len(want):
        yield "%d methods with time, want %d" % (len(got), len(want))
    for a, b in zip(got, want):
        if a.key() != b.key():
            yield "got %r, want %r" % (a, b)
        elif a.lists != b.lists or (a.own or 0) != b.own:
            for kind, entries_a in a.lists.items():
                if entries_a != b.lists[kind]:
                    yield "%r: %s %r, want %r" % (a, kind, entries_a, b.lists[kind])
            if (a.own or 0) != b.own:
                yield "%r: self %r, want %r" % (a, a.own, b.own)
    zero_got = sorted((e.calls, e.recursive) for e in entries.values()
                      if not e.incl and not e.excl and e.calls is not None)
    zero_want = sorted((e.calls, e.recursive) for e in emulated[1] if not e.incl and not e.excl)
    for pair in set(zero_got):
        if zero_got.count(pair) > zero_want.count(pair) and pair != (0, 0):
            yield "methods without time: %d with calls %d+%d, want at most %d" % (
                zero_got.count(pair), *pair, zero_want.count(pair))


# ---------------------------------------------------------------------------
# A report beside the real program


def method_of(ident):
    return reference.TOPLEVEL if ident == "toplevel" else int(ident, 16)


def below_adopted(profile):
    """Methods of calls that were entered before the trace, and of calls within them."""
    found = set()
    todo = [(c, False) for t in profile.order for c in t.root.below]
    while todo:
        call, inside = todo.pop()
        inside = inside or call.offset is None
        if inside:
            found.add(call.method)
        todo.extend((c, inside) for c in call.below)
    return found


def figures(row):
    return row.incl[0], row.excl[0], row.calls, row.recursive


def touched_methods(case):
    """(methods with figures that the different rules change, those where that is explained)"""
    profile, ours, theirs = case.profile, case.ours.rows, case.theirs.rows
    none = (0, 0, 0, 0)
    touched = {m for m in set(ours) | set(theirs)
               if (figures(ours[m]) if m in ours else none) !=
               (figures(theirs[m]) if m in theirs else none)}
    explained = below_adopted(profile) | {reference.TOPLEVEL, UNKNOWN}
    explained |= {m for m in profile.methods if not profile.methods[m].known}
    return touched, explained


def plain_differences(real, report, case):
    """Where a report differs from dmtracedump, the documented differences aside."""
    profile = case.profile
    touched, explained = touched_methods(case)
    for method in touched - explained:
        yield "%s: the rules differ, for no documented reason" % printed_name(profile, method)
    touched |= {reference.TOPLEVEL}    # its calls, at least
    touched |= explained & {m for m in profile.methods if not profile.methods[m].known}
    aside = {printed_name(profile, m) for m in touched} | {b"(unknown)"}
    clock = report["trace"]["clocks"][0]
    if report["total"][clock + "_us"] != real[0]:
        yield "total %d, want %d" % (report["total"][clock + "_us"], real[0])
    got, want = [], []
    for m in report["methods"]:
        name = printed_name(profile, method_of(m["id"]))
        row = (name, m["incl_%s_us" % clock], m["excl_%s_us" % clock], m["calls"],
               m["recursive_calls"])
        if name not in aside and (row[1] or row[2]):
            got.append(row)
    for e in real[1].values():
        if e.name is not None and e.name not in aside and (e.incl or e.excl):
            want.append((e.name, e.incl or 0, e.excl or 0, e.calls, e.recursive))
    got, want = collections.Counter(got), collections.Counter(want)
    for row in want - got:
        yield "dmtracedump has %s" % (row,)
    for row in got - want:
        yield "the report has %s" % (row,)
