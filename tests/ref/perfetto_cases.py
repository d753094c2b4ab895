# SPDX-License-Identifier: Apache-2.0
"""Cases of Perfetto traces, and what must come of each.

They are of the kinds that the tests of Perfetto's own parser have (test/trace_processor), made
anew from what its protos/perfetto/trace and its documentation say.  What is expected was
computed by hand; perfetto_cases_test.py asks Perfetto's engine for the same.

Slices are (name, time, duration, depth) by thread id or "process id:track", moments (where,
time, name), counters (time, value) by "process id:name", states (state, time, duration) by
thread id.  Times are ns.  `engine` is what the engine says otherwise, `why` the reason; what it
has no word for is None there.
"""

import collections
import gzip
import shutil
import subprocess
import zlib

from packets import (BOOTTIME, CLEARED, MONOTONIC, NEEDS, PRIVATE, REALTIME, BEGIN, COUNTER, END,
                     Fixed, Packed, begin, bundle, cleared, compact, count, end, event, field,
                     instant, kernel, legacy, machine, message, names, packet, printed,
                     process_tree, snapshot, state, switch, track, varint, waking)
from tap import SLOWTOP

Case = collections.namedtuple("Case", "name trace wanted engine why")
CASES = []


def case(name, *trace, engine=(), why="", **wanted):
    CASES.append(Case(name, b"".join(trace), wanted, None if engine is None else dict(engine), why))


MAIN = track(7, thread=(100, 101, "main"), flags=CLEARED)
PROCESS = track(9, process=(55, "daemon"), flags=CLEARED)
IDLE, APP, OTHER = (0, "swapper"), (101, "app"), (102, "other")
THIRD, FOURTH = (103, "third"), (104, "fourth")
COMMS = ["swapper", "third", "fourth"]


def switched(one, two):
    return [(1000, IDLE, 0, one), (1100, one, 1, two), (1300, two, 2, IDLE), (1500, IDLE, 0, one),
            (1700, one, 1, IDLE)]


SWITCHED, SWITCHED_TOO = switched(APP, OTHER), switched(THIRD, FOURTH)
RAN = [("Running", 1000, 100), ("S", 1100, 400), ("Running", 1500, 200)]
RAN_NEXT = [("Running", 1100, 200), ("D", 1300, 400)]
MARKS = [printed(1_000_000, 101, "B|100|early"), printed(1_040_000, 101, "E|100"),
         printed(1_200_000, 101, "B|100|A"), printed(1_300_000, 101, "E|100")]
EARLY = bundle(0, *MARKS)

# Slices of threads ----------------------------------------------------------------

case("slices nest on a thread's track", MAIN,
     begin(1000, 7, "load"), begin(1600, 7, "parse"), end(2100, 7), end(3000, 7),
     slices={101: [("load", 1000, 2000, 0), ("parse", 1600, 500, 1)]},
     threads={101: "main"}, of={101: 100})

case("names and categories are interned", MAIN,
     begin(1000, 7, iid=1, flags=NEEDS, fields={3: [1, 2]},
           interned={1: names("gfx", "input"), 2: names("draw")}),
     begin(1100, 7, iid=1, fields={3: Packed([2, 1])}), end(1200, 7), end(1300, 7),
     slices={101: [("draw", 1000, 300, 0), ("draw", 1100, 100, 1)]})

case("several categories of an event", MAIN,
     begin(1000, 7, "A", fields={3: [1, 2]}, interned={1: names("gfx", "input")}),
     begin(1100, 7, "B", fields={22: ["x", "y"]}), begin(1200, 7, "C", fields={3: 1, 22: "z"}),
     end(1300, 7), end(1400, 7), end(1500, 7),
     slices={101: [("A", 1000, 500, 0), ("B", 1100, 300, 1), ("C", 1200, 100, 2)]},
     categories={"A": "gfx,input", "B": "x,y", "C": "gfx,z"})

case("an interned name comes before one told as text", MAIN,
     begin(1000, 7, "text", iid=1, interned={2: names("interned")}), end(1300, 7),
     slices={101: [("interned", 1000, 300, 0)]})

case("of an iid that is given twice the first text holds", MAIN,
     begin(1000, 7, iid=1, interned={2: names("first") + names("second")}), end(1300, 7),
     slices={101: [("first", 1000, 300, 0)]})

case("one iid in two sequences", MAIN,
     track(8, thread=(100, 102, "side"), seq=2, flags=CLEARED),
     begin(1000, 7, iid=1, interned={2: names("one")}),
     begin(1100, 8, iid=1, seq=2, interned={2: names("two")}), end(1200, 8, seq=2), end(1300, 7),
     slices={101: [("one", 1000, 300, 0)], 102: [("two", 1100, 100, 0)]})

case("one iid in two generations", MAIN,
     begin(1000, 7, iid=1, flags=NEEDS, interned={2: names("one")}), end(1100, 7),
     begin(1200, 7, iid=1, flags=CLEARED | NEEDS, interned={2: names("two")}), end(1300, 7),
     slices={101: [("one", 1000, 100, 0), ("two", 1200, 100, 0)]})

case("a name that is not there", MAIN, begin(1000, 7, iid=9), end(1100, 7),
     slices={101: [("(unnamed)", 1000, 100, 0)]})

case("defaults: the track", MAIN,
     packet(flags=NEEDS, defaults={11: {11: 7}}),
     begin(1000, None, "load", flags=NEEDS), end(1200, flags=NEEDS),
     slices={101: [("load", 1000, 200, 0)]})

case("defaults end with their generation", MAIN,
     packet(flags=NEEDS, defaults={11: {11: 7}}), begin(1000, None, "one"), end(1200),
     cleared(defaults={11: {11: 8}}), track(8, thread=(100, 102, "side")),
     begin(2000, None, "two"), end(2200),
     slices={101: [("one", 1000, 200, 0)], 102: [("two", 2000, 200, 0)]})

case("packets that need lost state are left out", MAIN,
     begin(1000, 7, "kept", flags=NEEDS), end(1100, 7),
     begin(1200, 7, "lost", flags=NEEDS, more={42: 1}), end(1300, 7, flags=NEEDS),
     begin(1400, 7, "again", flags=CLEARED | NEEDS), end(1500, 7, flags=NEEDS),
     slices={101: [("kept", 1000, 100, 0), ("again", 1400, 100, 0)]},
     damage={"skipped-packet": 2, "lost-records": 1})

case("packets before the first state are left out",
     track(7, thread=(100, 101, "main")), begin(1000, 7, "early", flags=NEEDS),
     begin(2000, 7, "kept"), end(2100, 7), slices={101: [("kept", 2000, 100, 0)]},
     damage={"skipped-packet": 1})

case("the older form of the flag for new state", packet(more={41: 1}),
     track(7, thread=(100, 101, "main")), begin(1000, 7, "load", flags=NEEDS),
     end(1100, 7, flags=NEEDS), slices={101: [("load", 1000, 100, 0)]})

case("events without a sequence are left out", MAIN,
     begin(1000, 7, "kept"), end(1100, 7), begin(1200, 7, "none", seq=None),
     slices={101: [("kept", 1000, 100, 0)]}, damage={"skipped-packet": 1})

case("a sequence of the id 0", track(7, thread=(100, 101, "main"), seq=None, more={10: 0}),
     begin(1000, 7, "A", seq=None, more={10: 0}), end(1100, 7, seq=None, more={10: 0}),
     slices={101: [("A", 1000, 100, 0)]}, damage={"skipped-packet": None})

case("a trace of bare packets", field(1, {2: {1: [{1: 100, 3: "app"}]}}),
     field(1, {1: {1: 0, 2: [{1: 1000, 2: 101, 3: {2: "B|100|A"}}, {1: 1500, 2: 101, 3: {2: "E|100"}}]}}),
     field(1, {9: {1: [{1: 100, 3: 2048}]}, 8: 1200}),
     slices={101: [("A", 1000, 500, 0)]}, counters={"100:mem.rss": [(1200, 2 << 20)]})

case("an end without a beginning", MAIN, end(1000, 7), begin(1100, 7, "load"), end(1200, 7),
     slices={101: [("load", 1100, 100, 0)]}, damage={"exit-without-entry": 1})

case("a slice that is not ended lasts until the end", MAIN,
     begin(1000, 7, "open"), begin(1100, 7, "done"), end(1200, 7), instant(2000, 7, "last"),
     slices={101: [("open", 1000, 1000, 0), ("done", 1100, 100, 1)]},
     instants=[(101, 2000, "last")], damage={"unfinished-call": 1})

case("an end that names an outer slice ends the inner ones", MAIN,
     begin(1000, 7, "A"), begin(1100, 7, "B"), end(1500, 7, "A"),
     slices={101: [("A", 1000, 500, 0), ("B", 1100, 400, 1)]})

case("an end with only a category ends the innermost slice", MAIN,
     begin(1000, 7, "A", fields={22: "x"}), begin(1100, 7, "B", fields={22: "y"}),
     end(1200, 7, fields={22: "x"}), end(1300, 7),
     slices={101: [("A", 1000, 300, 0), ("B", 1100, 100, 1)]},
     engine={"slices": {101: [("A", 1000, 200, 0), ("B", 1100, 100, 1)]}},
     why="ends the innermost of the category")

case("an end that names no open slice is left out", MAIN,
     begin(1000, 7, "A"), end(1200, 7, "B"), end(1500, 7),
     slices={101: [("A", 1000, 500, 0)]}, damage={"unmatched-exit": 1})

case("slices that touch do not nest", MAIN,
     begin(1000, 7, "A"), end(1500, 7), begin(1500, 7, "B"), end(1600, 7),
     slices={101: [("A", 1000, 500, 0), ("B", 1500, 100, 0)]})

