// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/log/kernel.h"

#include <string.h>

#include "base/compat.h"

/* clang warns of members that are left out after designators. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#define SCHED(event, has_comm, has_tid) \
	.does = KERNEL_SCHED, .sched = (event), .comm = (has_comm), .tid = (has_tid), .text = true
#define MARK(...) .does = KERNEL_MARKER, .mark = {__VA_ARGS__}
#define STATE(is_fixed) \
	.does = KERNEL_COUNTER, .text = true, .fixed = (is_fixed), \
	.counters = {{"%s State", KERNEL_VALUE}}
#define FREQUENCY .counters = {{"%s Frequency", KERNEL_VALUE, .unit = LOG_UNIT_HZ}}
#define HEAP(all, change) \
	.does = KERNEL_COUNTER, .text = true, .fields = {[KERNEL_VALUE] = 3, [KERNEL_SECOND] = 2}, \
	.keys = {[KERNEL_VALUE] = "total_allocated=", [KERNEL_SECOND] = "len="}, \
	.counters = {{(all), KERNEL_VALUE, .unit = LOG_UNIT_BYTES}, \
	    {(change), KERNEL_SECOND, SCOPE_WRITER, .unit = LOG_UNIT_BYTES}}

/* The most frequent ones first: lines look for theirs in this order. */
static const struct kernel_event events[] = {
	{STR("tracing_mark_write"), .does = KERNEL_MARKER, .text = true},
	{STR("sched_switch"), 4, SCHED(EVENT_SWITCH, 1, 2)},
	{STR("sched_waking"), 20, SCHED(EVENT_WAKING, 1, 2)},
	{STR("sched_wakeup"), 17, SCHED(EVENT_WAKEUP, 1, 2)},
	{STR("cpu_idle"), 13, SCHED(EVENT_IDLE, 0, 0)},
	{STR("cpu_frequency"), 11, SCHED(EVENT_FREQUENCY, 0, 0)},
	{STR("sched_blocked_reason"), 18, SCHED(EVENT_BLOCKED, 0, 1)},
	{STR("sched_wakeup_new"), 114, SCHED(EVENT_WAKEUP, 1, 2)},
	{STR("task_newtask"), 235, SCHED(EVENT_NEWTASK, 2, 1)},
	{STR("task_rename"), 236, SCHED(EVENT_RENAME, 3, 1)},
	{STR("sched_process_exit"), 238, SCHED(EVENT_EXIT, 1, 2)},
	{STR("sched_process_free"), 240, SCHED(EVENT_FREE, 1, 2)},
	{STR("print"), 3, .does = KERNEL_MARKER, .text = true},
	{STR("0"), .does = KERNEL_MARKER, .text = true},
	{STR("binder_transaction"), 50, KERNEL_BINDER, .text = true},
	{STR("binder_transaction_received"), 51, KERNEL_BINDER, .text = true},
	{STR("softirq_entry"), 24, KERNEL_INTERRUPT, .text = true},
	{STR("softirq_exit"), 25, KERNEL_INTERRUPT, .text = true},
	{STR("irq_handler_entry"), 36, KERNEL_INTERRUPT, .text = true},
	{STR("irq_handler_exit"), 37, KERNEL_INTERRUPT, .text = true},

	{STR("rss_stat"), 313, KERNEL_RSS, .text = true,
	    .fields = {[KERNEL_MEMBER] = 1, [KERNEL_VALUE] = 2, [KERNEL_CURRENT] = 3,
		[KERNEL_PLACE] = 4},
	    .keys = {[KERNEL_MEMBER] = "member=|type=", [KERNEL_VALUE] = "size=",
		[KERNEL_CURRENT] = "curr=", [KERNEL_PLACE] = "mm_id="}},
	{STR("rss_stat_throttled"), 359, KERNEL_RSS, .text = true,
	    .fields = {[KERNEL_CURRENT] = 1, [KERNEL_MEMBER] = 2, [KERNEL_PLACE] = 3,
		[KERNEL_VALUE] = 4},
	    .keys = {[KERNEL_MEMBER] = "member=|type=", [KERNEL_VALUE] = "size=",
		[KERNEL_CURRENT] = "curr=", [KERNEL_PLACE] = "mm_id="}},
	{STR("oom_score_adj_update"), 326, KERNEL_COUNTER, .text = true,
	    .counters = {{"oom_score_adj", KERNEL_VALUE, SCOPE_PID}},
	    .fields = {[KERNEL_VALUE] = 2, [KERNEL_PLACE] = 3},
	    .keys = {[KERNEL_VALUE] = "oom_score_adj=", [KERNEL_PLACE] = "pid="}},
	{STR("cpu_frequency_limits"), 12, KERNEL_COUNTER, .text = true,
	    .counters = {{"Cpu %u Min Freq Limit", KERNEL_VALUE, .unit = LOG_UNIT_KHZ},
		{"Cpu %u Max Freq Limit", KERNEL_SECOND, .unit = LOG_UNIT_KHZ}},
	    .fields = {[KERNEL_VALUE] = 1, [KERNEL_SECOND] = 2, [KERNEL_PLACE] = 3},
	    .keys = {[KERNEL_VALUE] = "min=|min_freq=", [KERNEL_SECOND] = "max=|max_freq=",
		[KERNEL_PLACE] = "cpu_id="}},
	{STR("gpu_frequency"), 332, KERNEL_COUNTER, .text = true,
	    .counters = {{"gpufreq", KERNEL_VALUE, SCOPE_GPU, LOG_UNIT_KHZ}},
	    .fields = {[KERNEL_PLACE] = 1, [KERNEL_VALUE] = 2},
	    .keys = {[KERNEL_PLACE] = "gpu_id=", [KERNEL_VALUE] = "state="}},
	{STR("kgsl_gpu_frequency"), 509, KERNEL_COUNTER,
	    .counters = {{"gpufreq", KERNEL_VALUE, SCOPE_GPU, LOG_UNIT_KHZ, 1000}},
	    .fields = {[KERNEL_VALUE] = 1, [KERNEL_PLACE] = 2}},
	{STR("clock_set_rate"), 16, KERNEL_COUNTER, .text = true, FREQUENCY,
	    .fields = {[KERNEL_NAME] = 1, [KERNEL_VALUE] = 2},
	    .keys = {[KERNEL_NAME] = "", [KERNEL_VALUE] = "state="}},
	{STR("clk_set_rate"), 322, KERNEL_COUNTER, .text = true, FREQUENCY,
	    .fields = {[KERNEL_NAME] = 1, [KERNEL_VALUE] = 2},
	    .keys = {[KERNEL_NAME] = "", [KERNEL_VALUE] = " "}},
	{STR("clock_enable"), 14, STATE(0), .fields = {[KERNEL_NAME] = 1, [KERNEL_VALUE] = 2},
	    .keys = {[KERNEL_NAME] = "", [KERNEL_VALUE] = "state="}},
	{STR("clock_disable"), 15, STATE(0), .fields = {[KERNEL_NAME] = 1, [KERNEL_VALUE] = 2},
	    .keys = {[KERNEL_NAME] = "", [KERNEL_VALUE] = "state="}},
	{STR("clk_enable"), 320, STATE(1), .fields = {[KERNEL_NAME] = 1},
	    .keys = {[KERNEL_NAME] = ""}},
	{STR("clk_disable"), 321, STATE(0), .fields = {[KERNEL_NAME] = 1},
	    .keys = {[KERNEL_NAME] = ""}},
	{STR("thermal_temperature"), 341, KERNEL_COUNTER, .text = true,
	    .counters = {{"%s Temperature", KERNEL_VALUE, .unit = LOG_UNIT_MILLI_C}},
	    .fields = {[KERNEL_VALUE] = 2, [KERNEL_NAME] = 4},
	    .keys = {[KERNEL_NAME] = "thermal_zone=", [KERNEL_VALUE] = "temp="}},
	{STR("cdev_update"), 342, KERNEL_COUNTER, .text = true,
	    .counters = {{"%s Cooling Device", KERNEL_VALUE}},
	    .fields = {[KERNEL_VALUE] = 1, [KERNEL_NAME] = 2},
	    .keys = {[KERNEL_NAME] = "type=", [KERNEL_VALUE] = "target="}},
	{STR("dma_heap_stat"), 351, HEAP("mem.dma_heap", "mem.dma_heap_change")},
	{STR("ion_stat"), 335, HEAP("mem.ion", "mem.ion_change")},
	{STR("gpu_mem_total"), 340, KERNEL_COUNTER, .text = true,
	    .counters = {{"GPU Memory", KERNEL_VALUE, SCOPE_PID, LOG_UNIT_BYTES}},
	    .fields = {[KERNEL_PLACE] = 2, [KERNEL_VALUE] = 3},
	    .keys = {[KERNEL_PLACE] = "pid=", [KERNEL_VALUE] = "size="}},

	/* Events that are read of Perfetto's packets only. */
	{STR("mdss_tracing_mark_write"), 80, MARK(1, 2, 0, 0, .flag = 3)},
	{STR("zero_tracing_mark_write"), 331, MARK(3, 2, 0, 4, .flag = 1)},
	{STR("sde_tracing_mark_write"), 333, MARK(1, 2, 3, 4, .flag = 5)},
	{STR("dpu_tracing_mark_write"), 348, MARK(1, 4, 5, 6, 0, true)},
	{STR("g2d_tracing_mark_write"), 349, MARK(1, 4, 5, 6, .flag = 0)},
	{STR("mali_tracing_mark_write"), 350, MARK(2, 1, 3, 4, .flag = 0)},
	{STR("lwis_tracing_mark_write"), 467, MARK(3, 4, 2, 5, .flag = 0)},
	{STR("samsung_tracing_mark_write"), 484, MARK(1, 2, 4, 5, .flag = 3)},
};
#pragma GCC diagnostic pop

