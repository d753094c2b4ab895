# SPDX-License-Identifier: Apache-2.0
"""The JSON of reports and info about text logs: which members there are, of which kind, and
that the tables of a log say the same in text, CSV and JSON."""

import csv
import io
import json
import os
import sys

import kinds
import tap

LOGGEN = os.path.join(tap.BUILDDIR, "tests", "gen", "loggen")
LARGE = 1 << 20  # bytes: of such samples not every table, in every form
OWN = os.path.join(tap.SRCDIR, "tests", "tui", "sample.ftrace.txt")
TABLES = ["processes", "threads", "cores", "states", "switches", "latency", "blocked",
          "priorities", "counters", "frequencies", "top", "chains", "starts", "intervals", "summary"]
# The arrays of the object "log"; those of SCHED only with scheduler events.
ALWAYS = ["frequencies", "counters", "chains", "starts", "summary"]
SCHED = ["processes", "cores", "states", "latency", "blocked", "priorities"]

# Kinds of members: a name with ? may be missing, "us" is a time; values of tables may be null.
US, COUNT, TEXT, NUMBER = "us", "count", "text", "number"
RAN = {"running_us": US, "core_percent": NUMBER, "all_percent": NUMBER, "unknown_us": US,
       "runs": COUNT, "average_us": US}
STATE = {"total_us": US, "count": COUNT, "min_us": US, "average_us": US, "max_us": US}
WAIT = {"total_us": US, "average_us": US, "max_us": US, "max_at_us": US, "tid": COUNT,
        "thread": TEXT}
LOG = {
    "processes": dict(RAN, threads=COUNT, all_threads=COUNT, pid=NUMBER, process=TEXT),
    "cores": {"cpu": COUNT, "usage_percent": NUMBER, "running_us": US, "idle_us": US,
              "unknown_us": US, "runs": COUNT, "busiest": TEXT, "frequencies": TEXT},
    "frequencies": {"cpu": COUNT, "value": NUMBER, "time_us": US, "share_percent": NUMBER,
                    "count": COUNT, "what": TEXT},
    "states": dict(STATE, share_percent=NUMBER, tid=COUNT, pid=NUMBER, state=TEXT, thread=TEXT,
                   process=TEXT),
    "latency": dict(WAIT, wakeups=COUNT, pid=NUMBER, waker=TEXT, process=TEXT),
    "blocked": dict(WAIT, count=COUNT, io=TEXT, caller=TEXT),
    "priorities": dict(STATE, threads=COUNT, share_percent=NUMBER, priority=NUMBER),
    "counters": {"count": COUNT, "first": NUMBER, "last": NUMBER, "delta": NUMBER, "rate": NUMBER,
                 "min": NUMBER, "max": NUMBER, "average": NUMBER, "pid": NUMBER, "category": TEXT,
                 "process": TEXT, "counter": TEXT, "unit": TEXT},
    "chains": {"slices": COUNT, "start_us": US, "duration_us": US, "changes": COUNT,
               "first": TEXT, "chain": TEXT},
    "starts": {"number": COUNT, "start_us": US, "time_us": US, "ttid_us": US, "ttfd_us": US,
               "running_us": US, "runnable_us": US, "sleeping_us": US, "blocked_us": US,
               "pid": NUMBER, "type": TEXT, "process": TEXT, "package": TEXT, "phase": TEXT},
    "summary": {"number": COUNT, "count": COUNT, "what": TEXT, "name": TEXT, "help": TEXT},
}
SHAPES = {
    "methods": {"id": TEXT, "class": TEXT, "name": TEXT, "signature": TEXT, "file": TEXT,
                "kind?": TEXT, "rank": NUMBER, "calls": COUNT, "recursive_calls": COUNT,
                "incl_wall_us": US, "excl_wall_us": US, "incl_cpu_us?": US, "excl_cpu_us?": US,
                "max_us": NUMBER, "max_at_us": NUMBER},
    "threads": {"tid": COUNT, "thread": TEXT, "kind": TEXT, "pid?": COUNT, "process?": TEXT,
                "cpu_us?": US, "wall_us": US, "unknown_us?": US, "records": COUNT,
                "running_us?": US, "running_count?": COUNT,
                "cpus?": [{"cpu": COUNT, "us": US, "count": COUNT}]},
}
# Of info's threads, which have more.
MORE = {"was", "calls", "open", "first_cpu_us", "first_wall_us", "last_cpu_us", "last_wall_us"}


