// SPDX-License-Identifier: Apache-2.0
/*
 * speedscope: the file format of speedscope, whose profiles are threads.
 *
 * Source: the schema of the format, version 0.0.1.  A profile is "sampled", with stacks outermost
 * first and a weight each, or "evented", with beginnings O and ends C of frames at values that do
 * not go back: these are calls, and what is between two of them is a sample of the stack.
 *
 * Times of several units are shown together; profiles of what is none, or in another unit than the
 * one that is shown, are left out.
 */
#include <config.h>

#include "base/mem.h"
#include "format/json/table.h"
#include "format/samples/samples.h"

enum { PROFILES, SHARED, ACTIVE, EXPORTER, NAME, MEMBERS };

static const char *const members[MEMBERS] = {[PROFILES] = "profiles", [SHARED] = "shared",
    [ACTIVE] = "activeProfileIndex", [EXPORTER] = "exporter", [NAME] = "name"};

enum { TYPE, LABEL, UNIT, BEGIN, END, EVENTS, SAMPLES, WEIGHTS, PROFILE_MEMBERS };

static const char *const profile_members[PROFILE_MEMBERS] = {[TYPE] = "type", [LABEL] = "name",
    [UNIT] = "unit", [BEGIN] = "startValue", [END] = "endValue", [EVENTS] = "events",
    [SAMPLES] = "samples", [WEIGHTS] = "weights"};

enum { KIND, AT, FRAME, EVENT_MEMBERS };

static const char *const event_members[EVENT_MEMBERS] = {[KIND] = "type", [AT] = "at",
    [FRAME] = "frame"};

/* Units, and the power of ten that makes nanoseconds, or thousandths, of them. */
static const struct value_unit {
	const char *name;
	int power;
	const char *shown; /* NULL: times */
} units[] = {
    {"none", 3, "count"},
    {"nanoseconds", 0, NULL},
    {"microseconds", 3, NULL},
    {"milliseconds", 6, NULL},
    {"seconds", 9, NULL},
    {"bytes", 3, "bytes"},
};

struct speedscope_json {
	struct sampler s;
	struct jcolumn profiles, stacks, weights, events;
	const struct value_unit *unit; /* that is shown */
	int power;          /* of the unit of this profile */
	struct str *frames; /* objects of the file */
	uint32_t *methods;  /* of frames; METHOD_NONE until one is met */
	size_t frame_count;
	int64_t least, end; /* the least startValue of all profiles; endValue of this one */
	uint32_t thread, number; /* number: of profiles that were begun */
	bool evented;
	uint64_t left_out;
};

static uint32_t
frame_method(struct speedscope_json *f, uint32_t frame)
{
	static const char *const names[] = {"name", "file"};
	struct jscan_value v[2];
	struct sbuf name = {0}, file = {0};
	uint32_t method;

	if (frame < f->frame_count && f->methods[frame] != METHOD_NONE)
		return f->methods[frame];
	if (frame < f->frame_count && jscan_members(f->frames[frame], names, 2, v)) {
		jscan_unescape(&name, v[0].text);
		jscan_unescape(&file, v[1].text);
	} else {
		samples_fault(&f->s, DAMAGE_UNKNOWN_METHOD);
		sbuf_printf(&name, "(frame %lld)", frame == CELL_NONE ? -1 : (long long)frame);
	}
	method = samples_method(&f->s, sbuf_view(&name), sbuf_view(&file), true);
	if (frame < f->frame_count)
		f->methods[frame] = method;
	sbuf_release(&name);
	sbuf_release(&file);
	return method;
}

/* Profiles ----------------------------------------------------------------------------- */

static const struct value_unit *
unit_of(const struct jscan_value *v)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (str_equal(v->text, str_from(units[i].name)))
			return &units[i];
	}
	return &units[0];
}

/* Sets the power, too. */
static bool
profile_fits(struct speedscope_json *f, struct str text, struct jscan_value v[PROFILE_MEMBERS])
{
	const struct value_unit *unit;

	(void)jscan_members(text, profile_members, PROFILE_MEMBERS, v);
	unit = unit_of(&v[UNIT]);
	f->power = unit->power;
	return unit == f->unit || (unit->shown == NULL && f->unit->shown == NULL);
}

/* Goes to the next profile; false at the end. */
static bool
profile_begin(struct speedscope_json *f)
{
	struct jscan_value profile, v[PROFILE_MEMBERS];
	int64_t begin;

	if (!jcolumn_next(&f->profiles, &profile))
		return false;
	f->number++;
	f->events = f->stacks = (struct jcolumn){.place = -1};
	if (!profile_fits(f, profile.text, v)) {
		f->left_out++;
		return true;
	}
	f->thread = trace_thread_define(f->s.trace, f->number,
	    jscan_text(&f->s.trace->arena, v[LABEL].text), NULL);
	f->evented = str_equal(v[TYPE].text, STR("evented"));
	if (!f->evented) {
		f->stacks = jcolumn_of(v[SAMPLES]);
		f->weights = jcolumn_of(v[WEIGHTS]);
		return true;
	}
	f->events = jcolumn_of(v[EVENTS]);
	if (!jscan_scaled(v[BEGIN].text, f->power, &begin))
		begin = f->least;
	if (!jscan_scaled(v[END].text, f->power, &f->end))
		f->end = begin;
	return true;
}

