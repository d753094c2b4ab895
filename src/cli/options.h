// SPDX-License-Identifier: Apache-2.0
/*
 * options: the command line, from one table.
 *
 * --help, the test of the man page and of the completions, and the lists of allowed
 * values in error messages all come from it.
 */
#pragma once

#include <stdbool.h>

#include "base/mem.h"
#include "base/sbuf.h"
#include "base/watch.h"
#include "cli/commands.h"
#include "profile/findings/findings.h"
#include "record/modes.h"
#include "report/convert/convert.h"
#include "report/flame/flame.h"
#include "report/report.h"
#include "report/runs.h"
#include "report/text/diffreport.h"
#include "serve/serve.h"
#include "trace/log.h"
#include "trace/renames.h"

/* A setting on the command line (tui/settings/settings.h). */
struct override {
	const char *name, *value;
};

enum { OVERRIDES_MAX = 8 };
enum { NAMES_MOST = 64 };

/* A finding that a build server does not allow. */
struct triage_fail {
	enum finding_kind kind; /* FINDING_KINDS: any */
	bool longest; /* of a single one */
	bool given;   /* else from the kind's threshold on */
	nsec most;
};

enum { TRIAGE_FAILS = 32 };

struct triage_options {
	int format;
	bool limit_given;
	unsigned limit;
	uint32_t kinds; /* mask of 1 << enum finding_kind; 0: all */
	struct finding_rules rules;
	struct triage_fail fails[TRIAGE_FAILS];
	size_t fail_count;
};

struct options {
	enum subcommand_id command;
	bool command_named; /* by its word */
	bool command_meant; /* the first operand is where a command's word may be */
	bool help, version, strict, list;
	unsigned jobs; /* 0: as many as pay */
	const char *output; /* file to write to, borrowed; NULL: standard output */
	bool force;         /* also over an existing file */
	struct report_options report;
	uint64_t unpack_most;     /* bytes that compressed data may become; 0: as traces do */
	const char *sample_type;  /* of several values, the one to read; borrowed */
	const char *detail;       /* an argument that is part of slices' names; borrowed */
	/* Files that methods are renamed by, borrowed; of A and B, the latter for one trace. */
	const char *mapping[DIFF_SIDES];
	/* Ones after --base or --new are of the side of the operand after them. */
	struct side_file {
		const char *path;
		int at;
	} *mappings;
	size_t mapping_count, mapping_room;
	struct renames renames; /* prefixes of names in A */
	const char *names[NAMES_MOST]; /* of traces, in the order of operands, the last of all after it */
	int name_count;                /* 0: by their paths */
	struct log_choice choice; /* which slices of a text log to read */
	struct flame_options flame;
	struct diffreport_options diff;
	struct runs_options runs;
	/* --base and --new: which side the operands from that one on are of. */
	struct side_mark {
		int at, side;
	} *marks;
	size_t mark_count, mark_room;
	int place; /* of the option that is taken: operands before it */
	struct triage_options triage;
	/* Options of record; texts borrowed. */
	struct recording record;
	unsigned record_count; /* 0: one */
	const char *record_output, *device, *adb, *hdc, *diff_with;
	nsec wait; /* for an answer, and for a file to grow */
	bool list_devices, list_apps, no_open, report_after;
	struct serve_options serve;
	bool print; /* of diff: what was asked for is a report, also on a terminal */
	const struct convert_format *convert; /* or of dump; NULL: not asked for */
	const char *start_view; /* of the browser (tui/screens/screens.h); NULL: its first */
	const char *config; /* file of settings, borrowed; NULL: the usual one */
	bool no_config;
	struct override overrides[OVERRIDES_MAX];
	int override_count;
	bool follow, follow_name; /* what is appended, too; also by another file of that name */
	nsec every;  /* from one report of what is followed to the next */
	nsec window; /* so much of the end is shown; 0: all */
	nsec keep_last; /* so much of a pipe's end can be read again; 0: all */
	struct watch *watch; /* of what is followed, borrowed; NULL: nothing is */
	struct load *loaded; /* what is followed, from one report to the next; NULL: it is loaded anew */
	struct err *failed;  /* why there is no report is put here and not said; NULL: it is said */
	unsigned ignored; /* values that are settings only */
	char **words;    /* the command line, files of options in their places, then NULL */
	struct arena kept; /* of these files */
	char **operands; /* point into argv; the command's word is not among them */
	int operand_count;
};

