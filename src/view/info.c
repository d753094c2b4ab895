#include <config.h>

#include "view/info.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "base/fmt.h"
#include "base/utf8.h"
#include "view/info_rows.h"

/* Dalvik states Unix time, ART time since boot; nothing runs for sixteen years. */
#define UNIX_TIME_US UINT64_C(500000000000000)

enum { NAME_MAX_COLUMNS = 28, VALUE_COLUMNS = 46, TEXT_SIZE = 512 };

/* Rows --------------------------------------------------------------------------- */

static void
row_add(struct info *info, enum info_kind kind, struct str name, struct str value)
{
	MEM_GROW(info->rows, info->room, info->count + 1);
	info->rows[info->count++] = (struct info_row){
	    kind, arena_str(&info->arena, name), arena_str(&info->arena, value)};
}

void
info_heading(struct info *info, const char *text)
{
	if (info->count > 0)
		row_add(info, INFO_BLANK, STR(""), STR(""));
	row_add(info, INFO_HEADING, str_from(text), STR(""));
}

/* What fits of a text, up to a blank if there is one. */
static struct str
first_line(struct str text)
{
	struct str line = utf8_head(text, VALUE_COLUMNS, NULL);
	size_t n = line.n;

	if (n == 0 || n == text.n)
		return text;
	while (n > 0 && line.p[n - 1] != ' ')
		n--;
	return n > 0 ? (struct str){line.p, n} : line;
}

void
info_value(struct info *info, enum info_kind kind, struct str name, struct str value)
{
	struct str rest = value;

	/* What is too long for a line goes on in the next. */
	do {
		struct str line = first_line(rest);

		row_add(info, kind, name, line);
		name = STR("");
		rest = (struct str){rest.p + line.n, rest.n - line.n};
	} while (rest.n > 0);
}

void
info_pair(struct info *info, const char *name, const char *format, ...)
{
	char text[TEXT_SIZE];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	info_value(info, INFO_PAIR, str_from(name), str_from(text));
}

void
info_note(struct info *info, struct str text)
{
	row_add(info, INFO_NOTE, text, STR(""));
}

void
info_clear(struct info *info)
{
	info->count = 0;
	arena_release(&info->arena);
}

void
info_release(struct info *info)
{
	info_clear(info);
	mem_free(info->rows);
	*info = (struct info){0};
}

/* The trace ---------------------------------------------------------------------- */

static void
add_start(struct info *info, const struct trace *t)
{
	time_t seconds = (time_t)(t->start_us / 1000000);
	char text[64], ago[FMT_SIZE];
	struct tm tm;

	if (t->start_us == 0)
		return;
	if (t->start_us >= UNIX_TIME_US && gmtime_r(&seconds, &tm) != NULL &&
	    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm) > 0)
		info_pair(
		    info, "started", "%s.%06d UTC", text, (int)(t->start_us % 1000000));
	else if (t->start_us < UNIX_TIME_US)
		info_pair(info, "started", "%s after boot",
		    fmt_duration(ago, (int64_t)t->start_us * 1000));
}

static const char *
state_text(const struct engine_news *news, char *out, size_t size)
{
	int percent = (int)(news->progress * 100);

	switch (news->state) {
	case LOAD_MORE:
		snprintf(out, size, "being read, %d%%", percent);
		break;
	case LOAD_DONE:
		snprintf(out, size, "complete");
		break;
	case LOAD_STOPPED:
		snprintf(out, size, "stopped at %d%%", percent);
		break;
	case LOAD_FAILED:
		snprintf(out, size, "gave up at %d%%: %s", percent, news->err.what);
		break;
	}
	return out;
}

static void
add_trace(struct info *info, const struct trace *t, struct names *names,
    const struct engine_news *news)
{
	char text[TEXT_SIZE];
	bool cpu = trace_has_clock(t, CLOCK_CPU), wall = trace_has_clock(t, CLOCK_WALL);

	info_heading(info, "TRACE");
	info_value(info, INFO_PAIR, STR("file"), names_clean(names, str_from(t->path)));
	info_pair(info, "format", "%s, data version %d", t->format, t->version);
	info_pair(info, "clocks", "%s%s%s", cpu ? "cpu" : "", cpu && wall ? ", " : "",
	    wall ? "wall" : "");
	if (t->own_axes)
		info_pair(
		    info, "time", "CPU time of each thread; threads share no time line");
	add_start(info, t);
	info_pair(info, "span", "%s ms", fmt_ms(text, news->end - news->begin));
	if (t->elapsed > 0)
		info_pair(info, "elapsed, as stated", "%s ms", fmt_ms(text, t->elapsed));
	info_pair(info, "data", "%s of %s", fmt_bytes(text, news->bytes_done),
	    fmt_bytes(text + FMT_SIZE, news->bytes_total));
	info_pair(info, "read", "%s", state_text(news, text, sizeof text));
}

