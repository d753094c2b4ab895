// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

bool
library_load(const char *file, const char *const *names, size_t count, void *functions, struct err *e)
{
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

	if (library == NULL)
		return err_set(e, ERR_UNSUPPORTED, "needs the library %s, which is not installed", file);
	for (size_t i = 0; i < count; i++) {
		void *function = dlsym(library, names[i]);

		if (function == NULL)
			return err_set(e, ERR_UNSUPPORTED, "needs a newer %s: it has no %s", file, names[i]);
		/* POSIX has functions where data are, C has not. */
		memcpy((char *)functions + i * sizeof(function), &function, sizeof(function));
	}
	return true;
}
