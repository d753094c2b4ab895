#include <config.h>

#include "tui/commands.h"

#include <string.h>

#include "tui/app.h"

const char *const command_groups[COMMAND_GROUPS] = {
    [GROUP_MOVE] = "MOVE",
    [GROUP_OPEN] = "OPEN",
    [GROUP_SORT] = "SORT, COLUMNS",
    [GROUP_SEARCH] = "SEARCH, FILTER",
    [GROUP_TIME] = "TIME",
    [GROUP_THREADS] = "THREADS",
    [GROUP_VALUES] = "CLOCK, VALUES",
    [GROUP_VIEWS] = "VIEWS, PANES",
    [GROUP_OUT] = "OUT",
    [GROUP_PROGRAM] = "PROGRAM",
};

const struct command tui_commands[] = {
    {"down", cmd_move, MOVE_LINE, GROUP_MOVE, "next line", NULL},
    {"up", cmd_move, -MOVE_LINE, GROUP_MOVE, "previous line", NULL},
    {"next-thread", cmd_move, MOVE_LINE, GROUP_MOVE, "next thread", "thread"},
    {"previous-thread", cmd_move, -MOVE_LINE, GROUP_MOVE, "previous thread", NULL},
    {"page-down", cmd_move, MOVE_PAGE, GROUP_MOVE, "a page down", NULL},
    {"page-up", cmd_move, -MOVE_PAGE, GROUP_MOVE, "a page up", NULL},
    {"half-page-down", cmd_move, MOVE_HALF, GROUP_MOVE, "half a page down", NULL},
    {"half-page-up", cmd_move, -MOVE_HALF, GROUP_MOVE, "half a page up", NULL},
    {"first", cmd_move, -MOVE_END, GROUP_MOVE, "to the first line", NULL},
    {"last", cmd_move, MOVE_END, GROUP_MOVE, "to the last line", NULL},
    {"centre", cmd_centre, 0, GROUP_MOVE, "put the cursor's line in the middle", NULL},
    {"cursor-left", cmd_time_cursor, -1, GROUP_MOVE, "time cursor one cell left", NULL},
    {"cursor-right", cmd_time_cursor, 1, GROUP_MOVE, "time cursor one cell right",
	"time"},

    {"open", cmd_open, 0, GROUP_OPEN, "expand or collapse; go to a parent or child",
	"open"},
    {"stack", cmd_open, 0, GROUP_OPEN, "the stack that the call was made on", "stack"},
    {"expand", cmd_expand, 1, GROUP_OPEN, "expand; take a chain of calls apart", NULL},
    {"collapse", cmd_expand, 0, GROUP_OPEN, "collapse", NULL},
    {"expand-all", cmd_tree_all, 0, GROUP_OPEN, "expand all below; asks above 10000 rows",
	"all"},
    {"tree-left", cmd_tree_left, 0, GROUP_OPEN, "collapse, or to the row above it", NULL},
    {"tree-right", cmd_tree_right, 0, GROUP_OPEN, "expand, or to the first row below it",
	NULL},
    {"next-sibling", cmd_tree_sibling, 1, GROUP_MOVE, "next of the same caller", NULL},
    {"previous-sibling", cmd_tree_sibling, -1, GROUP_MOVE, "previous of the same caller",
	NULL},
    {"heaviest", cmd_tree_heaviest, 0, GROUP_OPEN,
	"expand along the heaviest child to the end", "heaviest"},
    {"select-call", cmd_call_select, 0, GROUP_OPEN,
	"select the method under the time cursor", "select"},
    {"back", cmd_back, -1, GROUP_OPEN, "back to where you were", "back"},
    {"forward", cmd_back, 1, GROUP_OPEN, "forward again", NULL},
    {"details", cmd_details, 0, GROUP_OPEN,
	"all about the method: full name, file, figures", NULL},

    {"sort-left", cmd_sort_step, -1, GROUP_SORT, "sort by the column to the left", NULL},
    {"sort-right", cmd_sort_step, 1, GROUP_SORT, "sort by the column to the right", NULL},
    {"sort-pick", cmd_sort_pick, 0, GROUP_SORT, "choose the column to sort by", NULL},
    {"invert", cmd_invert, 0, GROUP_SORT, "invert the order", NULL},
    {"columns", cmd_columns_pick, 0, GROUP_SORT, "choose columns and their order", NULL},
    {"columns-left", cmd_columns_scroll, -1, GROUP_SORT, "scroll the columns back", NULL},
    {"columns-right", cmd_columns_scroll, 1, GROUP_SORT, "scroll the columns away", NULL},
    {"name-left", cmd_name_scroll, -1, GROUP_SORT, "scroll the names half a width left",
	NULL},
    {"name-right", cmd_name_scroll, 1, GROUP_SORT, "scroll the names half a width right",
	NULL},
    {"name-start", cmd_name_scroll, 0, GROUP_SORT, "names fitted to their column again",
	NULL},
    {"name-end", cmd_name_end, 0, GROUP_SORT, "scroll the names to their ends", NULL},

    {"search", cmd_search, 0, GROUP_SEARCH, "search by regular expression", "search"},
    {"search-next", cmd_search_next, 1, GROUP_SEARCH, "next hit", NULL},
    {"search-previous", cmd_search_next, -1, GROUP_SEARCH, "previous hit", NULL},
    {"search-name", cmd_search_name, 0, GROUP_SEARCH, "search the method's name", NULL},
    {"filter", cmd_filter, 0, GROUP_SEARCH,
	"filter by expression; ! excludes, + adds one more", "filter"},
    {"filter-list", cmd_filter_list, 0, GROUP_SEARCH, "list of the filters", NULL},
    {"undo", cmd_undo, UNDO_BACK, GROUP_SEARCH,
	"undo the last filter, choice of threads or range", NULL},
    {"redo", cmd_undo, UNDO_FORTH, GROUP_SEARCH, "redo it", NULL},
    {"escape", cmd_escape, 0, GROUP_SEARCH, "end the highlight of hits", NULL},

    {"zoom-in", cmd_zoom, 1, GROUP_TIME, "zoom in around the time cursor", "zoom"},
    {"zoom-out", cmd_zoom, -1, GROUP_TIME, "zoom out", NULL},
    {"pan-left", cmd_pan, -1, GROUP_TIME, "a quarter of the window earlier", NULL},
    {"pan-right", cmd_pan, 1, GROUP_TIME, "a quarter of the window later", NULL},
    {"pan-start", cmd_pan_end, -1, GROUP_TIME, "to the start of the trace", NULL},
    {"pan-end", cmd_pan_end, 1, GROUP_TIME, "to the end of the trace", NULL},
    {"call-fit", cmd_call_fit, 0, GROUP_TIME,
	"bring the selected call into view", NULL},
    {"call-zoom", cmd_call_zoom, 0, GROUP_TIME, "zoom to the selected call", "zoom to it"},
    {"whole", cmd_whole, 0, GROUP_TIME, "the whole trace", "all"},
    {"call-next", cmd_call_step, 1, GROUP_TIME, "next call of the selected method in time",
	"next"},
    {"call-previous", cmd_call_step, -1, GROUP_TIME, "previous call of it", "previous"},
    {"range", cmd_range, 0, GROUP_TIME,
	"begin or end a range that all figures are of", "range"},
    {"range-clear", cmd_range_clear, 0, GROUP_TIME,
	"figures of the whole trace again", NULL},
    {"range-call", cmd_range_call, 0, GROUP_TIME,
	"figures of the time of the selected call", NULL},

    {"threads", cmd_threads_pick, 0, GROUP_THREADS, "choose threads", "threads"},
    {"threads-all", cmd_threads_all, 0, GROUP_THREADS, "all threads", NULL},
    {"threads-together", cmd_together, 0, GROUP_THREADS,
	"one call tree for all threads, or one for each", "threads as one"},
    {"thread-pin", cmd_thread_pin, 0, GROUP_THREADS,
	"pin the thread at the top, or unpin it", NULL},
    {"thread-order", cmd_order_pick, 0, GROUP_THREADS, "choose the order of the threads",
	NULL},

    {"clock", cmd_clock, 0, GROUP_VALUES, "CPU time or wall time", "clock"},
    {"base", cmd_base, 0, GROUP_VALUES,
	"relations in percent of the method, or the trace", NULL},
    {"elision", cmd_elision, 0, GROUP_VALUES,
	"packages as they fit, whole, or one letter each", NULL},
    {"units", cmd_units, 0, GROUP_VALUES, "times exact in ms, or four digits and a unit",
	NULL},

    {"view-profile", cmd_view, VIEW_PROFILE, GROUP_VIEWS, "timeline and profile", NULL},
    {"view-tree", cmd_view, VIEW_TREE, GROUP_VIEWS, "call tree: what was called from where",
	NULL},
    {"view-callers", cmd_view, VIEW_CALLERS, GROUP_VIEWS,
	"bottom-up: methods, below each what called it", NULL},
    {"view-calls", cmd_view, VIEW_CALLS, GROUP_VIEWS,
	"calls of the selected method, one by one", "calls"},
    {"view-timeline", cmd_view, VIEW_TIMELINE, GROUP_VIEWS, "the timeline alone", NULL},
    {"view-info", cmd_view, VIEW_INFO, GROUP_VIEWS, "trace information and damage", NULL},
    {"pane", cmd_pane, 0, GROUP_VIEWS, "to the other pane", "pane"},
    {"maximise", cmd_maximise, 0, GROUP_VIEWS, "this pane alone, or both again", NULL},
    {"timeline-smaller", cmd_split, -1, GROUP_VIEWS, "timeline a row smaller", NULL},
    {"timeline-larger", cmd_split, 1, GROUP_VIEWS, "timeline a row larger", NULL},

    {"copy", cmd_copy, 0, GROUP_OUT, "copy the method's full name", NULL},
    {"copy-stack", cmd_copy_stack, 0, GROUP_OUT, "copy the row and its stack", NULL},
    {"edit", cmd_edit, 0, GROUP_OUT, "open the method's source in $EDITOR", NULL},
    {"export", cmd_export, 0, GROUP_OUT, "write what the view shows to a file", NULL},
    {"pager", cmd_pager, 0, GROUP_OUT, "look at all the view shows in $PAGER", NULL},

    {"help", cmd_help, 0, GROUP_PROGRAM, "this list of keys", "help"},
    {"command-line", cmd_line, 0, GROUP_PROGRAM,
	"a row, a time, set, save, or an action by name", NULL},
    {"mouse", cmd_mouse, 0, GROUP_PROGRAM, "mouse on or off", NULL},
    {"redraw", cmd_redraw, 0, GROUP_PROGRAM, "draw the screen again", NULL},
    {"suspend", cmd_suspend, 0, GROUP_PROGRAM, "suspend", NULL},
    {"interrupt", cmd_interrupt, 0, GROUP_PROGRAM, "stop loading; when idle, twice: quit",
	NULL},
    {"close", cmd_close, 0, GROUP_PROGRAM, "close this view; in the first one: quit",
	"close"},
    {"quit", cmd_quit, 0, GROUP_PROGRAM, "quit", NULL},
};

const size_t tui_command_count = sizeof(tui_commands) / sizeof(tui_commands[0]);

const struct command *
commands_find(const char *name)
{
	for (size_t i = 0; i < tui_command_count; i++)
		if (strcmp(tui_commands[i].name, name) == 0)
			return &tui_commands[i];
	return NULL;
}
