/*
 * popup: a framed list over the screen: pickers, filters, help.
 *
 * What it lists is told by a table of functions; the popup itself knows the cursor,
 * scrolling, the filter and its frame.  It always fits the screen and scrolls.
 */
#ifndef SLOWTOP_TUI_POPUPS_POPUP_H
#define SLOWTOP_TUI_POPUPS_POPUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/keys/key.h"
#include "view/canvas.h"
#include "view/rect.h"
#include "view/list/scroll.h"

struct app;
struct pattern;

/* What can be done with the lines of a list; none of them has all. */
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

struct popup_act {
	enum list_act act;
	void (*run)(struct app *, size_t item); /* NULL: it only closes the list */
	const char *hint; /* a word for the frame; may be NULL */
	bool closes;
	bool any; /* also when no item is there; `item` is 0 then */
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
	size_t items; /* so many, or as many as this tells: */
	size_t (*count)(struct app *);
	/* A row is a sign and a text, */
	const char *(*sign)(struct app *, size_t item);
	/* What `/` looks at, too; NULL: no filter. */
	void (*text)(struct app *, size_t item, char *text, size_t size);
	/* or draws itself. */
	void (*draw)(struct app *, struct canvas *, struct rect row, size_t item);
	/* What the cursor stays on when the list changes; NULL: the item's number. */
	uint64_t (*identity)(struct app *, size_t item);
	/* One line above the rows; NULL: none. */
	void (*header)(struct app *, struct canvas *, struct rect row);
	/* Keys that only the list itself knows, by name; true when it was one.  May be NULL. */
	bool (*key)(struct app *, const char *name);
	const struct popup_act *acts; /* up to LIST_NOTHING; may be NULL */
};

struct popup {
	const struct popup_ops *ops; /* NULL: none is open */
	size_t *items;               /* those that pass the filter */
	size_t room;
	struct scroll at;  /* among them */
	uint64_t on;       /* identity of the item at the cursor */
	enum list_act act; /* that is done */
	const char *about; /* after the title; may be NULL */
	char filter[200];
	struct pattern *pattern;
};

/* Opens the popup with the cursor on that item, or on the first. */
void popup_open(struct app *, const struct popup_ops *, uint64_t identity);
void popup_release(struct popup *);
/* The list may have changed: looks again. */
void popup_refresh(struct app *);
/* Is the cursor on it? */
bool popup_is_on(const struct app *, size_t item);
/* True when the key was one of its own. */
bool popup_key(struct app *, const struct key *);
/* Goes to the item there; true when it was on it already. */
bool popup_click(struct app *, int row, int column);
/* The screen, or the list, has another size. */
void popup_layout(struct app *);

void popup_draw(struct app *, struct canvas *);

#endif
