/*
 * What is found out sooner where lines look as most do is the same as what the general way
 * finds: on lines of all forms with bytes changed, left out and put in.
 */
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "format/logline.h"
#include "format/schedline-parts.h"
#include "gen/rng.h"
#include "tap/tap.h"

enum { ROUNDS = 60000, LINE_MOST = 400 };

static const char *const lines[] = {
	"    <-transport1-1001 ( 1000) [007] d.h. 694423.383602: sched_wakeup: comm=a pid=1",
	"           <...>-1006 ( 1004) [002] .n.. 694423.384909: tracing_mark_write: B|1004|H:x|I62",
	"          <idle>-0     (-----) [001] .N.. 694423.385717: cpu_idle: state=4294967295 cpu_id=1",
	"            app-39945   (  39945) [010] .... 347921.342586: tracing_mark_write: E|1",
	"  [GT]HandlerThre-684 ( 600) [002] ..... 1.100000: f: a",
	"     hwc_eventmon-336   [000] 50260.929925: 0: C|124|VSYNC|1 and something behind it",
	"trace-cmd-1701  [001]    76.211513: sched_switch:          prev_comm=trace-cmd prev_pid=1701",
	"     a-1 [001] x-2 [003] .... 1.123456: f: a payload that is long enough to read words",
	"        surfaceflinger-612   12 [1001] d..2 9999999.000000001: print: 0xffffffc0: B|1|x",
};

static const struct {
	enum sched_event event;
	const char *payload;
} payloads[] = {
	{ EVENT_SWITCH, "prev_comm=Jit thread pool prev_pid=2532 prev_prio=129 prev_state=R+ ==> "
			"next_comm=swapper/0 next_pid=0 next_prio=120" },
	{ EVENT_SWITCH, "prev_comm=a prev_pid=1 prev_prio=-1 prev_state=S ==> next_comm= "
			"next_pid=1234567 next_prio=97 next_info=x" },
	{ EVENT_SWITCH, "prev_comm=a=b prev_pid=1 prev_prio=120 prev_state=D|K ==> next_comm=c "
			"next_pid=3 next_prio=99999999" },
	{ EVENT_SWITCH, "trace-cmd:1701 [120] S ==> swapper/1:0 [120]" },
	{ EVENT_WAKEUP, "comm=wifi_hal_servic pid=325 prio=120 target_cpu=003" },
	{ EVENT_WAKING, "comm= pid=4294967295 prio=120 success=1 target_cpu=003" },
	{ EVENT_EXIT, "comm=a pid=2 pid=325 prio=120" },
	{ EVENT_BLOCKED, "pid=1003 iowait=0 caller=wait_2+0x1c/0x80 delay=3" },
	{ EVENT_BLOCKED, "pid=10 io_wait=1 caller=x" },
};

/* Changes some bytes, mostly to such as mean something. */
static size_t
mutate(char *text, size_t n, struct rng *rng)
{
	static const char bytes[] = " \t=[]().:-+|0123456789aS\n\0R";
	uint32_t changes = rng_below(rng, 4);

	while (changes-- > 0 && n > 0) {
		size_t at = rng_below(rng, (uint32_t)n);
		char c = bytes[rng_below(rng, sizeof(bytes) - 1)];

		switch (rng_below(rng, 5)) {
		case 0:
			text[at] = c;
			break;
		case 1:
			memmove(text + at, text + at + 1, n-- - at - 1);
			break;
		case 2:
			if (n < LINE_MOST) {
				memmove(text + at + 1, text + at, n++ - at);
				text[at] = c;
			}
			break;
		case 3:
			n = rng_below(rng, 8) == 0 ? at : n;
			break;
		default: /* another number */
			if (text[at] >= '0' && text[at] <= '9')
				text[at] = (char)('0' + rng_below(rng, 10));
			break;
		}
	}
	return n;
}

static bool
str_same(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || a.p == b.p);
}