static void
add_counts(struct info *info, const struct trace *t, const struct engine_news *news,
    const struct fold *fold)
{
	uint32_t threads = 0, open = 0;
	char interval[FMT_SIZE];

	info_heading(info, "COUNTS");
	if (news->sampled.yes && news->sampled.interval > 0)
		info_pair(info, "sampled", "about every %s: calls are what the samples saw",
		    fmt_duration(interval, news->sampled.interval));
	else if (news->sampled.yes)
		info_pair(info, "sampled", "calls are what the samples saw");
	info_pair(info, "records", "%" PRIu64, news->records);
	if (fold == NULL)
		return;
	for (uint32_t i = 0; i < fold->thread_count; i++) {
		threads += fold->threads[i].records > 0;
		open += fold->threads[i].open;
	}
	info_pair(info, "calls", "%" PRIu64 ", in the threads chosen", fold->calls);
	info_pair(info, "methods",
	    "%" PRIu32 " with calls there, %" PRIu32 " in the file", fold->present,
	    t->methods_known > 0 ? t->methods_known - 1 : 0);
	info_pair(info, "threads", "%" PRIu32 " with records, %" PRIu32 " in the file",
	    threads, t->threads_listed);
	if (open > 0)
		info_pair(info, "open calls", "%" PRIu32 " at the end", open);
}

static void
add_properties(struct info *info, const struct trace *t, struct names *names)
{
	info_heading(info, "HEADER");
	for (size_t i = 0; i < t->property_count; i++) {
		struct str name =
		    arena_str(&info->arena, names_clean(names, t->properties[i].key));

		info_value(
		    info, INFO_PAIR, name, names_clean(names, t->properties[i].value));
	}
	if (t->property_count == 0)
		info_note(info, STR("none"));
}

static void
add_damage(struct info *info, const struct damage *d)
{
	info_heading(info, "DAMAGE");
	for (int i = 0; i < DAMAGE_KINDS; i++) {
		const struct damage_info *kind = &damage_kinds[i];
		char text[TEXT_SIZE];

		if (d->kind[i].count == 0)
			continue;
		info_value(info, INFO_DAMAGE, str_from(kind->name),
		    str_from(damage_text(d, (enum damage_kind)i, text, sizeof(text))));
		info_value(info, INFO_PAIR, STR(""), str_from(kind->help));
	}
	if (damage_count(d) == 0)
		info_note(info, STR("none"));
}

void
info_build(struct info *info, const struct trace *t, struct names *names,
    const struct engine_news *news, const struct fold *fold)
{
	info_clear(info);
	add_trace(info, t, names, news);
	add_counts(info, t, news, fold);
	add_damage(info, &news->damage);
	if (t->note_count > 0)
		info_heading(info, "NOTES");
	for (size_t i = 0; i < t->note_count; i++)
		info_note(info, names_clean(names, t->notes[i]));
	add_properties(info, t, names);
}

/* Drawing ------------------------------------------------------------------------ */

static const look looks[] = {
    [INFO_HEADING] = ROLE_HEADER | LOOK_BOLD,
    [INFO_PAIR] = ROLE_TEXT,
    [INFO_DAMAGE] = ROLE_WARNING,
    [INFO_NOTE] = ROLE_TEXT,
    [INFO_BLANK] = ROLE_TEXT,
};

static int
name_columns(const struct info *info)
{
	size_t most = 0;

	for (size_t i = 0; i < info->count; i++) {
		size_t width = utf8_width(info->rows[i].name);

		if (info->rows[i].kind != INFO_HEADING &&
		    info->rows[i].kind != INFO_NOTE && width > most)
			most = width;
	}
	return most < NAME_MAX_COLUMNS ? (int)most : NAME_MAX_COLUMNS;
}

/* A text, its last column a mark when it is cut. */
static void
put_cut(struct canvas *c, int row, int column, int limit, struct str text, look style)
{
	canvas_text(c, row, column, limit, text, style);
	if (column < limit && utf8_width(text) > (size_t)(limit - column))
		canvas_put(c, row, limit - 1, c->utf8 ? 0x2026 : '~', style);
}

void
info_draw(struct canvas *c, struct rect r, const struct info *info, size_t top)
{
	int limit = r.column + r.columns, names = name_columns(info);

	for (int i = 0; i < r.rows; i++) {
		const struct info_row *row;
		int at = r.column + 1, value = at + names + 2;

		canvas_fill(c, r.row + i, r.column, limit, ' ', ROLE_TEXT);
		if (top + (size_t)i >= info->count)
			continue;
		row = &info->rows[top + (size_t)i];
		if (row->kind == INFO_HEADING || row->kind == INFO_NOTE) {
			put_cut(c, r.row + i, row->kind == INFO_NOTE ? at + 1 : at, limit,
			    row->name, looks[row->kind]);
			continue;
		}
		put_cut(c, r.row + i, at + 1, value < limit ? value : limit, row->name,
		    looks[row->kind]);
		put_cut(c, r.row + i, value + 1, limit, row->value, ROLE_TEXT);
	}
}
