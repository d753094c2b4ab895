// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/sink.h"

#include <errno.h>
#include <unistd.h>

#include "base/utf8.h"
#include "base/worker.h"

enum { SINK_BYTES = 1 << 16 };

struct sink
sink_to(FILE *file, const atomic_bool *cancel)
{
	return (struct sink){.file = file, .cancel = cancel, .terminal = isatty(fileno(file))};
}

/* Only whole rows are here, so no character is cut. */
static void
sink_clean(struct sink *s)
{
	unsigned flags = utf8_locale() ? 0 : CLEAN_ASCII;
	struct str rest = sbuf_view(&s->text);
	struct sbuf clean = {0};

	while (rest.n > 0) {
		size_t n = 0;

		while (n < rest.n && rest.p[n] != '\n' && rest.p[n] != '\t' &&
		    !(rest.p[n] == '\r' && n + 1 < rest.n && rest.p[n + 1] == '\n'))
			n++;
		clean_append(&clean, (struct str){rest.p, n}, flags);
		if (n < rest.n)
			sbuf_char(&clean, rest.p[n++]);
		rest = (struct str){rest.p + n, rest.n - n};
	}
	sbuf_release(&s->text);
	s->text = clean;
}

static void
sink_empty(struct sink *s)
{
	if (s->error == 0 && s->text.n > 0) {
		if (s->terminal)
			sink_clean(s);
		errno = 0;
		if (fwrite(s->text.p, 1, s->text.n, s->file) != s->text.n ||
		    fflush(s->file) != 0)
			s->error = errno != 0 ? errno : EIO;
	}
	sbuf_clear(&s->text);
}

bool
sink_wanted(struct sink *s)
{
	if (s->error == 0 && is_cancelled(s->cancel))
		s->error = ECANCELED;
	return s->error == 0;
}

bool
sink_row(struct sink *s)
{
	if (sink_wanted(s) && s->file != NULL && s->text.n >= SINK_BYTES)
		sink_empty(s);
	return s->error == 0;
}

int
sink_end(struct sink *s)
{
	if (sink_wanted(s))
		sink_empty(s);
	sbuf_release(&s->text);
	return s->error;
}