def number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


HOLDS = {
    US: lambda v: number(v) and v >= 0,
    COUNT: lambda v: isinstance(v, int) and v >= 0,
    NUMBER: lambda v: v is None or number(v),
    TEXT: lambda v: isinstance(v, str),
}


def unlike(where, row, shape, empty=False):
    """What of an object is not as the shape has it; `empty`: values may be null."""
    for key in shape:
        if not key.endswith("?") and key not in row:
            yield "%s: no %s" % (where, key)
    for key, value in row.items():
        kind = shape.get(key, shape.get(key + "?"))
        if kind is None:
            yield "%s: %s is not documented" % (where, key)
        elif isinstance(kind, list):
            for item in value:
                yield from unlike("%s.%s" % (where, key), item, kind[0])
        elif not (empty and value is None) and not HOLDS[kind](value):
            yield "%s: %s is %r" % (where, key, value)


def shapes(document, also=()):
    sched = "cpu" in document["trace"]["clocks"]
    for name in ["threads", *also]:
        if not isinstance(document.get(name), list):
            yield "%s is no array" % name
        for row in document.get(name, []):
            if name == "threads":
                row = {k: v for k, v in row.items() if k not in MORE}
            yield from unlike(name, row, SHAPES[name])
    if set(document["log"]) != set(ALWAYS + (SCHED if sched else [])):
        yield "the log has %s" % list(document["log"])
    for name, rows in document["log"].items():
        for row in rows:
            yield from unlike("log." + name, row, LOG[name], True)


def slices(document):
    for m in document["methods"]:
        if m["id"] != "toplevel" and m.get("kind") not in ("sync", "async"):
            yield "%s is of kind %r" % (m["name"], m.get("kind"))
        if m["name"].startswith("H:") and not m["name"].startswith("H:twice"):
            yield "%s begins with H:" % m["name"]
        if m.get("kind") == "async" and "incl_cpu_us" in m:
            yield "%s is asynchronous and has CPU time" % m["name"]


def output(*words):
    status, out, errors = tap.run(tap.SLOWTOP, *words)
    if status or errors:
        raise RuntimeError("%s: %d: %r" % (" ".join(words), status, errors))
    return out.decode("utf-8")


def document(*words):
    return json.loads(output(*words))


def sums(doc):
    """That the parts add up to the wholes."""
    log = doc["log"]
    if "states" not in log:
        return
    ran = [round(1000 * sum(row.get("running_us") or 0 for row in rows))
           for rows in (log["cores"], log["processes"], doc["threads"])]
    ran.append(round(1000 * sum(r["total_us"] for r in log["states"] if r["state"] == "Running")))
    ran.append(round(1000 * sum(r["total_us"] for r in log["priorities"])))
    if len(set(ran)) != 1:
        yield "what ran, by cores, processes, threads, states and priorities: %s ns" % ran
    for t in doc["threads"]:
        if round(1000 * sum(c["us"] for c in t.get("cpus", []))) != \
                round(1000 * t.get("running_us", 0)):
            yield "thread %d: its cores do not add up" % t["tid"]


def field(value):
    """In CSV no text is what spreadsheets take for a formula."""
    return "'" + value if isinstance(value, str) and value[:1] in tuple("=+-@\t") else value


