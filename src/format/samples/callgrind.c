// SPDX-License-Identifier: Apache-2.0
/*
 * callgrind: profiles of Callgrind, and of what writes its format, as Xdebug (cachegrind.out).
 *
 * Source: "Callgrind Format Specification" of Valgrind's manual.  Lines set file and function (fl=,
 * fn=) and the function that is called (cfn=); a number in brackets stands for a name.  Lines of
 * positions and costs are the function's own costs, but for one after calls=, which is what these
 * calls cost in all, and one after jump= or jcnd=, which is none.
 *
 * The file has a call graph, no paths; callgraph.c makes these.
 */
#include <config.h>

#include "base/mem.h"
#include "format/log/text.h"
#include "format/samples/callgraph.h"

enum { LOOK_BYTES = 1 << 16, EVENTS_MOST = 64 };

/* Events that are no counts, and the nanoseconds, or thousandths, of one. */
static const struct {
	struct str name;
	uint64_t scale;
	const char *unit; /* NULL: times */
} units[] = {
    {STR("Time_(10ns)"), 10, NULL},
    {STR("Time_(ns)"), 1, NULL},
    {STR("Time_(us)"), 1000, NULL},
    {STR("nanoseconds"), 1, NULL},
    {STR("Memory_(bytes)"), 1000, "bytes"},
};

enum { NAMES_FILE, NAMES_FUNCTION, NAMES };

struct callgrind_text {
	struct callgraph g; /* first: what the calls become */
	struct str events[EVENTS_MOST];
	size_t event_count, event; /* event: that is read */
	unsigned positions;
	struct idmap ids[NAMES];   /* of compressed names -> place */
	struct str *texts[NAMES];
	size_t text_count[NAMES], text_room[NAMES];
	struct str file, called_file;
	uint32_t function, called; /* of the graph; CALLGRAPH_NONE: none yet */
	uint64_t calls;
	enum { LINE_OWN, LINE_CALL, LINE_JUMP } next; /* what a line of costs is about */
};

/* Names -------------------------------------------------------------------------------- */

/* "(3) name" defines, "(3)" refers, "name" is itself. */
static struct str
name_take(struct callgrind_text *c, int of, struct str value)
{
	const char *end = value.p + value.n, *at;
	uint64_t number;
	uint32_t place;
	struct str name;

	if (value.n < 3 || *value.p != '(' ||
	    (at = digits_take(value.p + 1, end, 18, &number)) == end || at == value.p + 1 || *at != ')')
		return value;
	name = str_trim((struct str){at + 1, (size_t)(end - at) - 1});
	place = idmap_add(&c->ids[of], number, c->text_count[of]);
	if (place == c->text_count[of]) {
		*MEM_ADD(c->texts[of], c->text_count[of], c->text_room[of]) = name.n > 0 ? name : value;
	} else if (name.n > 0) {
		c->texts[of][place] = name;
	}
	return c->texts[of][place];
}

static bool
name_line(struct callgrind_text *c, struct str key, struct str value)
{
	if (str_equal(key, STR("fn"))) {
		c->function = callgraph_function(&c->g, name_take(c, NAMES_FUNCTION, value), c->file);
		c->called = CALLGRAPH_NONE;
		c->called_file = c->file;
	} else if (str_equal(key, STR("cfn"))) {
		c->called = callgraph_function(&c->g, name_take(c, NAMES_FUNCTION, value), c->called_file);
		c->called_file = c->file;
	} else if (str_equal(key, STR("fl")) || str_equal(key, STR("fi")) || str_equal(key, STR("fe"))) {
		c->file = c->called_file = name_take(c, NAMES_FILE, value);
	} else if (str_equal(key, STR("cfi")) || str_equal(key, STR("cfl"))) {
		c->called_file = name_take(c, NAMES_FILE, value);
	} else if (str_equal(key, STR("calls"))) {
		if (digits_take(value.p, value.p + value.n, 18, &c->calls) == value.p)
			return false;
		c->next = LINE_CALL;
	} else if (str_equal(key, STR("jump")) || str_equal(key, STR("jcnd"))) {
		c->next = LINE_JUMP;
	} else {
		/* Objects, and where jumps lead to, make no difference. */
		if (str_equal(key, STR("jfi")))
			(void)name_take(c, NAMES_FILE, value);
		return str_equal(key, STR("ob")) || str_equal(key, STR("cob")) ||
		    str_equal(key, STR("jfi")) || str_equal(key, STR("jfn"));
	}
	return true;
}

/* Costs -------------------------------------------------------------------------------- */

/* Positions, then costs; those at the end that are missing are 0. */
static bool
cost_line(struct callgrind_text *c, struct str line)
{
	struct str word = {"", 0};
	uint64_t cost = 0;
	int of = c->next;

	c->next = LINE_OWN;
	if (of == LINE_JUMP)
		return true;
	for (unsigned i = 0; i < c->positions; i++)
		if (str_word(&line).n == 0)
			return false;
	for (size_t i = 0; i <= c->event; i++)
		word = str_word(&line);
	if (word.n > 0 && digits_take(word.p, word.p + word.n, 18, &cost) != word.p + word.n)
		return false;
	if (c->function == CALLGRAPH_NONE)
		return false;
	if (of == LINE_OWN)
		return callgraph_own(&c->g, c->function, cost);
	return c->called != CALLGRAPH_NONE &&
	    callgraph_calls(&c->g, c->function, c->called, c->calls, cost);
}

/* Lines -------------------------------------------------------------------------------- */

