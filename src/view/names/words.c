// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/names/words.h"

#include <ctype.h>
#include <strings.h>

/* Whole words, whatever their case; what contains others comes before them. */
struct word {
	const char *of_method, *of_other;
};

static const struct word log_words[] = {
    {"method trace", "method trace"},
    {"method traces", "method traces"},
    {"calls of the selected method", "slices of the selected name"},
    {"call of the selected method", "slice of the selected name"},
    {"calls of the table's method", "slices of the table's name"},
    {"calls of cursor method", "slices of cursor name"},
    {"calls of the method", "slices of the name"},
    {"called from where", "in what"},
    {"is called from there", "is in it"},
    {"what called it", "what it was in"},
    {"who calls whom", "what is in what"},
    {"method that called it", "slice that it is in"},
    {"it called", "in it"},
    {"thread calls it", "thread has it"},
    {"calls it made", "slices of it"},
    {"called by", "in"},
    {"calls, while", "has in it, while"},
    {"call tree", "slice tree"},
    {"methods", "names"},
    {"method", "slice"},
    {"meth", "names"},
    {"calls", "slices"},
    {"call", "slice"},
    {"callers", "parents"},
    {"caller", "parent"},
};

/* A run is a series of samples that have the call. */
static const struct word sample_words[] = {
    {"call tree", "call tree"},
    {"call path", "call path"},
    {"call paths", "call paths"},
    {"call stack", "call stack"},
    {"call stacks", "call stacks"},
    {"what it calls", "what it calls"},
    {"who calls whom", "who calls whom"},
    {"thread calls it", "thread calls it"},
    {"calls", "runs"},
    {"call", "run"},
};

static bool
is_letter(struct str text, size_t at)
{
	return at < text.n && isalpha((unsigned char)text.p[at]);
}

/* `word` in the case of what it stands for, which has two letters at least. */
static void
put(struct sbuf *out, const char *word, const char *like)
{
	bool first = isupper((unsigned char)like[0]), all = first && isupper((unsigned char)like[1]);

	for (size_t i = 0; word[i] != '\0'; i++)
		sbuf_char(out, (char)(all || (first && i == 0) ? toupper((unsigned char)word[i])
							       : word[i]));
}

static void
words_put(struct sbuf *out, struct str text, const struct word *words, size_t count)
{
	for (size_t at = 0; at < text.n;) {
		size_t length = 0, w = 0;

		for (; w < count; w++) {
			length = strlen(words[w].of_method);
			if (at + length <= text.n && !is_letter(text, at + length) &&
			    strncasecmp(text.p + at, words[w].of_method, length) == 0)
				break;
		}
		if (w < count) {
			put(out, words[w].of_other, text.p + at);
			at += length;
		}
		/* On to the next word. */
		while (is_letter(text, at))
			sbuf_char(out, text.p[at++]);
		while (at < text.n && !is_letter(text, at))
			sbuf_char(out, text.p[at++]);
	}
}

void
words_of_log(struct sbuf *out, struct str text)
{
	words_put(out, text, log_words, sizeof(log_words) / sizeof(log_words[0]));
}

void
words_of_samples(struct sbuf *out, struct str text)
{
	words_put(out, text, sample_words, sizeof(sample_words) / sizeof(sample_words[0]));
}
