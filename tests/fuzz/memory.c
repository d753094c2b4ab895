// SPDX-License-Identifier: Apache-2.0
/* What libFuzzer's own main lacks: where allocation ends when memory is out. */
#include <config.h>

#include "base/mem.h"

#include "fuzz/fuzz.h"

_Noreturn void
mem_exhausted(size_t size)
{
	fprintf(stderr, "out of memory (%zu bytes wanted)\n", size);
	abort();
}
