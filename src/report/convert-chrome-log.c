/*
 * convert-chrome-log: what text logs add to Chrome's Trace Event Format: processes,
 * arguments of slices, counters.  Source: the document "Trace Event Format", sections on
 * metadata, counter and async events.
 */
#include <config.h>

#include <inttypes.h>

#include "base/json.h"
#include "report/convert-log.h"
#include "view/processes.h"

struct members {
	struct sbuf *out;
	bool any;
};

static void
member(void *context, struct str key, struct str value)
{
	struct members *m = context;

	sbuf_text(m->out, m->any ? "," : ",\"args\":{");
	json_quoted(m->out, key);
	sbuf_char(m->out, ':');
	json_quoted(m->out, value);
	m->any = true;
}

void
chrome_log_args(struct sbuf *out, const struct convert *c, uint64_t offset)
{
	struct members members = {out, false};

	convert_log_args(c, offset, member, &members);
	if (members.any)
		sbuf_char(out, '}');
}

bool
chrome_log_processes(struct convert *c)
{
	struct sbuf *out = &c->sink->text;
	struct processes all;

	if (c->trace->log == NULL)
		return true;
	processes_make(&all, c->trace);
	for (uint32_t i = 1; i < all.count; i++) {
		if (all.items[i].name.n == 0)
			continue;
		sbuf_printf(out, ",\n{\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
				 ",\"ph\":\"M\",\"name\":\"process_name\",\"args\":{\"name\":",
		    all.items[i].pid, all.items[i].pid);
		json_quoted(out, all.items[i].name);
		sbuf_text(out, "}}");
	}
	processes_release(&all);
	return sink_row(c->sink);
}

static bool
counter_write(void *context, uint32_t index, const struct log_sample *s)
{
	struct convert *c = context;
	const struct log_counter *counter = seg_at(&c->trace->log->counters, index);
	struct sbuf *out = &c->sink->text;

	sbuf_printf(out, ",\n{\"pid\":%" PRIu32 ",\"ph\":\"C\",\"ts\":",
	    convert_log_pid(c, counter->process));
	convert_us(out, s->at);
	sbuf_text(out, ",\"name\":");
	json_quoted(out, counter->name);
	sbuf_printf(out, ",\"args\":{\"value\":%" PRId64 "}}", s->value);
	return sink_row(c->sink);
}

bool
chrome_log_counters(struct convert *c)
{
	return convert_log_samples(c, counter_write, c);
}
