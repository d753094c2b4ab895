/*
 * forms: the functions behind the forms of reports (report_formats), and those that write
 * methods, or groups of them, for report_views.
 */
#ifndef SLOWTOP_REPORT_TEXT_FORMS_H
#define SLOWTOP_REPORT_TEXT_FORMS_H

#include "base/json.h"
#include "report/report.h"

/* text.c */
void report_text(struct sink *, const struct report *);
void text_methods(struct sink *, const struct report *);

/* csv.c */
void report_csv(struct sink *, const struct report *);
void csv_methods(struct sink *, const struct report *);

/* json.c */
void report_json(struct sink *, const struct report *);
void json_methods(struct json *, struct sink *, const struct report *);

/* info.c; of a report on all threads and all of the time. */
void info_text(struct sink *, const struct report *);
void info_json(struct sink *, const struct report *);

#endif
