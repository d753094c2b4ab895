/*
 * convert-chrome-log: what text logs add to Chrome's Trace Event Format: processes,
 * arguments of slices, counters, moments, what cores were set to.  Source: the document
 * "Trace Event Format", sections on metadata, counter, async and instant events.
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

static bool
instant_write(void *context, const struct log_instant *i, const struct log_detail *d)
{
	struct convert *c = context;
	struct sbuf *out = &c->sink->text;

	sbuf_printf(out, ",\n{\"pid\":%" PRIu32, convert_log_pid(c, i->process));
	if (i->thread != THREAD_NONE)
		sbuf_printf(out, ",\"tid\":%" PRIu32, trace_thread(c->trace, i->thread)->id);
	sbuf_printf(out, ",\"ph\":\"i\",\"s\":\"%c\",\"ts\":", i->thread != THREAD_NONE ? 't' : 'p');
	convert_us(out, i->at);
	sbuf_text(out, ",\"name\":");
	json_quoted(out, d->name);
	if (d->track.p != NULL) {
		sbuf_text(out, ",\"args\":{\"track\":");
		json_quoted(out, d->track);
		sbuf_char(out, '}');
	}
	sbuf_char(out, '}');
	return sink_row(c->sink);
}

/* As counters of process 0, the kernel: kHz, and the idle level, 0 while it is not idle. */
static bool
step_write(void *context, const struct log_step *s)
{
	struct convert *c = context;
	struct sbuf *out = &c->sink->text;

	sbuf_text(out, ",\n{\"pid\":0,\"ph\":\"C\",\"ts\":");
	convert_us(out, s->at);
	sbuf_printf(out, ",\"name\":\"cpu%" PRIu32 " %s\",\"args\":{\"%s\":%" PRIu32 "}}", s->cpu,
	    s->idle ? "idle" : "frequency", s->idle ? "level" : "kHz", s->value);
	return sink_row(c->sink);
}

bool
chrome_log_moments(struct convert *c)
{
	return convert_log_instants(c, instant_write, c) && convert_log_steps(c, step_write, c);
}
