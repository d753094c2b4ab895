// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/archive.h"

#include "base/library.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/worker.h"

#ifdef HAVE_ARCHIVE

#include <archive.h>
#include <archive_entry.h>
#include <string.h>
#include <sys/stat.h>

enum {
	OUT_BYTES = 1 << 18,
	HEAD_BYTES = 1 << 16, /* of a member, by which it is looked at */
	LIST_MOST = 20,       /* members that a message has */
};

#define ARCHIVE_FUNCTIONS(ROW) \
	ROW(archive_read_new) \
	ROW(archive_read_support_filter_zstd) \
	ROW(archive_read_support_filter_xz) \
	ROW(archive_read_support_filter_bzip2) \
	ROW(archive_read_support_filter_lz4) \
	ROW(archive_read_support_format_zip) \
	ROW(archive_read_support_format_tar) \
	ROW(archive_read_support_format_raw) \
	ROW(archive_read_open_memory) \
	ROW(archive_read_free) \
	ROW(archive_read_data) \
	ROW(archive_entry_pathname) \
	ROW(archive_entry_filetype) \
	ROW(archive_entry_size_is_set) \
	ROW(archive_entry_size) \
	ROW(archive_read_next_header) \
	ROW(archive_entry_is_encrypted)

struct archive_functions {
	ARCHIVE_FUNCTIONS(LIBRARY_MEMBER)
};

static bool
functions_get(struct archive_functions *lib, struct err *e)
{
#ifdef ARCHIVE_FILE
	static const char *const names[] = {ARCHIVE_FUNCTIONS(LIBRARY_NAME)};

	return library_load(ARCHIVE_FILE, names, sizeof(names) / sizeof(names[0]), lib, e);
#else
	*lib = (struct archive_functions){ARCHIVE_FUNCTIONS(LIBRARY_ADDRESS)};
	return true;
#endif
}

static const struct {
	struct str begins;
	struct archive_what what;
} kinds[] = {
    {STR("\x28\xb5\x2f\xfd"), {"zstd", false}},
    {STR("\xfd" "7zXZ"), {"xz", false}},
    {STR("BZh"), {"bzip2", false}},
    {STR("\x04\x22\x4d\x18"), {"lz4", false}},
    {STR("PK\x03\x04"), {"ZIP", true}},
};

bool
archive_find(struct str file, struct archive_what *what)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (str_starts(file, kinds[i].begins)) {
			*what = kinds[i].what;
			return true;
		}
	}
	*what = (struct archive_what){"tar", true};
	return file.n > 262 && memcmp(file.p + 257, "ustar", 5) == 0;
}

const char *
archive_library(void)
{
	static const char *const text = ARCHIVE_VERSION_ONLY_STRING;

	return text;
}

/* NULL: there is no memory, or the data are none. */
static struct archive *
archive_begin(const struct archive_job *j)
{
	const struct archive_functions *lib = j->lib;
	struct archive *a = lib->archive_read_new();
	bool good;

	if (a == NULL)
		return NULL;
	lib->archive_read_support_filter_zstd(a);
	lib->archive_read_support_filter_xz(a);
	lib->archive_read_support_filter_bzip2(a);
	lib->archive_read_support_filter_lz4(a);
	if (j->what->members) {
		lib->archive_read_support_format_zip(a);
		lib->archive_read_support_format_tar(a);
	} else {
		lib->archive_read_support_format_raw(a);
	}
	good = lib->archive_read_open_memory(a, j->packed.p, j->packed.n) == ARCHIVE_OK;
	if (!good)
		lib->archive_read_free(a);
	return good ? a : NULL;
}

/* Appends the data of the present file; false only when that cannot be. */
static bool
data_copy(struct archive_job *j, struct archive *a, struct tempfile *file, struct err *e)
{
	const struct archive_functions *lib = j->lib;
	uint8_t *out = mem_alloc(OUT_BYTES);
	bool good = true;
	ssize_t n = 0;

	while (good && (n = lib->archive_read_data(a, out, OUT_BYTES)) > 0) {
		if (is_cancelled(j->how->cancel))
			good = err_set(e, ERR_CANCELLED, "interrupted while decompressing");
		good = good && tempfile_write(file, out, (size_t)n, e) &&
		    j->within(j->before + j->packed.n, file->size, j->how, e);
	}
	j->cut |= n < 0;
	mem_free(out);
	return good;
}

/* Members ------------------------------------------------------------------------------- */

/* Files that may be meant; those that systems add are none. */
static bool
is_file(const struct archive_functions *lib, struct archive_entry *entry, struct str *name)
{
	const char *path = lib->archive_entry_pathname(entry);

	if (path == NULL || lib->archive_entry_filetype(entry) != AE_IFREG)
		return false;
	*name = str_from(path);
	return *path_base(path) != '.' && !str_starts(*name, STR("__MACOSX/")) &&
	    (!lib->archive_entry_size_is_set(entry) || lib->archive_entry_size(entry) > 0);
}

