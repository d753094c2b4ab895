# SPDX-License-Identifier: Apache-2.0
"""Slices that events of the kernel begin and end: each event that does, as text and as Perfetto's
packets, what is dropped, and real traces, when they lie beside the project."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import packets
import tap
from counters_test import lines, report, summary, sums

T = 101  # the thread
SYMBOL = 7
# Name of the slice and its row ("": the thread's); events: name, field, text, fields.
ROWS = [
    ("flush_work", "",
     ("workqueue_execute_start", 58, "work struct 00ff: function flush_work", {1: 9, 2: SYMBOL}),
     ("workqueue_execute_end", 57, "work struct 00ff: function flush_work", {1: 9, 2: SYMBOL})),
    ("W 168 KiB", "async: block 8,0",
     ("block_rq_issue", 45, "8,0 W 172032 () 49139824 + 336 [kworker/u16:17]",
      {1: 8 << 20, 2: 49139824, 3: 336, 4: 172032, 5: "W", 6: "kworker/u16:17"}),
     ("block_rq_complete", 125, "8,0 W () 49139824 + 336 [0]",
      {1: 8 << 20, 2: 49139824, 3: 336, 5: "W"})),
    ("R 4 KiB", "async: block 252,3",
     ("block_io_start", 546, "252,3 R 4096 () 7 + 8 none,0,0 [a b]",
      {1: 252 << 20 | 3, 2: 7, 3: 8, 4: 4096, 6: "R"}),
     ("block_io_done", 547, "252,3 R 0 () 7 + 0 none,0,0 [a b]",
      {1: 252 << 20 | 3, 2: 7, 3: 0, 4: 0, 6: "R"})),
    ("WRITE (10)", "async: ufs 1d84000.ufshc tag 5",
     ("ufshcd_command", 406, "send: 1d84000.ufshc: tag: 5, DB: 0x20, size: 4096, IS: 0, LBA: 1, "
      "opcode: 0x2a", {1: "1d84000.ufshc", 5: 0x2a, 6: "send", 7: 5}),
     ("ufshcd_command", 406, "complete: 1d84000.ufshc: tag: 5, DB: 0x0, size: 4096, IS: 0, LBA: 1, "
      "opcode: 0x2a", {1: "1d84000.ufshc", 5: 0x2a, 6: "complete", 7: 5})),
    ("opcode 0x42", "async: ufs d tag 1",
     ("ufshcd_command", 406, None, {1: "d", 5: 0x42, 7: 1, 10: 0}),
     ("ufshcd_command", 406, None, {1: "d", 5: 0x42, 7: 1, 10: 1})),
    ("fence", "async: fence gpu",
     ("dma_fence_init", 414, "driver=d timeline=gpu context=13 seqno=69",
      {1: 13, 2: "d", 3: 69, 4: "gpu"}),
     ("dma_fence_signaled", 416, "driver=d timeline=gpu context=13 seqno=69",
      {1: 13, 2: "d", 3: 69, 4: "gpu"})),
    ("dpm_suspend(2)", "async: Suspend/Resume",
     ("suspend_resume", 113, "dpm_suspend[2] begin", {1: "dpm_suspend", 2: 2, 3: 1}),
     ("suspend_resume", 113, "dpm_suspend[2] end", {1: "dpm_suspend", 2: 2, 3: 0})),
    ("wlan", "async: Wakelock(wlan)",
     ("wakeup_source_activate", 404, "wlan state=0x10001", {1: "wlan", 2: 65537}),
     ("wakeup_source_deactivate", 405, "wlan state=0x10000", {1: "wlan", 2: 65536})),
    ("Rescheduling interrupts", "async: ipi cpu0",
     ("ipi_entry", 21, "(Rescheduling interrupts)", {1: "Rescheduling interrupts"}),
     ("ipi_exit", 22, "(Rescheduling interrupts)", {1: "Rescheduling interrupts"})),
    ("IPI", "async: ipi cpu0", ("ipi_entry", 21, "", {}), ("ipi_exit", 22, "", {})),
    ("IRQ (arch_timer)", "async: irq cpu0",
     ("irq_handler_entry", 36, "irq=30 name=arch_timer", {1: 30, 2: "arch_timer"}),
     ("irq_handler_exit", 37, "irq=30 ret=handled", {1: 30, 2: 1})),
    ("NET_RX", "async: softirq cpu0",
     ("softirq_entry", 24, "vec=3 [action=NET_RX]", {1: 3}),
     ("softirq_exit", 25, "vec=3 [action=NET_RX]", {1: 3})),
] + [(name, "", (name + begin, first, "dev 252,0 ino 4", {1: 4}),
      (name + end, last, "dev 252,0 ino 4", {1: 4}))
     for name, begin, first, end, last in (
         ("f2fs_sync_file", "_enter", 255, "_exit", 256), ("f2fs_write", "_begin", 271, "_end", 273),
         ("ext4_sync_file", "_enter", 43, "_exit", 44), ("ext4_da_write", "_begin", 41, "_end", 42),
         ("mm_vmscan_direct_reclaim", "_begin", 46, "_end", 47),
         ("dma_fence_wait", "_start", 417, "_end", 418))]
BY = {row[0]: row[2:] for row in ROWS}


def mark(text):
    return (T, "tracing_mark_write", 3, text, {2: text})


def written(name, events):
    """Text and Perfetto, each with what it holds."""
    with tap.Workdir() as work:
        for kind in ("text", "perfetto"):
            if kind == "text" and any(e[3] is None for e in events):
                continue
            with open(work / "trace", "wb") as f:
                f.write(lines(events) if kind == "text" else
                        packets.process_tree([(100, 1, "app")], [(T, 100, "app")]) +
                        packets.bundle(0, *(packets.kernel(10**9 + i * 10**6, e[0], e[2], e[4])
                                            for i, e in enumerate(events)), seq=1, flags=1,
                                       interned={26: packets.names("flush_work", first=SYMBOL)}))
            yield "%s, %s" % (name, kind), work / "trace"


def slices(path):
    """Name -> how many, and all their time; rows with slices."""
    return ({r["name"]: (int(r["calls"]), float(r["incl_wall_us"]))
             for r in report(path, "methods") if int(r["calls"]) > 0 and r["name"] != "(toplevel)"},
            {r["thread"] for r in report(path, "threads") if int(r["calls"]) > 0})


def endless(counts):
    return counts.get("endless-kernel-slices", 0)


def made(t):
    for name, row, begin, end in ROWS:
        for what, path in written(begin[0], [(T, *begin), (T, *end), (T, *end)]):
            got = slices(path)
            t.ok(got == ({name: (1, 1000)}, {row or "app"}), what, got)
            counts, left = summary(path)
            t.ok(not left and counts["used"] == 3 and not endless(counts), what + ": read",
                 (counts, left))
            sums(t, what, counts)


def nested(t):
    """Ends of programs and of the kernel leave each other's slices alone."""
    begin, end = BY["ext4_sync_file"]
    events = [mark("B|100|ext4_sync_file"), (T, *begin), mark("E|100"), (T, *end), mark("E|100"),
              (T, *end)]
    for what, path in written("nested", events):
        got, _ = slices(path)
        t.ok(got == {"ext4_sync_file": (1, 4000)}, what, got)  # and one within it
        counts, _ = summary(path)
        t.ok(counts.get("unmatched-ends") == 1, what + ": the program's end too much", counts)
    events = [mark("B|100|ext4_sync_file"), (T, *end), mark("E|100")]
    for what, path in written("the end of another's slice of the name", events):
        got, _ = slices(path)
        t.ok(got == {"ext4_sync_file": (1, 2000)}, what, got)
    for what, path in written("open", [(T, *begin), mark("E|100"), mark("C|100|c|1")]):
        got, _ = slices(path)
        t.ok(got == {"ext4_sync_file": (1, 2000)}, what + ": to the end of the log", got)


