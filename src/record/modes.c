// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "record/modes.h"

#include <string.h>

const char *const clock_choices[CLOCK_WORDS] = {"wall", "cpu", "both"};
const char *const keep_choices[KEEP_WORDS] = {"first", "last"};

#define TMP "/data/local/tmp"

/* clang-format off */
const struct mode modes[] = {
	{ "sampled", "stacks of an app, every millisecond or --interval",
	    TOOL_ADB, TAKES_APP | TAKES_INTERVAL | TAKES_CLOCK | TAKES_VERSION,
	    TMP, ".trace", .programs = {"am"},
	    .start = "am profile start --sampling {interval}{=options} {app} {file}",
	    .stop = "am profile stop {app}",
	    .whole = whole_method },
	{ "traced", "each call of an app; it runs many times slower",
	    TOOL_ADB, TAKES_APP | TAKES_CLOCK | TAKES_VERSION,
	    TMP, ".trace", .programs = {"am"},
	    .start = "am profile start{=options} {app} {file}",
	    .stop = "am profile stop {app}",
	    .whole = whole_method },
	{ "streamed", "the same, written at once: as long as you like",
	    TOOL_ADB, TAKES_APP | TAKES_CLOCK | TAKES_VERSION | TAKES_LIVE | GROWS,
	    TMP, ".trace", .programs = {"am"},
	    .start = "am profile start --streaming{=options} {app} {file}",
	    .stop = "am profile stop {app}",
	    .live = "tail -c +1 -f {file}", .live_started = true,
	    .whole = whole_method },
	{ "startup", "stacks of an app from its cold start on",
	    TOOL_ADB, TAKES_APP | TAKES_INTERVAL | TAKES_ACTIVITY,
	    TMP, ".trace", .programs = {"am"},
	    .start = "am force-stop {app} && am start -W -n {activity} --start-profiler {file} --sampling {interval}",
	    .stop = "am profile stop {app}",
	    .started = "Status: ok",
	    .whole = whole_method },
	{ "atrace", "the system's log with the markers of apps",
	    TOOL_ADB, TAKES_TAGS | TAKES_KEEP | TAKES_FILTER | TAKES_LIVE,
	    TMP, ".atrace", 32768, "sched,freq,gfx,view,am,wm,dalvik",
	    .programs = {"atrace"}, .list_tags = "atrace --list_categories",
	    .start = "atrace --async_start{=options} -b {kb} {=tags}",
	    .stop = "atrace --async_stop -o {file}",
	    .live = "atrace --stream{=options} -b {kb} {=tags}",
	    .whole = whole_log },
	{ "perfetto", "the system's scheduler and markers, as Perfetto has them",
	    TOOL_ADB, TAKES_TAGS | TAKES_KEEP | TAKES_FILTER | TAKES_CONFIG | TAKES_LIVE,
	    "/data/misc/perfetto-traces", ".pftrace", 32768, "gfx,view,am,wm,dalvik,sched,freq",
	    .programs = {"perfetto"},
	    .start = "perfetto --background --txt -c - -o {file}",
	    .stop = "kill -TERM {pid}", .discard = "kill -KILL {pid}",
	    .live = "cat {run}.config | perfetto --txt -c - -o -",
	    .gone = "kill -0 {pid}",
	    .whole = whole_any },
	{ "hitrace", "OpenHarmony's log with the markers of apps",
	    TOOL_HDC, TAKES_TAGS | TAKES_KEEP | TAKES_FILTER | TAKES_LIVE,
	    TMP, ".ftrace", 32768, "sched,freq,ohos,ability,ace,ark,graphic,app",
	    .programs = {"hitrace", "bytrace"}, .list_tags = "{=program} -l",
	    .start = "{=program} --trace_begin{=options} -b {kb} {=tags}",
	    .stop = "{=program} --trace_finish -o {file}",
	    .discard = "{=program} --trace_finish_nodump",
	    .stopped = "trace read done",
	    /* Where hitrace looks for it, in this order. */
	    .live = "cat $([ -e /sys/kernel/tracing/trace_pipe ] && echo /sys/kernel/tracing || "
		"echo /sys/kernel/debug/tracing)/trace_pipe", .live_started = true,
	    .whole = whole_log },
};
/* clang-format on */

