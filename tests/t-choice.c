// SPDX-License-Identifier: Apache-2.0
/* Levels and tags of a log's slices: parsing, writing, and reading again with others. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/sbuf.h"
#include "format/format.h"
#include "opened-log.h"
#include "tap/tap.h"
#include "tests/folded.h"

static void
words(void)
{
	static const struct {
		const char *level, *tags, *text; /* text NULL: not understood */
	} rows[] = {
		{ "all", "all", "" },
		{ "", "", "" },
		{ "info", "", "level info and above" },
		{ "I", "app", "level info and above, tags app" },
		{ "m", "62,38 , ,ace", "level commercial, tags graphic, ace, app" },
		{ "c", "63", "level critical and above, tags 63" },
		{ "infos", "", NULL },
		{ "DI", "", NULL },
		{ "", "64", NULL },
		{ "", "app,none", NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct log_choice choice = {.tags = 1, .level = 'D'};
		struct sbuf text = {0};
		struct err e = {0};
		bool good = log_choice_read_level(&choice, str_from(rows[i].level), &e) &&
		    log_choice_read_tags(&choice, str_from(rows[i].tags), &e);

		if (!good) {
			ok(rows[i].text == NULL && e.kind == ERR_MALFORMED, "'%s' '%s': %s",
			    rows[i].level, rows[i].tags, e.what);
			continue;
		}
		log_choice_text(&text, &choice);
		is_str(sbuf_cstr(&text), rows[i].text != NULL ? rows[i].text : "(refused)",
		    "what is told of '%s' '%s'", rows[i].level, rows[i].tags);
		sbuf_release(&text);
	}
}

#define LINE(core, at, text) "a-" core "1 (1) [00" core "] .... 10.0000" at ": " text "\n"
#define MARK(core, at, text) LINE(core, at, "tracing_mark_write: " text)
#define SWITCH(core, at, prev, next)                                                      \
	LINE(core, at, "sched_switch: prev_comm=a prev_pid=" prev                         \
	    " prev_prio=120 prev_state=S ==> next_comm=a next_pid=" next " next_prio=120")

/* Two cores, every form, one line late. */
static const char text[] =
    SWITCH("0", "00", "0", "1")
    MARK("0", "10", "B|1|H:outer|M62")
    MARK("0", "11", "S|1|H:[a,1,0]#load|7|D38|net|k=v")
    MARK("0", "20", "B|1|H:inner|D38")
    MARK("0", "30", "B|1|H:[a,2,1]#leaf|I3862")
    MARK("0", "40", "E|1|I3862")
    SWITCH("1", "35", "11", "0")
    MARK("0", "50", "E|1|D38")
    MARK("0", "60", "C|1|H:count|5|M62")
    MARK("0", "70", "F|1|H:load|7|D38")
    MARK("0", "80", "B|1|plain")
    MARK("0", "85", "E|1")
    SWITCH("0", "88", "1", "0")
    SWITCH("0", "92", "0", "1")
    MARK("0", "99", "E|1|M62");

static struct trace *
opened(const struct log_choice *choice)
{
	struct err e = {0};
	struct trace *t = format_open_memory(text, sizeof(text) - 1, "log", &e);

	t->log->choice = *choice;
	return t;
}

/* The figures of every slice, by name, and what was counted. */
static void
told(struct sbuf *out, const struct opened *o)
{
	static const char *const names[] = {"outer", "inner", "leaf", "load", "plain"};
	const struct log_summary *s = &o->p->trace->log->summary;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct method_sum *sum = sum_of(o, names[i]);

		sbuf_printf(out, "%s %d %d %d %d %d\n", names[i], (int)sum->calls,
		    (int)sum->inclusive[CLOCK_WALL], (int)sum->exclusive[CLOCK_WALL],
		    (int)sum->inclusive[CLOCK_CPU], (int)sum->exclusive[CLOCK_CPU]);
	}
	for (int i = 0; i < log_count_count; i++)
		sbuf_printf(out, "%s %d\n", log_counts[i].name,
		    (int)log_count_get(s, &log_counts[i]));
	sbuf_printf(out, "switches %d samples %d links %d span %d damage %d\n",
	    (int)o->p->trace->log->sched.switches, (int)o->p->trace->log->samples.count,
	    (int)o->p->trace->log->links.count, (int)(o->p->end - o->p->begin),
	    damage_count(&o->p->damage));
}

/* However far it had been read, with whatever choice before. */
static void
again(void)
{
	static const struct log_choice choices[] = {
		{0}, {.level = 'I'}, {.level = 'M'}, {.tags = UINT64_C(1) << 38}, {.tags = 1},
		{.tags = UINT64_C(1) << 62, .level = 'I'}, {0},
	};
	const size_t count = sizeof(choices) / sizeof(choices[0]);
	struct trace *t = opened(&choices[0]);
	struct opened o = open_trace(t);
	uint32_t methods = trace_method_count(t);

	for (size_t i = 1; i < count; i++) {
		struct opened fresh = open_trace(opened(&choices[i]));
		struct sbuf want = {0}, got = {0};
		char choice[80];

		fold_free(o.fold);
		if (i % 2 == 0) { /* in the middle */
			profile_restart(o.p);
			(void)profile_load(o.p, 3, &o.e);
		}
		t->log->choice = choices[i];
		profile_restart(o.p);
		is_int(o.p->state, LOAD_MORE, "loading begins again");
		while (profile_load(o.p, 2, &o.e) == LOAD_MORE) {
		}
		o.fold = fold_new(o.p, NULL, NULL, NULL);
		told(&want, &fresh);
		told(&got, &o);
		snprintf(choice, sizeof(choice), "level %d tags %llx", choices[i].level,
		    (unsigned long long)choices[i].tags);
		is_str(sbuf_cstr(&got), sbuf_cstr(&want), "%s: as if opened so", choice);
		is_int(trace_method_count(t), methods, "no method is new");
		sbuf_release(&want);
		sbuf_release(&got);
		done(&fresh);
	}
	is_int((int64_t)t->log->summary.levels[0], 2, "slices of level debug");
	is_int((int64_t)t->log->summary.tags[38], 3, "slices with a tag");
	is_int((int64_t)t->log->summary.tags[62], 2, "and with another");
	done(&o);
}

/* What was a level when its line was parsed may be anything since. */
static void
overwritten(void)
{
	const struct str level = STR("I3\xff\x80");

	ok(log_level_tag(STR("I3062"), 1) == 30 && log_level_tag(STR("I3062"), 3) == 62, "tags");
	ok(log_level_tag(level, 1) < LOG_TAGS && log_level_tag(level, 2) < LOG_TAGS,
	    "are tags whatever they are made of");
}

int
main(void)
{
	words();
	overwritten();
	again();
	return tap_done();
}
