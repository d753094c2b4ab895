# SPDX-License-Identifier: Apache-2.0
"""Readers of what "slowtop convert" writes, plain and strict.

Each gives the calls as (thread, name, enter, times) with times in nanoseconds by clock,
in an order in which those of a thread nest; or sums by path.
"""

import gzip
import json


class Bad(Exception):
    """The file is not what its format says."""


def check(held, what):
    if not held:
        raise Bad(what)


def ns(us):
    """Exact: times have at most three decimals of a microsecond."""
    value = round(us * 1000)
    check(abs(value / 1000 - us) < 1e-6 * max(1, abs(us)), "a time below the nanosecond: %r" % us)
    return value


class Sums:
    """Calls and times by method, made from calls that nest or from paths."""

    def __init__(self):
        self.calls, self.exclusive, self.inclusive = {}, {}, {}

    @staticmethod
    def add(table, name, times):
        row = table.setdefault(name, {})
        for clock, time in times.items():
            row[clock] = row.get(clock, 0) + time

    def path(self, names, calls, times):
        """What was spent at the end of a path."""
        if not names:
            return
        self.calls[names[-1]] = self.calls.get(names[-1], 0) + calls
        self.add(self.exclusive, names[-1], times)
        for name in set(names):
            self.add(self.inclusive, name, times)

    def same(self, other, slack=0):
        """Differences, with what is nowhere left out; CPU time may differ by less than slack."""
        for what in ("calls", "exclusive", "inclusive"):
            mine, theirs = getattr(self, what), getattr(other, what)
            for name in sorted(set(mine) | set(theirs)):
                a, b = mine.get(name), theirs.get(name)
                if isinstance(a or b, dict):
                    a = {c: t for c, t in (a or {}).items() if t}
                    b = {c: t for c, t in (b or {}).items() if t}
                if slack and what != "calls" and set(a or {}) | set(b or {}) >= {"cpu"}:
                    pair = [(t or {}).get("cpu", 0) for t in (a, b)]
                    if abs(pair[0] - pair[1]) < slack:
                        a, b = ({c: t for c, t in (row or {}).items() if c != "cpu"}
                                for row in (a, b))
                if (a or None) != (b or None):
                    yield "%s of %s: %s, want %s" % (what, name, a, b)


def sum_calls(events):
    sums, stacks, last = Sums(), {}, {}
    for thread, name, enter, times in events:
        stack = stacks.setdefault(thread, [])
        before = last.get(thread, times)
        for clock in times:
            check(times[clock] >= before[clock], "thread %s goes back in time" % (thread,))
        sums.path(stack, 0, {clock: times[clock] - before[clock] for clock in times})
        last[thread] = times
        if enter:
            stack.append(name)
            sums.path(stack, 1, {clock: 0 for clock in times})
        else:
            check(stack, "an exit of nothing on thread %s" % (thread,))
            check(name is None or stack[-1] == name, "an exit of %r within %r" % (name, stack[-1:]))
            stack.pop()
    for thread, stack in stacks.items():
        check(not stack, "calls of thread %s stay open: %r" % (thread, stack))
    return sums


def chrome(data, clocks):
    names, open_ = {}, {}
    for ev in json.loads(data)["traceEvents"]:
        if ev["ph"] == "M":
            names[ev["name"], ev["tid"]] = ev["args"]["name"]
            continue
        check(ev["ph"] in "BE" and ("thread_name", ev["tid"]) in names, "event %r" % ev)
        calls = open_.setdefault(ev["tid"], [])
        if ev["ph"] == "B":
            calls.append(ev.get("cat"))
        else:  # Perfetto pairs by it
            check(ev.get("cat") in (None, *calls[-1:]), "a category of another: %r" % ev)
            calls[-1:] = []
        times = {"wall" if "wall" in clocks else "cpu": ns(ev["ts"])}
        if "tts" in ev:
            times["cpu"] = ns(ev["tts"])
        yield ev["tid"], ev.get("name"), ev["ph"] == "B", times


def one(clocks):
    return "wall" if "wall" in clocks else "cpu"


def speedscope(data, clocks):
    document = json.loads(data)
    frames = [frame["name"] for frame in document["shared"]["frames"]]
    for thread, profile in enumerate(document["profiles"]):
        check(profile["type"] == "evented" and profile["unit"] == "microseconds", "kind")
        for ev in profile["events"]:
            check(profile["startValue"] <= ev["at"] <= profile["endValue"], "a time outside")
            yield thread, frames[ev["frame"]], ev["type"] == "O", {one(clocks): ns(ev["at"])}


