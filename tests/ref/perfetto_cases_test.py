# SPDX-License-Identifier: Apache-2.0
"""Cases of Perfetto traces (perfetto_cases.py): what slowtop makes of each, to the nanosecond.

With TRACE_PROCESSOR, a command that runs SQL over a trace and prints JSON, the same is asked of
Perfetto's own engine: `TRACE_PROCESSOR="node tp.mjs --json" tests/ref/perfetto_cases_test.py`.
"""

import collections
import functools
import json
import os
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import kinds
import packets
import perfetto_cases
import tap
from opened import fields, ns

ENGINE = shlex.split(os.environ.get("TRACE_PROCESSOR", ""))
STATES = {"Running": "Running", "Runnable": "R", "Runnable (preempted)": "R+", "Sleeping": "S",
          "Uninterruptible sleep": "D", "Uninterruptible sleep, I/O": "D",
          "Idle kernel thread": "I", "Zombie": "Z", "Exited": "X", "Dead": "x", "Stopped": "T",
          "Traced": "t", "Parked": "P", "Uninterruptible, killable": "DK", "No load": "N",
          "Wake-kill": "K", "Waking": "W"}
JANKS = {0: "None", 6: "App Deadline Missed", 7: "Buffer Stuffing"} # those of the cases


def said(*words):
    status, out, errors = tap.run(tap.SLOWTOP, *words)
    if status not in (0, 1):
        raise RuntimeError("status %d: %s" % (status, errors.decode("utf-8", "replace")))
    return out.decode("utf-8", "replace")


def lane(pid, name):
    """A row of asynchronous slices: all of its name, of a process."""
    name = name.removeprefix("async: ")
    if name.endswith(")") and name[:-1].rpartition(" (")[2].isdigit():
        name = name.rpartition(" (")[0]
    return "%s:%s" % (pid, name) if pid else name


def nested(rows):
    """Slices with their depths: (name, ts, dur, depth), in order of time."""
    return sorted(rows, key=lambda row: (row[1], row[3], row[0], row[2]))


