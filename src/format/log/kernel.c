// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/log/kernel.h"

#include <inttypes.h>
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
/* Two events that begin and end a slice of a thread. */
#define ON_THREAD(label, begin, begin_field, end, end_field) \
	{STR(label begin), (begin_field), .does = KERNEL_SPAN, .text = true, \
	    .span = {label, NULL, SPAN_BEGINS}}, \
	{STR(label end), (end_field), .does = KERNEL_SPAN, .text = true, \
	    .span = {label, NULL, SPAN_ENDS}}
#define WORK(does_edge) .does = KERNEL_SPAN, .text = true, .span = {"%s", NULL, (does_edge)}, \
	.fields = {[KERNEL_NAME] = 2}, .keys = {[KERNEL_NAME] = "function "}
/* A request to a device: its row, sector, how many sectors, R or W. */
#define BLOCK(does_edge, kind, rwbs) .does = KERNEL_SPAN, .text = true, \
	.span = {"%s %b", "block %r", (does_edge), (kind)}, \
	.fields = {[KERNEL_ROW] = 1, [KERNEL_ID] = 2, [KERNEL_VALUE] = 3, [KERNEL_NAME] = (rwbs), \
	    [KERNEL_SECOND] = (does_edge) == SPAN_BEGINS ? 4 : 0}, \
	.keys = {[KERNEL_ROW] = "", [KERNEL_NAME] = " ", [KERNEL_ID] = ") ", [KERNEL_VALUE] = "+ ", \
	    [KERNEL_SECOND] = (does_edge) == SPAN_BEGINS ? "  " : NULL}
#define FENCE(does_edge) .does = KERNEL_SPAN, .text = true, \
	.span = {"fence", "fence %r", (does_edge)}, \
	.fields = {[KERNEL_OF] = 1, [KERNEL_ID] = 3, [KERNEL_ROW] = 4}, \
	.keys = {[KERNEL_OF] = "context=", [KERNEL_ID] = "seqno=", [KERNEL_ROW] = "timeline="}
#define WAKELOCK(does_edge) .does = KERNEL_SPAN, .text = true, \
	.span = {"%r", "Wakelock(%r)", (does_edge)}, .fields = {[KERNEL_ROW] = 1}, \
	.keys = {[KERNEL_ROW] = ""}
/* An interrupt on a core, on which one of the kind is open at a time. */
#define INTERRUPT(label, where, does_edge) .does = KERNEL_SPAN, .text = true, \
	.span = {label, where " cpu%u", (does_edge), .alone = true}
#define IPI(does_edge) INTERRUPT("%i", "ipi", does_edge), \
	.fields = {[KERNEL_NAME] = 1}, .keys = {[KERNEL_NAME] = "("}
#define IRQ(does_edge) INTERRUPT("IRQ (%s)", "irq", does_edge), \
	.fields = {[KERNEL_ID] = 1, [KERNEL_NAME] = (does_edge) == SPAN_BEGINS ? 2 : 0}, \
	.keys = {[KERNEL_ID] = "irq=", [KERNEL_NAME] = (does_edge) == SPAN_BEGINS ? "name=" : NULL}
