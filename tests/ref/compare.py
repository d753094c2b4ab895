# SPDX-License-Identifier: Apache-2.0
"""Comparing two reports of the same trace, member by member."""

from subjects import LISTS, Failed, by_id, full_name

def members(where, got, want, keys):
    for key in keys:
        if key not in got:
            yield "%s: no %s" % (where, key)
        elif got[key] != want[key]:
            yield "%s: %s is %r, want %r" % (where, key, got[key], want[key])


def no_more(where, got, want):
    for key in set(got) - set(want):
        yield "%s: %s should not be there" % (where, key)


def compare_tables(where, got, want, inside):
    """Two arrays of objects with ids."""
    got, want = by_id(got), by_id(want)
    for ident in want:
        if ident not in got:
            yield "%s %s is missing" % (where, ident)
        else:
            yield from inside("%s %s" % (where, ident), got[ident], want[ident])
    for ident in got:
        if ident not in want:
            yield "%s %s is too much" % (where, ident)


def compare_plain(where, got, want):
    yield from members(where, got, want, want)
    yield from no_more(where, got, want)


def compare_method(where, got, want):
    yield from members(where, got, want,
                       [k for k in want if k not in LISTS and k != "rank"])
    yield from no_more(where, got, want)
    for kind in LISTS:
        if kind in want and kind in got:
            yield from compare_tables("%s %s" % (where, kind), got[kind], want[kind],
                                      compare_plain)


def compare_ranks(got, want):
    """Equal, but for methods that share time and name."""
    ids = by_id(want["methods"])
    place = {m["rank"]: m for m in want["methods"]}
    for m in got["methods"]:
        rank = ids[m["id"]]["rank"] if m["id"] in ids else m["rank"]
        other = place.get(m["rank"])
        if rank != m["rank"] and (other is None or full_name(other) != full_name(m)):
            yield "method %s: rank is %r, want %r" % (m["id"], m["rank"], rank)


def compare_damage(got, want):
    got = {d["kind"]: (d["count"], d["offset"]) for d in got}
    want = {d["kind"]: (d["count"], d["offset"]) for d in want}
    for kind in sorted(set(got) | set(want)):
        a, b = got.get(kind), want.get(kind)
        if a != b:
            yield "damage %s is %s, want %s" % (kind, a, b)


def compare_order(report, clock):
    """Lists are in the order of their time, `self` first."""
    for m in report["methods"]:
        for kind in LISTS:
            entries = [e for e in m.get(kind, ()) if e["id"] != "self"]
            times = [e["incl_%s_us" % clock] for e in entries]
            if times != sorted(times, reverse=True):
                yield "%s of %s are not in order of %s" % (kind, m["id"], clock)
        if m.get("children") and m["children"][0]["id"] != "self":
            yield "children of %s begin without self" % m["id"]


def without_uncalled(report):
    """The report less methods that are only in exits of no call."""
    report["methods"] = [m for m in report["methods"] if m["calls"] + m["recursive_calls"]]


def differences(got, want):
    """Where two reports differ, as lines of text."""
    try:
        yield from members("trace", got["trace"], want["trace"],
                           [k for k in want["trace"] if k != "file"])
        # Whether a sampler made it is a guess of the program's own; t-samples has cases.
        yield from no_more("trace", set(got["trace"]) - {"sample_interval_us"},
                           want["trace"])
        yield from compare_damage(got["damage"] + got["edges"], want["damage"])
        yield from members("total", got["total"], want["total"], want["total"])
        yield from no_more("total", got["total"], want["total"])
        yield from compare_tables("thread", got["threads"], want["threads"], compare_plain)
        yield from compare_tables("method", got["methods"], want["methods"], compare_method)
        yield from compare_ranks(got, want)
    except (Failed, KeyError) as why:
        yield "%s: %s" % (type(why).__name__, why)
