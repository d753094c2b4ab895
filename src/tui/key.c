#include <config.h>

#include "tui/key.h"

#include <stdio.h>
#include <string.h>

bool
key_without_meta(const struct key *key, struct key *plain)
{
	size_t n = strlen(key->name);

	if (n < 5 || strncmp(key->name, "<M-", 3) != 0)
		return false;
	*plain = (struct key){.pasted = key->pasted};
	/* "<M-x>" is x; "<M-Enter>" is "<Enter>"; "<M-C-a>" is "<C-a>". */
	if (n == 5 || (unsigned char)key->name[3] >= 0x80) {
		snprintf(
		    plain->name, sizeof(plain->name), "%.*s", (int)n - 4, key->name + 3);
		if (n - 4 < sizeof(plain->text))
			memcpy(plain->text, plain->name, n - 4);
	} else {
		snprintf(plain->name, sizeof(plain->name), "<%s", key->name + 3);
	}
	return true;
}
