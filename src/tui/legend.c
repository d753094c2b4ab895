#include <config.h>

#include "tui/legend.h"

#include "tui/bindings.h"

/* clang-format off */
const struct legend_row legend[] = {
	{ IN_PANES, false, "▂ to █", ". to #",
	    "on the timeline: the share of the time it ran" },
	{ IN_PANES, false, "▁", "_", "asleep within a call; blank: no call is open" },
	{ IN_PANES, false, "^", NULL, "below them: calls of the table's method" },
	{ IN_PANES, false, "[name---]", NULL, "a call, from where it begins to where it ends" },
	{ IN_PANES, true, "R r", NULL, "state of a thread: running; waiting for a core" },
	{ IN_PANES, true, "S T", NULL, "asleep; stopped" },
	{ IN_PANES, true, "D d", NULL, "blocked for I/O; blocked otherwise" },
	{ IN_PANES, true, "0 to 9", NULL, "of a core: how deep it slept" },
	{ IN_PANES, true, "?", NULL, "of a core: what it did is not known" },
	{ IN_PANES, true, "~NAME", NULL, "asynchronous slices" },
	{ IN_PANES, true, "* #", NULL, "below a thread: a marker of a moment; several" },
	{ IN_TABLE, false, "< <r", NULL, "a parent; one of recursive calls" },
	{ IN_TABLE, false, "= self", NULL, "time in the method itself" },
	{ IN_TABLE, false, "> >r", NULL, "a child; one of recursive calls" },
	{ IN_TREE, false, "+ -", NULL, "what is below is not shown; is shown" },
	{ IN_TREE, false, "a / b", NULL, "calls that each make only the next one" },
	{ IN_CALLS, false, "!", NULL, "longer than the frame budget" },
	{ IN_CALLS, false, "+", NULL, "cut by the range, or by the trace" },
	{ IN_DIFF, false, "^ v", NULL, "slower; faster" },
	{ IN_DIFF, false, "n x", NULL, "in B only; in A only" },
	{ IN_DIFF, false, "=", NULL, "no change" },
	{ IN_ROWS | IN_CALLS, false, "5+2", NULL, "calls, and recursive calls" },
	{ IN_LINES, false, "v ^", NULL, "behind a title: largest first; smallest first" },
	{ IN_TABLE | IN_CALLS, false, "*", NULL, "marked with Space" },
};
/* clang-format on */

const size_t legend_count = sizeof(legend) / sizeof(*legend);
