/*
 * info: what is known about the trace itself, as rows: header, clocks, counts, damage.
 *
 * Built anew from where things stand; owns its text.
 */
#ifndef SLOWTOP_VIEW_INFO_H
#define SLOWTOP_VIEW_INFO_H

#include "base/mem.h"
#include "view/canvas.h"
#include "view/engine.h"
#include "view/names.h"
#include "view/rect.h"

enum info_kind {
	INFO_HEADING,
	INFO_PAIR,   /* name and value */
	INFO_DAMAGE, /* the same, a loss */
	INFO_NOTE,   /* one text over both columns */
	INFO_BLANK,
};

struct info_row {
	enum info_kind kind;
	struct str name, value; /* clean */
};

struct info {
	struct info_row *rows;
	size_t count, room;
	struct arena arena;
};

/* `news`: how things stand (engine.h); `fold` may be NULL. */
void info_build(struct info *, const struct trace *, struct names *,
    const struct engine_news *, const struct fold *fold);
/* All about one method (details): full name, file, figures on both clocks, relations. */
void info_build_method(struct info *, const struct trace *, struct names *,
    const struct fold *, uint32_t method);
void info_release(struct info *);
/* From row `top` on. */
void info_draw(struct canvas *, struct rect, const struct info *, size_t top);

/* One thread of the thread list: "[x]    1 main   2811.882  3214.000  87.5  ..." */
struct thread_row {
	uint32_t thread;
	bool chosen;
};
/* Header and row of the list; `selected` is the cursor line. */
void thread_header_draw(struct canvas *, int row, int column, int limit, const struct trace *);
void thread_row_draw(struct canvas *, int row, int column, int limit, const struct trace *,
    struct names *, const struct fold *, const struct thread_row *, bool selected);

#endif
