// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "base/utf8.h"
#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/popups/choice.h"
#include "view/names/processes.h"

enum { PROCESSES_TOLD = 3, FRONT_WIDTH = 44 };

void
choice_set(struct app *app, const struct log_choice *choice)
{
	if (app->s->trace->log == NULL || log_choice_equal(&app->s->choice, choice))
		return;
	if (app->s->now.kept > 0) {
		app_complain(app, "records before %s are gone, and cannot be chosen again",
		    fmt_duration(FMT_BUF, app->s->now.kept));
		return;
	}
	app->s->choice = *choice;
	app->s->load_start_ms = clock_ms();
	app->s->calls_stopped = false;
	engine_choose(app->s->engine, choice);
}

/* Chooses, with a note for undo of the choice before. */
static bool
choose(struct app *app, const struct log_choice *choice)
{
	struct sbuf text = {0};

	if (!log_choice_equal(&app->s->choice, choice)) {
		app_note(app);
		choice_set(app, choice);
	}
	log_choice_text(&text, choice);
	app_say(app, "%s", text.n > 0 ? sbuf_cstr(&text) : "slices of all levels and tags");
	sbuf_release(&text);
	return true;
}

/* Processes ----------------------------------------------------------------------- */

/* Which threads of each process are chosen: bits; by index + 1. */
enum { SOME_IN = 1, SOME_OUT = 2 };

static uint8_t *
processes_in(const struct app *app, const struct scope *scope, uint32_t *count)
{
	uint8_t *in;

	*count = seg_count(&app->s->trace->log->processes) + 1;
	in = mem_zero(*count, sizeof(*in));
	for (uint32_t i = 0; i < trace_thread_count(app->s->trace); i++) {
		uint32_t process = trace_thread(app->s->trace, i)->process;

		if (process < *count)
			in[process] |= scope != NULL && scope_has(scope, i) ? SOME_IN : SOME_OUT;
	}
	return in;
}

static void
processes_text(struct sbuf *out, const struct app *app, const uint8_t *in)
{
	struct processes all;
	uint32_t told = 0, chosen = 0;

	processes_make(&all, app->s->trace);
	for (uint32_t p = 1; p < all.count; p++) {
		if (in[p] != SOME_IN || chosen++ >= PROCESSES_TOLD)
			continue;
		sbuf_printf(out, "%s%" PRIu32, told++ > 0 ? ", " : "", all.items[p].pid);
		if (all.items[p].name.n > 0) {
			sbuf_char(out, ' ');
			sbuf_str(out, names_clean(app->s->names, all.items[p].name));
		}
	}
	if (chosen > told)
		sbuf_printf(out, ", %" PRIu32 " more", chosen - told);
	processes_release(&all);
}

/* "7663 ...macrobenchmark.target, 14 threads (T: all)": the end of a long name tells most. */
static void
front_text(struct sbuf *out, const struct app *app, const uint8_t *in, uint32_t threads)
{
	struct sbuf text = {0};
	struct str name;

	processes_text(&text, app, in);
	name = sbuf_view(&text);
	if (utf8_width(name) > FRONT_WIDTH) {
		sbuf_text(out, "...");
		name = utf8_tail(name, FRONT_WIDTH - 3, NULL);
	}
	sbuf_str(out, name);
	sbuf_printf(out, ", %" PRIu32 " threads (T: all)", threads);
	sbuf_release(&text);
}

/* True if the scope, in a log, consists of whole processes; appends them to `out` (or NULL). */
static bool
processes_chosen(const struct app *app, struct sbuf *out)
{
	const struct scope *scope = views_scope(app);
	bool whole = true, any = false;
	uint32_t count;
	uint8_t *in;

	if (scope == NULL || app->s->trace->log == NULL)
		return false;
	in = processes_in(app, scope, &count);
	for (uint32_t p = 0; p < count; p++) {
		any |= in[p] == SOME_IN;
		whole &= in[p] == SOME_IN ? p > 0 : (in[p] & SOME_IN) == 0;
	}
	if (whole && any && out != NULL) {
		sbuf_printf(out, "%s%s", out->n > 0 ? ", " : "", scope->front ? "only " : "process ");
		if (scope->front)
			front_text(out, app, in, scope_size(scope));
		else
			processes_text(out, app, in);
	}
	mem_free(in);
	return whole && any;
}

