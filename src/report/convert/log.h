/*
 * log: what text logs have for the formats of other tools, beside slices: processes,
 * arguments, values of counters.  Nothing of it is there in a method trace.
 */
#ifndef SLOWTOP_REPORT_CONVERT_LOG_H
#define SLOWTOP_REPORT_CONVERT_LOG_H

#include "report/convert/convert.h"
#include "trace/log.h"

/* The id of a process by thread.process; 0 without one. */
uint32_t convert_log_pid(const struct convert *, uint32_t process);
/* Its name, empty when the log does not tell. */
struct str convert_log_process_name(const struct convert *, uint32_t process);

/*
 * What the line at an offset says of a slice: task_id, category, level, chain_id, span_id,
 * parent_span_id, and its arguments, each by its own key when all are key=value, else as
 * "args" as they stand.
 */
void convert_log_args(const struct convert *, uint64_t offset,
    void (*each)(void *context, struct str key, struct str value), void *context);

/* The same as the last member of a JSON object, `,"args":{...}`; nothing without any. */
void convert_log_json(struct sbuf *, const struct convert *, uint64_t offset);

/*
 * The values of counters of the processes that were chosen, in the window, in order of time.
 * False when `each` was.
 */
bool convert_log_samples(const struct convert *,
    bool (*each)(void *context, uint32_t counter, const struct log_sample *), void *context);

/*
 * Moments that markers tell of, of the threads that were chosen or, where they are on a
 * track, of their processes; and what cores were set to.  Both in the window and in order of
 * time; false when `each` was.
 */
bool convert_log_instants(const struct convert *,
    bool (*each)(void *context, const struct log_instant *, const struct log_detail *),
    void *context);
bool convert_log_steps(const struct convert *,
    bool (*each)(void *context, const struct log_step *), void *context);

#endif
