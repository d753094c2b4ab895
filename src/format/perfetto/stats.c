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
	struct wire all = message;
	struct str of = {"", 0};
	struct wire_field f;
	char name[NAME_ROOM];

	while (wire_next(&all, &f)) {
		if (f.number == BATTERY_NAME)
			of = wire_text(&f);
	}
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
	{STR("S2M_VDD_CPUCL2"), "power.rails.cpu.big"}, {STR("S2S_VDD_G3D"), "power.rails.gpu"}};

/* Remembers what a rail is called, by its number and the sequence that tells it. */
static void
rail_name(struct perfetto *pf, uint64_t key, struct str rail)
{
	const char *known = NULL;
	char name[NAME_ROOM];
	uint32_t index;

	for (size_t i = 0; i < sizeof(short_names) / sizeof(short_names[0]); i++) {
		if (str_equal(short_names[i].rail, rail))
			known = short_names[i].name;
	}
	snprintf(name, sizeof(name), "power.%.*s_uws",
	    (int)(rail.n < NAME_ROOM / 2 ? rail.n : NAME_ROOM / 2), rail.p);
	index = idmap_add(&pf->rails, id_key(key), (uint32_t)pf->rail_count);
	if (index == pf->rail_count) {
		MEM_GROW(pf->rail_names, pf->rail_room, pf->rail_count + 1);
		pf->rail_count++;
	}
	pf->rail_names[index] = text_keep(pf, str_from(known != NULL ? known : name));
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

/* Keys of /proc/meminfo. */
static const struct figure meminfo[] = {[1] = KB("MemTotal"), KB("MemFree"), KB("MemAvailable"),
	KB("Buffers"), KB("Cached"), KB("SwapCached"), KB("Active"), KB("Inactive"),
	KB("Active(anon)"), KB("Inactive(anon)"), KB("Active(file)"), KB("Inactive(file)"),
	KB("Unevictable"), KB("Mlocked"), KB("SwapTotal"), KB("SwapFree"), KB("Dirty"),
	KB("Writeback"), KB("AnonPages"), KB("Mapped"), KB("Shmem"), KB("Slab"),
	KB("SReclaimable"), KB("SUnreclaim"), KB("KernelStack"), KB("PageTables"),
	KB("CommitLimit"), KB("Committed_AS"), KB("VmallocTotal"), KB("VmallocUsed"),
	KB("VmallocChunk"), KB("CmaTotal"), KB("CmaFree"), KB("Gpu"), KB("Zram"), KB("Misc"),
	KB("IonHeap"), KB("IonHeapPool")};

/* Times of a core since it booted, ns; of a resource that threads waited for. */
static const char *const cpu_times[] = {NULL, NULL, "user_ns", "user_nice_ns", "system_mode_ns",
	"idle_ns", "io_wait_ns", "irq_ns", "softirq_ns", "steal_ns"};
static const char *const pressure[] = {NULL, "cpu.some", "cpu.full", "io.some", "io.full",
	"memory.some", "memory.full"};

enum { SYSTEM_MEMINFO = 1, SYSTEM_CPU = 3, SYSTEM_FORKS = 4, SYSTEM_INTERRUPTS = 5, SYSTEM_SOFT = 7,
	SYSTEM_DEVICES = 10, SYSTEM_FREQUENCIES = 11, SYSTEM_PRESSURE = 14, SYSTEM_THERMAL = 15 };

/* One counter of the system without a key. */
static const struct figure *
system_stat(uint32_t field)
{
	static const struct figure stats[] = {[SYSTEM_FORKS] = {.name = STR("num_forks")},
	    [SYSTEM_INTERRUPTS] = {.name = STR("num_irq_total")},
	    [SYSTEM_SOFT] = {.name = STR("num_softirq_total")}};
	bool known = field < sizeof(stats) / sizeof(stats[0]) && stats[field].name.n > 0;

	return known ? &stats[field] : NULL;
}

/* An entry of one of the lists; `core`: how many frequencies of cores came before. */
static void
entry_take(struct perfetto *pf, const struct wire_field *f, uint32_t *core, nsec at)
{
	static const struct figure cpu = {STR("cpu.times.cpu"), LOG_UNIT_NS, 0},
	    psi = {STR("psi."), LOG_UNIT_NS, 0}, khz = {STR(""), LOG_UNIT_KHZ, 0},
	    temperature = {STR(""), LOG_UNIT_MILLI_C, 0};
	const struct figure *alone = f->type == WIRE_VARINT ? system_stat(f->number) : NULL;
	struct payload p;
	char number[16];
	uint64_t value;

	if (alone != NULL) {
		figure_put(pf, alone, alone->name, LOGLINE_NOBODY, f->value, at);
	} else if (f->number == SYSTEM_FREQUENCIES) {
		struct wire packed = wire_message(f);
		bool one = f->type == WIRE_VARINT;

		for (value = f->value; one || wire_varint(&packed, &value); one = false) {
			struct logline line = {.comm = {"", 0}};
			struct schedline s = {.value = (uint32_t)value, .cpu = (*core)++};

			sched_take(&pf->r, EVENT_FREQUENCY, &s, &line, at, SCHED_NONE);
			if (packed.p == packed.end)
				break;
		}
	} else if (f->type == WIRE_BYTES && payload_read(&p, f->bytes)) {
		uint64_t key = p.number[1];

		if (f->number == SYSTEM_MEMINFO && key > 0 && key < sizeof(meminfo) / sizeof(meminfo[0]))
			figure_put(pf, &meminfo[key], meminfo[key].name, LOGLINE_NOBODY, p.number[2], at);
		else if (f->number == SYSTEM_PRESSURE && key > 0 &&
		    key < sizeof(pressure) / sizeof(pressure[0]))
			figure_about(pf, &psi, str_from(pressure[key]), "", p.number[2], at);
		else if (f->number == SYSTEM_DEVICES)
			figure_about(pf, &khz, p.text[1], " Frequency", p.number[2], at);
		else if (f->number == SYSTEM_THERMAL)
			figure_about(pf, &temperature, p.text[p.text[3].n > 0 ? 3 : 1], " Temperature",
			    p.number[2], at);
		snprintf(number, sizeof(number), "%u.", (unsigned)key);
		for (size_t i = 2; f->number == SYSTEM_CPU && i < sizeof(cpu_times) / sizeof(cpu_times[0]); i++) {
			if (p.number[i] != 0)
				figure_about(pf, &cpu, str_from(number), cpu_times[i], p.number[i], at);
		}
	}
}

static void
system_take(struct perfetto *pf, struct wire message, nsec at)
{
	struct wire_field f;
	uint32_t core = 0;

	while (wire_next(&message, &f))
		entry_take(pf, &f, &core, at);
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
