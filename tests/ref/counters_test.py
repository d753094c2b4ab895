# SPDX-License-Identifier: Apache-2.0
"""Counters of the kernel: each event that sets some, as text and as Perfetto's packets; events that
are not read; and real traces, when they lie beside the project, against what Perfetto's own engine
and independent programs say of them."""

import collections
import csv
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import packets
import tap

APP = (100, 101)  # process and thread
# Event, field, payload as text, fields, and its counters: (pid, name, value, unit).
ROWS = (
    ("rss_stat", 313, "mm_id=7 curr=1 member=1 size=4096B", {1: 1, 2: 4096, 3: 1, 4: 7},
     (100, "mem.rss.anon", 4096, "bytes")),
    ("rss_stat", 313, "mm_id=7 curr=1 type=MM_SHMEMPAGES size=8192", {1: 3, 2: 8192, 3: 1, 4: 7},
     (100, "mem.rss.shmem", 8192, "bytes")),
    ("rss_stat", 313, "mm_id=7 curr=1 type=MM_NEW size=1B", {1: 9, 2: 1, 3: 1, 4: 7},
     (100, "mem.unknown", 1, "bytes")),
    ("rss_stat", 313, "member=2 size=12288B", {1: 2, 2: 12288}, (100, "mem.swap", 12288, "bytes")),
    ("rss_stat_throttled", 359, "curr=1 member=0 mm_id=7 size=4096", {1: 1, 2: 0, 3: 7, 4: 4096},
     (100, "mem.rss.file", 4096, "bytes")),
    ("oom_score_adj_update", 326, "pid=200 comm=a b oom_score_adj=-800", {1: "a b", 2: -800, 3: 200},
     (200, "oom_score_adj", -800, "")),
    ("cpu_frequency_limits", 12, "min=300000 max=1800000 cpu_id=4", {1: 300000, 2: 1800000, 3: 4},
     (None, "Cpu 4 Min Freq Limit", 300000, "kHz"),
     (None, "Cpu 4 Max Freq Limit", 1800000, "kHz")),
    ("cpu_frequency_limits", 12, "min_freq=1 max_freq=2 cpu_id=0", {1: 1, 2: 2, 3: 0},
     (None, "Cpu 0 Min Freq Limit", 1, "kHz"), (None, "Cpu 0 Max Freq Limit", 2, "kHz")),
    ("gpu_frequency", 332, "gpu_id=0 state=434000", {1: 0, 2: 434000},
     (None, "gpufreq", 434000, "kHz")),
    ("gpu_frequency", 332, "gpu_id=1 state=251000", {1: 1, 2: 251000},
     (None, "gpufreq gpu 1", 251000, "kHz")),
    ("kgsl_gpu_frequency", 509, None, {1: 257000000, 2: 0}, (None, "gpufreq", 257000, "kHz")),
    ("clock_set_rate", 16, "domain@0 state=1598000 cpu_id=3", {1: "domain@0", 2: 1598000, 3: 3},
     (None, "domain@0 Frequency", 1598000, "Hz")),
    ("clk_set_rate", 322, "gcc_sdcc1 19200000", {1: "gcc_sdcc1", 2: 19200000},
     (None, "gcc_sdcc1 Frequency", 19200000, "Hz")),
    ("clock_enable", 14, "mmc state=1 cpu_id=0", {1: "mmc", 2: 1}, (None, "mmc State", 1, "")),
    ("clock_disable", 15, "mmc state=0 cpu_id=0", {1: "mmc", 2: 0}, (None, "mmc State", 0, "")),
    ("clk_enable", 320, "gate", {1: "gate"}, (None, "gate State", 1, "")),
    ("clk_disable", 321, "gate", {1: "gate"}, (None, "gate State", 0, "")),
    ("thermal_temperature", 341, "thermal_zone=big id=0 temp_prev=40000 temp=41500",
     {1: 0, 2: 41500, 3: 40000, 4: "big"}, (None, "big Temperature", 41500, "mC")),
    ("cdev_update", 342, "type=cpu0 target=3", {1: 3, 2: "cpu0"},
     (None, "cpu0 Cooling Device", 3, "")),
    ("dma_heap_stat", 351, "inode=5 len=-4096 total_allocated=65536", {1: 5, 2: -4096, 3: 65536},
     (None, "mem.dma_heap", 65536, "bytes"), (100, "mem.dma_heap_change", -4096, "bytes")),
    ("ion_stat", 335, "buffer_id=5 len=4096B total_allocated=8192B", {1: 5, 2: 4096, 3: 8192},
     (None, "mem.ion", 8192, "bytes"), (100, "mem.ion_change", 4096, "bytes")),
    ("gpu_mem_total", 340, "gpu_id=0 pid=0 size=1000", {1: 0, 2: 0, 3: 1000},
     (None, "GPU Memory", 1000, "bytes")),
    ("gpu_mem_total", 340, "gpu_id=0 pid=300 size=500", {1: 0, 2: 300, 3: 500},
     (300, "GPU Memory", 500, "bytes")),
)
# By another thread: of a process that told its mm_id, or not; below 0; of one that has ended.
MEMORY = (
    (101, "rss_stat", 313, "mm_id=7 curr=1 member=1 size=1B", {1: 1, 2: 1, 3: 1, 4: 7}),
    (500, "rss_stat", 313, "mm_id=7 curr=0 member=1 size=2B", {1: 1, 2: 2, 3: 0, 4: 7}),
    (500, "rss_stat", 313, "mm_id=8 curr=0 member=1 size=3B", {1: 1, 2: 3, 3: 0, 4: 8}),
    (101, "rss_stat", 313, "mm_id=7 curr=1 member=1 size=-4B", {1: 1, 2: -4, 3: 1, 4: 7}),
    (500, "sched_process_free", 240, "comm=app pid=101 prio=120", {1: "app", 2: 101, 3: 120}),
    (500, "rss_stat", 313, "mm_id=7 curr=0 member=1 size=5B", {1: 1, 2: 5, 3: 0, 4: 7}),
)
# Not read, and broken.
UNREAD = (
    (101, "sched_pi_setprio", 353, "comm=a pid=1 oldprio=120 newprio=98", {1: "a"}),
    (101, "sched_pi_setprio", 353, "comm=a pid=1 oldprio=98 newprio=120", {1: "a"}),
    (101, "f2fs_iostat", 419, "app = 1", {1: "x"}),
    (101, "own_event", 327, "a=1", {1: "own_event"}),
    (101, "psci_domain_idle_enter", 615, "cpu_id=0", {1: 0}),
    (101, "clk_enable", 320, "gate", {1: "gate"}),
)

