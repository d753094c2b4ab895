// SPDX-License-Identifier: Apache-2.0
/*
 * stats: packets that tell values: of processes, of the system, of batteries and power rails, as
 * counters under the names that Perfetto's trace_processor has.
 *
 * Values are of the packet's time; the one that a power rail tells beside is not taken, for it is
 * some milliseconds older.
 *
 * Source: protos/perfetto/trace/ps, sys_stats and power; protos/perfetto/common/sys_stats_counters.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "format/perfetto/perfetto.h"

enum { NAME_ROOM = 200 };

/* A value that a field of a message tells; `shift`: to bytes, of those in kB. */
struct figure {
	struct str name;
	enum log_unit unit;
	unsigned shift;
};

#define KB(text) {STR(text), LOG_UNIT_BYTES, 10}

static void
figure_put(struct perfetto *pf, const struct figure *of, struct str name, uint32_t pid, uint64_t value,
    nsec at)
{
	counter_put(&pf->r, name, pid, of->unit, (double)(int64_t)(value << of->shift), at);
}

/* "KEY Frequency" */
static void
figure_about(struct perfetto *pf, const struct figure *of, struct str key, const char *after,
    uint64_t value, nsec at)
{
	int most = NAME_ROOM / 2, n = (int)(key.n < NAME_ROOM / 2 ? key.n : NAME_ROOM / 2);
	char name[NAME_ROOM];

	snprintf(name, sizeof(name), "%.*s%.*s%.*s", (int)of->name.n, of->name.p, n, key.p, most,
	    after);
	figure_put(pf, of, str_from(name), LOGLINE_NOBODY, value, at);
}

/* Processes ------------------------------------------------------------------------- */

/* Memory of a process in kB, and how soon the system would end it. */
static const struct figure process_stats[] = {[2] = KB("mem.virt"), [3] = KB("mem.rss"),
	[4] = KB("mem.rss.anon"), [5] = KB("mem.rss.file"), [6] = KB("mem.rss.shmem"),
	[7] = KB("mem.swap"), [8] = KB("mem.locked"), [9] = KB("mem.rss.watermark"),
	[10] = {STR("oom_score_adj"), LOG_UNIT_NONE, 0}};

static void
processes_take(struct perfetto *pf, struct wire message, nsec at)
{
	struct wire_field process, f;

	while (wire_next(&message, &process)) {
		struct wire rest = wire_message(&process);
		uint32_t pid = 0;

		while (process.number == 1 && wire_next(&rest, &f)) {
			if (f.number == 1)
				pid = (uint32_t)f.value;
			else if (f.number < sizeof(process_stats) / sizeof(process_stats[0]) &&
			    process_stats[f.number].name.n > 0)
				figure_put(pf, &process_stats[f.number], process_stats[f.number].name, pid,
				    f.value, at);
		}
	}
}

/* Batteries ------------------------------------------------------------------------- */

static const struct figure battery_stats[] = {[1] = {STR("charge_uah"), LOG_UNIT_UAH, 0},
	[2] = {STR("capacity_pct"), LOG_UNIT_PERCENT, 0}, [3] = {STR("current_ua"), LOG_UNIT_UA, 0},
	[4] = {STR("current.avg_ua"), LOG_UNIT_UA, 0}, [6] = {STR("energy_uwh"), LOG_UNIT_UWH, 0},
	[7] = {STR("voltage_uv"), LOG_UNIT_UV, 0}};

static void
battery_take(struct perfetto *pf, struct wire message, nsec at)
{
	enum { BATTERY_NAME = 5 };
	struct str of = wire_last(message, BATTERY_NAME);
	struct wire_field f;
	char name[NAME_ROOM];


	while (wire_next(&message, &f)) {
		const struct figure *s = &battery_stats[f.number <
		    sizeof(battery_stats) / sizeof(battery_stats[0]) ? f.number : 0];
		double value = (double)(int64_t)f.value;
		uint32_t bits = (uint32_t)f.value;
		float real;

		if (s->name.n == 0)
			continue;
		if (f.type == WIRE_FIXED32) {
			memcpy(&real, &bits, sizeof(real));
			value = (double)real;
		}
		if (value != value)
			continue; /* no number */
		snprintf(name, sizeof(name), "batt.%.*s%s%.*s",
		    (int)(of.n < NAME_ROOM / 2 ? of.n : NAME_ROOM / 2), of.p, of.n > 0 ? "." : "",
		    (int)s->name.n, s->name.p);
		counter_put(&pf->r, str_from(name), LOGLINE_NOBODY, s->unit, value, at);
	}
}

