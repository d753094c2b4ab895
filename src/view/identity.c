// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/identity.h"

#include "base/map.h"
#include "base/mem.h"
#include "trace/log.h"

struct table {
	uint64_t *of;
	uint32_t count;
	size_t room;
	struct idmap back;
	struct idmap same; /* how many more there are with the number, of those that have it first */
};

struct identities {
	const struct trace *trace;
	struct table methods, threads, processes;
	struct idmap paths; /* to steps */
	struct identity_step *steps;
	size_t step_count, step_room;
};

static void
table_release(struct table *t)
{
	mem_free(t->of);
	idmap_release(&t->back);
	idmap_release(&t->same);
}

struct identities *
identities_new(const struct trace *trace)
{
	struct identities *ids = mem_zero(1, sizeof(*ids));

	ids->trace = trace;
	return ids;
}

void
identities_free(struct identities *ids)
{
	if (ids == NULL)
		return;
	table_release(&ids->methods);
	table_release(&ids->threads);
	table_release(&ids->processes);
	idmap_release(&ids->paths);
	mem_free(ids->steps);
	mem_free(ids);
}

/* Numbers -------------------------------------------------------------------------- */

static uint64_t
add_bytes(uint64_t key, struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		key = (key ^ (uint8_t)text.p[i]) * 0x100000001b3u;
	return (key ^ 0xff) * 0x100000001b3u;
}

/* Neither 0 nor of those that are no identities. */
static uint64_t
mix(uint64_t key)
{
	key = (key ^ key >> 32) * 0xff51afd7ed558ccdu;
	key = (key ^ key >> 29) * 0xc4ceb9fe1a85ec53u;
	key = (key ^ key >> 32) & ~(uint64_t)(IDENTITY_KINDS - 1);
	return key != 0 ? key : IDENTITY_KINDS;
}

uint64_t
identity_below(uint64_t above, uint64_t method)
{
	return mix(above * 0x9e3779b97f4a7c15u + method);
}

uint64_t
identity_call(uint64_t method, uint64_t thread, nsec start)
{
	return identity_below(identity_below(thread, method), (uint64_t)start);
}

uint64_t
identity_text(struct str text)
{
	return mix(add_bytes(0, text));
}

/* Names in a file that was overwritten are those of something else. */
static uint64_t
method_key(const struct trace *t, uint32_t i, bool named)
{
	const struct method *m = trace_method(t, i);
	uint64_t key = m->known && named ? 1 : 2 + m->id;

	if (!named)
		return key;
	key = add_bytes(key, m->word != NULL ? str_from(m->word) : m->class_name);
	return add_bytes(add_bytes(key, m->name), m->signature);
}

/* Rows that are no threads have names only. */
static uint64_t
thread_key(const struct trace *t, uint32_t i, bool named)
{
	const struct thread *row = trace_thread(t, i);
	uint64_t key = (uint64_t)row->kind << 32 | row->id;

	return row->kind == THREAD_TASK || !named ? key : add_bytes(key, row->name);
}

static uint64_t
process_key(const struct trace *t, uint32_t i, bool named)
{
	const struct log_process *process = i > 0 ? seg_at(&t->log->processes, i - 1) : NULL;

	return process != NULL ? 1 + (uint64_t)process->pid : 0;
}

/* Tables --------------------------------------------------------------------------- */

static void
extend(struct identities *ids, struct table *t, uint32_t count,
    uint64_t (*key)(const struct trace *, uint32_t, bool))
{
	bool named = t->count >= count || trace_file_now(ids->trace) == FILEMARK_SAME;

	if (count > t->count)
		idmap_expect(&t->back, count);
	while (t->count < count) {
		uint64_t id = mix(key(ids->trace, t->count, named));

		while (idmap_add(&t->back, id, t->count) != t->count) {
			uint32_t n = idmap_add(&t->same, id, 0) + 1;

			idmap_put(&t->same, id, n);
			id = identity_below(id, n);
		}
		*MEM_ADD(t->of, t->count, t->room) = id;
	}
}

static struct table *
methods(struct identities *ids)
{
	extend(ids, &ids->methods, trace_method_count(ids->trace), method_key);
	return &ids->methods;
}

static struct table *
threads(struct identities *ids)
{
	extend(ids, &ids->threads, trace_thread_count(ids->trace), thread_key);
	return &ids->threads;
}

static struct table *
processes(struct identities *ids)
{
	const struct log *log = ids->trace->log;

	extend(ids, &ids->processes, log != NULL ? seg_count(&log->processes) + 1 : 1, process_key);
	return &ids->processes;
}

void
identities_follow(struct identities *ids)
{
	(void)methods(ids);
	(void)threads(ids);
	(void)processes(ids);
}

static uint64_t
number(const struct table *t, uint32_t i)
{
	return i < t->count ? t->of[i] : 0;
}

static uint64_t
number_here(uint32_t i)
{
	return ((uint64_t)i + 1) * IDENTITY_KINDS;
}

uint64_t
identity_method(struct identities *ids, uint32_t method)
{
	if (ids == NULL)
		return number_here(method);
	return number(method < ids->methods.count ? &ids->methods : methods(ids), method);
}

uint64_t
identity_thread(struct identities *ids, uint32_t thread)
{
	if (ids == NULL)
		return number_here(thread);
	return number(thread < ids->threads.count ? &ids->threads : threads(ids), thread);
}

uint64_t
identity_process(struct identities *ids, uint32_t process)
{
	return ids != NULL ? number(processes(ids), process) : number_here(process);
}

uint32_t
identity_to_method(struct identities *ids, uint64_t id)
{
	return idmap_get(&methods(ids)->back, id);
}

uint32_t
identity_to_thread(struct identities *ids, uint64_t id)
{
	return idmap_get(&threads(ids)->back, id);
}

uint32_t
identity_to_process(struct identities *ids, uint64_t id)
{
	return idmap_get(&processes(ids)->back, id);
}

/* Paths ---------------------------------------------------------------------------- */

void
identities_keep(struct identities *ids, uint64_t path, struct identity_step step)
{
	if (idmap_add(&ids->paths, path, ids->step_count) != ids->step_count)
		return;
	*MEM_ADD(ids->steps, ids->step_count, ids->step_room) = step;
}

bool
identity_step(const struct identities *ids, uint64_t path, struct identity_step *step)
{
	uint32_t i = idmap_get(&ids->paths, path);

	if (i != IDMAP_NONE)
		*step = ids->steps[i];
	return i != IDMAP_NONE;
}

void
identities_take(struct identities *ids, struct identities *before)
{
	idmap_release(&ids->paths);
	mem_free(ids->steps);
	ids->paths = before->paths;
	ids->steps = before->steps;
	ids->step_count = before->step_count;
	ids->step_room = before->step_room;
	before->paths = (struct idmap){0};
	before->steps = NULL;
	before->step_count = before->step_room = 0;
}
