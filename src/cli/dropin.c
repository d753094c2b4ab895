// SPDX-License-Identifier: Apache-2.0
/*
 * dropin: stands in for Android's programs dmtracedump and traceview.
 *
 * Options, output and statuses are those of the originals, but where they are wrong:
 * doc/dmtracedump.md, doc/traceview.md.
 */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/program.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/run.h"
#include "cli/say.h"
#include "report/dmtracedump/dmtrace.h"
#include "report/traceview/traceview.h"

enum {
	STATUS_UNREADABLE = 1, /* the original's, also for a graph that cannot be made */
	THRESHOLD = 20,        /* percent, when none or no sensible one is given */
};

struct dump_options {
	const char *given['z']; /* by letter: its value, "" without one; NULL: not given */
	int threshold;
};

const char dmtracedump_usage[] =
	      "Usage: dmtracedump [-ho] [-s URL] [-d TRACE] [-g FILE] [-k] [-t N] TRACE\n"
	      "  -d TRACE  show the differences from this trace to the other\n"
	      "  -g FILE   also draw a graph of calls: .png, .svg, .pdf or .dot;\n"
	      "            - prints it alone\n"
	      "  -h        write HTML\n"
	      "  -k        keep the graph's description, as FILE.dot\n"
	      "  -o        list the records\n"
	      "  -s URL    load sortable.js from below this URL, too\n"
	      "  -t N      leave out calls below N percent of the caller's time (default: 20)\n"
	      "slowtop stands in for dmtracedump here; see slowtop-dmtracedump(1).\n";

static int
usage(FILE *out, const char *text, int status)
{
	fputs(text, out);
	return status;
}

static bool
options_read(struct dump_options *o, int argc, char **argv)
{
	int letter;

	o->threshold = THRESHOLD;
	optind = 1;
	while ((letter = getopt(argc, argv, "d:hg:kos:t:")) != -1) {
		if (letter == '?')
			return false;
		o->given[letter] = optarg != NULL ? optarg : "";
	}
	if (o->given['t'] != NULL)
		o->threshold = atoi(o->given['t']);
	if (o->threshold < 0 || o->threshold > 99)
		o->threshold = THRESHOLD;
	return argc - optind == 1;
}

/* The reason, then the original's line. */
static int
say_unreadable(const char *path, const struct err *e)
{
	struct sbuf shown = {0};

	if (load_say(path, e) == STATUS_INTERRUPTED)
		return STATUS_INTERRUPTED;
	clean_append(&shown, str_from(path), utf8_locale() ? 0 : CLEAN_ASCII);
	fprintf(stderr, "Cannot read \"%s\".\n", sbuf_cstr(&shown));
	sbuf_release(&shown);
	return STATUS_UNREADABLE;
}

static int
stdout_end(int error, const atomic_bool *cancel)
{
	return output_close(&(struct output){.file = stdout}, error, cancel);
}

static int
dump_records(const char *path, const atomic_bool *cancel)
{
	struct sink sink = sink_to(stdout, cancel);
	struct err e = {.kind = ERR_NONE};
	struct load load = {.trace = load_open(NULL, 0, path, cancel, &e)};
	int status;

	/* The records of a log are certain when all of it was read: it may be out of order. */
	if (load.trace == NULL ||
	    (load.trace->log != NULL && !load_records(&load, cancel, &e))) {
		status = say_unreadable(path, &e);
	} else {
		dmdump_write(&sink, load.trace);
		status = stdout_end(sink_end(&sink), cancel);
	}
	load_release(&load);
	return status;
}

/* One of one or two traces. */
struct dropin_run {
	struct load load;
	struct dmtrace sums;
};

static bool
run_read(struct dropin_run *r, const char *path, const atomic_bool *cancel, int *status)
{
	/* Damage that the original cannot handle. */
	static const unsigned told = 1u << DAMAGE_LOST_EXIT | 1u << DAMAGE_UNMATCHED_EXIT |
	    1u << DAMAGE_BACKWARD_CLOCK | 1u << DAMAGE_PARTIAL_RECORD | 1u << DAMAGE_RESERVED_ACTION;
	struct err e = {.kind = ERR_NONE};

	if (load_trace(&r->load, path, cancel, &e) &&
	    (dmtrace_make(&r->sums, r->load.profile, cancel) ||
		err_set(&e, ERR_CANCELLED, "interrupted"))) {
		load_say_damage(&r->load, path, told);
		return true;
	}
	*status = say_unreadable(path, &e);
	return false;
}