# Packets with values: their data, and counters.
PACKETS = (
    ({9: {1: {1: 100, 2: 5, 4: 3, 10: -17}}},
     ((100, "mem.virt", 5120, "bytes"), (100, "mem.rss.anon", 3072, "bytes"),
      (100, "oom_score_adj", -17, ""))),
    ({38: {1: 4430000, 3: -91250, 4: 5, 6: 6, 7: 4100000}},
     ((None, "batt.charge_uah", 4430000, "uAh"), (None, "batt.current_ua", -91250, "uA"),
      (None, "batt.current.avg_ua", 5, "uA"), (None, "batt.energy_uwh", 6, "uWh"),
      (None, "batt.voltage_uv", 4100000, "uV"))),
    ({38: {1: 7, 5: "second"}}, ((None, "batt.second.charge_uah", 7, "uAh"),)),
    ({40: {1: [{1: 0, 2: "S2M_VDD_CPUCL2"}, {1: 1, 2: "VSYS"}, {1: 2, 2: "VSYS_PWR_DISPLAY"}],
           2: [{1: 0, 2: 1, 3: 10}, {1: 1, 2: 1, 3: 20}, {1: 9, 2: 1, 3: 30}, {1: 2, 3: 40}]}},
     ((None, "power.rails.cpu.big", 10, "uWs"), (None, "power.VSYS_uws", 20, "uWs"),
      (None, "power.rails.display", 40, "uWs"))),
    ({7: {1: [{1: 1, 2: 100}, {1: 2, 2: 7}, {1: 99, 2: 1}],
          2: [{1: 1, 2: 9}, {1: 49, 2: 8}, {1: 95, 2: 7}, {1: 999, 2: 1}],
          3: {1: 2, 2: 50, 5: 60}, 4: 12, 6: {1: 5, 2: 3}, 8: {1: 1, 2: 4}, 10: {1: "bus", 2: 800},
          11: [300000, 400000], 13: {1: "sda", 2: 100, 3: 7, 8: 2}, 14: [{1: 1, 2: 77}, {1: 5, 2: 78}],
          15: {1: "thermal_zone0", 2: 41000, 3: "big"}}},
     ((None, "MemTotal", 102400, "bytes"), (None, "MemFree", 7168, "bytes"),
      (None, "nr_free_pages", 9, ""), (None, "pgfault", 8, ""), (None, "nr_gpu_heap", 7, ""),
      (None, "num_irq (id: 5)", 3, ""), (None, "num_softirq (id: 1)", 4, ""),
      (None, "diskstat.[sda].read_sectors", 100, ""), (None, "diskstat.[sda].read_time_ms", 7, ""),
      (None, "diskstat.[sda].flush_count", 2, ""), (None, "psi.mem.some", 78, "ns"),
      (None, "cpu.times.cpu2.user_ns", 50, "ns"), (None, "cpu.times.cpu2.idle_ns", 60, "ns"),
      (None, "num_forks", 12, ""), (None, "bus Frequency", 800, "kHz"),
      (None, "psi.cpu.some", 77, "ns"), (None, "big Temperature", 41000, "mC"))),
)