bool
choice_any(const struct app *app)
{
	return app->s->choice.tags != 0 || app->s->choice.level != 0 || processes_chosen(app, NULL);
}

void
choice_text(struct sbuf *out, const struct app *app)
{
	log_choice_text(out, &app->s->choice);
	processes_chosen(app, out);
}

/* Lines of the prompt -------------------------------------------------------------- */

bool
cmd_level(struct app *app, const struct argument *a, struct err *e)
{
	struct log_choice choice = app->s->choice;

	return log_choice_read_level(&choice, a->text, e) && choose(app, &choice);
}

bool
cmd_tag(struct app *app, const struct argument *a, struct err *e)
{
	struct log_choice choice = app->s->choice;

	return log_choice_read_tags(&choice, a->text, e) && choose(app, &choice);
}

/* Only the threads of that word, as --thread and (`arg`) --process have it; all without one. */
bool
cmd_choose_threads(struct app *app, const struct argument *a, struct err *e)
{
	char word[PROMPT_MAX + 1];
	const char *const words[] = {word};
	const bool process = a->arg != 0;
	const bool all = a->text.n == 0 || (!process && str_equal(a->text, STR("all")));
	struct thread_words wanted = {.processes = words, .process_count = process && !all,
	    .threads = words, .thread_count = !process && !all};
	struct scope *scope = NULL;
	bool whole;

	snprintf(word, sizeof(word), "%.*s", STR_ARG(a->text));
	if (!thread_words_choose(&wanted, app->s->trace, &scope, e)) {
		scope_free(scope);
		return false;
	}
	whole = scope == NULL;
	app_choose_scope(app, scope);
	app_say(app, whole ? "all threads"
		: process ? "only its threads (T: all, u: undo)"
			  : "only this thread (T: all, u: undo)");
	return true;
}

/* The popup --------------------------------------------------------------------------- */

/*
 * Rows have ids of a kind, << 32, and: of levels the place, 0 all; tags; processes' numbers.  The
 * row of processes that did nothing has the id that it has in the list of threads.
 */
enum choice_kind { CHOICE_LEVEL = UINT16_MAX, CHOICE_TAG, CHOICE_PROCESS };

static uint64_t
choice_id(enum choice_kind kind, uint32_t which)
{
	return (uint64_t)kind << 32 | which;
}

static void
levels_fill(struct app *app)
{
	static const char *const and_above[LOG_LEVELS] = {
	    "debug and above", "info and above", "critical and above"};
	uint64_t count = 0;

	for (int i = 0; i < LOG_LEVELS; i++)
		count += app->s->now.log.levels[i];
	if (count == 0 && app->s->choice.level == 0)
		return; /* only HarmonyOS has levels */
	popup_add(app, choice_id(CHOICE_LEVEL, 0), app->s->choice.level == 0 ? "(*)" : "( )",
	    "level    all, %" PRIu64 " slices state one", count);
	for (uint32_t i = 0; i < LOG_LEVELS; i++) {
		popup_add(app, choice_id(CHOICE_LEVEL, i + 1),
		    app->s->choice.level == log_levels[i].letter ? "(*)" : "( )",
		    "level    %-22s %12" PRIu64 " slices",
		    and_above[i] != NULL ? and_above[i] : log_levels[i].name, count);
		count -= app->s->now.log.levels[i];
	}
}

static void
tags_fill(struct app *app)
{
	for (int tag = 0; tag < LOG_TAGS; tag++) {
		bool chosen = (app->s->choice.tags >> tag & 1) != 0;
		struct sbuf name = {0};

		if (!chosen && app->s->now.log.tags[tag] == 0)
			continue;
		log_tag_text(&name, tag);
		popup_add(app, choice_id(CHOICE_TAG, (uint32_t)tag), chosen ? "[x]" : "[ ]",
		    "tag      %02d %-19s %12" PRIu64 " slices", tag, sbuf_cstr(&name),
		    app->s->now.log.tags[tag]);
		sbuf_release(&name);
	}
}

