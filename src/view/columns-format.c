/* Values of columns as text, and how wide they get. */
#include <config.h>

#include "view/columns.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
value_number(int64_t number)
{
	return (struct value){.kind = VALUE_COUNT, .a = number};
}

struct value
value_double(double number)
{
	struct value v = {.kind = VALUE_DECIMAL};

	if (!(number > -9.2e18))
		v.a = INT64_MIN;
	else if (number > 9.2e18)
		v.a = INT64_MAX;
	else
		v.a = (int64_t)number - ((double)(int64_t)number > number);
	/* Beyond these there are no thousandths in a double. */
	if (v.a > -1000000000000000 && v.a < 1000000000000000)
		v.b = (int64_t)((number - (double)v.a) * 1000);
	return v;
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

/* Cuts decimals off until the number fits; "#" when none are left to cut. */
static void
shorten(char *text, size_t width)
{
	char *point = strchr(text, '.');
	size_t n = strlen(text);

	if (n <= width)
		return;
	if (point != NULL && (size_t)(point - text) <= width && point > text)
		text[(size_t)(point - text) + 1 < width ? width
							: (size_t)(point - text)] = '\0';
	else
		memcpy(text, "#", sizeof("#"));
}

const char *
value_decimal(struct value v, char out[static FMT_SIZE])
{
	bool below = v.a < 0 && v.b > 0;

	/* -1 and 500 thousandths more are -0.500. */
	if (below)
		snprintf(out, FMT_SIZE, "-%" PRId64 ".%03d", -(v.a + 1), (int)(1000 - v.b));
	else
		snprintf(out, FMT_SIZE, "%" PRId64 ".%03d", v.a, (int)v.b);
	return out;
}

struct str
value_format(
    const struct figures *f, struct value v, int width, char out[static FMT_SIZE])
{
	size_t room = width > 0 ? (size_t)width : 0;
	int n;

	out[0] = '\0';
	switch (v.kind) {
	case VALUE_EMPTY:
		break;
	case VALUE_TEXT:
		return v.text;
	case VALUE_TIME:
		if (f->auto_units) {
			fmt_auto(out, v.a, FMT_US);
			break;
		}
		for (unsigned decimals = 4; decimals-- > 0;) {
			fmt_time(out, v.a, FMT_MS, decimals);
			if (strlen(out) <= room)
				break;
		}
		break;
	case VALUE_PERCENT:
		fmt_percent(out, v.a, v.b);
		break;
	case VALUE_CALLS:
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
		snprintf(out, FMT_SIZE, "%" PRId64, v.a);
		break;
	case VALUE_DECIMAL:
		value_decimal(v, out);
		break;
	}
	shorten(out, room);
	return str_from(out);
}

int
column_width(const struct figures *f, enum column_id id)
{
	const struct column *c = &column_table[id];
	uint32_t methods = f->fold != NULL && c->kind != VALUE_TEXT ? f->fold->met_count : 0;
	int64_t most = 0, most_b = 0;
	char out[FMT_SIZE];
	/* Room for the sign of the order after the title. */
	size_t width = strlen(column_label(f, c, out)) + 1;

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
