// SPDX-License-Identifier: Apache-2.0
/*
 * Small text logs with known answers: what the scheduler's events tell of threads and
 * cores, counters, records that were lost.
 */
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "format/format.h"
#include "opened-log.h"
#include "profile/log/usage.h"
#include "tap/tap.h"
#include "tests/folded.h"

/* a runs from the beginning, b wakes it, and so on; the first two lines of b are on core 1. */
static const char sched_log[] =
	"a-1 (-----) [000] .... 10.000000: tracing_mark_write: B|1|work\n"
	"<idle>-0 (-----) [001] d... 10.000002: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=b c= d next_pid=2 next_prio=97\n"
	"a-1 (-----) [000] d... 10.000010: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=D|K ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
	"b c= d-2 (-----) [001] d... 10.000020: sched_blocked_reason: pid=1 iowait=1 caller=wait+0x1/0x2\n"
	"b c= d-2 (-----) [001] d... 10.000020: sched_wakeup: comm=a pid=1 prio=120 target_cpu=000\n"
	"b c= d-2 (-----) [001] d... 10.000021: sched_wakeup: comm=a pid=1 prio=120 target_cpu=000\n"
	"<idle>-0 (-----) [000] d... 10.000025: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=1 next_prio=120\n"
	"a-1 (-----) [000] .... 10.000030: tracing_mark_write: E|1\n"
	"b c= d-2 (-----) [001] d... 10.000040: sched_switch: prev_comm=b c= d prev_pid=2 prev_prio=97 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120\n";

static nsec
state_time(const struct usage *u, uint32_t thread, enum task_state state, enum interval_io io)
{
	for (size_t i = 0; i < u->state_count; i++) {
		const struct usage_state *s = &u->states[i];

		if (s->thread == thread && s->state == state && s->io == io)
			return s->total;
	}
	return -1;
}

static void
scheduler(void)
{
	struct opened o = open_text(sched_log);
	struct usage *u = usage_new(o.p, NULL, NULL, NULL, NULL), *part;
	uint32_t a = thread_of(&o, "a"), b = thread_of(&o, "b c= d");
	const struct range range = {5000, 27000};
	struct fold *fold;
	const struct interval *i;
	bool woken = false;

	is_int(sum_of(&o, "work")->inclusive[CLOCK_WALL], 30000, "wall time of a slice");
	is_int(sum_of(&o, "work")->inclusive[CLOCK_CPU], 15000, "its CPU time");
	is_int(u->threads[a].ran, 25000, "a ran from the beginning, and again until the end");
	is_int(u->threads[b].ran, 38000, "b ran; blanks and = belong to its name");
	is_int(state_time(u, a, TASK_BLOCKED_KILLABLE, IO_YES), 10000, "a waited for I/O");
	is_int(state_time(u, a, TASK_RUNNABLE, IO_UNTOLD), 5000, "then for a core");
	is_int(u->cores[0].ran + u->cores[0].idle, 40000, "core 0 is accounted for");
	is_int(u->cores[1].ran + u->cores[1].idle, 40000, "core 1 is accounted for");
	is_int((int64_t)o.p->trace->log->sched.ignored_wakeups, 1, "a second wakeup is ignored");
	for (uint64_t n = 0; n < o.p->trace->log->sched.intervals.count; n++) {
		i = sched_interval(&o.p->trace->log->sched, n);
		woken |= i->thread == a && i->state == TASK_RUNNABLE && i->waker == b;
	}
	ok(woken, "b woke a");
	part = usage_new(o.p, NULL, &range, NULL, NULL);
	is_int(part->threads[a].ran, 7000, "a window clips at both ends");
	is_int(part->cores[1].ran, 22000, "and so for cores");
	fold = fold_new(o.p, NULL, &range, NULL);
	is_int(fold->methods[1].inclusive[CLOCK_WALL], 22000, "a slice clipped: wall");
	is_int(fold->methods[1].inclusive[CLOCK_CPU], 7000, "a slice clipped: cpu, exact");
	fold_free(fold);
	usage_free(part);
	usage_free(u);
	done(&o);
}

