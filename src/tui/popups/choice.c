#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/popups/choice.h"
#include "view/names/processes.h"
#include "view/names/thread_words.h"

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

/* Chooses, with a note for undo of the choice before. */
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

/* How many threads of each process there are, and are chosen; by index + 1. */
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
		c->in[process] += app->subset.scope != NULL && scope_has(app->subset.scope, i);
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

/* Lines of the prompt -------------------------------------------------------------- */

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
	app_choose_scope(app, scope);
	app_say(app, wanted.process_count > 0 ? "only its threads (T: all, u: undo)"
					      : "threads of all processes");
	return true;
}

/* The popup --------------------------------------------------------------------------- */

enum choice_kind { CHOICE_LEVEL, CHOICE_TAG, CHOICE_PROCESS };

struct choice {
	enum choice_kind kind;
	uint32_t which; /* level: its place, 0 all; tag; process: index + 1 */
};

static bool
tag_listed(const struct app *app, int tag)
{
	return app->now.log.tags[tag] > 0 || (app->choice.tags >> tag & 1) != 0;
}

/* Levels, then tags that the log has, then processes. */
static struct choice
choice_at(const struct app *app, size_t item)
{
	if (item <= LOG_LEVELS)
		return (struct choice){CHOICE_LEVEL, (uint32_t)item};
	item -= LOG_LEVELS + 1;
	for (int tag = 0; tag < LOG_TAGS; tag++)
		if (tag_listed(app, tag) && item-- == 0)
			return (struct choice){CHOICE_TAG, (uint32_t)tag};
	return (struct choice){CHOICE_PROCESS, (uint32_t)item + 1};
}

static size_t
choice_count(struct app *app)
{
	size_t count = LOG_LEVELS + 1;

	if (app->trace->log == NULL)
		return 0;
	count += seg_count(&app->trace->log->processes);
	for (int tag = 0; tag < LOG_TAGS; tag++)
		count += tag_listed(app, tag);
	return count;
}

static uint64_t
choice_identity(struct app *app, size_t item)
{
	struct choice c = choice_at(app, item);

	return (uint64_t)c.kind << 32 | c.which;
}

/* All its threads are chosen. */
static bool
process_in(const struct app *app, uint32_t process)
{
	struct counts c;
	bool in;

	counts_make(&c, app);
	in = c.in[process] > 0 && c.in[process] == c.all[process];
	counts_release(&c);
	return in;
}

static bool
chosen(const struct app *app, struct choice c)
{
	switch (c.kind) {
	case CHOICE_LEVEL:
		return c.which == 0 ? app->choice.level == 0
				    : app->choice.level == log_levels[c.which - 1].letter;
	case CHOICE_TAG:
		return (app->choice.tags >> c.which & 1) != 0;
	default:
		return process_in(app, c.which);
	}
}

static void
level_text(const struct app *app, uint32_t which, char *out, size_t size)
{
	uint64_t count = 0;

	for (uint32_t i = which > 0 ? which - 1 : 0; i < LOG_LEVELS; i++)
		count += app->now.log.levels[i];
	if (which == 0)
		snprintf(out, size, "level    all, %" PRIu64 " slices state one", count);
	else
		snprintf(out, size, "level    %-22s %12" PRIu64 " slices",
		    which == LOG_LEVELS ? log_levels[which - 1].name
		    : which == LOG_LEVELS - 1 ? "critical and above"
		    : which == LOG_LEVELS - 2 ? "info and above"
					      : "debug and above",
		    count);
}

static void
process_text(struct app *app, uint32_t which, char *out, size_t size)
{
	const struct log_process *p = seg_at(&app->trace->log->processes, which - 1);
	uint32_t threads = trace_thread_count(app->trace), count = 0;
	struct str name = p->name;
	char label[60];

	for (uint32_t i = 0; i < threads; i++) {
		const struct thread *t = trace_thread(app->trace, i);

		if (t->process != which || t->kind != THREAD_TASK)
			continue;
		count++;
		if (name.n == 0 && t->id == p->pid)
			name = t->name;
	}
	name = names_clean(app->names, name);
	snprintf(label, sizeof(label), "%" PRIu32 " %.*s", p->pid, STR_ARG(name));
	snprintf(out, size, "process  %-30s %4" PRIu32 " threads", label, count);
}

static void
choice_text_of(struct app *app, size_t item, char *out, size_t size)
{
	struct choice c = choice_at(app, item);
	struct sbuf name = {0};

	switch (c.kind) {
	case CHOICE_LEVEL:
		level_text(app, c.which, out, size);
		break;
	case CHOICE_TAG:
		log_tag_text(&name, (int)c.which);
		snprintf(out, size, "tag      %02" PRIu32 " %-19s %12" PRIu64 " slices", c.which,
		    sbuf_cstr(&name), app->now.log.tags[c.which]);
		sbuf_release(&name);
		break;
	default:
		process_text(app, c.which, out, size);
		break;
	}
}

static const char *
choice_sign(struct app *app, size_t item)
{
	struct choice c = choice_at(app, item);

	if (c.kind == CHOICE_LEVEL)
		return chosen(app, c) ? "(*)" : "( )";
	return chosen(app, c) ? "[x]" : "[ ]";
}

/* The processes that are chosen as a whole, with this one in or out. */
static void
process_toggle(struct app *app, uint32_t process)
{
	struct scope *scope = scope_new(trace_thread_count(app->trace), false);
	struct counts c;

	counts_make(&c, app);
	for (uint32_t i = 0; i < scope->count; i++) {
		uint32_t p = trace_thread(app->trace, i)->process;

		scope->in[i] = p > 0 && p < c.count &&
		    (c.in[p] == c.all[p]) != (p == process);
	}
	counts_release(&c);
	/* No thread chosen means all. */
	if (scope_size(scope) == 0) {
		scope_free(scope);
		scope = NULL;
	}
	app_choose_scope(app, scope);
}

static void
choice_toggle(struct app *app, size_t item)
{
	struct choice c = choice_at(app, item);
	struct log_choice choice = app->choice;

	if (c.kind == CHOICE_PROCESS) {
		process_toggle(app, c.which);
		return;
	}
	if (c.kind == CHOICE_TAG)
		choice.tags ^= UINT64_C(1) << c.which;
	else
		choice.level = c.which > 0 ? log_levels[c.which - 1].letter : 0;
	if (log_choice_equal(&choice, &app->choice))
		return;
	app_note(app);
	choice_set(app, &choice);
}

static void
choice_all(struct app *app, size_t item)
{
	static const struct log_choice all;

	(void)item;
	app_choose_scope(app, NULL);
	choice_set(app, &all);
}

static const struct popup_act choice_acts[] = {
    {LIST_TOGGLE, choice_toggle, "choose", false, false},
    {LIST_ALL, choice_all, "all", false, true},
    {LIST_CHOOSE, NULL, "done", true, true},
    {0},
};

static const struct popup_ops choice_ops = {
    .title = "what of the log is shown",
    .none = "a method trace has no levels, tags and processes",
    .width = 62,
    .count = choice_count,
    .sign = choice_sign,
    .text = choice_text_of,
    .identity = choice_identity,
    .acts = choice_acts,
};

void
cmd_choice(struct app *app)
{
	popup_open(app, &choice_ops, 0);
}
