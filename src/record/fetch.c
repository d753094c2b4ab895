// SPDX-License-Identifier: Apache-2.0
/* fetch: the file on the device, waited for until it is whole, and copied (record.h). */
#include <config.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/filemap.h"
#include "base/number.h"
#include "record/record.h"

enum {
	GONE_MS = 2000, /* an app that is gone writes for no longer */
	POLL_MS = 500,
	GONE_EVERY = 4, /* polls */
};

int64_t
record_remote_size(struct record *r)
{
	struct str line, word, rest;
	uint64_t size = 0;

	/* The size is the fourth or fifth word of "ls -l", used where there is no stat. */
	if (!record_ask(r, "stat -c %s {file} 2>/dev/null || ls -l {file}"))
		return -2;
	rest = reply_out(&r->reply);
	line = str_cut(&rest, '\n');
	for (int i = 0; (word = str_word(&line)).n > 0; i++)
		if ((i == 0 || i == 3 || i == 4) && record_number(word, &size))
			return (int64_t)size;
	return -1;
}

uint64_t
record_local_size(const struct record *r)
{
	struct stat st;

	return stat(sbuf_cstr(&r->keep->part), &st) == 0 ? (uint64_t)st.st_size : 0;
}

/*
 * Copies so many bytes; false: not, which was said unless the user ended it.  `changed`: nothing was
 * said, because the file became another meanwhile, and is to be copied again.
 */
static bool
copy(struct record *r, uint64_t size, bool *changed)
{
	const char *part = sbuf_cstr(&r->keep->part);
	char *file = mem_text(blanks_get(&r->blanks, STR("file")));
	uint64_t have;
	bool ended;

	unlink(part);
	record_phase(r, RECORD_COPYING);
	r->total = size;
	r->copying = true;
	r->stalled = false;
	r->grown = clock_ms();
	device_pull(&r->host, r->device, file, part, &r->reply);
	r->copying = false;
	mem_free(file);
	have = record_local_size(r);
	ended = r->reply.failure == FAILURE_NONE && r->reply.status == 0;
	*changed = false;
	/* The file may have grown meanwhile. */
	if (ended && have >= size)
		return true;
	if (r->reply.failure == FAILURE_CANCELLED && !r->stalled)
		return false;
	if (ended && r->reply.known == FAILURE_OTHER) {
		int64_t now = record_remote_size(r);

		*changed = now >= 0 && (uint64_t)now != size;
		if (*changed || now == -2)
			return false;
	}
	blanks_set(&r->blanks, "path", sbuf_view(&r->keep->folder));
	blanks_set(&r->blanks, "have", str_from(fmt_bytes(FMT_BUF, have)));
	blanks_set(&r->blanks, "need", str_from(fmt_bytes(FMT_BUF, size)));
	return record_tell(r, r->reply.known == FAILURE_NO_SPACE ? FAILURE_LOCAL : FAILURE_PULL);
}

static enum wholeness
judge(const struct record *r)
{
	enum wholeness whole = WHOLE_PARTLY;
	struct filemap map;

	if (filemap_open(&map, sbuf_cstr(&r->keep->part), NULL)) {
		whole = r->what.mode->whole((struct str){(const char *)map.bytes, map.size});
		filemap_close(&map);
	}
	return whole;
}

/* Until the tool on the device has ended, where there is one to ask for; false: lost. */
static bool
wait_for_tool(struct record *r)
{
	const char *gone = r->what.mode->gone;
	int64_t end = clock_ms() + r->host.limit;

	while (gone != NULL && clock_ms() < end && !record_stopped(r, 2)) {
		if (!record_ask(r, gone))
			return false;
		if (r->reply.status != 0) {
			r->undo[UNDO_TOOL] = NULL;
			break;
		}
		r->ui.look(r->ui.context, r, POLL_MS);
	}
	return true;
}

enum wholeness
record_came(struct record *r, enum wholeness whole)
{
	static const enum failure_id told[] = {
	    [WHOLE_NOTHING] = FAILURE_NOTHING,
	    [WHOLE_PARTLY] = FAILURE_PARTIAL,
	    [WHOLE] = FAILURE_NONE,
	    [WHOLE_EMPTY] = FAILURE_EMPTY,
	    [WHOLE_OVERFLOW] = FAILURE_OVERFLOW,
	};

	blanks_set(&r->blanks, "state",
	    str_from(whole == WHOLE ? "whole" : failures[told[whole]].what));
	record_say(r, told[whole]);
	return whole;
}

/*
 * A size that stays the same is a hint to look at the content, and no more.  Nothing new for as
 * long as the device may take to answer: nothing comes any more.
 */
enum wholeness
record_fetch(struct record *r)
{
	int64_t size = -1, before, copied = -1, limit = r->host.limit, grown;
	enum wholeness whole;
	bool changed;

	if (!wait_for_tool(r))
		return record_leave(r);
	grown = clock_ms();
	for (int poll = 0, wait = 100; clock_ms() - grown <= limit; poll++) {
		before = size;
		size = record_remote_size(r);
		if (size == -2)
			return record_leave(r);
		if (size != before)
			grown = clock_ms();
		if (size > 0 && size == before && size != copied) {
			if (!copy(r, (uint64_t)size, &changed) && !changed)
				return record_leave(r);
			grown = clock_ms();
			if (changed)
				continue;
			copied = size;
			if ((whole = judge(r)) != WHOLE_PARTLY)
				return record_came(r, whole);
			record_phase(r, RECORD_STOPPING);
		}
		if (poll % GONE_EVERY == GONE_EVERY - 1 && limit > GONE_MS && record_app_gone(r))
			limit = GONE_MS;
		if (record_stopped(r, 2))
			return WHOLE_NOTHING;
		r->ui.look(r->ui.context, r, wait);
		wait = wait * 2 < POLL_MS ? wait * 2 : POLL_MS;
	}
	if (size > 0 && size != copied)
		return record_leave(r);
	return record_came(r, size > 0 ? WHOLE_PARTLY : WHOLE_NOTHING);
}
