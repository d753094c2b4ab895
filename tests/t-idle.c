// SPDX-License-Identifier: Apache-2.0
/*
 * idle: which calls the rules of the program take for waiting, rules of the user's, and how
 * busy threads were.
 */
#include <config.h>

#include "profile/sum/idle.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "format/format.h"
#include "profile/sum/transform.h"
#include "tap/generate.h"
#include "tap/tap.h"
#include "tests/folded.h"

static const struct {
	const char *name;
	bool idle;
} names[] = {
    {"android.os.MessageQueue.nativePollOnce(JI)V", true},
    {"android.os.MessageQueue.next()Landroid/os/Message;", false},
    {"android.os.BinderProxy.transactNative(ILandroid/os/Parcel;Landroid/os/Parcel;I)Z", false},
    {"android.os.BinderProxy.transact(ILandroid/os/Parcel;Landroid/os/Parcel;I)Z", false},
    {"android::IPCThreadState::talkWithDriver(bool)", false},
    {"android::IPCThreadState::getAndExecuteCommand()", true},
    {"OHOS::BinderInvoker::TransactWithDriver(bool)", false},
    {"OHOS::BinderInvoker::JoinThread(bool)", true},
    {"java.lang.Object.wait(JI)V", true},
    {"java.lang.Object.wait()V", true},
    {"com.example.java.lang.Object.wait()V", false},
    {"sun.misc.Unsafe.park(ZJ)V", true},
    {"jdk.internal.misc.Unsafe.park(ZJ)V", true},
    {"sun.misc.Unsafe.unpark(Ljava/lang/Object;)V", false},
    {"java.lang.Thread.sleep(Ljava/lang/Object;JI)V", true},
    {"java.lang.VMThread.sleep(JI)V", true},
    {"java.lang.Thread.run()V", false},
    {"kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.park()V", true},
    {"kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.run()V", false},
    {"libcore.io.Linux.poll([Landroid/system/StructPollfd;I)I", true},
    {"libcore.io.Linux.read(Ljava/io/FileDescriptor;)I", false},
    {"sun.nio.ch.EPollArrayWrapper.epollWait(JIJI)I", true},
    {"epoll_wait", true},
    {"__epoll_pwait", true},
    {"futex_wait", true},
    {"ppoll(pollfd*, unsigned)", true},
    {"pthread_cond_timedwait@plt", true},
    {"frames", false},
    {"pollution", false},
    {"selection", false},
    {"OHOS::AppExecFwk::EpollIoWaiter::WaitFor(int)", true},
    {"java.net.SocketInputStream.socketRead0(Ljava/io/FileDescriptor;[BIII)I", false},
    {"com.example.feed.Feed.waitForImages()V", false},
};

static bool
matches(const struct idle_rules *rules, const char *name)
{
	struct sbuf text = {0};
	struct pattern *pattern;
	bool found;

	idle_pattern(rules, &text);
	if (text.n == 0)
		return false;
	ok(pattern_compile(sbuf_view(&text), 0, &pattern, NULL), "the rules are a pattern");
	found = pattern_match(pattern, str_from(name), NULL, NULL) == PATTERN_MATCH;
	pattern_free(pattern);
	sbuf_release(&text);
	return found;
}

static void
test_transform(void)
{
	struct transforms list = {0};
	struct err e = {0};

	ok(transforms_add_line(&list, STR("idle"), &e), "alone: %s", e.what);
	ok(list.count == 1 && list.list[0].text.n > 500, "it has the rules of the program");
	ok(transforms_add_line(&list, STR("idle:^wait$"), &e), "with an expression");
	ok(list.count == 2 && str_equal(list.list[1].text, STR("^wait$")), "it has that alone");
	ok(!transforms_add_line(&list, STR("idle:("), &e) && list.count == 2, "a bad one");
	transforms_release(&list);
}

