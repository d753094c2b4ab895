#include <config.h>

#include "report/text/labels.h"

#include "report/names.h"

static const struct {
	const char *title, *key;
} words[] = {
    [SAME_METHOD] = {"Method", "method"},
    [SAME_CLASS] = {"Class", "class"},
    [SAME_PACKAGE] = {"Package", "package"},
    [SAME_NAME] = {"Name", "name"},
};

/* Of classes outside of any package. */
#define NO_PACKAGE STR("(no package)")

const char *
label_title(const struct report *r)
{
	return words[r->options->view->by].title;
}

const char *
label_key(const struct report *r)
{
	return words[r->options->view->by].key;
}

struct str
label_shown(const struct report *r, uint32_t method)
{
	struct names *names = r->figures.names;
	struct str key;

	if (!same_key(r->trace, r->options->view->by, method, &key))
		return names_full(names, method);
	switch (r->options->view->by) {
	case SAME_PACKAGE:
		return key.n > 0 ? same_package(names_class(names, method)) : NO_PACKAGE;
	case SAME_NAME:
		return names_method(names, method);
	default:
		return names_class(names, method);
	}
}

void
label_raw(struct sbuf *out, const struct report *r, uint32_t method)
{
	struct str key;

	if (same_key(r->trace, r->options->view->by, method, &key))
		sbuf_str(out, key);
	else
		name_raw(out, r->trace, method);
}

int
label_order(const struct report *r, uint32_t a, uint32_t b)
{
	enum same_by by = r->options->view->by;
	struct str left, right;
	bool a_in, b_in;
	int order = 0;

	if ((a == METHOD_TOPLEVEL) != (b == METHOD_TOPLEVEL))
		return a == METHOD_TOPLEVEL ? -1 : 1;
	a_in = same_key(r->trace, by, a, &left);
	b_in = same_key(r->trace, by, b, &right);
	if (a_in != b_in)
		return a_in ? -1 : 1;
	if (a_in)
		order = str_compare(left, right);
	if (order == 0)
		order = method_compare(trace_method(r->trace, a), trace_method(r->trace, b));
	return order != 0 ? order : (a > b) - (a < b);
}
