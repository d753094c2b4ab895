// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "cli/traces.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/sbuf.h"
#include "cli/options.h"
#include "cli/say.h"
#include "format/input.h"
#include "serve/serve.h"

int
status_worse(int a, int b)
{
	static const int order[] = {STATUS_INTERRUPTED, SERVE_FULL, SERVE_BUSY, SERVE_MEMORY,
	    SERVE_GONE, SERVE_FAILED, STATUS_TROUBLE, STATUS_DIFFERENT, STATUS_DAMAGED,
	    STATUS_UNSURE};

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (a == order[i] || b == order[i])
			return order[i];
	}
	return STATUS_OK;
}

/* A folder of traces. */
static bool
is_folder(const char *path)
{
	struct sbuf name = {0};
	struct stat is;
	bool many = stat(path, &is) == 0 && S_ISDIR(is.st_mode) && !input_folder_file(path, &name);

	sbuf_release(&name);
	return many;
}

bool
traces_many(const struct options *o)
{
	bool many = o->operand_count > 1;

	for (int i = 0; i < o->operand_count; i++)
		many |= is_folder(o->operands[i]);
	return many;
}

/* The text part of a trace, whose data lie beside it: opening these reads it. */
static bool
is_key_part(struct dirent *const *entries, int count, const char *name)
{
	static const struct {
		const char *key, *data;
	} pairs[] = {{".key", ".data"}, {".key", ".trace"}, {".sec", ""}};
	struct str all = str_from(name);

	for (size_t p = 0; p < sizeof(pairs) / sizeof(pairs[0]); p++) {
		struct sbuf data = {0};
		size_t end = strlen(pairs[p].key);
		bool there = false;

		if (all.n <= end || memcmp(all.p + all.n - end, pairs[p].key, end) != 0)
			continue;
		sbuf_str(&data, str_head(all, all.n - end));
		sbuf_text(&data, pairs[p].data);
		for (int i = 0; i < count && !there; i++)
			there = strcmp(entries[i]->d_name, sbuf_cstr(&data)) == 0;
		sbuf_release(&data);
		if (there)
			return true;
	}
	return false;
}

static int
folder(struct traces *t, const char *path)
{
	struct dirent **entries;
	const uint32_t before = t->taken;
	int count = scandir(path, &entries, NULL, alphasort), status = STATUS_OK;
	struct sbuf file = {0};
	struct stat is;

	if (count < 0)
		return say_trouble(path, "%s", strerror(errno));
	for (int i = 0; i < count && status != STATUS_INTERRUPTED; i++) {
		const char *name = entries[i]->d_name;

		sbuf_clear(&file);
		sbuf_printf(&file, "%s/%s", path, name);
		if (*name != '.' && !is_key_part(entries, count, name) &&
		    stat(sbuf_cstr(&file), &is) == 0 && S_ISREG(is.st_mode) && is.st_size > 0)
			status = status_worse(status, t->one(t, sbuf_cstr(&file), true));
	}
	for (int i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
	sbuf_release(&file);
	if (t->taken == before && status == STATUS_OK)
		return say_trouble(path, "has no traces in it");
	return status;
}

int
traces_one(struct traces *t, const char *path)
{
	return is_folder(path) ? folder(t, path) : t->one(t, path, false);
}

int
traces_each(struct traces *t, const char *first)
{
	int status = STATUS_OK;

	for (int i = 0; (i == 0 || i < t->options->operand_count) && status != STATUS_INTERRUPTED; i++) {
		const char *path = i == 0 ? first : t->options->operands[i];

		status = status_worse(status, traces_one(t, path));
	}
	return status;
}