/* Counters over the whole log and a part of it. */
static void
counters(void)
{
	struct opened o = open_text(LINE_AT("000") "C|1|n|10\n" LINE_AT("010") "C|1|n|-20\n"
	    LINE_AT("020") "C|1|n|40\n" LINE_AT("040") "C|1|n|0\n");
	const struct range range = {5000, 30000};
	struct usage *u = usage_new(o.p, NULL, NULL, NULL, NULL);
	struct usage *part = usage_new(o.p, NULL, &range, NULL, NULL);

	is_int((int64_t)u->counters[0].count, 4, "values");
	is_int(u->counters[0].min, -20, "the smallest");
	is_int(u->counters[0].max, 40, "the largest");
	is_int((int64_t)(u->counters[0].average * 100), 1750, "weighted by time");
	is_int((int64_t)part->counters[0].count, 2, "values set within a window");
	is_int(part->counters[0].first, 10, "it begins with the one that held");
	is_int(part->counters[0].last, 40, "and ends with the last in it");
	is_int((int64_t)(part->counters[0].average * 100), 1000, "weighted within it");
	usage_free(part);
	usage_free(u);
	done(&o);
}

static void
lost(void)
{
	struct opened o = open_text(
	    "a-1 [000] d... 10.000000: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120\n"
	    "b-2 [000] .... 10.000005: tracing_mark_write: C|2|n|1\n"
	    "CPU:0 [LOST 7 EVENTS]\n"
	    "CPU:3 [LOST EVENTS]\n"
	    "c-3 [000] d... 10.000050: sched_switch: prev_comm=c prev_pid=3 prev_prio=120 prev_state=R+ ==> next_comm=b next_pid=2 next_prio=120\n"
	    "b-2 [000] .... 10.000060: tracing_mark_write: C|2|n|3\n");
	struct usage *u = usage_new(o.p, NULL, NULL, NULL, NULL);

	is_int((int64_t)o.s->lost, 7, "records that were lost");
	is_int((int64_t)o.s->lost_unknown, 1, "and a place without a number");
	is_int(u->threads[thread_of(&o, "b")].ran, 15000, "nothing is credited in the gap");
	is_int(u->threads[thread_of(&o, "c")].ran, 0, "nor to the thread found after it");
	is_int(o.p->trace->log->sched.cpus[0].lost, 45000, "the gap is known");
	usage_free(u);
	done(&o);

	/*
	 * Before the first switch: a thread that writes lines in the gap did not run
	 * since the beginning.
	 */
	o = open_text(
	    "a-1 [001] .... 10.000000: tracing_mark_write: C|1|n|1\n"
	    "CPU:0 [LOST 7 EVENTS]\n"
	    "b-2 [000] .... 10.000020: tracing_mark_write: C|2|n|1\n"
	    "b-2 [000] d... 10.000030: sched_switch: prev_comm=b prev_pid=2 prev_prio=120 prev_state=S ==> next_comm=c next_pid=3 next_prio=120\n"
	    "c-3 [000] .... 10.000040: tracing_mark_write: C|3|n|3\n");
	is_int(o.p->trace->log->sched.cpus[0].lost, 30000, "lost from the beginning");
	is_int(o.p->trace->log->sched.cpus[0].ran, 10000, "and credited once");
	done(&o);

	/* What another core told of it is kept; the gap is what follows. */
	o = open_text(
	    "a-1 [000] d... 10.000000: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120\n"
	    "a-1 [001] d... 10.000010: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120\n"
	    "CPU:0 [LOST 7 EVENTS]\n"
	    "b-2 [001] .... 10.000030: tracing_mark_write: C|2|n|1\n");
	is_int(o.p->trace->log->sched.cpus[0].ran, 10000, "until it was seen elsewhere");
	is_int(o.p->trace->log->sched.cpus[0].lost, 20000, "and lost from there on");
	done(&o);
}

