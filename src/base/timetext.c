#include <config.h>

#include "base/timetext.h"

static bool
unit_find(struct str unit, int64_t *ns)
{
	static const struct {
		struct str name;
		int64_t ns;
	} units[] = {
		{ STR(""), 1000000000 },
		{ STR("s"), 1000000000 },
		{ STR("ms"), 1000000 },
		{ STR("us"), 1000 },
		{ STR("ns"), 1 },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (str_equal(unit, units[i].name)) {
			*ns = units[i].ns;
			return true;
		}
	}
	return false;
}

bool
timetext_parse(struct str text, int64_t *ns, struct err *e)
{
	struct str unit = text;
	int64_t scale, value = 0;
	size_t digits = 0;

	while (unit.n > 0 && (is_digit(unit.p[0]) || unit.p[0] == '.'))
		unit = (struct str){unit.p + 1, unit.n - 1};
	if (!unit_find(unit, &scale))
		return err_set(e, ERR_MALFORMED, "want a time such as 1.25, 1.25s or 1250ms");
	text.n -= unit.n;
	while (text.n > 0 && is_digit(text.p[0])) {
		if (value > (INT64_MAX / scale - (text.p[0] - '0')) / 10)
			return err_set(e, ERR_LIMIT, "the time is too large");
		value = value * 10 + (text.p[0] - '0');
		text = (struct str){text.p + 1, text.n - 1};
		digits++;
	}
	value *= scale;
	if (text.n > 0 && text.p[0] == '.') {
		for (text = (struct str){text.p + 1, text.n - 1}; text.n > 0 && is_digit(text.p[0]);
		     text = (struct str){text.p + 1, text.n - 1}) {
			scale /= 10;
			if (scale == 0 && text.p[0] != '0')
				return err_set(e, ERR_LIMIT, "the time is finer than a nanosecond");
			if (__builtin_add_overflow(value, (text.p[0] - '0') * scale, &value))
				return err_set(e, ERR_LIMIT, "the time is too large");
			digits++;
		}
	}
	if (digits == 0 || text.n > 0)
		return err_set(e, ERR_MALFORMED, "want a time such as 1.25, 1.25s or 1250ms");
	*ns = value;
	return true;
}
