# SPDX-License-Identifier: Apache-2.0
"""Reports of made-up text logs against the plain reader of logs.py."""

import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import logs
import opened
import tap

SEEDS = int(os.environ.get("SEEDS", "60"))


def report(path, *options):
    done = subprocess.run([tap.SLOWTOP, "report", "--format=json", *options, path],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode("utf-8", "replace"))
    return json.loads(done.stdout)


def us(value):
    return round(value * 1000) if value is not None else 0


def rows(document):
    table = {}
    for m in document["methods"]:
        if m["id"] == "toplevel":
            continue
        table[m["name"] if m["name"] != "(unnamed)" else "", m["kind"]] = [
            m["calls"], m["recursive_calls"], us(m["incl_wall_us"]), us(m["excl_wall_us"]),
            us(m.get("incl_cpu_us", 0)), us(m.get("excl_cpu_us", 0))]
    return table


def differences(got, want, first=0):
    for key in sorted(set(got) | set(want)):
        a, b = got.get(key, [0] * 6)[first:], want.get(key, [0] * 6)[first:]
        if a != b:
            yield "%s: got %s, want %s" % (key, a, b)


def output(path, *words):
    return subprocess.run([tap.SLOWTOP, *words, path], stdout=subprocess.PIPE,
                          check=True).stdout.decode("utf-8", "replace")


def converted(t, seed, path, want):
    """Events of Chrome's format, and lines of the dump, by kind."""
    phases = {}
    chrome = json.loads(output(path, "convert", "--to=chrome"))["traceEvents"]
    for event in chrome:
        phases[event["ph"]] = phases.get(event["ph"], 0) + 1
    counters = sum(1 for e in want.events if e[3] in ("tracing_mark_write", "print")
                   and e[4].startswith("C|"))
    wanted = {"B": len(want.sync), "E": len(want.sync), "b": len(want.async_),
              "e": len(want.async_), "C": counters}
    t.same(("%s: got %d, want %d" % (k, phases.get(k, 0), v)
            for k, v in wanted.items() if phases.get(k, 0) != v), "seed %d: for Chrome" % seed)
    to_perfetto(t, seed, path, want, chrome, {c: want.core_ran(c) for c in want.switched})
    dump = output(path, "dump")
    t.ok("reserved" not in dump and dump.count(" enter ") == len(want.sync) + len(want.async_),
         "seed %d: the dump has what the log has" % seed)


def perfetto(path):
    """Of a Perfetto trace: slices begun, ended, values of counters, arguments, and what ran
    on each core by its switches."""
    data = subprocess.run([tap.SLOWTOP, "convert", "--to=perfetto", path],
                          stdout=subprocess.PIPE, check=True).stdout
    types, notes, ran, current = {1: 0, 2: 0, 4: 0}, [], {}, {}
    for _, raw in opened.fields(data):
        packet = dict(opened.fields(raw))
        if 11 in packet:
            for number, value in opened.fields(packet[11]):
                if number == 9:
                    types[value] += 1
                elif number == 4:
                    note = dict(opened.fields(value))
                    notes.append((note[10].decode(), note[6].decode()))
        if 1 in packet:
            bundle = dict(opened.fields(packet[1]))
            event = dict(opened.fields(bundle[2]))
            if 4 not in event:
                continue
            switch, cpu, at = dict(opened.fields(event[4])), bundle.get(1, 0), event.get(1, 0)
            prev, since = current.get(cpu, (0, 0))
            if prev != switch.get(2, 0):
                raise RuntimeError("cpu %d: %d leaves, not %d" % (cpu, switch.get(2, 0), prev))
            if prev:
                ran[cpu] = ran.get(cpu, 0) + at - since
            current[cpu] = switch.get(6, 0), at
    return types, sorted(notes), ran


def to_perfetto(t, seed, path, want, chrome, ran):
    """The same as for Chrome, and the cores."""
    types, notes, by_core = perfetto(path)
    slices = len(want.sync) + len(want.async_)
    t.ok(types == {1: slices, 2: slices, 4: sum(1 for e in chrome if e["ph"] == "C")},
         "seed %d: for Perfetto" % seed, "got %s" % types)
    args = sorted(pair for e in chrome if e["ph"] in "Bb" for pair in e.get("args", {}).items())
    t.ok(notes == args, "seed %d: arguments" % seed)
    t.same(("cpu %d: got %d, want %d" % (c, by_core.get(c, 0), ran[c])
            for c in ran if by_core.get(c, 0) != ran[c]), "seed %d: switches" % seed)


def check(t, seed, path):
    rng = random.Random(seed)
    sched = rng.random() < 0.7
    lines = logs.Maker(rng, rng.randrange(1, 9), rng.randrange(1, 5)).run(
        rng.choice([5, 60, 600]), sched)
    joined = rng.random() < 0.25  # captures in the wrong order
    if joined:
        cut = rng.randrange(len(lines) + 1)
        lines = lines[cut:] + lines[:cut]
    if rng.random() < 0.3:  # what ftrace's buffers do: neighbours change places
        for _ in range(len(lines) // 20 + 1):
            i = rng.randrange(max(1, len(lines) - 1))
            pair = [logs.LINE.match(line) for line in lines[i:i + 2]]
            if len(pair) == 2 and all(pair) and pair[0].group(6, 7) != pair[1].group(6, 7):
                lines[i:i + 2] = reversed(lines[i:i + 2])
    with open(path, "w", newline="") as file:
        file.write(logs.contain(rng, lines))
    want = logs.Log(lines)
    if not want.events:
        return
    got = report(path)
    if joined and sched:  # their schedules do not fit each other
        t.same(("%s: got %d, want %d" % (c["name"], c["count"], want.skipped)
                for c in got["log"]["summary"]
                if c["name"] == "skipped" and c["count"] != want.skipped),
               "seed %d: joined" % seed)
        return
    t.same(differences(rows(got), want.sums(0, want.end)), "seed %d: sums" % seed)
    summary = {row["name"]: row["count"] for row in got["log"]["summary"]}
    wanted = dict(want.counts, skipped=want.skipped, events=len(want.events))
    t.same(("%s: got %d, want %d" % (k, summary.get(k, 0), v)
            for k, v in sorted(wanted.items()) if summary.get(k, 0) != v),
           "seed %d: summary" % seed)
    cores = got["log"].get("cores", [])
    t.same(("cpu %d: got %d, want %d" % (c["cpu"], us(c["running_us"]), want.core_ran(c["cpu"]))
            for c in cores if c["cpu"] in want.switched
            and us(c["running_us"]) != want.core_ran(c["cpu"])), "seed %d: cores" % seed)
    t.same(("cpu %d is not accounted for" % c["cpu"] for c in cores
            if c["cpu"] in want.switched
            and us(c["running_us"]) + us(c["idle_us"]) != want.end), "seed %d: idle" % seed)
    if seed % 4 == 0:
        converted(t, seed, path, want)
    if want.end < 10000:
        return
    begin, end = sorted(rng.randrange(want.end // 1000 + 1) for _ in range(2))
    if begin == end:
        return
    got = report(path, "--from=%dus" % begin, "--to=%dus" % end)
    t.same(differences(rows(got), want.sums(begin * 1000, end * 1000), 2),
           "seed %d: a window" % seed)


def main():
    t = tap.Tap()
    with tap.Workdir() as folder:
        path = folder / "made.ftrace"
        for seed in range(SEEDS):
            try:
                check(t, seed, path)
            except RuntimeError as error:
                t.ok(False, "seed %d is read" % seed, error)
    return t.done()


if __name__ == "__main__":
    sys.exit(main())
