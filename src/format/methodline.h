/*
 * methodline: the columns of a line that names a method.
 *
 * Layouts: ART Trace::GetMethodLine, Dalvik dumpMethodList, and what other readers
 * take (doc/formats.md).  Fields are separated by single TABs or, without any, by runs
 * of two and more spaces.  Strings point into the line.
 */
#ifndef SLOWTOP_FORMAT_METHODLINE_H
#define SLOWTOP_FORMAT_METHODLINE_H

#include "trace/trace.h"

/*
 * A number at the start of `s`, `base` 10 or, as in C, 0; `rest` is what follows it.  What
 * does not fit is UINT64_MAX.
 */
bool number_parse(struct str s, unsigned base, uint64_t *value, struct str *rest);

/* Fills id, names, file and line; false when the line has no id or no name. */
bool methodline_parse(struct str line, struct method *);
/* The same of a line without the id. */
bool methodline_parse_named(struct str line, struct method *);

#endif
