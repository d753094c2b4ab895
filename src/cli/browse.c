#include <config.h>

#include "cli/browse.h"

#include <unistd.h>

#include "base/mem.h"
#include "cli/config.h"
#include "cli/load.h"
#include "cli/print.h"
#include "cli/say.h"
#include "tui/settings.h"
#include "tui/start.h"
#include "tui/tui.h"

/* Texts and patterns of the options, as the browser takes them. */
struct begin {
	struct start start;
	const char **filters;
	struct pattern **methods;
	struct sort_choice sort;
};

static void
begin_make(struct begin *b, const struct options *o)
{
	const struct report_options *r = &o->report;

	b->filters = mem_zero(r->filter_count + 1, sizeof(*b->filters));
	b->methods = mem_zero(r->method_count + 1, sizeof(*b->methods));
	for (size_t i = 0; i < r->filter_count; i++)
		b->filters[i] = r->filters[i].text;
	for (size_t i = 0; i < r->method_count; i++)
		b->methods[i] = r->methods[i].pattern;
	b->sort = (struct sort_choice){r->sort, r->rising};
	b->start = (struct start){
	    .view = o->start_view,
	    .filters = b->filters,
	    .filter_count = r->filter_count,
	    .methods = b->methods,
	    .method_count = r->method_count,
	    .transforms = &r->transforms,
	    .threads = report_thread_words(r),
	    .window = r->range,
	    .sort = r->sort_given ? &b->sort : NULL,
	    .together = r->together,
	};
}

static void
begin_release(struct begin *b)
{
	mem_free(b->filters);
	mem_free(b->methods);
}

/* What can be told before the screen is taken. */
static bool
fits(const struct options *o, struct trace *trace, struct err *e)
{
	enum clock_id clock;

	return load_choose(trace, &o->choice, e) && report_clock(&o->report, trace, &clock, e) &&
	       report_sort_exists(&o->report, trace, e);
}

int
browse(const struct options *o, const char *path)
{
	struct settings settings;
	struct begin begin;
	struct tui_options tui = {.settings = &settings, .jobs = o->jobs, .strict = o->strict,
	    .start = &begin.start};
	struct err e = {.kind = ERR_NONE};
	struct trace *trace;
	char text[256];
	int status;

	if (!isatty(STDOUT_FILENO))
		return print_report(o, path);
	if (o->report.range.from >= o->report.range.to)
		return say_usage("--from is not before --to");
	settings_init(&settings);
	begin_make(&begin, o);
	if (!config_load(&settings, o)) {
		status = STATUS_TROUBLE;
	} else if ((trace = load_open(path, o->unpack_most, NULL, &e)) == NULL) {
		status = say_trouble(path, "%s", err_text(&e, text, sizeof(text)));
	} else {
		if (o->report.budget_given)
			settings.frame_budget = o->report.budget;
		status = fits(o, trace, &e) ? tui_run(trace, &tui)
					    : say_trouble(path, "%s", err_text(&e, text, sizeof(text)));
		trace_free(trace);
	}
	begin_release(&begin);
	settings_release(&settings);
	return status;
}
