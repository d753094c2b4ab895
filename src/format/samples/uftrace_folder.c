// SPDX-License-Identifier: Apache-2.0
/*
 * uftrace_folder: the folder of a recording of uftrace, as the text that `uftrace dump` prints.
 *
 * Its records are 16 bytes each, a file for a task; addresses become names by the maps of the
 * process's session and the symbols of its files.  Recordings of arguments are refused: only their
 * specification tells how long those are.  Switches of tasks come from perf's files beside them.
 */
#include <config.h>

#include <inttypes.h>
#include <stdarg.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/sbuf.h"
#include "format/samples/samples.h"

enum {
	HEADER_BYTES = 40, HEADER_VERSION = 4, LITTLE_ENDIAN_FILE = 1, RELATIVE_SYMBOLS = 0x20,
	RECORD_BYTES = 16, RECORD_MAGIC = 5, RECORD_MORE = 4,
	NAME_MOST = 512,
	CPUS_MOST = 4096, SESSIONS_MOST = 4096,
	REGIONS_MOST = 4096, ALL_REGIONS_MOST = 1 << 18,
	FLUSH_BYTES = 1 << 16,
};

struct uftrace_symbol {
	uint64_t at;
	struct str name;
};

/* A file's symbols. */
struct uftrace_file {
	struct uftrace_symbol *items; /* in order */
	size_t count, room;
	struct filemap text; /* which the names borrow */
};

/* A file in memory. */
struct uftrace_region {
	uint64_t from, to;
	struct str path;
	uint32_t file; /* its symbols */
};

/* A program that a process ran, from a time on. */
struct uftrace_session {
	uint32_t pid;
	uint64_t since;
	struct uftrace_region *regions;
	size_t count, room;
	struct filemap text;
};

struct uftrace_task {
	uint32_t tid, pid;
	uint64_t at, until; /* of the last record; of its session */
	const struct uftrace_session *session;
};

struct uftrace_folder {
	const char *path;
	bool relative; /* addresses of symbols count from the file's place in memory */
	struct intern names; /* of files with symbols */
	struct uftrace_file *files;
	size_t file_room, region_count;
	struct uftrace_session *sessions;
	size_t session_count, session_room;
	struct uftrace_task *tasks;
	size_t task_count, task_room;
	const struct tempfile_how *how;
	struct tempfile out;
	struct sbuf text, name;
};

/* Files ------------------------------------------------------------------------------ */

/* Maps a file of the folder; false without one, which is no error. */
static bool __attribute__((format(printf, 3, 4)))
file_map(struct uftrace_folder *f, struct filemap *map, const char *name, ...)
{
	struct err none = {.kind = ERR_NONE};
	va_list args;

	sbuf_clear(&f->name);
	sbuf_printf(&f->name, "%s/", f->path);
	va_start(args, name);
	sbuf_vprintf(&f->name, name, args);
	va_end(args);
	return filemap_open(map, sbuf_cstr(&f->name), &none);
}

static struct str
map_text(const struct filemap *map)
{
	return (struct str){(const char *)map->bytes, map->size};
}

/* Returns the value of "KEY=VALUE" in a line, or an empty text. */
static struct str
value_of(struct str line, struct str key)
{
	while (line.n > 0) {
		struct str word = str_cut(&line, ' ');

		if (str_starts(word, key))
			return (struct str){word.p + key.n, word.n - key.n};
	}
	return (struct str){"", 0};
}

static uint64_t
number_of(struct str line, struct str key)
{
	struct str text = value_of(line, key);
	uint64_t n;

	(void)digits_take(text.p, text.p + text.n, 9, &n);
	return n;
}

/* Symbols ---------------------------------------------------------------------------- */

