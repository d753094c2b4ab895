# SPDX-License-Identifier: Apache-2.0
"""Made-up text logs in all their forms, and a plain reader of them.

The maker runs threads on cores by chance; the reader goes by the rules of doc/logs.md with
lists and sums over them, slow and obvious.
"""

import re

LINE = re.compile(r"^\s*(.*)-(\d+)\s+(?:\(\s*(\d+|-+)\s*\)\s*)?\[(\d+)\]\s+"
                  r"(?:(\S{1,8})\s+)?(\d+)\.(\d{1,9}):\s+([^\s:]+):\s*(.*?)\s*$")
SWITCH = re.compile(r"prev_comm=(.*) prev_pid=(\d+) prev_prio=\d+ prev_state=(\S+) (?:==> )?"
                    r"next_comm=(.*) next_pid=(\d+) next_prio=\d+")
CHAIN = re.compile(r"^\[[0-9a-f]+,[0-9a-f]+,[0-9a-f]+\]#(?:[CS]?##)?")
LEVEL = re.compile(r"^[DICM](?:[0-5][0-9]|6[0-3])+$")


# Making ---------------------------------------------------------------------------

NAMES = ["draw", "H#doFrame", "read file", "a|b", "x: y", "decode[7]", "n=1,m=2"]


class Maker:
    def __init__(self, rng, threads, cores):
        self.rng, self.now, self.lines = rng, rng.randrange(10 ** 9), []
        self.column = rng.choice(["none", "five", "seven"])
        self.flags = rng.choice(["", "....", "d..1", "....."])
        self.digits = rng.choice([6, 6, 9])
        self.comm = {t: "t%d %s" % (t, rng.choice(["", "a-1", "b#2"])) for t in range(1, threads + 1)}
        self.comm = {t: c.strip() for t, c in self.comm.items()}
        self.core = [0] * cores
        for c, t in zip(range(cores), rng.sample(sorted(self.comm), min(cores, threads))):
            self.core[c] = rng.choice([t, 0])
        self.asleep = set()
        self.depth, self.open = {}, []

    def line(self, core, func, payload):
        tid = self.core[core]
        comm = "<idle>" if tid == 0 else self.rng.choice([self.comm[tid]] * 4 + ["<...>"])
        group = {"none": "", "five": "(%5s) ", "seven": "(%7s) "}[self.column]
        if group:
            known = self.rng.random() < 0.5 and tid != 0
            width = 5 if self.column == "five" else 7
            group = group % (tid if known else "-" * width)
        unit = 10 ** (9 - self.digits)
        self.lines.append("%16s-%-5d %s[%03d] %s %d.%0*d: %s: %s" % (
            comm, tid, group, core, self.flags, self.now // 10 ** 9, self.digits,
            self.now % 10 ** 9 // unit, func, payload))

    def switch(self, core):
        rng, prev = self.rng, self.core[core]
        ready = [t for t in self.comm if t not in self.core and t not in self.asleep]
        nxt = rng.choice(ready + [0]) if ready else 0
        if nxt == prev:
            return
        state = rng.choice(["S", "R", "R+", "D", "DK", "I"])
        self.line(core, "sched_switch",
                  "prev_comm=%s prev_pid=%d prev_prio=120 prev_state=%s ==> next_comm=%s "
                  "next_pid=%d next_prio=120" % (
                      self.comm.get(prev, "swapper"), prev, state if prev else "R",
                      self.comm.get(nxt, "swapper"), nxt))
        if prev and state not in ("R", "R+"):
            self.asleep.add(prev)
        self.core[core] = nxt

    def wake(self, core):
        if self.asleep:
            tid = self.rng.choice(sorted(self.asleep))
            self.asleep.discard(tid)
            self.line(core, "sched_wakeup", "comm=%s pid=%d prio=120 target_cpu=000" % (
                self.comm[tid], tid))

    def marker(self, core):
        rng, tid = self.rng, self.core[core]
        name, form = rng.choice(NAMES), rng.choice(["android", "old", "new"])
        chain = rng.choice(["", "", "[a1,2,0]#", "[b,0,1]#C##"])
        content = name if form == "android" else "H:" + chain + name
        level = rng.choice(["M62", "I3062", "D00"])
        depth = self.depth.get(tid, 0)
        kind = rng.choice("BBEESFC" if depth < 6 else "EEE")
        if kind == "B":
            self.depth[tid] = depth + 1
            args = rng.choice(["", "|k=v", "|k=v,l=w"])
            text = "B|7|" + content + ("|" + level + args if form == "new" else "")
        elif kind == "E":
            self.depth[tid] = max(depth - 1, 0)
            text = {"android": rng.choice(["E", "E|7"]), "old": "E|7|", "new": "E|7|" + level}[form]
        else:
            number = rng.randrange(4) if kind != "C" else rng.randrange(-99, 99)
            tail = {"android": "|%d", "old": " %d", "new": "|%d|" + level}[form] % number
            if kind == "S" and form == "new":
                tail += rng.choice(["", "|cat", "||k=v", "|cat|k=v"])
            text = "%s|7|%s%s" % (kind, content, tail)
        self.line(core, rng.choice(["tracing_mark_write", "tracing_mark_write", "print"]), text)

    def run(self, steps, sched):
        for _ in range(steps):
            core = self.rng.randrange(len(self.core))
            self.now += self.rng.choice([0, 1000, 5000, 17000, 250000, 3000000])
            what = self.rng.random()
            if sched and what < 0.3:
                self.switch(core)
            elif sched and what < 0.4:
                self.wake(core)
            elif what < 0.97:
                if self.core[core] or self.rng.random() < 0.1:
                    self.marker(core)
            else:
                self.lines.append(self.rng.choice(["no record", "# comment", "", "cpus=4"]))
        return self.lines


def contain(rng, lines):
    """The bytes of a file with these lines."""
    form = rng.choice(["plain", "crlf", "page", "old page", "escaped"])
    head = "# tracer: nop"
    if form == "plain":
        return "\n".join([head] + lines) + "\n"
    if form == "crlf":
        return "\r\n".join([head] + lines) + "\r\n"
    if form == "page":
        return ('<!DOCTYPE html>\n<script class="trace-data" type="application/text">\n'
                + "\n".join([head] + lines) + "\n</script>\n</html>\n")
    if form == "old page":
        return ('<!DOCTYPE HTML>\n<script>\nvar linuxPerfData = "\\\n'
                + "".join(l + "\\n\\\n" for l in [head] + lines) + '\\n";\n</script>\n')
    return "".join(l + "\\n\\\n" for l in [head] + lines)


# Reading --------------------------------------------------------------------------

def number(text):
    return int(text) if re.match(r"^-?\d+$", text) else None


def marker(text):
    """(kind, pid, name, number) or None."""
    if text == "E":
        return "E", None, None, None
    if not re.match(r"^[BESFC]\|", text):
        return None
    kind, pid, rest = (text.split("|", 2) + [""])[:3]
    if kind == "E":
        return "E", int(pid), None, None
    hitrace = rest.startswith("H:")
    if hitrace:
        rest = CHAIN.sub("", rest[2:])
    fields = rest.split("|")
    if kind == "B":
        for i in range(1, len(fields)):
            if hitrace and LEVEL.match(fields[i]):
                return "B", int(pid), "|".join(fields[:i]), None
        return "B", int(pid), fields[0] if not hitrace and len(fields) == 3 else rest, None
    for i in range(1, len(fields) - 1):
        if number(fields[i]) is not None and LEVEL.match(fields[i + 1]):
            return kind, int(pid), "|".join(fields[:i]), number(fields[i])
    for i in range(1, len(fields)):
        if number(fields[i]) is not None:
            return kind, int(pid), "|".join(fields[:i]), number(fields[i])
    name, _, last = rest.rpartition(" ")
    return kind, int(pid), name, number(last)


class Slice:
    def __init__(self, name, thread, begin, outer, recursive):
        self.name, self.thread, self.begin, self.end = name, thread, begin, None
        self.outer, self.recursive, self.children = outer, recursive, []


def overlap(a, b, c, d):
    return max(0, min(b, d) - max(a, c))


class Log:
    def __init__(self, lines):
        events = []
        self.skipped = 0
        for place, line in enumerate(lines):
            m = LINE.match(line)
            if m:
                ns = int(m[6]) * 10 ** 9 + int(m[7].ljust(9, "0"))
                events.append((ns, place, int(m[2]), int(m[4]), m[8], m[9]))
            elif line and not line.startswith("#") and not line.startswith("cpus="):
                self.skipped += 1
        events.sort(key=lambda e: e[:2])
        self.start = events[0][0] if events else 0
        self.end = events[-1][0] - self.start if events else 0
        self.events = [(e[0] - self.start,) + e[2:] for e in events]
        self.sync, self.async_, self.counts = [], [], dict.fromkeys(
            ["unmatched-ends", "unmatched-async-ends", "unfinished", "unfinished-async",
             "duplicate-begins"], 0)
        self.running = self.run()
        self.match()

    def run(self):
        """tid -> [(core, from, to)]"""
        running, current = {}, {}
        for at, _, core, func, payload in self.events:
            m = SWITCH.match(payload) if func == "sched_switch" else None
            if not m:
                continue
            begin = current.get(core, (int(m[2]), 0))[1]
            running.setdefault(int(m[2]), []).append((core, begin, at))
            current[core] = (int(m[5]), at)
        for core, (tid, begin) in current.items():
            running.setdefault(tid, []).append((core, begin, self.end))
        running.pop(0, None)
        self.switched = set(current)
        return running

    def cpu(self, tid, begin, end):
        return sum(overlap(a, b, begin, end) for _, a, b in self.running.get(tid, []))

    def match(self):
        stacks, opened = {}, {}
        for at, tid, core, func, payload in self.events:
            m = marker(payload) if func in ("tracing_mark_write", "print", "0") else None
            if not m:
                continue
            kind, pid, name, value = m
            stack = stacks.setdefault((tid, core if tid == 0 else 0), [])
            if kind == "B":
                s = Slice(name, tid, at, stack[-1] if stack else None,
                          any(o.name == name for o in stack))
                if stack:
                    stack[-1].children.append(s)
                stack.append(s)
                self.sync.append(s)
            elif kind == "E":
                if stack:
                    stack.pop().end = at
                else:
                    self.counts["unmatched-ends"] += 1
            elif kind == "S":
                if (pid, name, value) in opened:
                    self.counts["duplicate-begins"] += 1
                else:
                    s = opened[pid, name, value] = Slice(name, None, at, None, False)
                    self.async_.append(s)
            elif kind == "F":
                s = opened.pop((pid, name, value), None)
                if s:
                    s.end = at
                else:
                    self.counts["unmatched-async-ends"] += 1
        for s in self.sync + self.async_:
            if s.end is None:
                s.end = self.end
                self.counts["unfinished" if s.thread is not None else "unfinished-async"] += 1

    def sums(self, begin, end):
        """(name, kind) -> calls, recursive, incl wall, excl wall, incl cpu, excl cpu, clipped."""
        table = {}
        for kind, slices in (("sync", self.sync), ("async", self.async_)):
            for s in slices:
                row = table.setdefault((s.name, kind), [0] * 6)
                wall = overlap(s.begin, s.end, begin, end)
                cpu = self.clipped(s, begin, end)
                row[1 if s.recursive else 0] += 1
                if not s.recursive:
                    row[2] += wall
                    row[4] += cpu
                row[3] += wall - sum(overlap(c.begin, c.end, begin, end) for c in s.children)
                row[5] += cpu - sum(self.clipped(c, begin, end) for c in s.children)
        return table

    def clipped(self, s, begin, end):
        if s.thread is None or s.thread == 0:
            return 0
        return self.cpu(s.thread, max(s.begin, begin), max(min(s.end, end), max(s.begin, begin)))

    def core_ran(self, core):
        return sum(b - a for runs in self.running.values() for c, a, b in runs if c == core)
