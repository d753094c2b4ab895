#include <config.h>

#include "base/base64.h"

void
base64_append(struct sbuf *out, struct str bytes)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < bytes.n; i += 3) {
		size_t n = bytes.n - i < 3 ? bytes.n - i : 3;
		unsigned long three = 0;

		for (size_t k = 0; k < 3; k++)
			three = three << 8 | (k < n ? (unsigned char)bytes.p[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			sbuf_char(out,
			    k <= n ? digits[three >> (18 - 6 * k) & 0x3f] : '=');
	}
}
