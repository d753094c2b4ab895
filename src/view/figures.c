#include <config.h>

#include "view/figures.h"

#include <stdio.h>

static enum clock_id
other(const struct figures *f)
{
	return f->clock == CLOCK_WALL ? CLOCK_CPU : CLOCK_WALL;
}

static const struct method_sum *
sum_of(const struct figures *f, uint32_t method)
{
	return &f->fold->methods[method];
}

static uint64_t
all_calls(const struct method_sum *m)
{
	return m->calls + m->recursive_calls;
}

/* Counts beyond are not to be had in a file. */
static int64_t
count(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

static struct value
time_value(nsec ns)
{
	return (struct value){.kind = VALUE_TIME, .a = ns};
}

static struct value
empty(void)
{
	return (struct value){.kind = VALUE_EMPTY};
}

static struct value
text_value(struct str text)
{
	return (struct value){.kind = VALUE_TEXT, .text = text};
}

/* Slices of no thread have no CPU time. */
static bool
timeless(const struct figures *f, const struct row *row, enum clock_id clock)
{
	return clock == CLOCK_CPU && f->trace->log != NULL &&
	    trace_method(f->trace, row->kind == ROW_SELF ? row->of : row->method)->async;
}

static nsec
inclusive(const struct figures *f, const struct row *row, enum clock_id clock)
{
	switch (row->kind) {
	case ROW_METHOD:
		return sum_of(f, row->method)->inclusive[clock];
	case ROW_SELF:
		return sum_of(f, row->of)->self[clock];
	default:
		return row->relation.inclusive[clock];
	}
}

static struct value
share(const struct figures *f, const struct row *row, enum clock_id clock, nsec part)
{
	nsec whole = f->fold->total[clock];

	if (timeless(f, row, clock))
		return empty();
	if (f->base == BASE_TRACE)
		whole = f->fold->whole[clock];
	else if (f->base == BASE_PARENT && row->kind != ROW_METHOD)
		whole = sum_of(f, row->of)->inclusive[clock];
	return (struct value){.kind = VALUE_PERCENT, .a = part, .b = whole};
}

static struct value
get_rank(const struct figures *f, const struct row *row)
{
	uint32_t rank = sum_of(f, row->method)->rank;

	if (rank == RANK_NONE || row->kind == ROW_SELF)
		return empty();
	return (struct value){.kind = VALUE_COUNT, .a = rank};
}

static struct value
get_incl_percent(const struct figures *f, const struct row *row)
{
	return share(f, row, f->clock, inclusive(f, row, f->clock));
}

static struct value
get_other_incl_percent(const struct figures *f, const struct row *row)
{
	return share(f, row, other(f), inclusive(f, row, other(f)));
}

static struct value
get_incl(const struct figures *f, const struct row *row)
{
	if (timeless(f, row, f->clock))
		return empty();
	return time_value(inclusive(f, row, f->clock));
}

static struct value
get_other_incl(const struct figures *f, const struct row *row)
{
	if (timeless(f, row, other(f)))
		return empty();
	return time_value(inclusive(f, row, other(f)));
}

/* What follows up to the counts is of methods only, as in Traceview. */

static struct value
exclusive(const struct figures *f, const struct row *row, enum clock_id clock)
{
	if (row->kind != ROW_METHOD || timeless(f, row, clock))
		return empty();
	return time_value(sum_of(f, row->method)->exclusive[clock]);
}

static struct value
get_excl(const struct figures *f, const struct row *row)
{
	return exclusive(f, row, f->clock);
}

static struct value
get_other_excl(const struct figures *f, const struct row *row)
{
	return exclusive(f, row, other(f));
}

static struct value
get_excl_percent(const struct figures *f, const struct row *row)
{
	if (row->kind != ROW_METHOD)
		return empty();
	return share(f, row, f->clock, exclusive(f, row, f->clock).a);
}

static struct value
get_other_excl_percent(const struct figures *f, const struct row *row)
{
	if (row->kind != ROW_METHOD)
		return empty();
	return share(f, row, other(f), exclusive(f, row, other(f)).a);
}

/* Clocks of different grain can leave the CPU a little ahead: the wait is then 0. */
static struct value
waiting(nsec wall, nsec cpu)
{
	return time_value(wall > cpu ? wall - cpu : 0);
}

static struct value
get_wait(const struct figures *f, const struct row *row)
{
	const struct method_sum *m = sum_of(f, row->method);

	if (row->kind != ROW_METHOD || timeless(f, row, CLOCK_CPU))
		return empty();
	return waiting(m->exclusive[CLOCK_WALL], m->exclusive[CLOCK_CPU]);
}

static struct value
get_wait_incl(const struct figures *f, const struct row *row)
{
	if (timeless(f, row, CLOCK_CPU))
		return empty();
	return waiting(inclusive(f, row, CLOCK_WALL), inclusive(f, row, CLOCK_CPU));
}

static struct value
per_call(const struct figures *f, const struct row *row, enum clock_id clock)
{
	const struct method_sum *m = sum_of(f, row->method);
	int64_t calls = count(all_calls(m));

	if (row->kind != ROW_METHOD || calls == 0 || timeless(f, row, clock))
		return empty();
	return time_value((m->inclusive[clock] + calls / 2) / calls);
}

static struct value
get_per_call(const struct figures *f, const struct row *row)
{
	return per_call(f, row, f->clock);
}

static struct value
get_other_per_call(const struct figures *f, const struct row *row)
{
	return per_call(f, row, other(f));
}

static struct value
get_threads(const struct figures *f, const struct row *row)
{
	if (row->kind != ROW_METHOD)
		return empty();
	return (struct value){.kind = VALUE_COUNT, .a = sum_of(f, row->method)->threads};
}

static struct value
get_calls(const struct figures *f, const struct row *row)
{
	const struct method_sum *m = sum_of(f, row->method);
	uint32_t callee = row->kind == ROW_PARENT || row->kind == ROW_PARENT_RECURSIVE
			      ? row->of
			      : row->method;

	if (row->kind == ROW_SELF || (row->kind == ROW_METHOD && all_calls(m) == 0))
		return empty();
	if (row->kind == ROW_METHOD)
		return (struct value){
		    VALUE_CALLS, count(m->calls), count(m->recursive_calls), {NULL, 0}};
	return (struct value){VALUE_OF, count(row->relation.calls),
	    count(all_calls(sum_of(f, callee))), {NULL, 0}};
}

static struct value
get_class(const struct figures *f, const struct row *row)
{
	return row->kind == ROW_SELF ? empty()
				     : text_value(names_class(f->names, row->method));
}

static struct value
get_file(const struct figures *f, const struct row *row)
{
	return row->kind == ROW_SELF ? empty()
				     : text_value(names_file(f->names, row->method));
}

static struct value
get_method(const struct figures *f, const struct row *row)
{
	return text_value(
	    row->kind == ROW_SELF ? STR("self") : names_full(f->names, row->method));
}

/* A table is to be read as one. */
/* clang-format off */
const struct column column_table[COLUMNS + 1] = {
	[COLUMN_RANK] = {"rank", "Rank", "place by inclusive time in the whole trace, from 0",
	    VALUE_COUNT, COLUMN_ASKED, LIST_ASCENDING, 5, get_rank},
	[COLUMN_INCL_PERCENT] = {"incl%", "Incl%", "inclusive time in percent of the base",
	    VALUE_PERCENT, 0, 0, 6, get_incl_percent},
	[COLUMN_EXCL_PERCENT] = {"excl%", "Excl%", "exclusive time in percent of the base",
	    VALUE_PERCENT, 60, 0, 6, get_excl_percent},
	[COLUMN_INCL] = {"incl", "Incl", "time in the method and in what it calls",
	    VALUE_TIME, 0, LIST_UNIT, 9, get_incl},
	[COLUMN_EXCL] = {"excl", "Excl", "time in the method itself",
	    VALUE_TIME, 50, LIST_UNIT, 9, get_excl},
	[COLUMN_OTHER_INCL_PERCENT] = {"other-incl%", "Incl%", "inclusive percent on the other clock",
	    VALUE_PERCENT, COLUMN_ASKED, LIST_OTHER_CLOCK | LIST_BOTH_CLOCKS, 0, get_other_incl_percent},
	[COLUMN_OTHER_EXCL_PERCENT] = {"other-excl%", "Excl%", "exclusive percent on the other clock",
	    VALUE_PERCENT, COLUMN_ASKED, LIST_OTHER_CLOCK | LIST_BOTH_CLOCKS, 0, get_other_excl_percent},
	[COLUMN_OTHER_INCL] = {"other-incl", "Incl", "inclusive time on the other clock",
	    VALUE_TIME, COLUMN_ASKED, LIST_UNIT | LIST_OTHER_CLOCK | LIST_BOTH_CLOCKS, 0, get_other_incl},
	[COLUMN_OTHER_EXCL] = {"other-excl", "Excl", "exclusive time on the other clock",
	    VALUE_TIME, COLUMN_ASKED, LIST_UNIT | LIST_OTHER_CLOCK | LIST_BOTH_CLOCKS, 0, get_other_excl},
	[COLUMN_WAIT] = {"wait", "Wait", "exclusive time not on the CPU: wall - cpu",
	    VALUE_TIME, COLUMN_ASKED, LIST_UNIT | LIST_BOTH_CLOCKS, 9, get_wait},
	[COLUMN_WAIT_INCL] = {"wait-incl", "Wait+", "inclusive time not on the CPU: wall - cpu",
	    VALUE_TIME, COLUMN_ASKED, LIST_UNIT | LIST_BOTH_CLOCKS, 9, get_wait_incl},
	[COLUMN_CALLS] = {"calls", "Calls", "calls, +recursive ones; relations: n of all",
	    VALUE_CALLS, 60, 0, 7, get_calls},
	[COLUMN_PER_CALL] = {"avg", "Avg", "inclusive time per call, recursive calls counted",
	    VALUE_TIME, 140, LIST_UNIT, 9, get_per_call},
	[COLUMN_OTHER_PER_CALL] = {"other-avg", "Avg", "time per call on the other clock",
	    VALUE_TIME, COLUMN_ASKED, LIST_UNIT | LIST_OTHER_CLOCK | LIST_BOTH_CLOCKS, 0, get_other_per_call},
	[COLUMN_THREADS] = {"threads", "Thr", "threads that called it",
	    VALUE_COUNT, 140, 0, 4, get_threads},
	[COLUMN_CLASS] = {"class", "Class", "class, with its package",
	    VALUE_TEXT, COLUMN_ASKED, 0, 24, get_class, .most = {24, 24}},
	[COLUMN_FILE] = {"file", "File", "source file, where the trace has it",
	    VALUE_TEXT, COLUMN_ASKED, 0, 16, get_file, .most = {16, 16}},
	[COLUMN_METHOD] = {"method", "Method", "package, class and method",
	    VALUE_TEXT, 0, LIST_STAYS | LIST_REST, 20, get_method},
	[COLUMNS] = {.id = NULL},
};
/* clang-format on */

enum column_id
columns_find(struct str id)
{
	enum column_id i = 0;

	while (i < COLUMNS && !str_equal(id, str_from(column_table[i].id)))
		i++;
	return i;
}

int
column_width(const struct figures *f, enum column_id id)
{
	const struct column *c = &column_table[id];
	uint32_t methods = f->fold != NULL && c->kind != VALUE_TEXT ? f->fold->met_count : 0;
	int64_t most = 0, most_b = 0;
	char out[FMT_SIZE];
	/* Room for the sign of the order after the title. */
	size_t width = strlen(column_title(f, c, out)) + 1;

	if (width < (size_t)c->width)
		width = (size_t)c->width;
	for (uint32_t i = 0; i < methods; i++) {
		uint32_t method = f->fold->met[i];
		struct value v = column_get(
		    f, id, &(struct row){.kind = ROW_METHOD, .method = method, .of = method});
		size_t n;

		/* Text grows with the value: only those that exceed all before are written out. */
		if (v.a <= most && v.b <= most_b)
			continue;
		most = v.a > most ? v.a : most;
		most_b = v.b > most_b ? v.b : most_b;
		n = value_format(f, v, FMT_SIZE, out).n;
		if (n > width)
			width = n;
	}
	return (int)width;
}