static void
run_release(struct dropin_run *r)
{
	dmtrace_release(&r->sums);
	load_release(&r->load);
}

/* Draws a graph with the program dot, started without a shell ------------------------- */

static const struct dropin_form {
	const char *suffix;
	const char *argument; /* for dot; NULL: the text itself */
} forms[] = {
	{ ".png", "-Tpng" },
	{ ".svg", "-Tsvg" },
	{ ".pdf", "-Tpdf" },
	{ ".dot", NULL },
	{ ".gv", NULL },
};

static const struct dropin_form *
form_of(const char *path)
{
	const char *suffix = strrchr(path, '.');

	for (size_t i = 0; suffix != NULL && i < sizeof(forms) / sizeof(forms[0]); i++)
		if (strcasecmp(forms[i].suffix, suffix) == 0)
			return &forms[i];
	return &forms[0];
}

static bool
go_on(void *cancel)
{
	return !atomic_load((const atomic_bool *)cancel);
}

/* Runs dot on the graph; the result's `out` is its output. */
static bool
dot_run(struct str graph, const char *form, const atomic_bool *cancel, struct program_result *r,
    struct err *e)
{
	const char *const argv[] = {"dot", form, NULL};
	const struct program dot = {.argv = argv, .input = graph, .kept = SIZE_MAX, .go_on = go_on,
	    .context = (void *)cancel};
	struct err why = {.kind = ERR_NONE};

	program_run(&dot, r, &why);
	fputs(sbuf_cstr(&r->err), stderr);
	if (atomic_load(cancel))
		return err_set(e, ERR_CANCELLED, "interrupted");
	if (r->end != PROGRAM_ENDED)
		return err_set(e, ERR_SYSTEM, "cannot start dot (of Graphviz): %s",
		    r->end == PROGRAM_MISSING ? strerror(ENOENT) : why.what);
	return r->status == 0 || err_set(e, ERR_SYSTEM, "dot (of Graphviz) failed");
}

/* Writes it, whatever the suffix. */
static bool
graphviz_keep(struct str graph, const char *path, struct err *e)
{
	struct outfile out;

	if (!outfile_open(&out, path, OUTFILE_REPLACE, e))
		return false;
	outfile_write(&out, graph.p, graph.n);
	return outfile_commit(&out, e);
}

/*
 * Writes `path` from the graph in DOT's language, in the form that its suffix names:
 * .svg, .pdf, .dot and .gv (the text itself), else PNG; "-" is standard output.
 * ERR_CANCELLED when it was.
 */
static bool
graphviz_draw(
    struct str graph, const char *path, const atomic_bool *cancel, struct err *e)
{
	const struct dropin_form *form = form_of(path);
	struct program_result r = {.status = 0};
	bool drawn;

	if (form->argument == NULL)
		return graphviz_keep(graph, path, e);
	drawn = dot_run(graph, form->argument, cancel, &r, e);
	if (drawn && strcmp(path, "-") != 0)
		drawn = graphviz_keep(sbuf_view(&r.out), path, e);
	else if (drawn)
		drawn = (fwrite(r.out.p, 1, r.out.n, stdout) == r.out.n && fflush(stdout) == 0) ||
		    err_system(e, "cannot write");
	program_release(&r);
	return drawn;
}

/* Output ------------------------------------------------------------------------------ */

/* The graph beside the text; a drop-in overwrites, as the original does. */
static int
graph(const struct dump_options *o, const struct dmtrace *sums, const atomic_bool *cancel)
{
	struct sbuf graph_text = {0}, kept = {0};
	struct err e = {.kind = ERR_NONE};
	const char *path = o->given['g'];
	bool good = true;

	dmgraph_write(&graph_text, sums, o->threshold);
	if (o->given['k'] != NULL) {
		sbuf_printf(&kept, "%s.dot", path);
		path = sbuf_cstr(&kept);
		good = graphviz_keep(sbuf_view(&graph_text), path, &e);
	}
	if (good) {
		path = o->given['g'];
		good = graphviz_draw(sbuf_view(&graph_text), path, cancel, &e);
	}
	if (!good && e.kind != ERR_CANCELLED)
		say_trouble(path, "%s", err_text(&e, ERR_BUF));
	sbuf_release(&kept);
	sbuf_release(&graph_text);
	if (e.kind == ERR_CANCELLED)
		return STATUS_INTERRUPTED;
	return good ? STATUS_OK : STATUS_UNREADABLE;
}

