# SPDX-License-Identifier: Apache-2.0
"""What "slowtop convert" writes gives the same profile when it is read back."""

import csv
import gzip
import io
import json
import os
import re
import select
import signal
import subprocess
import sys
import time

import kinds
import opened
from tap import SLOWTOP, Tap, Workdir, generate, run, samples

FORMATS = opened.FORMATS + ["trace", "trace-v1", "trace-v2"]
WORK = None
# In formats with one clock only that one counts.
ONE_CLOCK = {"speedscope", "trace-v1", "trace-v2"}


def report(path, *options):
    status, out, errors = run(SLOWTOP, "report", "--format=json", *options, path)
    if status:
        raise opened.Bad("report: %r" % errors)
    return json.loads(out)


def wanted(document, clocks):
    """The sums of a report."""
    sums = opened.Sums()
    for method in document["methods"]:
        if method["id"] == "toplevel":
            continue
        name = method["class"] + "." + method["name"] if method["class"] else method["name"]
        name = name + method["signature"] or method["id"]
        if method["id"] in ("other", "before"):
            name = "(" + method["id"] + ")"
        calls = method["calls"] + method["recursive_calls"]
        sums.calls[name] = sums.calls.get(name, 0) + calls
        for table, key in ((sums.exclusive, "excl_%s_us"), (sums.inclusive, "incl_%s_us")):
            sums.add(table, name, {c: opened.ns(method[key % c]) for c in clocks
                                   if key % c in method})
    return sums


def convert(name, path, *options):
    status, out, errors = run(SLOWTOP, "convert", "--to=" + name, *options, path)
    if status or errors:
        raise opened.Bad("status %d: %r" % (status, errors))
    return out


def clocks_of(document):
    return document["trace"]["clocks"]


def differences(name, path, document, options):
    clocks = clocks_of(document)
    if name in ONE_CLOCK:
        clocks = ["wall" if "wall" in clocks else "cpu"]
    for option in options:
        if option.startswith("--clock="):
            clocks = [option[8:]]
    if name.startswith("trace"):
        return trace_differences(name, path, document, clocks, options)
    try:
        got = opened.sums(name, convert(name, path, *options), clocks)
    except (opened.Bad, ValueError, KeyError) as why:
        return ["%s: %s: %s" % (name, type(why).__name__, why)]
    return ["%s: %s" % (name, line) for line in got.same(wanted(document, clocks))]


def to_us(sums):
    """Times as a classic trace can tell them."""
    for table in (sums.exclusive, sums.inclusive):
        for row in table.values():
            for clock in row:
                row[clock] //= 1000
    return sums


def totals_differ(got, want, clocks, slack):
    """What time in no call is missing at the edges is missing in the total, and no more."""
    for clock in clocks:
        key = clock + "_us"
        total = want["total"][key] - got["total"][key]
        none = [sum(m["excl_" + key] for m in d["methods"] if m["id"] == "toplevel")
                for d in (want, got)]
        less = none[0] - none[1]
        if abs(total - less) * 1000 > slack or total * 1000 < -slack:
            return "%s: the total is less by %s, (toplevel) by %s" % (clock, total, less)
    return None


def trace_differences(name, path, document, clocks, options):
    """A trace of ours again: its report is that of what it was made from."""
    again, slack = os.path.join(WORK, "again.trace"), 0
    if any(".5us" in option for option in options):
        options = [option.replace(".5us", "us") for option in options]
        document = report(path, *options)
        # CPU time at an edge is assumed, and cut off below the microsecond.
        slack = 1000 * len(document["threads"]) + 1
    with open(again, "wb") as file:
        file.write(convert(name, path, *options))
    got = report(again)
    if got["trace"]["format"] != "classic":
        return ["%s: %s" % (name, got["trace"]["format"])]
    for kind in got["damage"] + got["edges"]:
        if kind["kind"] not in ("unfinished-call", "unknown-method", "unknown-thread", "clock-wrap",
                                "hidden-wrap",
                                "buffer-overflow"):
            return ["%s: %s" % (name, kind)]
    lost = totals_differ(got, document, clocks, slack)
    if lost:
        return [lost]
    got, want = wanted(got, clocks), wanted(document, clocks)
    if slack:
        # A caller that ends in the window's first instant, of a call that begins there.
        for method in set(got.calls) - set(want.calls):
            if not any(got.inclusive[method].values()):
                del got.calls[method]
    return ["%s: %s" % (name, line) for line in got.same(want, slack)]