/* In any window idle, running and unknown time add up to the whole. */
static void
idle(void)
{
	struct opened o = open_text(
	    "<idle>-0 [000] d... 10.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=1 next_prio=120\n"
	    "a-1 [000] d... 10.000010: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
	    "a-1 [000] d... 10.000014: sched_wakeup: comm=b pid=2 prio=120 target_cpu=000\n"
	    "CPU:0 [LOST 12 EVENTS]\n"
	    "<idle>-0 [000] d... 10.000050: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=1 next_prio=120\n"
	    "a-1 [000] d... 10.000060: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
	    "<idle>-0 [000] d... 10.000090: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=1 next_prio=120\n");
	const nsec edges[] = {0, 12000, 20000, 40000, 70000, 90000};
	const nsec want[] = {2000, 2000, 0, 10000, 20000};
	struct usage *u = usage_new(o.p, NULL, NULL, NULL, NULL);

	is_int(u->cores[0].idle, 34000, "lost time is not idle");
	is_int(u->cores[0].idle, o.p->trace->log->sched.cpus[0].idle, "by either count");
	usage_free(u);
	for (size_t i = 0; i < 5; i++) {
		u = usage_new(o.p, NULL, &(struct range){edges[i], edges[i + 1]}, NULL, NULL);
		is_int(u->cores[0].idle, want[i], "nor from %d to %d", (int)edges[i],
		    (int)edges[i + 1]);
		usage_free(u);
	}
	done(&o);
}

/* Shares are of the time that is known: b may have run while events were lost, a slept. */
static void
known(void)
{
	struct opened o = open_text(
	    "<idle>-0 [000] d... 10.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=1 next_prio=120\n"
	    "a-1 [000] d... 10.000010: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
	    "CPU:0 [LOST 12 EVENTS]\n"
	    "<idle>-0 [000] d... 10.000050: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=b next_pid=2 next_prio=120\n"
	    "b-2 [000] d... 10.000060: sched_switch: prev_comm=b prev_pid=2 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
	    "a-1 [000] .... 10.000090: tracing_mark_write: C|1|n|1\n");
	uint32_t a = thread_of(&o, "a"), b = thread_of(&o, "b");
	struct usage *u = usage_new(o.p, NULL, NULL, NULL, NULL);

	is_int(u->cores[0].unknown, 40000, "what the core did is not known for 40 us");
	is_int(u->known, 50000, "the rest is");
	is_int(u->threads[a].unknown, 0, "a slept meanwhile");
	is_int(u->threads[b].unknown, 40000, "b may have run");
	usage_free(u);
	is_int(fold_known(o.fold, o.p->trace, a), 90000, "a's share is of all time");
	is_int(fold_known(o.fold, o.p->trace, b), 50000, "b's of the time that is known");
	u = usage_new(o.p, NULL, &(struct range){20000, 50000}, NULL, NULL);
	is_int(u->known, 0, "in which nothing may be known");
	is_int(u->threads[b].unknown, 30000, "of b, either");
	usage_free(u);
	done(&o);
}

/* Core 1 took a in; core 0 says that it leaves there. */
static void
contradictions(void)
{
	struct opened o = open_text(
	    "<idle>-0 [001] d... 10.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=1 next_prio=120\n"
	    "a-1 [000] d... 10.000010: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120\n"
	    "b-2 [000] d... 10.000030: sched_switch: prev_comm=b prev_pid=2 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
	    "c-3 [000] d... 10.000040: sched_switch: prev_comm=c prev_pid=3 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
	    "a-1 [000] .... 10.000100: tracing_mark_write: C|1|n|1\n");
	const struct sched *s = &o.p->trace->log->sched;
	struct usage *u = usage_new(o.p, NULL, NULL, NULL, NULL);
	uint32_t a = thread_of(&o, "a");

	is_int(state_time(u, a, TASK_RUNNING, IO_UNTOLD), 10000, "it runs until it leaves");
	is_int(state_time(u, a, TASK_SLEEPING, IO_UNTOLD), 90000, "and sleeps from then on");
	is_int(s->cpus[0].lost, 10000, "what core 0 did before is not known");
	is_int(u->cores[0].idle, 70000, "and no idle time");
	is_int(s->cpus[1].lost, 90000, "nor what core 1 did since");
	is_int(u->cores[1].idle, 0, "which is no idle time either");
	is_int((int64_t)o.p->damage.kind[DAMAGE_CONTRADICTING_SWITCH].count, 2,
	    "it is told, and so is a thread that leaves an idle core");
	usage_free(u);
	done(&o);
}

