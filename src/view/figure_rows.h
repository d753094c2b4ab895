/*
 * figure_rows: a table of figures with a name behind them, as rows of an info.
 *
 * Columns are as wide as their widest figure.  Zero-initialise but for the titles;
 * figure_rows_show releases.
 */
#ifndef SLOWTOP_VIEW_FIGURE_ROWS_H
#define SLOWTOP_VIEW_FIGURE_ROWS_H

#include "base/fmt.h"
#include "view/info.h"

enum { FIGURES_MAX = 10 };

struct figure_row {
	char figure[FIGURES_MAX][FMT_SIZE];
	struct str name; /* lives as long as the info */
};

struct figure_rows {
	const char *const *titles; /* ends with NULL */
	const char *name;          /* title of what stands behind the figures */
	struct figure_row *rows;
	size_t count, room;
};

/* Valid until the next one. */
struct figure_row *figure_rows_add(struct figure_rows *);
/* The first 2000; how many more there are is said. */
void figure_rows_show(struct info *, struct figure_rows *);

#endif
