// SPDX-License-Identifier: Apache-2.0
/* option_table: what options there are, and what each does (options.h). */
#include <config.h>

#include <stddef.h>

#include "cli/option_values.h"

#define BROWSE COMMAND_BIT(COMMAND_BROWSE)
#define REPORT COMMAND_BIT(COMMAND_REPORT)
#define INFO   COMMAND_BIT(COMMAND_INFO)
#define FLAME  COMMAND_BIT(COMMAND_FLAME)
#define HTML   COMMAND_BIT(COMMAND_HTML)
#define CONVERT COMMAND_BIT(COMMAND_CONVERT)
#define DUMP   COMMAND_BIT(COMMAND_DUMP)
#define DIFF   COMMAND_BIT(COMMAND_DIFF)
#define TRIAGE COMMAND_BIT(COMMAND_TRIAGE)
#define RECORD COMMAND_BIT(COMMAND_RECORD)
#define COMMAND_ALL (COMMAND_ANY | RECORD)
#define SERVE  COMMAND_BIT(COMMAND_SERVE)

#define AT(member) .at = offsetof(struct options, member)
#define GIVEN(member) .given = offsetof(struct options, member)
#define FLAG(member) .kind = OPTION_FLAG, AT(member)
#define TEXT(member) .kind = OPTION_TEXT, AT(member)
#define TEXTS(member) .kind = OPTION_TEXTS, AT(member)
#define TIME(member) .kind = OPTION_TIME, AT(member)
#define SIZE(member) .kind = OPTION_SIZE, AT(member)
#define WORD(list, member) .kind = OPTION_WORD, .words = &(list), AT(member)
#define ROW(list, member) .kind = OPTION_ROW, .words = &(list), AT(member)
#define NUMBER(from, to, member) .kind = OPTION_NUMBER, .least = (from), .most = (to), AT(member)
#define THOUSANDTHS(to, member) .kind = OPTION_THOUSANDTHS, .most = (to), AT(member)
#define SHARE(to, member) .kind = OPTION_SHARE, .most = (to), AT(member)
#define CALL(function) .kind = OPTION_CALL, .take = (function)
#define ADD(function) .kind = OPTION_ADD, .add = (function)
#define CALL_WORDS(list, function) CALL(function), .words = &(list)

