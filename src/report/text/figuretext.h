/*
 * figuretext: figures in columns before a name, each column as wide as it must be.
 *
 * A column is a row of a table: its title, the clocks that a trace must have for it, and
 * what it shows of the n-th row of a report.
 */
#ifndef SLOWTOP_REPORT_TEXT_FIGURETEXT_H
#define SLOWTOP_REPORT_TEXT_FIGURETEXT_H

#include "report/report.h"

#define FIGURE_CPU  (1u << CLOCK_CPU)
#define FIGURE_WALL (1u << CLOCK_WALL)

struct figure {
	const char *title;
	unsigned clocks;
	/* Fills and returns `out`. */
	const char *(*get)(const struct report *, uint32_t row, char out[static FMT_SIZE]);
};

enum { FIGURES_MAX = 16 };

struct figuretext {
	const struct report *report;
	const struct figure *figures;
	int count, width[FIGURES_MAX]; /* 0: not shown */
};

/* Asks for all figures of all rows of the report, for the widths. */
void figuretext_init(struct figuretext *, const struct report *, const struct figure *,
    int count);
/* Titles, or figures, with two blanks behind each. */
void figuretext_titles(const struct figuretext *, struct sbuf *out);
void figuretext_line(const struct figuretext *, struct sbuf *out, uint32_t row);
/* As wide as a line, blank. */
void figuretext_blank(const struct figuretext *, struct sbuf *out);

#endif
