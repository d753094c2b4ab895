# SPDX-License-Identifier: Apache-2.0
"""Mends a classic trace, so that dmtracedump can count what slowtop makes of it.

What slowtop does about damage (doc/accounting.md) is written into the records: calls
entered before the trace get an entry at their thread's first record, lost exits are
inserted, exits of what is not open and unused actions are left out, clocks that step
back are held.  What does not fit in 32 bits of time cannot be mended.
"""

import struct


class Unfit(Exception):
    """No records that dmtracedump counts rightly say the same."""


class Classic:
    """The parts of a file; records are [thread, method, action, first time, rest]."""

    def __init__(self, data):
        end = data.index(b"\n*end\nSLOW") + 6
        self.key = data[:end]
        version, offset = struct.unpack_from("<HH", data, end + 4)
        self.wide = version > 1
        size = {1: 9, 2: 10}.get(version) or struct.unpack_from("<H", data, end + 16)[0]
        self.header = data[end:end + offset]
        self.records = []
        at = end + offset
        while at + size <= len(data):
            thread, word, time = struct.unpack_from("<HII" if self.wide else "<BII", data, at)
            rest = data[at + (10 if self.wide else 9):at + size]
            self.records.append([thread, word & ~3, word & 3, time, rest])
            at += size
        self.trailing = data[at:]

    def bytes(self):
        layout = "<HII" if self.wide else "<BII"
        return self.key + self.header + b"".join(
            struct.pack(layout, r[0], r[1] | r[2], r[3]) + r[4] for r in self.records
        ) + self.trailing


def unwrapped(records):
    """The same with times that never fall; Unfit if a clock started again."""
    last, shift = {}, {}
    for r in records:
        now = r[3] + shift.get(r[0], 0)
        step = last.get(r[0], now) - now
        if step > 1 << 31:
            raise Unfit("a clock wraps")
        if step > 0:
            shift[r[0]] = shift.get(r[0], 0) + step
            now += step
        if now >= 1 << 32:
            raise Unfit("more than 32 bits of time")
        last[r[0]] = r[3] = now
        yield r


def put_exits(stack, wanted, record, out):
    """Exits of what is above `wanted` on the stack; False when it is not there."""
    for above in range(len(stack)):
        if stack[-1 - above] == wanted:
            for _ in range(above):
                out.append([record[0], stack.pop(), 1, record[3], record[4]])
            return True
    return False


def mended(records):
    before = {}  # thread: methods open before the trace, innermost first
    first, last, stacks, out = {}, {}, {}, []
    for r in unwrapped(records):
        stack = stacks.setdefault(r[0], [])
        first.setdefault(r[0], (r[3], r[4]))
        last[r[0]] = r[3]
        if r[2] == 0:
            stack.append(r[1])
        elif r[2] == 3:
            continue
        elif not stack:
            before.setdefault(r[0], []).append(r[1])
        elif put_exits(stack, r[1], r, out):
            stack.pop()
        else:
            continue
        out.append(r)
    kept = {}
    for r in out:
        kept.setdefault(r[0], [r[3], 0])[1] = r[3]
    for thread, (time, _) in first.items():
        if thread not in kept:
            if last[thread] != time:
                raise Unfit("a thread with damage only")
        elif kept[thread][1] != last[thread] or \
                kept[thread][0] != time and thread not in before:
            raise Unfit("a thread begins or ends with damage")
    opening = [[t, m, 0, first[t][0], first[t][1]] for t, methods in before.items()
               for m in reversed(methods)]
    return opening + out


def mend(data):
    """(bytes of the mended trace, whether it is another one)"""
    trace = Classic(data)
    whole = [list(r) for r in trace.records]
    trace.records = mended(trace.records)
    threads = sorted({r[0] for r in trace.records})
    if threads and threads[-1] > 32767:  # more than dmtracedump has room for
        for r in trace.records:
            r[0] = threads.index(r[0])
    changed = whole != trace.records
    return (trace.bytes() if changed else data), changed