/* A looper that waits from 100 to 6100, and a pool that is parked from 3000 to 7000. */
static const char described[] =
    "version 3\nclock %s\n"
    "thread 1 main\nthread 2 pool\n"
    "method 0x10 android.os.Looper loop ()V L.java 1\n"
    "method 0x20 android.os.MessageQueue nativePollOnce (JI)V M.java 1\n"
    "method 0x30 a.Feed draw ()V F.java 1\n"
    "method 0x40 java.util.concurrent.locks.LockSupport park ()V P.java 1\n"
    "%s 1 > android.os.Looper.loop\n"
    "100 1 > android.os.MessageQueue.nativePollOnce\n"
    "2000 2 > a.Feed.draw\n"
    "3000 2 > java.util.concurrent.locks.LockSupport.park\n"
    "4000 2 > a.Feed.draw\n" /* what a call that waits calls does not wait */
    "4500 2 < a.Feed.draw\n"
    "6100 1 < android.os.MessageQueue.nativePollOnce\n"
    "6500 1 > a.Feed.draw\n"
    "7000 2 < java.util.concurrent.locks.LockSupport.park\n"
    "8000 2 < a.Feed.draw\n"
    "9000 1 < a.Feed.draw\n"
    "9500 1 < android.os.Looper.loop\n" /* and half a millisecond with nothing open */
    "%s 1 > a.Feed.draw\n"
    "%s 1 < a.Feed.draw\n";

static struct profile *
described_open(const char *clock, const char *first, const char *last, uint8_t **bytes)
{
	struct sbuf text = {0};
	struct err e = {0};
	struct trace *t;
	struct profile *p;
	size_t size;

	sbuf_printf(&text, described, clock, first, last, last);
	*bytes = generate_described("", sbuf_cstr(&text), 1 << 16, &size);
	sbuf_release(&text);
	t = format_open_memory(*bytes, size, "described", &e);
	if (!ok(t != NULL, "opens (%s)", e.what))
		exit(1);
	p = profile_new(t);
	while (profile_load(p, 1000, &e) == LOAD_MORE)
		;
	return p;
}

static struct fold *
folded(const struct profile *p, struct range range, const uint8_t *idle)
{
	return fold_make(p,
	    &(struct fold_query){
		.range = &range, .idle = idle, .idle_count = trace_method_count(p->trace)},
	    NULL);
}

static void
test_busy(void)
{
	struct idle_rules rules;
	struct transform kind = {.id = TRANSFORM_IDLE};
	struct sbuf text = {0};
	struct trace *t;
	struct profile *p;
	struct fold *f;
	uint8_t *bytes, *idle;

	p = described_open("wall", "0", "10000", &bytes);
	t = p->trace;
	idle_init(&rules);
	idle_pattern(&rules, &text);
	idle = transform_matches(&kind, t, trace_method_count(t), sbuf_view(&text), NULL, NULL);
	f = folded(p, RANGE_ALL, idle);
	is_int(f->length, 10000000, "the trace takes 10 ms");
	is_int(fold_busy(f, t, 0), 3500000, "the looper was busy for 9.5 - 6");
	is_int(fold_busy(f, t, 1), 2500000, "the pool for 6 - 4, and 0.5 below the wait");
	fold_free(f);
	f = folded(p, (struct range){p->begin + 5000000, p->begin + 7500000}, idle);
	is_int(f->length, 2500000, "in a range of 2.5");
	is_int(fold_busy(f, t, 0), 1400000, "the looper for 2.5 - 1.1");
	is_int(fold_busy(f, t, 1), 500000, "the pool for 2.5 - 2");
	fold_free(f);
	f = folded(p, RANGE_ALL, NULL);
	is_int(fold_busy(f, t, 0), 9500000, "without rules: whenever a call was open");
	fold_free(f);
	profile_free(p);
	trace_free(t);
	free(bytes);
	p = described_open("dual", "0/0", "9600/10000", &bytes);
	f = folded(p, RANGE_ALL, idle);
	is_int(fold_busy(f, p->trace, 0), 9600000, "CPU time says it whatever the rules");
	fold_free(f);
	t = p->trace;
	profile_free(p);
	trace_free(t);
	free(bytes);
	mem_free(idle);
	sbuf_release(&text);
	idle_release(&rules);
}