class Slowtop:
    """What slowtop says of a trace."""

    def __init__(self, path):
        self.path = path
        self.info = json.loads(said("info", "--format=json", path))
        self.start = self.info["trace"].get("start_us", 0) * 1000
        self.slices, self.instants, self.counters = {}, [], {}
        self.args, self.categories = {}, {}
        open_slices = {}
        for ev in json.loads(said("convert", "--to=chrome", path))["traceEvents"]:
            ts = self.start + ns(ev.get("ts", 0))
            if ev["ph"] == "C":
                key = "%s:%s" % (ev["pid"], ev["name"])
                self.counters.setdefault(key, []).append((ts, *ev["args"].values()))
            elif ev["ph"] == "i":
                where = ev.get("tid") or lane(ev["pid"], ev.get("args", {}).get("track", ""))
                self.instants.append((where, ts, ev["name"]))
            elif ev["ph"] == "B":
                open_slices.setdefault((ev["pid"], ev["tid"]), []).append(ev["name"])
                self.categories[ev["name"]] = ev.get("args", {}).get("category")
            elif ev["ph"] == "E" and open_slices[ev["pid"], ev["tid"]].pop() != ev["name"]:
                raise RuntimeError("slices of two stacks have one thread: " + ev["name"])
        self.read(path + ".again")
        self.slices = {where: nested(rows) for where, rows in self.slices.items()}

    def read(self, again):
        """The slices, as it writes them; each row of them has a track."""
        said("convert", "--to=perfetto", "--force", "-o", again, self.path)
        pids, lanes, names, stacks, frames = {}, {}, {}, {}, {}
        with open(again, "rb") as f:
            packets_in = [dict(fields(packet)) for _, packet in fields(f.read())]
        for packet in packets_in:
            for _, entry in fields(packet.get(12, b"")):
                entry = dict(fields(entry))
                names[entry[1]] = entry[2].decode()
            if 60 in packet:
                told = dict(fields(packet[60]))
                if 3 in told:
                    pids[told[1]] = dict(fields(told[3]))[1]
                lanes[told[1]] = (dict(fields(told[4]))[2] if 4 in told else
                                  lane(pids.get(told.get(5)), told.get(2, b"").decode()))
            if 76 in packet:
                self.frame(packet, frames)
            if 11 not in packet:
                continue
            annotations = [dict(fields(v)) for n, v in fields(packet[11]) if n == 4]
            event = dict(fields(packet[11]))
            stack = stacks.setdefault(event[11], [])
            if event[9] == packets.BEGIN:
                name = names[event[10]]
                stack.append((name, self.start + packet[8]))
                self.args.setdefault(name, {}).update(
                    (a[10].decode(), a[6].decode()) for a in annotations)
            elif event[9] == packets.END:
                name, begun = stack.pop()
                self.slices.setdefault(lanes[event[11]], []).append(
                    (name, begun, self.start + packet[8] - begun, len(stack)))

    def frame(self, packet, frames):
        """A frame of the display begins or ends; its cookie tells which."""
        (kind, told), = fields(packet[76])
        told, at = dict(fields(told)), self.start + packet[8]
        if kind == 5:
            where, name, begun = frames.pop(told[1])
            self.slices.setdefault(where, []).append((name, begun, at - begun, 0))
            return
        janks = told.get(9 if kind > 2 else 7, 0)
        why = ", ".join(name for bit, name in JANKS.items() if janks >> bit & 1)
        name = "expected frame" if kind % 2 == 1 else "frame: " + why if why else "frame"
        frames[told[1]] = (lane(told[4 if kind > 2 else 3], "Expected Timeline" if kind % 2 == 1
                                else "Actual Timeline"), name, at)

    @functools.cached_property
    def intervals(self):
        return json.loads(said("report", "--format=json", "--view=log-intervals",
                               self.path))["log_intervals"]

    @property
    def woken(self):
        """When threads were woken, and by what."""
        return {row["tid"]: (self.start + ns(row["start_us"]), row["why"])
                for row in self.intervals if row["state"] == "Runnable" and row["why"]}

    @property
    def states(self):
        out = {}
        for row in self.intervals:
            if row["duration_us"] > 0:
                out.setdefault(row["tid"], []).append(
                    (STATES.get(row["state"], row["state"]), self.start + ns(row["start_us"]),
                     ns(row["duration_us"])))
        return {tid: sorted(rows, key=lambda row: row[1]) for tid, rows in out.items()}

    @property
    def threads(self):
        return {t["tid"]: t["thread"] for t in self.info["threads"] if t["kind"] != "async"}

    @property
    def processes(self):
        return {t["pid"]: t["process"] or None for t in self.info["threads"] if "pid" in t}

    @property
    def of(self):
        """Which process a thread is of."""
        return {t["tid"]: t.get("pid") for t in self.info["threads"] if t["kind"] != "async"}

    @property
    def lives(self):
        """How many threads had an id."""
        return collections.Counter(t["tid"] for t in self.info["threads"] if t["kind"] != "async")

    @property
    def damage(self):
        return {d["kind"]: d["count"] for d in self.info["damage"] + self.info["edges"]}

    @property
    def properties(self):
        return self.info["trace"]["properties"]

    @property
    def ran(self):
        """CPU time of the threads that have some."""
        return {t["tid"]: ns(t["running_us"]) for t in self.info["threads"] if t.get("running_us")}

    @property
    def busy(self):
        """Time in slices of the threads that have some."""
        return {t["tid"]: ns(t["in_calls_us"]) for t in json.loads(
            said("report", "--format=json", "--view=threads", self.path))["threads"]
                if t["in_calls_us"]}

    @property
    def chains(self):
        """How many slices and moments they have."""
        return {row["chain"]: row["slices"] for row in json.loads(
            said("report", "--format=json", "--view=log-chains", self.path))["log_chains"]}

    @property
    def messages(self):
        """Priority, thread, tag and text of Android's log."""
        return [(row["priority"], row["tid"], row["tag"], row["message"]) for row in json.loads(
            said("report", "--format=json", "--view=log-messages", self.path))["log_messages"]]

    @property
    def cpu(self):
        """CPU time of slices, by name."""
        return {m["name"]: ns(m["incl_cpu_us"]) for m in json.loads(
            said("report", "--format=json", self.path))["methods"] if m["id"] != "toplevel"}

    @property
    def unread(self):
        return {row["name"]: row["count"] for row in self.summary if row["what"] == "not read"}

    @property
    def summary(self):
        return json.loads(said("report", "--format=json", "--view=log-summary",
                               self.path))["log_summary"]

    @property
    def log(self):
        """What is told of the log as a whole."""
        return {row["name"]: row["count"] for row in self.info["log"]["summary"]}

    @property
    def waits(self):
        """Why threads slept in the kernel, and whether for input or output."""
        return [(b["tid"], b["caller"] or "", b["io"], b["count"])
                for b in self.info["log"]["blocked"]]