case("packets in another order than time", MAIN,
     end(3000, 7), end(2100, 7), begin(1600, 7, "parse"), begin(1000, 7, "load"),
     slices={101: [("load", 1000, 2000, 0), ("parse", 1600, 500, 1)]})

case("sequences between each other", MAIN,
     track(8, thread=(100, 102, "side"), seq=2, flags=CLEARED),
     begin(5000, 8, "late", seq=2), begin(1000, 7, "A"), end(6000, 8, seq=2), end(2000, 7),
     slices={101: [("A", 1000, 1000, 0)], 102: [("late", 5000, 1000, 0)]})

case("a descriptor after the events", cleared(),
     begin(1000, 7, "load"), end(1100, 7), track(7, thread=(100, 101, "main")),
     slices={101: [("load", 1000, 100, 0)]}, threads={101: "main"})

case("slices deeper than 512 are counted",
     MAIN, *[begin(1000 + n, 7, "n") for n in range(515)], *[end(2000 + n, 7) for n in range(515)],
     slices={101: [("n", 1000 + n, 1514 - 2 * n, n) for n in range(512)]}, damage={"too-deep": 3},
     engine={"slices": None}, why="the engine drops the beginning alone, and then ends too early")

case("moments", MAIN, begin(1000, 7, "A"), instant(1200, 7, "now"), end(1300, 7),
     instant(1400, 7, "then"), slices={101: [("A", 1000, 300, 0)]},
     instants=[(101, 1200, "now"), (101, 1400, "then")])

case("unknown fields, numbers of fixed size, empty packets", MAIN, field(1, b""),
     packet(Fixed(1000), {11: {9: BEGIN, 11: 7, 23: "load", 900: "new", 901: 1.5}},
            more={1999: Fixed(7), 1998: "text"}),
     field(1, b""), packet(2000, {11: {9: END, 11: 7}, 777: 3}),
     slices={101: [("load", 1000, 1000, 0)]})

LOAD = message({9: BEGIN, 11: 7, 23: "load"})

case("numbers of four bytes", MAIN, field(1, message({8: 1000, 10: 1, 11: {9: BEGIN, 11: 7, 23: "load"}})
     + varint(1998 << 3 | 5) + b"\x0a\x05\x08\x01"), end(2000, 7),
     slices={101: [("load", 1000, 1000, 0)]})

case("lengths and numbers that are longer than need be", MAIN,
     field(1, message({8: 1000}) + b"\x50\x81\x80\x00" +
           b"\x5a" + bytes([len(LOAD) | 128]) + b"\x80\x80\x00" + LOAD),
     end(2000, 7), slices={101: [("load", 1000, 1000, 0)]})

# The worked examples of a format's description, byte by byte.
case("bytes: a thread's slices", bytes.fromhex(
     "0a15 5001 6801 e2030e 0807 220a 0864 1065 2a046d61696e"
     "0a1b 40e807 5001 6802 5a06 4801 5001 5807 620a 1208 0801 12046c6f6164"
     "0a15 40c00c 5001 6802 5a0c 4801 5807 ba01057061727365"
     "0a0d 40b410 5001 6802 5a04 4802 5807 0a0d 40b817 5001 6802 5a04 4802 5807"),
     slices={101: [("load", 1000, 2000, 0), ("parse", 1600, 500, 1)]}, of={101: 100})

case("bytes: switches in columns", bytes.fromhex(
     "0a480a4608032242 2a09737761707065722f33 2a03617070 0a088827e807bc05a006 120400020001"
     "1a0465006500 220478786e78 320401000100 3a02fa33 420165 4a0103 52016e 5a0101"),
     states={101: [("Running", 5000, 1000), ("D", 6000, 650), ("R", 6650, 50),
                   ("Running", 6700, 800)]}, ran={101: 1800}, threads={101: "app"},
     engine={"states": {101: [("D", 6000, 650), ("R", 6650, 50), ("Running", 6700, 800)]}},
     why="the engine leaves a core's first switch in columns out")

case("bytes: print", bytes.fromhex(
     "0a2b0a290800 1214 08904e 1065 1a0d120b427c3130307c647261770a"
     "120f 08d461 1065 1a08 1206457c3130300a"), slices={101: [("draw", 10_000, 2500, 0)]},
     of={101: 100})

# Other tracks ------------------------------------------------------------------------

case("a process's track", track(9, "jobs", process=(55, "daemon"), flags=CLEARED),
     begin(1000, 9, "outer"), begin(1100, 9, "inner"), end(1200, 9), end(1500, 9),
     slices={"55:jobs": [("outer", 1000, 500, 0), ("inner", 1100, 100, 1)]},
     processes={55: "daemon"})

case("a track below a process", track(9, process=(55, "daemon"), flags=CLEARED),
     track(10, "child", parent=9), track(11, "grandchild", parent=10),
     begin(1000, 10, "A"), begin(1100, 11, "B"), end(1200, 10), end(1500, 11),
     slices={"55:child": [("A", 1000, 200, 0)], "55:grandchild": [("B", 1100, 400, 0)]})

case("a track below a thread", MAIN, track(12, "below", parent=7),
     begin(1000, 7, "A"), begin(1100, 12, "B"), end(1200, 7), end(1500, 12),
     slices={101: [("A", 1000, 200, 0)], "100:below of thread 101": [("B", 1100, 400, 0)]},
     engine={"slices": {101: [("A", 1000, 200, 0), ("B", 1100, 400, 0)]}},
     why="the engine has a second track of the thread, of the name")

case("a track of nothing", track(9, "global", flags=CLEARED), begin(1000, 9, "A"), end(1100, 9),
     slices={"global": [("A", 1000, 100, 0)]})

case("a track that nothing describes has its first event's name", cleared(),
     begin(1000, 999, "A"), begin(1100, 999, "B"), end(1200, 999), end(1300, 999),
     slices={"A": [("A", 1000, 300, 0), ("B", 1100, 100, 1)]})

case("the default track", cleared(), begin(1000, 0, "A"), end(1100, 0), begin(1200, None, "B"),
     end(1300), slices={"Default Track": [("A", 1000, 100, 0), ("B", 1200, 100, 0)]})

case("tracks of one name overlap in rows of their own",
     track(9, process=(55, "daemon"), flags=CLEARED),
     track(10, "job", parent=9), track(11, "job", parent=9),
     begin(1000, 10, "A"), begin(1100, 11, "B"), end(1200, 10), end(1500, 11),
     slices={"55:job": [("A", 1000, 200, 0), ("B", 1100, 400, 0)]})

case("a parent that nothing describes", track(10, "lost", parent=99, flags=CLEARED),
     begin(1000, 10, "A"), end(1200, 10), slices={"lost": [("A", 1000, 200, 0)]},
     engine={"slices": {}}, why="the engine leaves the events out")

case("tracks that are each other's parents", track(10, "one", parent=11, flags=CLEARED),
     track(11, "two", parent=10), begin(1000, 10, "A"), end(1200, 10),
     slices={"one": [("A", 1000, 200, 0)]},
     engine={"slices": {}}, why="the engine leaves the events out")

case("moments of a process's track", track(9, "jobs", process=(55, "daemon"), flags=CLEARED),
     instant(1000, 9, "now"), begin(1100, 9, "A"), end(1200, 9),
     slices={"55:jobs": [("A", 1100, 100, 0)]}, instants=[("55:jobs", 1000, "now")])

case("states last until the next of their track", PROCESS,
     track(10, "mode", parent=9, more={18: {}}), MAIN, track(11, "power", parent=7, more={18: {}}),
     state(1000, 10, "idle"), state(1100, 11, "on"), state(2000, 10, "busy"), state(2000, 10, "more"),
     state(3500, 10, "idle"), state(4000, 10), state(4200, 10), begin(5000, 7, "A"), end(6000, 7),
     slices={"55:mode": [("idle", 1000, 1000, 0), ("busy", 2000, 0, 0), ("more", 2000, 1500, 0),
                         ("idle", 3500, 500, 0)],
             "100:power of thread 101": [("on", 1100, 4900, 0)], 101: [("A", 5000, 1000, 0)]},
     damage={"unfinished-call": None},
     engine={"slices": {101: [("A", 5000, 1000, 0)]}}, why="version 55 does not know them")

case("a state on a track that is not for them", MAIN, state(1000, 7, "idle"),
     begin(1500, 7, "A"), state(2000, 7, "busy"), end(2500, 7),
     slices={101: [("A", 1500, 1000, 0)]}, damage={"malformed-line": 2})

case("one stack with the thread's markers", MAIN, begin(1000, 7, "A"),
     bundle(0, printed(1200, 101, "B|100|at"), printed(1400, 101, "E|100")), end(1500, 7),
     slices={101: [("A", 1000, 500, 0), ("at", 1200, 200, 1)]})

case("a stack of its own for a track that asks for it",
     track(7, thread=(100, 101, "main"), more={9: 1}, flags=CLEARED), begin(1000, 7, "A"),
     bundle(0, printed(1200, 101, "B|100|at"), printed(1600, 101, "E|100")), end(1500, 7),
     slices={101: [("A", 1000, 500, 0), ("at", 1200, 400, 0)]})

METHODS = 1234565432 # the sequence of AndroidX's method traces

