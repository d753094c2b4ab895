/*
 * mapping: names of classes and methods that ProGuard or R8 replaced by short ones.
 *
 * Reads the mapping file of the build (mapping.txt) and gives the methods of a trace of
 * that build the names of its source; other names stay unchanged.  A trace has no line
 * numbers of calls, so where the file has several methods for one name the signature
 * decides; where the signature fits several, all of them are named, "onStart|onStop".
 * Inlined frames are no methods of the program and are left out.
 */
#ifndef SLOWTOP_FORMAT_MAPPING_MAPPING_H
#define SLOWTOP_FORMAT_MAPPING_MAPPING_H

#include "base/err.h"
#include "trace/trace.h"

/*
 * The methods of the trace are called as the file has them, those that records name
 * later, too; before any are read.  False and `e` when the file cannot be read or is no
 * mapping; `e` does not name it.
 */
bool mapping_apply(struct trace *, const char *path, struct err *e);

#endif
