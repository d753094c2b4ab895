// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/findings/marks.h"

#include <string.h>

#include "base/compat.h"
#include "base/mem.h"
#include "base/pattern.h"
#include "base/sbuf.h"

/* Names of what the platforms bring along: all else is the app's own. */
static const char platform[] =
    "^(?:androidx?|javax?|dalvik|libcore|sun|jdk|com\\.android|kotlinx?|org\\.json|org\\.apache|"
    "com\\.google\\.android(?!\\.apps\\.))\\.|^org\\.(?:xml|kxml)";

/* Mechanism of frames that has a name for what is below it. */
static const char framing[] =
    "^android\\.view\\.(?:Choreographer\\.doFrame|ViewRoot(?:Impl)?\\.performTraversals)\\b";
static const char framing_slices[] =
    "^Choreographer#doFrame\\b|^H?:?ReceiveVsync\\b|^(?:traversal|performTraversals|draw|animation|input)$";

/* Mechanism of the looper, of reflection, of input and of frames. */
static const char glue[] =
    "^android\\.os\\.(?:Handler\\.(?:dispatchMessage|handleCallback)\\b|Looper\\.|"
    "MessageQueue\\.(?:next|nativePollOnce)\\b|Binder\\.execTransact)|"
    "\\.handleMessage\\b|"
    "^android\\.app\\.ActivityThread\\.(?:main\\b|access\\$|-)|"
    "^java\\.lang\\.(?:Thread\\.run\\b|reflect\\.(?:Method\\.invoke|Constructor\\.))|"
    "^dalvik\\.system\\.NativeStart\\.main\\b|^com\\.android\\.internal\\.os\\.|"
    "^kotlinx?\\.coroutines\\..*\\.(?:run|resume\\w*|dispatch\\w*)\\b|"
    "^android\\.view\\.(?:InputEventReceiver\\.|ViewRootImpl\\$\\w*(?:Input|Stage)|"
    "ViewRootImpl\\.(?:doConsumeBatchedInput|enqueueInputEvent|doProcessInputEvents|"
    "deliverInputEvent)\\b|Choreographer|ViewRoot(?:Impl)?(?:\\$TraversalRunnable\\.run|"
    "\\.(?:doTraversal|performDraw|draw\\w*))\\b|"
    "(?:ThreadedRenderer|HardwareRenderer(?:\\$\\w+)?)\\.draw\\b)|"
    "^android\\.graphics\\.HardwareRenderer\\.draw\\b";

static const struct {
	uint32_t mark;
	const char *methods, *slices;
} texts[] = {
    {MARK_LOOPER, "^android\\.os\\.MessageQueue\\.(?:nativePollOnce|next)\\b", NULL},
    {MARK_LOOP, "^android\\.os\\.Looper\\.loop", NULL},
    {MARK_DISPATCH, "^android\\.os\\.Handler\\.dispatchMessage\\b", NULL},
    {MARK_GLUE, glue, NULL},
    {MARK_GLUE | MARK_FRAMING, framing, framing_slices},
    {MARK_FRAME, "^android\\.view\\.Choreographer\\.doFrame\\b",
	"^Choreographer#doFrame\\b|^(?:H:)?ReceiveVsync\\b"},
    {MARK_DRAW, NULL, "^draw\\b"},
#define FINDING(id, word, least, function, help, methods, slices)                               \
	{1u << FINDING_##id, (methods), (slices)},
#include "profile/findings/findings.def"
#undef FINDING
};

struct str
finding_name_of(const struct method *m)
{
	static const struct str cuts[][2] = {
	    {STR("monitor contention"), STR(" with owner ")},
	    {STR("Lock contention on "), STR(" (owner ")},
	    {STR("Choreographer#doFrame"), STR(" ")},
	};
	struct str name = m->name;

	for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
		const char *cut = m->class_name.n == 0 && str_starts(name, cuts[i][0])
		    ? memmem(name.p, name.n, cuts[i][1].p, cuts[i][1].n) : NULL;

		if (cut != NULL)
			name.n = (size_t)(cut - name.p);
	}
	return name;
}