case("a method trace of AndroidX", snapshot({BOOTTIME: 10_000_000, MONOTONIC: 4_000_000}),
     process_tree([(100, 1, "com.app")], [(101, 100, "main")]),
     bundle(0, printed(10_500_000, 101, "B|100|atrace"), printed(10_650_000, 101, "E|100")),
     *(packet(4_000_000, {60: {1: uuid, 2: name + " (Method Trace)", 4: {1: 100, 2: tid}, 9: 1}},
              seq=None, clock=MONOTONIC)
       for uuid, tid, name in ((77, 101, "main"), (78, 102, "worker"))),
     packet(4_600_000, {11: {9: BEGIN, 10: 101}}, seq=METHODS, flags=CLEARED | NEEDS,
            interned={2: names("a.b.Main.start", "a.b.Work.run", first=101)},
            defaults={58: MONOTONIC, 11: {11: 77}}),
     packet(4_700_000, {11: {9: BEGIN, 10: 102}}, seq=METHODS, flags=NEEDS),
     packet(4_750_000, {11: {9: BEGIN, 10: 102, 11: 78}}, seq=METHODS, flags=NEEDS),
     packet(4_800_000, {11: {9: END}}, seq=METHODS, flags=NEEDS),
     packet(4_880_000, {11: {9: END}}, seq=METHODS), # open calls end without the flag
     packet(4_880_000, {11: {9: END, 11: 78}}, seq=METHODS),
     slices={101: [("atrace", 10_500_000, 150_000, 0), ("a.b.Main.start", 10_600_000, 280_000, 0),
                   ("a.b.Work.run", 10_700_000, 100_000, 1)],
             102: [("a.b.Work.run", 10_750_000, 130_000, 0)]}, of={101: 100, 102: 100})

case("a thread id in two processes", MAIN, track(8, thread=(200, 101, "other")),
     begin(1000, 7, "A"), begin(1100, 8, "B"), end(1200, 7), end(1300, 8),
     slices={101: [("A", 1000, 200, 0), ("B", 1100, 200, 0)]}, processes={100: None})

case("names of tracks in their other fields",
     track(9, more={10: "static"}, flags=CLEARED), track(10, more={13: "atrace"}),
     begin(1000, 9, "A"), end(1100, 9), begin(1200, 10, "B"), end(1300, 10),
     slices={"static": [("A", 1000, 100, 0)], "atrace": [("B", 1200, 100, 0)]})

# Counters of tracks ----------------------------------------------------------------------

def counter(uuid, name, parent=None, **how):
    numbers = {"kind": 1, "unit": 4, "incremental": 5}
    return track(uuid, name, parent=parent,
                 counter={numbers[word]: value for word, value in how.items()})



case("counters", PROCESS, counter(20, "heap", 9), counter(21, "all"),
     count(1000, 20, 7), count(1100, 21, 8), count(1200, 20, -9),
     counters={"55:heap": [(1000, 7), (1200, -9)], "0:all": [(1100, 8)]})

case("a counter with a unit, and sums", PROCESS, counter(20, "sum", 9, unit=1024, incremental=1),
     count(1000, 20, 2), count(1100, 20, 3), count(1200, 20, -1),
     counters={"55:sum": [(1000, 2048), (1100, 5120), (1200, 4096)]})

case("sums begin again with the sequence's state", PROCESS, counter(20, "sum", 9, incremental=1),
     count(1000, 20, 2), count(1100, 20, 3), cleared(), count(1200, 20, 4),
     counters={"55:sum": [(1000, 2), (1100, 5), (1200, 4)]})

case("each sequence has sums of its own", PROCESS, counter(20, "sum", 9, incremental=1),
     cleared(seq=2), count(1000, 20, 2), count(1100, 20, 5, seq=2), count(1200, 20, 1),
     counters={"55:sum": [(1000, 2), (1100, 5), (1200, 3)]})

case("doubles", PROCESS, counter(20, "real", 9), count(1000, 20, 2.75),
     count(1100, 20, -2.75), count(1200, 20, 1e300), count(1300, 20, 3.0),
     counters={"55:real": [(1000, 2.75), (1100, -2.75), (1200, 1e300), (1300, 3)]})

case("sums of doubles and whole numbers", PROCESS, counter(20, "sum", 9, incremental=1),
     count(1000, 20, 0.5), count(1100, 20, 2), count(1200, 20, 0.25),
     counters={"55:sum": [(1000, 0.5), (1100, 2.5), (1200, 2.75)]})

case("values beside what an event is about", MAIN, counter(20, "whole"), counter(21, "real"),
     begin(1000, 7, "A", fields={31: [20], 12: [5], 45: [21], 46: [2.0]}),
     end(1100, 7, fields={31: [20], 12: [6]}),
     slices={101: [("A", 1000, 100, 0)]},
     counters={"0:whole": [(1000, 5), (1100, 6)], "0:real": [(1000, 2)]})

case("values beside it of the defaults' counters", MAIN, counter(20, "one"), counter(21, "two"),
     packet(flags=NEEDS, defaults={11: {11: 7, 31: [20, 21]}}),
     begin(1000, None, "A", fields={12: [5, 6]}), end(1100, None, fields={12: [7]}),
     slices={101: [("A", 1000, 100, 0)]},
     counters={"0:one": [(1000, 5), (1100, 7)], "0:two": [(1000, 6)]})

case("a counter of the thread's time gives CPU time", MAIN, counter(20, "cpu", 7, kind=1),
     begin(1000, 7, "A", fields={31: [20], 12: [100]}),
     begin(1100, 7, "B", fields={31: [20], 12: [150]}),
     end(1300, 7, fields={31: [20], 12: [250]}), end(1500, 7, fields={31: [20], 12: [260]}),
     slices={101: [("A", 1000, 500, 0), ("B", 1100, 200, 1)]}, cpu={"A": 160, "B": 100})

case("a value of a track that is no counter", MAIN, begin(1000, 7, "A"), count(1050, 7, 5),
     end(1100, 7), slices={101: [("A", 1000, 100, 0)]}, counters={},
     damage={"malformed-line": 1})

# What events say beside their names ----------------------------------------------------

case("arguments of all kinds", MAIN,
     begin(1000, 7, "A", interned={3: names("key"), 29: names("value")}, fields={4: [
         {10: "b", 2: 1}, {10: "u", 3: 7}, {10: "i", 4: -7}, {10: "d", 5: 1.5},
         {10: "s", 6: "text"}, {10: "p", 7: 255}, {1: 1, 17: 1}, {10: "j", 9: "{}"},
         {10: "dict", 11: [{10: "x", 4: 1}, {10: "y", 6: "z"}]},
         {10: "list", 12: [{4: 1}, {4: 2}]}]}), end(1100, 7),
     slices={101: [("A", 1000, 100, 0)]},
     args={"A": {"b": "true", "u": "7", "i": "-7", "d": "1.5", "s": "text", "p": "0xff",
                 "key": "value", "j": "{}", "dict.x": "1", "dict.y": "z", "list[0]": "1",
                 "list[1]": "2"}})

case("flows", MAIN, begin(1000, 7, "A", fields={47: [Fixed(5)]}), end(1100, 7),
     begin(1200, 7, "B", fields={48: [Fixed(5)]}), end(1300, 7),
     begin(1400, 7, "C", fields={36: [6]}), end(1500, 7),
     slices={101: [("A", 1000, 100, 0), ("B", 1200, 100, 0), ("C", 1400, 100, 0)]},
     args={"A": {"chain_id": "flow 5", "flow": "5"}, "B": {"chain_id": "flow 5", "flow": "5"},
           "C": {"chain_id": "flow 6", "flow": "6"}})

# Clocks --------------------------------------------------------------------------------

case("times of another clock", snapshot({BOOTTIME: 10_000, MONOTONIC: 4_000}), MAIN,
     begin(5000, 7, "A", clock=MONOTONIC), end(11_500, 7),
     slices={101: [("A", 11_000, 500, 0)]})

case("a snapshot after its use", MAIN,
     begin(5000, 7, "A", clock=MONOTONIC), end(5500, 7, clock=MONOTONIC),
     snapshot({BOOTTIME: 10_000, MONOTONIC: 4_000}), slices={101: [("A", 11_000, 500, 0)]})

case("the last snapshot before a time holds",
     snapshot({BOOTTIME: 10_000, MONOTONIC: 4_000}), MAIN,
     begin(5000, 7, "A", clock=MONOTONIC), end(5500, 7, clock=MONOTONIC),
     snapshot({BOOTTIME: 30_000, MONOTONIC: 6_000}),
     begin(7000, 7, "B", clock=MONOTONIC), end(7500, 7, clock=MONOTONIC),
     slices={101: [("A", 11_000, 500, 0), ("B", 31_000, 500, 0)]})

case("over a third clock", snapshot({BOOTTIME: 10_000, MONOTONIC: 4_000}),
     snapshot({MONOTONIC: 5_000, 9: 100}), MAIN,
     begin(100, 7, "A", clock=9), end(300, 7, clock=9), slices={101: [("A", 11_000, 200, 0)]})

case("the primary clock", snapshot({BOOTTIME: 10_000, MONOTONIC: 4_000}, primary=MONOTONIC), MAIN,
     begin(5000, 7, "A", clock=MONOTONIC), end(11_500, 7, clock=BOOTTIME),
     slices={101: [("A", 5000, 500, 0)]})

case("the primary clock, and the kernel's events",
     snapshot({BOOTTIME: 10_000, MONOTONIC: 4_000}, primary=MONOTONIC), MAIN,
     bundle(0, printed(11_000, 101, "B|100|A"), printed(11_500, 101, "E|100")),
     bundle(1, switch(12_000, IDLE, 0, OTHER), switch(12_700, OTHER, 1, IDLE)),
     slices={101: [("A", 5000, 500, 0)]}, states={102: [("Running", 6000, 700)]})

case("the primary clock alone", snapshot({MONOTONIC: 4_000}, primary=MONOTONIC), MAIN,
     begin(5000, 7, "A", clock=MONOTONIC), end(5900, 7, clock=BOOTTIME),
     bundle(0, printed(5100, 101, "B|100|b"), printed(5500, 101, "E|100")),
     slices={101: [("A", 5000, 900, 0), ("b", 5100, 400, 1)]})

