#include <config.h>

#include "profile/gap.h"

__extension__ typedef __int128 wide;

nsec
gap_cpu_at(const struct gap *g, nsec wall)
{
	nsec cpu = g->cpu_to - g->cpu_from, span = g->wall_to - g->wall_from;

	if (wall >= g->wall_to)
		return g->cpu_to;
	if (wall <= g->wall_from)
		return g->cpu_from;
	if (!gap_sleeps(g))
		return g->cpu_from + (nsec)((wide)cpu * (wall - g->wall_from) / span);
	if (wall - g->wall_from <= gap_head(g))
		return g->cpu_from + (wall - g->wall_from);
	if (g->wall_to - wall <= gap_tail(g))
		return g->cpu_to - (g->wall_to - wall);
	return g->cpu_from + gap_head(g);
}