enum { EVENTS = sizeof(events) / sizeof(events[0]) };

const struct kernel_event *
kernel_of_text(struct str func)
{
	for (size_t i = 0; i < EVENTS; i++) {
		if (events[i].text && str_equal(events[i].name, func))
			return &events[i];
	}
	return NULL;
}

const struct kernel_event *
kernel_of_field(uint32_t field)
{
	for (size_t i = 0; i < EVENTS && field != 0; i++) {
		if (events[i].field == field)
			return &events[i];
	}
	return NULL;
}

/* Memory ---------------------------------------------------------------------------- */

/* Kinds of memory by their number in the kernel, and what newer lines have for it. */
static const struct {
	struct str name, type;
} members[] = {
	{STR("mem.rss.file"), STR("MM_FILEPAGES")}, {STR("mem.rss.anon"), STR("MM_ANONPAGES")},
	{STR("mem.swap"), STR("MM_SWAPENTS")}, {STR("mem.rss.shmem"), STR("MM_SHMEMPAGES")},
	{STR("mem.unreclaimable"), STR("MM_UNRECLAIMABLE")}, {STR("mem.unknown"), {"", 0}},
};

enum { MEMBERS = sizeof(members) / sizeof(members[0]) };

struct str
kernel_memory(int64_t member)
{
	return members[member >= 0 && member < MEMBERS ? member : MEMBERS - 1].name;
}