static int
symbol_order(const void *a, const void *b)
{
	const struct uftrace_symbol *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Reads "ADDRESS TYPE NAME" a line; a type of ? ends what is before it. */
static void
symbols_read(struct uftrace_file *file)
{
	struct str rest = map_text(&file->text);
	uint64_t at;

	while (rest.p != NULL) {
		struct str line = str_cut(&rest, '\n');
		const char *end = line.p + line.n, *p = hex_digits_take(line.p, end, &at);

		if (p == line.p || end - p < 4 || p[0] != ' ' || p[2] != ' ')
			continue;
		*MEM_ADD(file->items, file->count, file->room) = (struct uftrace_symbol){at,
		    p[1] == '?' ? (struct str){"", 0} : (struct str){p + 3, (size_t)(end - p - 3)}};
	}
	mem_sort(file->items, file->count, sizeof(*file->items), symbol_order);
}

/* Returns the symbols of a file, each of which is read once. */
static uint32_t
symbols_of(struct uftrace_folder *f, struct str path)
{
	size_t known = f->names.count;
	struct str base = path;
	uint32_t file;

	while (path.p != NULL)
		base = str_cut(&path, '/');
	file = intern_add(&f->names, base, 0);
	if (file < known)
		return file;
	MEM_GROW(f->files, f->file_room, known + 1);
	f->files[file] = (struct uftrace_file){.items = NULL};
	if (file_map(f, &f->files[file].text, "%.*s.sym", STR_ARG(base)))
		symbols_read(&f->files[file]);
	return file;
}

/* Reads "FROM-TO PERMISSIONS OFFSET DEVICE INODE PATH" a line; a file may have several in a row. */
static void
regions_read(struct uftrace_folder *f, struct uftrace_session *s)
{
	struct str rest = map_text(&s->text), line;

	while (rest.p != NULL && s->count < REGIONS_MOST && f->region_count < ALL_REGIONS_MOST) {
		struct uftrace_region *last = s->count > 0 ? &s->regions[s->count - 1] : NULL;
		uint64_t from, to;
		const char *end, *p;

		line = str_cut(&rest, '\n');
		end = line.p + line.n;
		p = hex_digits_take(line.p, end, &from);
		if (p == end || *p != '-')
			continue;
		p = hex_digits_take(p + 1, end, &to);
		while (p < end && *p != '/')
			p++;
		line = (struct str){p, (size_t)(end - p)};
		line = str_cut(&line, ' ');
		if (line.n == 0)
			continue;
		if (last != NULL && str_equal(last->path, line)) {
			last->to = to;
			continue;
		}
		*MEM_ADD(s->regions, s->count, s->room) =
		    (struct uftrace_region){from, to, line, symbols_of(f, line)};
		f->region_count++;
	}
}

/* Returns the name at an address, or an empty one. */
static struct str
name_find(const struct uftrace_folder *f, const struct uftrace_session *s, uint64_t address)
{
	const struct uftrace_file *file;
	size_t i = 0, until;

	while (s != NULL && i < s->count &&
	    (address < s->regions[i].from || address >= s->regions[i].to))
		i++;
	if (s == NULL || i == s->count)
		return (struct str){"", 0};
	file = &f->files[s->regions[i].file];
	if (f->relative)
		address -= s->regions[i].from;
	until = mem_before(file->items, file->count, sizeof(*file->items),
	    &(struct uftrace_symbol){.at = address + 1}, symbol_order);
	return until > 0 ? str_head(file->items[until - 1].name, NAME_MOST) : (struct str){"", 0};
}

/* Tasks ------------------------------------------------------------------------------ */

static int
task_order(const void *a, const void *b)
{
	const struct uftrace_task *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

/* Reads a session's maps; its id names their file. */
static void
session_add(struct uftrace_folder *f, struct str line)
{
	struct str sid = value_of(line, STR("sid=")), at = value_of(line, STR("timestamp="));
	struct str seconds = str_cut(&at, '.');
	struct uftrace_session s = {.pid = (uint32_t)number_of(line, STR("pid="))};
	uint64_t id, whole, ns = 0;

	(void)digits_take(seconds.p, seconds.p + seconds.n, 9, &whole);
	if (at.p != NULL)
		(void)digits_take(at.p, at.p + at.n, 9, &ns);
	s.since = whole * 1000000000 + ns;
	if (f->session_count == SESSIONS_MOST || sid.n == 0 ||
	    hex_digits_take(sid.p, sid.p + sid.n, &id) != sid.p + sid.n ||
	    !file_map(f, &s.text, "sid-%.*s.map", STR_ARG(sid)))
		return;
	regions_read(f, &s);
	*MEM_ADD(f->sessions, f->session_count, f->session_room) = s;
}

/* A process that forked has its parent's sessions, as long as it has none of its own. */
static void
tasks_read(struct uftrace_folder *f, struct str rest)
{
	while (rest.p != NULL) {
		struct str line = str_cut(&rest, '\n');
		struct uftrace_task t = {.pid = (uint32_t)number_of(line, STR("pid="))};

		if (str_starts(line, STR("SESS ")))
			session_add(f, line);
		if (!str_starts(line, STR("TASK ")) && !str_starts(line, STR("FORK ")))
			continue;
		t.tid = (uint32_t)number_of(line, STR("tid="));
		if (*line.p == 'F') {
			t.tid = t.pid;
			t.pid = (uint32_t)number_of(line, STR("ppid="));
		}
		*MEM_ADD(f->tasks, f->task_count, f->task_room) = t;
	}
	mem_sort(f->tasks, f->task_count, sizeof(*f->tasks), task_order);
}

/* Finds the session that a task is in at a time, and until when; the first of all for want of another. */
static const struct uftrace_session *
session_of(const struct uftrace_folder *f, const struct uftrace_task *t, uint64_t at, uint64_t *until)
{
	const struct uftrace_session *best = f->session_count > 0 ? &f->sessions[0] : NULL;
	uint64_t since = 0;

	*until = UINT64_MAX;
	for (size_t i = 0; i < f->session_count; i++) {
		const struct uftrace_session *s = &f->sessions[i];

		if (s->pid != t->tid && s->pid != t->pid)
			continue;
		if (s->since > at) {
			*until = s->since < *until ? s->since : *until;
		} else if (s->since >= since) {
			best = s;
			since = s->since;
		}
	}
	return best;
}

/* Text ------------------------------------------------------------------------------- */

static bool
text_flush(struct uftrace_folder *f, size_t most, struct err *e)
{
	bool good = f->text.n <= most || tempfile_write(&f->out, f->text.p, f->text.n, e);

	if (f->how->cancel != NULL && atomic_load(f->how->cancel))
		return err_set(e, ERR_CANCELLED, "interrupted");
	if (f->text.n > most)
		sbuf_clear(&f->text);
	return good;
}

static void
line_begin(struct uftrace_folder *f, uint64_t at, uint32_t tid, const char *kind)
{
	sbuf_printf(&f->text, "%" PRIu64 ".%09" PRIu64 " %6" PRIu32 ": [%s] ", at / 1000000000,
	    at % 1000000000, tid, kind);
}

static bool
record_put(struct uftrace_folder *f, struct uftrace_task *t, const uint8_t *p, struct err *e)
{
	static const char *const kinds[] = {"entry", "exit ", "lost ", "event"};
	uint64_t at = get_u64(p), word = get_u64(p + 8), address = word >> 16;
	unsigned kind = word & 3;
	struct str name;

	if ((word >> 3 & 7) != RECORD_MAGIC) {
		sbuf_text(&f->text, "no record\n");
		return true;
	}
	if ((word & RECORD_MORE) != 0)
		return err_set(e, ERR_UNSUPPORTED, "is a recording of uftrace with arguments; "
		    "uftrace dump -d FOLDER | slowtop shows it");
	line_begin(f, at, t->tid, kinds[kind]);
	if (kind < 2) {
		if (at >= t->until || at < t->at)
			t->session = session_of(f, t, at, &t->until);
		t->at = at;
		name = name_find(f, t->session, address);
		if (name.n > 0)
			sbuf_str(&f->text, name);
		else
			sbuf_printf(&f->text, "<%" PRIx64 ">", address);
		sbuf_printf(&f->text, "(%" PRIx64 ") depth: %u", address, (unsigned)(word >> 6 & 1023));
	}
	sbuf_char(&f->text, '\n');
	return text_flush(f, FLUSH_BYTES, e);
}

static bool
task_put(struct uftrace_folder *f, struct uftrace_task *t, struct err *e)
{
	struct filemap map;
	bool good = true;
	size_t at;

	if (!file_map(f, &map, "%" PRIu32 ".dat", t->tid))
		return true;
	sbuf_printf(&f->text, "reading %" PRIu32 ".dat\n", t->tid);
	for (at = 0; good && map.size - at >= RECORD_BYTES; at += RECORD_BYTES)
		good = record_put(f, t, map.bytes + at, e);
	if (good && at < map.size)
		sbuf_text(&f->text, "no record\n");
	filemap_close(&map);
	return good;
}

/* perf's records of switches: a header of 8 bytes; pid, tid and time at the end. */
static bool
switches_put(struct uftrace_folder *f, uint32_t cpu, struct err *e)
{
	enum { SWITCH = 14, SWITCH_OUT = 1 << 13, LEAST = 24 };
	struct filemap map;
	bool good = true;

	if (!file_map(f, &map, "perf-cpu%" PRIu32 ".dat", cpu))
		return true;
	for (size_t at = 0, n; good && map.size - at >= 8; at += n) {
		const uint8_t *p = map.bytes + at, *end;

		n = get_u16(p + 6);
		if (n < 8 || n > map.size - at)
			break;
		end = p + n;
		if (get_u32(p) != SWITCH || n < LEAST)
			continue;
		line_begin(f, get_u64(end - 8), get_u32(end - 12), "event");
		sbuf_printf(&f->text, "linux:sched-%s\n",
		    (get_u16(p + 4) & SWITCH_OUT) != 0 ? "out" : "in");
		good = text_flush(f, FLUSH_BYTES, e);
	}
	filemap_close(&map);
	return good;
}

static void
folder_release(struct uftrace_folder *f)
{
	for (size_t i = 0; i < f->session_count; i++) {
		mem_free(f->sessions[i].regions);
		filemap_close(&f->sessions[i].text);
	}
	for (size_t i = 0; i < f->names.count; i++) {
		mem_free(f->files[i].items);
		filemap_close(&f->files[i].text);
	}
	mem_free(f->files);
	intern_release(&f->names);
	mem_free(f->sessions);
	mem_free(f->tasks);
	sbuf_release(&f->text);
	sbuf_release(&f->name);
}

bool
uftrace_unpack(const char *path, struct input *in, const struct tempfile_how *how, struct err *e)
{
	struct uftrace_folder f = {.path = path, .how = how};
	const uint8_t *p = in->data.bytes;
	struct filemap map;
	bool good;

	if (in->data.size < HEADER_BYTES || get_u32(p + 8) != HEADER_VERSION ||
	    p[14] != LITTLE_ENDIAN_FILE ||
	    !file_map(&f, &map, "task.txt")) {
		folder_release(&f);
		return err_set(e, ERR_UNSUPPORTED, "is a recording of uftrace of another version, or "
		    "without its tasks; uftrace dump -d FOLDER | slowtop shows it");
	}
	f.relative = (get_u64(p + 16) & RELATIVE_SYMBOLS) != 0;
	tasks_read(&f, map_text(&map));
	filemap_close(&map);
	good = tempfile_begin(&f.out, how, e);
	if (good) {
		sbuf_text(&f.text, "uftrace file header: magic\n");
		for (size_t i = 0; good && i < f.task_count; i++)
			good = task_put(&f, &f.tasks[i], e);
		for (uint32_t cpu = 0; good && cpu < CPUS_MOST; cpu++)
			good = switches_put(&f, cpu, e);
		good = input_take(in, &f.out, good && text_flush(&f, 0, e), e);
	}
	folder_release(&f);
	return good;
}