static void
process_add(struct app *app, uint32_t process, const struct process *p, bool chosen)
{
	enum { NAME_COLUMNS = 30 };
	struct str name = names_short(app->s->names, names_clean(app->s->names, p->name),
	    NAME_COLUMNS);

	popup_add(app, choice_id(CHOICE_PROCESS, process), chosen ? "[x]" : "[ ]",
	    "process  %5" PRIu32 " %.*s%*s %4" PRIu32 " threads", p->pid, STR_ARG(name),
	    NAME_COLUMNS - (int)utf8_width(name), "", p->threads);
}

/* In the order of the threads' list: the one in front first, those that did nothing closed. */
static void
processes_fill(struct app *app)
{
	struct threads *t = &app->s->picker_threads;
	struct processes all;
	uint32_t count;
	uint8_t *in = processes_in(app, scope_chosen(app->s->subset.scope), &count);

	t->list.all = app->popup.own.filter != NULL;
	/* The list of threads may have left its filter. */
	(void)list_filter(picked_threads(app), STR(""), &(struct err){0});
	list_refilter(&t->list);
	processes_make(&all, app->s->trace);
	for (size_t i = 0; i < t->list.at.count; i++) {
		const struct list_row *row = &t->list.rows[i];
		uint32_t process = threads_row_process(t, row);

		if (process > 0 && in[process] != 0)
			process_add(app, process, &all.items[process], in[process] == SOME_IN);
		else if ((row->flags & LIST_LAST) != 0 && process == 0 && t->grouped)
			popup_add(app, row->id.b,
			    list_is_open(&t->list, row->id) ? " - " : " + ", "%.*s",
			    STR_ARG(t->all.rest));
		in[process] = 0; /* its threads follow */
	}
	processes_release(&all);
	mem_free(in);
}

static void
choice_fill(struct app *app)
{
	levels_fill(app);
	tags_fill(app);
	processes_fill(app);
}

/* The processes that are chosen as a whole, with this one in or out. */
static void
process_toggle(struct app *app, uint32_t process)
{
	struct scope *scope = scope_new(trace_thread_count(app->s->trace), false);
	uint32_t count;
	uint8_t *in = processes_in(app, scope_chosen(app->s->subset.scope), &count);

	for (uint32_t i = 0; i < scope->count; i++) {
		uint32_t p = trace_thread(app->s->trace, i)->process;

		scope->in[i] = p > 0 && p < count && (in[p] == SOME_IN) != (p == process);
	}
	mem_free(in);
	/* No thread chosen means all. */
	if (scope_size(scope) == 0) {
		scope_free(scope);
		scope = NULL;
	}
	app_choose_scope(app, scope);
}

static void
choice_toggle(struct app *app, uint64_t id)
{
	struct log_choice choice = app->s->choice;
	uint32_t which = (uint32_t)id;

	if (id >> 32 == CHOICE_PROCESS) {
		process_toggle(app, which);
		return;
	}
	if (id >> 32 < CHOICE_LEVEL) {
		app_complain(app, "only single processes are chosen: + shows them");
		return;
	}
	if (id >> 32 == CHOICE_TAG)
		choice.tags ^= UINT64_C(1) << which;
	else
		choice.level = which > 0 ? log_levels[which - 1].letter : 0;
	if (log_choice_equal(&choice, &app->s->choice))
		return;
	app_note(app);
	choice_set(app, &choice);
}

/* Only the row of processes that did nothing has more below it. */
static void
choice_open(struct app *app, uint64_t id)
{
	(void)list_go(&app->s->picker_threads.list, (struct list_id){0, id}, 0);
	pick_open(app, id);
}

static void
choice_all(struct app *app, uint64_t id)
{
	app_choose_scope(app, NULL);
	choice_set(app, &(struct log_choice){0});
}

const struct popup_ops choice_list = {
    .title = "what of the log is shown",
    .width = 62,
    .fill = choice_fill,
    .acts = {
        {LIST_TOGGLE, choice_toggle, "choose", false, false},
        {LIST_ALL, choice_all, "all", false, true},
        {LIST_WIDER, choice_open, NULL, false, false},
        {LIST_NARROWER, choice_open, NULL, false, false},
        {LIST_CHOOSE, NULL, "done", true, true},
    },
};
