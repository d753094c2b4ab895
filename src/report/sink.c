#include <config.h>

#include <errno.h>

#include "report/sink.h"

enum { SINK_BYTES = 1 << 16 };

static void
sink_empty(struct sink *s)
{
	if (s->error == 0 && s->text.n > 0) {
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
	if (s->error == 0 && s->cancel != NULL &&
	    atomic_load_explicit(s->cancel, memory_order_relaxed))
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
