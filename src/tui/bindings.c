#include <config.h>

#include "tui/bindings.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const struct binding bindings[] = {
    {IN_ALL, "j <Down>", "down"},
    {IN_ALL, "k <Up>", "up"},
    {IN_TIMELINE, "J", "next-thread"},
    {IN_TIMELINE, "K", "previous-thread"},
    {IN_ALL, "<PageDown> <C-f>", "page-down"},
    {IN_ALL, "<PageUp> <C-b>", "page-up"},
    {IN_ALL, "<C-d>", "half-page-down"},
    {IN_ALL, "<C-u>", "half-page-up"},
    {IN_ALL, "g <Home>", "first"},
    {IN_ALL, "G <End>", "last"},
    {IN_LINES, "z", "centre"},
    {IN_TIMELINE, "h <Left>", "cursor-left"},
    {IN_TIMELINE, "l <Right>", "cursor-right"},

    {IN_ROWS, "<Enter> <C-j>", "open"},
    {IN_CALLS, "<Enter> <C-j>", "stack"},
    {IN_USAGE, "<Enter> <C-j>", "row-go"},
    {IN_DIFF, "<Enter> <C-j>", "method-go"},
    {IN_TIMELINE, "+", "row-open"},
    {IN_TIMELINE, "-", "row-close"},
    {IN_ROWS, "+", "expand"},
    {IN_ROWS, "-", "collapse"},
    {IN_TREE, "*", "expand-all"},
    {IN_TREE, "h <Left>", "tree-left"},
    {IN_TREE, "l <Right>", "tree-right"},
    {IN_TREE, "J", "next-sibling"},
    {IN_TREE, "K", "previous-sibling"},
    {IN_TREE | IN_FLAME, "H", "heaviest"},
    {IN_FLAME, "<Enter> <C-j>", "frame-zoom"},
    {IN_FLAME, "h <Left>", "frame-left"},
    {IN_FLAME, "l <Right>", "frame-right"},
    {IN_FLAME, "-", "frame-out"},
    {IN_TIMELINE, "<Enter> <C-j>", "select-call"},
    {IN_TABLE | IN_CALLS, "<Space>", "mark"},
    {IN_TABLE | IN_CALLS, "U", "unmark"},
    {IN_VIEWS, "m", "bookmark"},
    {IN_VIEWS, "'", "bookmark-go"},
    {IN_ALL, "<Backspace> <C-o> b", "back"},
    {IN_ALL, "B", "forward"},
    {IN_VIEWS, "i", "details"},
    {IN_DETAILS, "<Enter> <C-j>", "waker"},
    {IN_VIEWS | IN_DETAILS, "L", "wakers"},
    {IN_VIEWS | IN_DETAILS, "F", "chain"},

    {IN_LINES, "<", "sort-left"},
    {IN_LINES, ">", "sort-right"},
    {IN_LINES, "o <F6>", "sort-pick"},
    {IN_LINES, "I", "invert"},
    {IN_LINES, "C", "columns"},
    {IN_TIMELINE, "C", "row-kinds"},
    {IN_TABLE, "h <Left>", "columns-left"},
    {IN_TABLE, "l <Right>", "columns-right"},
    {IN_ROWS, "(", "name-left"},
    {IN_ROWS, ")", "name-right"},
    {IN_ROWS, "^", "name-start"},
    {IN_ROWS, "$", "name-end"},

    {IN_ALL, "/ <F3>", "search"},
    {IN_ALL, "n", "search-next"},
    {IN_ALL, "N", "search-previous"},
    {IN_LISTS | IN_DIFF, "#", "search-name"},
    {IN_LISTS | IN_USAGE | IN_DIFF, "& \\ <F4>", "filter"},
    {IN_VIEWS, "x", "transform"},
    {IN_VIEWS, "X", "filter-list"},
    {IN_VIEWS, "@", "choice"},
    {IN_VIEWS, "u", "undo"},
    {IN_VIEWS, "<C-r>", "redo"},
    {IN_ALL, "<Escape>", "escape"},

    {IN_PANES, "w", "zoom-in"},
    {IN_PANES, "s", "zoom-out"},
    {IN_PANES, "a", "pan-left"},
    {IN_PANES, "d", "pan-right"},
    {IN_PANES, "A", "pan-start"},
    {IN_PANES, "D", "pan-end"},
    {IN_PANES | IN_CALLS, "f", "call-fit"},
    {IN_PANES | IN_CALLS, "W", "call-zoom"},
    {IN_PANES, "S", "whole"},
    {IN_VIEWS, "]", "call-next"},
    {IN_VIEWS, "[", "call-previous"},
    {IN_TIMELINE, ".", "change-next"},
    {IN_TIMELINE, ",", "change-previous"},
    {IN_PANES, "r", "range"},
    {IN_VIEWS, "R", "range-clear"},
    {IN_PANES | IN_CALLS, "V", "range-call"},

    {IN_VIEWS, "t", "threads"},
    {IN_VIEWS, "T", "threads-all"},
    {IN_PANES | IN_THREADS, "P", "thread-pin"},
    {IN_THREADS, "<Space>", "thread-toggle"},
    {IN_THREADS, "<Enter> <C-j>", "thread-only"},
    {IN_TIMELINE, "o <F6>", "thread-order"},

    {IN_TREE | IN_FLAME, "O", "threads-together"},

    {IN_VIEWS, "c", "clock"},
    {IN_PANES | IN_TREE, "%", "base"},
    {IN_FLAME, "v", "value"},
    {IN_DIFF, "v", "diff-value"},
    {IN_VIEWS, "p", "elision"},
    {IN_VIEWS, "=", "units"},

    {IN_ALL, "1", "view-profile"},
    {IN_ALL, "2 <F5>", "view-tree"},
    {IN_ALL, "3", "view-callers"},
    {IN_ALL, "4", "view-flame"},
    {IN_ALL, "5", "view-calls"},
    {IN_ALL, "6", "view-threads"},
    {IN_ALL, "7", "view-timeline"},
    {IN_ALL, "8", "view-diff"},
    {IN_ALL, "9", "view-usage"},
    {IN_USAGE, "<Tab>", "usage-next"},
    {IN_USAGE, "<S-Tab>", "usage-previous"},
    {IN_USAGE, "v", "usage-pick"},
    {IN_DIFF, "<Tab>", "diff-next"},
    {IN_DIFF, "<S-Tab>", "diff-previous"},
    {IN_ALL, "0", "view-info"},
    {IN_PANES, "<Tab> <S-Tab>", "pane"},
    {IN_PANES, "Z", "maximise"},
    {IN_PANES, "{", "timeline-smaller"},
    {IN_PANES, "}", "timeline-larger"},

    {IN_ALL, "y", "copy"},
    {IN_ALL, "Y", "copy-stack"},
    {IN_ALL, "e", "edit"},
    {IN_ALL, "E", "export"},
    {IN_ALL, "|", "pager"},

    {IN_ALL, "? <F1>", "help"},
    {IN_ALL, ":", "command-line"},
    {IN_ALL, "M", "mouse"},
    {IN_ALL, "<C-l>", "redraw"},
    {IN_ALL, "<C-z>", "suspend"},
    {IN_ALL, "<C-c>", "interrupt"},
    {IN_ALL, "q <F10>", "close"},
    {IN_ALL, "Q", "quit"},

    {IN_LIST, "j <Down>", "list-down"},
    {IN_LIST, "k <Up>", "list-up"},
    {IN_LIST, "<PageDown> <C-f> <C-d>", "list-page-down"},
    {IN_LIST, "<PageUp> <C-b> <C-u>", "list-page-up"},
    {IN_LIST, "g <Home>", "list-first"},
    {IN_LIST, "G <End>", "list-last"},
    {IN_LIST, "<Enter> <C-j>", "list-choose"},
    {IN_LIST, "<Space>", "list-toggle"},
    {IN_LIST, "T", "list-all"},
    {IN_LIST, "P", "list-pin"},
    {IN_LIST, "<Delete> d", "list-remove"},
    {IN_LIST, "e", "list-edit"},
    {IN_LIST, "a", "list-auto"},
    {IN_LIST, "<", "list-left"},
    {IN_LIST, ">", "list-right"},
    {IN_LIST, "+", "list-wider"},
    {IN_LIST, "-", "list-narrower"},
    {IN_LIST, "/ <F3>", "list-find"},
    {IN_LIST, "q <Escape> <C-c> <F10>", "list-close"},

    {IN_PROMPT, "<Enter> <C-j>", "type-accept"},
    {IN_PROMPT, "<Escape> <C-c>", "type-cancel"},
    {IN_PROMPT, "<Up>", "type-older"},
    {IN_PROMPT, "<Down>", "type-newer"},
    {IN_PROMPT, "<Left>", "type-left"},
    {IN_PROMPT, "<Right>", "type-right"},
    {IN_PROMPT, "<C-a> <Home>", "type-start"},
    {IN_PROMPT, "<C-e> <End>", "type-end"},
    {IN_PROMPT, "<Backspace>", "type-erase"},
    {IN_PROMPT, "<Delete>", "type-delete"},
    {IN_PROMPT, "<C-w>", "type-erase-word"},
    {IN_PROMPT, "<C-u>", "type-erase-line"},
    {IN_PROMPT, "<C-k>", "type-erase-rest"},
    {IN_PROMPT, "<C-r>", "type-literal"},
    {IN_PROMPT, "<C-t>", "type-case"},
    {IN_PROMPT, "<Tab>", "type-complete"},
    {IN_PROMPT, "<S-Tab>", "type-complete-back"},
};

