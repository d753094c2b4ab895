// SPDX-License-Identifier: Apache-2.0
/* args: what a track event says beside its name, as one text: "key=value, a.b=2, flow=7". */
#include <config.h>

#include <inttypes.h>

#include "format/perfetto/perfetto.h"

enum {
	DEPTH_MOST = 8,
	ARGS_MOST = 4096, /* bytes of a text */
	ARG_NAMES = 3,    /* interned */
	ARG_TEXTS = 29,
	EVENT_ANNOTATION = 4,
	EVENT_FLOWS_OLD = 36,
	EVENT_FLOWS = 47,
	EVENT_FLOWS_END = 48,
};

struct args {
	const struct perfetto *pf;
	uint32_t generation;
	struct sbuf *out;
};

/* A value that is none of other annotations; false when it is made of such. */
static bool
value_put(const struct args *a, const struct wire_field *f)
{
	double real;

	switch (f->number) {
	case 2:
		sbuf_text(a->out, f->value != 0 ? "true" : "false");
		return true;
	case 3:
		sbuf_printf(a->out, "%" PRIu64, f->value);
		return true;
	case 4:
		sbuf_printf(a->out, "%" PRId64, (int64_t)f->value);
		return true;
	case 5:
		memcpy(&real, &f->value, sizeof(real));
		sbuf_printf(a->out, "%.10g", real);
		return true;
	case 6:
	case 9:
		sbuf_str(a->out, str_head(wire_text(f), ARGS_MOST));
		return true;
	case 7:
		sbuf_printf(a->out, "0x%" PRIx64, f->value);
		return true;
	case 17:
		sbuf_str(a->out, text_of(a->pf, a->generation, ARG_TEXTS, f->value));
		return true;
	default:
		return false;
	}
}

/* The annotation's name after that of what it is in. */
static void
path_make(const struct args *a, struct sbuf *path, struct str within, struct wire message)
{
	struct wire_field f;

	sbuf_str(path, within);
	while (path->n < ARGS_MOST && wire_next(&message, &f)) {
		struct str name = f.number == 10 ? wire_text(&f)
		    : f.number == 1 ? text_of(a->pf, a->generation, ARG_NAMES, f.value)
				    : (struct str){"", 0};

		if (name.n > 0 && within.n > 0)
			sbuf_text(path, ".");
		sbuf_str(path, str_head(name, ARGS_MOST));
	}
}

static void
annotation_put(const struct args *a, struct str within, struct wire message, int depth)
{
	struct sbuf path = {0};
	struct wire_field f;
	unsigned index = 0;
	size_t n;

	path_make(a, &path, within, message);
	n = path.n;
	while (a->out->n < ARGS_MOST && wire_next(&message, &f)) {
		size_t before = a->out->n;

		if ((f.number == 11 || f.number == 12) && depth < DEPTH_MOST) {
			path.n = n;
			if (f.number == 12)
				sbuf_printf(&path, "[%u]", index++);
			annotation_put(a, sbuf_view(&path), wire_message(&f), depth + 1);
			continue;
		}
		if (before > 0)
			sbuf_text(a->out, ", ");
		sbuf_str(a->out, sbuf_view(&path));
		sbuf_text(a->out, "=");
		if (!value_put(a, &f))
			a->out->n = before;
	}
	sbuf_release(&path);
}

bool
is_flow(uint32_t field)
{
	return field == EVENT_FLOWS_OLD || field == EVENT_FLOWS || field == EVENT_FLOWS_END;
}

bool
flow_next(struct wire_field *f, uint64_t *id)
{
	if (f->type == WIRE_BYTES) {
		if (f->bytes.end - f->bytes.p < 8)
			return false;
		*id = get_u64(f->bytes.p);
		f->bytes.p += 8;
		return true;
	}
	*id = f->value;
	f->type = WIRE_BYTES; /* which has no more */
	return true;
}

void
args_put(const struct perfetto *pf, struct sbuf *out, struct wire event, uint32_t generation)
{
	struct args a = {pf, generation, out};
	struct wire_field f;
	uint64_t flow;

	while (out->n < ARGS_MOST && wire_next(&event, &f)) {
		if (f.number == EVENT_ANNOTATION) {
			annotation_put(&a, STR(""), wire_message(&f), 0);
		} else if (is_flow(f.number)) {
			while (flow_next(&f, &flow))
				sbuf_printf(out, "%sflow=%" PRIx64, out->n > 0 ? ", " : "", flow);
		}
	}
	if (out->n > ARGS_MOST)
		out->n = ARGS_MOST;
}
