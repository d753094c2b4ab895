#include <config.h>

#include "writer.h"

#include <string.h>

const struct gen_writer *const gen_writers[] = {
    &writer_classic,
    &writer_streaming,
    &writer_streaming14,
    &writer_streaming_bare,
    &writer_streaming_late,
    &writer_v2a,
    &writer_v2a_us,
    &writer_v2a_stream,
    &writer_v2b,
    &writer_v2b_stream,
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
