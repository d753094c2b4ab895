/*
 * options: the command line, from one table.
 *
 * --help, the test of the man page and of the completions, and the lists of allowed
 * values in error messages all come from it.
 */
#ifndef SLOWTOP_CLI_OPTIONS_H
#define SLOWTOP_CLI_OPTIONS_H

#include <stdbool.h>

#include "base/sbuf.h"
#include "cli/subcommand.h"
#include "report/diffreport.h"
#include "report/dump.h"
#include "report/flame.h"
#include "report/report.h"
#include "trace/log.h"

/* What the command line says of a setting (tui/settings.h). */
struct override {
	const char *name, *value;
};

enum { OVERRIDES_MAX = 8 };

struct options {
	enum subcommand_id command;
	bool command_named; /* by its word */
	bool command_meant; /* the first operand stands where the word may */
	bool help, version, strict, list;
	unsigned jobs; /* 0: as many as pay */
	const char *output; /* file to write to, borrowed; NULL: standard output */
	bool force;         /* also over one that is there */
	struct report_options report;
	uint64_t unpack_most;     /* bytes that compressed data may become; 0: as traces do */
	/* Files that methods are renamed by, borrowed; of A and B, the latter for one trace. */
	const char *mapping[DIFF_SIDES];
	struct log_choice choice; /* which slices of a text log to read */
	struct flame_options flame;
	struct diffreport_options diff;
	bool print; /* of diff: what was asked for is a report, also on a terminal */
	const struct convert_format *convert; /* or of dump; NULL: not asked for */
	const char *start_view; /* of the browser (tui/start.h); NULL: its first */
	const char *config; /* file of settings, borrowed; NULL: the usual one */
	bool no_config;
	struct override overrides[OVERRIDES_MAX];
	int override_count;
	char **operands; /* point into argv; the command's word is not among them */
	int operand_count;
};

struct option_row {
	/* Those of one name, for different commands, all take a value or all take none. */
	const char *name;
	char letter;       /* 0: none */
	const char *value; /* what --help calls it; NULL: the option takes none */
	unsigned commands; /* mask of COMMAND_BIT */
	const char *group; /* heading, at the first of a group */
	const char *help;  /* lines, parted by \n */
	/* The allowed words, one after the other, then NULL; NULL: not a list of words.
	 */
	const char *(*word)(int i);
	/* False, and why in `why`, when the value cannot be.  NULL: the flag is set. */
	bool (*apply)(struct options *, const char *value, struct err *why);
	size_t flag; /* where in the options that bool is */
	bool prints; /* asks for a report where the command would browse, too */
};

extern const struct option_row option_rows[];
extern const int option_count;

/* As without any option. */
void options_init(struct options *);
/*
 * Fills `o`, initialised, from the command line.  False: said on standard error, end with
 * STATUS_TROUBLE.  Release in both cases.
 */
bool options_parse(struct options *o, int argc, char **argv);
void options_release(struct options *);
/* The word of the command that was named, or NULL. */
const char *options_command(const struct options *);
/*
 * A number with up to three decimals, at most `most`, in thousandths; false and `why` when
 * it is none.
 */
bool option_thousandths(
    const char *text, unsigned most, unsigned *out, struct err *why);
/* "text, csv, json"; nothing for an option without a list. */
void option_words(struct sbuf *, const struct option_row *);

#endif
