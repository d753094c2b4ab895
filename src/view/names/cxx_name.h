// SPDX-License-Identifier: Apache-2.0
/*
 * cxx_name: where the parts of a C++ function are in its name, as slices and samplers have it,
 * `virtual void art::Heap::Trim(bool)`.
 *
 * Linear in the name.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct cxx_name {
	size_t class_at; /* where Class::method begins */
	size_t end;      /* and ends: parameters, a blank before them, or nothing more */
};

/*
 * False where no class is named.  What has no parameters must be nothing but the function: a
 * text that mentions one at its end is a text.
 */
bool cxx_name_parse(struct str name, struct cxx_name *);
