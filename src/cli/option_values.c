#include <config.h>

#include "cli/option_values.h"

#include <string.h>

#include "base/err.h"
#include "base/timetext.h"
#include "base/worker.h"
#include "report/logrows.h"
#include "tui/start.h"
#include "tui/tui.h"

static bool
number(const char *value, uint64_t least, uint64_t most, uint64_t *out, struct err *why)
{
	uint64_t n = 0;
	const char *p = value;

	for (; is_digit(*p) && n <= most; p++)
		n = n * 10 + (uint64_t)(*p - '0');
	if (p == value || *p != '\0' || n < least || n > most)
		return err_set(why, ERR_MALFORMED, "want a number from %llu to %llu",
		    (unsigned long long)least, (unsigned long long)most);
	*out = n;
	return true;
}

/* The last of a name counts. */
static void
override(struct options *o, const char *name, const char *value)
{
	int i = 0;

	while (i < o->override_count && strcmp(o->overrides[i].name, name) != 0)
		i++;
	if (i == OVERRIDES_MAX)
		return;
	o->overrides[i] = (struct override){name, value};
	if (i == o->override_count)
		o->override_count++;
}

bool
option_format(struct options *o, const char *value, struct err *why)
{
	int i = option_word_find(option_word_format, value);

	(void)why;
	if (i < 0)
		return false;
	o->report.format = &report_formats[i];
	return true;
}

bool
option_view(struct options *o, const char *value, struct err *why)
{
	int i = option_word_find(option_word_view, value);

	if (i < 0 && start_view_find(value) >= 0)
		return err_set(why, ERR_UNSUPPORTED,
		    "only the screen has it, and this is printed; that has methods, tree, "
		    "bottom-up, calls, threads and more (see --help)");
	if (i < 0)
		return false;
	o->report.view = &report_views[i];
	return true;
}

bool
option_start_view(struct options *o, const char *value, struct err *why)
{
	int i = start_view_find(value);

	(void)why;
	if (i < 0)
		return false;
	o->start_view = start_view(i);
	return true;
}

bool
option_convert(struct options *o, const char *value, struct err *why)
{
	int i = option_word_find(option_word_convert, value);

	(void)why;
	if (i < 0)
		return false;
	o->convert = &convert_formats[i];
	return true;
}

bool
option_dump(struct options *o, const char *value, struct err *why)
{
	int i = option_word_find(option_word_dump, value);

	(void)why;
	if (i < 0)
		return false;
	o->convert = &dump_formats[i];
	return true;
}

bool
option_clock(struct options *o, const char *value, struct err *why)
{
	int i = option_word_find(option_word_clock, value);

	(void)why;
	if (i < 0)
		return false;
	override(o, "clock", value);
	o->report.clock_given = true;
	o->report.clock = (enum clock_id)i;
	return true;
}

bool
option_sort(struct options *o, const char *value, struct err *why)
{
	char sign = *value == '+' || *value == '-' ? *value : '\0';
	const char *word = value + (sign != '\0');
	enum column_id column = columns_find(str_from(word));

	(void)why;
	if (column == COLUMNS && !logrows_is_column(word))
		return false;
	override(o, "sort", value);
	o->report.sort_given = true;
	o->report.sort = column;
	o->report.sort_word = word;
	o->report.sort_signed = sign != '\0';
	o->report.rising = sign == '+' ||
	    (sign == '\0' && column != COLUMNS && column_table[column].rises);
	return true;
}

bool
option_limit(struct options *o, const char *value, struct err *why)
{
	uint64_t n;

	if (!number(value, 0, UINT32_MAX - 1, &n, why))
		return false;
	o->report.limit = (uint32_t)n;
	return true;
}

bool
option_from(struct options *o, const char *value, struct err *why)
{
	return timetext_parse(str_from(value), &o->report.range.from, why);
}

bool
option_to(struct options *o, const char *value, struct err *why)
{
	return timetext_parse(str_from(value), &o->report.range.to, why);
}

/* "4000000", "512M", "20G"; at most half of what 64 bits can count. */
bool
option_unpack_limit(struct options *o, const char *value, struct err *why)
{
	static const char units[] = "KMGT";
	size_t digits = strspn(value, "0123456789");
	const char *unit = value[digits] != '\0' ? strchr(units, value[digits]) : NULL;
	unsigned shift = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;
	uint64_t n = 0;

	for (size_t i = 0; i < digits && digits <= 18; i++)
		n = n * 10 + (uint64_t)(value[i] - '0');
	if (digits == 0 || n == 0 || n > (uint64_t)INT64_MAX >> shift || digits > 18 ||
	    (value[digits] != '\0' && (unit == NULL || value[digits + 1] != '\0')))
		return err_set(why, ERR_MALFORMED, "want bytes, as 4000000 or 20G");
	o->unpack_most = n << shift;
	return true;
}

