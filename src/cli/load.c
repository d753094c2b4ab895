#include <config.h>

#include "cli/load.h"

#include <stdlib.h>

#include "cli/say.h"
#include "format/format.h"
#include "format/mapping.h"
#include "profile/checkpoint.h"
#include "profile/flat.h"
#include "profile/loader.h"

struct trace *
load_open(const char *path, uint64_t unpack_most, const atomic_bool *cancel, struct err *e)
{
	const struct tempfile_how how = {
	    .folder = getenv("TMPDIR"), .cancel = cancel, .unpack_most = unpack_most};

	return format_open(path, &how, e);
}

bool
load_rename(struct trace *trace, const char *mapping, struct err *e)
{
	struct err why = {0};
	char text[256];

	if (mapping == NULL)
		return true;
	if (trace->log != NULL)
		return err_set(e, ERR_UNSUPPORTED,
		    "slices of a text log have no names that a mapping could change");
	if (mapping_apply(trace, mapping, &why))
		return true;
	return err_set(e, why.kind, "--mapping=%s: %s", mapping,
	    err_text(&why, text, sizeof(text)));
}

bool
load_choose(struct trace *trace, const struct log_choice *choice, struct err *e)
{
	if (trace->log != NULL)
		trace->log->choice = *choice;
	else if (choice->tags != 0 || choice->level != 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "a method trace has no tags and levels; those are of HiTrace logs");
	return true;
}

bool
load_trace(struct load *l, const char *path, unsigned jobs, const atomic_bool *cancel,
    struct err *e)
{
	l->trace = load_open(path, l->unpack_most, cancel, e);
	if (l->trace == NULL)
		return false;
	return load_rename(l->trace, l->mapping, e) && load_choose(l->trace, &l->choice, e) &&
	       load_records(l, jobs, cancel, e);
}

bool
load_records(struct load *l, unsigned jobs, const atomic_bool *cancel, struct err *e)
{
	l->profile = profile_new(l->trace);
	if (l->wants != WANTS_ANYTHING)
		checkpoint_first_only(l->profile);
	if (l->wants == WANTS_FLAT)
		flat_begin(l->profile);
	switch (loader_run(l->profile, jobs, cancel, e)) {
	case LOAD_DONE:
		return true;
	case LOAD_STOPPED:
		return err_set(e, ERR_CANCELLED, "interrupted");
	default:
		return false;
	}
}

void
load_release(struct load *l)
{
	profile_free(l->profile);
	trace_free(l->trace);
	*l = (struct load){0};
}

const char *
load_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder != NULL && *folder != '\0' ? folder : "/tmp";
}

int
load_say(const char *path, const struct err *e)
{
	char text[256];

	if (e->kind == ERR_CANCELLED)
		return STATUS_INTERRUPTED;
	return say_trouble(path, "%s", err_text(e, text, sizeof(text)));
}

int
load_say_damage(const struct load *load, const char *path)
{
	const struct damage *damage = &load->profile->damage;
	char text[128];

	for (int i = 0; i < DAMAGE_KINDS; i++)
		if (damage->kind[i].count > 0)
			say_trouble(path, "%s: %s", damage_kinds[i].name,
			    damage_text(damage, (enum damage_kind)i, text, sizeof(text)));
	return damage_count(damage) > 0 ? STATUS_DAMAGED : STATUS_OK;
}