struct marked {
	uint32_t mark;
	struct pattern *pattern;
	bool builtin; /* the program's */
};

struct marks {
	const struct trace *trace;
	struct marked *list;
	size_t list_count, list_room;
	struct pattern *any; /* of the program's classes of work: most methods are in none */
	bool platform; /* MARK_OWN is what does not match */
	uint32_t *known; /* by method */
	uint32_t count;
	struct sbuf name;
};

static bool
pattern_add(struct marks *m, uint32_t mark, struct str text, bool builtin, struct err *e)
{
	struct marked *added = MEM_ADD(m->list, m->list_count, m->list_room);

	*added = (struct marked){.mark = mark, .builtin = builtin};
	return pattern_compile(text, 0, &added->pattern, e);
}

struct marks *
marks_new(const struct trace *trace, const struct finding_rules *rules, struct err *e)
{
	const uint32_t work = MARK_WORK;
	struct marks *m = mem_zero(1, sizeof(*m));
	struct sbuf any = {0};
	bool good = true;

	m->trace = trace;
	m->count = trace_method_count(trace);
	m->known = mem_zero(m->count, sizeof(*m->known));
	m->platform = trace->log == NULL;
	for (size_t i = 0; i < rules->pattern_count && good; i++) {
		m->platform &= rules->patterns[i].mark != MARK_OWN;
		good = pattern_add(m, rules->patterns[i].mark, str_from(rules->patterns[i].text), false, e);
	}
	if (m->platform && good)
		good = pattern_add(m, MARK_OWN, str_from(platform), false, e);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]) && good; i++) {
		const char *text = trace->log != NULL ? texts[i].slices : texts[i].methods;
		bool is_work = (texts[i].mark & work) != 0;

		if (text == NULL)
			continue;
		good = pattern_add(m, texts[i].mark, str_from(text), true, e);
		if (is_work)
			sbuf_printf(&any, "%s%s", any.n > 0 ? "|" : "", text);
	}
	if (good)
		good = pattern_compile(sbuf_view(&any), 0, &m->any, e);
	sbuf_release(&any);
	if (good)
		return m;
	marks_free(m);
	return NULL;
}

void
marks_free(struct marks *m)
{
	if (m == NULL)
		return;
	for (size_t i = 0; i < m->list_count; i++)
		pattern_free(m->list[i].pattern);
	mem_free(m->list);
	pattern_free(m->any);
	mem_free(m->known);
	sbuf_release(&m->name);
	mem_free(m);
}

static bool
matches(const struct pattern *p, struct str name)
{
	return pattern_match(p, name, NULL, NULL) == PATTERN_MATCH;
}

static uint32_t
look(struct marks *m, const struct method *method)
{
	const uint32_t work = MARK_WORK, mechanism = MARK_GLUE | MARK_FRAMING;
	uint32_t marks = MARK_KNOWN, builtin = 0;
	struct str name;
	bool is_work;

	if (method->word != NULL)
		return marks | MARK_GLUE;
	sbuf_clear(&m->name);
	method_full_name(&m->name, method);
	name = sbuf_view(&m->name);
	is_work = matches(m->any, name);
	for (size_t i = 0; i < m->list_count; i++) {
		const struct marked *p = &m->list[i];

		if (p->mark == MARK_OWN)
			marks |= method->known && matches(p->pattern, name) != m->platform ? MARK_OWN : 0;
		else if ((is_work || !p->builtin || (p->mark & work) == 0) && matches(p->pattern, name))
			*(p->builtin ? &builtin : &marks) |= p->mark;
	}
	/* Only the platform's own methods are its mechanism. */
	return marks | ((marks & MARK_OWN) != 0 ? builtin & ~mechanism : builtin);
}

uint32_t
marks_of(struct marks *m, uint32_t method)
{
	if (method >= m->count)
		return MARK_GLUE;
	if (m->known[method] == 0)
		m->known[method] = look(m, trace_method(m->trace, method));
	return m->known[method];
}
