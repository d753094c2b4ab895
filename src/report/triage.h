// SPDX-License-Identifier: Apache-2.0
/*
 * triage: the findings of traces, one after another, as text, CSV and JSON, or the first in a line.
 *
 * Names in a trace are hostile: each form escapes for its readers.  Rows of CSV and JSON are those
 * of the list of findings (view/findings_list.h).
 */
#pragma once

#include "report/report.h"
#include "view/findings.h"

enum { TRIAGE_TEXT, TRIAGE_JSON, TRIAGE_CSV, TRIAGE_LINE, TRIAGE_FORMATS };

extern const char *const triage_formats[TRIAGE_FORMATS];

struct triage {
	struct sink *sink;
	int format;
	bool ascii, many; /* many: several files */
	int width;        /* text is cut there; 0: nowhere */
	uint32_t limit;   /* of findings; 0: all */
	uint32_t kinds;   /* mask of 1 << enum finding_kind that are wanted; 0: all */
	const struct finding_rules *rules;
	const struct profile *profile; /* of the file that is written */
	uint32_t files, found; /* written so far; with findings other than "none" */
};

void triage_begin(struct triage *);
/* Takes the findings over. */
void triage_add(struct triage *, const char *file, const struct profile *, struct findings *);
/* A file that cannot be read. */
void triage_failed(struct triage *, const char *file, const char *why);
void triage_end(struct triage *);

/* Findings as a view of a report; false as report_make. */
bool findings_choose(struct report *, const atomic_bool *cancel, struct err *);
