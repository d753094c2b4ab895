#include <config.h>

#include "cli/browse.h"

#include "cli/print.h"

int
browse(const struct options *o, const char *path)
{
	return print_report(o, path);
}
