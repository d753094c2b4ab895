// SPDX-License-Identifier: Apache-2.0
/* messages: those of Android's log (android_log) as moments of the threads that wrote them. */
#include <config.h>

#include "format/perfetto/perfetto.h"

/* Fields; the time is of CLOCK_ID_REALTIME. */
enum { MESSAGE_PID = 2, MESSAGE_TID = 3, MESSAGE_NS = 5, MESSAGE_TAG = 6, MESSAGE_PRIORITY = 7,
	MESSAGE_TEXT = 8 };

static bool
message_read(struct payload *m, struct wire event)
{
	return payload_read(m, event) && m->text[MESSAGE_TEXT].p != NULL &&
	    m->number[MESSAGE_NS] != 0;
}

bool
message_next(struct wire *packet, const uint8_t **at, uint64_t *ns)
{
	struct wire_field f;
	struct payload m;

	for (;;) {
		*at = packet->p;
		if (!wire_next(packet, &f))
			return false;
		if (f.number != 1 || !message_read(&m, wire_message(&f)))
			continue;
		*ns = m.number[MESSAGE_NS];
		return true;
	}
}

void
message_take(struct perfetto *pf, uint64_t at, uint64_t ns)
{
	struct wire rest = {pf->file.p + at, pf->file.end};
	struct marker moment = {.kind = MARKER_INSTANT};
	struct logline line = {.comm = {"", 0}, .ns = ns};
	struct wire_field f;
	struct payload m;
	uint32_t row;

	if (!wire_next(&rest, &f) || !message_read(&m, wire_message(&f)) ||
	    m.number[MESSAGE_TID] == 0)
		return; /* written to since it was indexed, or of no thread */
	moment.name = m.text[MESSAGE_TEXT];
	moment.pid = (uint32_t)m.number[MESSAGE_PID];
	row = row_of_tid(&pf->r, (uint32_t)m.number[MESSAGE_TID]);
	row_process(&pf->r, row, moment.pid, KNOWN_COLUMN);
	slice_take(&pf->r, &line, row, &moment);
}

/* The letter of logcat: priorities are 2 verbose to 7 fatal (android_log_constants.proto). */
static char
priority_of(uint64_t priority)
{
	static const char letters[] = "??VDIWEF";

	return priority < sizeof(letters) - 1 ? letters[priority] : '?';
}

bool
message_detail(struct wire event, struct log_detail *d)
{
	struct payload m;

	if (!message_read(&m, event))
		return false;
	*d = (struct log_detail){.name = m.text[MESSAGE_TEXT], .category = m.text[MESSAGE_TAG],
	    .pid = (uint32_t)m.number[MESSAGE_PID], .tid = (uint32_t)m.number[MESSAGE_TID],
	    .priority = priority_of(m.number[MESSAGE_PRIORITY]), .ns = m.number[MESSAGE_NS]};
	return true;
}