QUERIES = {
    "slices": """select s.ts, s.dur, s.name, s.depth, s.category, t.name as track, th.tid, p.pid
        from slice s join track t on s.track_id = t.id
        left join thread_track tt on tt.id = t.id left join thread th using(utid)
        left join process_track pt on pt.id = t.id left join process p on p.upid = pt.upid""",
    "counters": """select c.ts, c.value, t.name, ct.cpu, p.pid
        from counter c join track t on c.track_id = t.id
        left join cpu_counter_track ct on ct.id = t.id
        left join process_counter_track pt on pt.id = t.id
        left join process p on p.upid = pt.upid
        where t.type != 'thread_time' order by c.ts""",
    "states": """select s.ts, s.dur, s.state, t.tid, w.tid as waker, w.name, s.irq_context
        from thread_state s join thread t using(utid) left join thread w on w.utid = s.waker_utid
        where t.tid != 0 order by s.ts""",
    "threads": """select t.tid, t.name, p.pid from thread t left join process p using(upid)
        order by t.utid""",
    "processes": "select pid, name from process order by upid",
    "bounds": "select end_ts from trace_bounds",
}


class Engine:
    """What Perfetto's own engine says of it, where the same can be asked."""

    def __init__(self, path):
        words = [word for query in QUERIES.values() for word in ("-q", query)]
        out = subprocess.run([*ENGINE, path, *words], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, check=True).stdout.decode()
        rows = {}
        for what in QUERIES:
            out = out.lstrip()
            rows[what], end = json.JSONDecoder().raw_decode(out)
            out = out[end:]
        self.slices, self.instants, self.counters, self.states = {}, [], {}, {}
        self.categories = {s["name"]: s["category"] for s in rows["slices"]}
        over = rows["bounds"][0]["end_ts"]
        for s in rows["slices"]:
            where = s["tid"] if s["tid"] is not None else lane(s["pid"], s["track"] or "")
            name = (s["name"] or "").replace("[empty slice name]", "") or "(unnamed)"
            if s["dur"] == 0:
                self.instants.append((where, s["ts"], name))
                continue
            dur = s["dur"] if s["dur"] > 0 else over - s["ts"]
            self.slices.setdefault(where, []).append((name, s["ts"], dur, s["depth"]))
        self.slices = {where: nested(rows) for where, rows in self.slices.items()}
        for c in rows["counters"]:
            name, value = c["name"], c["value"]
            if c["cpu"] is not None and name in ("cpufreq", "cpuidle"):
                name = "cpu%d %s" % (c["cpu"], {"f": "frequency", "i": "idle"}[name[3]])
                if name.endswith("idle"):
                    value = 0 if value == 0xffffffff else value + 1
            self.counters.setdefault("%s:%s" % (c["pid"] or 0, name), []).append((c["ts"], value))
        self.woken = {}
        for s in rows["states"]:
            if s["waker"] is not None:
                self.woken[s["tid"]] = (s["ts"], "(interrupt)" if s["irq_context"]
                                        else "%d %s" % (s["waker"], s["name"]))
            if s["dur"] < 0:
                s["dur"] = over - s["ts"]
            if s["dur"] > 0:
                self.states.setdefault(s["tid"], []).append((s["state"], s["ts"], s["dur"]))
        self.threads = {t["tid"]: t["name"] for t in rows["threads"]}
        self.lives = collections.Counter(t["tid"] for t in rows["threads"])
        self.of = {t["tid"]: t["pid"] for t in rows["threads"]}
        self.processes = {p["pid"]: p["name"] for p in rows["processes"]}


