#include <config.h>

#include "format/procdump.h"

#include "base/mem.h"
#include "format/logtext.h"

enum { NAME_COLUMN = 8, PROCESS_COLUMNS = 10 };

enum table { TABLE_NONE, TABLE_PROCESSES, TABLE_THREADS };

static struct str
word_cut(struct str *rest)
{
	struct str word;

	while (rest->n > 0 && (*rest->p == ' ' || *rest->p == '\t')) {
		rest->p++;
		rest->n--;
	}
	word = (struct str){rest->p, 0};
	while (rest->n > 0 && *rest->p != ' ' && *rest->p != '\t') {
		rest->p++;
		rest->n--;
		word.n++;
	}
	return word;
}

static bool
id_parse(struct str s, uint32_t *id)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9' || n > UINT32_MAX)
			return false;
		n = n * 10 + (uint64_t)(s.p[i] - '0');
	}
	*id = (uint32_t)n;
	return s.n > 0 && n < UINT32_MAX;
}

static void
row_put(struct procdump *d, struct idmap *map, struct procdump_row row)
{
	uint32_t at = idmap_get(map, row.id);

	if (at == IDMAP_NONE) {
		MEM_GROW(d->rows, d->room, d->count + 1);
		at = (uint32_t)d->count++;
		idmap_put(map, row.id, at);
	}
	d->rows[at] = row;
}

/* The NAME column; a kernel thread's stands in brackets and may have blanks. */
static struct str
name_cut(struct str *rest)
{
	struct str name = word_cut(rest);
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
		struct str word = word_cut(&line);

		if (word.n == 0 || (columns == 1 && !id_parse(word, &row.id)))
			return;
	}
	row.name = name_cut(&line);
	row.tgid = row.id;
	if (row.name.n > 0 && word_cut(&line).n > 0)
		row_put(d, &d->processes, row);
}

static void
thread_read(struct procdump *d, struct str line)
{
	struct procdump_row row = {0};

	(void)word_cut(&line);
	if (!id_parse(word_cut(&line), &row.tgid) || !id_parse(word_cut(&line), &row.id))
		return;
	while (line.n > 0 && *line.p == ' ') {
		line.p++;
		line.n--;
	}
	row.name = line;
	row_put(d, &d->threads, row);
}

static enum table
header_find(struct str line)
{
	struct str user = word_cut(&line), pid = word_cut(&line), third = word_cut(&line);

	if (!str_equal(user, STR("USER")) || !str_equal(pid, STR("PID")))
		return TABLE_NONE;
	return str_equal(third, STR("TID")) ? TABLE_THREADS : TABLE_PROCESSES;
}

void
procdump_read(struct procdump *d, struct str text)
{
	const char *at = text.p, *end = text.p + text.n;
	enum table table = TABLE_NONE;
	struct str line;

	while (logtext_line(&at, end, &line)) {
		enum table header = header_find(line);

		if (header != TABLE_NONE)
			table = header;
		else if (table == TABLE_PROCESSES)
			process_read(d, line);
		else if (table == TABLE_THREADS)
			thread_read(d, line);
	}
}

static const struct procdump_row *
row_find(const struct procdump *d, const struct idmap *map, uint32_t id)
{
	uint32_t at = idmap_get(map, id);

	return at != IDMAP_NONE ? &d->rows[at] : NULL;
}

const struct procdump_row *
procdump_thread(const struct procdump *d, uint32_t tid)
{
	return row_find(d, &d->threads, tid);
}

const struct procdump_row *
procdump_process(const struct procdump *d, uint32_t pid)
{
	return row_find(d, &d->processes, pid);
}

void
procdump_release(struct procdump *d)
{
	idmap_release(&d->threads);
	idmap_release(&d->processes);
	mem_free(d->rows);
	*d = (struct procdump){0};
}
