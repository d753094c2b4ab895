/*
 * logs_members: what more than one array about a text log has in it; for logs only.
 */
#ifndef SLOWTOP_REPORT_LOGS_MEMBERS_H
#define SLOWTOP_REPORT_LOGS_MEMBERS_H

#include "report/members.h"

/* "thread" and "name": whose row it is. */
void members_of_thread(struct json *, const struct report *, uint32_t thread);
/* "io": yes or no; nothing when the log does not tell. */
void member_io(struct json *, uint8_t io);

/* "latency", "blocked" and "priorities"; of a log with scheduler events. */
void logs_json_waits(struct json *, const struct report *);
void logs_json_chains(struct json *, const struct report *);

#endif