/* The paths, which are idle, and for how many us each thread is busy. */
static void
paths_are(const struct profile *p, const uint8_t *idle, const char *want, const char *name)
{
	struct paths *paths = paths_counted(p, NULL, NULL, NULL, false, false, NULL);
	struct sbuf got = {0};
	nsec busy[2] = {0}, sum;

	paths_mark_idle(paths, p->trace, idle, trace_method_count(p->trace));
	for (uint32_t id = paths->roots; id < paths->count; id++)
		sbuf_printf(&got, "%.*s%s ", STR_ARG(trace_method(p->trace, paths->items[id].method)->name),
		    (paths->items[id].flags & PATH_IDLE) != 0 ? ":idle" : "");
	is_int(paths->roots, 2, "two threads");
	sum = paths_busy(paths, p->trace, busy, NULL);
	is_int(sum, busy[0] + busy[1], "busy in all");
	sbuf_printf(&got, "%" PRId64 " %" PRId64, busy[0] / 1000, busy[1] / 1000);
	is_str(sbuf_cstr(&got), want, "%s", name);
	sbuf_release(&got);
	paths_free(paths);
}

static void
test_paths(void)
{
	const uint8_t idle[] = {0, 0, 1, 0, 1}; /* poll and park */
	struct trace *t;
	struct profile *p;
	uint8_t *bytes;

	p = described_open("wall", "0", "10000", &bytes);
	paths_are(p, idle,
	    "draw loop draw draw nativePollOnce:idle park draw 3500 2500", "by the rules");
	paths_are(p, NULL, "draw loop draw draw nativePollOnce park draw 9500 6000", "without any");
	t = p->trace;
	profile_free(p);
	trace_free(t);
	free(bytes);
}

/* What waits goes with its own wall time: what it calls and its CPU time are its caller's. */
static void
hidden_is(const char *clock, const char *first, const char *last, int64_t cpu)
{
	uint8_t *bytes;
	struct profile *p = described_open(clock, first, last, &bytes);
	struct trace *t = p->trace;
	struct transforms list = {0};
	struct fold *before = fold_new(p, NULL, NULL, NULL), *after;
	struct transformed *x;

	ok(transforms_add_line(&list, STR("idle"), NULL), "idle time is hidden");
	x = transform_profile(&list, p, NULL, NULL, false, NULL);
	after = fold_make(p, &(struct fold_query){.of = x}, NULL);
	ok(before->methods[2].present && !after->methods[2].present, "the poll is gone");
	is_int(before->total[CLOCK_WALL] - after->total[CLOCK_WALL], 9500000, "6 and 3.5 ms were waits");
	is_int(after->total[CLOCK_CPU], cpu, "all CPU time is left");
	is_int(after->methods[3].inclusive[CLOCK_WALL], before->methods[3].inclusive[CLOCK_WALL] - 3500000,
	    "the work below the wait is still there");
	is_int((int64_t)after->recorded_calls, (int64_t)before->calls, "recorded calls");
	is_int(after->recorded_present, before->present, "recorded methods");
	fold_free(after);
	fold_free(before);
	transformed_free(x);
	transforms_release(&list);
	profile_free(p);
	trace_free(t);
	free(bytes);
}

int
main(void)
{
	struct idle_rules rules;
	struct err e = {0};

	idle_init(&rules);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ok(matches(&rules, names[i].name) == names[i].idle, "%s is %s", names[i].name,
		    names[i].idle ? "idle" : "busy");
	ok(idle_set(&rules, STR("looper"), STR("off"), &e), "a rule goes off");
	ok(!matches(&rules, names[0].name), "and counts no more");
	ok(idle_set(&rules, STR("looper"), STR("on"), &e) && matches(&rules, names[0].name), "on again");
	ok(idle_set(&rules, STR("network"), STR("on"), &e), "one that is off at first");
	ok(matches(&rules, "java.net.SocketInputStream.socketRead0(I)I"), "goes on");
	ok(idle_set(&rules, STR("mine"), STR("waitForImages"), &e), "a rule of the user's");
	ok(matches(&rules, "com.example.feed.Feed.waitForImages()V"), "counts, too");
	ok(!idle_set(&rules, STR("none"), STR("off"), &e), "one that is not there: %s", e.what);
	e = (struct err){0};
	ok(!idle_set(&rules, STR("mine"), STR("("), &e), "a bad expression: %s", e.what);
	for (size_t i = 0; i < rules.count; i++)
		rules.list[i].on = false;
	ok(!matches(&rules, names[0].name), "all off");
	idle_release(&rules);
	test_transform();
	test_busy();
	test_paths();
	hidden_is("wall", "0", "10000", 0);
	hidden_is("dual", "0/0", "9600/10000", 15600000);
	return tap_done();
}