/* Core 1 takes a while core 0 has it, and both say that it leaves. */
static void
on_two_cores(void)
{
	struct opened o = open_text(
	    "<idle>-0 [000] d... 10.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=1 next_prio=120\n"
	    "<idle>-0 [001] d... 10.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=swapper/1 next_pid=0 next_prio=120\n"
	    "<idle>-0 [001] d... 10.000040: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=1 next_prio=120\n"
	    "a-1 [000] d... 10.000070: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
	    "a-1 [001] d... 10.000090: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120\n");
	struct usage *u = usage_new(o.p, NULL, NULL, NULL, NULL);

	is_int((int64_t)o.p->damage.kind[DAMAGE_CONTRADICTING_SWITCH].count, 1,
	    "a thread on two cores at once is told");
	is_int(state_time(u, thread_of(&o, "a"), TASK_RUNNING, IO_UNTOLD), 90000,
	    "it runs on one of them at a time");
	is_int(o.p->trace->log->sched.cpus[0].lost, 30000, "what the first did is not known");
	usage_free(u);
	done(&o);
}

/* No sched_wakeup: sched_waking begins the wait, and so for the first of a thread. */
static void
wakings(void)
{
	struct opened o = open_text(
	    "<idle>-0 [000] d... 10.000000: sched_waking: comm=a pid=1 prio=120 target_cpu=000\n"
	    "<idle>-0 [000] d... 10.000030: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=1 next_prio=120\n"
	    "a-1 [000] d... 10.000040: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
	    "<idle>-0 [000] d... 10.000060: sched_waking: comm=a pid=1 prio=120 target_cpu=000\n"
	    "<idle>-0 [000] d... 10.000070: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=1 next_prio=120\n");
	const nsec edges[] = {0, 10000, 25000, 65000, 70000};
	struct usage *u = usage_new(o.p, NULL, NULL, NULL, NULL);
	uint32_t a = thread_of(&o, "a");
	nsec sum = 0;

	is_int(state_time(u, a, TASK_RUNNABLE, IO_UNTOLD), 40000, "both waits for a core");
	is_int((int64_t)u->threads[a].wakeups, 2, "are waits of a woken thread");
	is_int(u->threads[a].waited, 40000, "as long as that");
	usage_free(u);
	for (size_t i = 0; i < 4; i++) {
		u = usage_new(o.p, NULL, &(struct range){edges[i], edges[i + 1]}, NULL, NULL);
		sum += u->threads[a].waited;
		usage_free(u);
	}
	is_int(sum, 40000, "waits in adjacent windows add up to them");
	done(&o);
}

/* The process of a thread, and when an id becomes another thread. */
static void
threads(void)
{
	struct opened o = open_text(
	    "<...>-5 (-----) [000] .... 1.000000: tracing_mark_write: B|77|x\n"
	    "name-5 (   12) [000] .... 1.000001: tracing_mark_write: E|77\n"
	    "<...>-5 (   12) [000] .... 1.000002: tracing_mark_write: C|99|n|1\n"
	    "b-6 (   12) [000] .... 1.000003: tracing_mark_write: C|99|n|2\n"
	    "<idle>-0 (-----) [000] .... 1.000003: tracing_mark_write: B|1|irq\n"
	    "<idle>-0 (-----) [001] .... 1.000003: tracing_mark_write: B|1|irq\n"
	    "<idle>-0 (-----) [000] .... 1.000004: tracing_mark_write: E|1\n"
	    "<idle>-0 (-----) [001] .... 1.000006: tracing_mark_write: E|1\n"
	    "b-6 (12) [000] .... 1.000007: tracing_mark_write: B|12|open\n"
	    "b-6 (12) [000] .... 1.000007: sched_process_exit: comm=b pid=6 prio=120\n"
	    "b-6 (12) [000] .... 1.000008: sched_switch: prev_comm=b prev_pid=6 prev_prio=120 prev_state=X ==> next_comm=swapper next_pid=0 next_prio=120\n"
	    "new-6 (12) [001] .... 1.000009: tracing_mark_write: E|12\n"
	    "new-6 (12) [001] .... 1.000009: task_rename: pid=5 oldcomm=name newcomm=later on oom_score_adj=0\n");
	uint32_t named = thread_of(&o, "later on");

	ok(named != THREAD_NONE, "the latest name holds, and <...> is none");
	is_int(pid_of(&o, named), 77, "a marker tells the process before the column");
	is_int(pid_of(&o, thread_of(&o, "b")), 12, "counters do not tell it");
	is_int((int64_t)sum_of(&o, "irq")->recursive_calls, 0, "the idle task is one for each core");
	is_int(sum_of(&o, "irq")->inclusive[CLOCK_WALL], 4000, "and so are its slices");
	ok(thread_of(&o, "new") != thread_of(&o, "b"), "an id that is used again is another thread");
	is_int((int64_t)o.s->unmatched_ends, 1, "which has no slice open");
	is_int((int64_t)o.s->threads, 3, "ids are counted once");
	done(&o);
}

