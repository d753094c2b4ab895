/*
 * info-log: the rows about a text log: what was read of it, cores, processes, counters.
 */
#include <config.h>

#include <inttypes.h>

#include "trace/log.h"
#include "view/info_rows.h"

static void
add_counts(struct info *info, const struct log_summary *s)
{
	info_heading(info, "LOG");
	for (int i = 0; i < log_count_count; i++) {
		const struct log_count *c = &log_counts[i];
		uint64_t count = log_count_get(s, c);

		if (count > 0 || !c->trouble)
			info_pair(info, c->name, "%" PRIu64 " %s", count, c->help);
	}
}

static void
add_markers(struct info *info, const struct log_summary *s)
{
	info_heading(info, "MARKERS");
	for (int i = 0; i < LOG_MARKERS; i++) {
		if (s->markers[i] > 0)
			info_pair(info, log_marker_names[i], "%" PRIu64, s->markers[i]);
	}
	for (int i = 0; i < LOG_FORMS; i++) {
		if (s->forms[i] > 0)
			info_pair(info, log_form_names[i], "%" PRIu64 " in this form", s->forms[i]);
	}
}

static void
add_levels(struct info *info, const struct log_summary *s)
{
	struct sbuf name = {0};

	for (int i = 0; i < LOG_LEVELS; i++) {
		if (s->levels[i] == 0)
			continue;
		sbuf_clear(&name);
		sbuf_printf(&name, "level-%s", log_levels[i].name);
		info_pair(info, sbuf_cstr(&name), "%" PRIu64 " slices", s->levels[i]);
	}
	for (int i = 0; i < LOG_TAGS; i++) {
		if (s->tags[i] == 0)
			continue;
		sbuf_clear(&name);
		sbuf_text(&name, "tag-");
		log_tag_text(&name, i);
		info_pair(info, sbuf_cstr(&name), "%" PRIu64 " slices", s->tags[i]);
	}
	sbuf_release(&name);
}

void
info_add_log(struct info *info, const struct trace *t, const struct log_summary *s)
{
	const struct log *log = t->log;

	add_counts(info, s);
	add_markers(info, s);
	add_levels(info, s);
	if (!log->has_sched)
		info_note(info, STR("no sched events in this log: no CPU times, no thread states"));
}
