// SPDX-License-Identifier: Apache-2.0
/*
 * sources: where the source file of a method is on this machine.
 *
 * Looked for below the folders of the setting `sources`, with `:` between, `~/` first for
 * the home folder: in the folder of the package, of its last parts (Kotlin leaves out what
 * all have in common), or in the folder itself.  What the trace calls the file may be
 * anything: only a plain name is looked for.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "base/sbuf.h"
#include "base/str.h"

/*
 * `class_name` with dots; `file` as the trace has it, or empty: the class's own.  False,
 * and why, when there is none.
 */
bool sources_find(const char *folders, struct str class_name, struct str file,
    struct sbuf *path, struct err *);
