/* Flame graphs as formats to convert to: the stacks, and the picture. */
#include <config.h>

#include "base/mem.h"
#include "report/convert-formats.h"
#include "report/flame.h"
#include "report/flamegraph.h"
#include "report/folded.h"

/* What filters leave out goes to its callers. */
static void
hidden_merge(struct transforms *list, const struct convert *c)
{
	uint32_t count = trace_method_count(c->trace), n = 0;
	uint32_t *methods = mem_alloc(count * sizeof(*methods));

	for (uint32_t m = 0; m < count; m++)
		if (c->hidden[m])
			methods[n++] = m;
	if (n > 0)
		transforms_add_methods(list, TRANSFORM_MERGE, methods, n);
	mem_free(methods);
}

static bool
flame_convert(struct convert *c, void (*write)(struct sink *, const struct flame *))
{
	struct report_options options = *c->options; /* what it owns stays the original's */
	struct flame_options look;
	struct report report;
	struct flame flame = {.paths = NULL};
	bool good;

	options.cpu_first = true;
	options.transforms = (struct transforms){.list = NULL};
	transforms_copy(&options.transforms, &c->options->transforms);
	if (c->hidden != NULL)
		hidden_merge(&options.transforms, c);
	flame_options_init(&look);
	good = report_open(&report, c->profile, &options, c->sink->cancel, c->err) &&
	       flame_make(&flame, &report, &look, c->sink->cancel, c->err);
	if (good)
		write(c->sink, &flame);
	flame_release(&flame);
	report_release(&report);
	transforms_release(&options.transforms);
	return good;
}

bool
convert_folded(struct convert *c)
{
	return flame_convert(c, folded_write);
}

bool
convert_svg(struct convert *c)
{
	return flame_convert(c, flamegraph_write);
}
