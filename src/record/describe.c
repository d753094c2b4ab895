// SPDX-License-Identifier: Apache-2.0
/* describe: what a recording is and how it was made, as text beside it (record.h). */
#include <config.h>

#include <stdio.h>

#include "base/filemap.h"
#include "base/number.h"
#include "base/outfile.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "record/record.h"

void
record_moment(struct record *r, const char *name)
{
	char text[KEEP_TIME];

	blanks_set(&r->blanks, name, str_from(keep_time(text, false)));
}

/* Its size and a checksum. */
static bool
measure(struct record *r, const char *path, struct err *e)
{
	char text[SHA256_TEXT];
	struct filemap map;

	if (!filemap_open(&map, path, e))
		return false;
	sha256_text(map.bytes, map.size, text);
	blanks_set(&r->blanks, "size", str_from(fmt_count(FMT_BUF, map.size, "")));
	blanks_set(&r->blanks, "sum", str_from(text));
	filemap_close(&map);
	return true;
}

void
record_describe(struct record *r, const struct sbuf *path)
{
	static const char *const rows[][2] = {
	    {"command", "words"}, {"mode", "mode"}, {"app", "app"}, {"app version", "app-version"},
	    {"device", "device"}, {"model", "model"},
	    {"system", "release"}, {"api", "api"}, {"started", "started"}, {"stopped", "stopped"},
	    {"interval (us)", "interval"}, {"buffer (KB)", "kb"}, {"tags", "tags"},
	    {"options", "options"}, {"bytes", "size"}, {"sha256", "sum"}, {"state", "state"},
	};
	struct sbuf text = {0}, name = {0};
	struct err e = {.kind = ERR_NONE};

	sbuf_printf(&name, "%s.info", sbuf_cstr(path));
	sbuf_text(&text, "recorded by = " PACKAGE_STRING "\n");
	if (measure(r, sbuf_cstr(path), &e)) {
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			struct str value = blanks_get(&r->blanks, str_from(rows[i][1]));

			if (value.n == 0)
				continue;
			sbuf_printf(&text, "%s = ", rows[i][0]);
			clean_append(&text, value, 0);
			sbuf_char(&text, '\n');
		}
		textfile_write(sbuf_cstr(&name), sbuf_view(&text), 0666, &e);
	}
	blanks_set(&r->blanks, "path", sbuf_view(&name));
	blanks_set(&r->blanks, "line", str_from(e.what));
	if (e.kind != ERR_NONE)
		record_say(r, FAILURE_LOCAL);
	sbuf_release(&text);
	sbuf_release(&name);
}
