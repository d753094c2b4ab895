// SPDX-License-Identifier: Apache-2.0
/*
 * htmlhead: what the trace is, as labels in a line at the head of the report's page.
 */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "base/conf.h"
#include "base/escape.h"
#include "report/text/htmlparts.h"
#include "trace/log.h"
#include "view/pages/info.h"

enum { TEXT_CHARS = 80 }; /* of a text of the file */

/* Adds a text from the trace; an empty text adds none. */
static void
add_text(struct info *info, const char *name, struct str text)
{
	struct str head;

	if (text.n == 0)
		return;
	head = names_head(info->names, names_clean(info->names, text), TEXT_CHARS);
	info_pair(info, name, "%.*s", STR_ARG(head));
}

/* Facts that slowtop wrote beside the trace when it recorded it. */
struct recorded {
	struct str app, version, model;
};

static void
recorded_take(void *context, const struct conf_entry *entry)
{
	struct recorded *r = context;

	if (str_equal(entry->key, STR("app")))
		r->app = entry->value;
	else if (str_equal(entry->key, STR("app version")))
		r->version = entry->value;
	else if (str_equal(entry->key, STR("model")) ||
	    (r->model.n == 0 && str_equal(entry->key, STR("device"))))
		r->model = entry->value;
}

/* Device and version of "google/cheetah/cheetah:13/TQ3A.230705.001/10216780:user/release-keys". */
static void
add_build(struct info *info, struct str build)
{
	struct str device = str_cut(&build, ':'), version = str_cut(&build, '/');

	if (version.n > 0)
		info_pair(info, "device", "%.*s, Android %.*s", (int)(device.n < 64 ? device.n : 64),
		    device.p, (int)(version.n < 16 ? version.n : 16), version.p);
	else
		add_text(info, "device", device);
}

static void
add_origin(struct info *info, const struct page *p)
{
	const struct trace *t = info->trace;
	struct finding_words w = {t, p->found, info->names};
	struct recorded rec = {.app = STR("")};

	conf_read(t->recorded, recorded_take, &rec);
	if (rec.app.n == 0 && t->log != NULL && p->found != NULL && p->found->thread != THREAD_NONE)
		rec.app = finding_process(&w, trace_thread(t, p->found->thread)->process);
	add_text(info, "app", rec.app);
	add_text(info, "version", rec.version);
	if (rec.model.n > 0)
		add_text(info, "device", rec.model);
	else if (trace_property(t, "android-build").n > 0)
		add_build(info, trace_property(t, "android-build"));
}

/* Adds the damage; its rows are links to the part about it. */
static void
add_lost(struct info *info, const struct damage *damage)
{

	if (info->trace->overflow)
		info_pair(info, "lost", "all after the recording buffer was full");
	for (int i = 0; i < DAMAGE_KINDS; i++) {
		struct str text = str_from(damage_text(damage, (enum damage_kind)i, DAMAGE_BUF));

		if (damage_met(damage, i))
			info_row_add(info, INFO_DAMAGE, str_from(damage_kinds[i].name), str_cut(&text, ','));
	}
}

static void
labels_write(struct sbuf *out, const struct info *info)
{
	sbuf_text(out, "<dl class=\"head\">\n");
	for (size_t i = 0; i < info->count; i++) {
		bool lost = info->rows[i].kind == INFO_DAMAGE;

		html_between(out, lost ? "<div class=\"lost\"><dt>" : "<div><dt>", info->rows[i].name,
		    "</dt><dd>");
		html_between(out, lost ? "<a href=\"#damage\">" : "", info->rows[i].value,
		    lost ? "</a></dd></div>\n" : "</dd></div>\n");
	}
	sbuf_text(out, "</dl>\n");
}

void
page_head(const struct page *p, uint32_t busiest, nsec busy)
{
	const struct report *r = p->report;
	bool cpu = r->figures.clock == CLOCK_CPU;
	struct info info = {0};

	info_begin(&info, r->trace, r->figures.names);
	if (!r->trace->own_axes)
		info_pair(&info, "length", "%s",
		    fmt_duration(FMT_BUF, r->profile->end - r->profile->begin));
	if (!range_is_all(&r->options->range))
		info_pair(&info, "shown", "%s of it", fmt_duration(FMT_BUF, r->fold->length));
	info_pair(&info, "kind", "%s (%s)", r->trace->log != NULL ? "system trace"
		: r->trace->sampled ? "samples" : "method trace",
	    r->trace->format);
	add_origin(&info, p);
	info_recorded(&info, &r->profile->sampled, r->profile->records > 0);
	info_started(&info);
	if (unit_counts(&r->trace->unit))
		info_pair(&info, "unit", "%s", r->trace->unit.name);
	else
		info_pair(&info, "clock", cpu ? "CPU" : "wall");
	info_pair(&info, "calls", "%s", fmt_count(FMT_BUF, r->fold->whole_calls, ","));
	info_pair(&info, "methods", "%s", fmt_count(FMT_BUF, r->methods_met, ","));
	info_pair(&info, "threads", "%" PRIu32, r->threads_met);
	if (busiest != THREAD_NONE) {
		struct str name = names_head(r->figures.names,
		    names_thread(r->figures.names, busiest), TEXT_CHARS);

		info_pair(&info, "busiest thread", "%.*s, %s%s", STR_ARG(name),
		    unit_counts(&r->trace->unit) ? unit_text(&r->trace->unit, FMT_BUF, busy)
		    : fmt_duration(FMT_BUF, busy), unit_counts(&r->trace->unit) ? "" : cpu ? " of CPU time"
		    : part_words(p, " in calls that are not idle"));
	}
	add_lost(&info, &r->profile->damage);
	labels_write(p->out, &info);
	info_release(&info);
}
