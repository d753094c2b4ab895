/* sbuf: growth, formats longer than the room, bytes of any value. */
#include <config.h>

#include "base/sbuf.h"

#include <stdio.h>

#include "tap/tap.h"

int
main(void)
{
	struct sbuf b = {0}, want = {0};
	const char *line = "0123456789";
	char digits[16];

	is_str(sbuf_cstr(&b), "", "empty without memory");
	is_int((int64_t)sbuf_view(&b).n, 0, "its view is empty");
	sbuf_clear(&b);
	sbuf_str(&b, (struct str){NULL, 0});
	is_int((int64_t)b.n, 0, "nothing appended");
	is_str(sbuf_cstr(&b), "", "still a string");

	sbuf_text(&b, "ab");
	sbuf_char(&b, '\0');
	sbuf_bytes(&b, "c\xff", 2);
	sbuf_str(&b, STR("d"));
	is_mem(b.p, b.n,
	    "ab\0c\xff"
	    "d",
	    6, "bytes of any value");
	is_int(b.p[b.n], 0, "a NUL follows");

	sbuf_clear(&b);
	is_str(sbuf_cstr(&b), "", "empty after clear");
	for (int i = 0; i < 1000; i++) {
		sbuf_printf(&b, "%d,", i);
		snprintf(digits, sizeof(digits), "%d,", i);
		sbuf_text(&want, digits);
	}
	is_mem(b.p, b.n, want.p, want.n, "a thousand formats");

	/* Around the room that a format is tried in first. */
	for (int n = 0; n <= 300; n++) {
		struct sbuf one = {0};

		sbuf_printf(&one, "%*s", n, "");
		if (one.n != (size_t)n || strlen(one.p) != one.n) {
			ok(false, "a format of %d bytes", n);
			break;
		}
		sbuf_printf(&one, "%s", line);
		if (one.n != (size_t)n + 10 || strcmp(one.p + n, line) != 0) {
			ok(false, "a format after %d bytes", n);
			break;
		}
		sbuf_release(&one);
		if (n == 300)
			ok(true, "formats of every length up to 300");
	}

	sbuf_release(&b);
	ok(b.p == NULL && b.n == 0 && b.room == 0, "released");
	sbuf_release(&b);
	sbuf_release(&want);
	return tap_done();
}
