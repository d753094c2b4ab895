#include <config.h>

#include "view/figure_rows.h"

#include <stdio.h>

#include "base/mem.h"
#include "view/info_rows.h"

enum { ROWS_MAX = 2000 };

struct figure_row *
figure_rows_add(struct figure_rows *f)
{
	MEM_GROW(f->rows, f->room, f->count + 1);
	f->rows[f->count] = (struct figure_row){.name = STR("")};
	return &f->rows[f->count++];
}

void
figure_rows_show(struct info *info, struct figure_rows *f)
{
	int width[FIGURES_MAX], columns = 0;
	char text[FIGURES_MAX * FMT_SIZE];

	for (; f->titles[columns] != NULL; columns++) {
		width[columns] = (int)strlen(f->titles[columns]);
		for (size_t i = 0; i < f->count; i++) {
			int n = (int)strlen(f->rows[i].figure[columns]);

			if (n > width[columns])
				width[columns] = n;
		}
	}
	for (size_t i = 0; i <= f->count && i <= ROWS_MAX; i++) {
		int n = 0;

		for (int k = 0; k < columns; k++)
			n += snprintf(text + n, sizeof(text) - (size_t)n, "%s%*s", k > 0 ? "  " : "",
			    width[k], i == 0 ? f->titles[k] : f->rows[i - 1].figure[k]);
		info_row_add(info, i == 0 ? INFO_TITLES : INFO_FIGURES,
		    (struct str){text, (size_t)n}, i == 0 ? str_from(f->name) : f->rows[i - 1].name);
	}
	if (f->count > ROWS_MAX) {
		snprintf(text, sizeof(text), "and %zu more", f->count - ROWS_MAX);
		info_note(info, str_from(text));
	}
	mem_free(f->rows);
}