/* Instead of the text: standard output has room for one of them. */
static int
graph_print(const struct dump_options *o, const struct dmtrace *sums, const atomic_bool *cancel)
{
	struct sink sink = sink_to(stdout, cancel);

	if (!sink.terminal)
		return graph(o, sums, cancel);
	dmgraph_write(&sink.text, sums, o->threshold);
	return stdout_end(sink_end(&sink), cancel);
}

static int
profile_print(const struct dump_options *o, const struct dmtrace *sums, const atomic_bool *cancel)
{
	struct sink sink = sink_to(stdout, cancel);
	int status, error, drawn = STATUS_OK;

	dmtrace_write(&sink, sums, o->given['h'] != NULL, o->given['s']);
	error = sink_end(&sink);
	if (error == 0 && o->given['g'] != NULL)
		drawn = graph(o, sums, cancel);
	status = stdout_end(error, cancel);
	return status != STATUS_OK ? status : drawn;
}

static int
profile(const struct dump_options *o, const char *path, const atomic_bool *cancel)
{
	bool graph_alone = o->given['g'] != NULL && strcmp(o->given['g'], "-") == 0;
	struct dropin_run run = {0};
	int status = STATUS_OK;

	if (run_read(&run, path, cancel, &status))
		status = (graph_alone ? graph_print : profile_print)(o, &run.sums, cancel);
	run_release(&run);
	return status;
}

/* The original's order: the other trace is the first run. */
static int
compare(const struct dump_options *o, const char *path, const atomic_bool *cancel)
{
	struct sink sink = sink_to(stdout, cancel);
	struct dropin_run first = {0}, second = {0};
	struct dmdiff diff;
	int status = STATUS_OK;

	if (run_read(&second, path, cancel, &status) &&
	    run_read(&first, o->given['d'], cancel, &status)) {
		dmdiff_make(&diff, &first.sums, &second.sums);
		dmdiff_write(&sink, &diff, o->given['h'] != NULL, o->given['s']);
		dmdiff_release(&diff);
		status = stdout_end(sink_end(&sink), cancel);
	}
	run_release(&first);
	run_release(&second);
	return status;
}

int
dmtracedump_main(int argc, char **argv)
{
	const atomic_bool *cancel = interrupt_watch();
	struct dump_options o = {0};

	if (argc == 2 && strcmp(argv[1], "--help") == 0)
		return output_end(stdout, usage(stdout, dmtracedump_usage, STATUS_OK));
	if (!options_read(&o, argc, argv))
		return usage(stderr, dmtracedump_usage, STATUS_TROUBLE);
	if (o.given['o'] != NULL)
		return dump_records(argv[optind], cancel);
	return (o.given['d'] != NULL ? compare : profile)(&o, argv[optind], cancel);
}

/* Traceview --------------------------------------------------------------------------- */

const char traceview_usage[] =
	      "Usage: traceview [-r] TRACE\n"
	      "  -r  print totals, threads, calls and methods; else browse\n"
	      "slowtop stands in for Traceview here; see slowtop-traceview(1).\n";

static int
calls_print(const char *path)
{
	const atomic_bool *cancel = interrupt_watch();
	struct sink sink = sink_to(stdout, cancel);
	struct err e = {.kind = ERR_NONE};
	struct tvcalls calls = {.calls.fd = -1};
	struct load load = {0};
	int status;

	if (load_trace(&load, path, cancel, &e) &&
	    tvcalls_make(&calls, load.profile, load_folder(), cancel, &e)) {
		traceview_write(&sink, load.trace, &calls);
		status = stdout_end(sink_end(&sink), cancel);
	} else {
		status = load_say(path, &e);
		status = status == STATUS_INTERRUPTED ? status : STATUS_UNREADABLE;
	}
	tvcalls_release(&calls);
	load_release(&load);
	return status;
}

int
traceview_main(int argc, char **argv)
{
	struct options options;
	bool regression = false;
	int letter, status;

	if (argc == 2 && strcmp(argv[1], "--help") == 0)
		return output_end(stdout, usage(stdout, traceview_usage, STATUS_OK));
	optind = 1;
	while ((letter = getopt(argc, argv, "r")) != -1) {
		if (letter != 'r')
			return usage(stderr, traceview_usage, STATUS_TROUBLE);
		regression = true;
	}
	if (argc - optind != 1)
		return usage(stderr, traceview_usage, STATUS_TROUBLE);
	if (regression)
		return calls_print(argv[optind]);
	options_init(&options);
	status = browse(&options, argv[optind]);
	options_release(&options);
	return status;
}
