# SPDX-License-Identifier: Apache-2.0
"""What "slowtop convert" writes, opened in Perfetto's own engine: no errors, and a slice for
each call and each moment.

Runs when TRACE_PROCESSOR names the engine's program, trace_processor_shell; on the traces
that are its operands, else on samples."""

import json
import os
import sys

import kinds
import tap

ENGINE = os.environ.get("TRACE_PROCESSOR")
# It misreads version 1 of classic traces, and refuses a thread-cpu clock and empty names.
SLICES = ["chrome", "perfetto", "trace", "trace-v2"]
SAMPLES = ["firefox", "pprof"]  # of which it makes no slices
QUERY = """select (select count(*) from slice) || ' errors:' ||
 coalesce((select group_concat(name || '=' || value, ' ') from stats
           where value != 0 and severity in ('error', 'data_loss')), '')"""


def convert(name, path, out):
    return tap.run(tap.SLOWTOP, "convert", "--to=" + name, "--force", "-o", out, path)


def calls(path):
    """None when it is no trace."""
    status, out, _ = tap.run(tap.SLOWTOP, "report", "--format=json", path)
    return sum(m["calls"] + m["recursive_calls"] for m in json.loads(out)["methods"]
               if m["id"] != "toplevel") if status == 0 else None


def moments(path):
    with open(path, "rb") as file:
        return sum(1 for e in json.load(file)["traceEvents"] if e["ph"] == "i")


def check(t, path, out):
    want = calls(path)
    if want is None:
        return
    for name in SLICES + SAMPLES:
        status, _, errors = convert(name, path, out)
        if status:  # a pause that no classic trace can tell
            t.ok(name.startswith("trace") and b"71 minutes" in errors, name, errors)
            continue
        if name == "chrome":
            extra = moments(out)  # slices of no length
        status, shown, errors = tap.run(ENGINE, "-Q", QUERY, out, timeout=600)
        if name.startswith("trace") and b"ART method tracing: " in errors:
            t.skip("%s as %s: more than the engine reads" % (os.path.basename(path), name))
            continue
        got = shown.decode().strip().splitlines()[-1:] or [errors.decode()[-500:]]
        slices = want + extra * (name in ("chrome", "perfetto")) if name in SLICES else 0
        t.ok(got[0].strip('"') == "%d errors:" % slices,
             "%s as %s: %d slices" % (os.path.basename(path), name, slices), got[0])


def main():
    if not ENGINE:
        tap.skip_all("TRACE_PROCESSOR does not name Perfetto's engine")
    t = tap.Tap()
    with tap.Workdir() as work:
        out = work / "out"
        for damage in ("exceptions", "open", "all"):
            check(t, tap.generate(work / damage, "--clock=dual", "--records=400", "--threads=3",
                                  *kinds.DAMAGES[damage]), out)
        for path in sys.argv[1:] or tap.samples() + tap.samples("ftrace", ""):
            check(t, path, out)
    return t.done()


if __name__ == "__main__":
    sys.exit(main())
