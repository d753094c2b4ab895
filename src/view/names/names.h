// SPDX-License-Identifier: Apache-2.0
/*
 * names: methods and threads as a reader sees them.
 *
 * The full name of a method is `package.Class.method(sig)return`: raw for matching and
 * ordering, cleaned for a terminal (base/utf8.h); people are shown less of it.  A method that the file does not
 * name is `0x… (proxy?)`, such a thread `thread n`.
 *
 * Made when first asked for, then kept; strings live until names_free unless said
 * otherwise; a row that the file names late gets new ones.  Borrows the trace.  Indexes
 * must be below a count that the asker was told (fold.h).  For one thread only.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/pattern.h"
#include "base/sbuf.h"
#include "base/str.h"
#include "trace/trace.h"

struct groups;

enum elision {
	ELISION_AUTO, /* as short as the room makes it */
	ELISION_NONE, /* packages stay whole */
	ELISION_SHORT /* packages always one letter each, no signature */
};

struct names;
struct looks;

/* `utf8`: whether other characters than ASCII may be used. */
struct names *names_new(const struct trace *, bool utf8);
void names_free(struct names *);

struct str names_full(struct names *, uint32_t method);
/*
 * The name as people read it, package.Class.method, with the types of the parameters where the
 * class has several methods of that name (overloads.h); clean.
 */
struct str names_shown(struct names *, uint32_t method);
/* The full name in the file's own bytes, but with dots. */
struct str names_raw(struct names *, uint32_t method);
/* Matches that name, then those of the methods that it stands for (trace/folded.h). */
enum pattern_result names_match(struct names *, uint32_t method, const struct pattern *);
/* Parts of the full name; empty where there is none. */
struct str names_class(struct names *, uint32_t method);
struct str names_method(struct names *, uint32_t method);
struct str names_signature(struct names *, uint32_t method);
/* Source file, cleaned; empty when not stated. */
struct str names_file(struct names *, uint32_t method);
struct str names_thread(struct names *, uint32_t thread);
/* The key of the method's package or group: equal where methods belong together. */
struct str names_package(struct names *, uint32_t method);
/* Any text of the trace, cleaned.  Valid until the next call. */
struct str names_clean(struct names *, struct str);

/*
 * A static text of the program, maybe a format, in the words of what the trace is of: methods,
 * or slices of a log (words.h).  Both may be NULL.
 */
const char *names_words(struct names *, const char *text) __attribute__((format_arg(2)));

/* How methods look (looks.h); its own. */
struct looks *names_looks(struct names *);

/* A name made to fit. */
struct name_fit {
	struct str text;
	int width; /* columns */
	/* Where each byte of the text is in the full name, NAME_ADDED if nowhere (types of overloads). */
	const uint32_t *source;
};
#define NAME_ADDED UINT32_MAX

/* Groups, whose names may replace their packages; borrowed, NULL: none. */
void names_set_groups(struct names *, const struct groups *);

/*
 * Fits a method's name as names_shown has it into `columns`: first with its group for its
 * package and packages shortened to a letter from the left, then without them, then without
 * the middle of the parameters, at last without these and the beginning of the class.  The
 * end of the method's own name always stays, of a name without a class the beginning, too;
 * what was cut is marked `…` (`~`).  Of a C++ function Class::method stays.
 * The result is valid until the next call.
 */
struct name_fit names_fit(struct names *, uint32_t method, int columns, enum elision);
/* Fits the full name of a method of another trace, in its file's bytes, as above; with types. */
struct name_fit names_fit_text(struct names *, struct str full, int columns, enum elision);
/* `columns` of the full name from column `skip` on, cuts marked. */
struct name_fit names_part(struct names *, uint32_t method, int skip, int columns);
/* A clean text; where it does not fit, both its ends, by which names differ.  Valid as above. */
struct str names_short(struct names *, struct str text, int columns);
/* The longest head of a clean text that fits, marked when cut.  Valid as above. */
struct str names_head(struct names *, struct str text, int columns);

/* Methods for programs, in the file's own bytes. */

enum { NAME_ID_SIZE = 20 };

/* "0x1f40", and a word such as "toplevel" for a row that has no id. */
struct str name_id(char out[static NAME_ID_SIZE], const struct trace *, uint32_t method);
/* Returns name_id in a buffer that lives until the end of the block. */
#define NAME_ID(trace, method) name_id((char[NAME_ID_SIZE]){""}, trace, method)
/* class.name and signature; the id of a method that the file does not name. */
void name_raw(struct sbuf *out, const struct trace *, uint32_t method);
/* Return name_id and name_raw, kept as the other names are. */
struct str names_id(struct names *, uint32_t method);
struct str names_own(struct names *, uint32_t method);
