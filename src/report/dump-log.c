/* dump-log: what a text log's lines say of slices, in the forms of dump (convert-log.h). */
#include <config.h>

#include "base/clean.h"
#include "base/csv.h"
#include "report/convert-log.h"

struct words {
	struct sbuf *out;
	unsigned clean;
};

static void
word(void *context, struct str key, struct str value)
{
	const struct words *w = context;

	sbuf_text(w->out, "  ");
	clean_append(w->out, key, w->clean);
	sbuf_char(w->out, '=');
	clean_append(w->out, value, w->clean);
}

void
dump_log_text(struct sbuf *out, const struct convert *c, uint64_t offset)
{
	struct words words = {out, c->ascii ? CLEAN_ASCII : 0};

	convert_log_args(c, offset, word, &words);
}

void
dump_log_csv_head(struct sbuf *out, const struct convert *c)
{
	if (c->trace->log != NULL)
		sbuf_text(out, ",task_id,level,category,chain_id,span_id,parent_span_id,args");
}

void
dump_log_csv(struct sbuf *out, const struct convert *c, bool begins, uint64_t offset)
{
	struct log_detail d;

	if (c->trace->log == NULL)
		return;
	if (!begins || !c->trace->log->detail(c->trace->log, offset, &d)) {
		sbuf_text(out, ",,,,,,,");
		return;
	}
	const struct str fields[] = {d.level, d.category, d.chain, d.span, d.parent, d.args};

	sbuf_char(out, ',');
	if (d.has_id)
		sbuf_number(out, d.id, 0);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		sbuf_char(out, ',');
		csv_field(out, fields[i]);
	}
}
