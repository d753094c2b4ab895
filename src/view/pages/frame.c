// SPDX-License-Identifier: Apache-2.0
/* frame: all that is known about one frame of a log, as rows of text. */
#include <config.h>

#include <inttypes.h>

#include "trace/log.h"
#include "view/frames.h"
#include "view/pages/info.h"

/* Layers that are listed. */
enum { LAYERS_MOST = 64 };

/* present_type of FrameTimelineEvent, in the words of Perfetto. */
static const char *const presents[] = {
    "Unspecified Present", "On-time Present", "Late Present", "Early Present", "Dropped Frame",
    "Unknown Present"};
enum { PRESENTS = sizeof(presents) / sizeof(presents[0]) };

/* A time of the trace. */
static void
add_time(struct info *info, const char *name, nsec at)
{
	info_pair(info, name, "%s ms", fmt_ms(FMT_BUF, at));
}

static void
add_length(struct info *info, const char *name, nsec length)
{
	if (length >= 0)
		info_pair(info, name, "%s ms", fmt_ms(FMT_BUF, length));
}

static void
add_span(struct info *info, const char *name, struct range span)
{
	if (span.to > 0)
		info_pair(info, name, "%s to %s ms", fmt_ms(FMT_BUF, span.from), fmt_ms(FMT_BUF, span.to));
}

static void
add_frame(struct info *info, const struct frames *f, const struct jank_frame *row)
{
	nsec over;

	info_heading(info, "FRAME");
	info_pair(info, "process", "%.*s (%" PRIu32 ")", STR_ARG(frames_process(f, row)), row->pid);
	info_pair(info, "source", "%s", jank_source_names[row->source]);
	if (row->token > 0)
		info_pair(info, "token", "%" PRId64, row->token);
	add_time(info, "start", row->start);
	if (row->open)
		info_pair(info, "time", "it does not end in the trace");
	else
		add_length(info, "time", row->time[CLOCK_WALL]);
	if (row->deadline >= 0) {
		add_time(info, jank_is_told(row) ? "expected start" : "vsync", row->expected);
		add_time(info, "deadline", row->deadline);
		add_length(info, "budget", row->deadline - row->expected);
	}
	if (frames_over(f, row, &over))
		info_pair(info, "over", "%s ms", fmt_ms(FMT_BUF, over));
	info_pair(info, "slow", "%s", row->slow ? "yes" : "no");
	if (row->slow && frames_cause(f, row).n > 0)
		info_pair(info, "cause", "%.*s", STR_ARG(frames_cause(f, row)));
	if (row->drew >= 0)
		info_pair(info, "drew", "%s", row->drew > 0 ? "yes" : "no");
	if (row->display != 0)
		info_pair(info, "display token", "%" PRId64, row->display);
	if (row->shown >= 0)
		add_time(info, "shown", row->shown);
}

static void
add_calls(struct info *info, const struct jank_frame *row)
{
	static const char *const states[JANK_STATES] = {"running", "runnable", "sleeping", "blocked"};
	const bool hitrace = row->source == JANK_HITRACE;
	nsec known = 0;

	if (row->method == METHOD_NONE)
		return;
	info_heading(info, "CALLS");
	info_pair(info, "thread", "%.*s", STR_ARG(names_thread(info->names, row->thread)));
	add_span(info, hitrace ? "ReceiveVsync" : "doFrame", row->called);
	add_length(info, "UI", row->ui);
	add_span(info, hitrace ? "render service" : row->queued ? "queueBuffer" : "DrawFrame", row->drawn);
	add_length(info, "render", row->render);
	for (int s = 0; s < JANK_STATES; s++)
		known += row->state[s];
	for (int s = 0; s < JANK_STATES && known > 0; s++)
		add_length(info, states[s], row->state[s]);
	if (row->heaviest == METHOD_NONE)
		return;
	info_pair(info, "most of it", "%.*s, %s ms",
	    STR_ARG(names_shown(info->names, row->heaviest)), fmt_ms(FMT_BUF, row->heaviest_time));
}

/* The layers, as SurfaceFlinger tells of each. */
static void
add_layers(struct info *info, const struct log *log, const struct jank_frame *row)
{
	size_t count = 0;

	for (uint64_t i = 0; i < log->frames.count && jank_is_told(row); i++) {
		const struct log_frame f = *(const struct log_frame *)spool_peek(&log->frames, i);
		struct log_detail d = {.pid = 0};

		if (f.expected || f.token != row->token || f.process != row->process ||
		    f.display != (row->source == JANK_DISPLAY) || ++count > LAYERS_MOST)
			continue;
		info_heading(info, "LAYER");
		if (log->detail != NULL && log->detail(log, f.offset, &d) && d.args.n > 0) {
			sbuf_str(&info->text, d.args);
			info_add(info, "name");
		}
		add_time(info, "start", f.from);
		if (f.to != LOG_OPEN)
			add_length(info, "time", f.to - f.from);
		log_janks_put(&info->text, f.janks);
		info_pair(info, "jank", "%s%#" PRIx32, info->text.n > 0 ? ", " : "", f.janks);
		info_pair(info, "present", "%s", presents[f.present < PRESENTS ? f.present : PRESENTS - 1]);
		info_pair(info, "on time", "%s", f.in_time ? "yes" : "no");
		info_pair(info, "composed by the GPU", "%s", f.by_gpu ? "yes" : "no");
	}
	info_more(info, count, LAYERS_MOST);
}

void
info_build_frame(struct info *info, const struct trace *trace, struct names *names,
    const struct frames *f, const struct jank_frame *row)
{
	info_begin(info, trace, names);
	if (row == NULL) {
		info_note(info, STR("The frame is in no list now"));
		return;
	}
	add_frame(info, f, row);
	add_calls(info, row);
	add_layers(info, trace->log, row);
}
