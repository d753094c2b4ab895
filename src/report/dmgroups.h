/*
 * dmgroups: methods of one class, or of one bare name, summed as dmtracedump does.
 *
 * (toplevel), (unknown) and methods without a name are in no group.  Groups and the
 * methods in them are sorted by exclusive time.  Names are neighbours after a sort by
 * name; where dmtracedump's own order contradicts itself (a class before "(toplevel)",
 * such as $Proxy0) a name may come twice, as there.
 */
#ifndef SLOWTOP_REPORT_DMGROUPS_H
#define SLOWTOP_REPORT_DMGROUPS_H

#include "report/dmtrace.h"

struct dm_group {
	struct dm_method **methods;
	size_t count;
	uint64_t exclusive, calls, recursive_calls;
};

struct dm_groups {
	struct dm_method **methods; /* all, group after group */
	struct dm_group *groups;
	struct dm_group **sorted; /* by exclusive time */
	size_t count;
};

enum dm_grouping { DM_BY_CLASS, DM_BY_NAME };

/* By class begins from the order by inclusive time, by name from that by class. */
void dm_groups_make(struct dm_groups *, const struct dmtrace *, enum dm_grouping);
void dm_groups_release(struct dm_groups *);

#endif
