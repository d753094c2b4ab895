/*
 * document: a report as text, CSV and JSON, and what its documents have in common.
 */
#ifndef SLOWTOP_REPORT_TEXT_DOCUMENT_H
#define SLOWTOP_REPORT_TEXT_DOCUMENT_H

#include "base/json.h"
#include "report/report.h"

/* The keys of the time between two events, on each clock. */
extern const char *const member_span_keys[CLOCKS];

/* Nothing for clocks that are not in the mask. */
void member_times(struct json *, unsigned clocks, const char *const keys[CLOCKS],
    const nsec times[CLOCKS]);

/* Members of the object "trace". */
void members_trace(struct json *, const struct report *);
/*
 * The object "scope": what was chosen of the trace, if anything was, so that total, calls and
 * times are about that.
 */
void members_scope(struct json *, const struct report *);
/* The array "damage". */
void members_damage(struct json *, const struct damage *);
/* Members of an object in the array "threads"; `whole`: all that is known. */
void members_thread(struct json *, const struct report *, uint32_t thread, bool whole);

/*
 * "processes", "cpus", "states", "counters", "events" and "log" of a text log; nothing of a
 * method trace (logs.c).
 */
void logs_json(struct json *, const struct report *);

/* Begins a document: its outermost object is open. */
void members_begin(struct json *, struct sink *);
/*
 * Ends the document.  When the sink takes no more, what was written stays without an end:
 * half a document must not look like a whole one.
 */
void members_end(struct json *, struct sink *);

/*
 * What a report is of and was asked for, a label and a text each: as lines, where a label is
 * not repeated, or as a list of an HTML page.
 */
struct facts {
	struct sbuf *out;
	const struct report *report;
	bool html;
	struct sbuf text;  /* of the next fact, need not be clean; to be released */
	const char *label; /* of the last one */
};

/* Writes the text with its label, and empties it. */
void fact(struct facts *, const char *label);
/* The same, with more text before. */
#define FACT(f, label, ...) (sbuf_printf(&(f)->text, __VA_ARGS__), fact(f, label))
/* What was asked for: filters and transforms. */
void facts_chosen(struct facts *);
void facts_window(struct facts *);

/* The functions of report_formats. */
void report_text(struct sink *, const struct report *);
void report_csv(struct sink *, const struct report *);
void report_json(struct sink *, const struct report *);
/* info.c; of a report on all threads and all of the time. */
void info_text(struct sink *, const struct report *);
void info_json(struct sink *, const struct report *);

#endif
