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

const char *
traces_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

static bool
is_folder(const char *path)
{
	struct stat is;

	return stat(path, &is) == 0 && S_ISDIR(is.st_mode);
}

bool
traces_many(const struct options *o)
{
	bool many = o->operand_count > 1;

	for (int i = 0; i < o->operand_count; i++)
		many |= is_folder(o->operands[i]);
	return many;
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
	for (int i = 0; i < count; i++) {
		sbuf_clear(&file);
		sbuf_printf(&file, "%s/%s", path, entries[i]->d_name);
		if (status != STATUS_INTERRUPTED && entries[i]->d_name[0] != '.' &&
		    stat(sbuf_cstr(&file), &is) == 0 && S_ISREG(is.st_mode) && is.st_size > 0)
			status = status_worse(status, t->one(t, sbuf_cstr(&file), true));
		free(entries[i]);
	}
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