/* clang-format off */
const struct option_row option_rows[] = {
	{ "format", 0, "FORMAT", REPORT | INFO, "Printing options",
	    "output format (default: text); prints the report;\n"
	    "csv is for the report only",
	    ROW(words_format, report.format) },
	{ "output", 'o', "FILE", REPORT | INFO | TRIAGE | FLAME | HTML | CONVERT | DUMP | DIFF, NULL,
	    "write to this file, whole or not at all; - is\n"
	    "standard output",
	    CALL(output_take), .prints = true, .file = true },
	{ "force", 0, NULL, REPORT | INFO | TRIAGE | FLAME | HTML | CONVERT | DUMP | DIFF | RECORD, NULL,
	    "overwrite an existing file",
	    FLAG(force) },
	{ "view", 0, "VIEW", BROWSE, "Browser and report options",
	    "first view of the browser, by name or key (2);\n"
	    "without a terminal, the view of the report:",
	    CALL_WORDS(words_start, start_view_take) },
	{ "clock", 0, "CLOCK", BROWSE | REPORT | FLAME | HTML | CONVERT | DUMP | DIFF, NULL,
	    "clock for all times (default: cpu if recorded)",
	    WORD(words_clock, report.clock), GIVEN(report.clock_given), .setting = "clock" },
	{ "fold-names", 0, "yes|no", BROWSE | REPORT | FLAME | HTML | DIFF, NULL,
	    "logs: slices whose names differ in numbers are one\n"
	    "row (default: yes, but in csv, json, folded and diff)",
	    WORD(words_fold, report.names), .least = NAMES_WRITTEN, .setting = "fold-names" },
	{ "sort", 0, "[+|-]COLUMN", BROWSE | REPORT, NULL,
	    "sort rows, + smallest first, - largest first; views\n"
	    "of logs: by a column of their CSV (default:\n"
	    "self time)",
	    CALL_WORDS(words_column, sort_take), .setting = "sort" },
	{ "filter", 0, "REGEX", BROWSE | REPORT | HTML | CONVERT | DUMP | DIFF, NULL,
	    "show only rows that match, or with ! in front those\n"
	    "that do not; several must all hold",
	    ADD(report_filter_add) },
	{ "where", 0, "CONDITIONS", REPORT, NULL,
	    "lists: only rows whose figures meet these, as in\n"
	    "'calls=1 max>16ms': COLUMN, one of = < > <= >=, a\n"
	    "figure; several must all hold",
	    TEXTS(report.where) },
	{ "transform", 0, "NAME:ARG", BROWSE | REPORT | FLAME | HTML | CONVERT | DIFF, NULL,
	    "change the call tree first: focus, merge, drop...;\n"
	    "several are applied in order",
	    ADD(report_transform_add) },
	{ "thread", 0, "THREAD", BROWSE | REPORT | TRIAGE | FLAME | HTML | CONVERT | DUMP | DIFF, NULL,
	    "only this thread, by id or name; may be repeated",
	    TEXTS(report.threads) },
	{ "process", 0, "PROCESS", BROWSE | REPORT | INFO | TRIAGE | FLAME | HTML | CONVERT | DUMP | DIFF, NULL,
	    "logs: only this process, by id or name, or all;\n"
	    "may be repeated",
	    TEXTS(report.processes) },
	{ "tag", 0, "TAG", BROWSE | REPORT | INFO | FLAME | HTML | CONVERT | DUMP | DIFF, NULL,
	    "logs: only slices with this HiTrace tag, by name or\n"
	    "number; may be repeated",
	    CALL(tag_take) },
	{ "level", 0, "LEVEL", BROWSE | REPORT | INFO | FLAME | HTML | CONVERT | DUMP | DIFF, NULL,
	    "logs: only slices of this level or higher",
	    CALL_WORDS(words_level, level_take) },
	{ "from", 0, "TIME", BROWSE | REPORT | TRIAGE | FLAME | HTML | CONVERT | DUMP | DIFF, NULL,
	    "start at this time of the trace, in seconds or with\n"
	    "a unit: 1250ms",
	    TIME(report.range.from) },
	{ "to", 0, "TIME", BROWSE | REPORT | TRIAGE | FLAME | HTML | DUMP | DIFF, NULL,
	    "end at this time of the trace",
	    TIME(report.range.to) },
	{ "until", 0, "TIME", BROWSE | REPORT | TRIAGE | FLAME | HTML | CONVERT | DUMP | DIFF, NULL,
	    "as --to, also where --to is a format",
	    TIME(report.range.to) },
	{ "method", 0, "REGEX", BROWSE | REPORT, NULL,
	    "callers and callees of methods that match; may be\n"
	    "repeated; the browser selects the first",
	    ADD(report_method_add) },
	{ "calls", 0, "REGEX", BROWSE | REPORT, NULL,
	    "single calls of the methods that match, with\n"
	    "percentiles: --view=calls --method=REGEX",
	    CALL(calls_take) },
	{ "budget", 0, "TIME", BROWSE | REPORT, NULL,
	    "mark calls that took longer (default: 16.7ms;\n"
	    "frames of a log: the period of its display)",
	    TIME(report.budget), GIVEN(report.budget_given) },
	{ "follow", 'f', NULL, BROWSE | REPORT, NULL,
	    "go on with what is appended to the file, or comes\n"
	    "through the pipe; report: with --every",
	    FLAG(follow) },
	{ "follow-name", 'F', NULL, BROWSE | REPORT, NULL,
	    "the same, also when the file is cut or another one\n"
	    "takes its name; waits for one that is not there",
	    FLAG(follow_name) },
	{ "window", 0, "TIME", BROWSE, NULL,
	    "with -f or -F: figures of the last so many seconds",
	    TIME(window) },
	{ "keep-last", 0, "TIME", BROWSE | REPORT, NULL,
	    "with -f: of a pipe keep single records of the last\n"
	    "TIME; sums are of all that came",
	    TIME(keep_last) },
	{ "every", 0, "TIME", REPORT, NULL,
	    "with -f or -F: print a report at this interval, if\n"
	    "there is new data, and at the end",
	    TIME(every) },
	{ "base", 0, NULL, BROWSE | DIFF, NULL,
	    "the traces and folders after it are runs of before",
	    CALL(base_take) },
	{ "new", 0, NULL, BROWSE | DIFF, NULL,
	    "those after it are runs of now; five on each side are\n"
	    "the least that tells what got slower",
	    CALL(new_take) },
	{ "together", 0, NULL, BROWSE | REPORT | FLAME | DIFF, NULL,
	    "merge the trees of all threads into one",
	    FLAG(report.together) },
	{ "view", 0, "VIEW", REPORT, "Report options (any of them asks for the report)",
	    "what the rows are (default: methods)",
	    CALL_WORDS(words_view, view_take) },
	{ "limit", 0, "N", REPORT, NULL,
	    "at most N rows",
	    NUMBER(0, UINT32_MAX - 1, report.limit) },
	{ "run", 0, "NAME", REPORT | INFO, NULL,
	    "csv, jsonl: a first column \"run\" with this name\n"
	    "(of several traces, and in jsonl: that of the file)",
	    TEXT(report.run) },
	{ "relations", 0, NULL, REPORT, NULL,
	    "show callers and callees of every method",
	    FLAG(report.relations) },
	{ "min-percent", 0, "PERCENT", REPORT | DIFF, NULL,
	    "fold what is less of the total in trees\n"
	    "(default: 0.5)",
	    THOUSANDTHS(100, report.min_percent), GIVEN(report.min_given) },
	{ "format", 0, "FORMAT", TRIAGE, "Options of triage",
	    "output format (default: text):",
	    WORD(words_triage, triage.format) },
	{ "limit", 0, "N", TRIAGE, NULL,
	    "at most N findings of each trace (default: 10); 0\n"
	    "has no limit",
	    NUMBER(0, UINT32_MAX - 1, triage.limit), GIVEN(triage.limit_given) },
	{ "kind", 0, "KIND", TRIAGE, NULL,
	    "only findings of this kind; may be repeated:",
	    CALL_WORDS(words_kind, kind_take) },
	{ "budget", 0, "TIME", TRIAGE, NULL,
	    "what a message or frame may take (default: 16.7ms;\n"
	    "frames of a log: the period of its display)",
	    TIME(report.budget), GIVEN(report.budget_given) },
	{ "finding", 0, "KIND=off|TIME", TRIAGE, NULL,
	    "leave a kind out, or set its threshold; may be\n"
	    "repeated",
	    CALL(finding_take) },
	{ "rules", 0, "FILE", TRIAGE, NULL,
	    "take thresholds and patterns from the section\n"
	    "[findings] of this file",
	    CALL(rules_take), .file = true },
	{ "fail-on", 0, "KIND[:TIME]", TRIAGE, NULL,
	    "exit with status 1 when such a finding has so much\n"
	    "(default: its threshold); any: any late time; may\n"
	    "be repeated",
	    CALL(fail_on_take) },
	{ "format", 0, "FORMAT", FLAME, "Options of flame and html",
	    "picture or stacks (default: svg):",
	    ROW(words_flame, flame.format) },
	{ "title", 0, "TEXT", FLAME | HTML, NULL,
	    "title of the picture (default: from the trace's\n"
	    "name)",
	    TEXT(flame.title) },
	{ "link-threads", 0, NULL, HTML, NULL,
	    "threads without a graph in the page are links to\n"
	    "?thread=, as a server of pages answers them",
	    FLAG(flame.links) },
	{ "count-name", 0, "TEXT", FLAME, NULL,
	    "name for counts in the picture, which are in\n"
	    "microseconds then (default: milliseconds)",
	    TEXT(flame.count_name) },
	{ "min-width", 0, "PIXELS", FLAME, NULL,
	    "leave out narrower frames (default: 0.1)",
	    THOUSANDTHS(100, flame.min_width) },
	{ "format", 0, "FORMAT", DUMP, "Options of dump",
	    "output format (default: text); json: one object a\n"
	    "line",
	    ROW(words_dump, convert) },
	{ "to", 0, "FORMAT", CONVERT, "Options of convert",
	    "format to write; --list describes them:",
	    ROW(words_convert, convert) },
	{ "list", 0, NULL, CONVERT, NULL,
	    "list all formats: name, usual suffix, contents, and\n"
	    "the tools that open them",
	    FLAG(list) },
	{ "format", 0, "FORMAT", DIFF, "Options of diff",
	    "output format (default: text); prints the report on a\n"
	    "terminal, too, as do --output, --limit, --fail-above",
	    ROW(words_diff, diff.format), .prints = true },
	{ "view", 0, "VIEW", DIFF, NULL,
	    "compare methods or the tree of call paths (default:\n"
	    "methods); folded and svg are of call paths",
	    WORD(words_diff_view, diff.view), .prints = true },
	{ "hue", 0, "BY", DIFF, NULL,
	    "colour call paths by inclusive time, where several\n"
	    "runs prove that it differs (default: proved), or\n"
	    "all of them, or by their self time (self)",
	    WORD(words_diff_hue, diff.hue), .prints = true },
	{ "value", 0, "VALUE", DIFF, NULL,
	    "compare inclusive or exclusive time (default: incl)",
	    WORD(words_diff_value, diff.value) },
	{ "exact-names", 0, NULL, DIFF, NULL,
	    "logs: slices whose names differ in numbers are not\n"
	    "the same; for the report",
	    FLAG(report.exact) },
	{ "rename", 0, "OLD=NEW", DIFF, NULL,
	    "methods of A whose full names begin with OLD, as a\n"
	    "package or a class, begin with NEW; repeatable",
	    CALL(rename_take) },
	{ "min", 0, "TIME|PERCENT", DIFF, NULL,
	    "ignore smaller changes (default: 1ms, but at most a\n"
	    "thousandth of the longer trace; of several runs 3%,\n"
	    "too)",
	    CALL(diff_min_take) },
	{ "sort", 0, "[+|-]COLUMN", DIFF, NULL,
	    "sort each list (default: largest change first)",
	    CALL_WORDS(words_diff_column, diff_sort_take) },
	{ "limit", 0, "N", DIFF, NULL,
	    "at most N rows in each list",
	    NUMBER(0, UINT32_MAX - 1, report.limit), .prints = true },
	{ "fail-above", 0, "TIME|PERCENT", DIFF, NULL,
	    "exit with status 1 when a method got slower by more\n"
	    "than 5ms or 10%; with both, by more than both; with\n"
	    "4 where the runs are too few to tell",
	    CALL(diff_fail_take), .prints = true },
	{ "over", 0, "TIME", DIFF, NULL,
	    "compare frames that take longer (B) with the others\n"
	    "(A), per frame, in one trace or several",
	    TIME(diff.over), GIVEN(diff.over_given), .prints = true },
	{ "per", 0, "REGEX", DIFF, NULL,
	    "blocks of the outermost calls of methods that match\n"
	    "are runs; with --over: calls of them, not frames, of\n"
	    "the thread with most",
	    TEXT(diff.per), .prints = true },
	{ "allow", 0, "LIMIT PATTERN", DIFF, "Options of diff for several runs",
	    "other limits for the methods that match, as\n"
	    "'5%,1ms ^com\\.example\\.', 'none ^java\\.', or\n"
	    "'calls 0% draw'; the last that matches holds",
	    CALL(allow_take), .prints = true },
	{ "gate", 0, "HOW", DIFF, NULL,
	    "point: judge two traces by their difference, which\n"
	    "fails on noise (default: by the spread of runs)",
	    WORD(words_gate, runs.gate), .prints = true },
	{ "unsure", 0, "WHAT", DIFF, NULL,
	    "the status when runs cannot tell: 4, 0 or 1\n"
	    "(default: tell, which is 4)",
	    WORD(words_unsure, runs.unsure), .prints = true },
	{ "least-runs", 0, "N", DIFF, NULL,
	    "so many runs on each side are enough, 3 at least\n"
	    "(default: 5)",
	    NUMBER(3, 1000, runs.decide.runs_least), .prints = true },
	{ "max-noise", 0, "PERCENT", DIFF, NULL,
	    "runs of a side that differ by more cannot tell\n"
	    "(default: 25%)",
	    SHARE(1000, runs.decide.noise_most), .prints = true },
	{ "least", 0, "PERCENT", DIFF, NULL,
	    "test no smaller methods (default: 0.1%)",
	    SHARE(100, runs.decide.least), .prints = true },
	{ "error", 0, "PERCENT", DIFF, NULL,
	    "how often all of it may be wrong (default: 0.5%)",
	    CALL(error_take), .prints = true },
	{ "normalize", 0, "HOW", DIFF, NULL,
	    "take out the speed that all methods of a run have in\n"
	    "common, or nothing; per:REGEX: and times are per call\n"
	    "of the methods that match (default: common)",
	    CALL(normalize_take), .prints = true },
	{ "with-idle", 0, NULL, DIFF, NULL,
	    "idle time on the wall clock counts, too",
	    FLAG(runs.with_idle), .prints = true },
	{ "all", 0, NULL, DIFF, NULL,
	    "list the methods that are the same or cannot be told",
	    FLAG(runs.all), .prints = true },
	{ "mode", 0, "MODE", RECORD, "Options of record",
	    "what to record; sampled or hitrace unless given:",
	    ROW(words_mode, record.mode) },
	{ "device", 0, "SERIAL", RECORD, NULL,
	    "on this device; $ANDROID_SERIAL or the only one\n"
	    "unless given, else a menu asks",
	    TEXT(device) },
	{ "list-devices", 0, NULL, RECORD, NULL,
	    "list the devices, and end",
	    FLAG(list_devices) },
	{ "list-apps", 0, NULL, RECORD, NULL,
	    "list the apps that were installed on the device,\n"
	    "and end",
	    FLAG(list_apps) },
	{ "time", 0, "TIME", RECORD, NULL,
	    "stop after this time, as 5s; at a terminal a key\n"
	    "stops, too",
	    TIME(record.time) },
	{ "live", 0, NULL, RECORD, NULL,
	    "streamed, atrace, perfetto, hitrace: show it while it\n"
	    "is recorded; kept when you quit",
	    FLAG(record.live) },
	{ "interval", 0, "US", RECORD, NULL,
	    "sampled, startup: microseconds between two stacks;\n"
	    "1000 unless given",
	    NUMBER(10, 10000000, record.interval) },
	{ "buffer", 0, "SIZE", RECORD, NULL,
	    "memory for the recording, as 64M; 8M for methods,\n"
	    "32M for the system unless given",
	    SIZE(record.buffer) },
	{ "keep", 0, "PART", RECORD, NULL,
	    "atrace, perfetto, hitrace: what is kept when the\n"
	    "buffer is full; last unless given:",
	    WORD(words_keep, record.keep), .least = 1 },
	{ "clock", 0, "CLOCK", RECORD, NULL,
	    "sampled, traced, streamed: clock of the records,\n"
	    "where Android 14 or later knows it:",
	    WORD(words_record_clock, record.clock), .least = 1 },
	{ "output-version", 0, "N", RECORD, NULL,
	    "sampled, traced, streamed: format of the file, where\n"
	    "Android 15 or later knows it:",
	    WORD(words_version, record.version), .least = 1 },
	{ "activity", 0, "APP/CLASS", RECORD, NULL,
	    "startup: what to start; the app's own choice unless\n"
	    "given",
	    TEXT(record.activity) },
	{ "tags", 0, "LIST", RECORD, NULL,
	    "atrace, perfetto, hitrace: categories, commas between;\n"
	    "perfetto also events of the kernel (GROUP/EVENT)",
	    TEXT(record.tags) },
	{ "config", 0, "FILE", RECORD, NULL,
	    "perfetto: its configuration as text, in place of the\n"
	    "one made by --tags, --buffer and --keep",
	    TEXT(record.config), .file = true },
	{ "output", 'o', "FILE", RECORD, NULL,
	    "the recording's file or folder; unless given the\n"
	    "folder $XDG_DATA_HOME/slowtop, in which its name has\n"
	    "date, app, device and mode",
	    TEXT(record_output), .file = true },
	{ "count", 0, "N", RECORD, NULL,
	    "record N times, a file each; the options below apply\n"
	    "to the last recording",
	    NUMBER(1, 1000, record_count) },
	{ "no-open", 0, NULL, RECORD, NULL,
	    "print the name of the file in place of opening it",
	    FLAG(no_open) },
	{ "report", 0, NULL, RECORD, NULL,
	    "print the report in place of opening it",
	    FLAG(report_after) },
	{ "diff-with", 0, "FILE", RECORD, NULL,
	    "compare with this one; LAST: with the last recording\n"
	    "of the same app, device and mode",
	    TEXT(diff_with), .file = true },
	{ "wait", 0, "TIME", RECORD, NULL,
	    "give up when the device says or writes nothing for\n"
	    "this time; 30s unless given",
	    TIME(wait) },
	{ "adb", 0, "PROGRAM", RECORD, NULL,
	    "the adb to use; $SLOWTOP_ADB or adb unless given",
	    TEXT(adb), .file = true },
	{ "hdc", 0, "PROGRAM", RECORD, NULL,
	    "the hdc to use; $SLOWTOP_HDC or hdc unless given",
	    TEXT(hdc), .file = true },
	{ "listen", 0, "ADDRESS:PORT", SERVE, "Options of serve",
	    "where to listen (default: 127.0.0.1:8790); port 0 is\n"
	    "any free one",
	    TEXT(serve.listen) },
	{ "token-file", 0, "FILE", SERVE, NULL,
	    "uploads and removals need a token of this file, which\n"
	    "SIGHUP has read again; addresses other than\n"
	    "localhost need one",
	    TEXT(serve.token_file), .file = true },
	{ "read-token", 0, NULL, SERVE, NULL,
	    "reading needs a token, too; browsers ask for it",
	    FLAG(serve.read_token) },
	{ "host", 0, "NAME", SERVE, NULL,
	    "name of the server for browsers, beside localhost\n"
	    "and the address",
	    TEXT(serve.host) },
	{ "max-upload", 0, "SIZE", SERVE, NULL,
	    "largest trace to take (default: 1G)",
	    SIZE(serve.max_upload) },
	{ "max-total", 0, "SIZE", SERVE, NULL,
	    "remove the oldest traces beyond this size (default:\n"
	    "20G)",
	    SIZE(serve.max_total) },
	{ "max-age", 0, "DAYS", SERVE, NULL,
	    "remove traces older than this (default: keep them)",
	    NUMBER(1, 36500, serve.max_age) },
	{ "job-time", 0, "SECONDS", SERVE, NULL,
	    "time that a report may take (default: 60)",
	    NUMBER(1, 3600, serve.job_time) },
	{ "color", 0, "WHEN", BROWSE | DIFF, "Browser options",
	    "when to use colours; auto: if the terminal has them\n"
	    "and NO_COLOR is not set",
	    WORD(words_colour, ignored), .setting = "color" },
	{ "config", 0, "FILE", BROWSE | DIFF, NULL,
	    "read settings from this file; see slowtop-config(5)",
	    CALL(config_take), .file = true },
	{ "escape-time", 0, "MS", BROWSE | DIFF, NULL,
	    "how long Esc waits for the rest of a key sequence,\n"
	    "in milliseconds (default: 50)",
	    NUMBER(1, 5000, ignored), .setting = "escape-time" },
	{ "ascii", 0, NULL, BROWSE | REPORT | INFO | TRIAGE | FLAME | HTML | DUMP | DIFF, "General options",
	    "use ASCII characters only, on the screen and in text",
	    FLAG(report.ascii), .setting = "ascii" },
	{ "jobs", 'j', "N", COMMAND_ALL, NULL,
	    "number of threads that read the trace (default:\n"
	    "as many as pay off)",
	    NUMBER(1, WORKER_MAX, jobs) },
	{ "unpack-limit", 0, "SIZE", COMMAND_ALL, NULL,
	    "largest size of a decompressed trace, such as 20G\n"
	    "(default: 200 times the compressed size), and of\n"
	    "what a followed pipe brings (half the free disk)",
	    SIZE(unpack_most) },
	{ "sample-type", 0, "NAME", COMMAND_ALL, NULL,
	    "value or event of samples to read, where a file has\n"
	    "several, such as alloc_space",
	    TEXT(sample_type) },
	{ "detail", 0, "KEY", COMMAND_ALL, NULL,
	    "tell slices of Chrome's JSON apart by this argument,\n"
	    "such as detail of clang's",
	    TEXT(detail) },
	{ "mapping", 0, "FILE", COMMAND_ALL, NULL,
	    "restore names with mapping.txt of R8 or ProGuard",
	    CALL(mapping_take), .file = true },
	{ "name", 0, "TEXT", REPORT | INFO | FLAME | HTML | DIFF, NULL,
	    "name of the trace in what is written (default: of\n"
	    "its file); diff: repeat it for each trace",
	    CALL(name_take) },
	{ "no-config", 0, NULL, COMMAND_ALL, NULL,
	    "do not read the file of settings (browser only)",
	    FLAG(no_config) },
	{ "strict", 0, NULL, COMMAND_ALL, NULL,
	    "exit with status 3 when the trace is damaged",
	    FLAG(strict) },
	{ "help", 'h', NULL, COMMAND_ALL | SERVE, NULL,
	    "show help: after a command, its options; after a\n"
	    "trace, all options",
	    FLAG(help) },
	{ "version", 'V', NULL, COMMAND_ALL | SERVE, NULL,
	    "show the version",
	    FLAG(version) },
};
/* clang-format on */

const int option_count = (int)(sizeof option_rows / sizeof option_rows[0]);
