#include <config.h>

#include "view/names/processes.h"

#include "base/mem.h"

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
