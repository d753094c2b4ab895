// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/log/text.h"

#include <strings.h>

#include "base/compat.h"
#include "base/mem.h"
#include "format/log/line.h"

enum {
	HEAD_BYTES = 4096, /* the first mark of a log, if any, is in these */
	HEAD_LINES = 200,
};

bool
logtext_line(const char **at, const char *end, struct str *line)
{
	const char *p = *at, *stop;
	bool cut;

	if (p >= end)
		return false;
	cut = end - p > LOGTEXT_LINE;
	stop = memchr(p, '\n', cut ? LOGTEXT_LINE : (size_t)(end - p));
	cut &= stop == NULL;
	if (stop == NULL)
		stop = cut ? p + LOGTEXT_LINE : end;
	*at = stop + !cut;
	*line = (struct str){p, (size_t)(stop - p)};
	if (line->n > 0 && ((unsigned char)stop[-1] <= ' ' || stop[-1] == '\\' || stop[-1] == 'n'))
		*line = logline_trim(*line);
	return true;
}

/* Editors put a byte order mark before the text. */
static struct str
without_mark(struct str s)
{
	return str_starts(s, STR("\xef\xbb\xbf")) ? (struct str){s.p + 3, s.n - 3} : s;
}

struct str
logtext_start(struct str s)
{
	s = without_mark(s);
	for (; s.n > 0 && (is_blank(*s.p) || *s.p == '\r' || *s.p == '\n'); s.n--)
		s.p++;
	return s;
}

/* The offset after the line "TRACE:", if there is one near the beginning; else 0. */
static size_t
logtext_begin(struct str file)
{
	static const struct str mark = STR("TRACE:");
	struct str head = str_head(file, HEAD_BYTES), line;
	const char *at = head.p, *end;

	if (file.n == 0)
		return 0;
	end = head.p + head.n;
	while (at < end && memchr(at, '\n', (size_t)(end - at)) != NULL &&
	    logtext_line(&at, end, &line)) {
		struct str text = str_trim_left(line);
		struct logline event;

		if (text.n < mark.n || text.p[0] == '#' || logline_parse(&event, line))
			continue;
		if (memcmp(text.p + text.n - mark.n, mark.p, mark.n) == 0)
			return (size_t)(at - file.p);
	}
	return 0;
}

static bool
is_zlib(struct str s)
{
	return s.n >= 2 && s.p[0] == 0x78 && memchr("\x01\x5e\x9c\xda", s.p[1], 4) != NULL;
}

bool
logtext_is_zlib(struct str file, size_t *begin)
{
	*begin = logtext_begin(file);
	return file.n > 0 && is_zlib((struct str){file.p + *begin, file.n - *begin});
}

static bool
is_page(struct str file)
{
	struct str s = logtext_start(file);

	return (s.n >= 14 && strncasecmp(s.p, "<!doctype html", 14) == 0) ||
	    (s.n >= 5 && strncasecmp(s.p, "<html", 5) == 0);
}

bool
logtext_is_text(struct str file)
{
	struct str head = str_head(file, HEAD_BYTES);
	size_t odd = 0;

	for (size_t i = 0; i < head.n; i++) {
		unsigned char c = (unsigned char)head.p[i];

		odd += c < ' ' && memchr("\t\n\r\v\f\033\b", c, 7) == NULL;
		if (c != 0)
			continue;
		/* At the end of a line it belongs to the line's end. */
		while (i + 1 < head.n && (head.p[i + 1] == '\0' || head.p[i + 1] == '\r'))
			i++;
		if (i + 1 < file.n && file.p[i + 1] != '\n')
			return false;
		odd = odd > 0 ? odd - 1 : 0;
	}
	return odd <= head.n / 4;
}

bool
logtext_is_remark(struct str s)
{
	static const struct str begins[] = {STR("cpus="), STR("version = "), STR("CPU "),
	    STR("=> "), STR("<stack trace>"), STR("capturing trace"), STR("TRACE:"),
	    STR("version="), STR("done"), STR("\";")};

	if (s.n == 0)
		return true;
	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		if (str_starts(s, begins[i]))
			return true;
	}
	if (memmem(s.p, s.n, "<stack trace>", 13) != NULL)
		return true;
	/* hitrace's console lines: 2025/06/04 16:07:57 ... */
	return s.n > 11 && s.p[4] == '/' && s.p[7] == '/' && s.p[10] == ' ' && s.p[0] == '2';
}

