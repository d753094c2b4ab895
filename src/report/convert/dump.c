// SPDX-License-Identifier: Apache-2.0
/*
 * dump: the records of a trace, one a line: slowtop dump.
 *
 * All records in the order of the file, invalid ones too, each with its raw fields and
 * what they mean: corrected times (unwrapped, never going back), the depth of the call, a
 * note where a record is wrong.  One pass; memory does not grow with the records.  The
 * forms are written and chosen like those of conversions (convert.h).
 */
#include <config.h>

#include <string.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/utf8.h"
#include "profile/index/replay.h"
#include "report/convert/convert.h"
#include "view/names/names.h"

/* Slices of a text log ------------------------------------------------------------- */

struct log_words {
	struct sbuf *out;
	unsigned clean;
};

static void
word(void *context, struct str key, struct str value)
{
	const struct log_words *w = context;

	sbuf_text(w->out, "  ");
	clean_append(w->out, key, w->clean);
	sbuf_char(w->out, '=');
	clean_append(w->out, value, w->clean);
}

static void
log_csv(struct sbuf *out, const struct convert *c, bool begins, uint64_t offset)
{
	struct log_detail d;

	if (c->trace->log == NULL)
		return;
	if (!begins || !c->trace->log->detail(c->trace->log, offset, &d)) {
		sbuf_text(out, ",,,,,,,");
		return;
	}
	const struct str fields[] = {d.level, d.category, d.chain, d.span, d.parent, d.args};

	sbuf_char(out, ',');
	if (d.has_id)
		sbuf_number(out, d.id, 0);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		sbuf_char(out, ',');
		csv_field(out, fields[i]);
	}
}

/* Lines ---------------------------------------------------------------------------- */

enum {
	INDENT_MAX = 60, /* columns */
	TIME_WIDTH = 14,
	ACTION_WIDTH = 9,
};

/* A record and what it meant. */
struct dump_entry {
	uint64_t offset;
	uint32_t thread, method;
	enum action action;
	uint32_t depth; /* calls open around this one */
	nsec at[CLOCKS];
	const char *note; /* "" for none */
};

struct dumper;

/* Appends the text of a method or a thread. */
typedef void dump_text_maker(struct dumper *, struct sbuf *out, uint32_t id);

/* How a record is written; what of it is the same every time is written once. */
struct dump_form {
	void (*line)(struct dumper *, const struct dump_entry *);
	dump_text_maker *method, *thread;
};

struct dumper {
	struct convert *convert;
	struct sbuf *out;
	const struct dump_form *form;
	bool json; /* not CSV */
	bool any;  /* record of the window */
	struct sbuf *texts; /* of methods, then threads, as the form has them; made when first met */
	uint32_t method_count;
	struct names *names;            /* of the form for people */
	uint32_t *depth;                /* by thread */
	uint8_t *known;                 /* by thread: depth is */
	struct sbuf text;
};

static const char *const actions[] = {
    [ACTION_ENTER] = "enter",
    [ACTION_EXIT] = "exit",
    [ACTION_UNROLL] = "unroll",
    [ACTION_RESERVED] = "reserved",
};

static bool
clock_shown(const struct dumper *d, enum clock_id clock)
{
	return (d->convert->clocks & 1u << clock) != 0;
}

/* Writes what a form has for a method or a thread. */
static void
put_made(struct dumper *d, dump_text_maker *make, uint32_t id)
{
	struct sbuf *made = &d->texts[make == d->form->thread ? d->method_count + id : id];

	if (made->n == 0)
		make(d, made, id);
	sbuf_str(d->out, sbuf_view(made));
}

/* Forms ----------------------------------------------------------------------------- */

static void
text_method(struct dumper *d, struct sbuf *out, uint32_t method)
{
	sbuf_str(out, names_full(d->names, method));
}

static void
text_thread(struct dumper *d, struct sbuf *out, uint32_t thread)
{
	sbuf_number(out, trace_thread(d->convert->trace, thread)->id, 8);
}

