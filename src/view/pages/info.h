// SPDX-License-Identifier: Apache-2.0
/*
 * info: what is known about the trace, or about one method, as rows of text.
 *
 * Rows are made from the present state (info_build, info_build_method) and own their
 * text.  Output of any width prints them unchanged (slowtop info); a screen breaks them
 * into lines that fit (info_lay_out, info_draw).
 */
#pragma once

#include "base/mem.h"
#include "view/canvas.h"
#include "view/names/names.h"
#include "view/query/engine.h"
#include "view/sheet.h"

enum info_kind {
	INFO_HEADING,
	INFO_PAIR,    /* name and value */
	INFO_DAMAGE,  /* the same, a loss */
	INFO_NOTE,    /* one text over both columns */
	INFO_TITLES,  /* the head of a table: its figures, and after them a text */
	INFO_FIGURES, /* a line of it */
	INFO_BLANK,
};

struct info_row {
	enum info_kind kind;
	struct str name, value; /* clean */
};

struct pattern;
struct frames;
struct starts;

struct info {
	const struct trace *trace;
	struct names *names;
	struct info_row *rows;
	size_t count, room;
	struct info_row *lines; /* parts of rows that fit in a line; none until info_lay_out */
	size_t line_count, line_room;
	int columns; /* that the lines are for; 0: there are none */
	struct arena arena;
	struct sbuf text; /* value of the next pair, or its beginning; need not be clean */
	const struct starts *starts; /* of apps, for info_build; NULL: not known */
	bool shared; /* readers elsewhere get it: no paths and commands of this machine */
};

/*
 * `status`: of loading; `fold` may be NULL.  Threads that are not in `list` are not
 * listed; NULL: all are.
 */
void info_build(struct info *, const struct trace *, struct names *,
    const struct load_status *, const struct fold *fold, const struct scope *list);
/* A thread of a log at a time, its slice then, and what is known of them beyond. */
struct info_slice {
	uint32_t thread;
	nsec at;
	const struct call *call; /* NULL: none is open */
	const struct engine_slice *more;
};

/*
 * All about one method (details): full name, file, figures on both clocks, relations.
 * `slice`: one of its calls that is to come first, or NULL; `calls`: what is known of all
 * of them, or NULL.  `method` METHOD_NONE: only the slice.
 */
void info_build_method(struct info *, const struct trace *, struct names *,
    const struct fold *, uint32_t method, const struct info_slice *slice,
    const struct calls *calls);
/* Rows about a thread; `fold` may be NULL. */
void info_build_thread(struct info *, const struct trace *, struct names *,
    const struct fold *, uint32_t thread);
/* Rows about a frame of a log (frame.c); NULL: it is in no list any more. */
void info_build_frame(struct info *, const struct trace *, struct names *, const struct frames *,
    const struct jank_frame *);
void info_release(struct info *);

/*
 * How rows are added, by what builds them.  All text is cleaned, cut when it is absurdly long,
 * and copied; borrows trace and names.
 */
void info_begin(struct info *, const struct trace *, struct names *);
/* After a blank row, unless it is the first. */
void info_heading(struct info *, const char *text);
void info_row_add(struct info *, enum info_kind, struct str name, struct str value);
/* Adds a pair with the value in `text`, which it empties. */
void info_add(struct info *, const char *name);
/* Adds a pair with the value in `text` and formatted text after it. */
void info_pair(struct info *, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void info_note(struct info *, struct str text);
/* "and so many more", if there are more than `most`. */
void info_more(struct info *, size_t all, size_t most);

/* Add single facts of info_build, for the heads of reports. */
void info_format(struct info *);
void info_recorded(struct info *, const struct sampled *, bool has_records);
void info_started(struct info *);
void info_slices(struct info *, const struct log_choice *);
void info_damage(struct info *, const struct damage *);

/* Columns of names before values; longer names are cut there. */
int info_name_columns(const struct info *);
/* Breaks the rows into lines for a screen of that width; O(1) when they are. */
void info_lay_out(struct info *, int columns);
/* True if the pattern matches in the line. */
bool info_is_hit(const struct info *, size_t line, const struct pattern *);
/* Draws from line `top` on, in the width of the last info_lay_out. */
void info_draw(struct canvas *, struct rect, const struct info *, size_t top);

/* `view`: a word for what it is about. */
void info_sheet(struct sheet *, const struct info *, const struct figures *, const char *view);