case("the primary clock, told after its use", MAIN,
     begin(5000, 7, "A", clock=MONOTONIC), end(6000, 7, clock=MONOTONIC),
     snapshot({BOOTTIME: 10_000, MONOTONIC: 4_000}, primary=MONOTONIC),
     slices={101: [("A", 5000, 1000, 0)]}, engine={"slices": {101: [("A", 11_000, 1000, 0)]}},
     why="converts to BOOTTIME until then")

case("a bundle's clock whose pair comes late", snapshot({BOOTTIME: 10_000, MONOTONIC: 4_000}),
     bundle(0, printed(2000, 101, "B|100|A"), printed(2500, 101, "E|100"), fields={5: 2}, seq=1),
     bundle(0, printed(3000, 101, "B|100|B"), printed(3500, 101, "E|100"),
            fields={5: 2, 6: 1000, 7: 10_000}, seq=1),
     slices={101: [("A", 11_000, 500, 0), ("B", 12_000, 500, 0)]},
     engine={"slices": {101: [("B", 12_000, 500, 0)]}}, why="knows no pair before the first")

case("the clock of the defaults", snapshot({BOOTTIME: 10_000, MONOTONIC: 4_000}), MAIN,
     packet(flags=NEEDS, defaults={58: MONOTONIC}), begin(5000, 7, "A"), end(5500, 7),
     slices={101: [("A", 11_000, 500, 0)]})

case("a clock of the sequence, with a unit",
     snapshot({BOOTTIME: 500_000, PRIVATE: (10, None, 1000)}), MAIN,
     begin(15, 7, "A", clock=PRIVATE), end(30, 7, clock=PRIVATE),
     slices={101: [("A", 505_000, 15_000, 0)]})

case("times that are differences, of packets without use, too",
     snapshot({BOOTTIME: 500_000, PRIVATE: (10, 1, 1000)}), MAIN,
     begin(5, 7, "A", clock=PRIVATE), packet(5, {777: "?"}, clock=PRIVATE),
     end(15, 7, clock=PRIVATE), slices={101: [("A", 505_000, 20_000, 0)]})

OF_ANY_KIND = [{1: {1: 0}}, {2: {2: [{1: 102, 2: "side", 3: 100}]}}, {34: {1: 1}}, {35: {}}, {39: {}},
               {43: {1: 55, 6: "daemon"}}, {44: {1: 100, 2: 102, 5: "side"}},
               {45: {1: {3: "5.10.0"}}}, {54: {}}, {60: {1: 9, 2: "jobs"}}, {}]

case("times that are differences, of packets of any kind",
     snapshot({BOOTTIME: 500_000, PRIVATE: (10, 1, 1000)}), MAIN,
     begin(5, 7, "A", clock=PRIVATE), *(packet(7, data, clock=PRIVATE) for data in OF_ANY_KIND),
     end(15, 7, clock=PRIVATE),
     slices={101: [("A", 505_000, 15_000 + 7000 * len(OF_ANY_KIND), 0)]})

case("a sequence's clock is not another's",
     snapshot({BOOTTIME: 500_000, PRIVATE: 10}), snapshot({BOOTTIME: 700_000, PRIVATE: 10}, seq=2),
     MAIN, cleared(seq=2), begin(1010, 7, "A", clock=PRIVATE), end(1110, 7, clock=PRIVATE),
     begin(1010, 7, "B", clock=PRIVATE, seq=2), end(1110, 7, clock=PRIVATE, seq=2),
     slices={101: [("A", 501_000, 100, 0), ("B", 701_000, 100, 0)]})

case("a clock that no snapshot has", snapshot({BOOTTIME: 500, REALTIME: 900}), MAIN,
     begin(1000, 7, "A"), begin(1100, 7, "lost", clock=MONOTONIC), end(1200, 7),
     slices={101: [("A", 1000, 200, 0)]}, damage={"skipped-packet": 1})

# What came before tracks -----------------------------------------------------------------

def old_thread(pid, tid, name, ts=None, ran=None, **options):
    return packet(data={44: {1: pid, 2: tid, 5: name, 6: ts, 7: ran}}, **options)


OLD = old_thread(100, 101, "main", flags=CLEARED)
CAT = {22: "cat"}

case("thread and process descriptors of before tracks", OLD,
     packet(data={43: {1: 100, 2: ["app"], 6: "com.app"}}), begin(1000, None, "A"), end(1100),
     slices={101: [("A", 1000, 100, 0)]}, threads={101: "main"}, processes={100: "com.app"},
     of={101: 100})

case("a thread's descriptor outlasts the state", OLD, begin(1000, None, "A"), end(1100),
     cleared(), begin(1200, None, "B", flags=NEEDS), end(1300),
     slices={101: [("A", 1000, 100, 0), ("B", 1200, 100, 0)]})

case("times that are differences from the event before",
     snapshot({BOOTTIME: 5_000_000, MONOTONIC: 1_000_000}),
     old_thread(100, 101, "main", 2000, 500, flags=CLEARED),
     event(None, BEGIN, None, "A", fields={1: 10, 2: 5}),
     event(None, BEGIN, None, "B", fields={1: 20, 2: 5}),
     event(None, 3, None, "now", fields={16: 2033, 17: 520}),
     event(None, END, fields={1: 5, 2: 1}), event(None, END, fields={1: 5, 2: 2}),
     slices={101: [("A", 6_010_000, 30_000, 0), ("B", 6_030_000, 5_000, 1)]},
     instants=[(101, 6_033_000, "now")], cpu={"A": 8_000, "B": 1_000})

case("differences without a time to begin with",
     snapshot({BOOTTIME: 5_000_000, MONOTONIC: 1_000_000}), MAIN,
     event(None, BEGIN, 7, "lost", fields={1: 10}), begin(6_000_000, 7, "A"), end(6_001_000, 7),
     slices={101: [("A", 6_000_000, 1000, 0)]}, damage={"skipped-packet": 1},
     engine={"slices": {101: [("lost", 4_010_000, 1_991_000, 0), ("A", 6_000_000, 1000, 1)]}},
     why="the engine begins at 0, and cannot know")

case("times to begin with in a track's descriptor",
     snapshot({BOOTTIME: 5_000_000, MONOTONIC: 1_000_000}),
     packet(data={60: {1: 7, 4: {1: 100, 2: 101, 5: "main", 6: 2000}}}, flags=CLEARED),
     event(None, BEGIN, 7, "A", fields={1: 10}), event(None, END, 7, fields={1: 5}),
     slices={101: [("A", 6_010_000, 5_000, 0)]})

case("older events: B and E", OLD, legacy(1000, "B", "A"), legacy(1100, "B", "B"),
     legacy(1200, "E", "B"), legacy(1300, "E"),
     slices={101: [("A", 1000, 300, 0), ("B", 1100, 100, 1)]})

case("older events: X has its duration", OLD,
     legacy(1000, "X", "A", duration_us=3), legacy(1500, "X", "B", duration_us=1),
     legacy(4000, "X", "C", duration_us=1),
     slices={101: [("A", 1000, 3000, 0), ("B", 1500, 1000, 1), ("C", 4000, 1000, 0)]})

case("older events: X as they end, inner ones first", OLD,
     legacy(1500, "X", "B", duration_us=1), legacy(1000, "X", "A", duration_us=3),
     legacy(4000, "X", "C", duration_us=1),
     slices={101: [("A", 1000, 3000, 0), ("B", 1500, 1000, 1), ("C", 4000, 1000, 0)]})

case("older events: X that would outlast the one that it is in", OLD,
     legacy(1000, "X", "A", duration_us=2), legacy(2000, "X", "cross", duration_us=2),
     legacy(3000, "X", "B", duration_us=1),
     slices={101: [("A", 1000, 2000, 0), ("B", 3000, 1000, 0)]}, damage={"malformed-line": 1})

case("older events: slices within X", OLD, legacy(1000, "X", "A", duration_us=2),
     legacy(1500, "B", "B"), legacy(1700, "E", "B"),
     slices={101: [("A", 1000, 2000, 0), ("B", 1500, 200, 1)]})

case("older events: X of another clock", snapshot({BOOTTIME: 10_000, MONOTONIC: 4_000}), OLD,
     packet(defaults={58: MONOTONIC}), legacy(5000, "X", "A", duration_us=2),
     slices={101: [("A", 11_000, 2000, 0)]})

case("older events: moments", OLD, legacy(1000, "I", "old"), legacy(1100, "i", "thread",
     instant_scope=3), legacy(1200, "i", "all", instant_scope=1), legacy(1300, "R", "mark"),
     instants=[(101, 1000, "old"), (101, 1100, "thread"), ("", 1200, "all"),
               (101, 1300, "mark")], engine={"instants": None})

case("older events: names by their own field", OLD,
     packet(1000, {11: {6: {1: 1, 2: ord("B")}}}, flags=NEEDS, interned={2: names("A")}),
     legacy(1100, "E"), slices={101: [("A", 1000, 100, 0)]})

case("older events: of another process and thread", OLD,
     legacy(1000, "B", "A", pid=200, tid=201), legacy(1100, "B", "B", tid=301),
     legacy(1200, "E", "A", pid=200, tid=201), legacy(1300, "E", "B", tid=301),
     slices={201: [("A", 1000, 200, 0)], 301: [("B", 1100, 200, 0)]}, of={201: 200, 301: 100})

