# SPDX-License-Identifier: Apache-2.0
"""Packets of Perfetto's, written field by field.

A message is {number: value}.  A value is a whole number, a text or bytes, a float (a double), a
message, or a list of such for a field that is there several times; Packed is a list of numbers
in one field, Fixed a number of eight bytes.  Numbers of fields are those of Perfetto's
protos/perfetto/trace.
"""

import struct


class Packed(list):
    """Numbers in one field."""


class Fixed(int):
    """A number of eight bytes."""


def varint(number):
    number &= (1 << 64) - 1
    text = bytearray()
    while number > 127:
        text.append(number & 127 | 128)
        number >>= 7
    return bytes(text + bytes([number]))


def field(number, value):
    if value is None:
        return b""
    if isinstance(value, Packed):
        value = b"".join(map(varint, value))
    if isinstance(value, list):
        return b"".join(field(number, one) for one in value)
    if isinstance(value, Fixed):
        return varint(number << 3 | 1) + struct.pack("<Q", value & (1 << 64) - 1)
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack("<d", value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, dict):
        value = message(value)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def message(fields):
    return b"".join(field(number, value) for number, value in fields.items())


# Packets ------------------------------------------------------------------------

CLEARED, NEEDS = 1, 2
REALTIME, MONOTONIC, BOOTTIME, PRIVATE = 1, 3, 6, 64


def packet(ts=None, data=None, *, seq=1, flags=None, clock=None, interned=None, defaults=None,
           more=None):
    """A packet of a sequence; data are its other fields."""
    return field(1, {8: ts, **(data or {}), 10: seq or None, 12: interned, 13: flags, 58: clock,
                     59: defaults, **(more or {})})


def cleared(seq=1, **options):
    """A packet from which on the sequence is known."""
    return packet(seq=seq, flags=CLEARED, **options)


def snapshot(clocks, primary=None, seq=1):
    """Readings of clocks at one time: {id: value}, or (value, is incremental, unit)."""
    told = []
    for number, value in clocks.items():
        value, incremental, unit = value if isinstance(value, tuple) else (value, None, None)
        told.append({1: number, 2: value, 3: incremental, 4: unit})
    return packet(data={6: {1: told, 2: primary}}, seq=seq)


def names(*texts, first=1):
    """Interned texts, as those of one kind."""
    return [{1: iid, 2: text} for iid, text in enumerate(texts, first)]


# Tracks -------------------------------------------------------------------------


def track(uuid, name=None, *, process=None, thread=None, parent=None, counter=None, seq=1,
          more=None, **options):
    """A track's descriptor: process is (pid, name), thread (pid, tid, name)."""
    if process is not None:
        process = {1: process[0], 6: process[1]}
    if thread is not None:
        thread = {1: thread[0], 2: thread[1], 5: thread[2]}
    return packet(data={60: {1: uuid, 2: name, 3: process, 4: thread, 5: parent, 8: counter,
                             **(more or {})}}, seq=seq, **options)


BEGIN, END, INSTANT, COUNTER, STATE = 1, 2, 3, 4, 5


def event(ts, kind, uuid=None, name=None, *, iid=None, fields=None, **options):
    """An event of a track; its name as text or as an interned one."""
    return packet(ts, {11: {9: kind, 10: iid, 11: uuid, 23: name, **(fields or {})}}, **options)


def begin(ts, uuid=None, name=None, **options):
    return event(ts, BEGIN, uuid, name, **options)


def end(ts, uuid=None, name=None, **options):
    return event(ts, END, uuid, name, **options)


def instant(ts, uuid=None, name=None, **options):
    return event(ts, INSTANT, uuid, name, **options)


def state(ts, uuid, name=None, **options):
    return event(ts, STATE, uuid, name, **options)


def count(ts, uuid, value, **options):
    """A counter's value."""
    return event(ts, COUNTER, uuid, fields={44 if isinstance(value, float) else 30: value},
                 **options)


def legacy(ts, phase, name=None, *, uuid=None, iid=None, seq=1, event_fields=None, **fields):
    """One of Chrome's older events; its fields by name."""
    numbers = {"duration_us": 3, "thread_duration_us": 4, "unscoped": 6, "scope": 7, "local": 10,
               "global_": 11, "bind": 8, "instant_scope": 14, "pid": 18, "tid": 19}
    told = {numbers[word]: value for word, value in fields.items()}
    return packet(ts, {11: {10: iid, 11: uuid, 23: name, 6: {2: ord(phase), **told},
                            **(event_fields or {})}}, seq=seq)


# The kernel ---------------------------------------------------------------------


def bundle(cpu, *events, fields=None, seq=None, **options):
    """What a core recorded."""
    return packet(data={1: {1: cpu, 2: list(events), **(fields or {})}}, seq=seq, **options)


def kernel(ts, tid, number, payload):
    return {1: ts, 2: tid, number: payload}


def printed(ts, tid, text):
    return kernel(ts, tid, 3, {2: text + "\n"})


def switch(ts, prev, state, following, priority=120):
    """prev and following are (tid, comm)."""
    return kernel(ts, prev[0], 4, {1: prev[1], 2: prev[0], 3: priority, 4: state,
                                   5: following[1], 6: following[0], 7: priority})


def waking(ts, tid, woken, cpu=0, number=20):
    return kernel(ts, tid, number, {1: woken[1], 2: woken[0], 3: 120, 5: cpu})


def differences(times):
    return Packed([times[0]] + [b - a for a, b in zip(times, times[1:])])


def compact(switches=(), wakings=(), comms=()):
    """Columns: switches are (ts, state, tid, comm's index), wakings (ts, tid, cpu, comm)."""
    columns = {5: list(comms)}
    if switches:
        ts, states, tids, indexes = zip(*switches)
        columns.update({1: differences(ts), 2: Packed(states), 3: Packed(tids),
                        4: Packed([120] * len(ts)), 6: Packed(indexes)})
    if wakings:
        ts, tids, cpus, indexes = zip(*wakings)
        columns.update({7: differences(ts), 8: Packed(tids), 9: Packed(cpus),
                        10: Packed([120] * len(ts)), 11: Packed(indexes)})
    return {4: columns}


def process_tree(processes=(), threads=(), inner=None):
    """processes are (pid, parent, words ...), threads (tid, pid, name).

    inner are ids within namespaces, from the outermost on, by id.
    """
    inner = inner or {}
    return packet(data={2: {1: [{1: pid, 2: parent, 3: list(words), 6: inner.get(pid)}
                                for pid, parent, *words in processes],
                            2: [{1: tid, 2: name, 3: pid, 4: inner.get(tid)}
                                for tid, pid, name in threads]}})


def machine(release):
    return packet(data={45: {1: {1: "Linux", 2: "#1", 3: release, 4: "x86_64"}}})