/* True if there is a record, or the line that each log of the kernel begins with. */
static bool
is_log(struct str text)
{
	struct str head = str_head(text, HEAD_BYTES), line;
	const char *at = text.p, *end = text.p + text.n;
	struct logline event;

	if (head.n == 0 || !logtext_is_text(text))
		return false;
	if (memmem(head.p, head.n, "# tracer", 8) != NULL)
		return true;
	/* A line of a log is at most as long as a marker and what precedes it. */
	for (int i = 0; i < HEAD_LINES && at < end && end - at > 0; i++) {
		const char *begin = at;

		if (!logtext_line(&at, end, &line))
			break;
		if (at - begin > 16 * HEAD_BYTES)
			return false;
		if (logline_parse(&event, line))
			return true;
	}
	return false;
}

bool
logtext_promises(struct str head)
{
	size_t begin = logtext_begin(head);
	struct str text = {head.p, head.n - begin};

	if (head.n == 0)
		return false;
	text.p += begin;
	return is_zlib(text) || is_page(text) || is_log(text);
}

static void
range_add(struct log_ranges *r, const char *from, const char *to, struct str file)
{
	if (to <= from)
		return;
	*MEM_ADD(r->items, r->count, r->room) =
	    (struct log_range){(uint64_t)(from - file.p), (uint64_t)(to - file.p)};
}

static void
section_add(struct logtext *l, struct str section, struct str file)
{
	const char *from = section.p, *to = section.p + section.n;
	struct str text = logtext_start(section);

	if (str_starts(text, STR("PROCESS DUMP")))
		range_add(&l->dumps, from, to, file);
	else if (!str_starts(text, STR("CGROUP DUMP")) && !str_starts(text, STR("{")) &&
	    is_log(text))
		range_add(&l->text, from, to, file);
}

static const char *
find(const char *from, const char *end, const char *text)
{
	return from < end ? memmem(from, (size_t)(end - from), text, strlen(text)) : NULL;
}

/* Is [at, at + n) a line by itself, blanks around it aside?  Returns where the next begins. */
static const char *
whole_line(struct str file, const char *at, size_t n)
{
	const char *end = file.p + file.n, *p = at + n;

	while (at > file.p && is_blank(at[-1]))
		at--;
	if (at > file.p && at[-1] != '\n')
		return NULL;
	while (p < end && (is_blank(*p) || *p == '\r'))
		p++;
	return p == end ? end : *p == '\n' ? p + 1 : NULL;
}

/* Cuts off the end of a JavaScript string. */
static const char *
string_end(const char *from, const char *to)
{
	const char *p = to;

	while (p > from && (p[-1] == ' ' || p[-1] == '\t' || p[-1] == '\r' || p[-1] == '\n'))
		p--;
	return p - from >= 2 && p[-1] == ';' && p[-2] == '"' ? p - 2 : to;
}

/* From each opening tag to its closing one.  The viewer's own code names both in strings. */
static void
page_find(struct logtext *l, struct str file, const char *tag, bool string)
{
	const char *at = file.p, *end = file.p + file.n;

	while ((at = find(at, end, tag)) != NULL) {
		const char *from = whole_line(file, at, strlen(tag)), *to;

		if (from == NULL) {
			at++;
			continue;
		}
		to = find(from, end, "</script>");
		if (to == NULL)
			to = end;
		at = to;
		if (string)
			to = string_end(from, to);
		section_add(l, (struct str){from, (size_t)(to - from)}, file);
	}
}