/* Power rails ------------------------------------------------------------------------ */

/* Rails of phones, and their short names. */
static const struct {
	struct str rail;
	const char *name;
} short_names[] = {{STR("S4M_VDD_CPUCL0"), "power.rails.cpu.little"},
	{STR("S3M_VDD_CPUCL1"), "power.rails.cpu.mid"},
	{STR("S2M_VDD_CPUCL2"), "power.rails.cpu.big"}, {STR("S2S_VDD_G3D"), "power.rails.gpu"},
	{STR("S5M_VDD_INT"), "power.rails.system.fabric"}, {STR("S10M_VDD_TPU"), "power.rails.tpu"},
	{STR("PPVAR_VSYS_PWR_DISP"), "power.rails.display"},
	{STR("VSYS_PWR_DISPLAY"), "power.rails.display"},
	{STR("VSYS_PWR_MODEM"), "power.rails.modem"},
	{STR("VSYS_PWR_RFFE"), "power.rails.radio.frontend"},
	{STR("VSYS_PWR_WLAN_BT"), "power.rails.wifi.bt"},
	{STR("S1M_VDD_MIF"), "power.rails.memory.interface"},
	{STR("L2S_VDD_AOC_RET"), "power.rails.aoc.memory"},
	{STR("S9S_VDD_AOC"), "power.rails.aoc.logic"}, {STR("S5S_VDDQ_MEM"), "power.rails.ddr.a"},
	{STR("S10S_VDD2L"), "power.rails.ddr.b"}, {STR("S4S_VDD2H_MEM"), "power.rails.ddr." "c"},
	{STR("L9S_GNSS_CORE"), "power.rails.gps"}};

/* Remembers what a rail is called, by its number and the sequence that tells it. */
static void
rail_name(struct perfetto *pf, uint64_t key, struct str rail)
{
	struct str name = {NULL, 0};
	uint32_t index;


	for (size_t i = 0; i < sizeof(short_names) / sizeof(short_names[0]); i++) {
		if (str_equal(short_names[i].rail, rail))
			name = str_from(short_names[i].name);
	}
	index = idmap_add(&pf->rails, id_key(key), (uint32_t)pf->rail_count);
	if (index == pf->rail_count)
		(void)MEM_ADD(pf->rail_names, pf->rail_count, pf->rail_room);
	pf->rail_names[index] = name.n > 0 ? name
	    : text_print(pf, "power.%.*s_uws", STR_ARG(str_head(rail, NAME_ROOM / 2)));
}

static void
rails_take(struct perfetto *pf, struct wire message, uint64_t sequence, nsec at)
{
	enum { RAIL_DESCRIPTOR = 1, RAIL_DATA };
	static const struct figure energy = {.unit = LOG_UNIT_UWS};
	struct wire_field f;
	struct payload p;
	uint32_t index;

	while (wire_next(&message, &f)) {
		uint64_t key;

		if ((f.number != RAIL_DESCRIPTOR && f.number != RAIL_DATA) ||
		    !payload_read(&p, wire_message(&f)))
			continue;
		key = sequence << 32 | (uint32_t)p.number[1];
		index = idmap_get(&pf->rails, id_key(key));
		if (f.number == RAIL_DESCRIPTOR && p.text[2].n > 0)
			rail_name(pf, key, p.text[2]);
		else if (f.number == RAIL_DATA && index != IDMAP_NONE)
			figure_put(pf, &energy, pf->rail_names[index], LOGLINE_NOBODY, p.number[3], at);
		else if (f.number == RAIL_DATA)
			pf->r.log->summary.ownerless++;
	}
}

/* The system ------------------------------------------------------------------------ */

/* Keys of /proc/meminfo and vmstat; of resources that threads wait for. */
static const char *const meminfo[] = {NULL, "MemTotal", "MemFree", "MemAvailable", "Buffers",
	"Cached", "SwapCached", "Active", "Inactive", "Active(anon)", "Inactive(anon)",
	"Active(file)", "Inactive(file)", "Unevictable", "Mlocked", "SwapTotal", "SwapFree",
	"Dirty", "Writeback", "AnonPages", "Mapped", "Shmem", "Slab", "SReclaimable", "SUnreclaim",
	"KernelStack", "PageTables", "CommitLimit", "Committed_AS", "VmallocTotal", "VmallocUsed",
	"VmallocChunk", "CmaTotal", "CmaFree", "Gpu", "Zram", "Misc", "IonHeap", "IonHeapPool"};
