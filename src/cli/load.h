/*
 * load: a trace, opened and counted to its end, for commands that need all of it.
 */
#ifndef SLOWTOP_CLI_LOAD_H
#define SLOWTOP_CLI_LOAD_H

#include <stdatomic.h>

#include "base/err.h"
#include "profile/profile.h"
#include "trace/log.h"

/*
 * Opens a trace; temporary files, if it takes any, go where TMPDIR says.  `unpack_most` as
 * in base/tempfile.h.
 */
struct trace *load_open(const char *path, uint64_t unpack_most, const atomic_bool *cancel,
    struct err *);
/* Methods get the names of a mapping file (format/mapping.h); NULL: they have theirs. */
bool load_rename(struct trace *, const char *mapping, struct err *);

/* Which slices are read of a text log; false for what is none and should be. */
bool load_choose(struct trace *, const struct log_choice *, struct err *);

/* What will be asked for. */
enum load_wants {
	WANTS_ANYTHING,
	WANTS_SUMS, /* of all records */
	WANTS_FLAT, /* these of methods and threads, without paths: profile/flat.h */
};

/* Zero-initialise; release whether loading went well or not. */
struct load {
	struct trace *trace;
	struct profile *profile;
	/* Set before loading. */
	struct log_choice choice; /* of a text log only */
	uint64_t unpack_most;
	const char *mapping; /* NULL: none */
	enum load_wants wants;
};

/* `jobs` as in profile/loader.h; ERR_CANCELLED when interrupted. */
bool load_trace(struct load *, const char *path, unsigned jobs, const atomic_bool *cancel,
    struct err *);
/* The second half of it, for a trace that is open. */
bool load_records(struct load *, unsigned jobs, const atomic_bool *cancel, struct err *);
void load_release(struct load *);

/* Where temporary data go. */
const char *load_folder(void);
/* Says why it did not; returns the status to end with. */
int load_say(const char *path, const struct err *);
/* Under --strict: a line for each kind of damage that was met; returns the same. */
int load_say_damage(const struct load *, const char *path);

#endif
