// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/pattern.h"

#include <pcre2.h>

#include "base/mem.h"
#include "base/worker.h"

/*
 * PCRE2's own limit of ten million backtracks lets a bad pattern burn a quarter of
 * a second on one name of 42 bytes; this one stops it after a millisecond and is
 * far beyond what searches for names need.
 */
enum { MATCH_LIMIT = 100000, DEPTH_LIMIT = 20000, HEAP_LIMIT_KIB = 8 * 1024 };

struct pattern {
	pcre2_general_context *memory;
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *limits;
	struct hurry *hurry; /* changes while matching */
};

/* When to stop. */
struct hurry {
	int64_t until_ms; /* 0: never */
	unsigned tries;
	bool late;
};

enum { TRIES = 16 }; /* between two looks at the clock */

/*
 * Finds an upper-case letter that matches itself.  The alternatives before it skip what
 * may hold other capitals, see pcre2pattern(3).
 */
static const char own_capital[] =
    "(?xs) (?:"
    /* quoted text, up to its first capital */
    " \\\\Q (?: (?!\\\\E) \\P{Lu} )*+ (?: \\\\E )?"
    /* \p{Lu} \x{AB} \N{U+AB} \g{name} \k<name> \k'name', \xAB, \pL \cA, \W */
    "| \\\\ [gkNopPx] \\{ [^}]*+"
    "| \\\\ [gk] (?: < [^>]*+ | ' [^']*+ )"
    "| \\\\ x [[:xdigit:]]{1,2}"
    "| \\\\ [cpP] ."
    "| \\\\ ."
    /* (*VERB) (?<name> (?P<name> (?'name' (?P=name) (?&name) (?#comment) (?(name) (?J) */
    "| \\( \\* \\p{Lu} [^)]*+"
    "| \\( \\? P? < (?![=!]) [^>]*+"
    "| \\( \\? ' [^']*+"
    "| \\( \\? (?: P [=>] | [&#] ) [^)]*+"
    "| \\( \\? \\( (?!\\?) [^)]*+"
    "| \\( \\? [-^A-Za-z0-9]++"
    ") (*SKIP)(*FAIL)"
    "| \\p{Lu}";

static void *
pattern_alloc(size_t size, void *unused)
{
	return mem_alloc(size);
}

static void
pattern_release(void *p, void *unused)
{
	mem_free(p);
}

/* None of these returns NULL, as the allocator does not. */
static struct pattern *
pattern_new(void)
{
	struct pattern *p = mem_zero(1, sizeof(*p));

	p->hurry = mem_zero(1, sizeof(*p->hurry));
	p->memory = pcre2_general_context_create(pattern_alloc, pattern_release, NULL);
	p->limits = pcre2_match_context_create(p->memory);
	pcre2_set_match_limit(p->limits, MATCH_LIMIT);
	pcre2_set_depth_limit(p->limits, DEPTH_LIMIT);
	pcre2_set_heap_limit(p->limits, HEAP_LIMIT_KIB);
	return p;
}

void
pattern_free(struct pattern *p)
{
	if (p == NULL)
		return;
	pcre2_match_data_free(p->data);
	pcre2_code_free(p->code);
	pcre2_match_context_free(p->limits);
	pcre2_general_context_free(p->memory);
	mem_free(p->hurry);
	mem_free(p);
}

static bool
pattern_build(struct pattern *p, struct str text, uint32_t options, struct err *e)
{
	pcre2_compile_context *context = pcre2_compile_context_create(p->memory);
	PCRE2_UCHAR message[160];
	PCRE2_SIZE offset;
	int code;

	p->code = pcre2_compile((PCRE2_SPTR)(text.n > 0 ? text.p : ""), text.n,
	    options | PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &code, &offset, context);
	pcre2_compile_context_free(context);
	if (p->code == NULL) {
		pcre2_get_error_message(code, message, sizeof(message));
		return err_at(e, ERR_MALFORMED, offset, "%s", (const char *)message);
	}
	p->data = pcre2_match_data_create_from_pattern(p->code, p->memory);
	return true;
}

static bool
has_capital(struct str text, bool literal)
{
	struct pattern *p = pattern_new();
	bool found =
	    pattern_build(p, literal ? STR("\\p{Lu}") : str_from(own_capital), 0, NULL) &&
	    pattern_match(p, text, NULL, NULL) != PATTERN_NO;

	pattern_free(p);
	return found;
}

void
pattern_quote(struct sbuf *out, struct str text)
{
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] != '\0' && strchr("\\^$.[|()?*+{", text.p[i]) != NULL)
			sbuf_char(out, '\\');
		sbuf_char(out, text.p[i]);
	}
}

bool
pattern_compile(struct str text, unsigned flags, struct pattern **out, struct err *e)
{
	bool literal = (flags & PATTERN_LITERAL) != 0;
	/* PCRE2_LITERAL has no escapes and refuses options about them. */
	uint32_t options = literal ? PCRE2_LITERAL : PCRE2_NEVER_BACKSLASH_C;

	*out = NULL;
	if (text.n > PATTERN_MAX)
		return err_at(e, ERR_LIMIT, PATTERN_MAX,
		    "pattern is longer than %d bytes", PATTERN_MAX);
	if (!has_capital(text, literal))
		options |= PCRE2_CASELESS;
	*out = pattern_new();
	if (!pattern_build(*out, text, options, e)) {
		pattern_free(*out);
		*out = NULL;
		return false;
	}
	/* Best effort: without it, as on systems that forbid it, matching is interpreted.
	 */
	(void)pcre2_jit_compile((*out)->code, PCRE2_JIT_COMPLETE);
	return true;
}

void
pattern_hurry(struct pattern *p, int ms)
{
	*p->hurry = (struct hurry){.until_ms = ms > 0 ? clock_ms() + ms : 0};
}

bool
pattern_was_late(const struct pattern *p)
{
	return p->hurry->late;
}

static bool
is_late(struct hurry *h)
{
	if (h->until_ms != 0 && !h->late && ++h->tries % TRIES == 0)
		h->late = clock_ms() > h->until_ms;
	return h->late;
}

enum pattern_result
pattern_match(const struct pattern *p, struct str subject, size_t *from, size_t *to)
{
	PCRE2_SPTR bytes = (PCRE2_SPTR)(subject.n > 0 ? subject.p : "");
	const PCRE2_SIZE *place;
	int found;

	if (is_late(p->hurry))
		return PATTERN_TOO_COSTLY;
	found = pcre2_match(p->code, bytes, subject.n, 0, 0, p->data, p->limits);
	/* The interpreter's stack is larger: it lives on the heap. */
	if (found == PCRE2_ERROR_JIT_STACKLIMIT)
		found = pcre2_match(
		    p->code, bytes, subject.n, 0, PCRE2_NO_JIT, p->data, p->limits);
	if (found == PCRE2_ERROR_NOMATCH)
		return PATTERN_NO;
	if (found < 0)
		return PATTERN_TOO_COSTLY;
	/* \K inside an assertion can set the start after the end. */
	place = pcre2_get_ovector_pointer(p->data);
	if (from != NULL)
		*from = place[0] < place[1] ? place[0] : place[1];
	if (to != NULL)
		*to = place[1];
	return PATTERN_MATCH;
}