static const char *const vmstat[] = {NULL, "nr_free_pages", "nr_alloc_batch", "nr_inactive_anon",
	"nr_active_anon", "nr_inactive_file", "nr_active_file", "nr_unevictable", "nr_mlock",
	"nr_anon_pages", "nr_mapped", "nr_file_pages", "nr_dirty", "nr_writeback",
	"nr_slab_reclaimable", "nr_slab_unreclaimable", "nr_page_table_pages", "nr_kernel_stack",
	"nr_overhead", "nr_unstable", "nr_bounce", "nr_vmscan_write",
	"nr_vmscan_immediate_reclaim", "nr_writeback_temp", "nr_isolated_anon", "nr_isolated_file",
	"nr_shmem", "nr_dirtied", "nr_written", "nr_pages_scanned", "workingset_refault",
	"workingset_activate", "workingset_nodereclaim", "nr_anon_transparent_hugepages",
	"nr_free_cma", "nr_swapcache", "nr_dirty_threshold", "nr_dirty_background_threshold",
	"pgpgin", "pgpgout", "pgpgoutclean", "pswpin", "pswpout", "pgalloc_dma", "pgalloc_normal",
	"pgalloc_movable", "pgfree", "pgactivate", "pgdeactivate", "pgfault", "pgmajfault",
	"pgrefill_dma", "pgrefill_normal", "pgrefill_movable", "pgsteal_kswapd_dma",
	"pgsteal_kswapd_normal", "pgsteal_kswapd_movable", "pgsteal_direct_dma",
	"pgsteal_direct_normal", "pgsteal_direct_movable", "pgscan_kswapd_dma",
	"pgscan_kswapd_normal", "pgscan_kswapd_movable", "pgscan_direct_dma",
	"pgscan_direct_normal", "pgscan_direct_movable", "pgscan_direct_throttle", "pginodesteal",
	"slabs_scanned", "kswapd_inodesteal", "kswapd_low_wmark_hit_quickly",
	"kswapd_high_wmark_hit_quickly", "pageoutrun", "allocstall", "pgrotated", "drop_pagecache",
	"drop_slab", "pgmigrate_success", "pgmigrate_fail", "compact_migrate_scanned",
	"compact_free_scanned", "compact_isolated", "compact_stall", "compact_fail",
	"compact_success", "compact_daemon_wake", "unevictable_pgs_culled",
	"unevictable_pgs_scanned", "unevictable_pgs_rescued", "unevictable_pgs_mlocked",
	"unevictable_pgs_munlocked", "unevictable_pgs_cleared", "unevictable_pgs_stranded",
	"nr_zspages", "nr_ion_heap", "nr_gpu_heap"};
static const char *const pressure[] = {NULL, "cpu.some", "cpu.full", "io.some", "io.full",
	"mem.some", "mem.full"};

/* Times of a core since it booted; what a disk did since then. */
static const char *const cpu_times[] = {NULL, NULL, ".user_ns", ".user_nice_ns", ".system_mode_ns",
	".idle_ns", ".io_wait_ns", ".irq_ns", ".softirq_ns", ".steal_ns"};
static const char *const disk_stats[] = {NULL, NULL, "].read_sectors", "].read_time_ms",
	"].write_sectors", "].write_time_ms", "].discard_sectors", "].discard_time_ms",
	"].flush_count", "].flush_time_ms"};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define KEYS(array) .keys = (array), .key_count = COUNT_OF(array)
#define MANY(array) .values = (array), .value_count = COUNT_OF(array)

/*
 * Lists of SysStats by their field.  An entry tells a key, a text or a number, in its field 1, and values from 2 on:
 * one, or those that `values` names.
 */
