// SPDX-License-Identifier: Apache-2.0
/*
 * screens: how views are drawn and moved in.
 *
 * A view is what a digit shows and --view names, a row of views.def.  Its screen is functions over
 * the state of the program (app.h), in a file of its own, NAME.c.  What it shows it asks of the
 * engine; what it keeps of a trace is in its session (session.h).  Keys that only it has are rows
 * of the table of commands (commands.h), in a context of its own.
 *
 * All screens share app->s->selected: `leave` writes there what the cursor is on, `enter` goes to
 * what it says.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/list/list.h"
#include "view/place.h"
#include "view/query/engine.h"
#include "view/canvas.h"
#include "view/sheet.h"
#include "view/display.h"

struct app;
struct layout;
struct title;

/* The method, thread and time that the cursor of a view is on. */
struct subject {
	uint32_t method;   /* METHOD_NONE: none */
	uint32_t thread;   /* THREAD_NONE: the row has none; of rows of all threads the timeline's */
	struct range span; /* of a row with a thread; to < from: the moment of the time cursor */
};

/* Parts of the screen that a view has beside its rows, and whether transforms change it. */
enum shows {
	SHOWS_FILTERS = 1 << 0,  /* their line is above it on narrow screens */
	SHOWS_RECORDED = 1 << 1, /* transforms change nothing in it */
	SHOWS_DETAILS = 1 << 2,  /* the selected method's figures are beside it on wide screens */
	SHOWS_STRIP = 1 << 3,    /* the timeline is above it on high screens */
};

struct view_row {
	const struct screen *screen;
	size_t list;      /* where its list is in a session; 0: as the screen tells */
	unsigned context; /* which commands it has: one bit of enum context; 0: as the screen tells */
	unsigned answers; /* that its rows come with, 1 << enum query_kind; beside the methods */
	unsigned shows;   /* enum shows */
	const char *word, *keys, *command;
};

/* Functions may be NULL where a screen has nothing to do. */
struct screen {
	/* Its list, where that is not one of the session's; NULL: it has none. */
	struct list *(*list)(struct app *);
	/* Search, of views without a list; as in list.h. */
	enum hits_found (*next_hit)(struct app *, int direction);
	void (*count_hits)(struct app *, size_t *n, size_t *of);
	/* Is there something to show?  NULL: always. */
	bool (*known)(const struct app *);

	/* Its key, when it is shown; NULL: nothing more. */
	void (*again)(struct app *);

	/* Which commands it has now, where its view has no context. */
	unsigned (*context_of)(const struct app *);
	/* Brings the view up to date with what changed, before it is laid out. */
	void (*follow)(struct app *);
	/* Divides the body: all rows between title (and filters) and last line; NULL: the list's. */
	void (*layout)(struct app *, struct layout *, struct rect body);
	/* Asks for what it shows beside the methods. */
	void (*ask)(struct app *, struct asked *);
	/* There are new answers, or more is loaded. */
	void (*refresh)(struct app *);
	/* In place of the first line that title.h draws; false: not now. */
	bool (*title)(struct app *, const struct title *);
	/* Appends what was found, for a line below the title, and says how it looks; NULL: no line. */
	look (*found)(const struct app *, struct sbuf *out);
	/* Draws the body, if it is not the list; returns the row where the eye is, -1: nowhere. */
	int (*draw)(struct app *);
	/* For the last line: where the cursor is, and of how many rows. */
	size_t (*position)(const struct app *, size_t *rows);
	/* All it shows, to be written out, if it is no list; false when there is nothing yet. */
	bool (*sheet)(struct app *, struct sheet *, bool files);
	/* Writes the view as text, if it is no table. */
	void (*print)(struct app *, struct sbuf *);
	/* Sets what the cursor is on in the subject, which is the time cursor's by default. */
	void (*subject)(const struct app *, struct subject *);
	/* Moves by lines and pages (cmd_move), where no list is on the screen. */
	void (*move)(struct app *, int how);
	/* Takes over the subject of the view it replaces; NULL: ignores it. */
	void (*come)(struct app *, const struct subject *);
	void (*enter)(struct app *);
	void (*leave)(struct app *); /* NULL: it selects its method */
};

/* The i-th word of --view; NULL after the last. */
const char *views_word(int i);
/* The view of that word or key, to begin with; VIEWS: there is none. */
enum view views_find(const char *word);
/* The first key of a view; 0: it has none.  The view of a key; VIEWS: there is none. */
char views_key(enum view);
enum view views_of_key(char key);
/* True if the view has something to show of this trace. */
bool views_suits(const struct app *, enum view);
const struct view_row *views_now(const struct app *);
const struct view_row *views_of(enum view);
bool views_show(const struct app *, enum shows);
/* The threads that the present view is of; NULL: all. */
const struct scope *views_scope(const struct app *);
/* True if the present view's figures are those of the call trees. */
bool views_have_trees(const struct app *);
void screens_layout(struct app *, struct layout *, struct rect body);
/* Asks for what is slow, by the user's rules. */
void findings_ask(struct app *, struct asked *);
/* The body is the view's list. */
void layout_list(struct app *, struct layout *, struct rect body);
int screens_draw(struct app *);
/* Sets `app->s->selected` to what the present view hands on to another. */
void screens_select(struct app *);
struct subject screens_subject(const struct app *);
uint32_t screens_method(const struct app *);
/* The list on the screen, for the commands that all lists have; NULL: there is none. */
struct list *screens_list(struct app *);
size_t screens_position(struct app *, size_t *rows);
bool screens_have_sheet(struct app *);
bool screens_sheet(struct app *, struct sheet *, bool files);
/* All about a thread. */
void screens_show_thread(struct app *, uint32_t thread);

/* Search, as in table.h. */
enum hits_found screens_search_next(struct app *, int direction);
void screens_search_position(struct app *, size_t *n, size_t *of);

#define VIEW(number, functions, ...) extern const struct screen functions;
#include "view/views.def"
extern const struct screen screen_details;
/* The title of views of two traces, as the function of a screen. */
bool screens_title_compared(struct app *, const struct title *);
