// SPDX-License-Identifier: Apache-2.0
/*
 * generate: traces of the project's own generator, in memory.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * What tracegen (tests/gen) writes when given these options; free() it.  NULL when it
 * fails or writes over `most` bytes.
 */
uint8_t *generate(const char *options, size_t most, size_t *size);
/* The same of loggen: a text log, or a Perfetto trace. */
uint8_t *generate_log(const char *options, size_t most, size_t *size);
/* The same from a description. */
uint8_t *generate_described(const char *options, const char *description, size_t most,
    size_t *size);
