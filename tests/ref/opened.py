"""Readers of what "slowtop convert" writes, plain and strict.

Each gives the calls as (thread, name, enter, times) with times in nanoseconds by clock,
in an order in which those of a thread nest; or sums by path.
"""

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

    def same(self, other):
        """Differences, with what is nowhere left out."""
        for what in ("calls", "exclusive", "inclusive"):
            mine, theirs = getattr(self, what), getattr(other, what)
            for name in sorted(set(mine) | set(theirs)):
                a, b = mine.get(name), theirs.get(name)
                if isinstance(a or b, dict):
                    a = {c: t for c, t in (a or {}).items() if t}
                    b = {c: t for c, t in (b or {}).items() if t}
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
    names = {}
    for ev in json.loads(data)["traceEvents"]:
        if ev["ph"] == "M":
            names[ev["name"], ev["tid"]] = ev["args"]["name"]
            continue
        check(ev["ph"] in "BE" and ("thread_name", ev["tid"]) in names, "event %r" % ev)
        times = {"wall" if "wall" in clocks else "cpu": ns(ev["ts"])}
        if "tts" in ev:
            times["cpu"] = ns(ev["tts"])
        yield ev["tid"], ev.get("name"), ev["ph"] == "B", times


CALLS = {"chrome": chrome}
PATHS = {}


def sums(name, data, clocks):
    if name in CALLS:
        return sum_calls(CALLS[name](data, clocks))
    total = Sums()
    for names, calls, times in PATHS[name](data, clocks):
        total.path(names, calls, times)
    return total
