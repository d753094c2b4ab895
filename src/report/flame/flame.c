// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/flame/flame.h"

#include "base/mem.h"
#include "base/sbuf.h"
#include "report/convert/convert.h"
#include "view/names/looks.h"
#include "view/tree/folded.h"

const struct flame_format flame_formats[] = {
    {"svg", "an interactive picture", flamegraph_write},
    {"folded", "stacks on a line each, for flamegraph.pl and others", folded_write},
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
	if (o->title != NULL) {
		sbuf_text(out, o->title);
		return;
	}
	sbuf_text(out, words);
	sbuf_text(out, trace_title(r->trace));
}

/* Colours are those of the screen, by the whole trace; idle paths are marked. */
static bool
colours_make(struct flame *f)
{
	const struct report *r = f->report;
	struct looks *looks = names_looks(r->figures.names);
	uint32_t count = trace_method_count(r->trace);
	struct fold *whole = fold_make(r->profile, &(struct fold_query){0}, f->cancel);
	uint8_t *idle;

	if (whole == NULL)
		return false;
	looks_learn(looks, whole, trace_default_clock(r->trace));
	fold_free(whole);
	idle = mem_zero((size_t)count + 1, sizeof(*idle));
	for (uint32_t m = 1; m < count; m++)
		idle[m] = looks_method(looks, m) == ROLE_IDLE;
	paths_mark_idle(f->paths, r->trace, idle, count);
	mem_free(idle);
	return true;
}

bool
flame_make(struct flame *f, const struct report *r, const struct flame_options *o,
    const atomic_bool *cancel, struct err *e)
{
	bool coloured = o->format->write == flamegraph_write;

	*f = (struct flame){.report = r, .options = o, .cancel = cancel};
	flame_title(&f->title, r, o, "Flame graph of ");
	f->paths = report_paths(r, r->options->together, cancel);
	return (f->paths != NULL && (!coloured || colours_make(f))) ||
	    err_set(e, ERR_CANCELLED, "interrupted");
}

void
flame_release(struct flame *f)
{
	paths_free(f->paths);
	sbuf_release(&f->title);
	*f = (struct flame){.paths = NULL};
}

/* Flame graphs as formats to convert to: the stacks, and the picture. */

/* Merges what filters leave out into its callers. */
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
	struct report_options options = *c->options; /* a borrowed copy: the original
	                                              * owns its content */
	struct flame_options how;
	struct report report;
	struct flame flame = {.paths = NULL};
	bool good;

	options.axis_clock = false;
	options.names = NAMES_WRITTEN;
	options.transforms = (struct transforms){.list = NULL};
	transforms_copy(&options.transforms, &c->options->transforms);
	if (c->hidden != NULL)
		hidden_merge(&options.transforms, c);
	flame_options_init(&how);
	good = report_open(&report, c->profile, &options, c->sink->cancel, c->err) &&
	       flame_make(&flame, &report, &how, c->sink->cancel, c->err);
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

void
folded_write(struct sink *sink, const struct flame *flame)
{
	struct folded f;

	folded_begin(&f, &flame->report->figures);
	while (sink_row(sink) && folded_next(&f, flame->paths, PATH_NONE, &sink->text))
		;
	folded_release(&f);
}