case("older events: b, e and n nest by id and category", OLD,
     legacy(1000, "b", "A", unscoped=1, event_fields=CAT),
     legacy(1010, "b", "B", unscoped=1, event_fields=CAT),
     legacy(1020, "n", "N", unscoped=1, event_fields=CAT),
     legacy(1030, "b", "C", unscoped=1, event_fields={22: "dog"}),
     legacy(1040, "e", "B", unscoped=1, event_fields=CAT),
     legacy(1050, "e", "A", unscoped=1, event_fields=CAT),
     legacy(1060, "e", "C", unscoped=1, event_fields={22: "dog"}),
     slices={"100:A": [("A", 1000, 50, 0), ("B", 1010, 30, 1)], "100:C": [("C", 1030, 30, 0)]},
     instants=[("100:A", 1020, "N")],
     engine={"slices": {"A": [("A", 1000, 50, 0), ("B", 1010, 30, 1)], "C": [("C", 1030, 30, 0)]},
             "instants": [("A", 1020, "N")]}, why="the engine's track has no process")

case("older events: an id's scope", OLD,
     legacy(1000, "b", "A", unscoped=3, scope="x", event_fields=CAT),
     legacy(1010, "b", "B", unscoped=3, scope="y", event_fields=CAT),
     legacy(1020, "e", "A", unscoped=3, scope="x", event_fields=CAT),
     legacy(1030, "e", "B", unscoped=3, scope="y", event_fields=CAT),
     slices={"100:A": [("A", 1000, 20, 0)], "100:B": [("B", 1010, 20, 0)]},
     engine={"slices": {"A": [("A", 1000, 20, 0)], "B": [("B", 1010, 20, 0)]}},
     why="the engine's track has no process")

case("older events: ids of a process and of all", OLD,
     old_thread(200, 201, "other", seq=2, flags=CLEARED),
     legacy(1000, "b", "loc", local=3, event_fields=CAT),
     legacy(1010, "b", "loc", local=3, seq=2, event_fields=CAT),
     legacy(1020, "e", "loc", local=3, seq=2, event_fields=CAT),
     legacy(1030, "e", "loc", local=3, event_fields=CAT),
     legacy(1100, "b", "glo", global_=3, event_fields=CAT),
     legacy(1110, "b", "glo", global_=3, seq=2, event_fields=CAT),
     legacy(1120, "e", "glo", global_=3, seq=2, event_fields=CAT),
     legacy(1130, "e", "glo", global_=3, event_fields=CAT),
     slices={"100:loc": [("loc", 1000, 30, 0)], "200:loc": [("loc", 1010, 10, 0)],
             "100:glo": [("glo", 1100, 30, 0), ("glo", 1110, 10, 1)]},
     engine={"slices": {"100:loc": [("loc", 1000, 30, 0)], "200:loc": [("loc", 1010, 10, 0)],
                        "glo": [("glo", 1100, 30, 0), ("glo", 1110, 10, 1)]}},
     why="the engine's track has no process")

case("older events: S, T, p and F by name", OLD,
     legacy(1000, "S", "A", unscoped=2, event_fields=CAT),
     legacy(1010, "T", "A", unscoped=2, event_fields=CAT),
     legacy(1020, "p", "A", unscoped=2, event_fields=CAT),
     legacy(1030, "F", "A", unscoped=2, event_fields=CAT),
     slices={"100:A": [("A", 1000, 30, 0)]},
     instants=[("100:A", 1010, "A"), ("100:A", 1020, "A")],
     engine={"slices": {"A": [("A", 1000, 30, 0)]}, "instants": [("A", 1010, "A"),
             ("A", 1020, "A")]}, why="the engine's track has no process")

case("older events: names as metadata", cleared(), old_thread(100, 101, None),
     legacy(1000, "B", "A"), legacy(1100, "E"),
     legacy(1200, "M", "process_name", event_fields={4: {10: "name", 6: "com.app"}}),
     legacy(1200, "M", "thread_name", event_fields={4: {10: "name", 6: "worker"}}),
     slices={101: [("A", 1000, 100, 0)]}, threads={101: "worker"}, processes={100: "com.app"},
     engine={"threads": None}, why="the engine knows metadata of processes only")

case("older events: those that are no slices", OLD, legacy(1000, "B", "A"),
     legacy(1010, "C", "counter"), legacy(1020, "s", "flow", unscoped=7),
     legacy(1030, "f", "flow", unscoped=7), legacy(1040, "Z", "?"), legacy(1100, "E"),
     slices={101: [("A", 1000, 100, 0)]}, counters={}, instants=[])

# The kernel: who ran ---------------------------------------------------------------------

case("switches: states of the threads that leave", machine("5.10.0"),
     bundle(0, switch(1000, IDLE, 0, APP), switch(1500, APP, 1, OTHER),
            switch(2000, OTHER, 2, APP), switch(2600, APP, 256, OTHER),
            switch(3000, OTHER, 1, APP), switch(3500, APP, 1, IDLE)),
     states={101: [("Running", 1000, 500), ("S", 1500, 500), ("Running", 2000, 600),
                   ("R+", 2600, 400), ("Running", 3000, 500)],
             102: [("Running", 1500, 500), ("D", 2000, 600), ("Running", 2600, 400),
                   ("S", 3000, 500)]},
     ran={101: 1600, 102: 900}, threads={101: "app", 102: "other"})

case("columns and whole events of one core",
     bundle(0, switch(1000, IDLE, 0, APP)),
     bundle(0, fields=compact([(2000, 1, 102, 0), (3000, 1, 0, 1)], [], ["other", "swapper"])),
     states={101: [("Running", 1000, 1000), ("S", 2000, 1000)], 102: [("Running", 2000, 1000)]},
     engine={"states": None}, why="the engine leaves a core's first switch in columns out")

case("columns of different lengths", bundle(0, switch(1000, IDLE, 0, APP)),
     bundle(0, fields={4: {5: ["other"], 1: Packed([2000, 500]), 2: Packed([1]), 3: Packed([102]),
                           4: Packed([120]), 6: Packed([0])}}),
     states={101: [("Running", 1000, 1000)]}, damage={"skipped-packet": 1},
     engine={"states": None})

case("whole events and columns are the same", machine("5.10.0"),
     bundle(0, *(switch(ts, prev, state, then) for ts, prev, state, then in SWITCHED)),
     bundle(1, fields=compact([(ts, state, then[0], COMMS.index(then[1]))
                               for ts, prev, state, then in SWITCHED_TOO], comms=COMMS)),
     states={101: RAN, 102: RAN_NEXT, 103: RAN, 104: RAN_NEXT},
     engine={"states": {101: RAN, 102: RAN_NEXT, 103: RAN[1:], 104: RAN_NEXT}},
     why="a core's first switch in columns")

case("wakings: a thread can run from then on", machine("5.10.0"),
     bundle(0, switch(1000, IDLE, 0, APP), switch(1500, APP, 1, OTHER),
            waking(1700, 102, APP), switch(2000, OTHER, 1, APP), switch(2600, APP, 1, IDLE)),
     states={101: [("Running", 1000, 500), ("S", 1500, 200), ("R", 1700, 300),
                   ("Running", 2000, 600)], 102: [("Running", 1500, 500), ("S", 2000, 600)]})

STATES = {0: "R", 1: "S", 2: "D", 4: "T", 8: "t"}
OLDER = {**STATES, 0x80: "K", 0x100: "W", 0x200: "P", 0x400: "N", 0x402: "I", 0x82: "DK"}
for release, letters in (("", {**OLDER, 0x800: "R+"}), ("3.18.0", {**OLDER, 0x800: "R+"}),
                         ("4.4.1", {**OLDER, 0x800: "R+"}), ("4.9.0", {**OLDER, 0x1000: "R+"}),
                         ("4.14.0", {**STATES, 0x40: "P", 0x80: "I", 0x100: "R+"}),
                         ("5.10.0", {**STATES, 0x40: "P", 0x80: "I", 0x100: "R+"})):
    case("states by the kernel's release " + release, machine(release) if release else b"",
         bundle(0, *(one for at, bits in enumerate(letters) for one in (
             switch(1000 * at, IDLE, 0, APP), switch(1000 * at + 100, APP, bits, IDLE))),
             switch(1000 * len(letters), IDLE, 0, APP)),
         states={101: [row for at, letter in enumerate(letters.values()) for row in (
             ("Running", 1000 * at, 100), (letter, 1000 * at + 100, 900))]})

for release, bits, letter in (("3.18.0", 0x40, "x"), ("5.10.0", 0x20, "Z")):
    case("a thread's end on " + release, machine(release),
         bundle(0, switch(1000, IDLE, 0, APP), switch(2000, APP, bits, OTHER),
                switch(3000, OTHER, 1, IDLE)),
         states={101: [("Running", 1000, 1000)], 102: [("Running", 2000, 1000)]},
         engine={"states": {101: [("Running", 1000, 1000), (letter, 2000, 1000)],
                            102: [("Running", 2000, 1000)]}}, why="the end is a state")

case("wakeups beside wakings, and alone", machine("5.10.0"),
     bundle(0, switch(1000, IDLE, 0, APP), switch(1100, APP, 1, IDLE), waking(1200, 0, APP),
            waking(1250, 0, APP, number=17), switch(1300, IDLE, 0, APP),
            switch(1400, APP, 1, OTHER), switch(1500, OTHER, 1, IDLE),
            waking(1600, 0, OTHER, number=114), switch(1700, IDLE, 0, OTHER)),
     states={101: [("Running", 1000, 100), ("S", 1100, 150), ("R", 1250, 50),
                   ("Running", 1300, 100), ("S", 1400, 300)],
             102: [("Running", 1400, 100), ("S", 1500, 100), ("R", 1600, 100)]},
     engine={"states": {101: [("Running", 1000, 100), ("S", 1100, 100), ("R", 1200, 100),
                              ("Running", 1300, 100), ("S", 1400, 300)],
                        102: [("Running", 1400, 100), ("S", 1500, 200)]}},
     why="knows no wakeups")

def flagged(one, flags):
    return {**one, 5: flags}


