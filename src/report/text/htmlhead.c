// SPDX-License-Identifier: Apache-2.0
/*
 * htmlhead: what the trace is, as labels in a line at the head of the report's page.
 */
#include <config.h>

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/compat.h"
#include "base/conf.h"
#include "base/escape.h"
#include "report/text/htmlparts.h"
#include "trace/log.h"

enum { TEXT_CHARS = 80 }; /* of a text of the file */

static void label(const struct page *, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void
label(const struct page *p, const char *name, const char *format, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	sbuf_printf(p->out, "<div><dt>%s</dt><dd>", name);
	html_text(p->out, str_from(text));
	sbuf_text(p->out, "</dd></div>\n");
}

/* Adds a label with a text from the trace; an empty text adds none. */
static void
label_text(const struct page *p, const char *name, struct str text)
{
	struct names *names = p->report->figures.names;
	struct str head;

	if (text.n == 0)
		return;
	head = names_head(names, names_clean(names, text), TEXT_CHARS);
	label(p, name, "%.*s", STR_ARG(head));
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
build_label(const struct page *p, struct str build)
{
	struct str device = str_cut(&build, ':'), version = str_cut(&build, '/');

	if (version.n > 0)
		label(p, "device", "%.*s, Android %.*s", (int)(device.n < 64 ? device.n : 64), device.p,
		    (int)(version.n < 16 ? version.n : 16), version.p);
	else
		label_text(p, "device", device);
}

static void
origin_write(const struct page *p)
{
	const struct report *r = p->report;
	const struct trace *t = r->trace;
	struct finding_words w = {t, p->found, r->figures.names};
	struct recorded rec = {.app = STR("")};

	conf_read(t->recorded, recorded_take, &rec);
	if (rec.app.n == 0 && t->log != NULL && p->found != NULL && p->found->thread != THREAD_NONE)
		rec.app = finding_process(&w, trace_thread(t, p->found->thread)->process);
	label_text(p, "app", rec.app);
	label_text(p, "version", rec.version);
	if (rec.model.n > 0)
		label_text(p, "device", rec.model);
	else if (trace_property(t, "android-build").n > 0)
		build_label(p, trace_property(t, "android-build"));
}

static void
recording_write(const struct page *p)
{
	const struct report *r = p->report;
	const struct sampled *sampled = &r->profile->sampled;
	char date[TRACE_DATE];

	if (sampled->yes && sampled->interval > 0)
		label(p, "recorded", "%ssampled, about every %s", r->trace->log != NULL ? "partly " : "",
		    fmt_duration(FMT_BUF, sampled->interval));
	else if (sampled->yes)
		label(p, "recorded", "%ssampled", r->trace->log != NULL ? "partly " : "");
	else if (r->trace->log == NULL)
		label(p, "recorded", "every call");
	if (r->trace->start_us > 0 && trace_start_date(r->trace, ' ', date))
		label(p, "started", "%.19s UTC", date);
}

/* Nothing where nothing was lost. */
static void
lost_write(const struct page *p)
{
	const struct damage *damage = &p->report->profile->damage;
	char text[128];

	if (p->report->trace->overflow)
		label(p, "lost", "all after the recording buffer was full");
	for (int i = 0; i < DAMAGE_KINDS; i++) {
		if (!damage_met(damage, i))
			continue;
		damage_text(damage, (enum damage_kind)i, text, sizeof(text));
		sbuf_printf(p->out, "<div class=\"lost\"><dt>%s</dt><dd><a href=\"#damage\">%.*s</a></dd>"
		    "</div>\n", damage_kinds[i].name, (int)strcspn(text, ","), text);
	}
}

void
page_head(const struct page *p, uint32_t busiest, nsec busy)
{
	const struct report *r = p->report;
	bool cpu = r->figures.clock == CLOCK_CPU;

	sbuf_text(p->out, "<dl class=\"head\">\n");
	if (!r->trace->own_axes)
		label(p, "length", "%s", fmt_duration(FMT_BUF, r->profile->end - r->profile->begin));
	if (!range_is_all(&r->options->range))
		label(p, "shown", "%s of it", fmt_duration(FMT_BUF, r->fold->length));
	label(p, "kind", "%s (%s)", r->trace->log != NULL ? "system trace" : "method trace",
	    r->trace->format);
	origin_write(p);
	recording_write(p);
	label(p, "clock", cpu ? "CPU" : "wall");
	label(p, part_words(p, "calls"), "%s", fmt_count(FMT_BUF, r->fold->whole_calls, ","));
	label(p, part_words(p, "methods"), "%s", fmt_count(FMT_BUF, r->methods_met, ","));
	label(p, "threads", "%" PRIu32, r->threads_met);
	if (busiest != THREAD_NONE) {
		struct str name = names_head(r->figures.names,
		    names_thread(r->figures.names, busiest), TEXT_CHARS);

		label(p, "busiest thread", "%.*s, %s%s", STR_ARG(name), fmt_duration(FMT_BUF, busy),
		    cpu ? " of CPU time" : part_words(p, " in calls that are not idle"));
	}
	lost_write(p);
	sbuf_text(p->out, "</dl>\n");
}
