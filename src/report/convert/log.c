/*
 * log: what text logs have for the formats of other tools, beside slices: processes,
 * arguments, values of counters.
 */
#include <config.h>

#include "report/convert/convert.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "base/mem.h"

static const struct log_process *
process_of(const struct convert *c, uint32_t process)
{
	static const struct log_process none;

	return process == 0 || c->trace->log == NULL
	    ? &none
	    : seg_at(&c->trace->log->processes, process - 1);
}

uint32_t
convert_log_pid(const struct convert *c, uint32_t process)
{
	return process_of(c, process)->pid;
}

struct str
convert_log_process_name(const struct convert *c, uint32_t process)
{
	return process_of(c, process)->name;
}

/* Is each piece key=value? */
static bool
are_pairs(struct str args, char mark)
{
	struct str rest = args;

	while (rest.p != NULL) {
		struct str piece = str_cut(&rest, mark);

		if (piece.n > 0 && memchr(piece.p, '=', piece.n) == NULL)
			return false;
	}
	return true;
}

static void
args_each(struct str args, void (*each)(void *, struct str, struct str), void *context)
{
	char mark = memchr(args.p, ';', args.n) != NULL ? ';' : ',';
	struct str rest = args;

	if (!are_pairs(args, mark)) {
		each(context, STR("args"), args);
		return;
	}
	while (rest.p != NULL) {
		struct str value = str_cut(&rest, mark), key = str_cut(&value, '=');

		if (value.p != NULL)
			each(context, key, value);
	}
}

void
convert_log_args(const struct convert *c, uint64_t offset,
    void (*each)(void *context, struct str key, struct str value), void *context)
{
	struct log_detail d;
	char id[32];

	if (c->trace->log == NULL || offset == UINT64_MAX ||
	    !c->trace->log->detail(c->trace->log, offset, &d))
		return;
	if (d.has_id) {
		snprintf(id, sizeof(id), "%" PRId64, d.id);
		each(context, STR("task_id"), str_from(id));
	}
	const struct {
		struct str key, value;
	} members[] = {{STR("category"), d.category}, {STR("level"), d.level},
	    {STR("chain_id"), d.chain}, {STR("span_id"), d.span}, {STR("parent_span_id"), d.parent}};

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (members[i].value.n > 0)
			each(context, members[i].key, members[i].value);
	}
	if (d.args.n > 0)
		args_each(d.args, each, context);
}

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
convert_log_json(struct sbuf *out, const struct convert *c, uint64_t offset)
{
	struct members members = {out, false};

	convert_log_args(c, offset, member, &members);
	if (members.any)
		sbuf_char(out, '}');
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
convert_log_samples(const struct convert *c,
    bool (*each)(void *context, uint32_t counter, const struct log_sample *), void *context)
{
	const struct log *log = c->trace->log;
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

		if (chosen[s->counter] && s->at >= c->range.from && s->at <= c->range.to)
			more = each(context, s->counter, s);
	}
	mem_free(chosen);
	return more;
}

bool
convert_log_instants(const struct convert *c,
    bool (*each)(void *context, const struct log_instant *, const struct log_detail *),
    void *context)
{
	const struct log *log = c->trace->log;
	struct log_detail d;

	for (uint64_t n = 0; log != NULL && n < log->instants.count; n++) {
		const struct log_instant *i = spool_peek(&log->instants, n);
		bool chosen = i->thread != THREAD_NONE ? scope_has(c->scope, i->thread)
						       : process_chosen(c, i->process);

		if (chosen && i->at >= c->range.from && i->at <= c->range.to &&
		    log->detail(log, i->offset, &d) && !each(context, i, &d))
			return false;
	}
	return true;
}

bool
convert_log_steps(const struct convert *c, bool (*each)(void *context, const struct log_step *),
    void *context)
{
	const struct log *log = c->trace->log;

	for (uint64_t n = 0; log != NULL && n < log->steps.count; n++) {
		const struct log_step *s = spool_peek(&log->steps, n);

		if (s->at >= c->range.from && s->at <= c->range.to && !each(context, s))
			return false;
	}
	return true;
}