WOKEN_BY = compact([(2000, 0, 102, 0), (3000, 1, 0, 2), (4000, 0, 101, 1), (5000, 1, 0, 2)],
                   [(2500, 101, 0, 1), (3500, 102, 0, 0)], ["other", "app", "swapper"])
WOKEN_BY[4][12] = Packed([1, 8])

case("wakings by threads and by interrupts", machine("5.10.0"),
     bundle(0, switch(1000, IDLE, 0, APP), switch(1100, APP, 1, THIRD),
            switch(1200, THIRD, 1, FOURTH), flagged(waking(1300, 104, APP), 1),
            flagged(waking(1350, 104, THIRD), 16), switch(1400, FOURTH, 1, IDLE),
            switch(1500, IDLE, 0, APP), switch(1600, APP, 1, THIRD), switch(1700, THIRD, 1, IDLE)),
     woken={101: (1300, "104 fourth"), 103: (1350, "(interrupt)")},
     engine={"woken": {101: (1300, "104 fourth"), 103: (1350, "104 fourth")}},
     why="knows what interrupted from columns only")

case("wakings in columns by threads and by interrupts", machine("5.10.0"),
     bundle(0, switch(1000, IDLE, 0, APP), switch(1100, APP, 1, OTHER),
            switch(1200, OTHER, 1, IDLE)),
     bundle(0, fields=WOKEN_BY), woken={101: (2500, "102 other"), 102: (3500, "(interrupt)")})

case("why a thread was blocked", machine("5.10.0"),
     bundle(0, switch(1000, IDLE, 0, APP), switch(1500, APP, 2, OTHER),
            kernel(1600, 102, 18, {1: 101, 2: 4, 3: 1}), switch(2000, OTHER, 1, APP),
            switch(2600, APP, 1, IDLE), seq=1, flags=CLEARED,
            interned={26: names("do_read", first=4)}),
     states={101: [("Running", 1000, 500), ("D", 1500, 500), ("Running", 2000, 600)],
             102: [("Running", 1500, 500), ("S", 2000, 600)]},
     waits=[(101, "do_read", "I/O", 1)], engine={"states": None})

case("cores are apart, bundles in any order", machine("5.10.0"),
     bundle(1, switch(5000, IDLE, 0, OTHER), switch(7000, OTHER, 1, IDLE)),
     bundle(0, switch(1000, IDLE, 0, APP), switch(6000, APP, 1, IDLE)),
     states={101: [("Running", 1000, 5000), ("S", 6000, 1000)], 102: [("Running", 5000, 2000)]})

for number, clock in ((2, "global"), (3, "local"), (4, "mono_raw")):
    case("times of a bundle's own clock: " + clock, snapshot({BOOTTIME: 10_000, MONOTONIC: 9_000}),
         bundle(0, printed(2000, 101, "B|100|A"), printed(2500, 101, "E|100"),
                fields={5: number, 6: 1000, 7: 10_000}, seq=1),
         slices={101: [("A", 11_000, 500, 0)]})

case("a core that lost events", bundle(0, switch(1000, IDLE, 0, APP)),
     bundle(0, switch(3000, OTHER, 1, IDLE), fields={3: 1}), damage={"lost-records": 1},
     engine={})

# Markers --------------------------------------------------------------------------------

case("markers: B and E", bundle(0, printed(1000, 101, "B|100|A"), printed(1100, 101, "B|100|b|c"),
     printed(1300, 101, "E|100"), printed(1500, 101, "E")),
     slices={101: [("A", 1000, 500, 0), ("b|c", 1100, 200, 1)]}, of={101: 100})

case("markers: S and F", bundle(0, printed(1000, 101, "S|100|job|7"),
     printed(1100, 102, "S|100|job|8"), printed(1200, 102, "F|100|job|7"),
     printed(1300, 102, "F|100|job|8")),
     slices={"100:job": [("job", 1000, 200, 0), ("job", 1100, 200, 0)]})

case("markers: of two S the first stands", bundle(0, printed(1000, 101, "S|100|job|7"),
     printed(1100, 101, "S|100|job|7"), printed(1200, 101, "F|100|job|7")),
     slices={"100:job": [("job", 1000, 200, 0)]})

case("markers: G and H", bundle(0, printed(1000, 101, "G|100|track|job|7"),
     printed(1200, 101, "H|100|track|7")), slices={"100:track": [("job", 1000, 200, 0)]})

case("markers: I and N", bundle(0, printed(1000, 101, "I|100|now"),
     printed(1200, 101, "N|100|track|then")),
     instants=[(101, 1000, "now"), ("100:track", 1200, "then")])

case("markers: C", bundle(0, printed(1000, 101, "C|100|level|5"),
     printed(1200, 101, "C|100|level|-3")), counters={"100:level": [(1000, 5), (1200, -3)]})

case("markers: other text, and broken ones", bundle(0, printed(1000, 101, "B|100|A"),
     printed(1050, 101, "only text"), printed(1060, 101, "C|100|level|many"),
     printed(1100, 101, "E|100\n\0")), slices={101: [("A", 1000, 100, 0)]}, counters={},
     damage={"malformed-line": 1})

case("markers: of more drivers", process_tree([(100, 1, "com.app")], [(101, 100, "main")]),
     bundle(0, *(kernel(1000 + at * 200 + (letter == "E") * 100, 101, number,
                        {key: {"pid": 100, "name": name, "letter": ord(letter)}[what]
                         for key, what in keys.items()})
                 for at, (number, name, keys) in enumerate((
                     (348, "dpu", {1: "pid", 4: "name", 5: "letter"}),
                     (349, "g2d", {1: "pid", 4: "name", 5: "letter"}),
                     (350, "mali", {2: "pid", 1: "name", 3: "letter"}),
                     (467, "lwis", {3: "pid", 4: "name", 2: "letter"}),
                     (484, "samsung", {1: "pid", 2: "name", 4: "letter"}))) for letter in "BE"),
            kernel(2100, 101, 348, {1: 100, 4: "level", 5: ord("C"), 6: 7})),
     slices={101: [(name, 1000 + at * 200, 100, 0)
                   for at, name in enumerate(("dpu", "g2d", "mali", "lwis", "samsung"))]},
     counters={"100:level": [(2100, 7)]})

case("markers: of the drivers",
     bundle(0, kernel(1000, 101, 331, {1: 1, 2: "zero", 3: 100}),
            kernel(1100, 101, 331, {1: 2, 2: "", 3: 100}),
            kernel(1200, 101, 331, {1: 4, 2: "count", 3: 100, 4: 9}),
            kernel(1300, 101, 333, {1: 100, 2: "sde", 3: ord("B")}),
            kernel(1400, 101, 333, {1: 100, 2: "sde", 3: ord("E")}),
            kernel(1500, 101, 80, {1: 100, 2: "mdss", 3: 1}),
            kernel(1600, 101, 80, {1: 100, 2: "mdss", 3: 0})),
     slices={101: [("zero", 1000, 100, 0), ("sde", 1300, 100, 0), ("mdss", 1500, 100, 0)]},
     counters={"100:count": [(1200, 9)]})

# Cores, interrupts, binder ----------------------------------------------------------------

case("frequencies and idle states", bundle(0, kernel(1000, 0, 11, {1: 1_800_000, 2: 0}),
     kernel(1100, 0, 13, {1: 1, 2: 0}), kernel(1200, 0, 13, {1: 4294967295, 2: 0}),
     kernel(1300, 0, 11, {1: 600_000, 2: 1})),
     counters={"0:cpu0 frequency": [(1000, 1_800_000)], "0:cpu1 frequency": [(1300, 600_000)],
               "0:cpu0 idle": [(1100, 2), (1200, 0)]})

case("interrupts", bundle(1, kernel(1000, 101, 36, {1: 5, 2: "timer"}),
     kernel(1200, 101, 37, {1: 5}), kernel(1300, 101, 24, {1: 3}), kernel(1500, 101, 25, {1: 3})),
     slices={"irq cpu1": [("IRQ (timer)", 1000, 200, 0)],
             "softirq cpu1": [("NET_RX", 1300, 200, 0)]},
     engine={"slices": None}, why="the engine's tracks have no names of that kind")

case("a binder transaction and its reply",
     bundle(0, printed(1000, 101, "B|100|call"), kernel(1000, 101, 50, {1: 1, 3: 200, 4: 201}),
            kernel(1100, 201, 51, {1: 1}), kernel(1400, 201, 50, {1: 2, 3: 100, 4: 101, 5: 1}),
            kernel(1500, 101, 51, {1: 2}), printed(1600, 101, "E|100")),
     slices={101: [("call", 1000, 600, 0), ("binder transaction", 1000, 500, 1)],
             201: [("binder reply", 1100, 300, 0)]}, chains={"binder 1": 2})

case("a binder transaction that waits for nothing",
     bundle(0, kernel(1000, 101, 50, {1: 1, 3: 200, 4: 201, 7: 1}), kernel(1100, 201, 51, {1: 1})),
     instants=[(101, 1000, "binder transaction async"), (201, 1100, "binder async rcv")],
     chains={"binder 1": 2})

# Processes --------------------------------------------------------------------------------

case("events before tracing started", packet(1_050_000, {69: {2: 1}}, seq=None), EARLY,
     slices={101: [("A", 1_200_000, 100_000, 0)]}, unread={"before the start": 2})
case("the buffer of before may be kept", packet(1_050_000, {69: {2: 1}}, seq=None),
     packet(data={34: {1: 1, 8: 1}}), EARLY,
     slices={101: [("early", 1_000_000, 40_000, 0), ("A", 1_200_000, 100_000, 0)]})
