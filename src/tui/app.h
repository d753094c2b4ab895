// SPDX-License-Identifier: Apache-2.0
/*
 * app: the state of the terminal program, shared by the files of this folder.
 *
 * Commands change it (commands.h), app_take brings in the answers of the engine, drawing
 * (draw.c) only reads it.  The models of the panes are view's; the state here is which of
 * them are on the screen and which has the keyboard.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tui/compare.h"
#include "tui/follow.h"
#include "tui/keys/prompt.h"
#include "tui/keys/queue.h"
#include "tui/popups/popup.h"
#include "tui/reload.h"
#include "tui/screens/calls.h"
#include "tui/screens/screens.h"
#include "tui/settings/settings.h"
#include "tui/start.h"
#include "tui/term/term.h"
#include "tui/writing.h"
#include "view/diff/choice.h"
#include "view/canvas.h"
#include "view/session.h"
#include "view/title.h"

enum pane { PANE_TABLE, PANE_TIMELINE };

enum {
	ROWS_MIN = 8,
	COLUMNS_MIN = 40,
	ROWS_FOR_TIMELINE = 16, /* and for the bar of views */
	ROWS_FOR_FOUND = 20,    /* the first screen tells the first finding */
	ROWS_FOR_STRIP = 30,    /* the timeline is above other views, too */
	TIMELINE_MIN = 3,
	TIMELINE_USUAL = 7, /* of a small screen: five threads; not more than a third of it */
	TABLE_MIN = 4
};

/* Where everything is on the screen; rows 0: not shown. */
struct layout {
	int rows, columns;
	bool too_small;
	int title; /* its row: 1 below the bar of views, 0 where there is none */
	struct rect found; /* the first finding */
	struct rect filters, timeline, table, info; /* timeline: alone, or above the rest */
	struct rect body; /* of views that are one pane */
	struct rect details;
};

/* A question that the prompt asks: its label, and what happens to the answer. */
struct ask {
	const char *label;
	void (*changed)(struct app *);   /* while typing; may set the prompt's error */
	bool (*accepted)(struct app *);  /* false: the prompt stays; NULL: all is done */
	void (*cancelled)(struct app *); /* puts back what was before; NULL: nothing is */
	/*
	 * Offers words for the prompt's text (prompt_offer); NULL: none.  Returns whether
	 * the text changed.
	 */
	bool (*complete)(struct app *);
	const char *kept; /* as in prompt.h; NULL: the text is no pattern */
	char kind;        /* of its lines: one of prompt_kinds; 0: they are not kept */
};

/* The transform that the prompt asks an argument for. */
struct transform_ask {
	enum transform_id id;
	size_t index; /* that is edited; beyond the list: a new one */
};

struct app {
	struct session *s; /* of the trace on the screen; owned */
	struct notify arrived; /* answers of any engine, or a trace that was opened */
	const struct tui_options *options; /* borrowed; NULL until it runs */
	struct term *term;
	struct settings *settings;   /* borrowed */
	const struct keymap *keymap; /* theirs */

	struct canvas canvas;
	struct bar bar; /* of views, as it was drawn last */
	int eye_row; /* of the cursor at the last draw; -1: nowhere */
	struct layout layout;

	enum view view;
	enum pane focus;
	bool maximised;
	bool together;     /* one tree for all threads is wanted */
	char usage_filter[PROMPT_MAX + 1]; /* of the rows of a log's table, before it is edited */

	struct compare compare; /* with another trace */
	struct reload reload;
	struct follow follow;
	const struct start *start; /* borrowed; NULL: nothing */

	const struct ask *ask; /* NULL: no prompt */
	struct prompt prompt;
	struct prompt_history lines[PROMPT_KINDS];
	struct transform_ask transform_ask;
	struct writing writing;
	char export_refused[PROMPT_MAX + 1]; /* there is such a file; empty: none */
	struct filters filters_before; /* of the filter prompt */
	char *search_text;             /* in force, NULL: none */
	struct place search_from;      /* where the user was when the search prompt opened, */
	const struct session *search_of; /* in this session; NULL: the cursor is still there */
	struct popup popup;

	struct key_queue keys;
	bool laid_out, asked; /* as everything is now */
	char message[300];
	look message_look;

	int64_t
	    interrupted_ms; /* when ^C was last pressed with nothing to stop; 0: not */
	bool quit;
	int status;
};

/* The place of the terminal's own cursor. */
struct draw_cursor {
	int row, column;
	bool visible;
};

/* draw.c: the state as cells; changes only the canvas. */
struct draw_cursor draw_app(struct app *);
/* True if conditions, filters, transforms or a choice that the view shows need a line. */
bool draw_has_changes(const struct app *);

