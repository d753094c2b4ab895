#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A slow and plain reader and profiler of classic and of whole streaming traces.

It shares nothing with src/: every call is an object with its entry and exit times,
stacks are lists, and every figure is a sum over calls.  It holds them all in memory.
Its output has the format of `slowtop report --format=json`, so that the two can be
compared member by member.

usage: reference.py [--clock cpu|wall] [--thread ID|NAME]... [--relations] TRACE
"""

import argparse
import json
import re
import struct
import sys

MAGIC = b"SLOW"
ENTER, EXIT, UNROLL, RESERVED = range(4)
WRAP = 1 << 32


class NotATrace(Exception):
    """The file cannot be read at all."""


# ---------------------------------------------------------------------------
# File


class Method:
    def __init__(self, ident, class_name=b"", name=b"", signature=b"", file=b"", known=True):
        self.id = ident
        self.class_name = class_name
        self.name = name
        self.signature = signature
        self.printed_signature = signature
        self.file = file
        self.known = known

    def full_name(self):
        dot = b"." if self.class_name else b""
        return self.class_name + dot + self.name + self.signature


class Thread:
    def __init__(self, ident, name=b"", listed=False):
        self.id = ident
        self.name = name
        self.listed = listed
        self.records = 0
        self.first = None      # (cpu, wall) in us, unwrapped; as are all below
        self.time = None
        self.raw = None
        self.wraps = [0, 0]
        self.root = Call(None, None, (0, 0), None)
        self.top = self.root


NUMBER = re.compile(rb"\s*(?:0[xX]([0-9a-fA-F]+)|(0[0-7]*)|([1-9][0-9]*))")


def number(text):
    """Like strtoul with base 0, as far as it goes; None without a digit."""
    m = NUMBER.match(text)
    if not m:
        return None
    digits, base = next((g, b) for g, b in zip(m.groups(), (16, 8, 10)) if g)
    return int(digits, base)


def method_line(line):
    """A Method, or None for a line that is none."""
    fields = line.split(b"\t")
    if len(fields) < 2:
        return None
    ident = number(fields[0])
    if ident is None:
        return None
    ident &= 0xFFFFFFFC
    rest = fields[1:]
    if len(rest) == 1:
        return Method(ident, name=rest[0])
    if len(rest) == 2:
        return Method(ident, rest[0], rest[1])
    if len(rest) == 3 and not rest[2].startswith(b"("):
        # function, path, line
        return Method(ident, name=rest[0], file=rest[1])
    if len(rest) == 3:
        return Method(ident, rest[0], rest[1], rest[2])
    method = Method(ident, rest[0], rest[1], rest[2], rest[3])
    if len(rest) == 4:
        method.printed_signature += b"\t" + rest[3]
    return method


class TraceFile:
    """What a classic file says, undigested."""

    format = "classic"

    def __init__(self, path):
        with open(path, "rb") as f:
            self.bytes = f.read()
        self.path = path
        self.properties = {}
        self.methods = {}
        self.listed = []       # (id as printed, name), in file order
        self.key_version = None
        self.parse()

    def parse(self):
        header = self.find_data()
        self.parse_key(self.bytes[:header])
        self.parse_header(header)

    def find_data(self):
        """Offset of the SLOW that follows an *end line."""
        if not self.bytes.startswith(b"*version"):
            raise NotATrace("no *version")
        at = 0
        while True:
            end = self.bytes.find(b"\n", at)
            if end < 0:
                raise NotATrace("key without data")
            line = self.bytes[at:end].rstrip(b"\r")
            at = end + 1
            if line == b"*end" and self.bytes[at:at + 4] == MAGIC:
                return at

    def parse_key(self, text):
        section, first = None, False
        for line in text.split(b"\n"):
            if line.endswith(b"\r"):
                line = line[:-1]
            if line in (b"*version", b"*threads", b"*methods"):
                section, first = line, True
                continue
            if section == b"*version":
                if first:
                    self.key_version = number(line)
                else:
                    key, sep, value = line.partition(b"=")
                    if sep:
                        self.properties[key] = value
            elif section == b"*threads":
                ident, sep, name = line.partition(b"\t")
                if sep and ident.isdigit():
                    self.listed.append((int(ident), name))
                elif self.listed:
                    # A line feed within the name before.
                    self.listed[-1] = (self.listed[-1][0], self.listed[-1][1] + b"\n" + line)
            elif section == b"*methods":
                method = method_line(line)
                if method:
                    self.methods[method.id] = method
            first = False

    def parse_header(self, at):
        head = self.bytes[at:at + 18]
        if len(head) < 16:
            raise NotATrace("truncated header")
        _, self.version, offset, self.start = struct.unpack_from("<IHHQ", head)
        if self.version not in (1, 2, 3):
            raise NotATrace("data version %d" % self.version)
        clock = self.properties.get(b"clock", b"")
        if self.version == 3:
            if len(head) < 18:
                raise NotATrace("truncated header")
            self.record_size = struct.unpack_from("<H", head, 16)[0]
        else:
            self.record_size = {1: 9, 2: 10}[self.version]
        if clock == b"dual":
            self.clocks = ("cpu", "wall") if self.version == 3 else ("cpu",)
        elif clock == b"thread-cpu":
            self.clocks = ("cpu",)
        elif clock in (b"wall", b"global"):
            self.clocks = ("wall",)
        else:
            both = self.version == 3 and self.record_size >= 14
            self.clocks = ("cpu", "wall") if both else ("wall",)
        need = (5 if self.version == 1 else 6) + 4 * len(self.clocks)
        if self.record_size < need or self.record_size > 64:
            raise NotATrace("record size %d" % self.record_size)
        if offset < (18 if self.version == 3 else 16) or at + offset > len(self.bytes):
            raise NotATrace("data offset %d" % offset)
        self.data = at + offset

    def records(self):
        """(file offset, thread id, method id, action, [times in us])"""
        wide = 1 if self.version == 1 else 2
        layout = struct.Struct("<" + "xBH"[wide] + "I" * (1 + len(self.clocks)))
        end = len(self.bytes) - (len(self.bytes) - self.data) % self.record_size
        for at in range(self.data, end, self.record_size):
            thread, word, *times = layout.unpack_from(self.bytes, at)
            yield at, thread, word & ~3, word & 3, times

    def trailing(self):
        return (len(self.bytes) - self.data) % self.record_size


class StreamingFile(TraceFile):
    """Records and, after a zero, packets with names; at the end the key.  Whole files
    with two clocks only."""

    format = "streaming"

    def parse(self):
        magic, version, offset, self.start = struct.unpack_from("<4sHHQ", self.bytes)
        if magic != MAGIC or version != 0xF3:
            raise NotATrace("no streaming trace of version 3")
        self.version, self.record_size = 3, 14
        self.clocks = ("cpu", "wall")
        self.places = []
        at = offset
        while at < len(self.bytes):
            if self.bytes[at:at + 2] != b"\0\0":
                self.places.append(at)
                at += 14
            else:
                at = self.packet(self.bytes[at + 2], at + 3)
        if self.properties.get(b"clock") != b"dual":
            raise NotATrace("not both clocks")

    def packet(self, kind, at):
        """Takes what it names; returns where it ends."""
        if kind == 1:
            size = struct.unpack_from("<H", self.bytes, at)[0]
            method = method_line(self.bytes[at + 2:at + 2 + size].rstrip(b"\n"))
            self.methods[method.id] = method
            return at + 2 + size
        if kind == 2:
            ident, size = struct.unpack_from("<HH", self.bytes, at)
            self.listed.append((ident, self.bytes[at + 4:at + 4 + size]))
            return at + 4 + size
        if kind == 3:
            size = struct.unpack_from("<I", self.bytes, at)[0]
            named, self.listed = self.listed, []
            self.parse_key(self.bytes[at + 4:at + 4 + size])
            known = {ident for ident, _ in named}
            self.listed = named + [t for t in self.listed if t[0] not in known]
            return at + 4 + size
        raise NotATrace("packet %d" % kind)

    def records(self):
        for at in self.places:
            thread, word, cpu, wall = struct.unpack_from("<HIII", self.bytes, at)
            yield at, thread, word & ~3, word & 3, [cpu, wall]

    def trailing(self):
        return 0


def open_trace(path):
    with open(path, "rb") as f:
        head = f.read(6)
    return (StreamingFile if head[:4] == MAGIC else TraceFile)(path)


# ---------------------------------------------------------------------------
# Calls


class Call:
    __slots__ = ("method", "caller", "entry", "exit", "own", "below", "offset")

    def __init__(self, method, caller, entry, offset):
        self.method = method
        self.caller = caller
        self.entry = entry
        self.exit = None
        self.own = [0] * len(entry)
        self.below = []
        self.offset = offset


class Damage(dict):
    def note(self, kind, offset, count=1):
        had, first = self.get(kind, (0, offset))
        self[kind] = (had + count, min(first, offset))


class Profile:
    def __init__(self, trace):
        self.trace = trace
        self.damage = Damage()
        self.methods = dict(trace.methods)
        self.seen = {}         # method id -> threads with records of it
        self.threads = {}
        self.order = []
        self.record_count = 0
        self.latest = 0        # wall time in us, of all threads
        self.list_threads()
        self.turns = self.by_turns()
        for record in trace.records():
            self.step(*record)
        self.finish()

    def list_threads(self):
        mask = 0xFF if self.trace.version == 1 else 0xFFFF
        for ident, name in self.trace.listed:
            thread = self.threads.get(ident)
            if thread is None:
                thread = self.threads[ident] = Thread(ident, name, True)
                self.order.append(thread)
            thread.name = name
        # Records hold the low bits of an id that is larger; it goes by these.
        low = {}
        for ident in self.threads:
            low.setdefault(ident & mask, []).append(ident)
        for short, idents in low.items():
            if short not in self.threads and len(idents) == 1:
                self.threads[short] = self.threads[idents[0]]
                self.threads[short].id = short

    def thread(self, ident, offset):
        thread = self.threads.get(ident)
        if thread is None:
            thread = self.threads[ident] = Thread(ident)
            self.order.append(thread)
        if not thread.listed:
            self.damage.note("unknown-thread", offset)
        return thread

    def max_wraps(self):
        elapsed = number(self.trace.properties.get(b"elapsed-time-usec", b"")) or 0
        if not elapsed:
            return None
        # Records may be a little later than the stated end.
        return (elapsed + elapsed // 16 + 1000000) // WRAP

    def by_turns(self):
        """Threads have numbers in turn, and are written so: each begins anew."""
        pid = number(self.trace.properties.get(b"pid", b"")) or 0
        ids = [t.id for t in self.order if t.listed]
        return pid > 0 and ids and pid not in ids and pid & 0xFFFF not in ids and \
            max(ids) <= 2 * len(ids) + 16

    def is_latest(self, thread):
        if "wall" in self.trace.clocks:
            self.latest = max(self.latest, thread.time[-1])

    def late(self, thread, raw):
        """How much a thread that starts after the clock wrapped lags the others, by clock."""
        shift = [0] * len(raw)
        if "wall" in self.trace.clocks and self.latest > raw[-1] and not self.turns:
            limit = self.max_wraps()
            wraps = (self.latest - raw[-1] + WRAP // 2) // WRAP
            thread.wraps[len(raw) - 1] = wraps if limit is None else min(wraps, limit)
            shift[-1] = thread.wraps[len(raw) - 1] * WRAP
        return shift

    def advance(self, thread, raw, offset):
        """Brings the thread's clocks to the record; the time goes to its top call."""
        if thread.raw is None:
            thread.raw = list(raw)
            thread.time = [t + s for t, s in zip(raw, self.late(thread, raw))]
            thread.first = list(thread.time)
            self.is_latest(thread)
            return
        wrapped = backward = False
        for i, value in enumerate(raw):
            delta = value - thread.raw[i]
            if delta < -(1 << 31):
                limit = self.max_wraps()
                if limit is None or thread.wraps[i] < limit:
                    delta += WRAP
                    thread.wraps[i] += 1
                    wrapped = True
            if delta < 0:
                backward = True
                delta = 0
            thread.raw[i] = value
            thread.time[i] += delta
            thread.top.own[i] += delta
        self.is_latest(thread)
        if wrapped:
            self.damage.note("clock-wrap", offset)
        if backward:
            self.damage.note("backward-clock", offset)

    def step(self, offset, thread_id, method_id, action, raw):
        self.record_count += 1
        thread = self.thread(thread_id, offset)
        thread.records += 1
        if method_id not in self.methods:
            self.methods[method_id] = Method(method_id, known=False)
        if not self.methods[method_id].known:
            self.damage.note("unknown-method", offset)
        if action != RESERVED:
            where = self.seen.get(method_id)
            if where is None:
                where = self.seen[method_id] = set()
            where.add(thread)
        self.advance(thread, raw, offset)
        if action == ENTER:
            call = Call(method_id, thread.top, tuple(thread.time), offset)
            thread.top.below.append(call)
            thread.top = call
        elif action == RESERVED:
            self.damage.note("reserved-action", offset)
        elif thread.top is thread.root:
            self.adopt(thread, method_id, offset)
        else:
            self.leave(thread, method_id, offset)

    def adopt(self, thread, method_id, offset):
        """The call was there before the trace: all so far happened within it."""
        self.damage.note("exit-without-entry", offset)
        call, root = Call(method_id, thread.root, tuple(thread.first), None), thread.root
        call.exit = tuple(thread.time)
        call.own, call.below = root.own, root.below
        for inner in call.below:
            inner.caller = call
        root.own, root.below = [0, 0], [call]

    def leave(self, thread, method_id, offset):
        depth, call = 0, thread.top
        while call is not thread.root and call.method != method_id:
            depth, call = depth + 1, call.caller
        if call is thread.root:
            self.damage.note("unmatched-exit", offset)
            return
        if depth:
            self.damage.note("lost-exit", offset, depth)
        while True:
            left = thread.top
            left.exit = tuple(thread.time)
            thread.top = left.caller
            if left is call:
                return

    def finish(self):
        for thread in self.order:
            while thread.top is not thread.root:
                thread.top.exit = tuple(thread.time)
                self.damage.note("unfinished-call", thread.top.offset)
                thread.top = thread.top.caller
        rest = self.trace.trailing()
        if rest:
            self.damage.note("partial-record", len(self.trace.bytes) - rest)
        if self.trace.properties.get(b"data-file-overflow") == b"true":
            self.damage.note("buffer-overflow", len(self.trace.bytes) - rest)
        else:
            self.hidden_wraps()

    def hidden_wraps(self):
        """How often the clock may have started again while nothing was recorded."""
        elapsed = number(self.trace.properties.get(b"elapsed-time-usec", b"")) or 0
        wraps = (elapsed + 1000000 - self.latest) // WRAP
        if "wall" in self.trace.clocks and self.record_count and not self.turns and \
                self.latest <= elapsed and wraps:
            self.damage.note("hidden-wrap", len(self.trace.bytes), wraps)


