#include <config.h>

#include "cli/output.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "cli/say.h"

int
output_end(FILE *out, int error)
{
	bool failed = ferror(out) != 0;

	errno = 0;
	if (fclose(out) != 0 && error == 0)
		error = errno;
	if (error == 0 && failed)
		error = EIO; /* stdio does not keep the reason */
	if (error == 0)
		return STATUS_OK;
	if (error == EPIPE)
		return STATUS_TROUBLE;
	return say_trouble(NULL, "cannot write: %s", strerror(error));
}
