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
#include "view/thread_list.h"

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
/* From row `top` on; names and values in two columns. */
void info_draw(struct canvas *, struct rect, const struct info *, size_t top);

#endif
