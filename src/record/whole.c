// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "record/whole.h"

#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "base/compat.h"

enum {
	HEADER = 32, /* of a classic trace, from SLOW on: ART runtime/trace.cc */
	KEY_MOST = 64 << 20, /* of the key text, which has all names */
	LOG_HEAD = 65536,
};

static const char *
find(struct str in, const char *what)
{
	return in.n == 0 ? NULL : memmem(in.p, in.n, what, strlen(what));
}

/* Key text up to "*end", the header, and as many records as the text promises. */
static enum wholeness
classic(struct str file)
{
	const char *end = find(str_head(file, KEY_MOST), "\n*end\n"), *calls;
	struct str key = {file.p, end != NULL ? (size_t)(end - file.p) : 0};
	const uint8_t *header = (const uint8_t *)file.p + key.n + 6;
	uint64_t record, data, count = 0;

	if (end == NULL || file.n - key.n - 6 < HEADER || memcmp(header, "SLOW", 4) != 0)
		return WHOLE_PARTLY;
	record = get_u16(header + 4) == 1 ? 9 : get_u16(header + 4) == 2 ? 10 : get_u16(header + 16);
	data = key.n + 6 + get_u16(header + 6);
	if (file.n < data || record == 0 || (file.n - data) % record != 0)
		return WHOLE_PARTLY;
	calls = find(key, "\nnum-method-calls=");
	if (calls != NULL) {
		digits_take(calls + 18, key.p + key.n, 18, &count);
		if (count != (file.n - data) / record)
			return WHOLE_PARTLY;
	}
	if (find(key, "\ndata-file-overflow=true") != NULL)
		return WHOLE_OVERFLOW;
	return file.n == data ? WHOLE_EMPTY : WHOLE;
}

/* All other versions end in a summary, the last line of which is "*end". */
enum wholeness
whole_method(struct str file)
{
	if (!str_starts(file, STR("SLOW")))
		return classic(file);
	return str_ends(file, STR("\n*end\n")) ? WHOLE : WHOLE_PARTLY;
}

/* True if there is a line that is not a header. */
static bool
has_record(struct str text)
{
	while (text.p != NULL) {
		struct str line = str_trim(str_cut(&text, '\n'));

		if (line.n > 0 && *line.p != '#' && !str_equal(line, STR("TRACE:")))
			return true;
	}
	return false;
}

/* Text that begins as a log does and ends with its line. */
enum wholeness
whole_log(struct str file)
{
	if (find(str_head(file, LOG_HEAD), "# tracer:") == NULL || !str_ends(file, STR("\n")))
		return WHOLE_PARTLY;
	return has_record(file) ? WHOLE : WHOLE_EMPTY;
}

/* Another sign than the content tells that it is. */
enum wholeness
whole_any(struct str file)
{
	return file.n > 0 ? WHOLE : WHOLE_PARTLY;
}
