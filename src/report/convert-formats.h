/*
 * convert-formats: the functions behind the rows of convert_formats; for convert.c and the
 * files that define them.
 */
#ifndef SLOWTOP_REPORT_CONVERT_FORMATS_H
#define SLOWTOP_REPORT_CONVERT_FORMATS_H

#include "report/convert.h"

bool convert_chrome(struct convert *);

#endif