def lines(events):
    """A log of a few events, a millisecond apart."""
    out = ["# tracer: nop", "#"]
    for i, (tid, name, _, text, _) in enumerate(events):
        out.append("  app-%d  ( %s) [000] ....  1.%06d: %s: %s" %
                   (tid, "  100" if tid == 101 else "-----", i * 1000, name, text))
    return "\n".join(out + [""]).encode()


def traced(events):
    """The same as a trace of Perfetto's."""
    return (packets.process_tree([(100, 1, "app")], [(101, 100, "worker")]) +
            packets.bundle(0, *(packets.kernel(10**9 + i * 10**6, tid, field, fields)
                                for i, (tid, _, field, _, fields) in enumerate(events))))


def report(path, view):
    status, out, _ = tap.run(tap.SLOWTOP, "report", "--view=" + view, "--format=csv", path)
    text = out.decode("utf-8", "replace") if status == 0 else ""
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


def counters(path):
    return {(int(r["pid"]) if r["pid"] else None, r["counter"]): r
            for r in report(path, "log-counters")}


def summary(path):
    """Counts of the log, and events that are not read."""
    rows = report(path, "log-summary")
    return ({r["name"]: int(r["count"]) for r in rows if r["what"] == "log"},
            [(r["name"], int(r["count"])) for r in rows if r["what"] == "not read"])


def written(t, name, events):
    """Text and Perfetto, each with what it holds."""
    with tap.Workdir() as work:
        for kind, data in (("text", lines([e for e in events if e[3] is not None])),
                           ("perfetto", traced(events))):
            path = work / "trace"
            with open(path, "wb") as f:
                f.write(data)
            yield "%s, %s" % (name, kind), path


def sums(t, name, counts):
    t.ok(counts["events"] == counts["used"] + counts.get("not-read", 0) +
         counts.get("malformed", 0), name + ": used, not read and malformed are all", counts)