def rows_of(path, table):
    """The same rows from all three forms."""
    view = "--view=log-" + table
    rows = document("report", view, "--format=json", path)["log_" + table]
    lines = list(csv.reader(io.StringIO(output("report", view, "--format=csv", path), newline="")))
    text = output("report", view, path)
    if len(lines) - 1 != len(rows):
        yield "%s: %d lines of CSV, %d rows" % (table, len(lines) - 1, len(rows))
    for line, row in zip(lines[1:], rows):
        want = ["" if v is None else field(v) for v in row.values()]
        got = [type(w)(g) if number(w) and g else g for g, w in zip(line, want)]
        if list(row) != lines[0] or got != want:
            yield "%s: %s is not %s" % (table, line, row)
    if not rows:
        if not text.split("Not read: ")[0].endswith(("\nNo row matches.\n", "\nNo records.\n")):
            yield "%s: no rows, and text says %s" % (table, text[-80:])
    elif text.count("\n") < len(rows) + 2:
        yield "%s: text has too few lines" % table


def check(t, name, path):
    report = document("report", "--format=json", path)
    info = document("info", "--format=json", path)
    t.same(shapes(report, ["methods"]), name + ": report")
    t.same(shapes(info), name + ": info")
    t.same(slices(report), name + ": slices")
    t.same(sums(report), name + ": sums")
    t.same(("%s differs in info" % key for key in report["log"]
            if report["log"][key] != info["log"].get(key)), name + ": info has the same arrays")
    sched = "cpu" in report["trace"]["clocks"]
    for table in TABLES if os.path.getsize(path) < LARGE else ():
        if sched or table in ("counters", "frequencies", "chains", "starts", "summary"):
            t.same(rows_of(path, table), name + ": " + table)
        else:
            status, _, errors = tap.run(tap.SLOWTOP, "report", "--view=log-" + table, path)
            t.ok(status == 2 and b"no sched events in this log" in errors,
                 name + ": no " + table, errors)


def row(rows, **want):
    found = [r for r in rows if all(r.get(k) == v for k, v in want.items())]
    return found[0] if len(found) == 1 else {}


