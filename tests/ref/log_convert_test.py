# SPDX-License-Identifier: Apache-2.0
"""What a text log has beside slices and counters, as Chrome's and Perfetto's formats have it,
decoded: moments (I and N), frequencies and idle states of cores.  And its rows in formats
that tell threads by their ids alone."""

import json
import sys

import opened
import tap

LOG = """\
# tracer: nop
  app-7 (    7) [000] .... 5.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=app next_pid=7 next_prio=120
  app-7 (    7) [000] .... 5.000100: tracing_mark_write: I|7|tick | "quoted"
  app-7 (    7) [000] .... 5.000200: tracing_mark_write: B|7|work
  app-7 (    7) [000] .... 5.000300: tracing_mark_write: N|7|frames|late
  app-7 (    7) [000] .... 5.000400: tracing_mark_write: N|9|frames|other's
  app-7 (    7) [000] .... 5.000500: tracing_mark_write: N|7|frames|%s
  lone-8 (    8) [001] .... 5.000600: tracing_mark_write: I|8|alone
  app-7 (    7) [000] .... 5.000700: tracing_mark_write: N|7|broken
  app-7 (    7) [000] .... 5.000800: cpu_frequency: state=1804800 cpu_id=1
  app-7 (    7) [000] .... 5.000900: cpu_idle: state=0 cpu_id=1
  app-7 (    7) [000] .... 5.001000: cpu_idle: state=4294967295 cpu_id=1
  app-7 (    7) [000] .... 5.001100: cpu_idle: state=3 cpu_id=0
  app-7 (    7) [000] .... 5.001200: tracing_mark_write: E|7
""" % ("long " * 60).strip()

# Name, track, process and thread where it is of one, ns.
MOMENTS = [
    ('tick | "quoted"', None, 7, 7, 100000),
    ("late", "frames", 7, None, 300000),
    ("other's", "frames", 9, None, 400000),
    (("long " * 60).strip(), "frames", 7, None, 500000),
    ("alone", None, 8, 8, 600000),
]
# Kind, core, value as the kernel tells it, ns; -1: not idle.
STEPS = [("frequency", 1, 1804800, 800000), ("idle", 1, 0, 900000), ("idle", 1, -1, 1000000),
         ("idle", 0, 3, 1100000)]

# app is blocked and woken by pool from core 1, then preempted.
SCHED = """\
# tracer: nop
  app-7 (    7) [000] .... 5.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=app next_pid=7 next_prio=120
  pool-9 (    7) [001] .... 5.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=pool next_pid=9 next_prio=120
  app-7 (    7) [000] .... 5.000100: sched_switch: prev_comm=app prev_pid=7 prev_prio=120 prev_state=D ==> next_comm=swapper/0 next_pid=0 next_prio=120
  pool-9 (    7) [001] .... 5.000200: sched_blocked_reason: pid=7 iowait=1 caller=wait_on_page+0x10/0x20
  pool-9 (    7) [001] .... 5.000200: sched_waking: comm=app pid=7 prio=120 target_cpu=000
  pool-9 (    7) [001] d... 5.000200: sched_wakeup: comm=app pid=7 prio=120 target_cpu=000
  <idle>-0 (-----) [000] .... 5.000300: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=app next_pid=7 next_prio=120
  app-7 (    7) [000] .... 5.000400: sched_switch: prev_comm=app prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=other next_pid=8 next_prio=120
  other-8 (    8) [000] .... 5.000500: sched_switch: prev_comm=other prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=app next_pid=7 next_prio=120
  pool-9 (    7) [001] .... 5.000600: sched_switch: prev_comm=pool prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
"""
# Core, ns, thread, event, its thread, details.
WAKES = [
    (1, 200000, 9, "blocked", 7, ("wait_on_page+0x10/0x20", 1)),
    (1, 200000, 9, "waking", 7, "app"),
    (1, 200000, 9, "wakeup", 7, "app"),
]
# By thread, the states in which it leaves its core (Linux 4.4): blocked, preempted, and asleep.
LEFT = {7: [2, 0x800], 8: [1], 9: [1]}

