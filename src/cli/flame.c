#include <config.h>

#include "cli/flame.h"

#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/say.h"
#include "report/flame.h"
#include "report/htmlreport.h"

struct drawing {
	struct load load;
	struct report report;
	struct flame flame;
	const atomic_bool *cancel;
};

/* Loads the trace, and makes what `write` writes: 0 or an errno. */
static int
draw(const struct options *o, const struct report_options *what, const char *path,
    bool (*make)(struct drawing *, const struct options *, const struct report_options *,
	struct err *),
    int (*write)(const struct drawing *, FILE *))
{
	struct drawing d = {.cancel = interrupt_watch(),
	    .load = {.choice = o->choice, .unpack_most = o->unpack_most,
	    .mapping = o->mapping[DIFF_B]}};
	struct err e = {.kind = ERR_NONE};
	struct output out;
	int status;

	if (!output_open(&out, o->output, o->force, 0))
		return STATUS_TROUBLE;
	if (load_trace(&d.load, path, o->jobs, d.cancel, &e) && make(&d, o, what, &e)) {
		status = output_close(&out, write(&d, out.file), d.cancel);
		if (status == STATUS_OK && o->strict)
			status = load_say_damage(&d.load, path);
	} else {
		output_drop(&out);
		status = load_say(path, &e);
	}
	flame_release(&d.flame);
	report_release(&d.report);
	load_release(&d.load);
	return status;
}

static bool
flame_prepare(struct drawing *d, const struct options *o, const struct report_options *what,
    struct err *e)
{
	return report_open(&d->report, d->load.profile, what, d->cancel, e) &&
	       flame_make(&d->flame, &d->report, &o->flame, d->cancel, e);
}

static int
flame_out(const struct drawing *d, FILE *file)
{
	return flame_write(&d->flame, file);
}

int
flame(const struct options *o, const char *path)
{
	struct report_options what = o->report; /* what it owns stays the original's */

	what.cpu_first = !o->flame.chart;
	return draw(o, &what, path, flame_prepare, flame_out);
}

static bool
html_prepare(struct drawing *d, const struct options *o, const struct report_options *what,
    struct err *e)
{
	return report_make(&d->report, d->load.profile, what, d->cancel, e) &&
	       flame_make(&d->flame, &d->report, &o->flame, d->cancel, e);
}

static int
html_out(const struct drawing *d, FILE *file)
{
	struct sink sink = sink_to(file, d->cancel);

	htmlreport_write(&sink, &d->report, &d->flame);
	return sink_end(&sink);
}

int
html(const struct options *o, const char *path)
{
	struct report_options what = o->report; /* what it owns stays the original's */

	what.relations = true;
	return draw(o, &what, path, html_prepare, html_out);
}