const size_t binding_count = sizeof(bindings) / sizeof(bindings[0]);

static const char *const table_hints[] = {
    "open", "filter", "search", "pane", "threads", "clock", "help", NULL};
static const char *const timeline_hints[] = {"select-call", "cursor-right", "row-open",
    "zoom-in", "whole", "pane", "help", NULL};
static const char *const tree_hints[] = {"open", "heaviest", "expand-all", "filter",
    "search", "threads-together", "help", NULL};
static const char *const calls_hints[] = {"stack", "call-zoom", "call-next", "call-previous",
    "threads", "clock", "help", NULL};
static const char *const flame_hints[] = {"frame-zoom", "back", "frame-right", "search-name",
    "value", "heaviest", "threads-together", "help", NULL};
static const char *const threads_hints[] = {"thread-toggle", "threads-all", "thread-pin",
    "thread-only", "search", "sort-left", "help", NULL};
static const char *const details_hints[] = {"close", "waker", "wakers", "chain", "back", "help",
    NULL};
static const char *const usage_hints[] = {"row-go", "view-usage", "usage-pick", "filter",
    "search", "sort-left", "help", NULL};
static const char *const diff_hints[] = {"method-go", "diff-next", "filter", "search",
    "diff-value", "sort-left", "help", NULL};
