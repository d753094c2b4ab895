/*
 * v2-record: one record of a V2 block: variable-length, as differences to the one before.
 *
 * V2a: method and action in one signed step, then a step of each clock.  V2b: absolute
 * counter ticks and action in one signed step, the cpu clock's step, and of entries the
 * method's.  Layout: doc/formats.md.
 *
 * All inline: this is the inner loop of the decoder.
 */
#ifndef SLOWTOP_FORMAT_V2_RECORD_H
#define SLOWTOP_FORMAT_V2_RECORD_H

#include "format/leb.h"
#include "trace/event.h"

/* How a file's records are written. */
struct v2_coding {
	uint64_t start_ticks, frequency; /* frequency 0: V2a, or ticks are nanoseconds */
	uint64_t unit;                   /* V2a: nanoseconds */
	uint64_t most;                   /* nanoseconds: later times are not believed */
	uint64_t most_units;             /* the same in units */
	bool exits_named;                /* V2a */
	enum clock_id first;             /* of the first time field */
	bool second;                     /* cpu comes behind it */
};

/* What one record adds to the running values, before anything of it is believed. */
struct v2_record {
	uint64_t value[3]; /* running: V2a method word, clocks; V2b ticks and action, cpu, method */
	uint64_t method;
	uint64_t time[CLOCKS];
	unsigned action;
};

/*
 * A running value in units of `unit` as nanoseconds; false when it is more than `most`
 * units.  Before the start counts as the start.
 */
static inline __attribute__((always_inline)) bool
v2_time_scaled(uint64_t value, uint64_t unit, uint64_t most, uint64_t *ns)
{
	*ns = value * unit;
	if (__builtin_expect(value <= most, 1))
		return true;
	*ns = 0;
	return value >> 63 != 0 && 0 - value <= most;
}

/* Counter ticks since the start; no product here can overflow. */
static inline __attribute__((always_inline)) bool
v2_time_ticks(const struct v2_coding *v, uint64_t ticks, uint64_t *ns)
{
	uint64_t value = ticks - v->start_ticks, f = v->frequency, rest, fraction;
	bool negative = value >> 63 != 0;
	uint64_t size = negative ? 0 - value : value;

	if (size / f > v->most / 1000000000)
		return false;
	rest = size % f;
	fraction = f <= UINT64_MAX / 1000000000 ? rest * 1000000000 / f
						: rest / (f / 1000000000);
	*ns = negative ? 0 : size / f * 1000000000 + fraction;
	return true;
}

/* A step in 32 bits of microseconds is signed; one in 64 bits is anyway. */
static inline __attribute__((always_inline)) uint64_t
v2_step_signed(const struct v2_coding *v, uint64_t step)
{
	return v->unit != 1 && step >> 31 == 1 ? step - ((uint64_t)1 << 32) : step;
}

static inline __attribute__((always_inline)) bool
v2_record_v2a(
    const struct v2_coding *v, const uint8_t **p, const uint8_t *end, struct v2_record *r)
{
	uint64_t step;

	if (!leb_signed(p, end, &step))
		return false;
	r->value[0] += step;
	r->method = r->value[0];
	r->action = (unsigned)r->value[0] & 3;
	if (!leb_unsigned(p, end, &step))
		return false;
	r->value[1] += v2_step_signed(v, step);
	if (!v->second)
		return true;
	if (!leb_unsigned(p, end, &step))
		return false;
	r->value[2] += v2_step_signed(v, step);
	return true;
}

static inline __attribute__((always_inline)) bool
v2_times_v2a(const struct v2_coding *v, struct v2_record *r)
{
	return v2_time_scaled(r->value[1], v->unit, v->most_units, &r->time[v->first]) &&
	       (!v->second || v2_time_scaled(r->value[2], v->unit, v->most_units,
				  &r->time[CLOCK_CPU]));
}

static inline __attribute__((always_inline)) bool
v2_record_v2b(
    const struct v2_coding *v, const uint8_t **p, const uint8_t *end, struct v2_record *r)
{
	uint64_t step;

	if (!leb_signed(p, end, &step))
		return false;
	r->value[0] += step;
	r->action = (unsigned)r->value[0] & 3;
	if (v->second) {
		if (!leb_unsigned(p, end, &step))
			return false;
		r->value[1] += step;
	}
	if (r->action != ACTION_ENTER)
		return true;
	if (!leb_signed(p, end, &step))
		return false;
	r->value[2] += step;
	r->method = r->value[2];
	return true;
}

static inline __attribute__((always_inline)) bool
v2_times_v2b(const struct v2_coding *v, struct v2_record *r)
{
	uint64_t ticks = r->value[0] >> 2;

	if (v->frequency == 0 ? !v2_time_scaled(ticks, 1, v->most, &r->time[v->first])
			      : !v2_time_ticks(v, ticks, &r->time[v->first]))
		return false;
	return !v->second || v2_time_scaled(r->value[1], 1, v->most, &r->time[CLOCK_CPU]);
}

static inline __attribute__((always_inline)) bool
v2_record_read(
    const struct v2_coding *v, const uint8_t **p, const uint8_t *end, struct v2_record *r)
{
	return v->exits_named ? v2_record_v2a(v, p, end, r) : v2_record_v2b(v, p, end, r);
}

/* The times that the running values stand for; false when they cannot be times. */
static inline __attribute__((always_inline)) bool
v2_record_times(const struct v2_coding *v, struct v2_record *r)
{
	return v->exits_named ? v2_times_v2a(v, r) : v2_times_v2b(v, r);
}

#endif