static bool
stack_take(struct speedscope_json *f)
{
	struct jscan_value stack, weight, frame;
	struct jcolumn frames;
	int64_t value;

	if (!jcolumn_next(&f->stacks, &stack))
		return false;
	if (!jcolumn_next(&f->weights, &weight))
		weight.text.n = 0;
	samples_goto(&f->s, (const uint8_t *)stack.text.p);
	if (!jscan_scaled(weight.text, f->power, &value) || value < 0) {
		samples_fault(&f->s, DAMAGE_MALFORMED_LINE);
		return true;
	}
	frames = jcolumn_of(stack);
	while (jcolumn_next(&frames, &frame)) {
		if (f->s.frame_count <= SAMPLE_DEPTH_MAX)
			samples_push(&f->s, frame_method(f, jcell_index(&frame)));
	}
	samples_add(&f->s, f->thread, (uint64_t)value, 0, false);
	return true;
}

/* Calls -------------------------------------------------------------------------------- */

static bool
event_take(struct speedscope_json *f)
{
	struct jscan_value event, v[EVENT_MEMBERS];
	uint32_t method;
	nsec at;

	if (!jcolumn_next(&f->events, &event)) {
		samples_close(&f->s, f->thread, f->end - f->least);
		return false;
	}
	samples_goto(&f->s, (const uint8_t *)event.text.p);
	(void)jscan_members(event.text, event_members, EVENT_MEMBERS, v);
	if (!jscan_scaled(v[AT].text, f->power, &at) || v[KIND].text.n != 1) {
		samples_fault(&f->s, DAMAGE_MALFORMED_LINE);
		return true;
	}
	method = frame_method(f, jcell_index(&v[FRAME]));
	at = at > f->least ? at - f->least : 0;
	if (*v[KIND].text.p == 'C')
		samples_end_call(&f->s, f->thread, method, 0, at);
	else
		samples_begin(&f->s, f->thread, method, at);
	return true;
}

static bool
speedscope_take(struct sampler *s)
{
	struct speedscope_json *f = (struct speedscope_json *)s;

	return (f->number > 0 && (f->evented ? event_take(f) : stack_take(f))) || profile_begin(f);
}

static void
speedscope_end(struct sampler *s)
{
	const struct speedscope_json *f = (struct speedscope_json *)s;

	if (f->left_out > 0)
		trace_note(s->trace, "%llu profiles in another unit than %s are left out",
		    (unsigned long long)f->left_out, f->unit->name);
}

static void
speedscope_free(struct sampler *s)
{
	struct speedscope_json *f = (struct speedscope_json *)s;

	mem_free(f->frames);
	mem_free(f->methods);
}

static const struct samples_format speedscope = {speedscope_take, speedscope_end, speedscope_free};

/* Opening ------------------------------------------------------------------------------ */

/* Looks at all profiles: the unit is the active one's; those of calls are of one time. */
static void
profiles_look(struct speedscope_json *f, const struct jscan_value *active)
{
	struct trace *t = f->s.trace;
	uint32_t wanted = jcell_index(active), number = 0;
	struct jscan_value profile, v[PROFILE_MEMBERS];
	struct jcolumn profiles = f->profiles;
	bool stacks = false;
	int64_t begin;

	while (jcolumn_next(&profiles, &profile)) {
		(void)jscan_members(profile.text, profile_members, PROFILE_MEMBERS, v);
		if (f->unit == NULL || number == wanted)
			f->unit = unit_of(&v[UNIT]);
		number++;
	}
	if (f->unit == NULL)
		f->unit = &units[0];
	f->least = INT64_MAX;
	profiles = f->profiles;
	while (jcolumn_next(&profiles, &profile)) {
		if (!profile_fits(f, profile.text, v))
			continue;
		stacks |= !str_equal(v[TYPE].text, STR("evented"));
		if (jscan_scaled(v[BEGIN].text, f->power, &begin) && begin < f->least)
			f->least = begin;
	}
	if (f->least == INT64_MAX)
		f->least = 0;
	t->unit.name = f->unit->shown;
	t->unit.bytes = f->unit->shown != NULL && strcmp(f->unit->shown, "bytes") == 0;
	if (stacks)
		return;
	t->sampled = false;
	if (f->unit->shown == NULL)
		samples_clocks(&f->s, HAS_WALL);
}

bool
speedscope_open(struct trace *t, struct input *in, struct str text, struct err *e)
{
	struct jscan_value v[MEMBERS];
	struct speedscope_json *f;
	struct str exporter;

	if (!jscan_members(text, members, MEMBERS, v) &&
	    (v[PROFILES].kind != '[' || v[SHARED].kind != '{'))
		return err_set(e, ERR_TRUNCATED, "is a profile of speedscope that ends before all of "
		    "it is told");
	f = mem_zero(1, sizeof(*f));
	samples_open(&f->s, &speedscope, t, in);
	t->format = "speedscope";
	f->frames = jcolumn_texts(jscan_find(v[SHARED].text, "frames"), &f->frame_count);
	if (f->frame_count > 0)
		f->methods = mem_alloc(f->frame_count * sizeof(*f->methods));
	for (size_t i = 0; i < f->frame_count; i++)
		f->methods[i] = METHOD_NONE;
	f->profiles = jcolumn_of(v[PROFILES]);
	profiles_look(f, &v[ACTIVE]);
	exporter = jscan_text(&t->arena, v[EXPORTER].text);
	if (exporter.n > 0)
		trace_property_add(t, STR("exporter"), exporter);
	return true;
}