/* The words that an option allows: a table's, or one after the other, then NULL. */
struct option_words {
	const void *rows;   /* of the table */
	const void *first;  /* where its first row has its word */
	size_t stride;
	const int *counted; /* how many rows; NULL: `count` */
	int count;
	const char *(*word)(int i); /* in their place */
};

enum option_kind {
	OPTION_FLAG,        /* bool: is set */
	OPTION_TEXT,        /* const char *, borrowed */
	OPTION_TEXTS,       /* struct words: one more */
	OPTION_WORD,        /* int or enum: which of the words, counted from `least` */
	OPTION_ROW,         /* pointer: to the word's row in the table of the words */
	OPTION_NUMBER,      /* unsigned, from least to most */
	OPTION_THOUSANDTHS, /* unsigned: up to `most`, with up to three decimals */
	OPTION_SHARE,       /* double: from a percentage up to `most` */
	OPTION_TIME,        /* nsec */
	OPTION_SIZE,        /* uint64_t bytes, as 20G */
	OPTION_ADD,         /* to the options of a report, by a function */
	OPTION_CALL,        /* by a function */
};

struct option_row {
	/* Rows of one name, for different commands, all take a value or all take none. */
	const char *name;
	char letter;       /* 0: none */
	const char *value; /* what --help calls it; NULL: the option takes none */
	unsigned commands; /* mask of COMMAND_BIT */
	const char *group; /* heading, at the first of a group */
	const char *help;  /* lines, separated by \n */
	enum option_kind kind;
	const struct option_words *words; /* NULL: the value is no word of a list */
	size_t at;           /* where in the options the value goes */
	size_t given;        /* offset of a bool: was it given? 0: not recorded */
	unsigned least, most;
	const char *setting; /* of the browser that it is, too (tui/settings/settings.h) */
	/* False, and why in `why`, when the value cannot be. */
	bool (*take)(struct options *, const char *value, struct err *why);
	bool (*add)(struct report_options *, const char *value, struct err *why);
	bool prints; /* asks for a report where the command would browse, too */
	bool file;   /* the value is the name of a file */
};

extern const struct option_row option_rows[];
extern const int option_count;

/* The options of an empty command line. */
void options_init(struct options *);
/*
 * Fills `o`, initialised, from the command line.  False: said on standard error, end with
 * STATUS_TROUBLE.  Release in both cases.
 */
bool options_parse(struct options *o, int argc, char **argv);
void options_release(struct options *);
/* An option's value, else the environment's; `otherwise` if it is missing or empty. */
const char *options_given(const char *option, const char *variable, const char *otherwise);
/* The side of an operand: that of --base or --new before it; DIFF_SIDES: none is. */
int options_side(const struct options *, int operand);
/* Returns the name that was given for the operand's trace; NULL: none. */
const char *options_name(const struct options *, int operand);
/* The word of the command that was named, or NULL. */
const char *options_command(const struct options *);
/* The i-th word, NULL after the last; the place of a word, or -1. */
const char *option_word(const struct option_words *, int i);
int option_word_find(const struct option_words *, const char *value);
/* Puts a value into the options; false, and why in `why` unless it is none of the words. */
bool option_take(struct options *, const struct option_row *, const char *value, struct err *why);
/* Takes a value for two traces: the first is A's, the last B's; a single one is of both. */
bool option_sides_take(const char *sides[DIFF_SIDES], const char *value);
/* "text, csv, json"; nothing for an option without a list. */
void option_words_list(struct sbuf *, const struct option_row *);