# ---------------------------------------------------------------------------
# Sums

TOPLEVEL = None    # as the method of the bottom of a stack


class Row:
    def __init__(self):
        self.calls = self.recursive = 0
        self.incl = [0, 0]
        self.excl = [0, 0]
        self.top_excl = [0, 0]
        self.longest = []   # by clock: the length of a call, and minus its begin
        self.parents, self.children = {}, {}
        self.parents_recursive, self.children_recursive = {}, {}


def add(times, more):
    for i, value in enumerate(more):
        times[i] += value


def longest(row, begin, times):
    if not row.longest:
        row.longest = [(length, -at) for length, at in zip(times, begin)]
        return
    for i, length in enumerate(times):
        if length >= row.longest[i][0]:
            row.longest[i] = max(row.longest[i], (length, -begin[i]))


def relate(relations, method, times):
    entry = relations.get(method)
    if entry is None:
        entry = relations[method] = [0, [0, 0]]
    entry[0] += 1
    add(entry[1], times)


class Sums:
    """The method table of some threads."""

    def __init__(self, profile, threads, strict=True):
        self.strict = strict   # what a call lasts is its own time and that of its calls
        self.rows = {TOPLEVEL: Row()}
        self.total = [0, 0]
        for thread in threads:
            if thread.raw is not None:
                self.add_thread(profile, thread)
        for method, where in profile.seen.items():
            if not where.isdisjoint(threads):
                self.row(method)

    def row(self, method):
        row = self.rows.get(method)
        if row is None:
            row = self.rows[method] = Row()
        return row

    def add_thread(self, profile, thread):
        span = [b - a for a, b in zip(thread.first, thread.time)]
        bottom = self.rows[TOPLEVEL]
        bottom.calls += 1
        add(self.total, span)
        add(bottom.incl, span)
        add(bottom.excl, thread.root.own)
        add(bottom.top_excl, thread.root.own)
        longest(bottom, thread.first, span)
        on_stack = {}
        # (call, caller's method, caller is recursive), and on the way out (call,)
        todo = [(c, TOPLEVEL, False) for c in reversed(thread.root.below)]
        while todo:
            item = todo.pop()
            call = item[0]
            if len(item) == 1:
                on_stack[call.method] -= 1
                continue
            caller, caller_recursive = item[1], item[2]
            recursive = on_stack.get(call.method, 0) > 0
            on_stack[call.method] = on_stack.get(call.method, 0) + 1
            self.count(call, caller, caller_recursive, recursive)
            todo.append((call,))
            todo.extend((c, call.method, recursive) for c in reversed(call.below))

    def count(self, call, caller, caller_recursive, recursive):
        times = [b - a for a, b in zip(call.entry, call.exit)]
        if self.strict:
            clocks = range(len(times))
            parts = [call.own[i] for i in clocks]
            for c in call.below:
                for i in clocks:
                    parts[i] += c.exit[i] - c.entry[i]
            assert times == parts, "times do not add up"
        mine, theirs = self.row(call.method), self.row(caller)
        relate(theirs.children_recursive if caller_recursive else theirs.children,
               call.method, times)
        relate(mine.parents_recursive if recursive else mine.parents, caller, times)
        add(mine.excl, call.own)
        longest(mine, call.entry, times)
        if recursive:
            mine.recursive += 1
        else:
            mine.calls += 1
            add(mine.incl, times)
            add(mine.top_excl, call.own)


