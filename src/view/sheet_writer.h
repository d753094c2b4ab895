/*
 * sheet_writer: writes a sheet in steps, so that its caller can do other things between
 * them.
 *
 * Owns its scratch; borrows the sheet, whose model must not change until the end.
 */
#ifndef SLOWTOP_VIEW_SHEET_WRITER_H
#define SLOWTOP_VIEW_SHEET_WRITER_H

#include "base/json.h"
#include "view/sheet.h"

struct sheet_writer {
	const struct sheet *sheet;
	enum sheet_format format;
	size_t done, total; /* rows or stacks; those of text twice: measured, written */
	int widths[SHEET_COLUMNS_MAX];
	struct json json;
	struct sbuf text;
	struct sheet_stacks stacks;
};

/* The format is one that the sheet can be written in (sheet_can). */
void sheet_writer_begin(struct sheet_writer *, const struct sheet *, enum sheet_format);
/* Appends what comes of at most so many rows more; false when these were the last. */
bool sheet_writer_step(struct sheet_writer *, size_t rows, struct sbuf *out);
/* From 0 to 1. */
double sheet_writer_progress(const struct sheet_writer *);
void sheet_writer_release(struct sheet_writer *);

#endif
