// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/sources.h"

#include <stdlib.h>
#include <sys/stat.h>

/* A part of a path that stays where it is. */
static bool
is_plain(struct str s)
{
	return s.n > 0 && s.n < 256 && memchr(s.p, '/', s.n) == NULL &&
	       memchr(s.p, '\0', s.n) == NULL && !str_equal(s, STR(".")) &&
	       !str_equal(s, STR(".."));
}

static void
put_folder(struct sbuf *path, struct str folder)
{
	const char *home = getenv("HOME");

	sbuf_clear(path);
	if (str_starts(folder, STR("~/")) && home != NULL) {
		sbuf_text(path, home);
		folder.p++;
		folder.n--;
	} else if (folder.n > 0 && folder.p[0] == '-') {
		sbuf_text(path, "./"); /* never taken for an option */
	}
	sbuf_str(path, folder);
	while (path->n > 1 && path->p[path->n - 1] == '/')
		path->p[--path->n] = '\0';
	sbuf_char(path, '/');
}

/* Looks in the folder of the whole package, then of fewer and fewer of its last parts. */
static bool
look_below(struct str folder, struct str package, struct str file, struct sbuf *path)
{
	struct stat st;

	for (;;) {
		struct str rest = package, part;
		bool good = true;

		put_folder(path, folder);
		while (rest.n > 0 && good) {
			part = str_cut(&rest, '.');
			good = is_plain(part);
			sbuf_str(path, part);
			sbuf_char(path, '/');
		}
		sbuf_str(path, file);
		if (good && stat(sbuf_cstr(path), &st) == 0 && S_ISREG(st.st_mode))
			return true;
		if (package.n == 0)
			return false;
		str_cut(&package, '.');
	}
}

bool
sources_find(const char *folders, struct str class_name, struct str file,
    struct sbuf *path, struct err *e)
{
	static const char *const endings[] = {".java", ".kt"};
	struct str package = class_name, top, rest = str_from(folders);
	struct sbuf guess = {0};
	bool found = false;

	if (rest.n == 0)
		return err_set(e, ERR_MALFORMED, "no source folders (:set sources=FOLDER)");
	while (package.n > 0 && package.p[package.n - 1] != '.')
		package.n--;
	top = (struct str){class_name.p + package.n, class_name.n - package.n};
	if (package.n > 0)
		package.n--;
	top = str_cut(&top, '$');
	while (rest.n > 0 && !found) {
		struct str folder = str_cut(&rest, ':');

		if (folder.n == 0)
			continue;
		if (is_plain(file))
			found = look_below(folder, package, file, path);
		for (size_t i = 0; i < 2 && !found && file.n == 0 && is_plain(top); i++) {
			sbuf_clear(&guess);
			sbuf_str(&guess, top);
			sbuf_text(&guess, endings[i]);
			found = look_below(folder, package, sbuf_view(&guess), path);
		}
	}
	sbuf_release(&guess);
	if (found)
		return true;
	if (file.n == 0)
		return err_set(e, ERR_MALFORMED,
		    "the trace names no file, and %.*s is not below the source folders",
		    (int)(top.n < 60 ? top.n : 60), top.p);
	return err_set(e, ERR_MALFORMED, "%.*s is not below the source folders",
	    (int)(file.n < 80 ? file.n : 80), file.p);
}
