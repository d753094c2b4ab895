/* The figures of a call tree: which columns there are, and what stands in them. */
#include <config.h>

#include "view/calltree_pane.h"

#include <string.h>

#include "base/utf8.h"

enum { GUTTER = 1, NAME_MIN = 20, WIDE = 140 };

static enum clock_id
clock_of(const struct calltree *t, enum column_id id)
{
	enum clock_id clock = t->table->figures.clock;

	if ((column_table[id].flags & LIST_OTHER_CLOCK) == 0)
		return clock;
	return clock == CLOCK_WALL ? CLOCK_CPU : CLOCK_WALL;
}

/* What all paths of the row have themselves: a chain's is one's. */
static nsec
exclusive(const struct calltree *t, const struct tree_row *row, enum clock_id clock)
{
	const struct path *items = calltree_paths(t)->items;
	nsec sum = items[row->path].exclusive[clock];

	/* Upside down all have the same time: that of the topmost method. */
	for (uint32_t id = row->path; id != row->head && t->callers == NULL;) {
		id = items[id].parent;
		sum += items[id].exclusive[clock];
	}
	return sum;
}

static struct value
share(const struct calltree *t, const struct tree_row *row, enum clock_id clock, nsec part,
    bool of_exclusive)
{
	const struct path *items = calltree_paths(t)->items;
	uint32_t parent = items[row->head].parent;
	struct value v = {.kind = VALUE_PERCENT, .a = part, .b = t->total[clock]};

	if (t->base == TREE_OF_PARENT && parent != PATH_NONE)
		v.b = of_exclusive && t->callers != NULL ? items[parent].exclusive[clock]
							 : items[parent].inclusive[clock];
	return v;
}

static struct value
time_value(nsec ns)
{
	return (struct value){.kind = VALUE_TIME, .a = ns};
}

static struct value
waiting(nsec wall, nsec cpu)
{
	return time_value(wall > cpu ? wall - cpu : 0);
}

static struct value
per_call(const struct path *p, enum clock_id clock)
{
	int64_t calls = p->calls > INT64_MAX ? INT64_MAX : (int64_t)p->calls;

	if (calls == 0)
		return (struct value){.kind = VALUE_EMPTY};
	return time_value((p->inclusive[clock] + calls / 2) / calls);
}

struct value
calltree_value(const struct calltree *t, const struct tree_row *row, enum column_id id)
{
	const struct path *head = &calltree_paths(t)->items[row->head];
	const struct path *path =
	    t->callers != NULL ? head : &calltree_paths(t)->items[row->path];
	struct names *names = t->table->figures.names;
	enum clock_id clock = clock_of(t, id);

	if (row->folded != 0)
		return (struct value){.kind = VALUE_EMPTY};
	switch (id) {
	case COLUMN_INCL_PERCENT:
	case COLUMN_OTHER_INCL_PERCENT:
		return share(t, row, clock, head->inclusive[clock], false);
	case COLUMN_EXCL_PERCENT:
	case COLUMN_OTHER_EXCL_PERCENT:
		return share(t, row, clock, exclusive(t, row, clock), true);
	case COLUMN_INCL:
	case COLUMN_OTHER_INCL:
		return time_value(head->inclusive[clock]);
	case COLUMN_EXCL:
	case COLUMN_OTHER_EXCL:
		return time_value(exclusive(t, row, clock));
	case COLUMN_WAIT:
		return waiting(exclusive(t, row, CLOCK_WALL), exclusive(t, row, CLOCK_CPU));
	case COLUMN_WAIT_INCL:
		return waiting(head->inclusive[CLOCK_WALL], head->inclusive[CLOCK_CPU]);
	case COLUMN_PER_CALL:
	case COLUMN_OTHER_PER_CALL:
		return per_call(head, clock);
	case COLUMN_CALLS:
		return (struct value){.kind = VALUE_CALLS,
			.a = head->calls > INT64_MAX ? INT64_MAX : (int64_t)head->calls};
	case COLUMN_THREADS:
		return (struct value){.kind = VALUE_COUNT, .a = head->threads};
	case COLUMN_CLASS:
		return (struct value){.kind = VALUE_TEXT, .text = names_class(names, path->method)};
	case COLUMN_FILE:
		return (struct value){.kind = VALUE_TEXT, .text = names_file(names, path->method)};
	case COLUMN_METHOD:
		return (struct value){.kind = VALUE_TEXT, .text = names_full(names, path->method)};
	case COLUMN_RANK:
	case COLUMNS:
		break;
	}
	return (struct value){.kind = VALUE_EMPTY};
}

bool
calltree_has_column(const struct calltree *t, enum column_id id)
{
	/* Ranks are methods', not paths'. */
	return column_exists(id, t->table->figures.trace->clocks) && id != COLUMN_RANK &&
	    (id != COLUMN_THREADS || t->callers == NULL);
}

bool
calltree_column_visible(const struct calltree *t, enum column_id id, int screen)
{
	int from = column_table[id].from;

	if (!calltree_has_column(t, id) || t->table->columns.of[id].shown == SHOWN_NO)
		return false;
	/* Names need more room than in the table: they stand below each other. */
	if (id == COLUMN_EXCL_PERCENT)
		from = WIDE;
	return t->table->columns.of[id].shown == SHOWN_YES || id == t->sort || id == COLUMN_METHOD ||
	    screen + t->table->beside >= from;
}

/* Room for the largest: nothing is above the whole, or called more often. */
static int
width_of(const struct calltree *t, enum column_id id)
{
	const struct figures *f = &t->table->figures;
	int least = t->table->columns.of[id].width;
	char out[FMT_SIZE];
	size_t width = strlen(column_title(f, id, out)) + 1, n;
	struct value v = time_value(t->total[clock_of(t, id)]);

	if (width < (size_t)column_table[id].width)
		width = (size_t)column_table[id].width;
	if (id == COLUMN_CALLS)
		v = (struct value){.kind = VALUE_CALLS, .a = (int64_t)t->most_calls};
	else if (column_table[id].kind != VALUE_TIME)
		return least > 0 ? least : (int)width;
	n = value_format(f, v, FMT_SIZE, out).n;
	if (n < width)
		n = width;
	return least > (int)n ? least : (int)n;
}

void
calltree_layout(struct table_layout *layout, const struct calltree *t, int screen)
{
	int name_min = screen / 4 < NAME_MIN ? screen / 4 : NAME_MIN;
	int at = GUTTER;

	*layout = (struct table_layout){.count = 0};
	for (int i = 0; i < COLUMNS; i++) {
		enum column_id id = t->table->columns.order[i];
		int width;

		if (id == COLUMN_METHOD || !calltree_column_visible(t, id, screen))
			continue;
		width = width_of(t, id);
		if (at + width + 1 + name_min > screen) {
			layout->more_right = true;
			continue;
		}
		layout->places[layout->count++] = (struct column_place){id, at, width};
		at += width + 1;
	}
	layout->places[layout->count++] =
	    (struct column_place){COLUMN_METHOD, at, screen > at ? screen - at : 0};
}
