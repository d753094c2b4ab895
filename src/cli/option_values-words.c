/* The words that options allow. */
#include <config.h>

#include <string.h>

#include "cli/option_values.h"
#include "tui/tui.h"

const char *
option_word_format(int i)
{
	return i < report_format_count ? report_formats[i].name : NULL;
}

const char *
option_word_view(int i)
{
	return i < report_view_count ? report_views[i].name : NULL;
}

const char *
option_word_convert(int i)
{
	return i < convert_format_count ? convert_formats[i].name : NULL;
}

const char *
option_word_dump(int i)
{
	return i < dump_format_count ? dump_formats[i].name : NULL;
}

const char *
option_word_clock(int i)
{
	static const char *const words[] = {[CLOCK_CPU] = "cpu", [CLOCK_WALL] = "wall"};

	return i < CLOCKS ? words[i] : NULL;
}

const char *
option_word_colour(int i)
{
	static const char *const words[] = {
	    [TUI_COLOUR_AUTO] = "auto",
	    [TUI_COLOUR_NEVER] = "never",
	    [TUI_COLOUR_ALWAYS] = "always",
	};

	return i < (int)(sizeof words / sizeof words[0]) ? words[i] : NULL;
}

const char *
option_word_column(int i)
{
	return i < COLUMNS ? column_table[i].id : NULL;
}

const char *
option_word_level(int i)
{
	static const char *const words[] = {"debug", "info", "critical", "commercial"};

	return i < (int)(sizeof words / sizeof words[0]) ? words[i] : NULL;
}

const char *
option_word_flame(int i)
{
	return i < flame_format_count ? flame_formats[i].name : NULL;
}

const char *
option_word_diff_format(int i)
{
	return i < diffreport_format_count ? diffreport_formats[i].name : NULL;
}

const char *
option_word_diff_value(int i)
{
	return i < DIFF_VALUES ? diff_value_words[i] : NULL;
}

const char *
option_word_diff_column(int i)
{
	return i < DIFF_COLUMNS ? diff_columns[i].id : NULL;
}

int
option_word_find(const char *(*word)(int), const char *value)
{
	for (int i = 0; word(i) != NULL; i++)
		if (strcmp(word(i), value) == 0)
			return i;
	return -1;
}
