#include <config.h>

#include "report/text/htmlpage.h"

#include "base/html.h"

static const char style[] =
    ":root{color-scheme:light dark}\n"
    "body{font:15px/1.45 sans-serif;margin:1.5em;max-width:110em}\n"
    "nav a{margin-right:1em}\n"
    "pre,table{font:13px/1.4 monospace}\n"
    "table{border-collapse:collapse;margin:.5em 0}\n"
    "th,td{padding:.1em .6em;text-align:left;vertical-align:top}\n"
    "th{position:sticky;top:0;background:Canvas;border-bottom:1px solid GrayText}\n"
    "th button{font:inherit;border:0;background:none;color:inherit;padding:0;cursor:pointer}\n"
    "th[aria-sort=ascending] button::after{content:\" \\25b2\"}\n"
    "th[aria-sort=descending] button::after{content:\" \\25bc\"}\n"
    ".n{text-align:right;white-space:pre}\n"
    "tbody tr:hover,summary:hover{background:rgba(128,128,128,.2)}\n"
    "pre{margin:0;padding:.4em 0;border-top:1px solid GrayText;overflow-x:auto}\n"
    "pre:target{outline:2px solid Highlight}\n"
    "a{text-decoration:none}a:hover{text-decoration:underline}\n"
    ".skip{position:absolute;left:-99em}.skip:focus{left:1em;top:.5em;background:Canvas}\n"
    "summary{font:13px/1.4 monospace;white-space:pre-wrap;cursor:pointer}\n"
    "details table{margin-left:2em}\n"
    ".worse{color:#b00020}.better{color:#007a3d}\n"
    "@media(prefers-color-scheme:dark){.worse{color:#ff8a80}.better{color:#69f0ae}}\n";

static const char script[] =
    "'use strict';\n"
    "document.querySelectorAll('table.sortable').forEach(function(table){\n"
    " var heads=Array.from(table.tHead.rows[0].cells),body=table.tBodies[0];\n"
    " heads.forEach(function(head,column){\n"
    "  var button=document.createElement('button'),number=head.classList.contains('n');\n"
    "  button.type='button';button.textContent=head.textContent;\n"
    "  head.textContent='';head.appendChild(button);\n"
    "  button.addEventListener('click',function(){\n"
    "   var was=head.getAttribute('aria-sort');\n"
    "   var down=was?was==='ascending':number;\n"
    "   heads.forEach(function(h){h.removeAttribute('aria-sort');});\n"
    "   head.setAttribute('aria-sort',down?'descending':'ascending');\n"
    "   var rows=Array.from(body.rows).map(function(row){\n"
    "    var text=row.cells[column].textContent;\n"
    "    return [number?parseFloat(text)||0:text,row];});\n"
    "   rows.sort(function(a,b){var o=a[0]<b[0]?-1:a[0]>b[0]?1:0;return down?-o:o;});\n"
    "   rows.forEach(function(r){body.appendChild(r[1]);});\n"
    "  });});});\n"
    "document.querySelectorAll('button[data-open]').forEach(function(button){\n"
    " button.addEventListener('click',function(){\n"
    "  button.closest('section').querySelectorAll('details').forEach(function(d){\n"
    "   d.open=button.dataset.open==='1';});});});\n";

void
htmlpage_begin(struct sbuf *out, const struct htmlpage *page)
{
	sbuf_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		       "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
	html_text(out, page->title);
	sbuf_text(out, "</title>\n<style>\n");
	sbuf_text(out, style);
	if (page->style != NULL)
		sbuf_text(out, page->style);
	sbuf_text(out, "</style>\n");
	if (page->script_base != NULL) {
		sbuf_text(out, "<script src=\"");
		html_text(out, str_from(page->script_base));
		sbuf_text(out, "sortable.js\"></script>\n");
	}
	sbuf_text(out, "</head>\n<body>\n");
	if (page->skip_to != NULL)
		sbuf_printf(out, "<a class=\"skip\" href=\"#%s\">Skip to the figures</a>\n",
		    page->skip_to);
	sbuf_text(out, "<h1>");
	html_text(out, page->title);
	sbuf_text(out, "</h1>\n");
}

void
htmlpage_end(struct sbuf *out, const struct htmlpage *page)
{
	sbuf_text(out, "<script>\n");
	sbuf_text(out, script);
	if (page->script != NULL)
		sbuf_text(out, page->script);
	sbuf_text(out, "</script>\n</body>\n</html>\n");
}
