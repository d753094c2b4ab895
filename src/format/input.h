/*
 * input: the bytes that a trace is made of.
 *
 * Mostly one mapped file; some traces have their text part in a second one beside it.
 * A format's open function takes both over when it succeeds (its source closes them);
 * otherwise they stay the caller's.  Strings of the trace may point into both.
 */
#ifndef SLOWTOP_FORMAT_INPUT_H
#define SLOWTOP_FORMAT_INPUT_H

#include "base/filemap.h"

struct input {
	struct filemap data; /* the file itself */
	struct filemap key;  /* text beside it; empty when there is none */
	bool cut;            /* what the bytes were made of ended too early */
};

static inline void
input_close(struct input *in)
{
	filemap_close(&in->data);
	filemap_close(&in->key);
}

#endif