for number in (9, 10):
    case("events before all cores have some (%d)" % number,
         bundle(0, *MARKS, fields={number: 900_000}),
         bundle(1, printed(1_250_000, 102, "B|100|C"), printed(1_400_000, 102, "E|100"),
                fields={number: 1_150_000}),
         bundle(0, printed(1_500_000, 101, "C|100|n|5"), fields={number: 1_450_000}),
         slices={101: [("A", 1_200_000, 100_000, 0)], 102: [("C", 1_250_000, 150_000, 0)]},
         counters={"100:n": [(1_500_000, 5)]}, unread={"before the start": 2})
case("switches before all cores have some", machine("5.10.0"),
     bundle(0, fields={**compact([(1_000_000, 0, 101, 1), (1_100_000, 1, 0, 0),
                                  (1_300_000, 0, 101, 1), (1_400_000, 1, 0, 0)],
                                 comms=["swapper", "app"]), 10: 900_000}),
     bundle(1, switch(1_250_000, IDLE, 0, OTHER), switch(1_500_000, OTHER, 1, IDLE),
            fields={10: 1_150_000}),
     states={101: [("Running", 1_300_000, 100_000), ("S", 1_400_000, 100_000)],
             102: [("Running", 1_250_000, 250_000)]})

case("the tree of processes", process_tree([(100, 1, "com.app"), (3, 2, "kworker/1:0-events")],
     [(101, 100, "main")]), bundle(0, printed(1000, 101, "B|100|A"), printed(1100, 101, "E|100"),
                                   printed(1200, 3, "B|3|K"), printed(1300, 3, "E|3")),
     processes={100: "com.app", 3: "kworker/1:0"}, threads={101: "main", 3: "kworker/1:0"},
     of={101: 100, 3: 3}, engine={"threads": {101: "main"}})

INNER = process_tree([(1000, 1, "one"), (2000, 1, "two")],
                     [(1001, 1000, "main"), (2001, 2000, "main")],
                     inner={1000: [50, 5], 1001: [60, 6], 2000: [5], 2001: [6]})
OF_ONE, OF_TWO = {79: 1000}, {79: 2000}


def inner_thread(uuid, tid, more, **options):
    return packet(data={60: {1: uuid, 4: {1: 5, 2: tid, 5: "main"}}}, flags=CLEARED, more=more,
                  **options)


case("ids of pid namespaces", INNER, inner_thread(7, 6, OF_ONE),
     inner_thread(8, 6, OF_TWO, seq=2), inner_thread(9, 77, OF_TWO, seq=3),
     packet(data={60: {1: 10, 2: "jobs", 3: {1: 5}}}, more=OF_ONE),
     begin(1000, 7, "A"), begin(1100, 8, "B", seq=2), begin(1150, 9, "C", seq=3),
     begin(1200, 10, "D"), end(1300, 10), end(1400, 9, seq=3), end(1500, 8, seq=2), end(1600, 7),
     slices={1001: [("A", 1000, 600, 0)], 2001: [("B", 1100, 400, 0)], 77: [("C", 1150, 250, 0)],
             "1000:jobs": [("D", 1200, 100, 0)]}, of={1001: 1000, 2001: 2000},
     processes={1000: "one", 2000: "two"})

case("ids of a namespace that the tree tells later", inner_thread(7, 6, OF_ONE), INNER,
     begin(1000, 7, "A"), end(1600, 7), slices={6: [("A", 1000, 600, 0)]}, of={6: 5})

case("a command with arguments in one word", process_tree([(100, 1, "/bin/app -x")]),
     bundle(0, printed(1000, 100, "B|100|A"), printed(1100, 100, "E|100")),
     processes={100: "/bin/app"})

case("new threads and processes", process_tree([(100, 1, "com.app")]),
     bundle(0, kernel(1000, 100, 235, {1: 105, 2: "new", 3: 0x10000}),
            kernel(1100, 100, 235, {1: 300, 2: "child", 3: 0}),
            kernel(1150, 105, 236, {1: 105, 2: "new", 3: "renamed"}),
            printed(1200, 105, "B|100|A"), printed(1300, 105, "E|100"),
            printed(1400, 300, "B|300|C"), printed(1500, 300, "E|300")),
     threads={105: "renamed", 300: "child"}, of={105: 100, 300: 300})

case("a new thread whose maker's process becomes known later", process_tree([(100, 1, "com.app")]),
     bundle(0, switch(900_000, IDLE, 0, APP),
            kernel(1_000_000, 101, 235, {1: 102, 2: "child", 3: 0x10000}),
            switch(1_100_000, APP, 1, (102, "child")),
            kernel(1_150_000, 102, 235, {1: 103, 2: "grandchild", 3: 0x10000}),
            switch(1_200_000, (102, "child"), 1, (103, "grandchild")),
            switch(1_300_000, (103, "grandchild"), 1, IDLE)),
     bundle(0, printed(2_000_000, 101, "B|100|A"), printed(2_100_000, 101, "E|100")),
     of={101: 100, 102: 100, 103: 100}, slices={101: [("A", 2_000_000, 100_000, 0)]})

case("a thread's name in the tree holds against the kernel's",
     process_tree([(100, 1, "com.app")], [(101, 100, "tree")]),
     bundle(0, switch(1000, IDLE, 0, (101, "comm")),
            kernel(1050, 101, 236, {1: 101, 2: "comm", 3: "renamed"}),
            switch(1100, (101, "comm"), 1, IDLE)), threads={101: "tree"})

case("a thread id that is used again", machine("5.10.0"),
     bundle(0, switch(1000, IDLE, 0, APP), switch(1200, APP, 16, IDLE),
            kernel(1300, 0, 240, {1: "app", 2: 101}),
            kernel(1400, 102, 235, {1: 101, 2: "second", 3: 0}),
            printed(1500, 101, "B|101|A"), printed(1600, 101, "E|101")),
     slices={101: [("A", 1500, 100, 0)]}, threads={101: "second"})

case("a thread id that is used again without a word of the end", machine("5.10.0"),
     bundle(0, switch(1000, IDLE, 0, APP), switch(1500, APP, 1, OTHER),
            kernel(1600, 102, 235, {1: 101, 2: "second", 3: 0x10000}),
            printed(1700, 101, "B|101|A"), printed(1800, 101, "E|101")),
     slices={101: [("A", 1700, 100, 0)]}, threads={101: "second"}, lives={101: 2})

case("a thread that is freed after its end", machine("5.10.0"),
     bundle(0, switch(1000, IDLE, 0, APP), kernel(1100, 101, 238, {1: "app", 2: 101, 3: 100}),
            switch(1200, APP, 32, IDLE), kernel(1300, 0, 240, {1: "app", 2: 101}),
            kernel(1400, 0, 240, {1: "never seen", 2: 102})),
     lives={101: 1, 102: None})

for form, (one, two) in (
        ("", ((switch(1_000_000, IDLE, 0, APP), switch(2_000_000, APP, 1, IDLE)),
              (switch(900_000, IDLE, 0, IDLE), switch(1_500_000, IDLE, 0, APP),
               switch(2_300_000, APP, 1, IDLE)))),
        (", in columns", tuple(
            [{**compact(rows, [], ["swapper", "app"])}] for rows in (
                [(1_000_000, 0, 101, 1), (2_000_000, 1, 0, 0)],
                [(900_000, 0, 0, 0), (1_500_000, 0, 101, 1), (2_300_000, 1, 0, 0)])))):
    case("a thread on two cores at once" + form, machine("5.10.0"),
         *(bundle(core, *(() if form else rows), fields=rows[0] if form else None)
           for core, rows in enumerate((one, two))),
         ran={101: 1_300_000}, damage={"contradicting-switch": 1})

case("a thread that is renamed while columns have it on a core", machine("5.10.0"),
     bundle(0, kernel(1000, 100, 235, {1: 101, 2: "old", 3: 0x10000}),
            kernel(1600, 101, 236, {1: 101, 2: "old", 3: "new"}),
            fields=compact([(1100, 0, 0, 0), (1500, 0, 101, 1), (2000, 1, 0, 0)], [],
                           ["swapper", "old"])), threads={101: "new"})

case("the memory of processes", packet(1000, {9: {1: [{1: 100, 3: 2048, 10: -800}]}}),
     counters={"100:mem.rss": [(1000, 2 << 20)], "100:oom_score_adj": [(1000, -800)]})

case("frames of the display", process_tree([(100, 1, "com.app")]),
     packet(1000, {76: {3: {1: 1, 2: 7, 3: 8, 4: 100, 5: "layer"}}}),
     packet(1050, {76: {3: {1: 3, 2: 7, 3: 8, 4: 100, 5: "another layer"}}}),
     packet(1100, {76: {4: {1: 2, 2: 7, 3: 8, 4: 100, 5: "layer", 6: 2, 7: 0, 9: 64 | 128}}}),
     packet(1200, {76: {5: {1: 3}}}), packet(2000, {76: {5: {1: 1}}}),
     packet(2500, {76: {5: {1: 2}}}), packet(2600, {76: {5: {1: 9}}}),
     slices={"100:Expected Timeline": [("expected frame", 1000, 1000, 0)],
             "100:Actual Timeline": [("frame: App Deadline Missed, Buffer Stuffing", 1100, 1400,
                                      0)]},
     engine={"slices": {"100:Expected Timeline": [("7", 1000, 1000, 0)],
                        "100:Actual Timeline": [("7", 1100, 1400, 0)]}},
     why="the engine names frames by their number")

case("frames beside slices", MAIN, begin(1000, 7, "work"), end(1500, 7),
     packet(1100, {76: {1: {1: 1, 2: 7, 3: 100}}}), packet(1200, {76: {2: {1: 2, 2: 7, 3: 100, 7: 1}}}),
     packet(2000, {76: {5: {1: 1}}}), packet(2600, {76: {5: {1: 2}}}),
     slices={101: [("work", 1000, 500, 0)], "100:Expected Timeline": [("expected frame", 1100, 900, 0)],
             "100:Actual Timeline": [("frame: None", 1200, 1400, 0)]},
     busy={101: 500}, engine=None)