static void
text_line(struct dumper *d, const struct dump_entry *entry)
{
	static const char blanks[INDENT_MAX + 1] =
	    "                                                            ";
	uint32_t indent = entry->depth * 2 < INDENT_MAX ? entry->depth * 2 : INDENT_MAX;

	for (int c = CLOCKS - 1; c >= 0; c--) {
		size_t n;

		if (!clock_shown(d, (enum clock_id)c))
			continue;
		sbuf_clear(&d->text);
		sbuf_us(&d->text, entry->at[c]);
		n = d->text.n < TIME_WIDTH ? TIME_WIDTH - d->text.n : 0;
		sbuf_bytes(d->out, blanks, n);
		sbuf_str(d->out, sbuf_view(&d->text));
		sbuf_char(d->out, ' ');
	}
	put_made(d, d->form->thread, entry->thread);
	sbuf_char(d->out, ' ');
	sbuf_text(d->out, actions[entry->action]);
	sbuf_bytes(d->out, blanks, ACTION_WIDTH - strlen(actions[entry->action]));
	sbuf_number(d->out, entry->depth, 5);
	sbuf_bytes(d->out, blanks, indent + 1 <= INDENT_MAX ? indent + 1 : INDENT_MAX);
	put_made(d, d->form->method, entry->method);
	if (entry->note[0] != '\0')
		sbuf_printf(d->out, "  (%s)", entry->note);
	if (entry->action == ACTION_ENTER)
		convert_log_args(d->convert, entry->offset, word,
		    &(struct log_words){d->out, d->convert->ascii ? CLEAN_ASCII : 0});
	sbuf_char(d->out, '\n');
}

/* For programs: fields of CSV, or members of a JSON object, which say what they are. */
static void
field(struct dumper *d, struct sbuf *out, const char *key)
{
	sbuf_text(out, d->json ? key : ",");
}

static void
data_text(struct dumper *d, struct sbuf *out, struct str text)
{
	(d->json ? json_quoted : csv_field)(out, text);
}

static void
data_method(struct dumper *d, struct sbuf *out, uint32_t method)
{
	char id[NAME_ID_SIZE];

	field(d, out, ",\"id\":\"");
	sbuf_str(out, name_id(id, d->convert->trace, method));
	field(d, out, "\",\"name\":");
	data_text(d, out, convert_name(d->convert, method));
}

static void
data_thread(struct dumper *d, struct sbuf *out, uint32_t thread)
{
	field(d, out, ",\"thread\":");
	sbuf_number(out, trace_thread(d->convert->trace, thread)->id, 0);
	field(d, out, ",\"thread_name\":");
	data_text(d, out, convert_thread_name(d->convert, thread));
}

static void
data_line(struct dumper *d, const struct dump_entry *entry)
{
	static const char *const keys[CLOCKS] = {",\"cpu_us\":", ",\"wall_us\":"};
	bool enters = entry->action == ACTION_ENTER;

	sbuf_text(d->out, d->json ? "{\"offset\":" : "");
	sbuf_number(d->out, (int64_t)entry->offset, 0);
	put_made(d, d->form->thread, entry->thread);
	for (int c = CLOCKS - 1; c >= 0; c--) {
		if (!d->json || clock_shown(d, (enum clock_id)c))
			field(d, d->out, keys[c]);
		if (clock_shown(d, (enum clock_id)c))
			sbuf_us(d->out, entry->at[c]);
	}
	field(d, d->out, ",\"action\":\"");
	sbuf_text(d->out, actions[entry->action]);
	field(d, d->out, "\",\"depth\":");
	sbuf_number(d->out, entry->depth, 0);
	put_made(d, d->form->method, entry->method);
	if (!d->json)
		sbuf_printf(d->out, ",%s", entry->note);
	else if (entry->note[0] != '\0')
		sbuf_printf(d->out, ",\"note\":\"%s\"", entry->note);
	if (!d->json)
		log_csv(d->out, d->convert, enters, entry->offset);
	else if (enters)
		convert_log_json(d->out, d->convert, entry->offset);
	sbuf_text(d->out, d->json ? "}\n" : "\r\n");
}

/* Records --------------------------------------------------------------------------- */

