// SPDX-License-Identifier: Apache-2.0
/*
 * describe: small exact traces from a line-based text.
 *
 * Statements set what the key and the header say, lines with a number in front are
 * events, and some statements damage the finished file.  The grammar is
 * describe_help, which `tracegen --help` prints.  Example:
 *
 *   version 2
 *   clock thread-cpu
 *   thread 1 main
 *   method 0x10 app/Main run ()V Main.java 10
 *   0    1 > app/Main.run
 *   300  1 <
 */
#pragma once

#include <stdio.h>

#include "abstract.h"
#include "words.h"

enum { DESCRIBE_ERROR = COMPLAINT_SIZE };

/* Reads a description.  The caller frees the trace and the stream.  On a mistake
 * returns NULL and leaves "line N: ..." in `error`. */
struct gen_stream *describe_read(
    FILE *, struct gen_trace *, char error[static DESCRIBE_ERROR]);

/* The grammar. */
extern const char describe_help[];
