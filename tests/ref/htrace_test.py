# SPDX-License-Identifier: Apache-2.0
"""Recordings of OpenHarmony's profiler (.htrace): their events of ftrace against the same events
as a text log, and what is refused."""

import os
import struct
import sys

from packets import field, varint
from tap import SLOWTOP, Tap, Workdir, run

HEAD = 1024

# (ns, core, pid, tgid, comm, field of the event, its fields, the line of a log)
EVENTS = [
    (1000001000, 0, 10, 10, "app", 1109, {2: "B|10|outer"}, "tracing_mark_write: B|10|outer"),
    (1000002000, 0, 10, 10, "app", 1109, {2: "B|10|inner\n"}, "tracing_mark_write: B|10|inner"),
    (1000003000, 0, 10, 10, "app", 2417,
     {1: "app", 2: 10, 3: 120, 4: 1, 5: "job", 6: 11, 7: 120},
     "sched_switch: prev_comm=app prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=job "
     "next_pid=11 next_prio=120"),
    (1000002500, 1, 0, 0, "swapper", 2422, {1: "job", 2: 11, 3: 120, 4: 1, 5: 0},
     "sched_waking: comm=job pid=11 prio=120 target_cpu=000"),
    (1000004000, 0, 11, 10, "job", 1109, {2: "C|10|queue|3"}, "tracing_mark_write: C|10|queue|3"),
    (1000005000, 0, 11, 10, "job", 2417,
     {1: "job", 2: 11, 3: 120, 4: 0, 5: "app", 6: 10, 7: 120},
     "sched_switch: prev_comm=job prev_pid=11 prev_prio=120 prev_state=R ==> next_comm=app "
     "next_pid=10 next_prio=120"),
    (1000006000, 0, 10, 10, "app", 1109, {2: "E|10"}, "tracing_mark_write: E|10"),
    (1000006500, 1, 0, 0, "swapper", 2003, {1: 1800000, 2: 1}, "cpu_frequency: state=1800000 cpu_id=1"),
    (1000007000, 0, 10, 10, "app", 1109, {2: "E|10"}, "tracing_mark_write: E|10"),
]


def message(fields):
    out = b""
    for number, value in fields.items():
        if isinstance(value, int):
            out += varint(number << 3) + varint(value)
        else:
            out += field(number, value if isinstance(value, bytes) else value.encode())
    return out


def event(ns, pid, tgid, comm, kind, fields):
    return message({1: ns, 2: tgid, 3: comm, 50: message({4: pid}), kind: message(fields)})


def recording(messages, kind=0):
    body = b"".join(struct.pack("<I", len(m)) + m for m in messages)
    head = struct.pack("<8sQII", b"OHOSPROF", HEAD + len(body), 0x10000, 2 * len(messages))
    return (head + bytes(32) + struct.pack("<I", kind)).ljust(HEAD, b"\0") + body


def plugin(name, data):
    return message({1: name, 3: data})


def result(events):
    cores = b""
    for core in (0, 1):
        found = b"".join(field(2, event(ns, pid, tgid, comm, kind, fields))
                         for ns, cpu, pid, tgid, comm, kind, fields, _ in events if cpu == core)
        cores += field(2, message({1: core}) + found)
    return plugin("ftrace-plugin", cores)


def report(path, *options):
    status, out, errors = run(SLOWTOP, "report", *options, path)
    return status, out, errors


def main():
    tap = Tap()
    with Workdir() as work:
        log, made = work / "log.ftrace", work / "made.htrace"
        with open(log, "w", encoding="utf-8") as f:
            f.write("# tracer: nop\n#\n")
            for ns, cpu, pid, tgid, comm, _, _, line in sorted(EVENTS, key=lambda e: e[0]):
                f.write("%s-%d (%5d) [%03d] .... %d.%09d: %s\n" % (
                    comm, pid, tgid, cpu, ns // 10**9, ns % 10**9, line))
        with open(made, "wb") as f:
            f.write(recording([plugin("ftrace-plugin_config", b"x"), result(EVENTS[:4]),
                               plugin("cpu-plugin", b"\x08\x01"), result(EVENTS[4:])]))
        for view in ("methods", "threads", "log-cores", "log-counters", "log-states"):
            status, out, errors = report(made, "--view=" + view, "--format=csv")
            want = report(log, "--view=" + view, "--format=csv")
            tap.ok((status, out) == want[:2], "%s are those of the same log" % view, out, want[1], errors)
        _, out, _ = run(SLOWTOP, "info", made)
        tap.ok(b"cpu-plugin 1" in out and b"htrace" in out, "other plugins are told", out)
        with open(work / "two.htrace", "wb") as f:
            f.write(recording([result(EVENTS[:4])]) + recording([result(EVENTS[4:])]))
        tap.ok(report(work / "two.htrace", "--format=csv")[1] == report(log, "--format=csv")[1],
               "two recordings in a row")
        whole = recording([result(EVENTS)])
        for size in (HEAD - 9, HEAD + 5, len(whole) - 30):
            with open(work / "cut.htrace", "wb") as f:
                f.write(whole[:size])
            tap.ok(report(work / "cut.htrace")[0] in (0, 2), "cut at %d" % size)
        for name, data, words in (
                ("without", recording([plugin("cpu-plugin", b"a"), plugin("cpu-plugin", b"b")]),
                 b"it has cpu-plugin 2"),
                ("perf", recording([], 1), b"hiperf"), ("empty", recording([b""]), b"without events")):
            with open(work / name, "wb") as f:
                f.write(data)
            status, _, errors = report(work / name)
            tap.ok(status == 2 and words in errors, name + " is refused", errors)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
