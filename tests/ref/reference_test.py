# SPDX-License-Identifier: Apache-2.0
"""slowtop's report against the plain reference, on generated traces of every kind."""

import json
import sys

import compare
import kinds
from subjects import Counted, Failed, report_slowtop
from tap import Tap, Workdir, generate

# Every kind of damage must be met a few times, or the traces would test little.
ENOUGH = {
    "backward-clock": 20, "buffer-overflow": 20, "clock-wrap": 10, "exit-without-entry": 20,
    "hidden-wrap": 5,
    "lost-exit": 20, "partial-record": 20, "reserved-action": 10, "unfinished-call": 20,
    "unknown-method": 10, "unknown-thread": 5, "unmatched-exit": 20,
}


def variants(counted, turn):
    """Options of a report: all of them in turn, some with every trace."""
    yield {"relations": True}
    if turn % 3 == 0:
        for clock in counted.clocks:
            yield {"relations": True, "clock": clock}
    if turn % 2 == 0 and counted.threads:
        yield {"relations": True, "threads": [counted.threads[turn % len(counted.threads)].id]}
    if turn % 4 == 1 and len(counted.threads) > 2:
        yield {"relations": False, "threads": [t.id for t in counted.threads[1:]]}


def compare_all(counted, path, turn):
    for options in variants(counted, turn):
        what = ", ".join("%s=%s" % o for o in options.items())
        try:
            got = report_slowtop(path, **options)
        except (Failed, json.JSONDecodeError) as why:
            yield "%s: %s" % (what, why)
            continue
        clock = options.get("clock") or ("cpu" if "cpu" in counted.clocks else "wall")
        want = counted.report(**options)
        if "threads" in options:
            # The thread of a method that was never called is not kept.
            compare.without_uncalled(got)
            compare.without_uncalled(want)
        for line in compare.differences(got, want):
            yield "%s: %s" % (what, line)
        yield from compare.compare_order(got, clock)


def test_generated(tap, work):
    seen = {}
    for turn, (name, options) in enumerate(kinds.traces(1)):
        path = generate(work / "made.trace", *options)
        counted = Counted(path)
        for kind in counted.profile.damage:
            seen[kind] = seen.get(kind, 0) + 1
        tap.same(compare_all(counted, path, turn), name + ", " + " ".join(options[-6:]))
    for kind, least in ENOUGH.items():
        least = max(1, int(least * kinds.share() / 2)) if kinds.share() < 1 else least
        tap.ok(seen.get(kind, 0) >= least, "%s was there" % kind,
               "%d traces, want %d" % (seen.get(kind, 0), least))