#define SOFTIRQ(does_edge) INTERRUPT("%q", "softirq", does_edge), \
	.fields = {[KERNEL_ID] = 1}, .keys = {[KERNEL_ID] = "vec="}

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
	{STR("binder_transaction"), BINDER_SENT, KERNEL_BINDER, .text = true,
	    .fields = {[KERNEL_ID] = 1, [KERNEL_PLACE] = 3, [KERNEL_SECOND] = 5, [KERNEL_OF] = 6,
		[KERNEL_VALUE] = 7},
	    .keys = {[KERNEL_ID] = "transaction=", [KERNEL_PLACE] = "dest_proc=",
		[KERNEL_SECOND] = "reply=", [KERNEL_OF] = "code=", [KERNEL_VALUE] = "flags=",
		[KERNEL_ROW] = "transaction="}},
	{STR("binder_transaction_received"), BINDER_RECEIVED, KERNEL_BINDER, .text = true,
	    .fields = {[KERNEL_ID] = 1},
	    .keys = {[KERNEL_ID] = "transaction=", [KERNEL_ROW] = "transaction="}},
	{STR("binder_transaction_alloc_buf"), BINDER_SIZE, KERNEL_BINDER, .text = true,
	    .fields = {[KERNEL_VALUE] = 1, [KERNEL_ID] = 2},
	    .keys = {[KERNEL_VALUE] = "data_size=", [KERNEL_ID] = "transaction="}},
	{STR("binder_return"), BINDER_RETURN, KERNEL_BINDER, .text = true,
	    .fields = {[KERNEL_ID] = 1}, .keys = {[KERNEL_ID] = "cmd="}},
	{STR("softirq_entry"), 24, SOFTIRQ(SPAN_BEGINS)},
	{STR("softirq_exit"), 25, SOFTIRQ(SPAN_ENDS)},
	{STR("irq_handler_entry"), 36, IRQ(SPAN_BEGINS)},
	{STR("irq_handler_exit"), 37, IRQ(SPAN_ENDS)},

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

	{STR("workqueue_execute_start"), 58, WORK(SPAN_BEGINS)},
	{STR("workqueue_execute_end"), 57, WORK(SPAN_ENDS)},
	ON_THREAD("f2fs_sync_file", "_enter", 255, "_exit", 256),
	ON_THREAD("f2fs_write", "_begin", 271, "_end", 273),
	ON_THREAD("ext4_sync_file", "_enter", 43, "_exit", 44),
	ON_THREAD("ext4_da_write", "_begin", 41, "_end", 42),
	ON_THREAD("mm_vmscan_direct_reclaim", "_begin", 46, "_end", 47),
	ON_THREAD("dma_fence_wait", "_start", 417, "_end", 418),
	{STR("dma_fence_init"), 414, FENCE(SPAN_BEGINS)},
	{STR("dma_fence_signaled"), 416, FENCE(SPAN_ENDS)},
	{STR("block_io_start"), 546, BLOCK(SPAN_BEGINS, BLOCK_IO, 6)},
	{STR("block_io_done"), 547, BLOCK(SPAN_ENDS, BLOCK_IO, 6)},
	{STR("block_rq_issue"), 45, BLOCK(SPAN_BEGINS, BLOCK_REQUEST, 5)},
	{STR("block_rq_complete"), 125, BLOCK(SPAN_ENDS, BLOCK_REQUEST, 5)},
	{STR("ufshcd_command"), 406, .does = KERNEL_SPAN, .text = true,
	    .span = {"%o", "ufs %r tag %u", SPAN_TELLS},
	    .fields = {[KERNEL_ROW] = 1, [KERNEL_SECOND] = 5, [KERNEL_EDGE] = 6, [KERNEL_PLACE] = 7,
		[KERNEL_EDGE_KIND] = 10},
	    .keys = {[KERNEL_EDGE] = "", [KERNEL_ROW] = " ", [KERNEL_PLACE] = "tag: ",
		[KERNEL_SECOND] = "opcode: "}},
	{STR("suspend_resume"), 113, .does = KERNEL_SPAN, .text = true,
	    .span = {"%s(%n)", "Suspend/Resume", SPAN_TELLS},
	    .fields = {[KERNEL_NAME] = 1, [KERNEL_SECOND] = 2, [KERNEL_EDGE] = 3},
	    .keys = {[KERNEL_NAME] = "[", [KERNEL_SECOND] = "[", [KERNEL_EDGE] = " "}},
	{STR("wakeup_source_activate"), 404, WAKELOCK(SPAN_BEGINS)},
	{STR("wakeup_source_deactivate"), 405, WAKELOCK(SPAN_ENDS)},
	{STR("ipi_entry"), 21, IPI(SPAN_BEGINS)},
	{STR("ipi_exit"), 22, IPI(SPAN_ENDS)},

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

/* Texts ----------------------------------------------------------------------------- */

enum { TEXT_MOST = 200, SECTOR = 512, SCSI_READ = 0x28, SCSI_WRITE = 0x2a };

static const struct str softirqs[] = {STR("HI"), STR("TIMER"), STR("NET_TX"), STR("NET_RX"),
	STR("BLOCK"), STR("IRQ_POLL"), STR("TASKLET"), STR("SCHED"), STR("HRTIMER"), STR("RCU")};

static void
text_put(struct sbuf *out, struct str text)
{
	if (text.n > 0)
		sbuf_bytes(out, text.p, text.n < TEXT_MOST ? text.n : TEXT_MOST);
}

static void
directive_put(struct sbuf *out, char directive, const struct kernel_values *v)
{
	uint64_t second = (uint64_t)v->number[KERNEL_SECOND], id = (uint64_t)v->number[KERNEL_ID];

	if (directive == 's') {
		text_put(out, v->name);
	} else if (directive == 'i') {
		text_put(out, v->name.n > 0 ? v->name : STR("IPI"));
	} else if (directive == 'q' && id < sizeof(softirqs) / sizeof(softirqs[0])) {
		text_put(out, softirqs[id]);
	} else if (directive == 'q') {
		sbuf_printf(out, "softirq %" PRIu64, id);
	} else if (directive == 'r' && v->row.n > 0) {
		text_put(out, v->row);
	} else if (directive == 'r') {
		sbuf_printf(out, "%u,%u", (unsigned)(v->number[KERNEL_ROW] >> 20),
		    (unsigned)v->number[KERNEL_ROW] & 0xfffff);
	} else if (directive == 'b') {
		if ((v->told & 1u << KERNEL_SECOND) == 0)
			second = (uint64_t)v->number[KERNEL_VALUE] * SECTOR;
		sbuf_printf(out, second % 1024 == 0 ? "%" PRIu64 " KiB" : "%" PRIu64 " bytes",
		    second % 1024 == 0 ? second / 1024 : second);
	} else if (directive == 'o' && (second == SCSI_READ || second == SCSI_WRITE)) {
		sbuf_text(out, second == SCSI_READ ? "READ (10)" : "WRITE (10)");
	} else if (directive == 'o') {
		sbuf_printf(out, "opcode 0x%" PRIx64, second);
	} else {
		sbuf_printf(out, "%u", (unsigned)(directive == 'u' ? (uint64_t)v->number[KERNEL_PLACE]
								   : second));
	}
}