static const char *const info_hints[] = {"close", "search", "help", NULL};

const struct context_row context_table[] = {
    {IN_TABLE, "profile table", "table", table_hints},
    {IN_TIMELINE, "timeline", "timeline", timeline_hints},
    {IN_TREE, "call tree", "call tree", tree_hints},
    {IN_CALLS, "calls", "calls", calls_hints},
    {IN_FLAME, "flame graph", "flame graph", flame_hints},
    {IN_THREADS, "threads", "threads", threads_hints},
    {IN_USAGE, "log tables", "log tables", usage_hints},
    {IN_DIFF, "comparison", "comparison", diff_hints},
    {IN_INFO, "information", "information", info_hints},
    {IN_DETAILS, "details", "details", details_hints},
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

int
bindings_has(const char *keys, const char *key)
{
	size_t n = strlen(key);

	while (*keys != '\0') {
		size_t length = strcspn(keys, " ");

		if (length == n && memcmp(keys, key, n) == 0)
			return 1;
		keys += length;
		keys += strspn(keys, " ");
	}
	return 0;
}

/* "<C-f>" is known as "^F", "<PageDown>" as "PgDn". */
static void
label(const char *key, size_t n, char *out, size_t size)
{
	static const char *const known[][2] = {
	    {"<PageDown>", "PgDn"},
	    {"<PageUp>", "PgUp"},
	    {"<Escape>", "Esc"},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strlen(known[i][0]) == n && memcmp(known[i][0], key, n) == 0) {
			snprintf(out, size, "%s", known[i][1]);
			return;
		}
	}
	if (n == 5 && memcmp(key, "<C-", 3) == 0)
		snprintf(out, size, "^%c", toupper((unsigned char)key[3]));
	else if (n > 2 && key[0] == '<')
		snprintf(out, size, "%.*s", (int)n - 2, key + 1);
	else
		snprintf(out, size, "%.*s", (int)n, key);
}

void
bindings_label(const char *keys, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	while (*keys != '\0' && used + 1 < size) {
		size_t n = strcspn(keys, " ");

		if (used > 0)
			used += (size_t)snprintf(out + used, size - used, " ");
		label(keys, n, out + used, size - used);
		used += strlen(out + used);
		keys += n;
		keys += strspn(keys, " ");
	}
}