def made(t):
    for event, field, text, fields, *wanted in ROWS:
        for name, path in written(t, event, [(101, event, field, text, fields)]):
            if text is None and name.endswith("text"):
                continue
            got = counters(path)
            t.same((w for w in wanted if w[:2] not in got or
                    (float(got[w[:2]]["last"]), got[w[:2]]["unit"]) != w[2:]), name)
            t.ok(len(got) == len(wanted), name + ": no others", got)
    with tap.Workdir() as work:
        path = work / "packets"
        with open(path, "wb") as f:
            f.write(b"".join(packets.packet(10**9 + i * 10**6, data, clock=packets.BOOTTIME)
                             for i, (data, _) in enumerate(PACKETS + PACKETS[:1])))
        got = counters(path)
        for data, wanted in PACKETS:
            t.same((w for w in wanted if w[:2] not in got or
                    (float(got[w[:2]]["last"]), got[w[:2]]["unit"]) != w[2:]),
                   "packet of field %d" % next(iter(data)))
        t.ok(len(got) == sum(len(w) for _, w in PACKETS), "packets: no others", list(got))
        steps = report(path, "log-frequencies")
        t.ok([r["cpu"] for r in steps] == ["0", "1"], "packets: frequencies of cores", steps)
        counts, left = summary(path)
        t.ok(not left and counts.get("ownerless-values") == 1, "packets: a rail without a name", left)
        sums(t, "packets", counts)
    for name, path in written(t, "whose memory", MEMORY):
        got = counters(path)
        counts, _ = summary(path)
        t.ok(list(got) == [(100, "mem.rss.anon")] and got[100, "mem.rss.anon"]["count"] == "2" and
             got[100, "mem.rss.anon"]["last"] == "2", name, got)
        t.ok(counts.get("ownerless-values") == 2 and counts.get("negative-sizes") == 1,
             name + ": what was dropped", counts)
        sums(t, name, counts)
    late = [(tid, name, 0, text, {}) for tid, name, text in (
        (200, "rss_stat", "mm_id=1 curr=1 member=1 size=10B"),
        (201, "rss_stat", "mm_id=1 curr=1 member=1 size=30B"),
        (201, "rss_stat", "mm_id=1 curr=1 member=0 size=5B"),
        (300, "rss_stat", "mm_id=2 curr=1 member=1 size=7B"),
        (200, "tracing_mark_write", "B|200|work"), (201, "tracing_mark_write", "B|200|work"))]
    with tap.Workdir() as work:
        with open(work / "late", "wb") as f:
            f.write(lines(late))
        got = {key: tuple(float(row[c]) for c in ("count", "first", "last", "min", "max"))
               for key, row in counters(work / "late").items()}
        t.ok(got == {(200, "mem.rss.anon"): (2, 10, 30, 10, 30),
                     (200, "mem.rss.file"): (1, 5, 5, 5, 5), (300, "mem.rss.anon"): (1, 7, 7, 7, 7)},
             "threads whose process is told later", got)
    for name, path in written(t, "not read", UNREAD):
        counts, left = summary(path)
        t.ok(left == [("sched_pi_setprio", 2), ("f2fs_iostat", 1), ("own_event", 1),
                      ("psci_domain_idle_enter", 1)], name, left)
        t.ok(counts["used"] == 1, name + ": what is", counts)
        sums(t, name, counts)
    broken = [(101, "rss_stat", 313, "mm_id=7 curr=1", {}),
              (101, "clock_set_rate", 16, "nothing", {}), (101, "clk_enable", 320, "", {}),
              (101, "gpu_mem_total", 340, "gpu_id=0 pid=-1 size=1", {})]
    with tap.Workdir() as work:
        with open(work / "broken", "wb") as f:
            f.write(lines(broken))
        counts, _ = summary(work / "broken")
        t.ok(counts["malformed"] == len(broken), "payloads that lack a value", counts)
        sums(t, "payloads that lack a value", counts)


MEMINFO = """MemTotal MemFree MemAvailable Buffers Cached SwapCached Active Inactive Active(anon)
Inactive(anon) Active(file) Inactive(file) Unevictable Mlocked SwapTotal SwapFree Dirty Writeback
AnonPages Mapped Shmem Slab SReclaimable SUnreclaim KernelStack PageTables CommitLimit Committed_AS
VmallocTotal VmallocUsed VmallocChunk CmaTotal CmaFree""".split()


