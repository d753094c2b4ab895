#include <config.h>

#include "tui/choice.h"

#include <inttypes.h>
#include <stdio.h>

#include "tui/app.h"
#include "view/processes.h"
#include "view/thread_words.h"

enum { PROCESSES_TOLD = 3 };

void
choice_set(struct app *app, const struct log_choice *choice)
{
	if (app->trace->log == NULL || log_choice_equal(&app->choice, choice))
		return;
	app->choice = *choice;
	app->load_start_ms = app_clock_ms();
	app->calls_stopped = false;
	engine_choose(app->engine, choice);
}

/* With a note of what was before. */
static void
choose(struct app *app, const struct log_choice *choice)
{
	struct sbuf text = {0};

	if (!log_choice_equal(&app->choice, choice)) {
		app_note(app);
		choice_set(app, choice);
	}
	log_choice_text(&text, choice);
	app_say(app, "%s", text.n > 0 ? sbuf_cstr(&text) : "slices of all levels and tags");
	sbuf_release(&text);
}

/* Processes ----------------------------------------------------------------------- */

/* How many threads of each process there are, and are in scope; by index + 1. */
struct counts {
	uint32_t *all, *in;
	uint32_t count;
};

static void
counts_make(struct counts *c, const struct app *app)
{
	uint32_t threads = trace_thread_count(app->trace);

	c->count = seg_count(&app->trace->log->processes) + 1;
	c->all = mem_zero(c->count, sizeof(*c->all));
	c->in = mem_zero(c->count, sizeof(*c->in));
	for (uint32_t i = 0; i < threads; i++) {
		uint32_t process = trace_thread(app->trace, i)->process;

		if (process >= c->count)
			continue;
		c->all[process]++;
		c->in[process] += scope_has(app->subset.scope, i);
	}
}

static void
counts_release(struct counts *c)
{
	mem_free(c->all);
	mem_free(c->in);
}

/* Each process is in scope or not, as a whole. */
static bool
counts_whole(const struct counts *c)
{
	bool any = false;

	for (uint32_t p = 0; p < c->count; p++) {
		if (c->in[p] != 0 && (c->in[p] != c->all[p] || p == 0))
			return false;
		any |= c->in[p] != 0;
	}
	return any;
}

static void
processes_text(struct sbuf *out, const struct app *app, const struct counts *c)
{
	struct processes all;
	uint32_t told = 0, chosen = 0;

	processes_make(&all, app->trace);
	for (uint32_t p = 1; p < c->count && p < all.count; p++) {
		if (c->in[p] == 0 || chosen++ >= PROCESSES_TOLD)
			continue;
		sbuf_printf(out, "%s%" PRIu32, told++ > 0 ? ", " : "", all.items[p].pid);
		if (all.items[p].name.n > 0) {
			sbuf_char(out, ' ');
			sbuf_str(out, names_clean(app->names, all.items[p].name));
		}
	}
	if (chosen > told)
		sbuf_printf(out, ", %" PRIu32 " more", chosen - told);
	processes_release(&all);
}

static bool
processes_chosen(const struct app *app, struct sbuf *out)
{
	struct counts counts;
	bool whole;

	if (app->subset.scope == NULL || app->trace->log == NULL)
		return false;
	counts_make(&counts, app);
	whole = counts_whole(&counts);
	if (whole && out != NULL) {
		sbuf_text(out, out->n > 0 ? ", process " : "process ");
		processes_text(out, app, &counts);
	}
	counts_release(&counts);
	return whole;
}

bool
choice_any(const struct app *app)
{
	return app->choice.tags != 0 || app->choice.level != 0 || processes_chosen(app, NULL);
}

void
choice_text(struct sbuf *out, const struct app *app)
{
	log_choice_text(out, &app->choice);
	processes_chosen(app, out);
}

void
choice_processes(struct app *app, const bool *in)
{
	uint32_t count = trace_thread_count(app->trace),
		 processes = seg_count(&app->trace->log->processes) + 1;
	struct scope *scope = scope_new(count, false);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t process = trace_thread(app->trace, i)->process;

		scope->in[i] = process < processes && in[process];
	}
	app_note(app);
	/* Of none: of all. */
	if (scope_size(scope) == 0) {
		scope_free(scope);
		scope = NULL;
	}
	app_set_scope(app, scope);
}

/* Typed lines --------------------------------------------------------------------- */

static bool
is_log(const struct app *app, struct err *e)
{
	return app->trace->log != NULL ||
	    err_set(e, ERR_UNSUPPORTED, "a method trace has no levels, tags and processes");
}

bool
choice_line_level(struct app *app, struct str text, struct err *e)
{
	struct log_choice choice = app->choice;

	if (!is_log(app, e) || !log_choice_read_level(&choice, text, e))
		return false;
	choose(app, &choice);
	return true;
}

bool
choice_line_tags(struct app *app, struct str text, struct err *e)
{
	struct log_choice choice = app->choice;

	if (!is_log(app, e) || !log_choice_read_tags(&choice, text, e))
		return false;
	choose(app, &choice);
	return true;
}

bool
choice_line_process(struct app *app, struct str text, struct err *e)
{
	char word[PROMPT_MAX + 1];
	const char *const words[] = {word};
	struct thread_words wanted = {.processes = words, .process_count = 1};
	struct scope *scope = NULL;

	if (!is_log(app, e))
		return false;
	snprintf(word, sizeof(word), "%.*s", STR_ARG(text));
	if (text.n == 0 || str_equal(text, STR("all")))
		wanted.process_count = 0;
	if (!thread_words_choose(&wanted, app->trace, &scope, e)) {
		scope_free(scope);
		return false;
	}
	app_note(app);
	app_set_scope(app, scope);
	app_say(app, wanted.process_count > 0 ? "only its threads (T: all, u: undo)"
					      : "threads of all processes");
	return true;
}
