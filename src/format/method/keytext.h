/*
 * keytext: the text part of a method trace: version, options, threads, methods.
 *
 * Layout: ART runtime/trace.cc Trace::FinishTracing and Trace::DumpMethodList; Dalvik
 * vm/Profile.c dvmMethodTraceStop; every release prints the sections in this order.
 * Bytes are kept unchanged; nothing is decoded here.
 */
#ifndef SLOWTOP_FORMAT_METHOD_KEYTEXT_H
#define SLOWTOP_FORMAT_METHOD_KEYTEXT_H

#include "base/bytes.h"
#include "trace/trace.h"

struct keytext {
	int version;       /* as the text states it */
	struct str clock;  /* empty when not stated */
	uint64_t data;     /* file offset of what follows the end line */
};

enum keytext_place {
	KEYTEXT_BEFORE_DATA, /* the letters SLOW follow */
	KEYTEXT_ALONE,       /* all of the bytes are the text */
};

/*
 * Parses from "*version" to an "*end" line that is followed by the data's magic number
 * (a thread name may hold "*end" too) or is the last, adds properties, threads and
 * methods to the trace and builds its id maps.  A text of its own may also be cut; it
 * fails only, with nothing added, when it does not begin as one.
 */
bool keytext_parse(struct keytext *, struct trace *, struct bytes *in, enum keytext_place,
    struct err *);
/* The id maps of a trace that has no such text. */
void keytext_none(struct trace *);

/* Lets records with only the low `bits` of a thread id find threads with larger ids. */
void keytext_narrow_threads(struct trace *, unsigned bits);

/*
 * Lines that name a method.  Layouts: ART Trace::GetMethodLine, Dalvik dumpMethodList, and
 * what other readers take (doc/formats.md).  Strings point into the line.
 */

/*
 * A number at the start of `s`, `base` 10 or, as in C, 0; `rest` is what follows it.  What
 * does not fit is UINT64_MAX.
 */
bool number_parse(struct str s, unsigned base, uint64_t *value, struct str *rest);

/* Fills id, names, file and line; false when the line has no id or no name. */
bool methodline_parse(struct str line, struct method *);
/* Parses a line without the id. */
bool methodline_parse_named(struct str line, struct method *);

#endif
