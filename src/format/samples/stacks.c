// SPDX-License-Identifier: Apache-2.0
/*
 * stacks.c: methods and stacks of samples, each once (samples.h).
 */
#include <config.h>

#include <string.h>

#include "base/compat.h"
#include "base/mem.h"
#include "format/samples/samples.h"

enum {
	NODES_MAX = 1 << 24, /* stacks; further ones count for the stack below */
};

/* Defines the method that the name, which is kept, and the id stand for from now on. */
static uint32_t
method_define(struct sampler *s, struct str key, uint64_t id, struct method m)
{
	uint32_t index = intern_add(&s->names, key, id);

	m.known = true;
	m.id = id != SAMPLES_NO_ID ? id : index;
	MEM_GROW(s->methods, s->method_room, (size_t)index + 1);
	s->methods[index] = trace_method_define(s->trace, index, &m, NULL);
	if (s->methods[index] == METHOD_NONE)
		s->methods[index] = trace_method_made(s->trace, STR("(other)"));
	return s->methods[index];
}

uint32_t
samples_method(struct sampler *s, struct str name, struct str file, bool made)
{
	uint32_t index = intern_find(&s->names, name, SAMPLES_NO_ID);

	if (index != IDMAP_NONE)
		return s->methods[index];
	name = made ? arena_str(&s->trace->arena, name) : trace_keep(s->trace, name);
	return method_define(s, name, SAMPLES_NO_ID, (struct method){.name = name, .file = trace_keep(s->trace, file)});
}

uint32_t
samples_class_method(struct sampler *s, uint64_t id, struct str full, struct str file)
{
	uint32_t index = intern_find(&s->names, full, id);
	struct method m = {.file = file};
	const char *bracket, *dot;
	size_t name, end;

	if (index != IDMAP_NONE)
		return s->methods[index];
	if (full.n == 0 && (index = trace_method_adopt(s->trace, id)) != METHOD_NONE)
		return index;
	full = trace_keep(s->trace, full);
	m.file = trace_keep(s->trace, file);
	bracket = memchr(full.p, '(', full.n);
	end = bracket != NULL && bracket > full.p ? (size_t)(bracket - full.p) : full.n;
	dot = memrchr(full.p, '.', end);
	name = dot != NULL ? (size_t)(dot - full.p) + 1 : 0;
	if (name > 0)
		m.class_name = str_head(full, name - 1);
	m.name = (struct str){full.p + name, end - name};
	m.signature = (struct str){full.p + end, full.n - end};
	return method_define(s, full, id, m);
}

void
samples_frame(struct sampler *s, struct str name, struct str file, bool made)
{
	uint32_t method = samples_method(s, name, file, made);

	*MEM_ADD(s->frames, s->frame_count, s->frame_room) = method;
}

/* Keeps the outermost of too many frames, which come last. */
void
samples_push(struct sampler *s, uint32_t method)
{
	if (s->frame_count == 4 * SAMPLE_DEPTH_MAX) {
		s->frame_count = SAMPLE_DEPTH_MAX;
		memmove(s->frames, s->frames + 3 * SAMPLE_DEPTH_MAX,
		    SAMPLE_DEPTH_MAX * sizeof(*s->frames));
	}
	*MEM_ADD(s->frames, s->frame_count, s->frame_room) = method;
}

/* Finds the stack of a method on another one; IDMAP_NONE: there are too many. */
static uint32_t
node_child(struct sampler *s, uint32_t parent, uint32_t method)
{
	uint32_t child = s->guesses[parent];

	if (child != 0 && s->nodes[child].method == method)
		return child;
	child = s->node_count < NODES_MAX
	    ? idmap_add(&s->children, (uint64_t)parent << 32 | method, s->node_count)
	    : idmap_get(&s->children, (uint64_t)parent << 32 | method);
	if (child == IDMAP_NONE)
		return IDMAP_NONE;
	if (child == s->node_count) {
		MEM_GROW(s->nodes, s->node_room, s->node_count + 1);
		MEM_GROW(s->guesses, s->guess_room, s->node_count + 1);
		s->nodes[child] = (struct stack_node){parent, method, s->nodes[parent].depth + 1};
		s->guesses[child] = 0;
		s->node_count++;
	}
	s->guesses[parent] = child;
	return child;
}

uint32_t
samples_stack(struct sampler *s, bool innermost_first)
{
	size_t count = s->frame_count;
	uint32_t node = 0;

	if (count > SAMPLE_DEPTH_MAX) {
		samples_fault(s, DAMAGE_TOO_DEEP);
		count = SAMPLE_DEPTH_MAX;
	}
	for (size_t i = 0; i < count; i++) {
		uint32_t child = node_child(s, node,
		    s->frames[innermost_first ? s->frame_count - 1 - i : i]);

		if (child == IDMAP_NONE) {
			samples_fault(s, DAMAGE_MERGED_CALL);
			break;
		}
		node = child;
	}
	s->frame_count = 0;
	return node;
}

uint32_t
samples_below(const struct sampler *s, uint32_t node, uint32_t depth)
{
	while (s->nodes[node].depth > depth)
		node = s->nodes[node].parent;
	return node;
}

uint32_t
samples_common(const struct sampler *s, uint32_t a, uint32_t b)
{
	uint32_t depth_a = s->nodes[a].depth, depth_b = s->nodes[b].depth;

	a = samples_below(s, a, depth_b);
	b = samples_below(s, b, depth_a);
	while (a != b) {
		a = s->nodes[a].parent;
		b = s->nodes[b].parent;
	}
	return s->nodes[a].depth;
}

uint32_t
samples_call(struct sampler *s, uint32_t below, uint32_t method)
{
	uint32_t node = below;

	if (method == METHOD_NONE)
		return below;
	if (s->nodes[below].depth >= SAMPLE_DEPTH_MAX)
		samples_fault(s, DAMAGE_TOO_DEEP);
	else if ((node = node_child(s, below, method)) == IDMAP_NONE)
		samples_fault(s, DAMAGE_MERGED_CALL);
	return node == IDMAP_NONE ? below : node;
}

/* Tables of stacks ------------------------------------------------------------------- */

/* The node of a row that is looked for: met again, it is below itself. */
#define ROW_ASKED UINT32_MAX

uint32_t
samples_row(struct sampler *s, struct stack_row *rows, size_t count, uint32_t row)
{
	size_t chain = 0;
	uint32_t node = 0;

	if (row >= count) {
		samples_fault(s, DAMAGE_MALFORMED_LINE);
		return 0;
	}
	/* Down to a row whose node is known, or a root. */
	for (uint32_t at = row + 1; at > 0; at = rows[at - 1].below) {
		struct stack_row *r = &rows[at - 1];

		if (at > count || r->node == ROW_ASKED) {
			samples_fault(s, DAMAGE_MALFORMED_LINE);
			break;
		}
		if (r->node > 0) {
			node = r->node - 1;
			break;
		}
		r->node = ROW_ASKED;
		*MEM_ADD(s->frames, chain, s->frame_room) = at - 1;
	}
	while (chain > 0) {
		struct stack_row *r = &rows[s->frames[--chain]];

		node = samples_call(s, node, r->method);
		r->node = node + 1;
	}
	return node;
}