/* Follows the thread's stack; fills depth and note. */
static void
entry_judge(struct dumper *d, const struct step *s, struct dump_entry *entry)
{
	const struct tree *tree = &d->convert->profile->tree;
	uint32_t *depth = &d->depth[s->thread];
	uint32_t closed = 0;

	if (!d->known[s->thread]) {
		d->known[s->thread] = 1;
		*depth = tree_depth(tree, s->before);
	}
	entry->depth = *depth;
	entry->note = "";
	if (s->before == s->after) {
		entry->note = entry->action == ACTION_RESERVED ? "skipped"
		    : entry->action == ACTION_ENTER            ? "counted together"
							       : "not open";
		return;
	}
	if (tree->nodes[s->after].parent == s->before) {
		(*depth)++;
		return;
	}
	if (tree_is_bottom(tree, s->before))
		entry->note = "entered before";
	for (uint32_t node = s->before; node != s->after; node = tree->nodes[node].parent)
		closed++;
	*depth -= closed;
	entry->depth = *depth;
	if (closed > 1)
		entry->note = "closes others";
}

static bool
record_dump(void *context, const struct step *s)
{
	struct dumper *d = context;
	const struct convert *c = d->convert;
	nsec now = s->to[c->profile->axis];
	uint32_t method = s->word >> 2;
	struct dump_entry entry = {.offset = s->offset, .thread = s->thread,
	    .action = (enum action)(s->word & 3),
	    .at = {s->to[CLOCK_CPU], s->to[CLOCK_WALL]}};

	if (s->word == WORD_TICK) /* no record of the file's */
		return sink_wanted(c->sink);
	entry.method = method == METHOD_TOP ? c->profile->tree.nodes[s->before].method : method;
	entry_judge(d, s, &entry);
	if (now < c->range.from || (now >= c->range.to && c->range.to < c->profile->end))
		return sink_wanted(c->sink);
	d->any = true;
	if (convert_hides(c, entry.method))
		return sink_wanted(c->sink);
	d->form->line(d, &entry);
	return sink_row(c->sink);
}

static bool
dump_write(struct convert *c, const struct dump_form *form, bool json)
{
	struct dumper d = {.convert = c, .out = &c->sink->text, .form = form, .json = json};
	uint32_t stacks = c->profile->stack_count;
	size_t texts;
	bool whole;

	d.names = names_new(c->trace, !c->ascii);
	d.method_count = trace_method_count(c->trace);
	texts = (size_t)d.method_count + stacks;
	d.texts = convert_zero(c, texts, sizeof(*d.texts));
	d.depth = convert_zero(c, stacks, sizeof(*d.depth));
	d.known = convert_zero(c, stacks, 1);
	whole = replay_window(c->profile, c->scope, c->range.from, c->range.to, record_dump, &d,
	    c->sink->cancel);
	if (whole && !d.any && !range_is_all(&c->range))
		whole = err_set(c->err, ERR_UNSUPPORTED,
		    "no record of the chosen threads is in the window");
	for (size_t i = 0; i < texts; i++)
		sbuf_release(&d.texts[i]);
	names_free(d.names);
	sbuf_release(&d.text);
	return whole;
}

static bool
dump_text(struct convert *c)
{
	static const char *const titles[CLOCKS] = {"CPU us", "Wall us"};
	static const struct dump_form form = {text_line, text_method, text_thread};

	for (int i = CLOCKS - 1; i >= 0; i--)
		if ((c->clocks & 1u << i) != 0)
			sbuf_printf(&c->sink->text, "%*s ", (int)TIME_WIDTH, titles[i]);
	sbuf_printf(&c->sink->text, "%8s %-*s%5s %s\n", "Thread", (int)ACTION_WIDTH, "Action",
	    "Depth", "Method");
	return dump_write(c, &form, false);
}

static const struct dump_form data_form = {data_line, data_method, data_thread};

static bool
dump_csv(struct convert *c)
{
	sbuf_text(&c->sink->text,
	    "offset,thread,thread_name,wall_us,cpu_us,action,depth,id,name,note");
	if (c->trace->log != NULL)
		sbuf_text(&c->sink->text,
		    ",task_id,level,category,chain_id,span_id,parent_span_id,args");
	sbuf_text(&c->sink->text, "\r\n");
	return dump_write(c, &data_form, false);
}

static bool
dump_json(struct convert *c)
{
	return dump_write(c, &data_form, true);
}

const struct convert_format dump_formats[] = {
    {"text", ".txt", "lines to read", CONVERT_CALLS, false, dump_text},
    {"csv", ".csv", "comma-separated values", CONVERT_CALLS, false, dump_csv},
    {"json", ".jsonl", "a JSON object a line", CONVERT_CALLS, false, dump_json},
};
const int dump_format_count = (int)(sizeof(dump_formats) / sizeof(dump_formats[0]));
