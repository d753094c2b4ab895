// SPDX-License-Identifier: Apache-2.0
/*
 * man-settings: the settings for slowtop-config(5), in mdoc(7), from the tables that the
 * program goes by.  "make update-docs" puts them into the page, t-docs compares.
 */
#include <config.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "mdoc.h"
#include "tui/settings/settings.h"

static void
put_words(const char *const *words)
{
	for (int i = 0; words[i] != NULL; i++) {
		fputs(".Cm ", stdout);
		mdoc_put(words[i]);
		puts(words[i + 1] != NULL ? " ," : " ;");
	}
}

static void
put_setting(const struct setting *s)
{
	printf(".It Cm %s\n", s->name);
	printf("\\&%c", toupper((unsigned char)s->help[0]));
	mdoc_put(s->help + 1);
	puts(".");
	if (s->words != NULL) {
		put_words(s->words);
	} else {
		printf("\\&%c", toupper((unsigned char)s->values[0]));
		mdoc_put(s->values + 1);
		puts(";");
	}
	if (s->otherwise[0] == '\0') {
		puts("none unless given.");
	} else {
		fputs(".Cm ", stdout);
		mdoc_put(s->otherwise);
		puts("\nunless given.");
	}
	if (s->at_start)
		puts("Seen at the next start.");
}

static void
put_section(const struct setting_section *s)
{
	printf(".Ss [%s]\n\\&%c", s->name, toupper((unsigned char)s->help[0]));
	mdoc_put(s->help + 1);
	fputs(":\n.Dl ", stdout);
	mdoc_put(s->entry);
	putchar('\n');
	if (s->name_at == NULL)
		return;
	puts("The names are");
	for (int i = 0; s->name_at(s, i) != NULL; i++) {
		fputs(".Cm ", stdout);
		mdoc_put(s->name_at(s, i));
		puts(s->name_at(s, i + 1) != NULL ? " ," : " .");
	}
}

int
main(void)
{
	puts(".Bl -tag -width Ds");
	for (size_t i = 0; i < setting_count; i++)
		put_setting(&setting_table[i]);
	puts(".El");
	for (size_t i = 0; i < setting_section_count; i++)
		put_section(&setting_sections[i]);
	return 0;
}