static struct str
without_dot(struct str name)
{
	return str_starts(name, STR("./")) ? (struct str){name.p + 2, name.n - 2} : name;
}

/* The files of an archive, and those that may be traces. */
struct archive_members {
	size_t files, traces;
	struct sbuf names; /* of the latter, or of all while there are none */
	struct sbuf only;  /* the one that is meant, if it is one */
	bool locked;       /* some are encrypted */
};

static void
members_add(struct archive_members *m, struct str name, bool trace)
{
	size_t among = trace ? m->traces++ : m->files - 1;

	if (trace && m->traces == 1)
		sbuf_clear(&m->names);
	if (trace || m->traces == 0) {
		if (among < LIST_MOST) {
			sbuf_text(&m->names, m->names.n > 0 ? ", " : "");
			clean_append(&m->names, name, 0);
		} else if (among == LIST_MOST) {
			sbuf_text(&m->names, ", ...");
		}
		sbuf_clear(&m->only);
		sbuf_str(&m->only, name);
	}
}

static void
members_look(const struct archive_job *j, struct archive *a, struct archive_members *m)
{
	const struct archive_functions *lib = j->lib;
	char *head = mem_alloc(HEAD_BYTES);
	struct archive_entry *entry;
	struct str name;
	int status;

	while ((status = lib->archive_read_next_header(a, &entry)) == ARCHIVE_OK || status == ARCHIVE_WARN) {
		ssize_t n;

		if (!is_file(lib, entry, &name))
			continue;
		if (lib->archive_entry_is_encrypted(entry)) {
			m->locked = true;
			continue;
		}
		m->files++;
		n = lib->archive_read_data(a, head, HEAD_BYTES);
		members_add(m, without_dot(name), n > 0 && j->promises((struct str){head, (size_t)n}));
	}
	mem_free(head);
}

/* Chooses the member; false, and why, when none or several may be meant. */
static bool
member_choose(struct archive_job *j, struct err *e)
{
	struct archive_members m = {0};
	struct archive *a;
	bool good = false;

	if (j->member != NULL) {
		sbuf_text(&j->chosen, j->member);
		return true;
	}
	a = archive_begin(j);
	if (a == NULL)
		return err_set(e, ERR_MALFORMED, "is damaged: no archive can be read from it");
	members_look(j, a, &m);
	j->lib->archive_read_free(a);
	if (m.files == 0)
		err_set(e, ERR_UNSUPPORTED, "is a %s archive %s", j->what->name,
		    m.locked ? "whose files are encrypted" : "without files");
	else if (m.traces != 1 && m.files > 1)
		err_set(e, ERR_UNSUPPORTED, m.traces > 1
			? "is a %s archive of several traces; add the name of one to its path, after a slash: %s"
			: "is a %s archive without a trace that is known by its beginning; add the name "
			  "of a file to its path, after a slash: %s",
		    j->what->name, sbuf_cstr(&m.names));
	else
		good = true;
	if (good)
		sbuf_str(&j->chosen, sbuf_view(&m.only));
	sbuf_release(&m.names);
	sbuf_release(&m.only);
	return good;
}

static bool
member_copy(struct archive_job *j, struct archive *a, struct tempfile *file, struct err *e)
{
	const struct archive_functions *lib = j->lib;
	struct archive_entry *entry;
	int status;

	while ((status = lib->archive_read_next_header(a, &entry)) == ARCHIVE_OK || status == ARCHIVE_WARN) {
		const char *path = lib->archive_entry_pathname(entry);

		if (path == NULL || lib->archive_entry_filetype(entry) != AE_IFREG ||
		    !str_equal(without_dot(str_from(path)), sbuf_view(&j->chosen)))
			continue;
		if (lib->archive_entry_is_encrypted(entry))
			return err_set(e, ERR_UNSUPPORTED, "is encrypted in its archive");
		return data_copy(j, a, file, e);
	}
	return err_set(e, ERR_UNSUPPORTED, "is a %s archive without a file of that name", j->what->name);
}

bool
archive_unpack(struct archive_job *j, struct tempfile *file, struct err *e)
{
	struct archive_functions lib;
	struct archive *a;
	struct archive_entry *entry;
	bool good;

	if (!functions_get(&lib, e))
		return false;
	j->lib = &lib;
	if (j->what->members && !member_choose(j, e))
		return false;
	a = archive_begin(j);
	if (a == NULL) {
		j->cut = true;
		return true;
	}
	if (j->what->members)
		good = member_copy(j, a, file, e);
	else if (lib.archive_read_next_header(a, &entry) == ARCHIVE_OK)
		good = data_copy(j, a, file, e);
	else
		good = j->cut = true;
	lib.archive_read_free(a);
	return good;
}

#else

bool
archive_find(struct str file, struct archive_what *what)
{
	*what = (struct archive_what){.name = NULL};
	return false;
}

bool
archive_unpack(struct archive_job *j, struct tempfile *file, struct err *e)
{
	return err_set(e, ERR_UNSUPPORTED, "this slowtop was built without libarchive");
}

const char *
archive_library(void)
{
	return NULL;
}

#endif