def window(document):
    """Between two microseconds, where no record is."""
    end = int(max(document["total"].values())) // 4
    return ["--from=%d.5us" % (end // 3), "--until=%d.5us" % end]


def choices(document, turn):
    """Options to convert with: all, some threads, one clock."""
    yield []
    threads = [t["tid"] for t in document["threads"] if t["records"]]
    if turn % 3 == 0 and threads:
        yield ["--thread=%d" % threads[turn % len(threads)]]
    if turn % 3 == 1:
        yield ["--clock=" + clocks_of(document)[turn // 3 % len(clocks_of(document))]]
    if turn % 3 == 2:
        yield window(document)


def test_generated(tap, work):
    """Every third trace of each kind: the same numbers as the report's.

    Half of the formats have the whole of a trace, the others what the options choose of it; it is
    the other way round in the next round of all kinds of damage.
    """
    bad, count = [], 0
    for turn, (kind, options) in enumerate(kinds.traces(3)):
        if turn % 3:
            continue
        path = generate(work / "made.trace", *options)
        half = turn // 3 // len(kinds.DAMAGES)
        for chosen in choices(report(path), turn // 3):
            document = report(path, *chosen)
            half += 1
            for name in FORMATS[half % 2::2]:
                count += 1
                lines = differences(name, path, document, chosen)
                bad += ["%s, %s" % (kind, " ".join(options + chosen))] * bool(lines) + lines[:3]
    tap.ok(count > 50, "there are files to read back: %d" % count)
    tap.same(bad, "%d files read back" % count)


def compare_all(path, formats):
    """Differences between a trace's report and each format of it, read back."""
    document = report(path)
    for name in formats:
        yield from differences(name, path, document, [])


def test_variants(tap, work):
    """Traces of other layouts, which end up with other ids or threads."""
    for layout in ("classic", "streaming", "streaming-late", "v2a", "v2a-stream", "v2b"):
        path = generate(work / "made.trace", "--format=" + layout, "--records=3000",
                        "--threads=9", "--unroll=300", "--exact-us")
        tap.same(list(compare_all(path, FORMATS)), layout + ": all formats")


def test_samples(tap):
    """Real traces, the smaller ones."""
    paths = [path for path in samples() if os.path.getsize(path) < 300000 * kinds.share() ** 2]
    if not paths:
        tap.skip("no samples")
    for path in paths:
        if run(SLOWTOP, "info", path)[0] == 0:
            tap.same(list(compare_all(path, FORMATS)), os.path.basename(path) + ": all formats")


HOSTILE = r"""
clock dual
option pid=4000000000
thread 1 main</script><script>alert(1)</script>
thread 2 \x1b]0;title\x07\x1b[2J"quoted"\\
thread 3 \xff\xfe\xc0\x80\xed\xa0\x80 fn=(1) x\rcalls=7 0
thread 4
method 0x4 </script><img\ssrc=x> on"load=\x1b[31m (Ljava/lang/String;)V a.java 7
method 0x8 a.B {"a":1}\s]}\\ ()V "b".java
method 0xc digraph\s{\sa->\sb;\s} f\x00g ()V (2)c.java
method 0x10 fn=(3) cfn=(4) ()V ../../d
method 0x14 \xf0\x90\x80 \xe2\x80\xae()V () \xff.java
method 0x18 'a';b&amp;`c` $(d)|e ()V
method 0x20 "" "" ""
0 1 > 0x4
1 1 > 0x8
2 2 > 0xc
3 1 < 0x8
4 2 > 0x10
5 1 > 0x14
6 3 > 0x18
7 2 ! 0x10
8 4 > 0x4
9 1 < 0x14
10 3 > 0x1c
11 2 < 0xc
12 1 < 0x4
13 4 > 0x20
14 4 < 0x20
"""

TEXTS = [["convert", "--to=callgrind"], ["convert", "--to=chrome"], ["convert", "--to=firefox"],
         ["convert", "--to=speedscope"], ["dump"], ["dump", "--format=json"], ["report"],
         ["report", "--format=json"], ["report", "--view=tree"], ["info"], ["info", "--format=json"],
         ["flame"], ["html"], ["dmtracedump", "-h"]]


def test_hostile(tap, work):
    path = generate(work / "hostile.trace", description=HOSTILE)
    # Callgrind's file is text for a terminal, too: names are not what they were.
    tap.same(list(compare_all(path, [name for name in FORMATS if name != "callgrind"])),
             "hostile names: all formats")
    for words in TEXTS:
        status, out, errors = run(SLOWTOP, *words, path)
        name = " ".join(words)
        found = ["status %d, %r" % (status, errors)] if status else []
        try:
            out.decode()
        except UnicodeDecodeError as why:
            found.append(str(why))
        found += ["a control character %#x" % c for c in set(out) if c < 32 and c not in b"\t\n\r"]
        if words[0] in ("flame", "html", "dmtracedump"):
            found += ["markup of the trace: %r" % bad for bad in (b"<script>alert", b"<img src=x")
                      if bad in out]
        tap.same(found, "hostile names: " + name)


DUMPED = r"""
clock dual
thread 1 main
thread 7 worker
method 4 a.A a ()V
method 8 a.A b (I)V
method 12 b.B c ()V
0 1 > a.A.a
3/4 7 < b.B.c
5 1 > a.A.b
6 1 > b.B.c
9 1 ! b.B.c
10 1 < b.B.c
11 1 ? b.B.c
12 1 < a.A.a
14 1 < a.A.b
15 7 > 0x40
"""

DUMP = """\
       Wall us         CPU us   Thread Action   Depth Method
             0              0        1 enter        1   a.A.a()V
             4              3        7 exit         0 b.B.c()V  (entered before)
             5              5        1 enter        2     a.A.b(I)V
             6              6        1 enter        3       b.B.c()V
             9              9        1 unroll       3       b.B.c()V
            10             10        1 exit         3       b.B.c()V  (not open)
            11             11        1 reserved     3       b.B.c()V  (skipped)
            12             12        1 exit         1   a.A.a()V  (closes others)
            14             14        1 exit         0 a.A.b(I)V  (entered before)
            15             15        7 enter        0 0x40 (proxy?)
"""


def test_dump(tap, work):
    path = generate(work / "dumped.trace", description=DUMPED)

    def dump(*options):
        status, out, errors = run(SLOWTOP, "dump", *options, path)
        return out.decode() if status == 0 and not errors else "%d %r" % (status, errors)

    lines = DUMP.splitlines(True)
    tap.same([] if dump() == DUMP else [dump()], "dump: text")
    want = [line for line in lines if "b.B" not in line]
    tap.same([] if dump("--filter=!^b") == "".join(want) else [dump("--filter=!^b")], "dump: a filter")
    want = lines[0] + lines[2] + lines[10]
    tap.same([] if dump("--thread=worker") == want else [dump("--thread=worker")], "dump: a thread")
    want = lines[0] + "".join(lines[3:6])
    got = dump("--from=5us", "--to=10us")
    tap.same([] if got == want else [got], "dump: a window")
    got = dump("--clock=cpu").splitlines()[2]
    tap.same([] if got == lines[2][15:].rstrip("\n") else [got], "dump: a clock")
    rows = list(csv.reader(io.StringIO(dump("--format=csv"), newline="")))
    objects = [json.loads(line) for line in dump("--format=json").splitlines()]
    tap.ok(len(rows) == 11 and len(objects) == 10, "dump: csv and json have all records")
    again = [[str(o.get(key, "")) for key in rows[0]] for o in objects]
    tap.same([] if again == rows[1:] else zip(again, rows[1:]), "dump: csv and json say the same")
    tap.ok(rows[2][1:] == ["7", "worker", "4", "3", "exit", "0", "0xc", "b.B.c()V",
                           "entered before"], "dump: csv", rows[2])
    status, out, _ = run(SLOWTOP, "info", "--format=json", path)
    with open(path, "rb") as file:
        data = file.read()
    tap.ok(status == 0 and len(data) == objects[-1]["offset"] + 14, "dump: places in the file")


def test_counts(tap, work):
    """Every record is dumped, of traces of every kind."""
    bad = []
    for turn, (kind, options) in enumerate(kinds.traces(5)):
        if turn % 9:
            continue
        path = generate(work / "made.trace", *options)
        records = report(path)["trace"]["records"]
        status, out, errors = run(SLOWTOP, "dump", "--format=csv", path)
        if status or out.count(b"\r\n") != records + 1:
            bad.append("%s: %d lines, %d records %r" % (kind, out.count(b"\r\n"), records, errors))
    tap.same(bad, "dump: as many lines as records")


def test_deep(tap, work):
    """Forms that repeat the stack with each path do not become its square."""
    depth = 12000
    lines = ["thread 1 main", "method 0x10 a.B f ()V"]
    lines += ["%d 1 > a.B.f" % at for at in range(depth)]
    lines += ["%d 1 <" % (depth + at) for at in range(depth)]
    path = generate(work / "deep.trace", description="\n".join(lines) + "\n")
    total = (2 * depth - 1) * 1000
    # Ids of locations are of one byte here.
    profile = list(opened.fields(gzip.decompress(convert("pprof", path))))
    paths = [dict(opened.fields(raw)) for field, raw in profile if field == 2]
    sums = [sum(column) for column in zip(*(opened.varints(p[2]) for p in paths))]
    tap.ok(8000 < len(paths) < depth and sum(len(p[1]) for p in paths) < 34 << 20 and
           (6, b"(deeper)") in profile, "pprof: a deep recursion is cut", len(paths))
    tap.ok(sums == [depth, total, total], "pprof: what is deeper is summed", sums)
    got = opened.callgrind(convert("callgrind", path), ["cpu", "wall"])
    tap.ok(got.calls.get("a.B.f()V") == depth and
           got.inclusive.get("a.B.f()V") == {"cpu": total, "wall": total},
           "callgrind: the sums of a deep recursion", got.calls, got.inclusive)


def texts(words):
    status, out, errors = run(SLOWTOP, *words)
    if status or errors:
        raise opened.Bad("%s: status %d: %r" % (" ".join(words), status, errors))
    return out


def transforms(document):
    """Lists of transforms about methods that the report has."""
    names = [re.escape(m["name"]) for m in document["methods"]
             if m["id"] != "toplevel" and m["name"]] or ["x"]
    first, last = names[0], names[len(names) // 2]
    yield ["--transform=focus:" + first]
    yield ["--transform=merge:" + first, "--transform=drop:" + last]
    yield ["--transform=recursion:.", "--transform=exclude:" + last]


def test_transforms(tap, work):
    """Sums of the changed tree are those of the changed report; calls are refused."""
    bad, count = [], 0
    for turn, (kind, options) in enumerate(kinds.traces(7)):
        if turn % 11:
            continue
        path = generate(work / "made.trace", *options)
        whole = report(path)
        for chosen in transforms(whole):
            for more in ([], window(whole)):
                try:
                    document = report(path, *chosen, *more)
                except opened.Bad as e:
                    # The trace may begin later, or be shorter than all threads together.
                    if more and "window is empty" in str(e):
                        continue
                    raise
                for name in ("callgrind", "pprof"):
                    count += 1
                    lines = differences(name, path, document, chosen + more)
                    bad += [kind + str(chosen + more)] * bool(lines) + lines[:3]
    tap.ok(count > 10, "there are files of transformed trees: %d" % count)
    tap.same(bad, "%d files of transformed trees read back" % count)
    path = generate(work / "made.trace", "--records=3000", "--seed=5")
    for name in FORMATS + ["trace"]:
        if name not in ("callgrind", "pprof"):
            status, out, errors = run(SLOWTOP, "convert", "--to=" + name,
                                      "--transform=focus:a", path)
            tap.ok(status == 2 and b"is made of calls" in errors and not out,
                   name + ": no transforms", errors)


def test_pictures(tap, work):
    """Flame graphs are those of the command for them; filters merge."""
    path = generate(work / "made.trace", "--records=5000", "--seed=6")
    name = [m["name"] for m in report(path)["methods"] if m["calls"] > 3][3]
    for form in ("folded", "svg"):
        for options in ([], ["--clock=wall"], ["--thread=main"], ["--transform=focus:" + name],
                        ["--from=1ms", "--until=50ms"]):
            tap.ok(texts(["convert", "--to=" + form, *options, path]) ==
                   texts(["flame", "--format=" + form, *options, path]),
                   "%s %s: as flame has it" % (form, " ".join(options)))
        tap.ok(texts(["convert", "--to=" + form, "--filter=!" + name, path]) ==
               texts(["flame", "--format=" + form, "--transform=merge:" + name, path]),
               form + ": what a filter leaves out is merged")


def test_unread(tap, work):
    """A pipe that is not read does not keep what compresses; what failed leaves nothing in it."""
    path = generate(work / "made.trace", "--records=600k", "--methods=20000", "--threads=20")
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in the background of a shell
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for form in ("pprof", "chrome"):
        child = subprocess.Popen([SLOWTOP, "convert", "--to=" + form, path],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        select.select([child.stdout], [], [], 120)
        time.sleep(.5)  # the pipe is full by then, or soon
        child.send_signal(signal.SIGINT)
        tap.ok(child.wait(120) == 130, form + ": ^C ends it although its output is not read")
        child.communicate()
    with open(path, "wb") as file:
        file.write(b"no trace")
    status, out, _ = run(SLOWTOP, "convert", "--to=pprof", path)
    tap.ok(status == 2 and out == b"", "pprof: nothing of what is no trace", out)


def main():
    tap = Tap()
    global WORK
    with Workdir() as work:
        WORK = work.path
        test_generated(tap, work)
        test_variants(tap, work)
        test_samples(tap)
        test_hostile(tap, work)
        test_dump(tap, work)
        test_counts(tap, work)
        test_deep(tap, work)
        test_transforms(tap, work)
        test_pictures(tap, work)
        test_unread(tap, work)
    return tap.done()


sys.exit(main())