def figures(t):
    """The project's own log: its figures can be read off it."""
    doc = document("report", "--format=json", OWN)
    log = doc["log"]
    wants = [
        ("a slice", row(doc["methods"], name="ReceiveVsync"),
         {"kind": "sync", "calls": 4, "recursive_calls": 0, "incl_wall_us": 43700,
          "incl_cpu_us": 36700}),
        ("an asynchronous one", row(doc["methods"], name="loadImage"),
         {"kind": "async", "calls": 4, "incl_wall_us": 19300 + 36100 + 19300 + 19300}),
        ("a process", row(log["processes"], pid=100),
         {"process": "main", "all_threads": 3, "threads": 3}),
        ("whose thread", row(doc["threads"], tid=101), {"pid": 100, "process": "main"}),
        ("a core", row(log["cores"], cpu=0), {"running_us": 84000, "idle_us": 16000}),
        ("its frequency", row(log["frequencies"], cpu=0, what="frequency", value=2000000),
         {"time_us": 14000, "count": 1}),
        ("its idle state", row(log["frequencies"], cpu=0, what="idle state", value=1),
         {"time_us": 15600, "count": 4}),
        ("while it was not idle", row(log["frequencies"], cpu=0, what="not idle"),
         {"value": None, "time_us": 63400}),
        ("a counter", row(log["counters"], counter="pending"),
         {"pid": 100, "process": "main", "count": 8, "first": 3, "last": 4, "min": 1, "max": 9,
          "delta": 1, "rate": 10}),
        ("where a thread was blocked", row(log["blocked"], tid=100),
         {"thread": "main", "io": "I/O", "caller": "io_schedule+0x1c/0x40", "count": 1,
          "total_us": 6000, "max_at_us": 58000}),
        ("a wait for a core", row(log["latency"], tid=100), {"wakeups": 5, "max_us": 5000,
                                                             "waker": "200 system"}),
        ("a level", row(log["summary"], what="level"), {"name": "info", "count": 25}),
        ("a tag", row(log["summary"], what="tag"), {"name": "app", "count": 25}),
        ("a chain", row(log["chains"], chain="c0ffee"),
         {"slices": 3, "changes": 2, "first": "ReceiveVsync", "duration_us": 19800}),
    ]
    for name, got, want in wants:
        t.same(("%s is %r, not %r" % (k, got.get(k), v) for k, v in want.items()
                if got.get(k) != v), name)
    rows = document("report", "--view=log-intervals", "--thread=100", "--filter=I/O",
                    "--format=json", OWN)["log_intervals"]
    t.ok(len(rows) == 1 and rows[0]["duration_us"] == 6000 and
         rows[0]["log_time_us"] == 50058000, "one interval", rows)
    rows = document("report", "--view=log-threads", "--process=200", "--from=10ms", "--to=20ms",
                    "--limit=1", "--format=json", OWN)["log_threads"]
    t.ok(len(rows) == 1 and rows[0]["tid"] == 200 and rows[0]["running_us"] == 7000,
         "a window of a process", rows)
    for command in ("report", "info"):
        doc = document(command, "--process=200", "--level=critical", "--tag=app", "--tag=06",
                       "--format=json", OWN)
        t.ok(doc["scope"] == {"threads": [200], "level": "critical", "tags": ["drm", "app"]},
             command + ": what was chosen", doc["scope"])
        t.ok([p["pid"] for p in doc["log"]["processes"] if p["running_us"]] == [200] and
             row(doc["log"]["summary"], name="hidden")["count"] == 29,
             command + ": and only that", doc["log"]["processes"])
    t.ok([x["tid"] for x in doc["threads"]] == [200], "info lists the threads that were chosen")
    text = output("info", "--level=info", "--process=200", OWN)
    t.ok("level info and above" in text and " system" in text and " worker" not in text,
         "so does its text", text)
    t.ok("level commercial, tags ohos" in output("report", "--level=commercial", "--tag=ohos", OWN),
         "and the text of a report says what was chosen")
    for sort, key, falls in (("longest_us", "longest_us", True), ("+tid", "tid", False),
                             ("-tid", "tid", True), ("process", "process", False)):
        found = [x[key] for x in document("report", "--view=log-threads", "--sort=" + sort,
                                          "--format=json", OWN)["log_threads"]]
        t.ok(len(found) > 2 and found == sorted(found, reverse=falls), "--sort=" + sort, found)
    for words, why in ((["--view=log-threads", "--sort=calls"], b"no column 'calls'"),
                       (["--view=log-threads", "--sort=max_us"], b"no column 'max_us'"),
                       (["--sort=longest_us"], b"no column 'longest_us'"),
                       (["--sort=nothing"], b"invalid value"),
                       (["--view=log-threads", "--relations"], b"--relations is not for")):
        status, out, errors = tap.run(tap.SLOWTOP, "report", *words, OWN)
        t.ok(status == 2 and not out and why in errors, " ".join(words), errors)


def refused(t, folder):
    path = tap.generate(folder / "method.trace", "--records=100")
    for table in TABLES:
        status, out, errors = tap.run(tap.SLOWTOP, "report", "--view=log-" + table, path)
        t.ok(status == 2 and not out and b"system trace" in errors,
             "a method trace has no " + table, errors)


def main():
    t = tap.Tap()
    figures(t)
    check(t, "own", OWN)
    with tap.Workdir() as folder:
        refused(t, folder)
        for i, words in enumerate((["--marks=hitrace", "--waking"],
                                   ["--marks=mixed", "--tracks", "--no-sched"],
                                   ["--no-marks", "--lines=trace-cmd"],
                                   ["--marks=android", "--damaged=200", "--stray=300",
                                    "--lost=20", "--open=100"])):
            path = folder / "made.ftrace"
            status, _, errors = tap.run(LOGGEN, "--events=3000", "--seed=%d" % i,
                                        "--output=" + path, *words)
            if t.ok(status == 0, "made " + " ".join(words), errors):
                check(t, "made %d" % i, path)
        shared = os.path.join(tap.SHARED, "samples", "ftrace")
        for name in sorted(os.listdir(shared)) if os.path.isdir(shared) else []:
            path = os.path.join(shared, name)
            if name not in ("docs_format_table_payloads.txt", "README.md") and \
                    os.path.getsize(path) * (1 - kinds.share()) < LARGE // 4:
                check(t, name, path)
    return t.done()


if __name__ == "__main__":
    sys.exit(main())