# Small cases that no program writes by chance.
CASES = {
    "two threads of one id, ids above 16 bits": """
        thread 5 first
        thread 5 second
        thread 65543 wide
        1 5 > a.B.f
        2 7 > a.B.f
        3 7 <
        4 5 <
        """,
    "ids above 16 bits that could be two": """
        thread 65543 wide
        thread 131079 wider
        2 7 > a.B.f
        3 7 <
        """,
    "method ids twice, columns of every number": """
        method 0x10 a.B f ()V B.java
        method 0x10 a.C g (I)I C.java
        method 0x14 only
        method 0x18 a.D h
        method 0x1c a.E i ()V
        method 0x20 func path/file.c 12
        method 0x24 a.F j (J)J F.java 7
        line methods 0x28\\ta.G\\t\\t\\t
        line methods not a method
        line methods 44\\tdecimal
        line methods 060\\toctal
        0 1 > 0x10
        1 1 > 0x14
        2 1 > 0x18
        3 1 > 0x1c
        4 1 > 0x20
        5 1 > 0x24
        6 1 > 0x28
        7 1 > 0x2c
        8 1 > 0x30
        9 1 <
        """,
    "bytes of every kind in names": """
        option odd=\\x01\\xff"\\\\
        option empty=
        option a=b=c
        option twice=1
        option twice=2
        thread 1 \\xed\\xa0\\x80\\xc0\\x80\\xf0\\x9f\\x98
        thread 2 tab\\there
        thread 3
        method 0x10 \\x1b[31mred \\x7f\\xff "\\\\"
        method 0x14 a.\\xe4\\xb8\\xad f\\xf4\\x90\\x80\\x80 ()V "".java
        1 1 > 0x10
        2 1 > 0x14
        3 2 > 0x10
        3 3 > 0x14
        """,
    "an *end in a name, no options, CR LF": """
        clock none
        crlf
        thread 1 x
        line threads *end
        thread 2 y
        1 1 > a.B.f
        2/9 1 <
        """,
    "a name that goes on with a number": """
        thread 1 x
        line threads 2 of them
        thread 2 y
        1 1 > a.B.f
        2 2 > a.B.f
        """,
    "key version of its own": """
        version 2
        key-version 3
        clock thread-cpu
        1 1 > a.B.f
        2 1 <
        """,
    "unknown clock, version 2": """
        version 2
        clock lunar
        1 1 > a.B.f
        2 1 <
        """,
    "only reserved actions and stray exits": """
        1 1 > a.B.f
        2 1 ? a.B.g
        3 1 < a.B.h
        4 2 ? a.B.i
        9 2 ? a.B.i
        """,
    "entered before, deep and recursive": """
        10 1 > a.B.f
        20 1 > a.B.g
        30 1 <
        40 1 <
        50 1 < a.B.g
        60 1 > a.B.h
        70 1 <
        80 1 < a.B.f
        90 1 ! a.B.g
        95 1 > a.B.f
        """,
    "lost exits of recursive calls": """
        0 1 > a.B.f
        1 1 > a.B.g
        2 1 > a.B.f
        3 1 > a.B.h
        4 1 < a.B.g
        5 1 > a.B.h
        6 1 < a.B.f
        """,
    "both clocks step back together and apart": """
        100/100 1 > a.B.f
        90/90   1 > a.B.g
        95/80   1 <
        80/95   1 <
        200/200 1 > a.B.f
        """,
    "wraps beyond the stated end": """
        option elapsed-time-usec=4000000
        4294967290/4294967290 1 > a.B.f
        5/6                   1 > a.B.g
        9/8                   1 <
        """,
    "a wrap of one clock, and a step of half the range": """
        4294967000/100 1 > a.B.f
        4294967400/200 1 > a.B.g
        4294967500/300 1 <
        8589934000/400 1 <
        8589935000/500 1 > a.B.f
        """,
    "two wraps": """
        clock wall
        option elapsed-time-usec=9000000000
        4000000000 1 > a.B.f
        4300000000 1 > a.B.g
        8000000000 1 <
        8600000000 1 <
        8700000000 2 > a.B.g
        8900000000 2 <
        """,
    "the first record after a wrap": """
        option elapsed-time-usec=4900000000
        4800000000 1 > a.B.f
        4800000900 2 > a.B.f
        4899900000 1 <
        """,
    "silence of two wraps": """
        clock wall
        option elapsed-time-usec=8999999999
        100 1 > a.B.f
        410034593 1 <
        """,
    "no record in two hours": """
        option elapsed-time-usec=7200000000
        thread 1 main
        """,
    "a long end that is missing": """
        option elapsed-time-usec=9000000000
        option data-file-overflow=true
        100 1 > a.B.f
        200 1 <
        """,
    "overflow, said in capitals": """
        option data-file-overflow=TRUE
        1 1 > a.B.f
        """,
    "a partial record only": """
        raw 01 02 03
        """,
    "an empty trace": """
        thread 1 main
        """,
}


def test_cases(tap, work):
    for name, description in CASES.items():
        lines = [line.strip() for line in description.splitlines()]
        path = generate(work / "case.trace", description="\n".join(lines) + "\n")
        counted = Counted(path)
        tap.same([line for turn in (0, 1) for line in compare_all(counted, path, turn)], name)


def main():
    tap = Tap()
    with Workdir() as work:
        test_cases(tap, work)
        test_generated(tap, work)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
