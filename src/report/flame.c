#include <config.h>

#include "report/flame.h"

#include <string.h>

#include "report/flamechart.h"
#include "report/flamegraph.h"
#include "report/folded.h"

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