struct str
kernel_text(struct sbuf *out, const char *format, const struct kernel_values *v)
{
	if (strchr(format, '%') == NULL)
		return str_from(format);
	sbuf_clear(out);
	for (; *format != '\0'; format++) {
		if (*format == '%')
			directive_put(out, *++format, v);
		else
			sbuf_char(out, *format);
	}
	return sbuf_view(out);
}

enum span_edge
kernel_edge(struct str word)
{
	if (str_starts(word, STR("send")) || str_equal(word, STR("begin")))
		return SPAN_BEGINS;
	return str_starts(word, STR("complete")) || str_equal(word, STR("end")) ? SPAN_ENDS : SPAN_TELLS;
}

/* Reads the number that a word begins with, decimal or hexadecimal with 0x. */
static bool
kernel_number(struct str word, int64_t *value)
{
	uint64_t n = 0;
	size_t i = 2;

	if (!str_starts(word, STR("0x")))
		return word_number(word, value);
	for (; i < word.n && i < 18; i++) {
		char c = word.p[i];
		int digit = is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;

		if (digit < 0)
			break;
		n = n << 4 | (uint64_t)digit;
	}
	*value = (int64_t)n;
	return i > 2;
}

/* Lines ----------------------------------------------------------------------------- */

/* The word of that number, from 0; without a colon at its end. */
static struct str
word_at(struct str payload, size_t number)
{
	const char *at = payload.p, *end = payload.p + payload.n, *blank;

	for (; number > 0 && at < end; number--) {
		blank = memchr(at, ' ', (size_t)(end - at));
		at = blank != NULL ? blank + 1 : end;
	}
	blank = at < end ? memchr(at, ' ', (size_t)(end - at)) : NULL;
	end = blank != NULL ? blank : end;
	return (struct str){at, (size_t)(end - at) - (end > at && end[-1] == ':')};
}

/* The text after a mark, up to a blank or closing bracket; of a name before it. */
static struct str
word_marked(struct str payload, const char *mark, bool name)
{
	const char *end = payload.p + payload.n, *at, *to;

	at = payload.n > 0 ? memmem(payload.p, payload.n, mark, strlen(mark)) : NULL;
	if (at == NULL)
		return STR("");
	if (*mark == '[' && name)
		return (struct str){payload.p, (size_t)(at - payload.p)};
	at += strlen(mark);
	to = memchr(at, *mark == '(' ? ')' : ' ', (size_t)(end - at));
	return (struct str){at, (size_t)((to != NULL ? to : end) - at)};
}

/* The word that a key of the table means. */
static bool
word_of(struct str payload, const char *key, bool name, struct str *word)
{
	const char *other = strchr(key, '|');
	size_t blanks = strspn(key, " ");

	if (key[blanks] == '\0')
		*word = word_at(payload, blanks);
	else if (strchr(key, '=') == NULL)
		*word = word_marked(payload, key, name);
	else if (other == NULL)
		return payload_word(payload, str_from(key), word);
	else
		return payload_word(payload, (struct str){key, (size_t)(other - key)}, word) ||
		    payload_word(payload, str_from(other + 1), word);
	return word->n > 0;
}

/* True if an event makes no sense without the value.  Kernels before 5.5 do not tell whose memory it is. */
static bool
is_needed(const struct kernel_event *event, int role)
{
	if (event->does == KERNEL_BINDER)
		return role == KERNEL_ID || role == KERNEL_PLACE;
	if (event->does == KERNEL_SPAN)
		return role >= KERNEL_ROW && role <= KERNEL_EDGE;
	return event->does != KERNEL_RSS || role == KERNEL_VALUE || role == KERNEL_MEMBER;
}

bool
kernel_values_parse(struct kernel_values *v, const struct kernel_event *event, struct str payload)
{
	*v = (struct kernel_values){.event = event, .number = {[KERNEL_VALUE] = event->fixed}};
	for (int role = 0; role < KERNEL_ROLES; role++) {
		struct str word;

		if (event->keys[role] == NULL)
			continue;
		if (!word_of(payload, event->keys[role], role == KERNEL_NAME, &word)) {
			if (is_needed(event, role))
				return false;
			continue;
		}
		v->told |= 1u << role;
		if (role == KERNEL_NAME)
			v->name = word;
		else if (role == KERNEL_ROW && event->does == KERNEL_BINDER) /* with its key */
			v->row = (struct str){word.p - strlen(event->keys[role]), word.n + strlen(event->keys[role])};
		else if (role == KERNEL_ROW)
			v->row = word;
		else if (role == KERNEL_EDGE)
			v->number[role] = kernel_edge(word);
		else if (role == KERNEL_MEMBER && word.n > 0 && word.p[0] == 'M')
			v->number[role] = member_of(word);
		else if (!kernel_number(word, &v->number[role]))
			return false;
	}
	return true;
}
