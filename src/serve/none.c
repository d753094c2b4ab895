// SPDX-License-Identifier: Apache-2.0
/* none: in place of the server, where slowtop was built without libmicrohttpd. */
#include <config.h>

#include "serve/serve.h"

const char *
serve_library(void)
{
	return NULL;
}

bool
serve_run(const struct serve_options *o, struct err *e)
{
	return err_set(e, ERR_UNSUPPORTED, "this slowtop was built without libmicrohttpd; install "
	    "libmicrohttpd-dev (Fedora: libmicrohttpd-devel) and build it again");
}