static bool
lines_same(const struct logline *a, const struct logline *b)
{
	return str_same(a->comm, b->comm) && str_same(a->flags, b->flags) &&
	    str_same(a->func, b->func) && str_same(a->payload, b->payload) && a->ns == b->ns &&
	    a->tid == b->tid && a->cpu == b->cpu && a->has_tgid == b->has_tgid &&
	    (!a->has_tgid || a->tgid == b->tgid);
}

/* Numbers tell who wrote a line: the same number, the same writer. */
struct known {
	uint32_t number, tid;
	struct str func;
};

static bool
number_agrees(struct known *known, const struct logline *l)
{
	struct known *k = &known[l->writer % 4096], *f = &known[4096 + l->func_number];
	bool agrees = true;

	if (l->writer > 0) {
		agrees = k->number != l->writer || k->tid == l->tid;
		*k = (struct known){.number = l->writer, .tid = l->tid};
	}
	if (l->func_number > 0) {
		static char names[LOGLINE_FUNCS][32];

		agrees &= f->func.n == 0 || str_equal(f->func, l->func);
		if (f->func.n == 0 && l->func.n < sizeof(names[0])) {
			memcpy(names[l->func_number], l->func.p, l->func.n);
			f->func = (struct str){names[l->func_number], l->func.n};
		}
	}
	return agrees;
}

static void
recalled(struct rng *rng)
{
	struct logline_memory *m = logline_memory_new(1);
	struct known *known = mem_zero(4096 + LOGLINE_FUNCS, sizeof(*known));
	int bad = 0, records = 0, numbered = 0, wrong = 0;

	for (int i = 0; i < ROUNDS; i++) {
		const char *from = lines[rng_below(rng, sizeof(lines) / sizeof(lines[0]))];
		char text[LINE_MOST + 1], *copy;
		struct logline want = {.ns = 0}, got = {.ns = 0};
		bool is, was;
		size_t n = strlen(from);

		memcpy(text, from, n);
		n = mutate(text, n, rng);
		copy = mem_alloc(n + 1); /* so that looking behind its end shows */
		memcpy(copy + 1, text, n);
		is = logline_parse(&want, (struct str){copy + 1, n});
		was = logline_recall(m, &got, (struct str){copy + 1, n});
		bad += is != was || (is && !lines_same(&want, &got));
		records += is;
		numbered += is && got.writer > 0 && got.func_number > 0;
		wrong += is && !number_agrees(known, &got);
		mem_free(copy);
	}
	is_int(bad, 0, "lines recalled are as parsed");
	is_int(wrong, 0, "numbers stand for the same writer, and for the same function");
	ok(records > ROUNDS / 2 && numbered > ROUNDS / 4, "most are records: %d, known %d",
	    records, numbered);
	mem_free(known);
	logline_memory_free(m);
}

static bool
scheds_same(const struct schedline *a, const struct schedline *b)
{
	return str_same(a->comm, b->comm) && str_same(a->next_comm, b->next_comm) &&
	    str_same(a->caller, b->caller) && a->tid == b->tid && a->next == b->next &&
	    a->priority == b->priority && a->state == b->state && a->io == b->io;
}

static void
scheduled(struct rng *rng)
{
	int bad = 0, quick = 0;

	for (int i = 0; i < ROUNDS; i++) {
		uint32_t k = rng_below(rng, sizeof(payloads) / sizeof(payloads[0]));
		char text[LINE_MOST + 1], *copy;
		struct schedline want, got;
		size_t n = strlen(payloads[k].payload);

		memcpy(text, payloads[k].payload, n);
		n = mutate(text, n, rng);
		copy = mem_alloc(n + 1);
		memcpy(copy + 1, text, n);
		if (schedline_quick(&got, payloads[k].event, (struct str){copy + 1, n})) {
			quick++;
			bad += !schedline_search(
				   &want, payloads[k].event, (struct str){copy + 1, n}) ||
			    !scheds_same(&want, &got);
		}
		mem_free(copy);
	}
	is_int(bad, 0, "payloads of the usual form are as keys tell");
	ok(quick > ROUNDS / 5, "many are of it: %d", quick);
}

int
main(void)
{
	struct rng rng = {7};

	recalled(&rng);
	scheduled(&rng);
	return tap_done();
}
