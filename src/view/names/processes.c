// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/names/processes.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/sbuf.h"

void
processes_make(struct processes *p, const struct trace *t)
{
	uint32_t threads = trace_thread_count(t);

	p->count = seg_count(&t->log->processes) + 1;
	p->items = mem_zero(p->count, sizeof(*p->items));
	for (uint32_t i = 1; i < p->count; i++) {
		const struct log_process *known = seg_at(&t->log->processes, i - 1);

		p->items[i].pid = known->pid;
		p->items[i].name = known->name;
	}
	for (uint32_t i = 0; i < threads; i++) {
		const struct thread *thread = trace_thread(t, i);
		struct process *of;

		if (thread->kind != THREAD_TASK || thread->process >= p->count)
			continue;
		of = &p->items[thread->process];
		of->threads++;
		if (thread->process > 0 && of->name.n == 0 && thread->id == of->pid)
			of->name = thread->name;
	}
}

void
processes_release(struct processes *p)
{
	mem_free(p->items);
	*p = (struct processes){0};
}

/* Words of the user ------------------------------------------------------------------ */

/* The whole of `text` as a number of 32 bits. */
static bool
thread_id(const char *text, uint32_t *id)
{
	uint64_t n;
	const char *p = digits_take(text, text + strlen(text), 18, &n);

	*id = (uint32_t)n;
	return p > text && *p == '\0' && n <= UINT32_MAX;
}

static bool
thread_choose(struct scope *scope, const struct trace *t, const char *text)
{
	uint32_t id;
	bool found = false;

	if (thread_id(text, &id))
		for (uint32_t i = 0; i < scope->count; i++)
			if (trace_thread(t, i)->id == id &&
			    trace_thread(t, i)->kind == THREAD_TASK) {
				scope->in[i] = 1;
				return true;
			}
	for (uint32_t i = 0; i < scope->count; i++) {
		if (!str_equal(trace_thread(t, i)->name, str_from(text)))
			continue;
		scope->in[i] = 1;
		found = true;
	}
	return found;
}

/* "1 main, 5 Binder_1, ...", as many as one line of error holds. */
static bool
threads_missing(const struct trace *t, const char *text, struct err *e)
{
	struct sbuf list = {0};

	for (uint32_t i = 0; i < trace_thread_count(t); i++) {
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
processes_choose(const struct thread_words *words, const struct trace *t,
    struct scope *scope, struct err *e)
{
	struct processes all;
	bool *chosen, good = true;

	processes_make(&all, t);
	chosen = mem_zero(all.count, sizeof(*chosen));
	for (size_t i = 0; i < words->process_count; i++) {
		uint32_t id;
		bool number = thread_id(words->processes[i], &id), found = false;

		for (uint32_t k = 1; k < all.count; k++) {
			if ((number && all.items[k].pid == id) ||
			    str_equal(all.items[k].name, str_from(words->processes[i])))
				chosen[k] = found = true;
		}
		if (!found && strcmp(words->processes[i], "all") == 0)
			memset(chosen, true, all.count * sizeof(*chosen));
		else if (!found)
			good = err_set(e, ERR_UNSUPPORTED, "no process '%.80s'",
			    words->processes[i]);
	}
	for (uint32_t k = 0; k < scope->count; k++)
		scope->in[k] &= chosen[trace_thread(t, k)->process];
	mem_free(chosen);
	processes_release(&all);
	return good;
}

bool
thread_words_choose(const struct thread_words *words, const struct trace *t,
    struct scope **out, struct err *e)
{
	bool good = true;

	*out = NULL;
	if (words->process_count > 0 && t->log == NULL)
		return err_set(e, ERR_UNSUPPORTED, "a method trace has no processes");
	if (words->thread_count == 0 && words->process_count == 0)
		return true;
	*out = scope_new(trace_thread_count(t), words->thread_count == 0);
	for (size_t i = 0; i < words->thread_count; i++)
		if (!thread_choose(*out, t, words->threads[i]))
			good = threads_missing(t, words->threads[i], e);
	if (words->process_count > 0 && !processes_choose(words, t, *out, e))
		good = false;
	if (good && scope_size(*out) == (*out)->count) {
		scope_free(*out);
		*out = NULL;
	}
	return good;
}
