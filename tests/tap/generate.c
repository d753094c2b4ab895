// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tap/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static uint8_t *
run(const char *command, size_t most, size_t *size)
{
	uint8_t *bytes = malloc(most + 1);
	FILE *in = bytes != NULL ? popen(command, "r") : NULL;

	*size = in != NULL ? fread(bytes, 1, most + 1, in) : 0;
	if (in == NULL || pclose(in) != 0 || *size > most) {
		free(bytes);
		return NULL;
	}
	return bytes;
}

static const char *
build_dir(void)
{
	const char *build = getenv("BUILDDIR");

	return build != NULL ? build : ".";
}

static uint8_t *
run_one(const char *name, const char *options, size_t most, size_t *size)
{
	char command[1024];

	snprintf(command, sizeof(command), "'%s'/tests/gen/%s %s", build_dir(), name, options);
	return run(command, most, size);
}

uint8_t *
generate(const char *options, size_t most, size_t *size)
{
	return run_one("tracegen", options, most, size);
}

uint8_t *
generate_log(const char *options, size_t most, size_t *size)
{
	return run_one("loggen", options, most, size);
}

uint8_t *
generate_described(const char *options, const char *description, size_t most, size_t *size)
{
	char command[1024], name[512];
	uint8_t *bytes;
	FILE *out;
	int fd;

	snprintf(name, sizeof(name), "%s/description.XXXXXX", build_dir());
	fd = mkstemp(name);
	if (fd < 0)
		return NULL;
	out = fdopen(fd, "w");
	fputs(description, out);
	fclose(out);
	snprintf(command, sizeof(command), "'%s'/tests/gen/tracegen %s '%s'", build_dir(),
	    options, name);
	bytes = run(command, most, size);
	unlink(name);
	return bytes;
}
