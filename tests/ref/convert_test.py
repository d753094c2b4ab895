"""What "slowtop convert" writes gives the same profile when it is read back."""

import json
import sys

import kinds
import opened
from tap import SLOWTOP, Tap, Workdir, generate, run

FORMATS = opened.FORMATS + ["trace", "trace-v1", "trace-v2"]
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


def trace_differences(name, path, document, clocks, options):
    """A trace of ours again: its report is that of what it was made from."""
    again, slack = path + ".again", 0
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
    for kind in got["damage"]:
        if kind["kind"] not in ("unfinished-call", "unknown-method", "unknown-thread", "clock-wrap",
                                "buffer-overflow"):
            return ["%s: %s" % (name, kind)]
    got, want = wanted(got, clocks), wanted(document, clocks)
    if slack:
        # A caller that ends in the window's first instant, of a call that begins there.
        for method in set(got.calls) - set(want.calls):
            if not any(got.inclusive[method].values()):
                del got.calls[method]
    return ["%s: %s" % (name, line) for line in got.same(want, slack)]


def choices(document, turn):
    """Options to convert with: all, some threads, one clock."""
    yield []
    threads = [t["id"] for t in document["threads"] if t["records"]]
    if turn % 3 == 0 and threads:
        yield ["--thread=%d" % threads[turn % len(threads)]]
    if turn % 3 == 1:
        yield ["--clock=" + clocks_of(document)[turn // 3 % len(clocks_of(document))]]
    if turn % 3 == 2:
        # Between two microseconds, where no record is.
        end = int(max(document["total"].values())) // 4
        yield ["--from=%d.5us" % (end // 3), "--until=%d.5us" % end]


def test_generated(tap, work):
    """Every third trace of each kind: the same numbers as the report's."""
    bad, count = [], 0
    for turn, (kind, options) in enumerate(kinds.traces(3)):
        if turn % 3:
            continue
        path = generate(work / "made.trace", *options)
        for chosen in choices(report(path), turn // 3):
            document = report(path, *chosen)
            for name in FORMATS:
                count += 1
                lines = differences(name, path, document, chosen)
                bad += ["%s, %s" % (kind, " ".join(options + chosen))] * bool(lines) + lines[:3]
    tap.same(bad, "%d files read back" % count)


def main():
    tap = Tap()
    with Workdir() as work:
        test_generated(tap, work)
    return tap.done()


sys.exit(main())
