// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/session.h"

#include "base/mem.h"
#include "trace/folded.h"

struct session *
session_new(struct trace *trace, bool owned, bool utf8)
{
	struct session *s = mem_zero(1, sizeof(*s));

	s->trace = trace;
	s->owned = owned;
	s->names = names_new(trace, utf8);
	display_init(&s->display, trace, s->names);
	methods_init(&s->methods, &s->display);
	packages_init(&s->packages, &s->display);
	findings_list_init(&s->findings, &s->display);
	sequence_list_init(&s->sequence, &s->display);
	s->sequence_thread = THREAD_NONE;
	frames_init(&s->frames, &s->display);
	calltree_init(&s->tree, &s->display, false);
	calltree_init(&s->callers, &s->display, true);
	s->tree_asked = PATH_NONE;
	icicle_init(&s->flame, &s->tree);
	threads_init(&s->threads, &s->display, &s->subset.scope);
	threads_init(&s->picker_threads, &s->display, &s->subset.scope);
	s->picker_threads.list.columns = &s->threads.list.own;
	usage_tables_init(&s->tables, &s->display.figures);
	timeline_pane_init(&s->timeline, trace, s->names);
	selection_init(&s->selected);
	s->subset.range = RANGE_ALL;
	if (trace->log != NULL)
		s->choice = trace->log->choice;
	calls_list_init(&s->calls, &s->display.figures, &s->display);
	s->calls_method = s->copying = s->told.method = s->details_method = METHOD_NONE;
	s->near = (struct near_ask){.method = METHOD_NONE};
	s->now = (struct load_status){.state = LOAD_MORE};
	s->load_start_ms = clock_ms();
	return s;
}

struct session *
session_open(struct trace *trace, bool owned, bool utf8, unsigned jobs,
    const struct notify *answered, struct err *e)
{
	struct session *s = session_new(trace, owned, utf8);

	s->engine = engine_new(trace, jobs, answered, e);
	if (s->engine != NULL)
		return s;
	session_free(s);
	return NULL;
}

enum clock_id
session_auto_clock(const struct session *s)
{
	const struct scope *chosen = scope_chosen(s->subset.scope);
	const bool alone = chosen != NULL && scope_size(chosen) == 1;

	return alone || s->slow.of != SLOW_NONE ? trace_default_clock(s->trace) : trace_busy_clock(s->trace);
}

uint32_t
session_listed(const struct session *s, uint32_t method)
{
	return s->subset.folded && method < trace_method_count(s->trace)
	    ? trace_folded(s->trace, method) : method;
}

void
session_free(struct session *s)
{
	if (s == NULL)
		return;
	engine_free(s->engine);
	packages_release(&s->packages);
	findings_list_release(&s->findings);
	sequence_list_release(&s->sequence);
	frames_release(&s->frames);
	selection_release(&s->selected);
	calls_list_release(&s->calls);
	bookmarks_release(&s->bookmarks);
	info_release(&s->info);
	places_release(&s->undo);
	places_release(&s->history);
	subset_release(&s->shown);
	threads_release(&s->threads);
	threads_release(&s->picker_threads);
	timeline_pane_release(&s->timeline);
	icicle_release(&s->flame);
	calltree_release(&s->tree);
	calltree_release(&s->callers);
	engine_paths_free(s->trees);
	methods_release(&s->methods);
	display_release(&s->display);
	subset_release(&s->subset);
	scope_free(s->start_scope);
	usage_tables_release(&s->tables);
	usage_free(s->usage);
	names_free(s->names);
	if (s->owned)
		trace_free(s->trace);
	mem_free(s);
}

struct list *
session_list(struct session *s, int i)
{
	struct list *const lists[] = {&s->methods.list, &s->tree.list, &s->callers.list,
	    &s->threads.list, &s->picker_threads.list, &s->calls.list,
	    &s->packages.list, &s->frames.list, &s->findings.list, &s->sequence.list};
	int count = (int)(sizeof(lists) / sizeof(lists[0]));

	if (i < count)
		return lists[i];
	return i - count < USAGE_TABLES ? &s->tables.lists[i - count] : NULL;
}