# ---------------------------------------------------------------------------
# JSON


def text(raw):
    return raw.decode("utf-8", "replace")


class Report:
    def __init__(self, profile):
        self.profile = profile
        self.clocks = profile.trace.clocks
        self.default = self.clocks.index("wall") if "wall" in self.clocks else 0
        self.by = self.default     # the clock that lists are ordered by

    def times(self, prefix, values):
        return {"%s%s_us" % (prefix, clock): values[i] for i, clock in enumerate(self.clocks)}

    def method_id(self, method):
        return "toplevel" if method is TOPLEVEL else "0x%x" % method

    def method_name(self, method):
        if method is TOPLEVEL:
            return "(toplevel)"
        m = self.profile.methods[method]
        return text(m.full_name()) if m.known else "0x%x" % method

    def relations(self, sums, method):
        row = sums.rows[method]
        out = {}
        for kind in ("parents", "children", "parents_recursive", "children_recursive"):
            entries = []
            for other, (calls, times) in getattr(row, kind).items():
                whole = row if kind.startswith("parents") else sums.rows[other]
                entries.append({"id": self.method_id(other), "name": self.method_name(other),
                                "calls": calls, "total": whole.calls + whole.recursive,
                                **self.times("incl_", times)})
            entries.sort(key=lambda e: (-e["incl_%s_us" % self.clocks[self.by]], e["name"]))
            if kind == "children" and entries:
                entries.insert(0, {"id": "self", "name": "self", "calls": 0, "total": 0,
                                   **self.times("incl_", row.top_excl)})
            out[kind] = entries
        return out

    def method(self, sums, method, rank, relations):
        row = sums.rows[method]
        m = Method(0, name=b"(toplevel)") if method is TOPLEVEL else self.profile.methods[method]
        out = {"id": self.method_id(method), "class": text(m.class_name), "name": text(m.name),
               "signature": text(m.signature), "file": text(m.file), "rank": rank,
               "calls": row.calls, "recursive_calls": row.recursive}
        out.update(self.times("incl_", row.incl))
        out.update(self.times("excl_", row.excl))
        length, begin = row.longest[self.default] if row.longest else (None, None)
        out.update({"max_us": length, "max_at_us": -begin if row.longest else None})
        if relations:
            out.update(self.relations(sums, method))
        return out

    def json(self, chosen, relations):
        profile, trace = self.profile, self.profile.trace
        everything = Sums(profile, profile.order)
        sums = Sums(profile, chosen) if chosen is not profile.order else everything
        ranked = sorted((m for m in everything.rows if m is not TOPLEVEL),
                        key=lambda m: (-everything.rows[m].incl[self.default],
                                       profile.methods[m].full_name()))
        rank = {m: i for i, m in enumerate(ranked)}
        rank[TOPLEVEL] = None
        methods = [m for m in [TOPLEVEL] + ranked if m in sums.rows]
        if not sums.rows[TOPLEVEL].calls:
            methods.remove(TOPLEVEL)
        return {
            "trace": {
                "file": trace.path,
                "format": trace.format,
                "version": trace.version,
                "clocks": list(trace.clocks),
                "records": profile.record_count,
                "threads": sum(1 for t in profile.order if t.records),
                "methods": len(profile.seen),
                "properties": {text(k): text(v) for k, v in trace.properties.items()},
            },
            "damage": [{"kind": k, "count": c, "offset": o}
                       for k, (c, o) in sorted(profile.damage.items())],
            "total": self.times("", sums.total),
            "threads": [{"tid": t.id, "thread": text(t.name), "records": t.records,
                         **self.times("", [b - a for a, b in zip(t.first or [0, 0],
                                                                 t.time or [0, 0])])}
                        for t in profile.order],
            "methods": [self.method(sums, m, rank[m], relations) for m in methods],
        }


def choose(profile, names):
    if not names:
        return profile.order
    wanted = set(names)
    return [t for t in profile.order if str(t.id) in wanted or text(t.name) in wanted]


def main():
    arg = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arg.add_argument("--clock", choices=("cpu", "wall"))
    arg.add_argument("--thread", action="append", default=[])
    arg.add_argument("--relations", action="store_true")
    arg.add_argument("trace")
    opt = arg.parse_args()
    try:
        profile = Profile(open_trace(opt.trace))
    except (OSError, NotATrace) as why:
        print("reference.py: %s: %s" % (opt.trace, why), file=sys.stderr)
        return 2
    report = Report(profile)
    if opt.clock:
        if opt.clock not in report.clocks:
            print("reference.py: no such clock", file=sys.stderr)
            return 2
        report.by = report.clocks.index(opt.clock)
    json.dump(report.json(choose(profile, opt.thread), opt.relations), sys.stdout, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
