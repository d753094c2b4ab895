// SPDX-License-Identifier: Apache-2.0
/*
 * fixture: small traces for the tests of view, opened and counted.
 *
 * Described in memory, written as a classic trace (data version 3, both clocks) and
 * read by the real reader, so that folds are real ones.
 */
#pragma once

#include "profile/sum/fold.h"
#include "view/canvas.h"
#include "view/methods.h"
#include "view/names/names.h"

struct fixture_method {
	const char *class_name, *name, *signature;
};

struct fixture_event {
	int thread;
	char action; /* '>' enter, '<' exit */
	int method;  /* index in the list, from 0 */
	unsigned cpu_us, wall_us;
};

struct fixture {
	unsigned char *bytes;
	size_t size, room;
	struct trace *trace;
	struct profile *profile;
	struct names *names;
};

/* Thread names are "ID\tNAME\n..." lines, `clock` the property's value. */
void fixture_open(struct fixture *, const char *clock, const char *threads,
    const struct fixture_method *, int method_count, const struct fixture_event *,
    int event_count, bool utf8);
void fixture_close(struct fixture *);

/* The whole; the caller's. */
struct fold *fixture_fold(const struct fixture *);
/* Methods of the whole, in so many rows. */
void fixture_methods(struct methods *, struct display *, const struct fixture *, int height);
/* Index in the trace of a method of the list. */
uint32_t fixture_method(int index);

/*
 * The worked example of the accounting: Main.run, Math.fact, Parity.even, Parity.odd,
 * Io.load, Io.fail, Work.loop on two threads; wall time is twice the CPU time.
 */
enum { M_RUN, M_FACT, M_EVEN, M_ODD, M_LOAD, M_FAIL, M_LOOP };
void fixture_worked(struct fixture *, bool utf8);
/* `count` methods m0, m1, ... of class com.example.feed.Class, m0 the longest. */
void fixture_many(struct fixture *, int count, bool utf8);

/*
 * Compares a screen with tests/golden/view/NAME.txt and says which lines differ.  With
 * SLOWTOP_ACCEPT set it writes the file anew: look at the difference before you commit.
 */
void screen_is(const struct canvas *, const char *name);
