// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/sum/idle.h"

#include "base/mem.h"
#include "base/pattern.h"

static const struct {
	const char *name, *pattern, *help;
	bool off;
} builtin[] = {
    {"looper", "^android\\.os\\.MessageQueue\\.nativePollOnce\\b", "a message for a looper", false},
    {"binder", "\\bIPCThreadState::(?:getAndExecuteCommand|joinThreadPool)\\b",
	"calls of other processes (binder)", false},
    {"wait", "^java\\.lang\\.Object\\.wait\\b", "a notification of an object", false},
    {"park", "\\.misc\\.Unsafe\\.park\\b|^java\\.util\\.concurrent\\.locks\\.LockSupport\\.park",
	"a lock, a queue or a pool of java.util.concurrent", false},
    {"sleep", "^java\\.lang\\.(?:VM)?Thread\\.sleep\\b|^(?:u|nano|clock_nano)?sleep(?:[(@]|$)",
	"time to pass", false},
    {"coroutine", "^kotlinx\\.coroutines\\.[\\w.$]*\\.(?:park|parkNanos|tryPark|joinBlocking)\\b",
	"work for a dispatcher of coroutines", false},
    {"poll", "^(?:libcore\\.io\\.(?:Linux|Posix)|android\\.system\\.Os)\\.(?:poll|accept)\\b|"
	"^sun\\.nio\\.ch\\.\\w*(?i:poll)\\w*\\.(?:epollWait|poll0|wait)\\b", "files or sockets", false},
    {"native", "^(?:__)?(?:epoll_p?wait2?|p?poll|p?select6?|futex\\w*|accept4?|"
	"pthread_(?:cond_(?:timed)?wait\\w*|join)|sem_(?:timed)?wait|sig(?:timed)?wait\\w*)(?:[(@]|$)",
	"the kernel, in poll, futex, select... of the C library", false},
    {"openharmony", "\\b(?:EpollIoWaiter::WaitFor|BinderInvoker::JoinThread|"
	"IPCSkeleton::JoinWorkThread)\\b", "events and calls of OpenHarmony", false},
    {"profiler", "^\\(idle\\)$|^linux:schedule$", "anything to do, as V8 and uftrace tell it", false},
    {"network", "^java\\.net\\.SocketInputStream\\.socketRead0\\b|\\.NativeCrypto\\.SSL_read\\b",
	"data from the network", true},
};

static struct idle_rule *
rule_add(struct idle_rules *r, struct str name, struct str pattern, const char *help)
{
	struct idle_rule *rule = MEM_ADD(r->list, r->count, r->room);

	*rule = (struct idle_rule){mem_text(name), mem_text(pattern), help, true};
	return rule;
}

void
idle_init(struct idle_rules *r)
{
	*r = (struct idle_rules){0};
	for (size_t i = 0; i < sizeof(builtin) / sizeof(builtin[0]); i++)
		rule_add(r, str_from(builtin[i].name), str_from(builtin[i].pattern),
		    builtin[i].help)->on = !builtin[i].off;
}

void
idle_release(struct idle_rules *r)
{
	for (size_t i = 0; i < r->count; i++) {
		mem_free(r->list[i].name);
		mem_free(r->list[i].pattern);
	}
	mem_free(r->list);
	*r = (struct idle_rules){0};
}

struct idle_rule *
idle_find(const struct idle_rules *r, struct str name)
{
	for (size_t i = 0; i < r->count; i++) {
		if (str_equal(str_from(r->list[i].name), name))
			return &r->list[i];
	}
	return NULL;
}

bool
idle_set(struct idle_rules *r, struct str name, struct str value, struct err *e)
{
	struct idle_rule *rule = idle_find(r, name);
	bool on = str_equal(value, STR("on"));
	struct pattern *pattern;

	if (on || str_equal(value, STR("off"))) {
		if (rule == NULL)
			return err_set(e, ERR_MALFORMED, "there is no idle rule '%.*s'", STR_ARG(name));
		rule->on = on;
		return true;
	}
	if (value.n == 0)
		return err_set(e, ERR_MALFORMED, "expected on, off or a regular expression");
	if (!pattern_compile(value, 0, &pattern, e))
		return false;
	pattern_free(pattern);
	if (rule == NULL)
		rule = rule_add(r, name, STR(""), "");
	mem_free(rule->pattern);
	rule->pattern = mem_text(value);
	rule->on = true;
	return true;
}

void
idle_pattern(const struct idle_rules *r, struct sbuf *out)
{
	for (size_t i = 0; i < r->count; i++) {
		if (r->list[i].on)
			sbuf_printf(out, "%s(?:%s)", out->n > 0 ? "|" : "", r->list[i].pattern);
	}
}