def firefox_calls(before, after):
    """Exits and entries from one stack to the next."""
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    # One entry or exit a sample; a call of a method right after another of it is none.
    yield from ((name, False) for name in reversed(before[same:]))
    yield from ((name, True) for name in after[same:])


def table(thread, name):
    rows = thread[name]
    for column, values in rows.items():
        if isinstance(values, list):
            check(len(values) == rows["length"], "the length of %s.%s" % (name, column))
    return rows


def firefox(data, clocks):
    document = json.loads(data)
    check(document["meta"]["preprocessedProfileVersion"] == 57, "version")
    strings = document["shared"]["stringArray"]
    for number, thread in enumerate(document["threads"]):
        stacks, frames = table(thread, "stackTable"), table(thread, "frameTable")
        funcs, samples = table(thread, "funcTable"), table(thread, "samples")
        names = [strings[n] for n in funcs["name"]]
        paths = []
        for prefix, frame in zip(stacks["prefix"], stacks["frame"]):
            check(prefix is None or prefix < len(paths), "a prefix after its stack")
            paths.append((paths[prefix] if prefix is not None else []) + [names[frames["func"][frame]]])
        paths.append([])
        before, cpu = [], 0
        rows = zip(samples["stack"], samples["time"], samples["weight"],
                   samples.get("threadCPUDelta") or [0] * samples["length"])
        end = None
        for stack, time, weight, delta in rows:
            check(end is None or abs(end - time) < 1e-6, "samples that do not join")
            end, cpu = time + weight, cpu + delta
            after = paths[-1 if stack is None else stack]
            times = {one(clocks): ns(time * 1000)}
            if "threadCPUDelta" in samples:
                times["cpu"] = cpu
            for name, enter in firefox_calls(before, after):
                yield number, name, enter, times
            before = after


# Protocol buffers -------------------------------------------------------------


def fields(data):
    """(number, value) of a message: ints, and bytes for doubles and what has a length."""
    at = 0

    def varint():
        nonlocal at
        value, shift = 0, 0
        while True:
            check(at < len(data) and shift < 70, "a number that does not end")
            value |= (data[at] & 127) << shift
            at += 1
            if data[at - 1] < 128:
                return value
            shift += 7

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 1:
            check(at + 8 <= len(data), "a field that does not end")
            yield key >> 3, data[at:at + 8]
            at += 8
        else:
            check(key & 7 == 2, "wire type %d" % (key & 7))
            length = varint()
            check(at + length <= len(data), "a field that does not end")
            yield key >> 3, data[at:at + length]
            at += length


def message(data, **names):
    """{name: value}, a list for names that end in "_"; all other fields are wrong."""
    numbers = {number: name for name, number in names.items()}
    out = {name: [] for name in names if name.endswith("_")}
    for number, value in fields(data):
        check(number in numbers, "field %d" % number)
        name = numbers[number]
        if name.endswith("_"):
            out[name].append(value)
        else:
            check(name not in out, "field %d twice" % number)
            out[name] = value
    return out


def varints(data):
    out, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            out.append(value)
            value, shift = 0, 0
    check(shift == 0, "a number that does not end")
    return out


def perfetto(data, clocks):
    names, threads, times_of = {}, {}, {}
    for number, raw in fields(data):
        check(number == 1, "no packet")
        packet = message(raw, timestamp=8, sequence=10, event=11, interned=12, flags=13, track=60)
        check(packet["sequence"] == 1, "sequence")
        if "track" in packet:
            track = message(packet["track"], uuid=1, name=2, process=3, thread=4, parent=5, counter=8)
            if "process" in track:
                message(track["process"], pid=1, name=6)["name"].decode()
            if "thread" in track:
                check(track["parent"] == 1, "a thread of no process")
                threads[track["uuid"]] = message(track["thread"], pid=1, tid=2, name=5)
                threads[track["uuid"]]["name"].decode()
            if "counter" in track:
                check(message(track["counter"], type=1)["type"] == 1, "counter")
                times_of[track["uuid"]] = track["parent"]
            continue
        if "interned" in packet:
            for entry in message(packet["interned"], names_=2)["names_"]:
                name = message(entry, iid=1, name=2)
                names[name["iid"]] = name["name"].decode()
        event = message(packet["event"], type=9, name=10, track=11, value=12, of=31)
        check(event["track"] in threads and event["type"] in (1, 2), "event")
        times = {one(clocks): packet["timestamp"]}
        if "of" in event:
            check(times_of[event["of"]] == event["track"], "a counter of another thread")
            times["cpu"] = event["value"]
        yield event["track"], names.get(event.get("name")), event["type"] == 1, times


