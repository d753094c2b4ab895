/*
 * commands: everything that a key can do, by name.
 *
 * A command changes the state and never draws.  One that cannot do its work says why
 * (app_complain) and changes nothing.
 */
#ifndef SLOWTOP_TUI_COMMANDS_H
#define SLOWTOP_TUI_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app;

/* In the order of the help. */
enum command_group {
	GROUP_MOVE,
	GROUP_OPEN,
	GROUP_SORT,
	GROUP_SEARCH,
	GROUP_TIME,
	GROUP_THREADS,
	GROUP_VALUES,
	GROUP_VIEWS,
	GROUP_OUT,
	GROUP_PROGRAM,
	GROUP_LIST,   /* of what stands over a view: they have keys, and no names on the */
	GROUP_PROMPT, /* command line */
	COMMAND_GROUPS
};

extern const char *const command_groups[COMMAND_GROUPS]; /* headings */

/*
 * What must have been answered before a command can do its work (queue.h): it acts on
 * nothing that is not there yet, or only there still.
 */
enum command_need {
	NEED_NOTHING,
	NEED_METHODS, /* methods and threads, and the call tree where one is shown */
	NEED_ROWS,    /* and the rows of the view at hand */
	NEED_POINT,   /* and what is under the time cursor */
	NEED_SCREEN,  /* and all else that is on the screen */
};

struct command {
	const char *name;
	void (*run)(struct app *, int arg);
	int arg;
	enum command_group group;
	enum command_need need;
	const char *help; /* one line, no full stop */
	const char *hint; /* a word or two for the last line; may be NULL */
};

extern const struct command tui_commands[];
extern const size_t tui_command_count;

const struct command *commands_find(const char *name);
/* Whether views have it, which can be told to by its name. */
bool command_in_views(const struct command *);

/* How far cmd_move goes; negative: backwards. */
enum { MOVE_LINE = 1, MOVE_HALF, MOVE_PAGE, MOVE_END };
/* In lines, where `page` of them are on the screen. */
int64_t move_distance(int how, size_t page);

/* commands-move.c */
void cmd_move(struct app *, int how);
void cmd_thread_step(struct app *, int direction);
void cmd_time_cursor(struct app *, int cells);
void cmd_centre(struct app *, int);
void cmd_back(struct app *, int direction);

/* commands-table.c */
void cmd_open(struct app *, int);
void cmd_expand(struct app *, int open);
void cmd_sort_step(struct app *, int direction);
void cmd_sort_pick(struct app *, int);
void cmd_invert(struct app *, int);
void cmd_columns_pick(struct app *, int);
void cmd_columns_scroll(struct app *, int direction);
void cmd_name_scroll(struct app *, int direction);
void cmd_name_end(struct app *, int);
void cmd_clock(struct app *, int);
void cmd_base(struct app *, int);
void cmd_elision(struct app *, int);
void cmd_units(struct app *, int);
void cmd_mark(struct app *, int);
void cmd_unmark(struct app *, int);

/* commands-search.c */
void cmd_search(struct app *, int);
void cmd_search_next(struct app *, int direction);
void cmd_search_name(struct app *, int);
void cmd_filter(struct app *, int);
void cmd_filter_list(struct app *, int);
void cmd_undo(struct app *, int side);
void cmd_escape(struct app *, int);

/* transforms.c */
void cmd_transform(struct app *, int);

/* commands-time.c */
void cmd_zoom(struct app *, int direction);
void cmd_pan(struct app *, int quarters);
void cmd_pan_end(struct app *, int direction);
void cmd_whole(struct app *, int);
void cmd_call_fit(struct app *, int);
void cmd_call_zoom(struct app *, int);
void cmd_call_select(struct app *, int);
void cmd_rows_pick(struct app *, int);
void cmd_row_open(struct app *, int open);
void cmd_change_step(struct app *, int direction);
void cmd_order_pick(struct app *, int);
void cmd_threads_pick(struct app *, int);
void cmd_threads_all(struct app *, int);
void cmd_thread_pin(struct app *, int);
void cmd_range(struct app *, int);
void cmd_range_clear(struct app *, int);
void cmd_range_call(struct app *, int);

/* view-calls.c */
void cmd_call_step(struct app *, int direction);

/* bookmarks.c */
void cmd_bookmark(struct app *, int jump);

/* view-tree.c */
void cmd_tree_left(struct app *, int);
void cmd_tree_right(struct app *, int);
void cmd_tree_sibling(struct app *, int direction);
void cmd_tree_heaviest(struct app *, int);
void cmd_tree_all(struct app *, int);
void cmd_together(struct app *, int);

/* commands-out.c, writing.c */
void cmd_copy(struct app *, int);
void cmd_copy_stack(struct app *, int);
void cmd_edit(struct app *, int);
void cmd_export(struct app *, int);
void cmd_pager(struct app *, int);

/* view-flame.c */
void cmd_flame_sibling(struct app *, int direction);
void cmd_flame_zoom(struct app *, int);
void cmd_flame_out(struct app *, int);
void cmd_value(struct app *, int);

/* view-threads.c */
void cmd_thread_toggle(struct app *, int);
void cmd_thread_only(struct app *, int);

/* view-diff.c */
void cmd_diff(struct app *, int);
void cmd_diff_step(struct app *, int direction);
void cmd_diff_value(struct app *, int);

/* view-usage.c */
void cmd_usage(struct app *, int);
void cmd_usage_step(struct app *, int direction);
void cmd_usage_pick(struct app *, int);
void cmd_waker(struct app *, int);
void cmd_wakers(struct app *, int);
void cmd_chain(struct app *, int);
void cmd_choice(struct app *, int); /* choice.c */

/* commands-view.c */
void cmd_view(struct app *, int view);
void cmd_pane(struct app *, int);
void cmd_maximise(struct app *, int);
void cmd_split(struct app *, int rows);
void cmd_details(struct app *, int);
void cmd_help(struct app *, int);
void cmd_line(struct app *, int); /* line.c */
void cmd_mouse(struct app *, int); /* mouse.c */
void cmd_redraw(struct app *, int);
void cmd_suspend(struct app *, int);
void cmd_interrupt(struct app *, int);
void cmd_close(struct app *, int);
void cmd_quit(struct app *, int);

/* popup.c: of the list that is open */
void cmd_list_move(struct app *, int how);
void cmd_list_act(struct app *, int act);
void cmd_list_find(struct app *, int);
void cmd_list_close(struct app *, int);

/* queue.c: of the line that is typed */
void cmd_type(struct app *, int act);

/*
 * What is left of a command when its key is done.
 */
/* commands-out.c: copies the stack that was waited for, when the trees are there. */
void copy_take_trees(struct app *);
/* commands-move.c: says so when there was nothing to centre. */
void say_centred(struct app *, bool moved);
/* commands-time.c: whose the timeline's row is, of a core what runs there at the cursor. */
uint32_t timeline_row_thread(const struct app *);

/*
 * commands-time.c: so many calls are drawn on the timeline that the user should be told;
 * giving it up, false when nothing is drawn.
 */
bool drawing_slow(const struct app *);
bool drawing_interrupt(struct app *);

#endif
