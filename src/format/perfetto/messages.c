// SPDX-License-Identifier: Apache-2.0
/* messages: those of Android's log (android_log) as moments of the threads that wrote them. */
#include <config.h>

#include "format/perfetto/perfetto.h"

struct message {
	struct str tag, text;
	uint32_t pid, tid;
	uint64_t ns; /* of CLOCK_ID_REALTIME */
};

static bool
message_read(struct message *m, struct wire event)
{
	struct wire_field f;

	*m = (struct message){.tag = {"", 0}, .text = {NULL, 0}};
	while (wire_next(&event, &f)) {
		if (f.number == 2)
			m->pid = (uint32_t)f.value;
		else if (f.number == 3)
			m->tid = (uint32_t)f.value;
		else if (f.number == 5)
			m->ns = f.value;
		else if (f.number == 6)
			m->tag = wire_text(&f);
		else if (f.number == 8)
			m->text = wire_text(&f);
	}
	return event.p == event.end && m->text.p != NULL && m->ns != 0;
}

bool
message_next(struct wire *packet, const uint8_t **at, uint64_t *ns)
{
	struct wire_field f;
	struct message m;

	for (;;) {
		*at = packet->p;
		if (!wire_next(packet, &f))
			return false;
		if (f.number != 1 || !message_read(&m, wire_message(&f)))
			continue;
		*ns = m.ns;
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
	struct message m;
	uint32_t row;

	if (!wire_next(&rest, &f) || !message_read(&m, wire_message(&f)) || m.tid == 0)
		return; /* written to since it was indexed, or of no thread */
	row = row_of_tid(&pf->r, m.tid);
	row_process(&pf->r, row, m.pid, KNOWN_COLUMN);
	moment.name = m.text;
	moment.pid = m.pid;
	slice_take(&pf->r, &line, row, &moment);
}

bool
message_detail(struct wire event, struct log_detail *d)
{
	struct message m;

	if (!message_read(&m, event))
		return false;
	*d = (struct log_detail){.name = m.text, .category = m.tag, .pid = m.pid, .tid = m.tid,
	    .ns = m.ns};
	return true;
}