def pprof(data, clocks):
    profile = message(gzip.decompress(data), types_=1, samples_=2, locations_=4, functions_=5,
                      strings_=6, time=9, duration=10, comment_=13, default=14)
    strings = [text.decode() for text in profile["strings_"]]
    check(strings[0] == "", "the first string")
    types = [message(raw, type=1, unit=2) for raw in profile["types_"]]
    words = [strings[kind["type"]] for kind in types]
    check(words[0] == "calls" and strings[profile["default"]] == words[-1], "types %r" % words)
    check(sorted(words[1:]) == sorted(clocks), "types %r" % words)
    functions, locations = {}, {}
    for raw in profile["functions_"]:
        function = message(raw, id=1, name=2, system=3, file=4, line=5)
        functions[function["id"]] = strings[function["name"]]
        # Else pprof takes it for C++, and methods that differ in their signature for one.
        check("(" not in strings[function["name"]] or
              strings[function["system"]] != strings[function["name"]], "a function's system name")
    for raw in profile["locations_"]:
        location = message(raw, id=1, line=4)
        locations[location["id"]] = functions[message(location["line"], function=1, line=2)["function"]]
    for raw in profile["samples_"]:
        sample = message(raw, stack=1, values=2, labels_=3)
        labels = [message(label, key=1, str=2, num=3) for label in sample["labels_"]]
        check([strings[label["key"]] for label in labels] == ["thread", "tid"], "labels")
        path = [locations[number] for number in varints(sample["stack"])]
        check(path[-1] == "(toplevel)", "the root")
        values = varints(sample["values"])
        yield path[-2::-1], values[0], dict(zip(words[1:], values[1:]))


# Sums ---------------------------------------------------------------------------


def callgrind(data, clocks):
    """The sums themselves: the format has no paths."""
    sums, names, events, total = Sums(), {}, [], {}
    caller = callee = calls = None

    def name(text):
        number, _, rest = text.partition(")")
        if rest:
            check(number not in names, "name %s twice" % number)
            names[number] = rest[1:]
        return names[number]

    for line in data.decode().split("\n"):
        key, equals, value = line.partition("=")
        if line.startswith("events: "):
            events = [word.lower() for word in line.split()[1:]]
            check(sorted(events) == sorted(clocks), "events %r" % events)
        elif line.startswith("summary: "):
            summary = dict(zip(events, map(int, line.split()[1:])))
        elif equals and key in ("fl", "cfi"):
            check(value and not value.startswith("("), "file %r" % value)
        elif equals and key == "fn":
            caller, calls = name(value), None
        elif equals and key == "cfn":
            callee = name(value)
        elif equals and key == "calls":
            calls = int(value.split()[0])
        elif line[:1].isdigit():
            times = dict(zip(events, map(int, line.split()[1:])))
            if calls is None:
                sums.add(sums.exclusive, caller, times)
                sums.add({"": total}, "", times)
            else:
                sums.calls[callee] = sums.calls.get(callee, 0) + calls
                sums.add(sums.inclusive, callee, times)
                calls = None
        else:
            check(line == "" or line.startswith(("#", "version: ", "creator: ", "cmd: ", "event: ",
                                                 "positions: ")), "line %r" % line)
    check(all(total.get(clock, 0) == time for clock, time in summary.items()),
          "the summary %r is not the total %r" % (summary, total))
    sums.exclusive.pop("(toplevel)", None)
    return sums


CALLS = {"chrome": chrome, "firefox": firefox, "perfetto": perfetto, "speedscope": speedscope}
PATHS = {"pprof": pprof}
SUMS = {"callgrind": callgrind}
FORMATS = sorted([*CALLS, *PATHS, *SUMS])


def sums(name, data, clocks):
    if name in CALLS:
        return sum_calls(CALLS[name](data, clocks))
    if name in SUMS:
        return SUMS[name](data, clocks)
    total = Sums()
    for names, calls, times in PATHS[name](data, clocks):
        total.path(names, calls, times)
    return total