# Asynchronous slices across those of the thread that has their process's id.
ROWS = """\
# tracer: nop
  app-7 (    7) [000] .... 5.000000: tracing_mark_write: S|7|load|1
  app-7 (    7) [000] .... 5.000100: tracing_mark_write: B|7|work
  app-7 (    7) [000] .... 5.000200: tracing_mark_write: F|7|load|1
  app-7 (    7) [000] .... 5.000300: tracing_mark_write: E|7
  pool-9 (    7) [001] .... 5.000350: tracing_mark_write: B|7|work
  pool-9 (    7) [001] .... 5.000400: tracing_mark_write: E|7
  app-7 (    7) [000] .... 5.000450: tracing_mark_write: S|7|save|2
  app-7 (    7) [000] .... 5.000500: tracing_mark_write: F|7|save|2
"""
PAUSE = """\
# tracer: nop
  app-7 (    7) [000] .... 5.000000: tracing_mark_write: B|7|work
  app-7 (    7) [000] .... 4400.000000: tracing_mark_write: E|7
"""


def convert(form, path, *words):
    status, out, errors = tap.run(tap.SLOWTOP, "convert", "--to=" + form, *words, path)
    if status or errors:
        raise RuntimeError("%s: %r" % (form, errors))
    return out


def chrome(path, *words):
    moments, steps = [], []
    for e in json.loads(convert("chrome", path, *words))["traceEvents"]:
        if e["ph"] == "i":
            assert e["s"] == ("t" if "tid" in e else "p")
            moments.append((e["name"], e.get("args", {}).get("track"), e["pid"], e.get("tid"),
                            opened.ns(e["ts"])))
        elif e["ph"] == "C":
            core, kind = e["name"].split()
            value = e["args"]["kHz"] if kind == "frequency" else e["args"]["level"] - 1
            assert e["pid"] == 0 and core.startswith("cpu")
            steps.append((kind, int(core[3:]), value, opened.ns(e["ts"])))
    return moments, steps


def perfetto(path, *words):
    """Tracks must be told before they are used."""
    tracks, moments, steps = {}, [], []
    for _, raw in opened.fields(convert("perfetto", path, *words)):
        packet = dict(opened.fields(raw))
        if 60 in packet:
            track = dict(opened.fields(packet[60]))
            tracks[track[1]] = track
        elif 11 in packet:
            event = dict(opened.fields(packet[11]))
            track = tracks[event[11]]
            if event[9] != 3:
                continue
            process = tracks[track[5]] if 5 in track else track
            pid = dict(opened.fields(process[3]))[1]
            tid = dict(opened.fields(track[4]))[2] if 4 in track else None
            moments.append((event[23].decode(), track[2].decode() if 2 in track and tid is None
                            else None, pid, tid, packet.get(8, 0)))
        elif 1 in packet:
            bundle = dict(opened.fields(packet[1]))
            event = dict(opened.fields(bundle[2]))
            for field, kind in ((11, "frequency"), (13, "idle")):
                if field in event:
                    step = dict(opened.fields(event[field]))
                    state = step.get(1, 0)
                    assert step.get(2, 0) == bundle.get(1, 0)
                    steps.append((kind, step.get(2, 0), -1 if state == 2 ** 32 - 1 else state,
                                  event[1]))
    return moments, steps


def wakes(path):
    """The waker of each thread, and why it was blocked; the states in which threads left."""
    found, left, symbols = [], {}, {}
    for _, raw in opened.fields(convert("perfetto", path)):
        packet = dict(opened.fields(raw))
        for number, entry in opened.fields(packet.get(12, b"")):
            if number == 26:
                entry = dict(opened.fields(entry))
                symbols[entry[1]] = entry[2].decode()
        if 1 not in packet:
            continue
        bundle = dict(opened.fields(packet[1]))
        event = dict(opened.fields(bundle[2]))
        by = bundle.get(1, 0), event.get(1, 0), event.get(2, 0)
        for field, word in ((20, "waking"), (17, "wakeup"), (18, "blocked")):
            if field in event:
                e = dict(opened.fields(event[field]))
                found.append(by + ((word, e[1], (symbols[e[2]], e[3])) if field == 18 else
                                   (word, e[2], e[1].decode())))
        if 4 in event:
            e = dict(opened.fields(event[4]))
            if e.get(2, 0) and e.get(4, 0):
                left.setdefault(e[2], []).append(e[4])
    return found, left


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def methods(path):
    status, out, errors = tap.run(tap.SLOWTOP, "report", "--format=json", path)
    if status or errors:
        raise RuntimeError("%s: %r" % (path, errors))
    report = json.loads(out)
    return report["damage"] + report["edges"], sorted(
        (m["name"], m["calls"], m["recursive_calls"], m["incl_wall_us"], m["excl_wall_us"])
        for m in report["methods"] if m["id"] != "toplevel")


