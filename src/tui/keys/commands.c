#include <config.h>

#include "tui/keys/commands.h"

#include <string.h>

#include "tui/app.h"
#include "tui/keys/prompt.h"
#include "tui/popups/popup.h"

#define RUN(function) .run = function
#define WITH(function, argument) .with = function, .arg = argument

/* clang-format off */
const struct command tui_commands[] = {
    /* The screens, from the first on under their heading. */
#define SCREEN(number, functions, word, bar, shorter, name, contexts, keys, flags, help, hint)    \
	{name, contexts, keys, flags, help, NULL, cmd_view, VIEW_##number, hint,                   \
	    VIEW_##number == VIEW_PROFILE ? "VIEWS, PANES" : NULL, {bar, shorter}},
#include "tui/screens/screens.def"
#undef SCREEN
    {"diff-next", IN_DIFF, "<Tab>", NEED_ROWS, "the next list of the comparison",
	WITH(cmd_diff_step, 1), .hint = "next list"},
    {"diff-previous", IN_DIFF, "<S-Tab>", NEED_ROWS, "the list before", WITH(cmd_diff_step, -1)},
    {"usage-next", IN_USAGE, "<Tab>", NEED_ROWS, "the next table of a log",
	WITH(cmd_usage_step, 1)},
    {"usage-previous", IN_USAGE, "<S-Tab>", NEED_ROWS, "the table before",
	WITH(cmd_usage_step, -1)},
    {"usage-pick", IN_USAGE, "v", NEED_ROWS, "choose a table of a log", RUN(cmd_usage_pick),
	.hint = "tables"},
    {"pane", IN_PANES, "<Tab> <S-Tab>", NEED_NOTHING, "to the other pane", RUN(cmd_pane),
	.hint = "pane"},
    {"maximise", IN_PANES, "Z", NEED_NOTHING, "this pane alone, or both again", RUN(cmd_maximise)},
    {"timeline-smaller", IN_PANES, "{", NEED_NOTHING, "one timeline row less",
	WITH(cmd_split, -1)},
    {"timeline-larger", IN_PANES, "}", NEED_NOTHING, "one timeline row more", WITH(cmd_split, 1)},

    {"down", IN_ALL, "j <Down>", NEED_ROWS, "next line", WITH(cmd_move, MOVE_LINE),
	.group = "MOVE"},
    {"up", IN_ALL, "k <Up>", NEED_ROWS, "previous line", WITH(cmd_move, -MOVE_LINE)},
    {"next-thread", IN_TIMELINE, "J", NEED_ROWS, "next thread", WITH(cmd_thread_step, 1),
	.hint = "thread"},
    {"previous-thread", IN_TIMELINE, "K", NEED_ROWS, "previous thread", WITH(cmd_thread_step, -1)},
    {"page-down", IN_ALL, "<PageDown> <C-f>", NEED_ROWS, "a page down", WITH(cmd_move, MOVE_PAGE)},
    {"page-up", IN_ALL, "<PageUp> <C-b>", NEED_ROWS, "a page up", WITH(cmd_move, -MOVE_PAGE)},
    {"half-page-down", IN_ALL, "<C-d>", NEED_ROWS, "half a page down", WITH(cmd_move, MOVE_HALF)},
    {"half-page-up", IN_ALL, "<C-u>", NEED_ROWS, "half a page up", WITH(cmd_move, -MOVE_HALF)},
    {"first", IN_ALL, "g <Home>", NEED_ROWS, "to the first line", WITH(cmd_move, -MOVE_END)},
    {"last", IN_ALL, "G <End>", NEED_ROWS, "to the last line", WITH(cmd_move, MOVE_END)},
    {"centre", IN_LINES, "z", NEED_ROWS, "centre the cursor's line", RUN(cmd_centre)},
    {"cursor-left", IN_TIMELINE, "h <Left>", NEED_NOTHING, "time cursor one cell left",
	WITH(cmd_time_cursor, -1)},
    {"cursor-right", IN_TIMELINE, "l <Right>", NEED_NOTHING, "time cursor one cell right",
	WITH(cmd_time_cursor, 1), .hint = "time"},
    {"next-sibling", IN_TREE, "J", NEED_ROWS, "next of the same caller", WITH(cmd_tree_sibling, 1)},
    {"previous-sibling", IN_TREE, "K", NEED_ROWS, "previous of the same caller",
	WITH(cmd_tree_sibling, -1)},
    {"frame-left", IN_FLAME, "h <Left>", NEED_ROWS, "frame to the left",
	WITH(cmd_flame_sibling, -1)},
    {"frame-right", IN_FLAME, "l <Right>", NEED_ROWS, "frame to the right",
	WITH(cmd_flame_sibling, 1), .hint = "frame"},

    {"open", IN_TABLE, "<Enter> <C-j>", NEED_ROWS, "expand or collapse; go to a parent or child",
	RUN(cmd_open), .hint = "open", .group = "OPEN"},
    {"open", IN_TREE, "<Enter> <C-j>", NEED_ROWS, NULL, RUN(cmd_tree_open)},
    {"open", IN_PACKAGES, "<Enter> <C-j>", NEED_ROWS, NULL, RUN(cmd_packages_open)},
    {"waker", IN_DETAILS, "<Enter> <C-j>", NEED_POINT | OF_LOG,
	"logs: to the thread's waker, at that time", RUN(cmd_waker), .hint = "waker"},
    {"waits", IN_VIEWS | IN_DETAILS, "L", NEED_POINT | OF_LOG,
	"logs: why the thread waited, and for what", RUN(cmd_waits), .hint = "waits"},
    {"chain", IN_VIEWS | IN_DETAILS, "F", NEED_POINT | OF_LOG, "logs: the slices of the slice's chain",
	RUN(cmd_chain), .hint = "chain"},
    {"method-go", IN_DIFF, "<Enter> <C-j>", NEED_ROWS, "to the method in the profile",
	RUN(cmd_diff_open), .hint = "go to it"},
    {"row-go", IN_USAGE, "<Enter> <C-j>", NEED_ROWS,
	"to what the row is about: threads, times, a list", RUN(cmd_usage_open), .hint = "go to"},
    {"stack", IN_CALLS, "<Enter> <C-j>", NEED_ROWS, "the stack that the call was made on",
	RUN(pick_stack), .hint = "stack"},
    {"frame-range", IN_FRAMES, "<Enter> <C-j> V", NEED_ROWS,
	"zoom to the frame, limit all figures to it", RUN(cmd_frames_open), .hint = "open"},
    {"expand", IN_TABLE | IN_PACKAGES, "+", NEED_ROWS, "expand; take a chain of calls apart",
	WITH(cmd_expand, 1)},
    {"expand", IN_TREE, "+", NEED_ROWS, NULL, WITH(cmd_tree_expand, 1)},
    {"collapse", IN_TABLE | IN_PACKAGES, "-", NEED_ROWS, "collapse", WITH(cmd_expand, 0)},
    {"collapse", IN_TREE, "-", NEED_ROWS, NULL, WITH(cmd_tree_expand, 0)},
    {"expand-all", IN_TREE, "*", NEED_ROWS, "expand all below; asks above 10000 rows",
	RUN(cmd_tree_all), .hint = "all"},
    {"tree-left", IN_TREE, "h <Left>", NEED_ROWS, "collapse, or to the row above it",
	RUN(cmd_tree_left)},
    {"tree-right", IN_TREE, "l <Right>", NEED_ROWS, "expand, or to the first row below it",
	RUN(cmd_tree_right)},
    {"heaviest", IN_TREE, "H", NEED_ROWS, "expand along the heaviest child, busy ones first",
	RUN(cmd_tree_heaviest), .hint = "heaviest"},
    {"heaviest", IN_FLAME, "H", NEED_ROWS, NULL, RUN(cmd_flame_heaviest)},
    {"frame-zoom", IN_FLAME, "<Enter> <C-j>", NEED_ROWS, "zoom in: the frame takes the whole width",
	RUN(cmd_flame_zoom), .hint = "zoom"},
    {"frame-out", IN_FLAME, "-", NEED_ROWS, "zoom out one frame", RUN(cmd_flame_out)},
    {"row-open", IN_TIMELINE, "+", NEED_ROWS, "show calls, states, instants; cores; threads",
	WITH(cmd_row_open, 1), .hint = "calls"},
    {"row-close", IN_TIMELINE, "-", NEED_ROWS, "hide them again", WITH(cmd_row_open, 0)},
    {"row-kinds", IN_TIMELINE, "C", NEED_ROWS, "choose the kinds of rows", RUN(pick_rows)},
    {"mark", IN_TABLE | IN_CALLS, "<Space>", NEED_ROWS,
	"mark the row, or unmark it; marks are summed", RUN(cmd_mark)},
    {"unmark", IN_TABLE | IN_CALLS, "U", NEED_ROWS, "unmark all rows", RUN(cmd_unmark)},
    {"bookmark", IN_VIEWS, "m", NEED_METHODS, "set a bookmark: m and a letter",
	WITH(cmd_bookmark, 0)},
    {"bookmark-go", IN_VIEWS, "'", NEED_METHODS, "go to a bookmark: ' and its letter; '' returns",
	WITH(cmd_bookmark, 1)},
    {"select-call", IN_TIMELINE, "<Enter> <C-j>", NEED_POINT,
	"select the call's method; follow a core or state", RUN(cmd_call_select), .hint = "select"},
    {"back", IN_ALL & ~IN_FLAME, "<Backspace> <C-o> b", NEED_METHODS, "back to where you were",
	WITH(cmd_back, -1), .hint = "back"},
    {"back", IN_FLAME, "<Backspace> <C-o> b", NEED_METHODS, NULL, RUN(cmd_flame_back)},
    {"forward", IN_ALL, "B", NEED_METHODS, "forward again", WITH(cmd_back, 1)},
    {"details", IN_VIEWS & ~(IN_THREADS | IN_USAGE), "i", NEED_POINT,
	"details of the method or the thread", RUN(cmd_details), .arg = VIEW_DETAILS,
	.bar = {"Details"}},
    {"details", IN_THREADS, "i", NEED_POINT, NULL, RUN(cmd_thread_details)},
    {"details", IN_USAGE, "i", NEED_POINT, NULL, RUN(cmd_usage_details)},

    {"sort-left", IN_LINES, "<", NEED_ROWS, "sort by the column to the left",
	WITH(cmd_sort_step, -1), .hint = "sort", .group = "SORT, COLUMNS"},
    {"sort-right", IN_LINES, ">", NEED_ROWS, "sort by the column to the right",
	WITH(cmd_sort_step, 1)},
    {"sort-pick", IN_LINES, "o <F6>", NEED_ROWS, "choose the column to sort by", RUN(pick_sort)},
    {"invert", IN_LINES, "I", NEED_ROWS, "invert the order", RUN(cmd_invert)},
    {"columns", IN_LINES, "C", NEED_NOTHING, "choose columns and their order", RUN(pick_columns)},
    {"columns-left", IN_TABLE | IN_PACKAGES, "h <Left>", NEED_NOTHING, "scroll the columns back",
	WITH(cmd_columns_scroll, -1)},
    {"columns-right", IN_TABLE | IN_PACKAGES, "l <Right>", NEED_NOTHING, "scroll the columns away",
	WITH(cmd_columns_scroll, 1)},
    {"name-left", IN_ROWS, "(", NEED_NOTHING, "scroll the names half a width left",
	WITH(cmd_name_scroll, -1)},
    {"name-right", IN_ROWS, ")", NEED_NOTHING, "scroll the names half a width right",
	WITH(cmd_name_scroll, 1)},
    {"name-start", IN_ROWS, "^", NEED_NOTHING, "names fitted to their column again",
	WITH(cmd_name_scroll, 0)},
    {"name-end", IN_ROWS, "$", NEED_NOTHING, "scroll the names to their ends", WITH(cmd_name_scroll, NAME_END)},

    {"search", IN_ALL, "/ <F3>", NEED_ROWS, "search by regular expression", RUN(cmd_search),
	.hint = "search", .group = "SEARCH, FILTER"},
    {"search-next", IN_ALL, "n", NEED_ROWS, "next hit", WITH(cmd_search_next, 1)},
    {"search-previous", IN_ALL, "N", NEED_ROWS, "previous hit", WITH(cmd_search_next, -1)},
    {"search-name", IN_LISTS | IN_DIFF, "#", NEED_ROWS, "search the method's name",
	RUN(cmd_search_name), .hint = "same method"},
    {"filter", IN_LISTS | IN_DIFF, "& \\ <F4>", NEED_ROWS,
	"filter by expression; ! excludes, + adds one more", RUN(cmd_filter), .hint = "filter"},
    {"filter", IN_USAGE, "& \\ <F4>", NEED_ROWS, NULL, RUN(cmd_usage_filter)},
    {"filter-list", IN_VIEWS, "X", NEED_ROWS, "filters and transforms: on, off, edit",
	RUN(pick_filters)},
    {"choice", IN_VIEWS, "@", NEED_METHODS | OF_LOG, "logs: choose level, tags and processes",
	RUN(cmd_choice)},
    {"transform", IN_VIEWS, "x", NEED_POINT, "focus on, merge, drop... what is selected",
	RUN(pick_transform), .hint = "transform"},
    {"hide-idle", IN_VIEWS, "_", NEED_METHODS, "hide idle time in all figures, or show it",
	RUN(cmd_hide_idle), .hint = "hide idle"},
    {"idle-rules", IN_VIEWS, "\"", NEED_NOTHING, "rules of idle time: on, off", RUN(pick_idle)},
    {"undo", IN_VIEWS, "u", NEED_METHODS, "undo the last filter, transform, threads or range",
	WITH(cmd_undo, -1)},
    {"redo", IN_VIEWS, "<C-r>", NEED_METHODS, "redo it", WITH(cmd_undo, 1)},
    {"escape", IN_ALL, "<Escape>", ESCAPES, "stop highlighting hits", RUN(cmd_escape)},

    {"zoom-in", IN_PANES, "w", NEED_NOTHING, "zoom in around the time cursor", WITH(cmd_zoom, 1),
	.hint = "zoom", .group = "TIME"},
    {"zoom-out", IN_PANES, "s", NEED_NOTHING, "zoom out", WITH(cmd_zoom, -1)},
    {"pan-left", IN_PANES, "a", NEED_NOTHING,
	"pan a quarter of the window back", WITH(cmd_pan, -1)},
    {"pan-right", IN_PANES, "d", NEED_NOTHING,
	"pan a quarter of the window forward", WITH(cmd_pan, 1)},
    {"pan-start", IN_PANES, "A", NEED_NOTHING, "to the start of the trace", WITH(cmd_pan_end, -1)},
    {"pan-end", IN_PANES, "D", NEED_NOTHING, "to the end of the trace", WITH(cmd_pan_end, 1)},
    {"frame-next", IN_FRAMES, "]", NEED_ROWS, "next frame over the budget",
	WITH(cmd_frames_step, 1), .hint = "next slow"},
    {"frame-previous", IN_FRAMES, "[", NEED_ROWS, "previous frame over it",
	WITH(cmd_frames_step, -1)},
    {"call-fit", IN_PANES | IN_CALLS, "f", NEED_POINT, "bring the selected call into view",
	RUN(cmd_call_fit)},
    {"call-zoom", IN_PANES | IN_CALLS, "W", NEED_POINT, "zoom to the selected call",
	RUN(cmd_call_zoom), .hint = "zoom to it"},
    {"whole", IN_PANES, "S", NEED_NOTHING, "the whole trace", RUN(cmd_whole), .hint = "all"},
    {"call-next", IN_VIEWS & ~IN_FRAMES, "]", NEED_ROWS, "next call of the selected method in time",
	WITH(cmd_call_step, 1), .hint = "next"},
    {"call-previous", IN_VIEWS & ~IN_FRAMES, "[", NEED_ROWS, "previous call of it", WITH(cmd_call_step, -1),
	.hint = "previous"},
    {"change-next", IN_TIMELINE, ".", NEED_POINT, "next time at which the row changes",
	WITH(cmd_change_step, 1), .hint = "change"},
    {"change-previous", IN_TIMELINE, ",", NEED_POINT, "previous change of it",
	WITH(cmd_change_step, -1)},
    {"range", IN_PANES, "r", NEED_METHODS, "start or end a range; all figures follow it",
	RUN(cmd_range), .hint = "range"},
    {"range-clear", IN_VIEWS, "R", NEED_METHODS, "clear the range: the whole trace again",
	RUN(cmd_range_clear)},
    {"range-call", IN_PANES | IN_CALLS, "V", NEED_POINT, "limit to the selected call",
	RUN(cmd_range_call)},

    {"threads", IN_VIEWS, "t", NEED_METHODS, "choose threads", RUN(pick_threads), .hint = "threads",
	.group = "THREADS"},
    {"threads-all", IN_VIEWS, "T", NEED_METHODS, "all threads", RUN(cmd_threads_all),
	.hint = "all"},
    {"threads-together", IN_TREE | IN_FLAME, "O", NEED_METHODS,
	"one call tree for all threads, or one for each", RUN(cmd_together),
	.hint = "threads as one"},
    {"thread-toggle", IN_THREADS, "<Space>", NEED_ROWS, "the thread in or out",
	RUN(cmd_thread_toggle), .hint = "in/out"},
    {"thread-only", IN_THREADS, "<Enter> <C-j>", NEED_ROWS, "only this thread",
	RUN(cmd_thread_only), .hint = "only this"},
    {"thread-pin", IN_PANES | IN_THREADS, "P", NEED_ROWS, "pin the thread at the top, or unpin it",
	RUN(cmd_thread_pin), .hint = "pin"},
    {"thread-order", IN_TIMELINE, "o <F6>", NEED_ROWS, "choose the order of the threads",
	RUN(pick_order)},

    {"clock", IN_VIEWS & ~IN_DIFF, "c", NEED_METHODS | OF_CLOCKS, "CPU time or wall time",
	RUN(cmd_clock), .hint = "clock", .group = "CLOCK, VALUES"},
    {"clock", IN_DIFF, "c", NEED_METHODS, NULL, RUN(cmd_diff_clock)},
    {"base", IN_PANES, "%", NEED_NOTHING, "percentages of the method, or of the trace",
	RUN(cmd_base)},
    {"base", IN_TREE, "%", NEED_NOTHING, NULL, RUN(cmd_tree_base)},
    {"value", IN_FLAME, "v", NEED_METHODS, "widths: inclusive time, exclusive time, calls",
	RUN(cmd_value), .hint = "width"},
    {"diff-value", IN_DIFF, "v", NEED_NOTHING, "compare inclusive or exclusive time",
	RUN(cmd_diff_value), .hint = "incl/excl"},
    {"elision", IN_VIEWS, "p", NEED_NOTHING, "packages as they fit, whole, or one letter each",
	RUN(cmd_elision)},
    {"units", IN_VIEWS, "=", NEED_NOTHING, "times exact in ms, or four digits and a unit",
	RUN(cmd_units)},

    {"copy", IN_ALL & ~IN_DIFF, "y", NEED_POINT, "copy the method's full name", RUN(cmd_copy),
	.group = "OUT"},
    {"copy", IN_DIFF, "y", NEED_POINT, NULL, RUN(cmd_diff_copy)},
    {"copy-stack", IN_ALL, "Y", NEED_POINT, "copy the row and its stack", RUN(cmd_copy_stack)},
    {"edit", IN_ALL, "e", NEED_POINT, "open the method's source in $EDITOR", RUN(cmd_edit)},
    {"export", IN_ALL, "E", NEED_SCREEN, "write what the view shows to a file", RUN(cmd_export)},
    {"pager", IN_ALL, "|", NEED_SCREEN, "open the view in $PAGER", RUN(cmd_pager)},

    {"help", IN_ALL, "? <F1>", NEED_NOTHING, "this list of keys", RUN(help_open), .hint = "help",
	.group = "PROGRAM"},
    {"command-line", IN_ALL, ":", NEED_POINT, "go to a row or a time, set, save, any action",
	RUN(cmd_line)},
    {"mouse", IN_ALL, "M", NEED_NOTHING, "mouse on or off", RUN(cmd_mouse)},
    {"redraw", IN_ALL, "<C-l>", AT_ONCE, "redraw the screen", RUN(cmd_redraw)},
    {"suspend", IN_ALL, "<C-z>", AT_ONCE, "suspend", RUN(cmd_suspend)},
    {"interrupt", IN_ALL, "<C-c>", INTERRUPTS, "stop what is running; when idle, twice: quit",
	RUN(cmd_interrupt)},
    {"close", IN_ALL, "q <F10>", CLOSES, "close this view; in the first one: quit", RUN(cmd_close),
	.hint = "close"},
    {"quit", IN_ALL, "Q", QUITS, "quit", RUN(cmd_quit)},

    {"list-down", IN_LIST, "j <Down>", NEED_NOTHING, "down", WITH(cmd_list_move, MOVE_LINE),
	.group = "IN A LIST"},
    {"list-up", IN_LIST, "k <Up>", NEED_NOTHING, "up", WITH(cmd_list_move, -MOVE_LINE)},
    {"list-page-down", IN_LIST, "<PageDown> <C-f> <C-d>", NEED_NOTHING, "a page down",
	WITH(cmd_list_move, MOVE_PAGE)},
    {"list-page-up", IN_LIST, "<PageUp> <C-b> <C-u>", NEED_NOTHING, "a page up",
	WITH(cmd_list_move, -MOVE_PAGE)},
    {"list-first", IN_LIST, "g <Home>", NEED_NOTHING, "to the first line",
	WITH(cmd_list_move, -MOVE_END)},
    {"list-last", IN_LIST, "G <End>", NEED_NOTHING, "to the last line",
	WITH(cmd_list_move, MOVE_END)},
    {"list-choose", IN_LIST, "<Enter> <C-j>", NEED_NOTHING, "take the row, or close the list",
	WITH(cmd_list_act, LIST_CHOOSE)},
    {"list-toggle", IN_LIST, "<Space>", NEED_NOTHING, "in or out, on or off, show or hide",
	WITH(cmd_list_act, LIST_TOGGLE)},
    {"list-all", IN_LIST, "T", NEED_NOTHING, "threads, choices of a log: all",
	WITH(cmd_list_act, LIST_ALL)},
    {"list-pin", IN_LIST, "P", NEED_NOTHING, "threads: pin at the top, or unpin",
	WITH(cmd_list_act, LIST_PIN)},
    {"list-remove", IN_LIST, "<Delete> d", NEED_NOTHING, "remove a filter, a transform, a bookmark",
	WITH(cmd_list_act, LIST_REMOVE)},
    {"list-edit", IN_LIST, "e", NEED_NOTHING, "change the expression of a transform",
	WITH(cmd_list_act, LIST_EDIT)},
    {"list-auto", IN_LIST, "a", NEED_NOTHING, "show a column when the screen is wide enough",
	WITH(cmd_list_act, LIST_AUTO)},
    {"list-left", IN_LIST, "<", NEED_NOTHING, "move a column left", WITH(cmd_list_act, LIST_LEFT)},
    {"list-right", IN_LIST, ">", NEED_NOTHING, "move a column right",
	WITH(cmd_list_act, LIST_RIGHT)},
    {"list-wider", IN_LIST, "+", NEED_NOTHING, "a column of the screen wider",
	WITH(cmd_list_act, LIST_WIDER)},
    {"list-narrower", IN_LIST, "-", NEED_NOTHING, "narrower, as far as its values fit",
	WITH(cmd_list_act, LIST_NARROWER)},
    {"list-find", IN_LIST, "/ <F3>", NEED_NOTHING, "show only lines with these letters",
	RUN(cmd_list_find), .hint = "find"},
    {"list-close", IN_LIST, "q <Escape> <C-c> <F10>", NEED_NOTHING, "close", RUN(popup_close),
	.hint = "close"},

    {"type-accept", IN_PROMPT, "<Enter> <C-j>", NEED_NOTHING, "accept", WITH(cmd_type, TYPE_ACCEPT),
	.group = "WHILE TYPING"},
    {"type-cancel", IN_PROMPT, "<Escape> <C-c>", NEED_NOTHING, "leave without a change",
	WITH(cmd_type, TYPE_CANCEL)},
    {"type-older", IN_PROMPT, "<Up>", NEED_NOTHING, "older line", WITH(cmd_type, TYPE_OLDER)},
    {"type-newer", IN_PROMPT, "<Down>", NEED_NOTHING, "newer line", WITH(cmd_type, TYPE_NEWER)},
    {"type-left", IN_PROMPT, "<Left>", NEED_NOTHING, "left", WITH(cmd_type, TYPE_LEFT)},
    {"type-right", IN_PROMPT, "<Right>", NEED_NOTHING, "right", WITH(cmd_type, TYPE_RIGHT)},
    {"type-start", IN_PROMPT, "<C-a> <Home>", NEED_NOTHING, "to the start",
	WITH(cmd_type, TYPE_START)},
    {"type-end", IN_PROMPT, "<C-e> <End>", NEED_NOTHING, "to the end", WITH(cmd_type, TYPE_END)},
    {"type-erase", IN_PROMPT, "<Backspace>", NEED_NOTHING, "erase the character before",
	WITH(cmd_type, TYPE_ERASE)},
    {"type-delete", IN_PROMPT, "<Delete>", NEED_NOTHING, "erase the character at the cursor",
	WITH(cmd_type, TYPE_DELETE)},
    {"type-erase-word", IN_PROMPT, "<C-w>", NEED_NOTHING, "erase the word before",
	WITH(cmd_type, TYPE_ERASE_WORD)},
    {"type-erase-line", IN_PROMPT, "<C-u>", NEED_NOTHING, "erase to the start",
	WITH(cmd_type, TYPE_ERASE_LINE)},
    {"type-erase-rest", IN_PROMPT, "<C-k>", NEED_NOTHING, "erase to the end",
	WITH(cmd_type, TYPE_ERASE_REST)},
    {"type-literal", IN_PROMPT, "<C-r>", NEED_NOTHING, "patterns: regular expression, or literal",
	WITH(cmd_type, TYPE_LITERAL)},
    {"type-case", IN_PROMPT, "<C-t>", NEED_NOTHING, "patterns: smart case, exact, any",
	WITH(cmd_type, TYPE_CASE)},
    {"type-complete", IN_PROMPT, "<Tab>", NEED_NOTHING, "complete; again: the next word",
	WITH(cmd_type, TYPE_COMPLETE)},
    {"type-complete-back", IN_PROMPT, "<S-Tab>", NEED_NOTHING, "the word before",
	WITH(cmd_type, TYPE_COMPLETE_BACK)},
};
/* clang-format on */

const size_t tui_command_count = sizeof(tui_commands) / sizeof(tui_commands[0]);

const struct context_row context_table[] = {
    {IN_TABLE, "profile table", "table", "open filter search pane threads clock help"},
    {IN_TIMELINE, "timeline", "timeline",
	"select-call cursor-right row-open zoom-in whole pane help"},
    {IN_TREE, "call tree", "call tree",
	"open heaviest expand-all filter search threads-together help"},
    {IN_CALLS, "calls", "calls", "stack call-zoom call-next call-previous threads clock help"},
    {IN_FLAME, "flame graph", "flame graph",
	"frame-zoom back frame-right search-name value heaviest threads-together help"},
    {IN_THREADS, "threads", "threads",
	"thread-toggle threads-all thread-pin thread-only search sort-left help"},
    {IN_USAGE, "log tables", "log tables",
	"row-go waits view-usage usage-pick filter search sort-left help"},
    {IN_DIFF, "comparison", "comparison",
	"method-go diff-next filter search diff-value sort-left help"},
    {IN_PACKAGES, "packages", "packages", "open view-packages filter search sort-left clock help"},
    {IN_FRAMES, "frames", "frames", "frame-range frame-next sort-left search threads help"},
    {IN_INFO, "information", "information", "close search help"},
    {IN_DETAILS, "details", "details", "close waker waits chain back help"},
    {0, NULL, NULL, NULL},
};

const struct context_row *
context_find(unsigned context)
{
	const struct context_row *row = context_table;

	while (row->context != 0 && row->context != context)
		row++;
	return row;
}

const struct command *
commands_find_in(const char *name, unsigned contexts)
{
	for (size_t i = 0; i < tui_command_count; i++)
		if ((tui_commands[i].contexts & contexts) != 0 &&
		    strcmp(tui_commands[i].name, name) == 0)
			return &tui_commands[i];
	return NULL;
}

const struct command *
commands_find(const char *name)
{
	return commands_find_in(name, ~0u);
}

void
command_do(struct app *app, const struct command *command)
{
	if (command->run != NULL)
		command->run(app);
	else
		command->with(app, command->arg);
}

bool
command_suits(const struct app *app, const struct command *command)
{
	unsigned lacks = (app->trace->log == NULL ? OF_LOG : 0) |
	    (compare_is_on(app) ? 0 : OF_DIFF) | (app->has_frames ? 0 : OF_FRAMES) |
	    (trace_has_clock(app->trace, CLOCK_CPU) && trace_has_clock(app->trace, CLOCK_WALL)
		    ? 0
		    : OF_CLOCKS);

	return (command->flags & lacks) == 0;
}

bool
command_in_views(const struct command *command)
{
	return (command->contexts & IN_ALL) != 0;
}
