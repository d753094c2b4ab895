#include <config.h>

#include "writer.h"

#include <string.h>

const struct gen_writer *const gen_writers[] = {
    &writer_classic,
    NULL,
};

const struct gen_writer *
writer_find(const char *name)
{
	size_t i;

	for (i = 0; gen_writers[i]; i++)
		if (!strcmp(gen_writers[i]->name, name))
			return gen_writers[i];
	return NULL;
}
