#include <config.h>

#include "report/threads.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/sbuf.h"
#include "view/processes.h"

/* The whole of `text` as a number of 32 bits. */
static bool
thread_id(const char *text, uint32_t *id)
{
	uint64_t n = 0;
	const char *p = text;

	for (; *p >= '0' && *p <= '9' && n <= UINT32_MAX; p++)
		n = n * 10 + (uint64_t)(*p - '0');
	*id = (uint32_t)n;
	return p > text && *p == '\0' && n <= UINT32_MAX;
}

static bool
thread_choose(struct report *r, const char *text)
{
	const struct trace *t = r->trace;
	uint32_t id;
	bool found = false;

	if (thread_id(text, &id))
		for (uint32_t i = 0; i < t->threads.count; i++)
			if (trace_thread(t, i)->id == id &&
			    trace_thread(t, i)->kind == THREAD_TASK) {
				r->scope->in[i] = 1;
				return true;
			}
	for (uint32_t i = 0; i < t->threads.count; i++) {
		if (!str_equal(trace_thread(t, i)->name, str_from(text)))
			continue;
		r->scope->in[i] = 1;
		found = true;
	}
	return found;
}

/* "1 main, 5 Binder_1, ...", as many as one line of error holds. */
static bool
threads_missing(const struct trace *t, const char *text, struct err *e)
{
	struct sbuf list = {0};

	for (uint32_t i = 0; i < t->threads.count; i++) {
		const struct thread *thread = trace_thread(t, i);

		if (i > 0)
			sbuf_text(&list, ", ");
		if (list.n > 100) {
			sbuf_text(&list, "...");
			break;
		}
		sbuf_printf(&list, "%" PRIu32 " %.*s", thread->id,
		    thread->name.n > 30 ? 30 : (int)thread->name.n, thread->name.p);
	}
	err_set(e, ERR_UNSUPPORTED, "no thread '%.40s' (%s)", text, sbuf_cstr(&list));
	sbuf_release(&list);
	return false;
}

/* Leaves, of the threads chosen, those of the processes. */
static bool
processes_choose(struct report *r, struct err *e)
{
	const struct report_options *o = r->options;
	const struct trace *t = r->trace;
	struct processes all;
	bool *chosen, found = true;

	if (t->log == NULL)
		return err_set(e, ERR_UNSUPPORTED, "a method trace tells no processes");
	processes_make(&all, t);
	chosen = mem_zero(all.count, sizeof(*chosen));
	for (size_t i = 0; i < o->process_count && found; i++) {
		uint32_t id;
		bool number = thread_id(o->processes[i], &id);

		found = false;
		for (uint32_t k = 1; k < all.count; k++) {
			if ((number && all.items[k].pid == id) ||
			    str_equal(all.items[k].name, str_from(o->processes[i])))
				chosen[k] = found = true;
		}
		if (!found)
			err_set(e, ERR_UNSUPPORTED, "no process '%.80s'", o->processes[i]);
	}
	if (found && r->scope == NULL)
		r->scope = scope_new(t->threads.count, true);
	for (uint32_t k = 0; found && k < t->threads.count; k++)
		r->scope->in[k] &= chosen[trace_thread(t, k)->process];
	mem_free(chosen);
	processes_release(&all);
	return found;
}

bool
threads_choose(struct report *r, struct err *e)
{
	const struct report_options *o = r->options;

	if (o->thread_count > 0)
		r->scope = scope_new(r->trace->threads.count, false);
	for (size_t i = 0; i < o->thread_count; i++)
		if (!thread_choose(r, o->threads[i]))
			return threads_missing(r->trace, o->threads[i], e);
	return o->process_count == 0 || processes_choose(r, e);
}