/* Everything but the terminal and the engine, which loop.c adds. */
void app_init(struct app *, struct trace *, struct settings *, bool utf8);
void app_release(struct app *);

/* Keys and answers may have changed anything. */
void app_changed(struct app *);
/* Divides the screen as it must be now, where it may have changed. */
void app_lay_out(struct app *);
/* Divides the screen (app_lay_out) and asks the engine for what the screen needs. */
void app_follow(struct app *);
/*
 * Adds to `asked` the queries that the screen needs, for the subset in it; borrows from it, from
 * `idle`, which the caller releases, and from the views until they change.
 */
void app_asks(struct app *, struct asked *, struct sbuf *idle);
/* Takes all that is ready; returns whether anything on the screen may differ. */
bool app_take(struct app *);
/* Takes only the answers about the trace on the screen; returns as app_take. */
bool app_take_answers(struct app *);
/* Takes over the value; the query may be taken, too. */
void app_take_answer(struct app *, enum query_kind, struct answer *);

/* Which bindings hold: a set of contexts (commands.h). */
unsigned app_context(const struct app *);
/* All figures are of that range from now on; RANGE_ALL: of the whole trace (time.c). */
void app_limit(struct app *, struct range);
/* The timeline shows the range, or the whole trace. */
void app_zoom_to_range(struct app *);
/*
 * Before a change of filters, transforms, threads or window: what is now can be gone back to
 * (place.c).
 */
void app_note(struct app *);
/* The rules of idle time have changed (popups/idle.c). */
void idle_changed(struct app *);
/* Moments are written as the settings say, as far as the trace tells by now. */
void app_follow_times(struct app *);
/* The figures are of that from now on; copied. */
void app_count(struct app *, const struct subset *);
/* Only these threads from now on (taken over; NULL: all). */
void app_set_scope(struct app *, struct scope *);
/* Sets them by a user's command, which undo takes back. */
void app_choose_scope(struct app *, struct scope *);
/* Why there may be no call to show. */
const char *app_none(const struct app *);
/* Takes back the last step (-1) or takes it again (1); false: there is none. */
bool app_step(struct app *, int direction);
/* Goes back to where a cursor was in the present view; all else stays as it is. */
void app_return(struct app *, const struct place *);
/* Goes to a place, but does not enter its view, whose list stays as it is. */
void place_give(struct app *, const struct place *);
/* Before a jump: puts one step on the way back, to here. */
void app_visit(struct app *);
/* The user's present place; the caller releases it or hands it to the history. */
struct place app_place(struct app *);
/* Changes the view as app_view does; the tree, once it is there, opens down to the selection. */
void app_jump(struct app *, enum view);
/*
 * To the tree of a thread, and another one unless it is THREAD_NONE, in that time, open down to the
 * method, METHOD_NONE: to none.
 */
void app_jump_to(struct app *, uint32_t thread, uint32_t other, struct range, uint32_t method);
/* Changes to another view, on what is selected in this one; adds a step on the way back. */
void app_view(struct app *, enum view);
/* Changes the view as app_view does, but adds no step. */
void app_put_view(struct app *, enum view);
/* Shows a view by its key: a step, if it is another. */
void app_show(struct app *, enum view);
/* The timeline goes to its thread, if it has one. */
void app_select_thread(struct app *);
/* The present view goes to app->s->selected. */
void app_enter(struct app *);
/* Has the prompt ask; `text` is there to begin with. */
void app_ask(struct app *, const struct ask *, struct str text);
/* The lines of such prompts; NULL: none are kept. */
struct prompt_history *app_lines(struct app *, char kind);
/* The effect of Enter there. */
void app_accept(struct app *);

/* Shown in the last line until the next key.  Returns false, for functions that say why not. */
bool app_tell(struct app *, look, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define app_say(app, ...)      app_tell(app, ROLE_FOOTER, __VA_ARGS__)
#define app_complain(app, ...) app_tell(app, ROLE_ERROR, __VA_ARGS__)

/* The window that would be chosen now. */
struct range app_chosen(const struct app *);
/* The window that the figures on the screen are of. */
struct range app_window_shown(const struct app *);

static inline bool
app_loading(const struct app *app)
{
	return app->s->now.state == LOAD_MORE;
}

/* True if all is loaded, and a query of this kind is not answered in full yet. */
static inline bool
app_open(const struct app *app, enum query_kind kind)
{
	return !app_loading(app) && (app->s->work.open & 1u << kind) != 0;
}

/*
 * The figures are being counted anew after a change of window, threads or transforms, while
 * those of before are still on the screen.
 */
bool app_recounting(const struct app *);
/* Does it with what is selected, or asks for what it takes (popups/transforms.c). */
void transform_begin(struct app *, enum transform_id);

/* Goes back to what the figures are of; false when they are not counted anew. */
bool app_recounting_stop(struct app *);
