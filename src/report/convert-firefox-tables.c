/*
 * convert-firefox-tables: what a thread's samples refer to, and the columns that all is
 * written in.
 */
#include <config.h>

#include <inttypes.h>

#include "base/json.h"
#include "base/mem.h"
#include "report/convert-firefox.h"

#define NOTHING UINT32_MAX

/* Columns --------------------------------------------------------------------------- */

void
firefox_column(struct firefox *f, const char *name)
{
	sbuf_printf(f->out, ",\n\"%s\":[", name);
	f->any = false;
}

void
firefox_item(struct firefox *f)
{
	if (f->any)
		sbuf_char(f->out, ',');
	f->any = true;
}

/* An item of digits, with a point before the last `decimals` of them, in one go. */
static void
digits(struct firefox *f, uint64_t n, int decimals)
{
	char text[32];
	int at = (int)sizeof(text);

	for (; decimals > 0; decimals--, n /= 10) {
		text[--at] = (char)('0' + n % 10);
		if (decimals == 1)
			text[--at] = '.';
	}
	do
		text[--at] = (char)('0' + n % 10);
	while ((n /= 10) > 0);
	if (f->any)
		text[--at] = ',';
	f->any = true;
	sbuf_bytes(f->out, text + at, sizeof(text) - (size_t)at);
}

void
firefox_number(struct firefox *f, uint64_t n)
{
	digits(f, n, 0);
}

void
firefox_number_or_null(struct firefox *f, bool there, uint64_t n)
{
	if (there) {
		firefox_number(f, n);
		return;
	}
	firefox_item(f);
	sbuf_text(f->out, "null");
}

/* The same in every row. */
static void
constant(struct firefox *f, const char *name, const char *value, uint32_t rows)
{
	firefox_column(f, name);
	for (uint32_t i = 0; i < rows && sink_row(f->convert->sink); i++) {
		firefox_item(f);
		sbuf_text(f->out, value);
	}
	sbuf_char(f->out, ']');
}

void
firefox_ms(struct firefox *f, nsec ns)
{
	if (ns % 1000 == 0)
		digits(f, (uint64_t)ns / 1000, 3);
	else
		digits(f, (uint64_t)ns, 6);
}

/* Strings --------------------------------------------------------------------------- */

static uint32_t
string_add(struct firefox *f, struct str text, uint32_t *count)
{
	firefox_item(f);
	sbuf_char(f->out, '\n');
	json_quoted(f->out, text);
	return (*count)++;
}

void
firefox_strings(struct firefox *f)
{
	const struct tree *tree = &f->convert->profile->tree;
	const struct trace *t = f->convert->trace;
	struct sbuf name = {0};
	uint32_t count = 0;

	for (uint32_t n = 1; n < tree->count; n++)
		f->strings[tree->nodes[n].method] = 1;
	sbuf_text(f->out, "\"stringArray\":[");
	f->any = false;
	for (uint32_t i = 0; i < trace_method_count(t) && sink_row(f->convert->sink); i++) {
		const struct method *m = trace_method(t, i);

		if (f->strings[i] == 0)
			continue;
		sbuf_clear(&name);
		convert_name(&name, f->convert, i);
		f->strings[i] = string_add(f, sbuf_view(&name), &count);
		f->files[i] = m->file.n > 0 ? string_add(f, m->file, &count) : NOTHING;
	}
	sbuf_char(f->out, ']');
	sbuf_release(&name);
}

/* Stacks of a thread ---------------------------------------------------------------- */

static bool
hidden(const struct firefox *f, uint32_t method)
{
	return f->convert->hidden != NULL && f->convert->hidden[method];
}

uint32_t
firefox_node_shown(const struct firefox *f, uint32_t node)
{
	const struct node *nodes = f->convert->profile->tree.nodes;

	while (node_parent(&nodes[node]) != NODE_NONE && hidden(f, nodes[node].method))
		node = node_parent(&nodes[node]);
	return node_parent(&nodes[node]) != NODE_NONE ? node : NODE_NONE;
}

