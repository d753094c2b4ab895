// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "cli/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/say.h"
#include "format/format.h"
#include "format/input.h"
#include "profile/index/blocks.h"
#include "profile/load/loader.h"

/* Traces -------------------------------------------------------------------------- */

static bool
load_rename(struct trace *trace, const char *mapping, struct err *e)
{
	struct err why = {0};

	if (mapping == NULL)
		return true;
	if (trace->log != NULL && strcmp(trace->format, "perfetto") != 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "slices of a text log have no names that a mapping could change");
	return mapping_apply(trace, mapping, &why) ||
	    err_set(e, why.kind, "--mapping=%s: %s", mapping, err_text(&why, ERR_BUF));
}

/* False for a choice of what is none and should be. */
static bool
load_choose(struct trace *trace, const struct log_choice *choice, struct err *e)
{
	if (trace->log != NULL)
		trace->log->choice = *choice;
	else if (choice->tags != 0 || choice->level != 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "a method trace has no tags and levels; those are of HiTrace logs");
	return true;
}

struct trace *
load_open(const struct options *o, int side, const char *path, const atomic_bool *cancel,
    struct err *e)
{
	const bool followed = o != NULL && o->watch != NULL && side == DIFF_B;
	const int fd = followed ? watch_open(o->watch) : -1;
	const struct tempfile_how how = {.folder = getenv("TMPDIR"), .cancel = cancel,
	    .unpack_most = o != NULL ? o->unpack_most : 0, .from = fd + 1,
	    .sample_type = o != NULL ? o->sample_type : NULL,
	    .detail = o != NULL ? o->detail : NULL,
	    .ended = followed && watch_ended(o->watch)};
	struct trace *trace = NULL;

	if (followed && fd < 0)
		err_set(e, ERR_SYSTEM, "is not there yet");
	else
		trace = format_open(path, &how, e);
	if (fd >= 0)
		close(fd);
	if (trace != NULL && o != NULL && options_name(o, side) != NULL)
		trace_name(trace, options_name(o, side));
	if (trace == NULL || o == NULL || (load_rename(trace, o->mapping[side], e) &&
					      load_choose(trace, &o->choice, e))) {
		if (trace != NULL && o != NULL && side == DIFF_A && o->renames.count > 0)
			renames_apply(&o->renames, trace);
		return trace;
	}
	trace_free(trace);
	return NULL;
}

static bool
load_run(struct load *l, const atomic_bool *cancel, struct err *e)
{
	switch (loader_run(l->profile, l->options != NULL ? l->options->jobs : 0, cancel, e)) {
	case LOAD_DONE:
		return true;
	case LOAD_STOPPED:
		return err_set(e, ERR_CANCELLED, "interrupted");
	default:
		return false;
	}
}

static void
load_free(struct load *l)
{
	profile_free(l->profile);
	trace_free(l->trace);
	l->profile = NULL;
	l->trace = NULL;
}

/* The place of what is followed, between two loads; NULL: nothing is. */
static struct load *
load_kept(const struct load *l)
{
	return l->options != NULL && l->side == DIFF_B ? l->options->loaded : NULL;
}

/* Gives back what of a pipe is older than --keep-last. */
static void
load_forget(const struct load *l)
{
	struct profile *p = l->profile;
	nsec keep = l->options->keep_last;
	uint64_t to;

	if (keep == 0 || p->end - p->begin <= keep)
		return;
	to = profile_forget(p, p->end - keep, UINT64_MAX);
	if (to > 0)
		(void)watch_forget(l->options->watch, p->trace->source->begin, to);
}

/*
 * Goes on from the last load of what is followed; false when all is to be loaded, or with `e`
 * cannot be.
 */
static bool
load_goes_on(struct load *l, struct load *kept, const atomic_bool *cancel, struct err *e)
{
	struct watch *watch = l->options->watch;
	bool gone = kept->profile != NULL && kept->profile->blocks->gone > 0;
	bool good = kept->profile != NULL && kept->sums == l->sums && watch_same(watch) &&
	    (gone || !watch_ended(watch)) &&
	    profile_grow(kept->profile, watch_take(watch)) && load_run(kept, cancel, e) &&
	    !kept->trace->source->stale;

	if (!good) {
		load_free(kept);
		if (gone && e->kind == ERR_NONE)
			err_set(e, ERR_UNSUPPORTED, "cannot go on, and records before are gone (--keep-last)");
		return false;
	}
	load_forget(kept);
	l->trace = kept->trace;
	l->profile = kept->profile;
	*kept = (struct load){0};
	return true;
}

bool
load_trace(struct load *l, const char *path, const atomic_bool *cancel, struct err *e)
{
	struct load *kept = load_kept(l);

	if (kept != NULL && load_goes_on(l, kept, cancel, e))
		return true;
	if (e->kind != ERR_NONE)
		return false;
	l->trace = load_open(l->options, l->side, path, cancel, e);
	return l->trace != NULL && load_records(l, cancel, e);
}

bool
load_records(struct load *l, const atomic_bool *cancel, struct err *e)
{
	l->profile = profile_new(l->trace);
	if (l->sums && (l->options == NULL || l->options->keep_last == 0))
		blocks_single(l->profile->blocks);
	return load_run(l, cancel, e);
}

void
load_release(struct load *l)
{
	struct load *kept = load_kept(l);

	if (kept != NULL && kept != l && l->profile != NULL && l->profile->state == LOAD_DONE)
		*kept = *l;
	else
		load_free(l);
	*l = (struct load){0};
}

