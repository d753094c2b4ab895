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
    send, complete = BY["WRITE (10)"]
    events = [(T, *send), other(send, text=[("send", "query_send")], _6="query_send"), (T, *complete)]
    for what, path in written("commands", events):
        t.ok(slices(path)[0] == {"WRITE (10)": (1, 2000)}, what, slices(path))


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
