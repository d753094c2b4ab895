// SPDX-License-Identifier: Apache-2.0
/* state: what the user did to a list, taken from one and given to another (list.h). */
#include <config.h>

#include "base/mem.h"
#include "view/list/list.h"

void
list_take(struct list_state *s, const struct list *l)
{
	const struct list_row *row = list_row(l);

	*s = (struct list_state){.cursor = row != NULL ? row->id : l->wanted,
	    .line = scroll_line(&l->at), .height = l->at.height, .settled = l->settled,
	    .chosen = l->chosen, .sorted = l->sorted, .ascending = l->ascending, .sort = l->sort,
	    .first_column = l->first_column, .own = l->own};
	ids_copy(&s->open, &l->open);
	ids_copy(&s->marked, &l->marked);
	if (l->filter != NULL)
		s->filter = mem_text(str_from(l->filter_text));
}

void
list_give(struct list *l, const struct list_state *s)
{
	struct err e = {0};

	l->wanted = s->cursor;
	l->at = (struct scroll){.cursor = s->line, .height = s->height};
	l->settled = s->settled;
	l->chosen = s->chosen;
	l->sorted = s->sorted;
	l->ascending = s->ascending;
	l->sort = s->sort;
	l->first_column = s->first_column;
	l->own = s->own;
	ids_copy(&l->open, &s->open);
	ids_copy(&l->marked, &s->marked);
	if (s->filter != NULL)
		(void)list_filter(l, str_from(s->filter), &e);
}

void
list_return(struct list *l, const struct list_state *s)
{
	bool same = l->sort == s->sort && l->ascending == s->ascending && l->sorted == s->sorted &&
	    l->open.count == 0 && s->open.count == 0;

	l->sort = s->sort;
	l->ascending = s->ascending;
	l->sorted = s->sorted;
	ids_copy(&l->open, &s->open);
	if (!same)
		list_update(l);
	if (l->total > 0)
		(void)list_go(l, s->cursor, s->line);
	l->wanted = s->cursor;
	l->settled = s->settled;
	l->chosen = s->chosen;
}

void
list_state_release(struct list_state *s)
{
	ids_release(&s->open);
	ids_release(&s->marked);
	mem_free(s->filter);
}
