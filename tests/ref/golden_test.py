# SPDX-License-Identifier: Apache-2.0
"""Figures known beforehand: the worked example, and the output of the two old tools.

golden/worked.expect is our own.  The oracle, when it is there, has traces with the real
output of Traceview and dmtracedump; every row and every list of both is compared.
"""

import os
import re
import sys

import dmtracedump
import reference
from subjects import LISTS, SUBJECTS, dotted, full_name
from tap import SHARED, SRCDIR, Tap, Workdir, generate


def lookup(report):
    """{class.name: method}; our descriptions have no overloads."""
    return {"toplevel" if m["id"] == "toplevel" else full_name(m): m for m in report["methods"]}


def short(relation_id, methods_by_id):
    return relation_id if relation_id == "self" else methods_by_id[relation_id]


# ---------------------------------------------------------------------------
# worked.expect


def expected(path):
    """({name: (rank, incl, excl, calls)}, {(list, name): [(relative, incl, calls)]})"""
    methods, lists = {}, {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            word = line.split()
            if not word or word[0] == "#":
                continue
            name = dotted(word[1])
            if word[0] == "method":
                methods[name] = (word[2], int(word[3]), int(word[4]), word[5])
            else:
                lists.setdefault((word[0], name), []).append(
                    (dotted(word[2]), int(word[3]), word[4]))
    return methods, lists


def found(report, clock):
    methods, lists = {}, {}
    names = lookup(report)
    of_id = {m["id"]: n for n, m in names.items()}
    for name, m in names.items():
        rank = "-" if m["rank"] is None else str(m["rank"])
        methods[name] = (rank, m["incl_%s_us" % clock], m["excl_%s_us" % clock],
                         "%d+%d" % (m["calls"], m["recursive_calls"]))
        for kind in LISTS:
            if m[kind]:
                lists[kind, name] = [(short(r["id"], of_id), r["incl_%s_us" % clock],
                                      "%d/%d" % (r["calls"], r["total"])) for r in m[kind]]
    return methods, lists


def compare(want, got):
    for key in sorted(set(want) | set(got)):
        a, b = want.get(key), got.get(key)
        if isinstance(a, list) and isinstance(b, list):
            a, b = sorted(a), sorted(b)
        if a != b:
            yield "%s: got %s, want %s" % (key, b, a)


def test_worked(tap, work):
    golden = os.path.join(SRCDIR, "tests", "golden")
    with open(os.path.join(golden, "worked.txt"), encoding="utf-8") as f:
        path = generate(work / "worked.trace", description=f.read())
    want_methods, want_lists = expected(os.path.join(golden, "worked.expect"))
    for subject, report in SUBJECTS.items():
        got_methods, got_lists = found(report(path), "cpu")
        tap.same(compare(want_methods, got_methods), subject + ": methods of the worked example")
        tap.same(compare(want_lists, got_lists), subject + ": lists of the worked example")


# ---------------------------------------------------------------------------
# The oracle

TV_METHOD = re.compile(r"(\d+) (.*) \| incl cpu (\d+) excl cpu (\d+) incl real (-?\d+)"
                       r" excl real (-?\d+) calls (\d+)\+(\d+)$")
TV_RELATION = re.compile(r"        (?:\d+ )?(\S.*?) +incl cpu (\d+) \(.*?\)"
                         r" incl real (-?\d+) \(.*?\) calls (?:(\d+)/(\d+))?$")
TV_LISTS = {"Parents": "parents", "Children": "children",
            "Parents while recursive": "parents_recursive",
            "Children while recursive": "children_recursive"}
SLEEP = "(context switch)"


def read_traceview(path):
    """{name: dict} of a profile table; name as Traceview prints it."""
    methods, mine, kind = {}, None, None
    with open(path, encoding="utf-8") as f:
        for line in f:
            line = line.rstrip("\n")
            m = TV_METHOD.match(line)
            if m:
                numbers = [int(n) for n in m.groups()[2:]]
                mine = dict(zip(("incl_cpu", "excl_cpu", "incl_wall", "excl_wall", "calls",
                                 "recursive"), numbers), rank=int(m.group(1)),
                            **{k: {} for k in LISTS})
                methods[m.group(2)] = mine
            elif line.strip() in TV_LISTS:
                kind = TV_LISTS[line.strip()]
            else:
                m = TV_RELATION.match(line)
                if m:
                    mine[kind][m.group(1)] = (int(m.group(2)), int(m.group(3)),
                                              int(m.group(4) or 0))
    return methods


def traceview_name(method):
    if method["id"] == "toplevel":
        return "(toplevel)"
    if not method["class"] and method["name"][:2] in ("", "0x"):
        return "(" + method["id"] + ")"
    signature = " " + method["signature"] if method["signature"] else ""
    return (method["class"] + "." if method["class"] else "") + method["name"] + signature


def compare_traceview(want, report, adopted):
    """`adopted`: names that an exit without entry gave a call more."""
    clocks = {c: c for c in report["trace"]["clocks"]}
    if report["trace"]["properties"].get("clock") == "global":
        clocks = {"wall": "cpu"}   # Traceview knows no other single clock
    got = {dotted(traceview_name(m)): m for m in report["methods"]}
    of_id = {m["id"]: n for n, m in got.items()}
    of_id["self"] = "self"
    for name, tv in want.items():
        name = dotted(name)
        m = got.pop(name, None)
        if m is None:
            yield name + " is missing"
            continue
        calls = m["calls"] + m["recursive_calls"]
        if name not in adopted and name != "(toplevel)" and calls != tv["calls"] + tv["recursive"]:
            yield "%s: %d calls, want %d" % (name, calls, tv["calls"] + tv["recursive"])
        yield from compare_times(name, tv, m, clocks)
        for kind in LISTS:
            yield from compare_list(name, kind, tv[kind], m[kind], of_id, adopted, clocks)
    for name, m in got.items():
        if any(m["incl_%s_us" % c] for c in report["trace"]["clocks"]):
            yield name + " is too much"


def compare_times(name, tv, m, clocks):
    # A single thread-cpu clock has no real times; Traceview makes some up.
    for clock, theirs in clocks.items():
        for kind in ("incl", "excl"):
            got, want = m["%s_%s_us" % (kind, clock)], tv["%s_%s" % (kind, theirs)]
            if theirs == "wall" and name == "(toplevel)":
                continue   # Traceview leaves out what passed with an empty stack
            if theirs == "wall" and kind == "excl":
                # Ours includes waiting, which Traceview lists as a call of its own.
                want += sum(tv[k].get(SLEEP, (0, 0))[1] for k in ("children",
                                                                  "children_recursive"))
            if got != want:
                yield "%s: %s %s %d, want %d" % (name, kind, clock, got, want)


def compare_list(name, kind, tv, entries, of_id, adopted, clocks):
    got = {dotted(of_id[e["id"]]): e for e in entries}
    want = {dotted(k): v for k, v in tv.items() if k != SLEEP}
    if list(want) == ["self"]:
        want = {}    # nothing was below but sleep
    for other in sorted(set(got) ^ set(want)):
        yield "%s: %s %s" % (name, "missing in" if other in want else "not in", kind + ": " + other)
    for other in sorted(set(got) & set(want)):
        cpu, wall, calls = want[other]
        entry = got[other]
        pairs = []
        for clock, theirs in clocks.items():
            if theirs == "cpu" or other != "self":
                pairs.append((entry["incl_%s_us" % clock], cpu if theirs == "cpu" else wall))
        if other != "self" and not adopted & {name, other}:
            pairs.append((entry["calls"], calls))
        for a, b in pairs:
            if a != b:
                yield "%s: %s %s: %d, want %d" % (name, kind, other, a, b)


def adopted_names(path):
    """Methods with an exit on an empty stack, as Traceview prints them."""
    profile = reference.Profile(reference.open_trace(path))
    names, todo = set(), [c for t in profile.order for c in t.root.below]
    while todo:
        call = todo.pop()
        todo.extend(call.below)
        if call.offset is None:
            m = profile.methods[call.method]
            names.add(dotted(reference.text(m.class_name + b"." + m.name + b" " + m.signature)))
    return names


def test_oracle(tap):
    folder = os.path.join(SHARED, "oracle")
    if not os.path.isdir(folder):
        tap.skip("the oracle is not here")
        return
    for name in ("nested", "worked", "worked2", "dual", "wall"):
        path = os.path.join(folder, name + ".trace")
        adopted = adopted_names(path)
        traceview = read_traceview(os.path.join(folder, name + ".traceview-profile.txt"))
        tap.ok(len(traceview) > 3, "Traceview's table of %s is understood" % name)
        for subject, report in SUBJECTS.items():
            tap.same(compare_traceview(traceview, report(path), adopted),
                     "%s: Traceview's table of %s" % (subject, name))
        with open(os.path.join(folder, name + ".dmtracedump.txt"), "rb") as f:
            real = dmtracedump.parse(f.read())
        case = dmtracedump.Case(path)
        tap.same(dmtracedump.differences(real, dmtracedump.emulate(case)),
                 "dmtracedump's profile of %s by our rules" % name)
        for subject, report in SUBJECTS.items():
            tap.same(dmtracedump.plain_differences(real, report(path), case),
                     "%s: dmtracedump's profile of %s" % (subject, name))


def main():
    tap = Tap()
    with Workdir() as work:
        test_worked(tap, work)
    test_oracle(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