def other(event, **fields):
    """The event with other values: old=new in its text, and fields by number."""
    name, number, text, values = event
    for old, new in fields.pop("text"):
        text = text.replace(old, new)
    return (T, name, number, text, {**values, **{int(k[1:]): v for k, v in fields.items()}})


def keyed(t):
    """By their keys: requests overlap, lose their ends, and are made anew."""
    issue, done = BY["W 168 KiB"]
    second = {"text": [("49139824", "8")], "_2": 8}
    events = [(T, *issue), other(issue, **second), (T, *done), other(done, **second), (T, *issue),
              (T, *issue), (T, *done), other(issue, **second)]
    for what, path in written("requests", events):
        got = slices(path)
        t.ok(got == ({"W 168 KiB": (3, 5000)}, {"async: block 8,0", "async: block 8,0 (2)"}), what,
             got)
        counts, _ = summary(path)
        t.ok(endless(counts) == 2 and not counts.get("unfinished-async"), what + ": dropped", counts)
    start, finish = BY["R 4 KiB"]
    events = [(T, *start), (T, *issue), (T, *done), (T, *finish)]
    for what, path in written("of two ways to tell", events):
        t.ok(slices(path)[0] == {"R 4 KiB": (1, 3000)}, what, slices(path))
    init, signaled = BY["fence"]
    events = [(T, *init), other(init, text=[("69", "70")], _3=70),
              other(init, text=[("context=13", "context=14")], _1=14),
              other(signaled, text=[("69", "70")], _3=70), (T, *signaled)]
    for what, path in written("fences", events):
        got, _ = slices(path)
        t.ok(got == {"fence": (2, 6000)}, what, got)
        t.ok(endless(summary(path)[0]) == 1, what + ": dropped")
    entry, leave = BY["IRQ (arch_timer)"]
    events = [(T, *entry), other(entry, text=[("arch_timer", "ufs")], _2="ufs"), (T, *leave),
              (T, *entry)]
    for what, path in written("interrupts", events):
        t.ok(slices(path) == ({"IRQ (arch_timer)": (1, 1000), "IRQ (ufs)": (1, 1000)},
                              {"async: irq cpu0"}), what, slices(path))
        t.ok(endless(summary(path)[0]) == 1, what + ": dropped")
    send, complete = BY["WRITE (10)"]
    events = [(T, *send), other(send, text=[("send", "query_send")], _6="query_send"), (T, *complete)]
    for what, path in written("commands", events):
        t.ok(slices(path)[0] == {"WRITE (10)": (1, 2000)}, what, slices(path))


