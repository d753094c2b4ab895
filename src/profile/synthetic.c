#include <config.h>

#include "profile/synthetic.h"

#include <string.h>

enum {
	R8_HASH = 27,  /* characters: 160 bits in base64url */
	HEX_HASH = 32, /* at least */
};

static bool
is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool
is_base64(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
	       c == '_';
}

static bool
all(struct str s, bool (*is)(char))
{
	size_t i = 0;

	while (i < s.n && is(s.p[i]))
		i++;
	return i == s.n;
}

/* What parts of a name are divided by. */
static bool
ends_part(char c)
{
	return memchr("$./;()[<>,", c, 10) != NULL;
}

static bool
ends_with(struct str s, struct str end)
{
	return s.n >= end.n && memcmp(s.p + s.n - end.n, end.p, end.n) == 0;
}

static bool
contains(struct str s, struct str word)
{
	return memmem(s.p, s.n, word.p, word.n) != NULL;
}

/* Words in front of a number. */
static bool
is_numbered(struct str word)
{
	static const char *const words[] = {"ExternalSynthetic", "InternalSynthetic"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (str_starts(word, str_from(words[i])))
			return true;
	return str_equal(word, STR("Proxy")) || str_equal(word, STR("lambda-"));
}

/* `before`: the whole class or name up to the part. */
static bool
is_hash(struct str before, struct str part)
{
	if (part.n == R8_HASH && all(part, is_base64))
		return ends_with(before, STR("$r8$lambda$")) ||
		       contains(before, STR("-$$Lambda$"));
	if (part.n > 2 && memcmp(part.p, "0x", 2) == 0)
		return contains(before, STR("$$Lambda")) &&
		       all((struct str){part.p + 2, part.n - 2}, is_hex);
	return part.n >= HEX_HASH && all(part, is_hex) && contains(before, STR("Synthetic"));
}

static unsigned
part_put(struct sbuf *out, struct str before, struct str part)
{
	struct str word = part;

	if (part.n > 0 && is_hash(before, part)) {
		sbuf_char(out, '#');
		return SYNTHETIC_HASHED;
	}
	while (word.n > 0 && is_digit(word.p[word.n - 1]))
		word.n--;
	if (word.n == part.n || !ends_with(before, STR("$")) ||
	    (word.n > 0 && !is_numbered(word))) {
		sbuf_str(out, part);
		return SYNTHETIC_NOT;
	}
	sbuf_str(out, word);
	sbuf_char(out, '#');
	return SYNTHETIC_COUNTED;
}

unsigned
synthetic_put(struct sbuf *out, struct str name)
{
	unsigned found = SYNTHETIC_NOT;
	size_t type = 0; /* where the class began, in a signature that has several */

	for (size_t i = 0; i < name.n;) {
		size_t end = i;

		while (end < name.n && !ends_part(name.p[end]))
			end++;
		found |= part_put(out, (struct str){name.p + type, i - type},
		    (struct str){name.p + i, end - i});
		if (end < name.n) {
			if (name.p[end] == ';')
				type = end + 1;
			sbuf_char(out, name.p[end++]);
		}
		i = end;
	}
	return found;
}

/* Cuts digits off the front, without leading zeros. */
static struct str
cut_digits(struct str *s)
{
	struct str number;
	size_t n = 0, zeros = 0;

	while (n < s->n && is_digit(s->p[n]))
		n++;
	while (zeros + 1 < n && s->p[zeros] == '0')
		zeros++;
	number = (struct str){s->p + zeros, n - zeros};
	*s = (struct str){s->p + n, s->n - n};
	return number;
}

int
synthetic_order(struct str a, struct str b)
{
	struct str x = a, y = b;

	while (x.n > 0 && y.n > 0) {
		if (is_digit(x.p[0]) && is_digit(y.p[0])) {
			struct str m = cut_digits(&x), n = cut_digits(&y);

			if (m.n != n.n)
				return m.n < n.n ? -1 : 1;
			if (!str_equal(m, n))
				return str_compare(m, n);
			continue;
		}
		if (x.p[0] != y.p[0])
			break;
		x = (struct str){x.p + 1, x.n - 1};
		y = (struct str){y.p + 1, y.n - 1};
	}
	return x.n == 0 && y.n == 0 ? str_compare(a, b) : str_compare(x, y);
}
