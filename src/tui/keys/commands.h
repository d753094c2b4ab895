// SPDX-License-Identifier: Apache-2.0
/*
 * commands: everything that a key can do: by which name, where, with which keys unless the
 * configuration says otherwise (keymap.h), and by which function.
 *
 * A command changes the state and never draws.  One that cannot do its work says why
 * (app_complain) and changes nothing.  One that works differently in some views has a row for
 * each way, one after the other; the first has its texts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "profile/sum/range.h"

struct app;
struct sbuf;
struct key;
struct popup_ops;
struct names;
struct err;

enum context {
	IN_TABLE = 1 << 0,
	IN_TIMELINE = 1 << 1,
	IN_INFO = 1 << 2, /* trace information, and details of a method */
	IN_TREE = 1 << 3, /* call tree and callers */
	IN_CALLS = 1 << 4, /* the calls of a method */
	IN_FLAME = 1 << 5,
	IN_THREADS = 1 << 6,
	IN_USAGE = 1 << 7, /* tables of a text log */
	IN_DIFF = 1 << 9, /* the trace compared with another */
	IN_DETAILS = 1 << 8, /* of a log's slice or thread */
	IN_LIST = 1 << 10, /* to choose from, over any view */
	IN_PROMPT = 1 << 11, /* in a prompt */
	IN_PACKAGES = 1 << 12, /* the profile by package or class */
	IN_FRAMES = 1 << 13, /* frames of the display */
	IN_FINDINGS = 1 << 14,
	IN_SEQUENCE = 1 << 15, /* calls in the order of time */
	IN_PANES = IN_TABLE | IN_TIMELINE,
	IN_ROWS = IN_TABLE | IN_TREE,
	/* With columns: */
	IN_LINES = IN_ROWS | IN_CALLS | IN_THREADS | IN_USAGE | IN_DIFF | IN_PACKAGES | IN_FRAMES |
	    IN_FINDINGS | IN_SEQUENCE,
	IN_LISTS = IN_PANES | IN_TREE | IN_FLAME | IN_PACKAGES, /* of methods */
	/* All that is no text: */
	IN_VIEWS = IN_LISTS | IN_CALLS | IN_THREADS | IN_USAGE | IN_DIFF | IN_FRAMES | IN_FINDINGS | IN_SEQUENCE,
	IN_TEXT = IN_INFO | IN_DETAILS,
	IN_ALL = IN_VIEWS | IN_TEXT, /* views; not popups over them */
};

/*
 * Answers that a command needs before it can do its work (queue.h): it never acts on
 * missing or outdated data.
 */
enum command_flags {
	NEED_NOTHING,
	NEED_WIDTHS,  /* of columns and of the time axis: the first methods and threads */
	NEED_METHODS, /* methods and threads, and the call tree where one is shown */
	NEED_ROWS,    /* and the rows of the present view */
	NEED_POINT,   /* and what is under the time cursor */
	NEED_SCREEN,  /* and all else that is on the screen */
	NEEDS = 7,

	/* And one bit each: */
	AT_ONCE = 1 << 3,    /* changes nothing that keys before it could be about */
	INTERRUPTS = 1 << 4, /* stops what is under way, and drops keys that wait */
	ESCAPES = 1 << 5,    /* the latter, too, once the last line has offered it */
	CLOSES = 1 << 6,     /* ends the program where nothing is to be seen */
	QUITS = 1 << 7,      /* ends the program from anywhere */
	/* Does something only where the trace is a log; is compared; has two clocks; has frames: */
	OF_LOG = 1 << 8,
	OF_DIFF = 1 << 9,
	OF_CLOCKS = 1 << 10,
	OF_FRAMES = 1 << 11,
};

/* Kind of argument that follows a command's name on the command line; Tab offers such. */
enum command_takes {
	ARG_NONE,
	ARG_TEXT,  /* of its own; or what it asks for in a prompt */
	ARG_TIME,  /* or "all" */
	ARG_PLACE, /* a row, a time, a range */
	ARG_FILE,
	ARG_SETTING,
	ARG_COLUMN, /* to sort by */
	ARG_WHERE,  /* conditions on columns */
	ARG_THREAD,
	ARG_LEVEL, /* of a log, as the next two */
	ARG_TAG,
	ARG_PROCESS,
};

/* A parsed argument. */
struct argument {
	struct str text;   /* of the line; empty: none */
	struct range time; /* ARG_TIME: `from`, 0 for "all"; ARG_PLACE: of a moment both are that */
	uint64_t row;      /* ARG_PLACE: from 1; 0: it is a time */
	int arg;           /* of the command's row */
};

/* Functions of commands: alone, with a number from their row, or with an argument. */
typedef void command_run(struct app *);
typedef void command_with(struct app *, int);
/* False and `e`, with nothing changed, when it cannot be. */
typedef bool command_line(struct app *, const struct argument *, struct err *);