def sent(tid, number, reply=0, flags=0x10, code=3):
    text = "transaction=%d dest_node=5 dest_proc=200 dest_thread=0 reply=%d" % (number, reply)
    fields = {1: number, 2: 5, 3: 200, 4: 0, 5: reply, 6: code}
    if flags is not None:
        text, fields = text + " flags=0x%x" % flags, {**fields, 7: flags}
    return (tid, "binder_transaction", 50, text + " code=0x%x" % code, fields)


def got(tid, number):
    return (tid, "binder_transaction_received", 51, "transaction=%d" % number, {1: number})


def size(tid, number, data):
    return (tid, "binder_transaction_alloc_buf", 323,
            "transaction=%d data_size=%d offsets_size=8" % (number, data), {1: data, 2: number, 3: 8})


def told(tid, command):
    return (tid, "binder_return", 486, "cmd=0x%x BR_SOME" % command, {1: command})


def answered(client, server, number):
    """A call of three milliseconds, one of which the server works."""
    return [sent(client, number), got(server, number), sent(server, number + 1, reply=1),
            got(client, number + 1)]


S, S2 = 500, 600  # threads that serve
FAILED, DEAD, COMPLETE = 0x7211, 0x7205, 0x7206
ONE_WAY = 0x11
# Events a millisecond apart; calls: start, time, the server's, kind, threads, code, size; how many had no pair.
CALLS = (
    ("a call", answered(T, S, 1), ["0 3000 1000 sync 101 500 0x3 -"], 0),
    ("its size", [sent(T, 1), size(T, 1, 0), got(S, 1), sent(S, 2, 1), size(S, 2, 8), got(T, 2)],
     ["0 5000 1000 sync 101 500 0x3 0"], 0),
    ("no flags", [sent(T, 1, flags=None), got(S, 1), sent(S, 2, 1, None), got(T, 2)],
     ["0 3000 1000 sync 101 500 0x3 -"], 0),
    ("nested", [sent(T, 1), got(S, 1), sent(S, 2, code=7), got(S2, 2), sent(S2, 3, 1), got(S, 3),
                sent(S, 4, 1), got(T, 4)],
     ["0 7000 5000 sync 101 500 0x3 -", "2000 3000 1000 sync 500 600 0x7 -"], 0),
    ("one-way", [sent(T, 1, flags=ONE_WAY), got(S, 1)], ["0 - - one-way 101 500 0x3 -"], 0),
    ("of an idle core", [sent(0, 1, flags=ONE_WAY), got(S, 1), got(S, 9)], [], 1),
    ("a reply is lost", answered(T, S, 1)[:3], ["0 - 1000 sync 101 500 0x3 -"], 0),
    ("an id twice", [sent(T, 1)] + answered(S2, S, 1),
     ["0 - - sync 101 - 0x3 -", "1000 3000 1000 sync 600 500 0x3 -"], 1),
    ("received twice", [sent(T, 1), got(S, 1), got(S2, 1), sent(S, 2, 1), got(T, 2)],
     ["0 4000 2000 sync 101 500 0x3 -"], 1),
    ("never sent", [got(S, 9), sent(T, 1, flags=ONE_WAY), got(S, 9)],
     ["1000 - - one-way 101 - 0x3 -"], 2),
    ("a call fails", [sent(T, 1), told(T, COMPLETE), told(T, FAILED)] + answered(T, S, 2),
     ["0 2000 - failed 101 - 0x3 -", "3000 3000 1000 sync 101 500 0x3 -"], 0),
    ("its server dies", [sent(T, 1), got(S, 1), told(T, DEAD)], ["0 2000 - failed 101 500 0x3 -"], 0),
    ("a one-way call fails in a reply", [sent(S, 9), sent(T, 1), got(S, 1), sent(S, 2, 0, ONE_WAY),
                                         told(S, FAILED), sent(S, 3, 1), got(T, 3)],
     ["0 - - sync 500 - 0x3 -", "1000 5000 3000 sync 101 500 0x3 -",
      "3000 - - one-way 500 - 0x3 -"], 0),
)
COLUMNS = "start_us time_us server_time_us kind client_tid server_tid code size".split()