# Types of Perfetto's engine by the names of their counters.
def type_of(name):
    for kind, begins in (("process_memory", "mem."), ("battery_counter", "batt."),
                         ("power_rails", "power."), ("oom_score_adj", "oom_score_adj"),
                         ("gpu_frequency", "gpufreq")):
        if name.startswith(begins):
            return kind
    for kind, ends in (("clock_frequency", " Frequency"), ("cpu_min_frequency_limit", " Min Freq Limit"),
                       ("cpu_max_frequency_limit", " Max Freq Limit"), ("clock_state", " State")):
        if name.endswith(ends):
            return kind
    return "meminfo" if name in MEMINFO else "atrace_counter"


SINGLE = {  # api32_startup_warm: count, first, last, least, most
    (7663, "mem.rss.anon"): (43, 34213888, 34693120, 34213888, 36061184),
    (7663, "mem.rss.file"): (21, 89673728, 90742784, 89673728, 90742784),
    (1858, "mem.rss.anon"): (29, 200798208, 203644928, 200785920, 203644928),
    (2421, "oom_score_adj"): (4, 100, 905, 0, 905),
    (None, "gpufreq"): (64, 434000, 0, 0, 434000),
    (None, "batt.current_ua"): (8, 4375, 312, -91250, 13125),
    (None, "power.rails.cpu.big"): (8, 646152210, 646264391, 646152210, 646264391),
    (None, "domain@0 Frequency"): (244, 1598000, 1197000, 300000, 1803000),
}
# Read as something else than counters of this table, or only in packets.
ELSEWHERE = ("cpu_frequency", "cpu_idle")


def sample(t, path, wanted):
    name = os.path.basename(path).split(".")[0]
    got = counters(path)
    figures = collections.defaultdict(lambda: [0, 0])
    for (_, counter), row in got.items():
        if counter == "(unnamed)":
            continue  # one that the engine drops
        figures[type_of(counter)][0] += 1
        figures[type_of(counter)][1] += int(row["count"])
    want = dict(wanted.get("counters", {}))
    threads = want.pop("process_memory_thread_fallback", [0, 0])
    if "process_memory" in want:
        want["process_memory"] = [a + b for a, b in zip(want["process_memory"], threads)]
    t.same(("%s: got %s, want %s" % (kind, figures[kind], value) for kind, value in want.items()
            if kind not in ELSEWHERE and figures[kind] != value), name + ": counters")
    if name.startswith("api32"):
        t.same((str((key, got.get(key))) for key, value in SINGLE.items() if key not in got or
                tuple(float(got[key][c]) for c in ("count", "first", "last", "min", "max")) !=
                value), name + ": single ones")
    counts, left = summary(path)
    sums(t, name, counts)
    if "events" in wanted:
        t.same(("%s: got %s" % (event, count) for event, count in left
                if wanted["events"].get(event) != count), name + ": not read")
    rss = wanted.get("rss_stat")
    if rss:
        memory = [r for (_, c), r in got.items() if c.startswith("mem.")]
        values = sum(int(r["count"]) for r in memory) + counts["ownerless-values"] + \
            counts["negative-sizes"]
        t.ok(values == rss["lines"] and max(float(r["max"]) for r in memory) == rss["largest"],
             name + ": memory of processes", values)


def main():
    t = tap.Tap()
    made(t)
    expected = os.path.join(tap.SHARED, "spec", "frames-expected.json")
    if not os.path.exists(expected):
        t.skip("the expected figures are not here")
        return t.done()
    with open(expected, encoding="utf-8") as f:
        wanted = json.load(f)
    for folder in ("perfetto", "ftrace"):
        for name, of in sorted(wanted.items()):
            path = os.path.join(tap.SHARED, "samples", folder, name)
            if isinstance(of, dict) and ("counters" in of or "events" in of) and \
                    os.path.exists(path):
                sample(t, path, of)
    return t.done()


if __name__ == "__main__":
    sys.exit(main())