/* Nothing tells that the first thread of the id ended. */
static void
new_task(void)
{
	struct opened o = open_text(
	    "<idle>-0 [000] d... 10.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=old next_pid=5 next_prio=120\n"
	    "old-5 [000] d... 10.000050: sched_switch: prev_comm=old prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=maker next_pid=7 next_prio=120\n"
	    "maker-7 [000] .... 10.000060: task_newtask: pid=5 comm=new clone_flags=3d0f00 oom_score_adj=0\n"
	    "maker-7 [000] d... 10.000070: sched_switch: prev_comm=maker prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=new next_pid=5 next_prio=120\n"
	    "new-5 [000] d... 10.000080: sched_switch: prev_comm=new prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n");
	struct usage *u = usage_new(o.p, NULL, NULL, NULL, NULL);

	is_int(state_time(u, thread_of(&o, "old"), TASK_RUNNING, IO_UNTOLD), 50000,
	    "a thread has the time until another has its id");
	is_int(state_time(u, thread_of(&o, "new"), TASK_RUNNING, IO_UNTOLD), 10000,
	    "and that one its own");
	usage_free(u);
	done(&o);
}

static void
states(void)
{
	static const struct {
		const char *text;
		enum task_state state;
	} rows[] = {
		{ "R", TASK_RUNNABLE }, { "R+", TASK_PREEMPTED }, { "S", TASK_SLEEPING },
		{ "D", TASK_BLOCKED }, { "DK", TASK_BLOCKED_KILLABLE },
		{ "D|K", TASK_BLOCKED_KILLABLE }, { "D|N", TASK_IDLE }, { "D|K|N", TASK_IDLE },
		{ "T", TASK_STOPPED }, { "t", TASK_TRACED },
		{ "X", TASK_EXITED }, { "Z", TASK_ZOMBIE }, { "x", TASK_DEAD }, { "I", TASK_IDLE },
		{ "K", TASK_WAKE_KILL }, { "W", TASK_WAKING }, { "P", TASK_PARKED },
		{ "N", TASK_NO_LOAD }, { "S+", TASK_OTHER }, { "?", TASK_OTHER }, { "", TASK_OTHER },
		{ "0", TASK_RUNNABLE }, { "1", TASK_SLEEPING }, { "2", TASK_BLOCKED },
		{ "4", TASK_STOPPED }, { "8", TASK_TRACED }, { "16", TASK_EXITED },
		{ "32", TASK_ZOMBIE }, { "64", TASK_DEAD }, { "128", TASK_WAKE_KILL },
		{ "256", TASK_PREEMPTED }, { "2048", TASK_PREEMPTED }, { "4096", TASK_PREEMPTED },
		{ "130", TASK_BLOCKED_KILLABLE }, { "9999999999", TASK_OTHER },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		is_int(task_state_parse(str_from(rows[i].text)), rows[i].state, "state '%s'",
		    rows[i].text);
}

/* Every prefix of a log is read to its end, in memory that ends with it. */
static void
prefixes(void)
{
	int bad = 0;

	for (size_t n = 1; n < sizeof(sched_log); n += 3) {
		char *copy = mem_alloc(n);
		struct err e = {0};
		struct trace *t;
		struct profile *p;

		memcpy(copy, sched_log, n);
		t = format_open_memory(copy, n, "prefix", &e);
		if (t != NULL) {
			p = profile_new(t);
			while (profile_load(p, 1000, &e) == LOAD_MORE) {
			}
			bad += p->state != LOAD_DONE || t->log->summary.lines > 9;
			profile_free(p);
		}
		trace_free(t);
		mem_free(copy);
	}
	is_int(bad, 0, "prefixes of a log are read");
}

int
main(void)
{
	scheduler();
	counters();
	lost();
	known();
	idle();
	contradictions();
	on_two_cores();
	new_task();
	wakings();
	threads();
	states();
	prefixes();
	return tap_done();
}
