#include <config.h>

#include "cli/diff.h"

#include <unistd.h>

#include "cli/browse.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/say.h"
#include "report/diffreport.h"

/* Too slow for what was allowed: says so, and by what. */
static int
judge(const struct diffreport *d)
{
	const struct diff_row *r;
	char text[FMT_SIZE], percent[FMT_SIZE];
	uint32_t worst = 0, count = diffreport_regressions(d, &worst);
	struct str name;

	if (!diffreport_compared(d)) {
		(void)say_trouble(NULL, "nothing was compared: no method of either trace %s",
		    d->options[DIFF_B].filter_count > 0 ? "passes --filter" : "is there");
		return diffreport_is_gate(d) ? STATUS_TROUBLE : STATUS_OK;
	}
	if (count == 0)
		return STATUS_OK;
	r = &d->diff.rows[worst];
	name = diffreport_name(d, r);
	say_trouble(NULL, "%u method%s slower than allowed, most of all %.*s: %s ms, %s%s",
	    (unsigned)count, count == 1 ? " is" : "s are", STR_ARG(name),
	    diff_time_text(diff_delta(r, &d->by), false, text),
	    diff_column_text(DIFF_COLUMN_PERCENT, r, &d->by, false, percent),
	    r->sum[DIFF_A].method != METHOD_NONE && diff_time(r, DIFF_A, &d->by) > 0 ? " %" : "");
	return STATUS_DIFFERENT;
}

static int
damaged(const struct load loads[DIFF_SIDES], const char *const paths[DIFF_SIDES])
{
	int status = STATUS_OK;

	for (int side = 0; side < DIFF_SIDES; side++)
		if (load_say_damage(&loads[side], paths[side]) != STATUS_OK)
			status = STATUS_DAMAGED;
	return status;
}

static int
print(const struct options *o, const char *const paths[DIFF_SIDES])
{
	const atomic_bool *cancel = interrupt_watch();
	struct err e = {.kind = ERR_NONE};
	struct diffreport report = {.how = NULL};
	struct load loads[DIFF_SIDES];
	struct output out;
	int status, failed = -1, judged;
	bool good = true;

	if (!output_open(&out, o->output, o->force, 0))
		return STATUS_TROUBLE;
	for (int side = 0; side < DIFF_SIDES; side++)
		loads[side] = (struct load){.choice = o->choice,
		    .unpack_most = o->unpack_most,
		    .wants = report_is_flat(&o->report) ? WANTS_FLAT : WANTS_ANYTHING,
		    .mapping = o->mapping[side]};
	for (int side = 0; side < DIFF_SIDES && good; side++) {
		good = load_trace(&loads[side], paths[side], o->jobs, cancel, &e);
		failed = side;
	}
	if (good && diffreport_make(&report, loads[DIFF_A].profile, loads[DIFF_B].profile,
			&o->report, &o->diff, cancel, &e, &failed)) {
		status = output_close(&out, diffreport_write(&report, out.file, cancel), cancel);
		judged = status == STATUS_OK ? judge(&report) : status;
		if (status == STATUS_OK && o->strict)
			status = damaged(loads, paths);
		if (status == STATUS_OK)
			status = judged;
	} else {
		output_drop(&out);
		status = load_say(failed >= 0 ? paths[failed] : NULL, &e);
	}
	diffreport_release(&report);
	for (int side = 0; side < DIFF_SIDES; side++)
		load_release(&loads[side]);
	return status;
}

int
diff(const struct options *o, const char *before)
{
	const char *const paths[DIFF_SIDES] = {before, o->operands[1]};

	if (!o->print && isatty(STDOUT_FILENO))
		return browse_diff(o, paths[DIFF_A], paths[DIFF_B]);
	return print(o, paths);
}
