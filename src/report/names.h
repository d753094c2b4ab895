/*
 * names: methods as the machine-readable forms write them: in the file's own bytes.
 *
 * What people read comes from view/names.h instead.
 */
#ifndef SLOWTOP_REPORT_NAMES_H
#define SLOWTOP_REPORT_NAMES_H

#include "base/sbuf.h"
#include "trace/trace.h"

enum { NAME_ID_SIZE = 20 };

/* "0x1f40", and a word such as "toplevel" for a row that has no id. */
struct str name_id(char out[static NAME_ID_SIZE], const struct trace *, uint32_t method);
/* class.name and signature; the id of a method that the file does not name. */
void name_raw(struct sbuf *out, const struct trace *, uint32_t method);
/* Of a log: "thread", "core" or "async", which may share an id. */
const char *name_thread_kind(const struct thread *);

#endif
