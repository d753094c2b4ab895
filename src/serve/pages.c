// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "serve/pages.h"

#include <string.h>
#include <time.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/number.h"

enum { ROWS = 100, LINE_MAX_BYTES = 1 << 16 };

static const char style[] =
#include "base/page_style.inc"
    ".over{outline:3px dashed Highlight}progress{width:12em;max-width:100%}"
    "p,.name{overflow-wrap:anywhere}.name{min-width:7em}table{font:inherit;max-width:100%}"
    "@media(max-width:600px){.less{display:none}}@media(min-width:600px){.w{white-space:nowrap}}";

const char upload_script[] =
#include "serve/upload_script.inc"
    ;

static void
page_begin(struct sbuf *out, const char *title)
{
	html_between(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
	    "<meta name=\"viewport\" content=\"width=device-width\"><title>",
	    str_from(title), "</title><style>");
	sbuf_text(out, style);
	html_between(out, "</style></head><body>\n<h1>", str_from(title), "</h1>\n");
}

void
page_message(struct sbuf *out, const char *title, struct str text, const char *root)
{
	page_begin(out, title);
	html_between(out, "<pre>", text, "</pre>\n");
	sbuf_printf(out, "<p><a href=\"%s\">All traces</a></p></body></html>\n", root);
}

static void
time_text(struct sbuf *out, time_t when)
{
	char text[32] = "";
	struct tm tm;

	if (gmtime_r(&when, &tm) != NULL)
		(void)strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &tm);
	sbuf_text(out, text);
}

static bool
row(struct sbuf *out, const struct stored *e, struct str name)
{
	char path[PATH_SIZE];
	struct sbuf line = {0};
	bool good = store_read(store_path(path, e->id, "line"), LINE_MAX_BYTES, &line);
	struct str whole = sbuf_view(&line), rest = str_cut(&whole, '\n'), length, kind, format, damage, app;

	(void)str_cut(&rest, '\t'); /* the file, under a name of this folder */
	length = str_cut(&rest, '\t');
	kind = str_cut(&rest, '\t');
	format = str_cut(&rest, '\t');
	damage = str_cut(&rest, '\t');
	app = str_cut(&rest, '\t');
	sbuf_text(out, "<tr>");
	for (int side = 0; side < 2; side++)
		sbuf_printf(out, "<td><input type=\"checkbox\" name=\"%s\" value=\"%s\" aria-label=\"compare, %s\"></td>",
		    side == 0 ? "t" : "b", e->id, side == 0 ? "A" : "B");
	sbuf_printf(out, "<td class=\"name\"><a href=\"t/%s\">", e->id);
	html_name_between(out, "", name.n > 0 ? name : str_from(e->id), "</a></td>");
	html_name_between(out, "<td class=\"less\">", app, "</td>");
	html_name_between(out, "<td>", rest, "</td>");
	html_between(out, "<td class=\"n\">", length, "</td>");
	html_between(out, "<td class=\"less w\">", kind, kind.n > 0 ? ", " : "");
	html_between(out, "", format, "</td>");
	html_between(out, "<td class=\"less\">", damage, "</td><td class=\"less w\">");
	time_text(out, e->when);
	sbuf_printf(out, "</td><td class=\"less n\">%s</td></tr>\n", fmt_bytes(FMT_BUF, e->bytes));
	sbuf_release(&line);
	return good;
}

static void
query_text(struct sbuf *out, struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		sbuf_printf(out, "%%%02x", (unsigned char)text.p[i]);
}

bool
page_list(struct sbuf *out, struct str search, unsigned from, const struct serve_options *o)
{
	size_t count, matched = 0;
	struct stored *all = store_list(&count);
	char path[PATH_SIZE];
	struct sbuf name = {0};
	bool good = count != SIZE_MAX;

	page_begin(out, "Traces");
	sbuf_text(out, "<form method=\"post\" action=\"upload\" enctype=\"multipart/form-data\">");
	if (o->token_file != NULL)
		sbuf_text(out, "<label>Token <input type=\"password\" name=\"token\"></label> ");
	sbuf_text(out, "<input type=\"file\" name=\"trace\"> <button>Upload</button></form>\n"
	    "<script src=\"upload.js\" defer></script>\n"
	    "<form action=\"./\"><input name=\"q\" value=\"");
	html_text(out, search);
	sbuf_text(out, "\"> <button>Search</button></form>\n<form action=\"d\">"
		       "<table><thead><tr><th>A</th><th>B</th><th>Name</th><th class=\"less\">App</th>"
		       "<th>Slow</th><th class=\"n\">Length</th><th class=\"less\">Kind</th>"
		       "<th class=\"less\"></th><th class=\"less\">Uploaded (UTC)</th>"
		       "<th class=\"less n\">Size</th></tr></thead>\n<tbody>");
	for (size_t i = 0; good && i < count; i++) {
		sbuf_clear(&name);
		good = store_read(store_path(path, all[i].id, "name"), NAME_MAX_BYTES, &name);
		if (search.n > 0 && strstr(sbuf_cstr(&name), search.p) == NULL)
			continue;
		if (matched >= from && matched - from < ROWS)
			good &= row(out, &all[i], sbuf_view(&name));
		matched++;
	}
	sbuf_printf(out, "</tbody></table>\n<p><button>Compare two, or A with B</button> %zu trace%s", matched,
	    matched == 1 ? "" : "s");
	if (matched > from && matched - from > ROWS) {
		sbuf_printf(out, " <a href=\"./?from=%u&amp;q=", from + ROWS);
		query_text(out, search);
		sbuf_text(out, "\">next</a>");
	}
	sbuf_text(out, "</p></form></body></html>\n");
	mem_free(all);
	sbuf_release(&name);
	return good;
}

