/* The views and the forms of reports, a row each. */
#include <config.h>

#include "report/callrows.h"
#include "report/csv.h"
#include "report/info.h"
#include "report/json.h"
#include "report/logrows.h"
#include "report/report.h"
#include "report/rows.h"
#include "report/text.h"
#include "report/threadrows.h"
#include "report/treerows.h"

#define METHOD_ROWS                                                                      \
	.has_threads = true, .choose = rows_choose, .text = text_methods,                \
	.csv = csv_methods, .json = json_methods
#define TREE_ROWS                                                                        \
	.has_threads = true, .text = treerows_text, .csv = treerows_csv,                 \
	.json = treerows_json

/* A table of a text log. */
#define LOG_TABLE(word, help)                                                            \
	{"log-" word, help, .choose = logrows_choose, .text = logrows_text,              \
	    .csv = logrows_csv, .json = logrows_json}

enum { GROUP_TAKES = TAKES_METHOD | TAKES_RELATIONS | TAKES_TRANSFORMS };

const struct report_view report_views[] = {
    {"methods", "a row for each method", .takes = GROUP_TAKES | TAKES_NAMES, .flat = true,
	METHOD_ROWS},
    {"classes", "methods of a class together", .by = SAME_CLASS, .takes = GROUP_TAKES,
	METHOD_ROWS},
    {"packages", "methods of a package together", .by = SAME_PACKAGE,
	.takes = GROUP_TAKES, METHOD_ROWS},
    {"names", "methods of one name together", .by = SAME_NAME, .takes = GROUP_TAKES,
	METHOD_ROWS},
    {"threads", "a row for each thread", .flat = true, .choose = threadrows_choose,
	.text = threadrows_text, .csv = threadrows_csv, .json = threadrows_json},
    {"tree", "a row for each call path", .takes = TAKES_CUT | TAKES_TOGETHER | TAKES_TRANSFORMS,
	.choose = treerows_choose, TREE_ROWS},
    {"bottom-up", "below each method what called it", .takes = TAKES_CUT | TAKES_METHOD | TAKES_TRANSFORMS,
	.choose = treerows_choose_callers, TREE_ROWS},
    {"calls", "a row for each call of the methods named",
	.takes = TAKES_METHOD | TAKES_BUDGET, .has_threads = true, .decodes = true,
	.choose = callrows_choose,
	.text = callrows_text, .csv = callrows_csv, .json = callrows_json},
    LOG_TABLE("processes", "of a log: who ran, summed by process"),
    LOG_TABLE("threads", "of a log: who ran, and on which cores"),
    LOG_TABLE("cores", "of a log: how busy each core was, and how fast"),
    LOG_TABLE("states", "of a log: what each thread did while it did not run"),
    LOG_TABLE("switches", "of a log: the states of all threads together"),
    LOG_TABLE("latency", "of a log: how long woken threads waited for a core"),
    LOG_TABLE("blocked", "of a log: where threads were blocked"),
    LOG_TABLE("priorities", "of a log: with which priorities threads ran"),
    LOG_TABLE("counters", "of a log: what programs and the kernel counted"),
    LOG_TABLE("frequencies", "of a log: how long each core had which, and idle levels"),
    LOG_TABLE("top", "of a log: the top 20 by several figures"),
    LOG_TABLE("chains", "of a log: calls over threads and processes"),
    LOG_TABLE("intervals", "of a log: each time that a thread was in a state"),
    LOG_TABLE("summary", "of a log: what was read of it, and what not"),
};

const int report_view_count = (int)(sizeof(report_views) / sizeof(report_views[0]));

const struct report_format report_formats[] = {
    {"text", "a table to read", report_text, info_text},
    {"csv", "comma-separated values, one line a method", report_csv, NULL},
    {"json", "everything, for programs", report_json, info_json},
};
const int report_format_count = (int)(sizeof(report_formats) / sizeof(report_formats[0]));
