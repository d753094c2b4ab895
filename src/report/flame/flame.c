#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "report/convert/convert.h"
#include "report/flame/flame.h"

const struct flame_format flame_formats[] = {
    {"svg", "an interactive picture", flamegraph_write,
	flamechart_write},
    {"folded", "stacks on a line each, for flamegraph.pl and others", folded_write,
	NULL},
};
const int flame_format_count = (int)(sizeof(flame_formats) / sizeof(flame_formats[0]));

void
flame_options_init(struct flame_options *o)
{
	*o = (struct flame_options){.format = &flame_formats[0], .min_width = FLAME_MIN_WIDTH};
}

void
flame_title(struct sbuf *out, const struct report *r, const struct flame_options *o,
    const char *words)
{
	const char *path = r->trace->path, *slash = strrchr(path, '/');

	if (o->title != NULL) {
		sbuf_text(out, o->title);
		return;
	}
	sbuf_text(out, words);
	sbuf_text(out, slash != NULL && slash[1] != '\0' ? slash + 1 : path);
}

static bool
chart_fits(const struct report *r, const struct flame_options *o, struct err *e)
{
	if (o->format->chart == NULL)
		return err_set(e, ERR_UNSUPPORTED, "'%s' has no order of time", o->format->name);
	if (r->options->together)
		return err_set(e, ERR_UNSUPPORTED, "a chart has each thread for itself");
	if (r->of != NULL)
		return err_set(e, ERR_UNSUPPORTED, "a chart shows the calls as recorded");
	if (r->figures.clock != r->profile->axis)
		return err_set(e, ERR_UNSUPPORTED, "a chart is on the wall clock");
	return true;
}

bool
flame_make(struct flame *f, const struct report *r, const struct flame_options *o,
    const atomic_bool *cancel, struct err *e)
{
	*f = (struct flame){.report = r, .options = o, .cancel = cancel};
	if (o->chart && !chart_fits(r, o, e))
		return false;
	flame_title(&f->title, r, o, o->chart ? "Calls of " : "Flame graph of ");
	if (o->chart)
		return true;
	f->paths = report_paths(r, r->options->together, cancel);
	if (f->paths == NULL)
		return err_set(e, ERR_CANCELLED, "interrupted");
	return true;
}

void
flame_release(struct flame *f)
{
	paths_free(f->paths);
	sbuf_release(&f->title);
	*f = (struct flame){.paths = NULL};
}

int
flame_write(const struct flame *f, FILE *file)
{
	struct sink sink = sink_to(file, f->cancel);

	(f->options->chart ? f->options->format->chart : f->options->format->write)(&sink, f);
	return sink_end(&sink);
}

/* Flame graphs as formats to convert to: the stacks, and the picture. */

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