/* With another trace, by its name, newest first. */
static void
compare_form(struct sbuf *out, const char *id)
{
	size_t count, shown = 0;
	struct stored *all = store_list(&count);
	char path[PATH_SIZE];
	struct sbuf name = {0}, when = {0};

	for (size_t i = 0; count != SIZE_MAX && i < count && shown < ROWS; i++) {
		if (strcmp(all[i].id, id) == 0)
			continue;
		if (shown++ == 0)
			sbuf_printf(out, "<form action=\"../d\"><input type=\"hidden\" name=\"t\" value="
			    "\"%s\"><label>Compare with the earlier trace <select name=\"t\">\n", id);
		sbuf_clear(&name);
		(void)store_read(store_path(path, all[i].id, "name"), NAME_MAX_BYTES, &name);
		sbuf_printf(out, "<option value=\"%s\">", all[i].id);
		html_text(out, name.n > 0 ? sbuf_view(&name) : str_from(all[i].id));
		sbuf_clear(&when);
		time_text(&when, all[i].when);
		sbuf_printf(out, ", %s</option>\n", sbuf_cstr(&when));
	}
	if (shown > 0)
		sbuf_text(out, "</select></label> <button>Compare</button></form>\n");
	mem_free(all);
	sbuf_release(&name);
	sbuf_release(&when);
}

/* Appends the report up to where its body begins; returns the rest. */
static struct str
report_begin(struct sbuf *out, struct str report)
{
	static const char body[] = "<body>";
	const char *at = report.n > 0 ? strstr(report.p, body) : NULL;
	size_t head = at != NULL ? (size_t)(at - report.p) + sizeof(body) - 1 : 0;

	sbuf_bytes(out, report.p, head);
	return (struct str){report.p + head, report.n - head};
}

void
page_trace(struct sbuf *out, const char *id, struct str report)
{
	struct str rest = report_begin(out, report);

	sbuf_printf(out, "<nav aria-label=\"Server\"><a href=\"../\">All traces</a> "
	    "<a href=\"%s/report.json\">JSON</a> <a href=\"%s/report.csv\">CSV"
	    "</a> <a href=\"%s/info.json\">properties</a> <a href=\"%s/raw\">the file</a>"
	    " <a href=\"%s/flame.svg\">flame graph</a></nav>\n", id, id, id, id, id);
	compare_form(out, id);
	sbuf_str(out, rest);
}

/* Appends the ids of A and B as in the address of their comparison; `from`: the side that comes first. */
static void
sides_put(struct sbuf *out, const struct compared *c, int from)
{
	for (int k = 0; k < 2; k++) {
		int side = k == 0 ? from : !from;

		for (int i = 0; i < c->count[side]; i++)
			sbuf_printf(out, "%s%s", i > 0 ? "," : k > 0 ? ".." : "", c->ids[side * c->count[0] + i]);
	}
}

void
page_comparison(struct sbuf *out, int status, const struct compared *c, struct str report)
{
	struct str rest = report_begin(out, report);
	const char *const forms[][2] = {{".json", "JSON"}, {".txt", "text"}};

	sbuf_text(out, "<nav aria-label=\"Server\"><a href=\"../\">All traces</a> ");
	for (int side = 0; side < 2; side++) {
		sbuf_printf(out, "<span>%s: ", side == 0 ? "A" : "B");
		for (int i = 0; i < c->count[side]; i++) {
			int at = side * c->count[0] + i;

			sbuf_printf(out, "<a href=\"../t/%s\">", c->ids[at]);
			html_name_between(out, "", sbuf_view(&c->names[at]), "</a>");
		}
		sbuf_text(out, "</span> ");
	}
	sbuf_text(out, "<a href=\"");
	sides_put(out, c, 1);
	sbuf_text(out, "\">A and B exchanged</a>");
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		sbuf_text(out, " <a href=\"");
		sides_put(out, c, 0);
		sbuf_printf(out, "%s\">%s</a>", forms[i][0], forms[i][1]);
	}
	sbuf_text(out, "</nav>\n");
	if (status == 409)
		sbuf_text(out, "<p class=\"worse\"><b>Slower than allowed</b></p>\n");
	if (status == 422)
		sbuf_printf(out, "<p class=\"worse\"><b>Cannot tell%s</b></p>\n",
		    c->count[0] + c->count[1] == 2 ? ": one run on each side has no spread" : "");
	sbuf_str(out, rest);
}