static const struct entries {
	struct figure figure; /* its name comes before the key */
	const char *after;
	const char *const *keys; /* texts of keys that are numbers; NULL: the key is a text */
	size_t key_count;
	const char *const *values;
	size_t value_count;
	bool number; /* the key is shown as the number that it is */
	bool alone;  /* the field is a value, without a key */
} entries[] = {
	[1] = {{STR(""), LOG_UNIT_BYTES, 10}, "", KEYS(meminfo)},
	[2] = {{STR(""), LOG_UNIT_NONE, 0}, "", KEYS(vmstat)},
	[3] = {{STR("cpu.times.cpu"), LOG_UNIT_NS, 0}, "", MANY(cpu_times), .number = true},
	[4] = {{STR("num_forks"), LOG_UNIT_NONE, 0}, "", .alone = true},
	[5] = {{STR("num_irq_total"), LOG_UNIT_NONE, 0}, "", .alone = true},
	[6] = {{STR("num_irq (id: "), LOG_UNIT_NONE, 0}, ")", .number = true},
	[7] = {{STR("num_softirq_total"), LOG_UNIT_NONE, 0}, "", .alone = true},
	[8] = {{STR("num_softirq (id: "), LOG_UNIT_NONE, 0}, ")", .number = true},
	[10] = {{STR(""), LOG_UNIT_KHZ, 0}, .after = " Frequency"},
	[13] = {{STR("diskstat.["), LOG_UNIT_NONE, 0}, "", MANY(disk_stats)},
	[14] = {{STR("psi."), LOG_UNIT_NS, 0}, "", KEYS(pressure)},
	[15] = {{STR(""), LOG_UNIT_MILLI_C, 0}, .after = " Temperature"},
};

enum { SYSTEM_FREQUENCIES = 11 };

/* Takes an entry of a list. */
static void
entry_take(struct perfetto *pf, const struct entries *e, const struct payload *p, nsec at)
{
	struct str key = p->text[p->text[3].n > 0 ? 3 : 1]; /* of a zone its type, not its name */
	char number[24];

	snprintf(number, sizeof(number), "%u", (unsigned)p->number[1]);
	if (e->number)
		key = str_from(number);
	else if (e->keys != NULL && p->number[1] > 0 && p->number[1] < e->key_count)
		key = str_from(e->keys[p->number[1]]);
	else if (e->keys != NULL)
		return;
	if (e->values == NULL)
		figure_about(pf, &e->figure, key, e->after, p->number[2], at);
	for (size_t i = 2; i < e->value_count; i++) {
		if (p->number[i] != 0)
			figure_about(pf, &e->figure, key, e->values[i], p->number[i], at);
	}
}

/* Takes frequencies of cores, one or some; `core`: how many came before. */
static void
frequencies_take(struct perfetto *pf, const struct wire_field *f, uint32_t *core, nsec at)
{
	struct wire packed = wire_message(f);
	bool one = f->type == WIRE_VARINT;
	uint64_t value;

	for (value = f->value; one || wire_varint(&packed, &value); one = false) {
		struct logline line = {.comm = {"", 0}};
		struct schedline s = {.value = (uint32_t)value, .cpu = (*core)++};

		sched_take(&pf->r, EVENT_FREQUENCY, &s, &line, at, SCHED_NONE);
		if (packed.p == packed.end)
			break;
	}
}

static void
system_take(struct perfetto *pf, struct wire message, nsec at)
{
	struct wire_field f;
	struct payload p;
	uint32_t core = 0;

	while (wire_next(&message, &f)) {
		const struct entries *e = &entries[f.number < COUNT_OF(entries) ? f.number : 0];

		if (f.number == SYSTEM_FREQUENCIES)
			frequencies_take(pf, &f, &core, at);
		else if (e->after != NULL && e->alone && f.type == WIRE_VARINT)
			figure_put(pf, &e->figure, e->figure.name, LOGLINE_NOBODY, f.value, at);
		else if (e->after != NULL && !e->alone && f.type == WIRE_BYTES && payload_read(&p, f.bytes))
			entry_take(pf, e, &p, at);
	}
}

void
stats_take(struct perfetto *pf, const struct trace_packet *p, uint64_t ns)
{
	nsec at = reader_time(&pf->r, ns);

	if (p->field == PACKET_STATS)
		processes_take(pf, p->data, at);
	else if (p->field == PACKET_BATTERY)
		battery_take(pf, p->data, at);
	else if (p->field == PACKET_RAILS)
		rails_take(pf, p->data, p->sequence, at);
	else
		system_take(pf, p->data, at);
}

void
stats_release(struct perfetto *pf)
{
	idmap_release(&pf->rails);
	mem_free(pf->rail_names);
}
