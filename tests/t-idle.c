/* idle: which calls the rules of the program take for waiting, and rules of the user's. */
#include <config.h>

#include "profile/sum/idle.h"

#include "base/pattern.h"
#include "profile/sum/transform.h"
#include "tap/tap.h"

static const struct {
	const char *name;
	bool idle;
} names[] = {
    {"android.os.MessageQueue.nativePollOnce(JI)V", true},
    {"android.os.MessageQueue.next()Landroid/os/Message;", false},
    {"android.os.BinderProxy.transactNative(ILandroid/os/Parcel;Landroid/os/Parcel;I)Z", true},
    {"android.os.BinderProxy.transact(ILandroid/os/Parcel;Landroid/os/Parcel;I)Z", false},
    {"android::IPCThreadState::talkWithDriver(bool)", true},
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
	return tap_done();
}