/* Of two traces the first given is of A; all that are given later, of B. */
bool
option_mapping(struct options *o, const char *value, struct err *why)
{
	if (*value == '\0')
		return err_set(why, ERR_MALFORMED, "want a file");
	if (o->mapping[DIFF_A] == NULL)
		o->mapping[DIFF_A] = value;
	o->mapping[DIFF_B] = value;
	return true;
}

bool
option_jobs(struct options *o, const char *value, struct err *why)
{
	uint64_t n;

	if (!number(value, 1, WORKER_MAX, &n, why))
		return false;
	o->jobs = (unsigned)n;
	return true;
}

bool
option_filter(struct options *o, const char *value, struct err *why)
{
	return report_filter_add(&o->report, value, why);
}

bool
option_transform(struct options *o, const char *value, struct err *why)
{
	return report_transform_add(&o->report, value, why);
}

bool
option_thread(struct options *o, const char *value, struct err *why)
{
	(void)why;
	report_thread_add(&o->report, value);
	return true;
}

bool
option_process(struct options *o, const char *value, struct err *why)
{
	(void)why;
	report_process_add(&o->report, value);
	return true;
}

bool
option_tag(struct options *o, const char *value, struct err *why)
{
	int tag = log_tag_find(str_from(value));

	if (tag < 0)
		return err_set(why, ERR_MALFORMED, "want the name or number of a HiTrace tag");
	o->choice.tags |= UINT64_C(1) << tag;
	return true;
}

bool
option_level(struct options *o, const char *value, struct err *why)
{
	int i = option_word_find(option_word_level, value);

	(void)why;
	if (i < 0)
		return false;
	o->choice.level = "DICM"[i];
	return true;
}

bool
option_method(struct options *o, const char *value, struct err *why)
{
	return report_method_add(&o->report, value, why);
}

bool
option_calls(struct options *o, const char *value, struct err *why)
{
	if (o->start_view == NULL)
		o->start_view = "calls";
	return report_calls_add(&o->report, value, why);
}

bool
option_budget(struct options *o, const char *value, struct err *why)
{
	o->report.budget_given = true;
	return timetext_parse(str_from(value), &o->report.budget, why);
}

bool
option_min_percent(struct options *o, const char *value, struct err *why)
{
	o->report.min_given = true;
	return option_thousandths(value, 100, &o->report.min_percent, why);
}

bool
option_output(struct options *o, const char *value, struct err *why)
{
	if (*value == '\0')
		return err_set(why, ERR_MALFORMED, "want the name of a file");
	o->output = strcmp(value, "-") == 0 ? NULL : value;
	return true;
}

bool
option_config(struct options *o, const char *value, struct err *why)
{
	if (*value == '\0')
		return err_set(why, ERR_MALFORMED, "want the name of a file");
	o->config = value;
	o->no_config = false;
	return true;
}

bool
option_color(struct options *o, const char *value, struct err *why)
{
	(void)why;
	if (option_word_find(option_word_colour, value) < 0)
		return false;
	override(o, "color", value);
	return true;
}

bool
option_ascii(struct options *o, const char *value, struct err *why)
{
	(void)value;
	(void)why;
	override(o, "ascii", "on");
	o->report.ascii = true;
	return true;
}

bool
option_escape_time(struct options *o, const char *value, struct err *why)
{
	uint64_t ms;

	if (!number(value, 1, 5000, &ms, why))
		return false;
	override(o, "escape-time", value);
	return true;
}

bool
option_flame_format(struct options *o, const char *value, struct err *why)
{
	int i = option_word_find(option_word_flame, value);

	(void)why;
	if (i < 0)
		return false;
	o->flame.format = &flame_formats[i];
	return true;
}

bool
option_flame_title(struct options *o, const char *value, struct err *why)
{
	(void)why;
	o->flame.title = value;
	return true;
}

bool
option_flame_count_name(struct options *o, const char *value, struct err *why)
{
	(void)why;
	o->flame.count_name = value;
	return true;
}

bool
option_flame_min_width(struct options *o, const char *value, struct err *why)
{
	return option_thousandths(value, 100, &o->flame.min_width, why);
}
