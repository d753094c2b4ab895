/* What values of the options of diff mean. */
#include <config.h>

#include <string.h>

#include "base/timetext.h"
#include "cli/option_values.h"

/* As much as ten million percent: nothing is too slow then. */
enum { FAIL_PERCENT_MOST = 1000000 };

bool
option_diff_format(struct options *o, const char *value, struct err *why)
{
	int i = option_word_find(option_word_diff_format, value);

	(void)why;
	if (i < 0)
		return false;
	o->diff.format = &diffreport_formats[i];
	return true;
}

bool
option_diff_value(struct options *o, const char *value, struct err *why)
{
	int i = option_word_find(option_word_diff_value, value);

	(void)why;
	if (i < 0)
		return false;
	o->diff.value = (enum diff_value)i;
	return true;
}

bool
option_diff_min(struct options *o, const char *value, struct err *why)
{
	o->diff.min_given = true;
	return timetext_parse(str_from(value), &o->diff.min, why);
}

bool
option_diff_sort(struct options *o, const char *value, struct err *why)
{
	char sign = *value == '+' || *value == '-' ? *value : '\0';
	enum diff_column column = diff_column_find(str_from(value + (sign != '\0')));

	(void)why;
	if (column == DIFF_COLUMNS)
		return false;
	o->diff.sort = column;
	o->diff.rising = sign != '\0' ? sign == '+' : diff_columns[column].rises;
	return true;
}

bool
option_diff_fail(struct options *o, const char *value, struct err *why)
{
	size_t n = strlen(value);
	char number[32];

	if (n == 0 || value[n - 1] != '%') {
		o->diff.fail_time_given = true;
		return timetext_parse(str_from(value), &o->diff.fail_time, why);
	}
	if (n > sizeof(number))
		return err_set(why, ERR_MALFORMED, "want a time or a percentage, as 5ms or 10%%");
	memcpy(number, value, n - 1);
	number[n - 1] = '\0';
	o->diff.fail_percent_given = true;
	return option_thousandths(number, FAIL_PERCENT_MOST, &o->diff.fail_percent, why);
}