static void
list_add(struct firefox *f, uint32_t what)
{
	MEM_GROW(f->list, f->list_room, f->list_count + 1);
	f->list[f->list_count++] = what;
}

void
firefox_stack_number(struct firefox *f, uint32_t node)
{
	if (f->stacks[node] != 0)
		return;
	list_add(f, node);
	f->stacks[node] = f->list_count;
}

/* Leaves the thread's methods, in the order of `funcs`, in the list. */
static void
stacks_write(struct firefox *f)
{
	const struct node *nodes = f->convert->profile->tree.nodes;
	uint32_t rows = f->list_count;

	sbuf_printf(f->out, ",\n\"stackTable\":{\"length\":%" PRIu32, rows);
	firefox_column(f, "prefix");
	for (uint32_t i = 0; i < rows && sink_row(f->convert->sink); i++) {
		uint32_t parent = firefox_node_shown(f, node_parent(&nodes[f->list[i]]));

		firefox_number_or_null(f, parent != NODE_NONE, (uint64_t)f->stacks[parent] - 1);
	}
	sbuf_char(f->out, ']');
	firefox_column(f, "frame");
	f->list_count = 0;
	for (uint32_t i = 0; i < rows && sink_row(f->convert->sink); i++) {
		uint32_t method = nodes[f->list[i]].method;

		if (f->funcs[method] == 0) { /* the list is read before it is written */
			f->list[f->list_count++] = method;
			f->funcs[method] = f->list_count;
		}
		firefox_number(f, f->funcs[method] - 1);
	}
	sbuf_text(f->out, "]}");
}

/* A frame for each method: calls have no lines. */
static void
frames_write(struct firefox *f)
{
	uint32_t rows = f->list_count;

	sbuf_printf(f->out, ",\n\"frameTable\":{\"length\":%" PRIu32, rows);
	constant(f, "address", "-1", rows);
	constant(f, "inlineDepth", "0", rows);
	constant(f, "category", "0", rows);
	constant(f, "subcategory", "0", rows);
	firefox_column(f, "func");
	for (uint32_t i = 0; i < rows && sink_row(f->convert->sink); i++)
		firefox_number(f, i);
	sbuf_char(f->out, ']');
	constant(f, "nativeSymbol", "null", rows);
	constant(f, "innerWindowID", "0", rows);
	constant(f, "line", "null", rows);
	constant(f, "column", "null", rows);
	sbuf_char(f->out, '}');
}

static void
funcs_write(struct firefox *f)
{
	uint32_t rows = f->list_count;

	sbuf_printf(f->out, ",\n\"funcTable\":{\"length\":%" PRIu32, rows);
	constant(f, "isJS", "false", rows);
	constant(f, "relevantForJS", "false", rows);
	firefox_column(f, "name");
	for (uint32_t i = 0; i < rows && sink_row(f->convert->sink); i++)
		firefox_number(f, f->strings[f->list[i]]);
	sbuf_char(f->out, ']');
	constant(f, "resource", "-1", rows);
	firefox_column(f, "fileName");
	for (uint32_t i = 0; i < rows && sink_row(f->convert->sink); i++)
		firefox_number_or_null(f, f->files[f->list[i]] != NOTHING, f->files[f->list[i]]);
	sbuf_char(f->out, ']');
	firefox_column(f, "lineNumber");
	for (uint32_t i = 0; i < rows && sink_row(f->convert->sink); i++) {
		int32_t line = trace_method(f->convert->trace, f->list[i])->line;

		firefox_number_or_null(f, line > 0, (uint64_t)line);
	}
	sbuf_char(f->out, ']');
	constant(f, "columnNumber", "null", rows);
	sbuf_char(f->out, '}');
	for (uint32_t i = 0; i < rows; i++)
		f->funcs[f->list[i]] = 0;
	f->list_count = 0;
}

void
firefox_tables(struct firefox *f)
{
	stacks_write(f);
	frames_write(f);
	funcs_write(f);
}
