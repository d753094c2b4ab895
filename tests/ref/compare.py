"""Comparing two reports of the same trace, member by member."""

from subjects import LISTS, Failed, by_id, dotted, full_name

# Text that is shown, not counted; classes may have slashes or dots.
NAMES = ("class", "name", "signature", "file")


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


def compare_thread(where, got, want):
    yield from members(where, got, want, [k for k in want if k != "name"])
    yield from no_more(where, got, want)
    if want["name"] and got["name"] != want["name"]:
        yield "%s: name is %r, want %r" % (where, got["name"], want["name"])


def compare_relation(where, got, want):
    # Names are those of the methods, which are compared there.
    yield from members(where, got, want, [k for k in want if k != "name"])
    yield from no_more(where, got, want)


def compare_method(where, got, want):
    yield from members(where, got, want,
                       [k for k in want if k not in LISTS and k not in NAMES and k != "rank"])
    yield from no_more(where, got, want)
    if want["name"] and want["id"] != "toplevel":    # the file knows it
        for key in NAMES:
            if dotted(got[key]) != dotted(want[key]):
                yield "%s: %s is %r, want %r" % (where, key, got[key], want[key])
    for kind in LISTS:
        if kind in want and kind in got:
            yield from compare_tables("%s %s" % (where, kind), got[kind], want[kind],
                                      compare_relation)


def compare_ranks(got, want):
    """By time, then by name; with or without a space before the signature."""
    clock = "wall" if "wall" in want["trace"]["clocks"] else "cpu"
    time = {m["id"]: m["incl_%s_us" % clock] for m in want["methods"]}
    place = {m["rank"]: m["id"] for m in want["methods"]}
    for m in got["methods"]:
        other = place.get(m["rank"])
        if other is None or time.get(other) != time.get(m["id"]):
            yield "method %s: rank is %r" % (m["id"], m["rank"])
    ranked = sorted((m for m in got["methods"] if m["rank"] is not None), key=lambda m: m["rank"])
    for a, b in zip(ranked, ranked[1:]):
        if time.get(a["id"]) == time.get(b["id"]) and all(
                full_name(a) + space + a["signature"] > full_name(b) + space + b["signature"]
                for space in ("", " ")):
            yield "methods %s and %s: equal time, but not in order of name" % (a["id"], b["id"])


def compare_damage(got, want):
    got = {d["kind"]: (d["count"], d["offset"]) for d in got}
    want = {d["kind"]: (d["count"], d["offset"]) for d in want}
    for kind in sorted(set(got) | set(want)):
        a, b = got.get(kind), want.get(kind)
        if a != b:
            yield "damage %s is %s, want %s" % (kind, a, b)


def compare_order(report, clock):
    """Lists stand in the order of their time, `self` first."""
    for m in report["methods"]:
        for kind in LISTS:
            entries = [e for e in m.get(kind, ()) if e["id"] != "self"]
            times = [e["incl_%s_us" % clock] for e in entries]
            if times != sorted(times, reverse=True):
                yield "%s of %s are not in order of %s" % (kind, m["id"], clock)
        if m.get("children") and m["children"][0]["id"] != "self":
            yield "children of %s begin without self" % m["id"]


def differences(got, want, ranks=True):
    """Where two reports differ, as lines of text."""
    try:
        yield from members("trace", got["trace"], want["trace"],
                           [k for k in want["trace"] if k != "file"])
        yield from no_more("trace", got["trace"], want["trace"])
        yield from compare_damage(got["damage"], want["damage"])
        yield from members("total", got["total"], want["total"], want["total"])
        yield from no_more("total", got["total"], want["total"])
        yield from compare_tables("thread", got["threads"], want["threads"], compare_thread)
        yield from compare_tables("method", got["methods"], want["methods"], compare_method)
        if ranks:
            yield from compare_ranks(got, want)
    except (Failed, KeyError) as why:
        yield "%s: %s" % (type(why).__name__, why)
