// SPDX-License-Identifier: Apache-2.0
/* fetch: the file on the device, waited for until it is whole, and copied (run.h). */
#include <config.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "record/run.h"

enum {
	GONE_MS = 2000, /* an app that is gone writes for no longer */
	POLL_MS = 500,
	GONE_EVERY = 4, /* polls */
};

int64_t
run_remote_size(struct run *r)
{
	struct str line, word, rest;
	uint64_t size = 0;

	/* Of "ls -l", where there is no stat, the size is the fourth or fifth. */
	if (!run_ask(r, "stat -c %s {file} 2>/dev/null || ls -l {file}", (struct str){NULL, 0}))
		return -2;
	rest = reply_out(&r->reply);
	line = str_cut(&rest, '\n');
	for (int i = 0; (word = str_word(&line)).n > 0; i++)
		if ((i == 0 || i == 3 || i == 4) &&
		    digits_take(word.p, word.p + word.n, 18, &size) == word.p + word.n)
			return (int64_t)size;
	return -1;
}

uint64_t
fetch_local_size(const struct run *r)
{
	struct stat st;

	return stat(sbuf_cstr(&r->how->keep->part), &st) == 0 ? (uint64_t)st.st_size : 0;
}

static void
broke_off(struct run *r, uint64_t have, uint64_t need)
{
	char text[FMT_SIZE];
	struct str line;

	if (failure_find(sbuf_view(&r->reply.text), &line) == FAILURE_NO_SPACE) {
		run_set(r, "line", line);
		run_set(r, "path", sbuf_view(&r->how->keep->folder));
		run_say(r, FAILURE_LOCAL);
	} else {
		run_set(r, "have", str_from(fmt_bytes(text, have)));
		run_set(r, "need", str_from(fmt_bytes(text, need)));
		run_say(r, FAILURE_PULL);
	}
}

/* Copies so many bytes; false: not, which was said unless the user ended it. */
static bool
copy(struct run *r, uint64_t size)
{
	const char *part = sbuf_cstr(&r->how->keep->part);
	uint64_t have;

	unlink(part);
	run_phase(r, RECORD_COPYING);
	r->progress.total = size;
	r->copying = true;
	r->stalled = false;
	r->grown = clock_ms();
	device_pull(&r->host, r->how->device, r->file, part, &r->reply);
	r->copying = false;
	have = fetch_local_size(r);
	/* It may have grown meanwhile. */
	if (r->reply.end == REPLY_DONE && r->reply.status == 0 && have >= size)
		return true;
	if (r->reply.end != REPLY_CANCELLED || r->stalled)
		broke_off(r, have, size);
	return false;
}

static enum wholeness
judge(const struct run *r)
{
	int fd = open(sbuf_cstr(&r->how->keep->part), O_RDONLY | O_CLOEXEC);
	enum wholeness whole = NOT_WHOLE;

	if (fd >= 0) {
		whole = r->how->what.mode->whole(fd);
		close(fd);
	}
	return whole;
}

/* Until the tool on the device has ended, where there is one to ask for; false: stop. */
static bool
wait_for_tool(struct run *r)
{
	const char *gone = r->how->what.mode->gone;
	int64_t end = clock_ms() + r->host.limit;

	while (gone != NULL && clock_ms() < end && r->how->ui->stops(r->how->ui->context) < 2) {
		if (!run_ask(r, gone, (struct str){NULL, 0}))
			return false;
		if (r->reply.status != 0) {
			run_ended(r);
			break;
		}
		r->how->ui->look(r->how->ui->context, &r->progress, POLL_MS);
	}
	return true;
}

static enum record_end
left(struct run *r)
{
	r->leave_file = r->how->ui->stops(r->how->ui->context) < 2;
	if (r->leave_file)
		run_say(r, FAILURE_LEFT);
	return RECORD_NOTHING;
}

static enum record_end
came(struct run *r, enum wholeness whole)
{
	if (whole == NOT_WHOLE)
		run_say(r, FAILURE_PARTIAL);
	else if (whole == WHOLE_EMPTY)
		run_say(r, FAILURE_EMPTY);
	else if (whole == WHOLE_OVERFLOW)
		run_say(r, FAILURE_OVERFLOW);
	return whole == NOT_WHOLE ? RECORD_INCOMPLETE : whole == WHOLE_EMPTY ? RECORD_EMPTY : RECORD_KEPT;
}

/*
 * A size that stays the same is a hint to look at the content, and no more.  Nothing new for as
 * long as the device may take to answer: nothing comes any more.
 */
enum record_end
run_fetch(struct run *r)
{
	int64_t size = -1, before, copied = -1, limit = r->host.limit, grown;
	enum wholeness whole = NOT_WHOLE;

	if (!wait_for_tool(r))
		return left(r);
	grown = clock_ms();
	for (int poll = 0, wait = 100; clock_ms() - grown <= limit; poll++) {
		before = size;
		size = run_remote_size(r);
		if (size == -2)
			return left(r);
		if (size != before)
			grown = clock_ms();
		if (size > 0 && size == before && size != copied) {
			if (!copy(r, (uint64_t)size))
				return left(r);
			copied = size;
			grown = clock_ms();
			if ((whole = judge(r)) != NOT_WHOLE)
				return came(r, whole);
			run_phase(r, RECORD_STOPPING);
		}
		if (poll % GONE_EVERY == GONE_EVERY - 1 && limit > GONE_MS && run_app_gone(r))
			limit = GONE_MS;
		if (r->how->ui->stops(r->how->ui->context) >= 2)
			return RECORD_NOTHING;
		r->how->ui->look(r->how->ui->context, &r->progress, wait);
		wait = wait * 2 < POLL_MS ? wait * 2 : POLL_MS;
	}
	if (size > 0 && size == copied)
		return came(r, NOT_WHOLE);
	if (size > 0)
		return left(r);
	run_say(r, FAILURE_NOTHING);
	return RECORD_NOTHING;
}
