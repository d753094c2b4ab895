// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/list/columns.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "view/list/list.h"

/* Values ---------------------------------------------------------------------------- */

struct value
value_time(nsec ns)
{
	return (struct value){.kind = VALUE_TIME, .a = ns};
}

struct value
value_percent(nsec part, nsec of)
{
	return (struct value){.kind = VALUE_PERCENT, .a = part, .b = of};
}

struct value
value_count(uint64_t count)
{
	return (struct value){
	    .kind = VALUE_COUNT, .a = count > INT64_MAX ? INT64_MAX : (int64_t)count};
}

struct value
value_calls(enum value_kind kind, uint64_t a, uint64_t b)
{
	struct value v = {.kind = kind};

	v.a = a > INT64_MAX ? INT64_MAX : (int64_t)a;
	v.b = b > INT64_MAX ? INT64_MAX : (int64_t)b;
	return v;
}

struct value
value_number(int64_t number)
{
	return (struct value){.kind = VALUE_COUNT, .a = number};
}

enum { UNIT_BITS = 8 }; /* of a measure's b; its decimals + 1 are above */

struct value
value_measure(double number, int decimals, enum log_unit unit)
{
	struct value v = value_real(number, decimals);

	if (v.kind == VALUE_REAL && (unit == LOG_UNIT_BYTES || unit == LOG_UNIT_KHZ ||
		unit == LOG_UNIT_HZ || unit == LOG_UNIT_MILLI_C)) {
		v.kind = VALUE_MEASURE;
		v.b = (decimals + 1) << UNIT_BITS | (int)unit;
	}
	return v;
}

struct value
value_plain(struct value v)
{
	return v.kind == VALUE_MEASURE ? value_real(value_is(v), (int)(v.b >> UNIT_BITS) - 1) : v;
}

/* The bits of doubles are in their order, but for the sign, which reverses it. */
struct value
value_real(double number, int decimals)
{
	struct value v = {.kind = VALUE_REAL, .b = decimals};

	if (isnan(number))
		return VALUE_NONE;
	memcpy(&v.a, &number, sizeof(v.a));
	if (v.a < 0)
		v.a ^= INT64_MAX;
	return v;
}

