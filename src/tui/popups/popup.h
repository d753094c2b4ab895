// SPDX-License-Identifier: Apache-2.0
/*
 * popup: a list in a frame over the screen: pickers, filters, help.
 *
 * A table of functions says what it lists: lines of its own (popup_add), or a list that is there
 * anyway.  The popup knows the frame and its keys.  It always fits the screen and scrolls.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/keys/key.h"
#include "view/canvas.h"
#include "view/list/list.h"

struct app;
struct command;

/* Actions on the lines of a list; each list has some of them. */
enum list_act {
	LIST_NOTHING,
	LIST_CHOOSE,
	LIST_TOGGLE,
	LIST_ALL,
	LIST_PIN,
	LIST_REMOVE,
	LIST_EDIT,
	LIST_AUTO,
	LIST_LEFT,
	LIST_RIGHT,
	LIST_WIDER,
	LIST_NARROWER,
};

enum { POPUP_ACTS = 8 };

struct popup_act {
	enum list_act act;
	void (*run)(struct app *, uint64_t id); /* NULL: it only closes the list */
	const char *hint; /* a word for the frame; may be NULL */
	bool closes;
	bool any; /* also when no row is there; `id` is 0 then */
};

struct popup_row {
	uint64_t id; /* what the cursor stays on when the list changes */
	char *sign;  /* owned: the sign with a NUL, then the text */
	const char *text;
};

struct popup_ops {
	const char *title;
	const char *none; /* why it is empty; NULL: it never is */
	int width; /* columns that the rows need */
	/*
	 * Least width of rows side by side on a wide screen; such a list has no cursor.
	 * 0: one below another.
	 */
	int least;
	look signs;            /* how the signs look */
	void (*fill)(struct app *); /* adds all rows (popup_add); NULL: */
	/* The list, which is drawn with its header. */
	struct list *(*list)(struct app *);
	/* Draws a row; NULL: its sign and its text. */
	void (*draw)(struct app *, struct canvas *, struct rect, const struct popup_row *);
	/* Keys that only the list itself knows, by name; true when it was one.  May be NULL. */
	bool (*key)(struct app *, const char *name);
	struct popup_act acts[POPUP_ACTS]; /* up to LIST_NOTHING */
};

struct popup {
	const struct popup_ops *ops; /* NULL: none is open */
	struct list own, *list;      /* list: its own, or another */
	struct popup_row *rows;      /* of its own, by `item` */
	size_t count, room;
	enum list_act act; /* that is done */
	const char *about; /* after the title; may be NULL */
	char filter[200];
};

/* Opens the popup with the cursor on that row, or on the first. */
void popup_open(struct app *, const struct popup_ops *, uint64_t id);
/* From `fill`: the next row.  The text is what `/` looks at; after a TAB comes a method's name. */
void popup_add(struct app *, uint64_t id, const char *sign, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void popup_row_draw(
    struct app *, struct canvas *, struct rect, const struct popup_row *);
void popup_release(struct popup *);
/* The list may have changed: looks again. */
void popup_refresh(struct app *);
/* True when the key, which runs the command in lists (or NULL), was one of its own. */
bool popup_key(struct app *, const struct key *, const struct command *);
/* Goes to the row there; true when it was on it already. */
bool popup_click(struct app *, int row, int column);
/* The screen, or the list, has another size. */
void popup_layout(struct app *);

void popup_draw(struct app *, struct canvas *);
