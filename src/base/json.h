// SPDX-License-Identifier: Apache-2.0
/*
 * json: writes JSON (RFC 8259) piece by piece; commas, lines and escapes are its own.
 *
 * It is appended to the caller's buffer, which may be emptied between two calls.  The
 * result is always valid UTF-8: strings may come from any bytes, and each maximal
 * malformed part becomes one U+FFFD.  Nothing is decoded beyond that (Java's modified
 * UTF-8 is malformed where it differs).  What would be invisible or could confuse a
 * terminal (controls, bidirectional marks, joiners) is escaped, so that the output is
 * safe to look at and loses nothing.
 *
 *	json_init(&j, &out, 2);
 *	json_object(&j);
 *	json_key(&j, "names");
 *	json_array(&j);
 *	json_str(&j, name);
 *	json_end(&j);
 *	json_end(&j);
 *	json_finish(&j);
 *
 * A key without value, a value without key or ends that do not match are our own
 * bugs, and asserted.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/sbuf.h"
#include "base/str.h"

enum { JSON_DEPTH_MAX = 32 };

struct json {
	struct sbuf *out; /* borrowed */
	unsigned lines;
	unsigned depth;
	uint32_t objects;  /* bit: the container at this depth is an object */
	uint32_t nonempty; /* bit: it has an item */
	bool after_key;
	const char *unit; /* borrowed; see json_unit_key; NULL: microseconds */
};

/* Items in containers at depths below `lines` get a line of their own. */
void json_init(struct json *, struct sbuf *out, unsigned lines);
/* Ends the line. */
void json_finish(struct json *);

void json_object(struct json *);
void json_array(struct json *);
void json_end(struct json *); /* of the innermost object or array */

void json_key(struct json *, const char *key);
/*
 * The key of a time in the figures of another unit, which is in place of "us" at its end and of
 * the clock of weights: "incl_cpu_us" is "incl_samples".  Returns `key` or `out`.
 */
enum { JSON_KEY = 64 };
const char *json_unit_key(const char *unit, const char *key, char out[static JSON_KEY]);
void json_key_str(struct json *, struct str key); /* one that comes from a file */
void json_null(struct json *);
void json_bool(struct json *, bool);
void json_str(struct json *, struct str);
void json_int(struct json *, int64_t);
void json_uint(struct json *, uint64_t);
/* A string with its quotes, for callers that compose many of them. */
void json_quoted(struct sbuf *, struct str);
/* A number with three decimals at most, without where it is large; null beyond 64 bits. */
void json_decimal(struct json *, double);
/* With all its digits; null when it is not finite. */
void json_real(struct json *, double);
/* Nanoseconds as microseconds, exact: 12 or 12.345. */
void json_us(struct json *, int64_t ns);

/* A member of the open object: its key and its value. */
#define JSON_MEMBER(name, type, put)                           \
	static inline void                                     \
	name(struct json *j, const char *key, type value)      \
	{                                                      \
		json_key(j, key);                              \
		put(j, value);                                 \
	}
JSON_MEMBER(member_str, struct str, json_str)
JSON_MEMBER(member_uint, uint64_t, json_uint)
JSON_MEMBER(member_int, int64_t, json_int)
JSON_MEMBER(member_bool, bool, json_bool)
JSON_MEMBER(member_us, int64_t, json_us)
JSON_MEMBER(member_decimal, double, json_decimal)
JSON_MEMBER(member_real, double, json_real)

/* Members that are containers, now open: json_end. */
static inline void
member_object(struct json *j, const char *key)
{
	json_key(j, key);
	json_object(j);
}

static inline void
member_array(struct json *j, const char *key)
{
	json_key(j, key);
	json_array(j);
}

static inline void
member_null(struct json *j, const char *key)
{
	json_key(j, key);
	json_null(j);
}