const char *
load_folder(void)
{
	return options_given(NULL, "TMPDIR", "/tmp");
}

int
load_say(const char *path, const struct err *e)
{
	if (e->kind == ERR_CANCELLED)
		return STATUS_INTERRUPTED;
	say_trouble(input_name(path), "%s", err_text(e, ERR_BUF));
	return say_status(e->error);
}

int
load_say_damage(const struct load *load, const char *path, unsigned kinds)
{
	const struct damage *damage = &load->profile->damage;

	for (int i = 0; i < DAMAGE_KINDS; i++)
		if (damage_met(damage, i) && (kinds >> i & 1) != 0)
			say_trouble(input_name(path), "%s: %s", damage_kinds[i].name,
			    damage_text(damage, (enum damage_kind)i, DAMAGE_BUF));
	return damage_count(damage) > 0 ? STATUS_DAMAGED : STATUS_OK;
}

/* Output -------------------------------------------------------------------------- */

static int
say_write(const char *path, int error)
{
	if (error == EPIPE)
		return STATUS_TROUBLE;
	say_trouble(path, "cannot write: %s", strerror(error));
	return say_status(error);
}

int
output_end(FILE *out, int error)
{
	bool failed = ferror(out) != 0;

	errno = 0;
	if (fclose(out) != 0 && error == 0)
		error = errno;
	if (error == 0 && failed)
		error = EIO; /* stdio does not keep the reason */
	return error == 0 ? STATUS_OK : say_write(NULL, error);
}

static int
say_outfile(const struct outfile *out, const char *path, const struct err *e)
{
	say_trouble(path, "%s%s", err_text(e, ERR_BUF),
	    out->refused ? "; --force overwrites it" : "");
	return say_status(e->error);
}

static bool
output_begin(struct output *o, const char *path, unsigned flags)
{
	size_t n = path != NULL ? strlen(path) : 0;
	FILE *to = path != NULL ? o->out.file : stdout;
	struct err e = {.kind = ERR_NONE};

	o->file = to;
	o->more = (flags & OUTPUT_MORE) != 0;
	if ((flags & OUTPUT_BINARY) != 0 && isatty(fileno(to))) {
		say_trouble(path, "this is not for a terminal; write to a file with -o");
		return false;
	}
	o->packed = (flags & OUTPUT_PACKED) != 0 || (n > 3 && strcmp(path + n - 3, ".gz") == 0);
	if (!o->packed)
		return true;
	if (!gzout_open(&o->gz, to, interrupt_watch(), &e)) {
		say_trouble(path, "%s", err_text(&e, ERR_BUF));
		return false;
	}
	o->file = o->gz.file;
	return true;
}

int
output_open(struct output *o, const char *path, bool force, unsigned flags)
{
	struct err e = {.kind = ERR_NONE};

	*o = (struct output){.file = stdout};
	if (path != NULL &&
	    !outfile_open(&o->out, path, force ? OUTFILE_REPLACE : OUTFILE_NEW, &e))
		return say_outfile(&o->out, path, &e);
	if (output_begin(o, path, flags))
		return STATUS_OK;
	o->packed = false;
	output_drop(o);
	return STATUS_TROUBLE;
}

int
output_close(struct output *o, int error, const atomic_bool *cancel)
{
	struct err e = {.kind = ERR_NONE};
	const char *path = o->out.path;

	int packing = o->packed ? gzout_close(&o->gz) : 0;

	if (packing != 0 && (error == 0 || error == EPIPE))
		error = packing;
	o->packed = false;
	/* An interrupt also shows as a write that it broke off. */
	if (error != 0 && atomic_load(cancel)) {
		output_drop(o);
		return STATUS_INTERRUPTED;
	}
	if (path == NULL && o->more && error == 0 && fflush(stdout) == 0 && ferror(stdout) == 0)
		return STATUS_OK;
	if (path == NULL)
		return output_end(stdout, error);
	if (error != 0) {
		outfile_abandon(&o->out);
		return say_write(path, error);
	}
	if (outfile_commit(&o->out, &e))
		return STATUS_OK;
	return say_outfile(&o->out, path, &e);
}

void
output_drop(struct output *o)
{
	if (o->packed)
		gzout_drop(&o->gz);
	o->packed = false;
	if (o->out.path != NULL)
		outfile_abandon(&o->out);
}

/* Both ---------------------------------------------------------------------------- */

int
job_run(struct run_job *j)
{
	const struct options *o = j->options;
	struct output out;
	int status, error = 0;

	j->cancel = interrupt_watch();
	j->load = (struct load){.options = o, .side = DIFF_B, .sums = j->sums};
	status = output_open(&out, o->output, o->force, j->flags);
	if (status != STATUS_OK)
		return status;
	if (load_trace(&j->load, j->path, j->cancel, &j->e) &&
	    (j->make == NULL || j->make(j)))
		error = j->write(j, out.file);
	if (j->e.kind == ERR_NONE) {
		status = output_close(&out, error, j->cancel);
		if (status == STATUS_OK && o->strict)
			status = load_say_damage(&j->load, j->path, ~0u);
	} else {
		output_drop(&out);
		status = STATUS_TROUBLE;
		if (o->failed != NULL && j->e.kind != ERR_CANCELLED)
			*o->failed = j->e;
		else
			status = load_say(j->path, &j->e);
	}
	load_release(&j->load);
	return status;
}