# What both are asked for; the rest is slowtop's alone.
SHARED = ("slices", "categories", "instants", "counters", "states", "woken", "threads",
          "lives", "processes", "of")
SOME = ("threads", "lives", "processes", "of", "ran", "cpu", "unread", "args", "damage",
        "categories", "properties", "log") # others are more


def wrong(who, wanted):
    for what, want in wanted.items():
        if want is None:
            continue
        got = getattr(who, what)
        if what == "slices":
            want = {where: nested(rows) for where, rows in want.items()}
        if what in ("instants", "waits"):
            got, want = sorted(map(str, got)), sorted(map(str, want))
        if what in SOME:
            got = {key: got.get(key) for key in want}
        if isinstance(want, dict):
            keys = [key for key in {**got, **want} if got.get(key) != want.get(key)]
            got, want = ({key: who.get(key) for key in keys} for who in (got, want))
        if got != want:
            yield ("%s: %s" % (what, got))[:1000]
            yield ("%s, wanted: %s" % (what, want))[:1000]


def told(who):
    """What a written trace has to have, too, with times since the first of it.

    How long the last state of a thread is depends on events that are not written.
    """
    where = {"": "Default Track"}
    rows = {"slices": [(thread, *row) for thread, rows in who.slices.items() for row in rows],
            "counters": [(name, *row) for name, rows in who.counters.items() for row in rows],
            "instants": [(where.get(w, w), name, ts) for w, ts, name in who.instants]}
    try:
        rows["states"] = [(tid, *row[:2], 0 if row is states[-1] else row[2])
                          for tid, states in who.states.items() for row in states]
    except RuntimeError:
        pass # without switches there are none
    at = {"slices": 2, "counters": 1, "instants": 2, "states": 2}
    first = min((row[at[what]] for what in rows for row in rows[what]), default=0)
    return {what: sorted(map(str, (row[:at[what]] + (row[at[what]] - first,) +
                                   row[at[what] + 1:] for row in rows[what]))) for what in rows}


def lost(who):
    """What is not the same when slowtop writes a trace and reads that."""
    wanted, got = told(who), told(Slowtop(who.path + ".again"))
    for what, rows in wanted.items():
        if rows != got.get(what, []):
            yield ("%s: %s, wanted: %s" % (what, got.get(what), rows))[:1500]


def main():
    t = tap.Tap()
    with tap.Workdir() as folder:
        for number, case in enumerate(perfetto_cases.CASES):
            path = folder / ("%d.pftrace" % number)
            with open(path, "wb") as f:
                f.write(case.trace)
            try:
                who = Slowtop(path)
                t.same(wrong(who, case.wanted), case.name)
                if number * kinds.share() % 1 == 0:
                    t.same(lost(who), case.name + ": written, and read again")
            except RuntimeError as failed:
                t.ok(False, case.name, failed)
            if ENGINE and case.engine is not None:
                wanted = {what: want for what, want in case.wanted.items() if what in SHARED}
                t.same(wrong(Engine(path), {**wanted, **case.engine}),
                       "engine: %s%s" % (case.name, " (%s)" % case.why if case.why else ""))
    return t.done()


if __name__ == "__main__":
    sys.exit(main())