def rows(t, folder):
    path = folder / "rows.ftrace"
    write(path, ROWS.encode())
    back = folder / "rows.trace"
    for form in ("trace", "trace-v1", "trace-v2"):
        write(back, convert(form, path))
        t.ok(methods(back) == methods(path), form + ": each row has an id of its own",
             methods(back), methods(path))
    threads = json.loads(convert("firefox", path))["threads"]
    got = sorted((th["name"], th["pid"], th["isMainThread"]) for th in threads)
    t.ok(got == [("app", "7", True), ("async: load", "7", False), ("async: save", "7", False),
                 ("pool", "7", False)], "firefox: threads and their process", got)
    ids = {th["tid"] for th in threads}
    t.ok(len(ids) == 4 and {7, 9} <= ids, "firefox: no two threads have one id", ids)
    write(path, PAUSE.encode())
    status, out, errors = tap.run(tap.SLOWTOP, "convert", "--to=trace", path)
    t.ok(status == 2 and b"71 minutes" in errors, "a pause that no classic trace can tell",
         status, errors)
    hint = errors.decode().partition("(--from=")[2].partition(" ")[0]
    status, out, errors = tap.run(tap.SLOWTOP, "convert", "--to=trace", "--from=" + hint, path)
    t.ok(hint and status == 0 and out, "what comes after it can be", status, errors)


def aside(t, folder):
    """Asynchronous slices of Chrome's are in no total, nor are they in what was made of them."""
    path, back = folder / "aside.json", folder / "aside"
    event = '{"ph":"%s","name":"%s","cat":"c","id":1,"pid":7,"tid":8,"ts":%d,"dur":3}'
    write(path, ("[%s]" % ",".join(event % e for e in (
        ("X", "work", 0), ("b", "wait", 1), ("e", "wait", 9)))).encode())
    for form in ("chrome", "perfetto"):
        write(back, convert(form, path))
        t.ok(methods(back) == methods(path) == ([], [("work", 1, 0, 3, 3)]),
             form + ": asynchronous slices stay in no total", methods(back), methods(path))


def namesakes(t, folder):
    """Threads of two processes with one id have CPU times of their own."""
    path, back = folder / "namesakes.json", folder / "namesakes"
    event = '{"ph":"X","name":"%s","pid":%d,"tid":3,"ts":%d,"dur":9,"tts":%d,"tdur":%d}'
    write(path, ("[%s]" % ",".join(event % e for e in (
        ("a", 7, 0, 500, 5), ("b", 8, 4, 20, 2), ("a", 7, 10, 600, 6)))).encode())
    for form in ("chrome", "perfetto"):
        write(back, convert(form, path))
        _, out, _ = tap.run(tap.SLOWTOP, "report", "--format=json", back)
        got = sorted((m["name"], m["excl_cpu_us"]) for m in json.loads(out)["methods"]
                     if m["id"] != "toplevel")
        t.ok(got == [("a", 11), ("b", 2)], form + ": CPU times of threads with one id", got)


def main():
    t = tap.Tap()
    with tap.Workdir() as folder:
        path = folder / "moments.ftrace"
        write(path, LOG.encode())
        for name, read in (("chrome", chrome), ("perfetto", perfetto)):
            moments, steps = read(path)
            t.ok(moments == MOMENTS, name + ": moments", moments)
            t.ok(steps == STEPS, name + ": what cores were set to", steps)
            moments, steps = read(path, "--from=350us", "--until=950us")
            t.ok([m[0] for m in moments] == [m[0] for m in MOMENTS[2:]] and
                 steps == STEPS[:2], name + ": a window", moments, steps)
            moments, _ = read(path, "--process=7")
            t.ok([m[2] for m in moments] == [7, 7, 7], name + ": a process", moments)
        rows(t, folder)
        aside(t, folder)
        namesakes(t, folder)
        write(path, SCHED.encode())
        found, left = wakes(path)
        t.ok(found == WAKES, "perfetto: wakeups, and why a thread was blocked", found)
        t.ok(left == LEFT, "perfetto: states, R+ too", left)
    return t.done()


if __name__ == "__main__":
    sys.exit(main())
