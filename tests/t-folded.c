// SPDX-License-Identifier: Apache-2.0
/* Names of slices folded, and figures of what has one folded name. */
#include <config.h>

#include <string.h>

#include "base/sbuf.h"
#include "opened-log.h"
#include "profile/sum/fold.h"
#include "profile/sum/same.h"
#include "profile/timeline/calls.h"
#include "tap/tap.h"
#include "trace/folded.h"

static const struct {
	const char *name, *folded; /* NULL: as it is */
} names[] = {
	{"Choreographer#doFrame 191058", "Choreographer#doFrame #"},
	{"DrawFrames 191058", "DrawFrames #"},
	{"composite 191057", "composite #"},
	{"commit 191266 vsyncIn 10.32ms", "commit # vsyncIn #ms"},
	{"TimerIteration #45093", "TimerIteration #"},
	{"launchingActivity#28", "launchingActivity#"},
	{"transactionFlag:[3799,8]", "transactionFlag:[#]"},
	{"executeCommands_2_2", NULL},
	{"libc.so.6", NULL},
	{"View$2", NULL},
	{"ViewPostImeInputStage id=0x358d9777", "ViewPostImeInputStage id=#"},
	{"ReceiveVsync dataCount:24Bytes now:100000000000 expectedEnd:100008333000 vsyncId:700",
	    "ReceiveVsync dataCount:#Bytes now:# expectedEnd:# vsyncId:#"},
	{"UIVsyncTask[timestamp:100][vsyncID:7][instanceID:1]",
	    "UIVsyncTask[timestamp:#][vsyncID:#][instanceID:#]"},
	{"bool art::ProfileSaver::ProcessProfilingInfo(bool, bool, uint16_t *)",
	    "ProfileSaver::ProcessProfilingInfo"},
	{"void OHOS::AppExecFwk::MainThread::HandleLaunchAbility(const std::shared_ptr<AbilityLocalRecord> &)##com.x",
	    "MainThread::HandleLaunchAbility ##com.x"},
	{"(anonymous namespace)::Cache::find(int) const", "Cache::find"},
	{"std::pair<a::b, c> x::Map<a::b>::insert(a::b)", "Map::insert"},
	{"load(std::string)", "load"},
	{"AIDL::java::IFoo::call::server", NULL},
	{"monitor contention with owner main (7) at x(1)", "monitor contention"},
	{"Lock contention on a monitor lock (owner tid: 55)", "Lock contention on a monitor lock"},
	{"Lock contention on a monitor lock (owner tid: 55", "Lock contention on a monitor lock (owner tid: #"},
	{"Choreographer#doFrame - resynced to 5 in 3ms", "Choreographer#doFrame - resynced"},
	{"key 550e8400-e29b-41d4-a716-446655440000 found", "key # found"},
	{"key 550e8400-e29b-41d4-a716-44665544000g", "key #-e29b-41d4-a716-44665544000g"},
	{"hash deadbeef1 deadbeef", "hash # deadbeef"},
	{"x -5 y", "x # y"},
	{"1, 2,3 x", "# x"},
	{"half 12 %, 50%", "half # %, #%"},
	{"version 1.5.2 and 1.5", NULL},
	{"Binder:1858_B", NULL},
	{"IComposer2", NULL},
	{"12345", NULL},
	{"# 5", NULL},
	{"a", NULL},
	{"", NULL},
};

static void
folds(void)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct sbuf out = {0};
		bool differs = name_fold(str_from(names[i].name), &out);

		is_str(differs ? sbuf_cstr(&out) : names[i].name,
		    names[i].folded != NULL ? names[i].folded : names[i].name, "'%s'", names[i].name);
		ok(differs == (names[i].folded != NULL), "says whether it differs");
		sbuf_release(&out);
	}
}

static const struct {
	const char *name, *numbered;
} numbered[] = {
	{"doFrame 12, 0x1f-7", "doFrame N, N-N"},
	{"Binder:1858_B", "Binder:N_B"},
	{"executeCommands_2_2", "executeCommands_2_2"},
	{"libc.so.6 12ms", "libc.so.N Nms"},
	{"IComposer2", "IComposer2"},
	{"0xg 7", "Nxg N"},
	{"", ""},
};

static void
numbers(void)
{
	for (size_t i = 0; i < sizeof(numbered) / sizeof(numbered[0]); i++) {
		struct sbuf out = {0};

		name_number(str_from(numbered[i].name), &out);
		is_str(sbuf_cstr(&out), numbered[i].numbered, "'%s'", numbered[i].name);
		sbuf_release(&out);
	}
}

#define LINE(at, text) LINE_AT(at) text "\n"

/* draw 1 has draw 2 within it: one outermost call of 40 ms, and one of 10. */
static const char text[] =
    LINE("000", "B|1|draw 1")
    LINE("010", "B|1|draw 2")
    LINE("030", "E|1")
    LINE("040", "E|1")
    LINE("050", "B|1|other")
    LINE("060", "E|1")
    LINE("070", "B|1|draw #")
    LINE("080", "E|1");

static uint32_t
method_named(const struct trace *t, const char *name, bool stands)
{
	for (uint32_t m = 1; m < trace_method_count(t); m++)
		if (trace_stands(t, m) == stands && str_equal(trace_method(t, m)->name, str_from(name)))
			return m;
	return METHOD_NONE;
}

static void
figures(void)
{
	struct opened o = open_text(text);
	struct same same;
	struct fold *fold;
	struct calls *calls;
	uint32_t draw, other, count = 0;

	same_folded(&same, o.p->trace, FOLD_NAMES);
	draw = method_named(o.p->trace, "draw #", true);
	other = method_named(o.p->trace, "other", false);
	if (!ok(draw != METHOD_NONE && other != METHOD_NONE, "the methods are there"))
		return;
	is_int(trace_folded(o.p->trace, other), other, "a name of its own is counted as itself");
	for (uint32_t m = trace_stands_next(o.p->trace, draw); m != METHOD_NONE; m = trace_stands_next(o.p->trace, m)) {
		count++;
		ok(trace_method_is(o.p->trace, m, draw), "one that it stands for");
	}
	is_int(count, 3, "it stands for three names, one of which is its own");
	fold = fold_make(o.p, &(struct fold_query){.same = same.as, .same_count = same.count}, NULL);
	is_int((int64_t)fold->methods[draw].calls, 2, "outermost calls");
	is_int((int64_t)fold->methods[draw].recursive_calls, 1, "one within another");
	is_int(fold->methods[draw].inclusive[CLOCK_WALL], 50000, "its time is in it once");
	is_int(fold->methods[draw].exclusive[CLOCK_WALL], 50000, "its own time");
	is_int(fold->methods[draw].longest.length, 40000, "the longest");
	is_int(fold->present, 2, "methods");
	fold_free(fold);
	calls = calls_find(o.p,
	    &(struct calls_query){.range = RANGE_ALL, .method = draw, .clock = CLOCK_WALL}, NULL, NULL);
	is_int((int64_t)calls->count, 3, "calls of all its names");
	is_int(calls->inclusive[CLOCK_WALL], 50000, "the profile's figure");
	calls_free(calls);
	same_release(&same);
	count = trace_method_count(o.p->trace);
	same_folded(&same, o.p->trace, FOLD_NAMES);
	is_int(trace_method_count(o.p->trace), count, "a second time makes no methods");
	same_release(&same);
	done(&o);
}

int
main(void)
{
	folds();
	numbers();
	figures();
	return tap_done();
}
