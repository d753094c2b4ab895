// SPDX-License-Identifier: Apache-2.0
/*
 * export: a list as a sheet (sheet.h): its rows in their order, and its columns.
 *
 * Columns that are hidden are left out; the one with LIST_REST is last.  Borrows the list.
 */
#pragma once

#include "view/list/list.h"

void list_sheet(struct sheet *, const struct list *);