static void
events_line(struct callgrind_text *c, struct str value)
{
	struct str word;

	c->event_count = 0;
	while (c->event_count < EVENTS_MOST && (word = str_word(&value)).n > 0)
		c->events[c->event_count++] = word;
}

/* "key: value" of the head, or of a part. */
static void
head_line(struct callgrind_text *c, struct str key, struct str value)
{
	struct trace *t = c->g.s.trace;

	value = str_trim(value);
	if (str_equal(key, STR("events"))) {
		if (c->event_count == 0)
			events_line(c, value);
	} else if (str_equal(key, STR("positions"))) {
		c->positions = 0;
		while (str_word(&value).n > 0)
			c->positions++;
	} else if ((str_equal(key, STR("creator")) || str_equal(key, STR("cmd"))) && value.n > 0 &&
	    t->property_count < 8) {
		trace_property_add(t, key, trace_keep(t, value));
	}
}

static void
line_take(struct callgrind_text *c, struct str line)
{
	const char *mark;
	struct str key;

	line = str_trim(line);
	if (line.n == 0 || *line.p == '#')
		return;
	if (is_digit(*line.p) || *line.p == '+' || *line.p == '-' || *line.p == '*') {
		if (!cost_line(c, line))
			samples_fault(&c->g.s, DAMAGE_SKIPPED_LINE);
		return;
	}
	for (mark = line.p; mark < line.p + line.n && *mark != '=' && *mark != ':'; mark++)
		continue;
	key = (struct str){line.p, (size_t)(mark - line.p)};
	if (mark == line.p + line.n) {
		samples_fault(&c->g.s, DAMAGE_SKIPPED_LINE);
		return;
	}
	line = (struct str){mark + 1, line.n - key.n - 1};
	if (*mark == ':')
		head_line(c, key, line);
	else if (!name_line(c, key, line))
		samples_fault(&c->g.s, DAMAGE_SKIPPED_LINE);
}

static void
callgrind_free(struct sampler *s)
{
	struct callgrind_text *c = (struct callgrind_text *)s;

	callgraph_release(&c->g);
	for (int i = 0; i < NAMES; i++) {
		idmap_release(&c->ids[i]);
		mem_free(c->texts[i]);
	}
}

static const struct samples_format callgrind = {callgraph_take, NULL, callgrind_free};

/* Opening ------------------------------------------------------------------------------ */

/* True for the format's mark, or for events and a function or file early on. */
static bool
is_callgrind(struct str file)
{
	struct str head = str_head(file, LOOK_BYTES);
	bool events = false, named = false;

	if (str_starts(file, STR("# callgrind format")))
		return true;
	while (head.p != NULL && !(events && named)) {
		struct str line = str_cut(&head, '\n');

		events |= str_starts(line, STR("events:"));
		named |= str_starts(line, STR("fn=")) || str_starts(line, STR("fl="));
		if (line.n > 0 && !named && memchr(line.p, ':', line.n) == NULL && *line.p != '#' &&
		    str_trim(line).n > 0 && !str_starts(line, STR("ob=")))
			return false;
	}
	return events && named;
}

/* True if "event: NAME : ..., ns" says so of an event. */
static bool
is_time(struct str file, struct str event)
{
	struct str head = str_head(file, LOOK_BYTES);

	while (head.p != NULL) {
		struct str line = str_trim(str_cut(&head, '\n'));

		if (!str_starts(line, STR("event: ")) || line.n < 11 || memcmp(line.p + line.n - 4, ", ns", 4) != 0)
			continue;
		line = (struct str){line.p + 7, line.n - 7};
		if (str_equal(str_trim(str_cut(&line, ':')), event))
			return true;
	}
	return false;
}

static void
unit_choose(struct callgrind_text *c, struct str file)
{
	struct trace *t = c->g.s.trace;
	struct str event = c->event_count > 0 ? c->events[c->event] : STR("cost");

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!str_equal(event, units[i].name))
			continue;
		c->g.scale = units[i].scale;
		t->unit.name = units[i].unit;
		t->unit.bytes = units[i].unit != NULL;
		return;
	}
	c->g.scale = is_time(file, event) ? 1 : 1000;
	if (c->g.scale == 1)
		return;
	(void)samples_unit(&c->g.s, event);
}

/* The names of events come before all costs. */
static bool
events_find(struct callgrind_text *c, struct str file, const char *wanted, struct err *e)
{
	while (file.p != NULL && c->event_count == 0) {
		struct str line = str_cut(&file, '\n');

		if (str_starts(line, STR("events:")))
			events_line(c, str_trim((struct str){line.p + 7, line.n - 7}));
	}
	c->event = samples_choose(wanted, c->events, c->event_count, 0, e);
	return wanted == NULL || c->event < c->event_count;
}

bool
callgrind_open(struct trace *t, struct input *in, struct err *e)
{
	struct str file = logtext_start((struct str){(const char *)in->data.bytes, in->data.size}), line;
	struct callgrind_text *c;

	if (!logtext_is_text(file) || !is_callgrind(file))
		return false;
	c = mem_zero(1, sizeof(*c));
	c->positions = 1;
	c->function = c->called = CALLGRAPH_NONE;
	c->file = c->called_file = STR("");
	if (!events_find(c, file, in->sample_type, e)) {
		mem_free(c);
		return false;
	}
	samples_open(&c->g.s, &callgrind, t, in);
	t->format = "callgrind";
	t->sampled = false;
	unit_choose(c, file);
	while (samples_line(&c->g.s, &line))
		line_take(c, line);
	samples_others(&c->g.s, c->events, c->event_count, c->event);
	callgraph_paths(&c->g);
	return true;
}
