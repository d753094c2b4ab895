// SPDX-License-Identifier: Apache-2.0
/*
 * library: a shared library whose functions are found when they are first needed.
 *
 * A program that is linked with libarchive and libmicrohttpd loads 21 libraries more, which takes
 * twice as long as the rest of its start; most runs need neither.  Where configure found no name of a
 * shared library, as for static programs, such functions are linked.
 *
 * The functions that are used of a library are the rows of a macro LIST(ROW), ROW(name) each.  They
 * are the members of a struct {LIST(LIBRARY_MEMBER)}, which library_load fills by the names
 * {LIST(LIBRARY_NAME)}, or, where they are linked, {LIST(LIBRARY_ADDRESS)} does.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define LIBRARY_MEMBER(function) __typeof__(function) *function;
#define LIBRARY_NAME(function) #function,
#define LIBRARY_ADDRESS(function) function,

/*
 * Puts the functions of these names into a struct of as many pointers.  False, and which library
 * or function is missing, when one is; it stays loaded.
 */
bool library_load(const char *file, const char *const *names, size_t count, void *functions,
    struct err *);