def calls(t):
    for name, events, wanted, unpaired in CALLS:
        for what, path in written(name, events):
            rows = sorted((r for r in report(path, "log-binder-calls")), key=lambda r: float(r["start_us"]))
            rows = [" ".join(r[c] or "-" for c in COLUMNS) for r in rows]
            t.ok(rows == wanted, what, rows)
            counts, left = summary(path)
            t.ok(counts.get("unpaired-transactions", 0) == unpaired and not left, what + ": pairs",
                 (counts, left))
            sums(t, what, counts)
    side = "AIDL::java::IFoo::load::"
    inner = [mark("B|100|" + side + "client"), *answered(T, S, 1), mark("E|100")]
    for what, path in written("the client names the method", inner + answered(T, S, 3)):
        rows = {r["start_us"]: r["method"] for r in report(path, "log-binder-calls")}
        t.ok(rows == {"1000": "IFoo::load", "6000": ""}, what, rows)
    broken_ones = [(T, "binder_transaction", 50, text, {}) for text in
                   ("dest_proc=1 reply=0", "transaction=1 dest_proc=x", "transaction=1")]
    with tap.Workdir() as work:
        with open(work / "broken", "wb") as f:
            f.write(lines(broken_ones))
        t.ok(summary(work / "broken")[0]["malformed"] == 3, "calls without an id or a process")


def broken(t):
    """Payloads that lack what they must have, and more rows than there may be."""
    events = [(T, name, 0, text, {}) for name, text in (
        ("block_rq_issue", "8,0 W"), ("block_rq_complete", ""), ("dma_fence_init", "timeline=a"),
        ("dma_fence_signaled", "context=1 seqno=x timeline=a"), ("ufshcd_command", "send:"),
        ("suspend_resume", ""), ("wakeup_source_activate", ""))]
    more = [(T, "block_rq_issue", 0, "8,0 W 0 () %d + 1 [a]" % i, {}) for i in range(70)]
    more += [(T, "block_rq_complete", 0, "8,0 W () %d + 1 [0]" % i, {}) for i in range(70)]
    with tap.Workdir() as work:
        for name, data in (("broken", events), ("more", more)):
            with open(work / name, "wb") as f:
                f.write(lines(data))
        counts, _ = summary(work / "broken")
        t.ok(counts["malformed"] == len(events) and not slices(work / "broken")[0], "broken", counts)
        sums(t, "broken", counts)
        counts, _ = summary(work / "more")
        t.ok(counts.get("too-deep") == 6 and len(slices(work / "more")[1]) == 64, "too many rows",
             counts)


SAMPLES = (
    ("perfetto/api32_startup_warm.perfetto-trace", {"fence": 17, "dma_fence_wait": 54}, 0),
    # 42 requests of which 9 lost their ends; one of the 34 ends is of one before the log.
    ("ftrace/gracker_flutter_wanandroid.html.gz",
     {"ext4_da_write": 315, "ext4_sync_file": 1, "WM 4 KiB": 15, "R 4 KiB": 6, "W 4 KiB": 2}, 9),
)


def main():
    t = tap.Tap()
    made(t)
    nested(t)
    keyed(t)
    calls(t)
    broken(t)
    for name, wanted, dropped in SAMPLES:
        path = os.path.join(tap.SHARED, "samples", name)
        if not os.path.exists(path):
            t.skip("the sample %s is not here" % name)
            continue
        got, _ = slices(path)
        t.same(("%s: got %s" % (k, got.get(k)) for k, v in wanted.items()
                if got.get(k, (0,))[0] != v), name)
        t.ok(endless(summary(path)[0]) == dropped, name + ": dropped", summary(path)[0])
    return t.done()


if __name__ == "__main__":
    sys.exit(main())
