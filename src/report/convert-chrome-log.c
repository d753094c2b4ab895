/*
 * convert-chrome-log: what text logs add to Chrome's Trace Event Format: processes,
 * arguments of slices, counters.  Source: the document "Trace Event Format", sections on
 * metadata, counter and async events.
 */
#include <config.h>

#include <inttypes.h>

#include "base/json.h"
#include "base/mem.h"
#include "report/convert-formats.h"
#include "view/processes.h"

uint64_t
chrome_log_pid(const struct convert *c, uint32_t thread)
{
	uint32_t process = trace_thread(c->trace, thread)->process;

	if (c->trace->log == NULL)
		return convert_pid(c);
	return process == 0 ? 0
	    : ((struct log_process *)seg_at(&c->trace->log->processes, process - 1))->pid;
}

static void
member(struct sbuf *out, bool *any, const char *key, struct str value)
{
	if (value.n == 0)
		return;
	sbuf_printf(out, "%s\"%s\":", *any ? "," : ",\"args\":{", key);
	json_quoted(out, value);
	*any = true;
}

/* Each key=value as a member of its own when all are; else as they stand. */
static void
pairs(struct sbuf *out, bool *any, struct str args)
{
	char mark = args.n > 0 && memchr(args.p, ';', args.n) != NULL ? ';' : ',';
	struct str rest = args;

	while (args.n > 0 && rest.p != NULL) {
		struct str piece = str_cut(&rest, mark);

		if (piece.n > 0 && memchr(piece.p, '=', piece.n) == NULL) {
			member(out, any, "args", args);
			return;
		}
	}
	for (rest = args; args.n > 0 && rest.p != NULL;) {
		struct str value = str_cut(&rest, mark), key = str_cut(&value, '=');

		if (value.p == NULL)
			continue;
		sbuf_text(out, *any ? "," : ",\"args\":{");
		json_quoted(out, key);
		sbuf_char(out, ':');
		json_quoted(out, value);
		*any = true;
	}
}

void
chrome_log_args(struct sbuf *out, const struct convert *c, uint64_t offset)
{
	struct log_detail d;
	char id[32];
	bool any = false;

	if (c->trace->log == NULL || offset == UINT64_MAX ||
	    !c->trace->log->detail(c->trace->log, offset, &d))
		return;
	snprintf(id, sizeof(id), "%" PRId64, d.id);
	if (d.has_id)
		member(out, &any, "task_id", str_from(id));
	member(out, &any, "category", d.category);
	member(out, &any, "level", d.level);
	member(out, &any, "chain_id", d.chain);
	member(out, &any, "span_id", d.span);
	member(out, &any, "parent_span_id", d.parent);
	pairs(out, &any, d.args);
	if (any)
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

/* Does a chosen thread belong to the process? */
static bool
process_chosen(const struct convert *c, uint32_t process)
{
	for (uint32_t i = 0; c->scope != NULL && i < c->scope->count; i++) {
		if (scope_has(c->scope, i) && trace_thread(c->trace, i)->process == process)
			return true;
	}
	return c->scope == NULL;
}

bool
chrome_log_counters(struct convert *c)
{
	const struct log *log = c->trace->log;
	struct sbuf *out = &c->sink->text;
	bool *chosen, more = true;
	uint32_t count;

	if (log == NULL)
		return true;
	count = seg_count(&log->counters);
	chosen = mem_zero((size_t)count + 1, sizeof(*chosen));
	for (uint32_t i = 0; i < count; i++)
		chosen[i] = process_chosen(c, ((struct log_counter *)seg_at(&log->counters, i))->process);
	for (uint64_t n = 0; n < log->samples.count && more; n++) {
		const struct log_sample *s = spool_peek(&log->samples, n);
		const struct log_counter *counter = seg_at(&log->counters, s->counter);
		uint32_t pid = 0;

		if (!chosen[s->counter] || s->at < c->range.from || s->at > c->range.to)
			continue;
		if (counter->process > 0)
			pid = ((struct log_process *)seg_at(&log->processes, counter->process - 1))->pid;
		sbuf_printf(out, ",\n{\"pid\":%" PRIu32 ",\"ph\":\"C\",\"ts\":", pid);
		convert_us(out, s->at);
		sbuf_text(out, ",\"name\":");
		json_quoted(out, counter->name);
		sbuf_printf(out, ",\"args\":{\"value\":%" PRId64 "}}", s->value);
		more = sink_row(c->sink);
	}
	mem_free(chosen);
	return more;
}