double
value_is(struct value v)
{
	int64_t bits = v.a < 0 ? v.a ^ INT64_MAX : v.a;
	double number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

struct value
value_bool(bool yes)
{
	return (struct value){.kind = VALUE_BOOL, .a = yes};
}

struct value
value_text(struct str text)
{
	return (struct value){.kind = VALUE_TEXT, .text = text};
}

int64_t
value_key(struct value v)
{
	if (v.kind == VALUE_EMPTY)
		return INT64_MIN;
	return v.kind == VALUE_CALLS ? v.a + v.b : v.a;
}

/* Units for numbers that are too long, each so many of the one before; of times after ms. */
static const struct unit {
	uint64_t of;
	char name;
} count_units[] = {{1000, 'k'}, {1000, 'M'}, {1000, 'G'}, {1000, 'T'}, {1000, 'P'}, {0, 0}},
  time_units[] = {{1000, 's'}, {60, 'm'}, {60, 'h'}, {24, 'd'}, {0, 0}};

/*
 * Cuts decimals off until the number fits, then takes the first unit in which it does: "11.2 k",
 * "11 k", "11k".  It stays longer rather than becoming 0.
 */
static void
shorten(char text[static FMT_SIZE], size_t width, const struct unit *u)
{
	char *point = strchr(text, '.');
	size_t n = strlen(text), whole = point != NULL ? (size_t)(point - text) : n;
	uint64_t number = strtoull(text + (*text == '-'), NULL, 10), step = 1;
	const char *sign = *text == '-' ? "-" : "";

	if (n > width && point > text && whole <= width)
		text[whole + 1 < width ? width : whole] = '\0';
	for (; strlen(text) > width && u->of > 0 && number / (step *= u->of) > 0; u++) {
		uint64_t rest = number % step, nearest = number / step + (rest >= step - rest);

		snprintf(text, FMT_SIZE, "%s%" PRIu64 ".%" PRIu64 " %c", sign, number / step,
		    rest * 10 / step, u->name);
		for (int blank = 1; strlen(text) > width && blank >= 0; blank--)
			snprintf(text, FMT_SIZE, "%s%" PRIu64 "%.*s%c", sign, nearest, blank, " ", u->name);
	}
}

/* Where there are no thousandths in a double, in the digits that it has. */
static void
real_format(struct value v, char out[static FMT_SIZE])
{
	double number = value_is(v);
	char *end;

	if (!(fabs(number) < 1e15)) {
		(void)fmt_real(out, number);
		return;
	}
	snprintf(out, FMT_SIZE, "%.*f", v.b < 0 ? 3 : (int)v.b, number);
	for (end = out + strlen(out); v.b < 0 && end[-1] == '0'; end--)
		end[-1] = '\0';
	if (end[-1] == '.')
		end[-1] = '\0';
}

static void
measure_format(struct value v, char out[static FMT_SIZE])
{
	double number = value_is(v), size = fabs(number);
	unsigned unit = v.b & ((1 << UNIT_BITS) - 1);
	double hz = unit == LOG_UNIT_KHZ ? number * 1e3 : number;

	if (unit == LOG_UNIT_BYTES && size < 1e18) {
		(void)fmt_bytes(out, (uint64_t)(size + 0.5));
		if (number < 0 && strlen(out) + 1 < FMT_SIZE) {
			memmove(out + 1, out, strlen(out) + 1);
			out[0] = '-';
		}
	} else if (unit == LOG_UNIT_BYTES) {
		snprintf(out, FMT_SIZE, "%.3g B", number);
	} else if (unit == LOG_UNIT_MILLI_C) {
		snprintf(out, FMT_SIZE, size < 1e12 ? "%.1f C" : "%.3g C", number / 1e3);
	} else if (fabs(hz) >= 1e9) {
		snprintf(out, FMT_SIZE, fabs(hz) < 1e18 ? "%.2f GHz" : "%.3g GHz", hz / 1e9);
	} else if (fabs(hz) >= 1e6) {
		snprintf(out, FMT_SIZE, "%.2f MHz", hz / 1e6);
	} else if (fabs(hz) >= 1e3) {
		snprintf(out, FMT_SIZE, "%.2f kHz", hz / 1e3);
	} else {
		snprintf(out, FMT_SIZE, "%.0f Hz", hz);
	}
}

struct str
value_format(
    const struct figures *f, struct value v, int width, char out[static FMT_SIZE])
{
	const struct trace_unit *unit = &f->trace->unit;
	size_t room = width > 0 ? (size_t)width : 0;
	bool counts = true;
	int n;

	out[0] = '\0';
	switch (v.kind) {
	case VALUE_EMPTY:
		break;
	case VALUE_TEXT:
		return v.text;
	case VALUE_TIME:
		counts = unit_counts(unit);
		if (counts && unit->bytes)
			return str_from(unit_figure(unit, out, v.a));
		if (!counts && f->auto_units) /* at most 8 columns, and not to be cut */
			return str_from(fmt_auto(out, v.a, FMT_US));
		for (unsigned decimals = 4; decimals-- > 0;) {
			if (strlen(counts ? unit_count(unit, out, v.a, decimals)
				: fmt_time(out, v.a, FMT_MS, decimals)) <= room)
				break;
		}
		break;
	case VALUE_PERCENT:
		fmt_percent(out, v.a, v.b);
		break;
	case VALUE_CALLS:
		if (v.a + v.b == 0)
			break;
		n = snprintf(out, FMT_SIZE, "%" PRId64, v.a);
		if (v.b > 0)
			snprintf(out + n, FMT_SIZE - (size_t)n, "+%" PRId64, v.b);
		break;
	case VALUE_OF:
		snprintf(out, FMT_SIZE, "%" PRId64 "/%" PRId64, v.a, v.b);
		if (strlen(out) > room)
			snprintf(out, FMT_SIZE, "%" PRId64, v.a);
		break;
	case VALUE_COUNT:
	case VALUE_BOOL:
		snprintf(out, FMT_SIZE, "%" PRId64, v.a);
		break;
	case VALUE_REAL:
		real_format(v, out);
		break;
	case VALUE_MEASURE:
		measure_format(v, out);
		return str_from(out); /* a number without its unit would be another */
	}
	shorten(out, room, counts ? count_units : time_units);
	return str_from(out);
}

/* Columns --------------------------------------------------------------------------- */

bool
column_is(const struct column *c, const char *word)
{
	const char *field = c->field != NULL ? c->field : c->id;
	size_t n = strlen(word), at = 0;

	for (const char *was = c->was; was != NULL && *was != '\0'; was += at + (was[at] == ' ')) {
		at = strcspn(was, " ");
		if (at == n && n > 0 && memcmp(was, word, n) == 0)
			return true;
	}
	return strcmp(c->id, word) == 0 ||
	    ((c->flags & LIST_FOR_PEOPLE) == 0 &&
		strcmp(output_key(field, c->kind, "_us", FMT_BUF), word) == 0);
}

bool
column_exists(const struct column *c, const struct trace *t)
{
	return (c->flags & (LIST_RATE | LIST_COMPARED)) == 0 && ((c->flags & LIST_BOTH_CLOCKS) == 0 || trace_has_both(t)) &&
	    ((c->flags & LIST_PER_CALL) == 0 || !t->sampled);
}

const char *
column_title(const struct figures *f, const struct column *c, char out[static FMT_SIZE])
{
	static const char *const others[CLOCKS] = {
	    [CLOCK_CPU] = " wall", [CLOCK_WALL] = " cpu"};

	/* Slices are counted. */
	const char *title = f->trace->log != NULL && strcmp(c->id, "calls") == 0
	    ? "Count" : names_words(f->names, c->title);

	bool other = (c->flags & LIST_OTHER_CLOCK) != 0 ||
	    ((c->flags & LIST_AXIS) != 0 && f->clock != trace_default_clock(f->trace));

	snprintf(out, FMT_SIZE, "%s%s%s", title, other ? others[f->clock] : "",
	    (c->flags & LIST_UNIT) != 0 && !f->auto_units && !unit_counts(&f->trace->unit)
		? " ms" : "");
	return out;
}

/* Which are wanted ------------------------------------------------------------------ */

void
columnset_init(struct columnset *s, int count, int last)
{
	*s = (struct columnset){.count = count, .last = last};
	for (int i = 0; i < count; i++)
		s->order[i] = i;
}

/* Columns of a list ------------------------------------------------------------------------- */

void
list_source_columns(const struct list_source *source, struct columnset *set)
{
	int count = 0, last;

	while (count < COLUMNSET_MAX && source->columns[count].id != NULL)
		count++;
	last = count - 1;
	/* A column that takes the rest of the width and is last stays last. */
	columnset_init(set, count, (source->columns[last].flags & LIST_REST) != 0 ? last : -1);
}

const char *
list_title(const struct list *l, int column, char out[static FMT_SIZE])
{
	const struct column *c = list_column(l, column);
	const char *title =
	    l->source->title != NULL ? l->source->title(l->of, column, out) : NULL;

	if (title == NULL)
		return column_title(l->figures, c, out);
	return title != out ? names_words(l->figures->names, title) : title;
}

const char *
list_name(const struct list *l, int column, char out[static FMT_SIZE])
{
	if (column != l->columns->last)
		return list_title(l, column, out);
	snprintf(out, FMT_SIZE, "%s", names_words(l->figures->names, list_column(l, column)->title));
	return out;
}

bool
list_sorts(const struct list *l, int column)
{
	const struct column *c = list_column(l, column);

	if ((c->flags & LIST_COMPARED) != 0)
		return list_has(l, column);
	return column_sorts(c) && column_exists(c, l->figures->trace) &&
	    (l->source->has == NULL || l->source->has(l->of, column));
}

int
list_sort_find(const struct list *l, const char *word)
{
	int i = 0;

	while (i < l->count && (!list_sorts(l, i) || !column_is(list_column(l, i), word)))
		i++;
	return i < l->count ? i : -1;
}

bool
list_sort_none(const struct list *l, const char *name, const char *word, struct err *e)
{
	struct sbuf words = {0};

	for (int i = 0; i < l->count; i++)
		if (list_sorts(l, i))
			sbuf_printf(&words, "%s%s", words.n > 0 ? ", " : "", list_column(l, i)->id);
	err_set(e, ERR_UNSUPPORTED, "'%s' has no column '%s', only %s", name, word, sbuf_cstr(&words));
	sbuf_release(&words);
	return false;
}

bool
list_sort_word(struct list *l, const char *word)
{
	char sign = *word == '+' || *word == '-' ? *word++ : '\0';
	int i = list_sort_find(l, word);

	if (i >= 0)
		list_sort(l, i, sign != '\0' ? sign == '+' : column_ascends(list_column(l, i)));
	return i >= 0;
}

bool
list_has(const struct list *l, int column)
{
	const struct column *c = list_column(l, column);

	return (c->flags & LIST_FOR_PROGRAMS) == 0 &&
	    ((c->flags & LIST_RATE) == 0 || l->figures->rates != NULL) &&
	    ((c->flags & LIST_BOTH_CLOCKS) == 0 ||
		column_exists(c, l->figures->trace)) &&
	    (l->source->has == NULL ? (c->flags & LIST_COMPARED) == 0 : l->source->has(l->of, column));
}

int
list_from(const struct list *l, int column)
{
	return l->source->from != NULL ? l->source->from(l->of, column)
				       : list_column(l, column)->from;
}

bool
list_visible(const struct list *l, int column)
{
	enum column_shown shown = l->columns->of[column].shown;

	if (!list_has(l, column) || shown == SHOWN_NO)
		return false;
	return shown == SHOWN_YES || column == l->sort ||
	       l->screen >= list_from(l, column);
}

bool
list_show(struct list *l, int column, enum column_shown shown)
{
	if ((list_column(l, column)->flags & LIST_STAYS) != 0)
		return false;
	l->columns->of[column].shown = shown;
	l->first_column = 0;
	list_update(l);
	return true;
}

bool
list_widen(struct list *l, int column, int by)
{
	const struct column *c = list_column(l, column);
	int *asked = &l->columns->of[column].width, now = l->width[column], width;
	int least = list_is_text(l, column) || now < COLUMN_WIDTH_MIN ? COLUMN_WIDTH_MIN : now;

	if (column == l->columns->last)
		return false;
	if (c->most[1] > 0 && now > c->most[1])
		now = c->most[1];
	if (*asked > now || (list_is_text(l, column) && *asked > 0))
		now = *asked;
	width = now + by;
	if (width < least || width > COLUMN_WIDTH_MAX)
		return false;
	*asked = width;
	return true;
}

void
list_set_columns(struct list *l, const struct columnset *columns)
{
	*l->columns = *columns;
	l->first_column = 0;
	list_update(l);
}

bool
list_shift(struct list *l, int column, int direction)
{
	struct columnset *s = l->columns;
	int from = 0, to;

	while (s->order[from] != column)
		from++;
	to = from + direction;
	while (to >= 0 && to < s->count && !list_has(l, s->order[to]))
		to += direction;
	if (column == s->last || to < 0 || to >= s->count || s->order[to] == s->last)
		return false;
	/* Hidden columns keep their place among the others. */
	for (int i = from; i != to; i += direction)
		s->order[i] = s->order[i + direction];
	s->order[to] = column;
	return true;
}

bool
list_scroll_columns(struct list *l, int direction, int columns)
{
	struct list_layout layout;

	list_layout(&layout, l, columns);
	if (direction < 0 ? !layout.more_left : !layout.more_right)
		return false;
	l->first_column += direction < 0 ? -1 : 1;
	return true;
}

bool
list_is_measured(const struct list *l)
{
	bool measured = l->auto_units == l->figures->auto_units;

	for (int i = 0; i < l->count; i++)
		measured &= !list_visible(l, i) || (l->measured & 1u << i) != 0;
	return measured;
}

/* Widths -------------------------------------------------------------------------- */

static void
measure_text(struct list *l, int column, struct str text)
{
	size_t width = utf8_width(text);

	if (width > COLUMN_WIDTH_MAX)
		width = COLUMN_WIDTH_MAX;
	if ((int)width > l->width[column])
		l->width[column] = (int)width;
}

/* Figures grow with the value: only those that exceed all before are written out. */
static void
measure_column(struct list *l, int column)
{
	const struct column *c = list_column(l, column);
	int64_t most = INT64_MIN, least = INT64_MAX, most_b = INT64_MIN;
	char out[FMT_SIZE];

	l->width[column] = c->width;
	/* Titles with a clock have no width of their own. */
	if (c->width == 0 || (c->flags & LIST_OTHER_CLOCK) != 0) {
		int title = (int)strlen(list_title(l, column, out)) + 1;

		l->width[column] = title > c->width ? title : c->width;
	}
	/*
	 * A column that takes the rest of the width is not measured: it may have millions
	 * of names.
	 */
	if (column == l->columns->last) {
		l->width[column] = COLUMN_WIDTH_MAX;
		return;
	}
	if (c->most[1] > 0 && l->width[column] >= c->most[1])
		return;
	if (l->source->widest != NULL) {
		measure_text(l, column,
		    value_format(l->figures, l->source->widest(l->of, column), FMT_SIZE, out));
		if (l->source->tree)
			return;
	}
	for (size_t i = 0; i < l->level.count; i++) {
		const struct list_row *row = &l->level.items[i];
		struct value v = list_value(l, row, column);
		int64_t key = v.kind == VALUE_CALLS ? v.a : list_key(c, v);
		const char *own;

		if (v.kind == VALUE_TEXT) {
			measure_text(l, column, v.text);
			continue;
		}
		/* Values with units are not the wider the larger they are. */
		if (v.kind == VALUE_EMPTY || (v.kind != VALUE_MEASURE && key <= most && key >= least && v.b <= most_b))
			continue;
		most = key > most ? key : most;
		least = key < least ? key : least;
		most_b = v.b > most_b ? v.b : most_b;
		own = l->source->text != NULL ? l->source->text(l->of, row, column, v, out) : NULL;
		measure_text(l, column,
		    own != NULL ? str_from(own) : value_format(l->figures, v, FMT_SIZE, out));
	}
}

void
list_measure(struct list *l)
{
	l->measured = 0;
	for (int i = 0; i < l->count; i++) {
		if (!list_visible(l, i))
			continue;
		measure_column(l, i);
		l->measured |= 1u << i;
	}
	l->auto_units = l->figures->auto_units;
}