bool
logtext_find(struct logtext *l, struct str file)
{
	size_t begin = logtext_begin(file);
	struct str text = {file.p, file.n - begin};

	if (file.n == 0)
		return false;
	text.p += begin;
	*l = (struct logtext){.kind = begin > 0 ? "atrace" : "text"};
	if (is_page(text)) {
		l->kind = "html";
		page_find(l, file, "<script class=\"trace-data\" type=\"application/text\">",
		    false);
		if (l->text.count == 0)
			page_find(l, file, "var linuxPerfData = \"\\", true);
	} else if (is_log(text)) {
		range_add(&l->text, without_mark(text).p, text.p + text.n, file);
	}
	if (l->text.count > 0)
		return true;
	logtext_release(l);
	return false;
}

void
logtext_release(struct logtext *l)
{
	mem_free(l->text.items);
	mem_free(l->dumps.items);
	*l = (struct logtext){0};
}

/* Lists of processes ---------------------------------------------------------------- */

enum { NAME_COLUMN = 8, PROCESS_COLUMNS = 10 };

enum text_table { TABLE_NONE, TABLE_PROCESSES, TABLE_THREADS };

static bool
id_parse(struct str s, uint32_t *id)
{
	uint64_t n;

	if (s.n == 0 || digits_take(s.p, s.p + s.n, 18, &n) < s.p + s.n || n >= UINT32_MAX)
		return false;
	*id = (uint32_t)n;
	return true;
}

void
procdump_put(struct procdump *d, struct procdump_row row, bool process)
{
	struct idmap *map = process ? &d->processes : &d->threads;
	uint32_t at = idmap_add(map, row.id, d->count);

	MEM_GROW(d->rows, d->room, (size_t)at + 1);
	d->count += at == d->count;
	d->rows[at] = row;
}

/* The NAME column; a kernel thread's is in brackets and may have blanks. */
static struct str
name_cut(struct str *rest)
{
	struct str name = str_word(rest);
	const char *close;

	if (name.n == 0 || name.p[0] != '[' || memchr(name.p, ']', name.n) != NULL)
		return name;
	close = rest->n > 0 ? memchr(rest->p, ']', rest->n) : NULL;
	if (close == NULL)
		return name;
	name.n = (size_t)(close + 1 - name.p);
	rest->n -= (size_t)(close + 1 - rest->p);
	rest->p = close + 1;
	return name;
}

static void
process_read(struct procdump *d, struct str line)
{
	struct procdump_row row = {0};
	int columns = 0;

	for (; columns < NAME_COLUMN; columns++) {
		struct str word = str_word(&line);

		if (word.n == 0 || (columns == 1 && !id_parse(word, &row.id)))
			return;
	}
	row.name = name_cut(&line);
	row.tgid = row.id;
	if (row.name.n > 0 && str_word(&line).n > 0)
		procdump_put(d, row, true);
}

static void
thread_read(struct procdump *d, struct str line)
{
	struct procdump_row row = {0};

	(void)str_word(&line);
	if (!id_parse(str_word(&line), &row.tgid) || !id_parse(str_word(&line), &row.id))
		return;
	row.name = str_trim_left(line);
	procdump_put(d, row, false);
}

static enum text_table
header_find(struct str line)
{
	struct str user = str_word(&line), pid = str_word(&line), third = str_word(&line);

	if (!str_equal(user, STR("USER")) || !str_equal(pid, STR("PID")))
		return TABLE_NONE;
	return str_equal(third, STR("TID")) ? TABLE_THREADS : TABLE_PROCESSES;
}

void
procdump_read(struct procdump *d, struct str text)
{
	const char *at = text.p, *end = text.p + text.n;
	enum text_table table = TABLE_NONE;
	struct str line;

	while (logtext_line(&at, end, &line)) {
		enum text_table header = header_find(line);

		if (header != TABLE_NONE)
			table = header;
		else if (table == TABLE_PROCESSES)
			process_read(d, line);
		else if (table == TABLE_THREADS)
			thread_read(d, line);
	}
}

const struct procdump_row *
procdump_find(const struct procdump *d, uint32_t id, bool process)
{
	uint32_t at = idmap_get(process ? &d->processes : &d->threads, id);

	return at != IDMAP_NONE ? &d->rows[at] : NULL;
}

void
procdump_release(struct procdump *d)
{
	idmap_release(&d->threads);
	idmap_release(&d->processes);
	mem_free(d->rows);
	*d = (struct procdump){0};
}
