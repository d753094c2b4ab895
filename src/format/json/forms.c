// SPDX-License-Identifier: Apache-2.0
/*
 * forms.c: which trace or profile a JSON text is, by the members of its object (forms.h).
 */
#include <config.h>

#include "format/json/forms.h"

#include "format/json/chrome.h"
#include "format/json/scan.h"
#include "format/log/text.h"
#include "format/samples/samples.h"

#define NO_EVENTS "is Chrome's JSON without traceEvents; a file that was cut ends before them"

/* Both members are there; forms that more members tell come first. */
static const struct json_form {
	const char *members[2];
	bool (*open)(struct trace *, struct input *, struct str object, struct err *);
	const char *refusal; /* when `open` is NULL */
} forms[] = {
    {{"nodes", "samples"}, cpuprofile_open, NULL},
    {{"nodes", "endTime"}, cpuprofile_open, NULL},
    {{"nodes", NULL}, cpuprofile_open, NULL},
    {{"profiles", "shared"}, speedscope_open, NULL},
    {{"meta", "threads"}, firefox_open, NULL},
    {{"profile", NULL}, firefox_open, NULL},
    {{"head", "timestamps"}, NULL, "is a CPU profile in V8's old form; node --cpu-prof writes one "
	"that slowtop reads"},
    {{"head", NULL}, NULL, "is a heap profile of V8; Chrome's developer tools open it"},
    {{"benchmarks", "context"}, benchmarks_open, NULL},
    {{"dhatFileVersion", NULL}, NULL, "is a profile of valgrind's DHAT; dh_view.html shows it"},
    {{"raw_timestamp_deltas", NULL}, NULL, "is a profile of stackprof; "
	"stackprof --stackcollapse writes one that slowtop reads"},
    {{"recording", NULL}, NULL, "is a recording of Safari's Web Inspector, which opens it"},
    {{"rts_arguments", NULL}, NULL, "is a profile of GHC; "
	"ghc-prof-flamegraph writes folded stacks, which slowtop reads"},
    {{"displayTimeUnit", NULL}, NULL, NO_EVENTS},
    {{"otherData", NULL}, NULL, NO_EVENTS},
};

enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

/* The first form whose members an object has; FORMS: none.  `events`: it has Chrome's. */
static size_t
form_find(struct str object, bool *events)
{
	unsigned seen[FORMS] = {0};
	struct jscan j = jscan_inside(object);
	struct jscan_value v;
	struct str key;

	*events = false;
	while (jscan_key(&j, &key) == JSCAN_TAKEN) {
		if (str_equal(key, STR("traceEvents"))) {
			*events = true;
			return FORMS;
		}
		for (size_t i = 0; i < 2 * FORMS; i++) {
			const char *member = forms[i / 2].members[i % 2];

			if (member != NULL && str_equal(key, str_from(member)))
				seen[i / 2] |= 1u << i % 2;
		}
		if (jscan_value(&j, &v) != JSCAN_TAKEN)
			break;
	}
	for (size_t i = 0; i < FORMS; i++) {
		if (seen[i] == (forms[i].members[1] != NULL ? 3u : 1u))
			return i;
	}
	return FORMS;
}

/* True if the object has a profile of V8 in its "profile", as what drives Chrome writes it. */
static bool
inside_find(struct str object, struct str *inside, size_t *form)
{
	struct jscan_value v = jscan_find(object, "profile");
	bool events;
	size_t found;

	found = v.kind == '{' ? form_find(v.text, &events) : FORMS;
	if (found == FORMS || forms[found].open != cpuprofile_open)
		return false;
	*inside = v.text;
	*form = found;
	return true;
}

bool
json_open(struct trace *t, struct input *in, struct err *e)
{
	struct str text = logtext_start((struct str){(const char *)in->data.bytes, in->data.size});
	struct str inside;
	bool events;
	size_t form;

	if (text.n == 0 || *text.p != '{')
		return text.n > 0 && *text.p == '[' && chrome_open(t, in, e);
	form = form_find(text, &events);
	if (events)
		return hermes_open(t, in, text, e) ||
		    (!hermes_has_calls(text) && system_events_open(t, in, text, e)) ||
		    (e->kind == ERR_NONE && chrome_open(t, in, e));
	if (form < FORMS && forms[form].open == firefox_open && inside_find(text, &inside, &form))
		text = inside;
	if (form == FORMS)
		return false;
	if (forms[form].open == NULL)
		return err_set(e, ERR_UNSUPPORTED, "%s", forms[form].refusal);
	return forms[form].open(t, in, text, e);
}
