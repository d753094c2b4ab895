/*
 * dump: the records of a trace, one a line: slowtop dump.
 *
 * Each record as it stands in the file, in its order, also those that mean nothing, with
 * what was made of it: times mended (unwrapped, never going back), the depth of the call,
 * a note where a record is not what it should be.  One pass; memory does not grow with
 * the records.  The forms are written like those of conversions, and chosen in the same
 * way (convert.h).
 */
#ifndef SLOWTOP_REPORT_CONVERT_DUMP_H
#define SLOWTOP_REPORT_CONVERT_DUMP_H

#include "report/convert/convert.h"

extern const struct convert_format dump_formats[];
extern const int dump_format_count;

#endif
