// SPDX-License-Identifier: Apache-2.0
/*
 * dmtrace: the profile as dmtracedump has it, for the outputs that imitate it.
 *
 * Its own rules (doc/dmtracedump.md): the first clock of a record only; methods that the
 * file does not name are one, "(unknown)"; (toplevel) has no calls; every method of the
 * key section is there, called or not, named by its line as dmtracedump cuts it.  The
 * rest is our fold, so damage is handled as everywhere.
 *
 * Times are microseconds.  Borrows the trace, which must be loaded whole; owns the rest.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sbuf.h"
#include "base/str.h"
#include "profile/load/profile.h"
#include "profile/sum/fold.h"
#include "report/sink.h"

struct dm_method {
	int64_t id; /* below 0: (toplevel), (unknown) */
	bool named; /* else class_name is all there is, and may be several fields */
	struct str class_name, name, signature;
	uint32_t method; /* of the fold; METHOD_NONE: none of its own */
	uint32_t index;  /* place by inclusive time, the number in brackets */
	uint64_t exclusive, inclusive, self;
	uint64_t calls, recursive_calls;
};

struct dm_relation {
	const struct dm_method *method;
	uint64_t calls, inclusive;
	uint64_t total; /* all calls of the callee */
	char share[16]; /* of the time of the list's method; "" while recursive */
};

enum { DM_TOPLEVEL, DM_UNKNOWN }; /* places in `methods` */

struct dm_list {
	struct dm_method *methods; /* by id, of the same id in file order */
	size_t count;
	uint32_t *row; /* by method of the trace: place in `methods` that records mean */
	uint32_t row_count;
};

/* A list of the trace's present methods, without figures. */
void dm_list_make(struct dm_list *, const struct trace *);
void dm_list_release(struct dm_list *);

struct dmtrace {
	const struct trace *trace;
	enum clock_id clock;
	struct fold *fold;
	struct dm_list list;
	struct dm_method **inclusive; /* all, by inclusive time */
	uint64_t total;               /* sum over threads of last minus first event */
};

/* False when cancelled.  Release in both cases. */
bool dmtrace_make(struct dmtrace *, const struct profile *, const atomic_bool *cancel);
void dmtrace_release(struct dmtrace *);

/*
 * Cuts a line of the key section, without its id, as dmtracedump does: of five fields
 * the last hangs at the signature, with fewer than three or an empty one all are the
 * class.
 */
void dm_names(struct dm_method *, const struct method *);

/* An order for msort: by time descending, then class, name and signature. */
int dm_by_exclusive(const void *, const void *, const void *);

/* Methods with exclusive time, by it; free with mem_free. */
struct dm_method **dm_exclusive(const struct dmtrace *, size_t *count);
/* A list of relations, sorted the same way; `*count` entries, free with mem_free. */
struct dm_relation *dm_relations(
    const struct dmtrace *, const struct dm_method *, enum relation_kind, size_t *count);

/*
 * Methods of one class, or of one bare name, summed as dmtracedump does.
 *
 * (toplevel), (unknown) and methods without a name are in no group.  Groups and the
 * methods in them are sorted by exclusive time.  Names are neighbours after a sort by
 * name; where dmtracedump's own order contradicts itself (a class before "(toplevel)",
 * such as $Proxy0) a name may come twice, as there.
 */
struct dm_group {
	struct dm_method **methods;
	size_t count;
	uint64_t exclusive, calls, recursive_calls;
};

struct dm_groups {
	struct dm_method **methods; /* all, group after group */
	struct dm_group *groups; /* by exclusive time */
	size_t count;
};

enum dm_grouping { DM_BY_CLASS, DM_BY_NAME };

/* By class begins from the order by inclusive time, by name from that by class. */
void dm_groups_make(struct dm_groups *, const struct dmtrace *, enum dm_grouping);
void dm_groups_release(struct dm_groups *);

/* Outputs; `script_base` as in text/html.h ------------------------------------------- */

/* In text names are in the file's own bytes, as dmtracedump has them (figures.c). */
void dmtrace_write(struct sink *, const struct dmtrace *, bool html, const char *script_base);
/* All names of a method, as in it. */
void dm_method_write(struct sbuf *, const struct dm_method *, bool html);

/* A method's sums in two traces (diff.c). */
struct dm_change {
	const struct dm_method *run[2]; /* one may be NULL */
};

struct dmdiff {
	const struct dmtrace *run[2];
	struct dm_change *changes; /* by names */
	size_t count;
};

void dmdiff_make(struct dmdiff *, const struct dmtrace *run1, const struct dmtrace *run2);
void dmdiff_release(struct dmdiff *);
void dmdiff_write(struct sink *, const struct dmdiff *, bool html, const char *script_base);

/* Writes dmtracedump's list of records (records.c). */
void dmdump_write(struct sink *, struct trace *);

/* In the DOT language: edges of at least `threshold` percent of the caller (graph.c). */
void dmgraph_write(struct sbuf *out, const struct dmtrace *, int threshold);
