// SPDX-License-Identifier: Apache-2.0
/*
 * binder: calls between processes, with both of their sides.
 *
 * Made of the slices and moments of binder's events (format/log/spans.h), which a transaction's chain
 * joins.  A value of its own; times are nanoseconds since the log's begin.
 */
#pragma once

#include <stdatomic.h>

#include "profile/load/profile.h"
#include "profile/load/scope.h"
#include "profile/sum/range.h"

struct binder_call {
	nsec from, to;     /* of the client; to < from: it has no end, or is one-way */
	nsec served, done; /* of the server's reply; done < served: not known */
	nsec blocked;      /* that the client did not run in it; 0 without scheduler events */
	uint32_t client, server; /* threads; server THREAD_NONE: not known */
	uint32_t method;   /* the slice that names the interface's method; METHOD_NONE: none does */
	uint32_t code, size; /* of the interface's method; bytes of data + 1; 0: not told */
	bool one_way;
	bool failed;         /* got no reply, the kernel says */
};

struct binder_calls {
	struct binder_call *items; /* in order of time */
	size_t count, room;
};

/*
 * The calls that begin in the range, of clients in scope (NULL: all).  Costs the log's links and intervals, and
 * the records of threads that serve.  False when cancelled.  binder_calls_release.
 */
bool binder_calls_find(const struct profile *, const struct scope *, const struct range *,
    struct binder_calls *, const atomic_bool *cancel);
void binder_calls_release(struct binder_calls *);
/* "IFoo::load" of "AIDL::java::IFoo::load::server"; empty: it is no such name.  Borrows it. */
struct str binder_method(struct str slice);