const int mode_count = (int)(sizeof(modes) / sizeof(modes[0]));

const struct mode *
mode_usual(enum device_tool tool, const struct recording *r)
{
	for (int i = 0; i < mode_count; i++)
		if (modes[i].tool == tool && (!r->live || ((modes[i].takes & TAKES_LIVE) != 0 &&
		    ((modes[i].takes & TAKES_APP) == 0 || r->app != NULL))))
			return &modes[i];
	return &modes[0];
}

uint64_t
mode_buffer(const struct recording *r)
{
	return r->buffer > 0 ? (r->buffer + 1023) / 1024 : r->mode->buffer;
}

/* Commands ---------------------------------------------------------------------------- */

void
mode_options(const struct recording *r, struct sbuf *out)
{
	static const char *const clocks[CLOCK_WORDS + 1] = {
	    "", " --clock-type wall", " --clock-type thread-cpu", " --clock-type dual"};

	sbuf_text(out, clocks[r->clock]);
	if (r->version > 0)
		sbuf_printf(out, " --profiler-output-version %d", r->version);
	/* Unless told otherwise atrace keeps what came first, hitrace what came last. */
	if (r->mode->tool == TOOL_ADB && (r->mode->takes & TAKES_KEEP) != 0 && r->keep != 1)
		sbuf_text(out, " -c");
	if (r->mode->tool == TOOL_HDC && r->keep == 1)
		sbuf_text(out, " --overwrite");
	if (r->mode->tool == TOOL_ADB && (r->mode->takes & TAKES_FILTER) != 0 && r->app != NULL) {
		sbuf_text(out, " -a ");
		shell_word(out, str_from(r->app));
	}
}

/* Events of the kernel that threads, cores and names are made of. */
static const char config_events[] =
    "      ftrace_events: \"sched/sched_switch\"\n"
    "      ftrace_events: \"sched/sched_waking\"\n"
    "      ftrace_events: \"sched/sched_process_exit\"\n"
    "      ftrace_events: \"task/task_newtask\"\n"
    "      ftrace_events: \"task/task_rename\"\n"
    "      ftrace_events: \"power/cpu_frequency\"\n"
    "      ftrace_events: \"power/cpu_idle\"\n";

void
mode_config(const struct recording *r, struct str tags, struct sbuf *out)
{
	struct str tag;

	if ((r->mode->takes & TAKES_CONFIG) == 0)
		return;
	if (r->config != NULL) {
		sbuf_text(out, r->config);
		return;
	}
	sbuf_printf(out, "buffers { size_kb: %llu fill_policy: %s }\n",
	    (unsigned long long)mode_buffer(r), r->keep == 1 ? "DISCARD" : "RING_BUFFER");
	if (r->live)
		sbuf_text(out, "write_into_file: true\nfile_write_period_ms: 500\nflush_period_ms: 1000\n");
	/* A limit of its own, in case the connection is lost before the end. */
	if (r->time > 0)
		sbuf_printf(out, "duration_ms: %lld\n", (long long)(r->time / 1000000 + 60000));
	sbuf_text(out, "data_sources { config { name: \"linux.process_stats\"\n"
	    "  process_stats_config { scan_all_processes_on_start: true } } }\n"
	    "data_sources { config { name: \"android.surfaceflinger.frametimeline\" } }\n"
	    "data_sources { config { name: \"linux.ftrace\"\n    ftrace_config {\n");
	sbuf_text(out, config_events);
	while (tags.n > 0 && (tag = str_word(&tags)).n > 0) {
		sbuf_text(out, memchr(tag.p, '/', tag.n) != NULL ? "      ftrace_events: \""
			: "      atrace_categories: \"");
		sbuf_str(out, tag);
		sbuf_text(out, "\"\n");
	}
	if (r->app != NULL)
		sbuf_printf(out, "      atrace_apps: \"%s\"\n", r->app);
	sbuf_text(out, "    } } }\n");
}
