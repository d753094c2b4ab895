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

enum kind { METHODS, THREADS, PROCESSES, TABLES };

struct identities {
	const struct trace *trace;
	struct table tables[TABLES];
	struct idmap paths; /* to steps */
	struct identity_step *steps;
	size_t step_count, step_room;
};

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
	for (enum kind kind = 0; kind < TABLES; kind++) {
		mem_free(ids->tables[kind].of);
		idmap_release(&ids->tables[kind].back);
		idmap_release(&ids->tables[kind].same);
	}
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

static uint32_t
process_count(const struct trace *t)
{
	return t->log != NULL ? seg_count(&t->log->processes) + 1 : 1;
}

static const struct {
	uint32_t (*count)(const struct trace *);
	uint64_t (*key)(const struct trace *, uint32_t, bool named);
} kinds[TABLES] = {
    [METHODS] = {trace_method_count, method_key},
    [THREADS] = {trace_thread_count, thread_key},
    [PROCESSES] = {process_count, process_key},
};

/* Returns the table with all that the trace has by now. */
static struct table *
table_of(struct identities *ids, enum kind kind)
{
	struct table *t = &ids->tables[kind];
	uint32_t count = kinds[kind].count(ids->trace);
	bool named = t->count >= count || trace_file_now(ids->trace) == FILEMARK_SAME;

	if (count > t->count)
		idmap_expect(&t->back, count);
	while (t->count < count) {
		uint64_t id = mix(kinds[kind].key(ids->trace, t->count, named));

		while (idmap_add(&t->back, id, t->count) != t->count) {
			uint32_t n = idmap_add(&t->same, id, 0) + 1;

			idmap_put(&t->same, id, n);
			id = identity_below(id, n);
		}
		*MEM_ADD(t->of, t->count, t->room) = id;
	}
	return t;
}

void
identities_follow(struct identities *ids)
{
	for (enum kind kind = 0; kind < TABLES; kind++)
		(void)table_of(ids, kind);
}

static uint64_t
identity_of(struct identities *ids, enum kind kind, uint32_t i)
{
	const struct table *t;

	if (ids == NULL)
		return ((uint64_t)i + 1) * IDENTITY_KINDS;
	t = i < ids->tables[kind].count ? &ids->tables[kind] : table_of(ids, kind);
	return i < t->count ? t->of[i] : 0;
}

uint64_t
identity_method(struct identities *ids, uint32_t method)
{
	return identity_of(ids, METHODS, method);
}

uint64_t
identity_thread(struct identities *ids, uint32_t thread)
{
	return identity_of(ids, THREADS, thread);
}

uint64_t
identity_process(struct identities *ids, uint32_t process)
{
	return identity_of(ids, PROCESSES, process);
}

uint32_t
identity_to_method(struct identities *ids, uint64_t id)
{
	return idmap_get(&table_of(ids, METHODS)->back, id);
}

uint32_t
identity_to_thread(struct identities *ids, uint64_t id)
{
	return idmap_get(&table_of(ids, THREADS)->back, id);
}

uint32_t
identity_to_process(struct identities *ids, uint64_t id)
{
	return idmap_get(&table_of(ids, PROCESSES)->back, id);
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