struct command {
	const char *name;
	unsigned contexts;
	const char *keys; /* names with blanks between, the one to show first; "": on `:` only */
	unsigned flags;
	const char *help; /* one line, no full stop */
	command_run *run; /* or: */
	command_with *with;
	int arg;
	command_line *line; /* or: */
	const char *hint;  /* a word or two for the last line; may be NULL */
	const char *group; /* heading of those from here on; NULL: as before */
	/*
	 * The view that it opens, `arg`, in the bar of views, and shorter or NULL; none: it opens
	 * none.  One that is not opened from everywhere is there while it is shown.
	 */
	const char *bar[2];
	const char *called; /* the word of --view for that view; NULL: it has none */
	const struct popup_ops *opens; /* in place of `run`, `with` and `line` */
	enum command_takes takes;
	const char *usage; /* "set NAME=VALUE": of commands without keys */
};

extern const struct command tui_commands[];
extern const size_t tui_command_count;

/* The first row of that name; the row that works in one of the contexts.  NULL: there is none. */
const struct command *commands_find(const char *name);
const struct command *commands_find_in(const char *name, unsigned contexts);
/*
 * Returns the i-th name of a command on the command line, in lower case: its own; for a view also
 * its word of --view and its title in the bar.  NULL after the last.
 */
enum { COMMAND_WORD = 40 };
const char *command_word(
    struct names *, const struct command *, int i, char out[static COMMAND_WORD]);
/* Finds a command of views by such a name, or a beginning that only one has; else NULL and `e`. */
const struct command *commands_named(struct names *, struct str word, struct err *);
void command_do(struct app *, const struct command *);
/* Why it can do nothing for this trace; NULL: it can. */
const char *command_lacks(const struct app *, const struct command *);
bool command_suits(const struct app *, const struct command *);
/* True if views have it; others are of lists and prompts, and cannot be called by name. */
bool command_in_views(const struct command *);

/* A context of keys, as the help and the manual name it. */
struct context_row {
	unsigned context;
	const char *name; /* "profile table": for the help */
	const char *word; /* "table": for the manual */
	const char *hints; /* commands for the last line, the most useful first */
};

extern const struct context_row context_table[]; /* ends with context 0 */
const struct context_row *context_find(unsigned context);

/* Meaning of a sign on the screen: a letter, bar or mark beside words and figures. */
struct legend_row {
	unsigned contexts; /* of commands.h */
	bool log;          /* only text logs have it */
	const char *sign;
	const char *ascii; /* in place of it on terminals without UTF-8; NULL: the same */
	const char *help;  /* one line, no full stop */
};

extern const struct legend_row legend[];
extern const size_t legend_count;

/* How far cmd_move goes; negative: backwards. */
enum { MOVE_LINE = 1, MOVE_HALF, MOVE_PAGE, MOVE_END };
/* In lines, where `page` of them are on the screen. */
int64_t move_distance(int how, size_t page);

/*
 * This filter takes the place of all others; if it is the only one already, none does.  Releases
 * the text.
 */
void filter_only(struct app *, struct sbuf *line);

/* The functions of the table. */
command_with cmd_view;
#define RUN(function) command_run function
#define WITH(function, argument) command_with function
#define LINE(function) command_line function
#define OPEN(popup) extern const struct popup_ops popup
#define COMMAND(name, contexts, keys, flags, help, ...) COMMAND_FUNCTION(__VA_ARGS__, ~);
#define COMMAND_FUNCTION(function, ...) function
#include "tui/keys/commands.def"
#undef COMMAND_FUNCTION
#undef COMMAND
#undef OPEN
#undef LINE
#undef WITH
#undef RUN

/*
 * mouse.c: clicks and the wheel, unless the setting is off.  They do nothing that keys
 * cannot: a click goes to a view in the bar, a line, a pane, a thread and time, or a column to
 * sort by; one on the line of the cursor is Enter; the wheel is three lines.
 */
void mouse_event(struct app *, const struct key *);
/*
 * pickers.c: the list of threads to choose from; while letters are looked for, whatever is closed
 * is found, too.  Opens or closes its row of that id: list_id's two numbers together.
 */
struct list *picked_threads(struct app *);
void pick_open(struct app *, uint64_t id);
/* commands/out.c: copies the stack that was waited for, when the trees are there. */
void copy_take_trees(struct app *);
/* Copies a text, and says so; `lines`: how many it has, after a comma, or nothing. */
void copy_text(struct app *, const struct sbuf *, const char *lines);
/* The selected method; METHOD_NONE after saying that there is none. */
uint32_t method_meant(struct app *);
/*
 * commands/time.c: the thread of the timeline's row; of a core, the one that runs at the
 * cursor.
 */
uint32_t timeline_row_thread(const struct app *);
/* True if the user has gone elsewhere on the focused timeline since it was entered. */
bool timeline_chosen(const struct app *);

/*
 * commands/time.c: so many calls are drawn on the timeline that the user should be told;
 * giving it up, false when nothing is drawn.
 */
bool drawing_slow(const struct app *);
bool drawing_interrupt(struct app *);
