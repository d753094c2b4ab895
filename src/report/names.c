#include <config.h>

#include "report/names.h"

#include <inttypes.h>
#include <stdio.h>

struct str
name_id(char out[static NAME_ID_SIZE], const struct trace *t, uint32_t method)
{
	const struct method *m = trace_method(t, method);
	int n;

	if (m->word != NULL)
		return str_from(m->word);
	n = snprintf(out, NAME_ID_SIZE, "0x%" PRIx64, m->id);
	return (struct str){out, (size_t)n};
}

void
name_raw(struct sbuf *out, const struct trace *t, uint32_t method)
{
	const struct method *m = trace_method(t, method);
	char id[NAME_ID_SIZE];

	if (!m->known || m->class_name.n + m->name.n + m->signature.n == 0) {
		sbuf_str(out, name_id(id, t, method));
		return;
	}
	if (m->class_name.n > 0) {
		sbuf_str(out, m->class_name);
		sbuf_char(out, '.');
	}
	sbuf_str(out, m->name);
	sbuf_str(out, m->signature);
}

const char *
name_thread_kind(const struct thread *thread)
{
	static const char *const kinds[] = {
	    [THREAD_TASK] = "thread", [THREAD_CORE] = "core", [THREAD_ASYNC] = "async"};

	return kinds[thread->kind];
}