# Call stacks and messages -------------------------------------------------------------------

STACKS = {5: names("run", "draw"), 17: names("system", "libc.so"), 19: [{1: 1, 7: [1, 2]}],
          6: [{1: 1, 2: 1}, {1: 2, 2: 2}, {1: 3, 3: 1, 4: 0x1a2b}],
          7: [{1: 1, 2: [1, 2]}, {1: 2, 2: [1, 3]}, {1: 3, 2: [1]}]}
PERF = [(2_000_000, 1), (3_000_000, 1), (4_100_000, 2), # a little late
        (5_000_000, None), (5_000_000, 3), (20_000_000, 1), # it did not run before
        (21_000_000, 9)] # of no stack

case("samples of perf", MAIN, begin(1_000_000, 7, "slice"), end(30_000_000, 7),
     cleared(seq=2, defaults={12: {1: {2: 1000}}}, interned=STACKS),
     *(packet(ts, {66: {2: 100, 3: 101, 4: stack}}, seq=2, flags=NEEDS) for ts, stack in PERF),
     slices={101: [("slice", 1_000_000, 29_000_000, 0), ("run", 2_000_000, 4_000_000, 0),
                   ("draw", 2_000_000, 2_100_000, 1), ("libc.so+0x1a2b", 4_100_000, 900_000, 1),
                   ("run", 20_000_000, 1_000_000, 0), ("draw", 20_000_000, 1_000_000, 1)]},
     cpu={"run": 5_000_000, "draw": 3_000_000, "libc.so+0x1a2b": 1_000_000},
     damage={"malformed-line": 1}, unread={"perf_sample without a stack": 1},
     engine={"slices": {101: [("slice", 1_000_000, 29_000_000, 0)]}},
     why="the engine's samples are no slices")

for what, timebase in (("a tracepoint", {1: 1, 3: {1: "sched:sched_switch"}}),
                       ("a counter that is no clock", {2: 1000, 4: 10}),
                       ("a raw event", {2: 1000, 5: {1: 4}})):
    case("samples of %s are counts" % what, MAIN,
         begin(1_000_000, 7, "slice"), end(9_000_000_000, 7),
         cleared(seq=2, defaults={12: {1: timebase}}, interned=STACKS),
         *(packet(ts, {66: {2: 100, 3: 101, 4: 1}}, seq=2, flags=NEEDS)
           for ts in (2_000_000, 3_000_000, 5_000_000_000)),
         slices={101: [("slice", 1_000_000, 8_999_000_000, 0)] +
                 [(name, ts, 0, depth) for ts in (2_000_000, 3_000_000, 5_000_000_000)
                  for depth, name in enumerate(("run", "draw"))]},
         cpu={"run": 0, "draw": 0},
         engine={"slices": {101: [("slice", 1_000_000, 8_999_000_000, 0)]}},
         why="the engine's samples are no slices")

case("samples of a thread by a clock and by a tracepoint",
     cleared(seq=2, defaults={12: {1: {2: 1000}}}, interned=STACKS),
     cleared(seq=3, defaults={12: {1: {1: 1, 3: {1: "sched:sched_switch"}}}}, interned=STACKS),
     packet(2_000_000, {66: {2: 100, 3: 101, 4: 1}}, seq=2, flags=NEEDS),
     packet(2_500_000, {66: {2: 100, 3: 101, 4: 3}}, seq=3, flags=NEEDS),
     packet(3_000_000, {66: {2: 100, 3: 101, 4: 1}}, seq=2, flags=NEEDS),
     packet(4_000_000, {66: {2: 100, 3: 101, 17: 5}}, seq=2, flags=NEEDS),
     slices={101: [("run", 2_000_000, 2_000_000, 0), ("draw", 2_000_000, 2_000_000, 1),
                   ("run", 2_500_000, 0, 0)]},
     cpu={"run": 2_000_000}, damage={"lost-samples": 5, "lost-records": None}, engine=None)


def profile(stacks, deltas):
    """Chrome's samples: times are differences in microseconds."""
    return packet(data={54: {1: stacks, 2: deltas}}, seq=3, flags=NEEDS)


PROFILE = [packet(seq=3, flags=NEEDS, interned=STACKS), profile([1, 3], [10, 20]),
           profile([2], [5]), profile([1], []), snapshot({BOOTTIME: 1000, MONOTONIC: 1000}, seq=3)]

case("samples of Chrome", old_thread(200, 201, "Renderer", 500, seq=3, flags=CLEARED), *PROFILE,
     slices={201: [("run", 510_000, 25_000, 0), ("draw", 510_000, 20_000, 1),
                   ("libc.so+0x1a2b", 535_000, 0, 1)]},
     threads={201: "Renderer (samples)"}, damage={"skipped-packet": 1},
     engine={"slices": {}, "threads": None}, why="the engine's samples are no slices")

case("samples of Chrome of no thread", MAIN, begin(1000, 7, "A"), end(1100, 7), cleared(seq=3),
     *PROFILE, slices={101: [("A", 1000, 100, 0)]}, damage={"skipped-packet": 3}, engine=None)

case("messages of Android's log", MAIN, begin(1000, 7, "slice"), end(9000, 7),
     snapshot({REALTIME: 500_000, BOOTTIME: 0}),
     packet(data={39: {1: [{2: 100, 3: 101, 5: ts, 6: "Tag", 7: priority, 8: text} for ts, priority, text in
                           ((505_000, 6, "later"), (502_000, 2, "sooner"), (506_000, 9, "odd"))]}}, seq=4),
     slices={101: [("slice", 1000, 8000, 0)]},
     instants=[(101, 2000, "sooner"), (101, 5000, "later"), (101, 6000, "odd")],
     messages=[("V", 101, "Tag", "sooner"), ("E", 101, "Tag", "later"), ("?", 101, "Tag", "odd")],
     engine={"instants": []}, why="the engine's messages are no slices")

# Files --------------------------------------------------------------------------------------

SMALL = MAIN + begin(1000, 7, "load") + end(3000, 7)
DEFLATED = zlib.compress(SMALL)
LOADED = {101: [("load", 1000, 2000, 0)]}

case("gzip of several members", gzip.compress(SMALL[:20]) + gzip.compress(SMALL[20:]),
     slices=LOADED)
case("compressed packets", packet(data={50: DEFLATED}, seq=None), slices=LOADED)
case("compressed packets after others", SMALL, packet(data={50: zlib.compress(
    begin(4000, 7, "more") + end(4500, 7))}, seq=None), begin(5000, 7, "last"), end(5500, 7),
     slices={101: LOADED[101] + [("more", 4000, 500, 0), ("last", 5000, 500, 0)]})
if b"libarchive" not in subprocess.run([SLOWTOP, "--version"], capture_output=True, check=False).stdout:
    case("packets that zstd compressed are told", MAIN, begin(1000, 7, "load"), end(3000, 7),
         packet(data={133: b"\x28\xb5\x2f\xfd"}, seq=None), slices=LOADED,
         unread={"compressed by zstd": 1}, engine=None)
elif shutil.which("zstd"):
    case("packets that zstd compressed", packet(data={133: subprocess.run(
        ["zstd", "-c"], input=SMALL, capture_output=True, check=True).stdout}, seq=None),
         slices=LOADED, engine=None)
case("a last packet that was cut", SMALL, begin(4000, 7, "cut")[:-3], slices=LOADED,
     damage={"partial-record": 1}, engine=None)
case("damage within one packet costs that packet", SMALL,
     field(1, b"\x40\xa0\x1f\x50\x01\x5a\xff"), begin(4000, 7, "after"), end(4500, 7),
     slices={101: [("load", 1000, 2000, 0), ("after", 4000, 500, 0)]},
     damage={"skipped-packet": 1}, engine=None)
case("what got lost on the way is told by the last that tells", SMALL,
     packet(data={35: {1: [{19: 9}], 10: 9}}),
     packet(data={35: {1: [{6: 1, 19: 2, 3: 7}, {19: 3}], 10: 4, 8: 100}}), slices=LOADED,
     damage={"lost-records": 10})
case("what the kernel lost is told", bundle(0, *MARKS),
     packet(data={34: {1: 1, 2: [{1: 0, 3: 100}, {1: 1, 8: 5}]}}),
     packet(data={34: {1: 2, 2: [{1: 0, 3: 130}, {1: 1, 8: 5}]}}), damage={"lost-records": 1},
     log={"lost": 30})
case("what could not be recorded is told", SMALL, packet(data={34: {1: 1, 5: "atrace: failed"}}),
     slices=LOADED, properties={"ftrace-errors": "atrace: failed"})
case("packets of another machine are counted", SMALL, begin(1500, 7, "guest", more={98: 5}),
     slices=LOADED, unread={"of another machine": 1}, engine=None)
case("the kernel's events as text are told", SMALL, packet(data={5: {4: [
         "# tracer: nop\n#\n  app-101 [000] ...1 0.000002: tracing_mark_write: B|100|text\n"]}}),
     slices=LOADED, unread={"chrome_events (JSON, ftrace as text)": 1}, engine=None)
case("what is not read is told", SMALL, packet(5000, {47: {1: 1}}),
     packet(5000, {78: {1: 5}}), slices=LOADED,
     unread={"packages_list": 1, "ui_state": 1}, engine=None)
case("each is told by its name", SMALL, *(packet(data={number: {}}) for number in (
         93, 94, 96, 97, 104, 105, 137, 1000)), slices=LOADED, engine=None,
     unread={name: 1 for name in (
         "surfaceflinger_layers_snapshot", "surfaceflinger_transactions", "shell_transition",
         "shell_handler_mappings", "protolog_message", "protolog_viewer_config", "packet 137",
         "other packets")})