static int64_t
member_of(struct str type)
{
	int64_t i = 0;

	while (i < MEMBERS - 1 && !str_equal(members[i].type, type))
		i++;
	return i;
}

/* Lines ----------------------------------------------------------------------------- */

/* The word that a key of the table means. */
static bool
word_of(struct str payload, const char *key, struct str *word)
{
	const char *end = payload.p + payload.n, *blank;
	const char *other = strchr(key, '|');

	if (*key == '\0' || *key == ' ') {
		blank = payload.n > 0 ? memchr(payload.p, ' ', payload.n) : NULL;
		if (*key == '\0')
			*word = (struct str){payload.p, (size_t)((blank != NULL ? blank : end) - payload.p)};
		else
			*word = blank != NULL ? (struct str){blank + 1, (size_t)(end - blank - 1)} : STR("");
		return word->n > 0;
	}
	if (other == NULL)
		return payload_word(payload, str_from(key), word);
	return payload_word(payload, (struct str){key, (size_t)(other - key)}, word) ||
	    payload_word(payload, str_from(other + 1), word);
}

bool
kernel_values_parse(struct kernel_values *v, const struct kernel_event *event, struct str payload)
{
	*v = (struct kernel_values){.event = event, .name = {"", 0},
	    .number = {[KERNEL_VALUE] = event->fixed}};
	for (int role = 0; role < KERNEL_ROLES; role++) {
		/* Kernels before 5.5 do not tell whose memory it is. */
		bool needed = event->does != KERNEL_RSS || role == KERNEL_VALUE || role == KERNEL_MEMBER;
		struct str word;

		if (event->keys[role] == NULL)
			continue;
		if (!word_of(payload, event->keys[role], &word)) {
			if (needed)
				return false;
			continue;
		}
		v->told |= 1u << role;
		if (role == KERNEL_NAME)
			v->name = word;
		else if (role == KERNEL_MEMBER && word.n > 0 && word.p[0] == 'M')
			v->number[role] = member_of(word);
		else if (!word_number(word, &v->number[role]))
			return false;
	}
	return true;
}
