#include <config.h>

#include "report/text/fields.h"

#include <inttypes.h>

#include "base/csv.h"
#include "base/fmt.h"

void
field_put(struct sbuf *out, struct str value)
{
	csv_field(out, value);
	sbuf_char(out, ',');
}

void
field_count(struct sbuf *out, uint64_t value)
{
	sbuf_printf(out, "%" PRIu64 ",", value);
}

void
field_line_end(struct sbuf *out)
{
	out->n--;
	sbuf_text(out, "\r\n");
}

void
field_time(struct sbuf *out, const struct report *r, enum clock_id clock, nsec time)
{
	char number[FMT_SIZE];

	if (trace_has_clock(r->trace, clock))
		field_put(out, str_from(fmt_us(number, time)));
}

void
field_times(struct sbuf *out, const struct report *r, const nsec *inclusive,
    const nsec *exclusive)
{
	for (int c = 0; c < CLOCKS; c++) {
		field_time(out, r, (enum clock_id)c, inclusive[c]);
		if (exclusive != NULL)
			field_time(out, r, (enum clock_id)c, exclusive[c]);
	}
}

void
field_time_names(struct sbuf *out, const struct report *r, bool exclusive)
{
	static const char *const names[CLOCKS][2] = {
	    [CLOCK_CPU] = {"incl_cpu_us", "excl_cpu_us"},
	    [CLOCK_WALL] = {"incl_wall_us", "excl_wall_us"},
	};

	for (int c = 0; c < CLOCKS; c++)
		for (int i = 0; i < 1 + exclusive; i++)
			if (trace_has_clock(r->trace, (enum clock_id)c))
				field_put(out, str_from(names[c][i]));
}
