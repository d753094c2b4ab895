#include <config.h>

#include "profile/load/step.h"

__extension__ typedef __int128 wide;

nsec
step_cpu_at(const struct step *s, nsec wall)
{
	nsec since = wall - s->from[CLOCK_WALL], left = s->to[CLOCK_WALL] - wall;

	if (left <= 0)
		return s->to[CLOCK_CPU];
	if (since <= 0)
		return s->from[CLOCK_CPU];
	if (!step_sleeps(s))
		return s->from[CLOCK_CPU] + (nsec)((wide)step_cpu(s) * since / (since + left));
	if (since <= step_head(s))
		return s->from[CLOCK_CPU] + since;
	if (left <= step_tail(s))
		return s->to[CLOCK_CPU] - left;
	return s->from[CLOCK_CPU] + step_head(s);
}
