// SPDX-License-Identifier: Apache-2.0
/*
 * names: what events of Chrome's Trace Event Format are of and are called, as indexes: texts,
 * names, processes, threads, and asynchronous rows.
 */
#include <config.h>

#include "base/mem.h"
#include "format/json/chrome.h"
#include "format/log/line.h"

enum {
	ID_MADE = 1000000000, /* ids from here on are of processes whose ids are no numbers */
};

/* Names ------------------------------------------------------------------------------ */

uint32_t
chrome_key_index(struct chrome_trace *c, struct intern *in, struct str text, uint64_t kind, size_t count)
{
	uint32_t index = intern_find(in, text, kind);

	if (index == IDMAP_NONE && count < CHROME_ROWS_MOST)
		index = intern_add(in, arena_str(&c->kept, text), kind);
	return index != IDMAP_NONE ? index : CHROME_ROWS_MOST;
}

struct str
chrome_text_keep(struct chrome_trace *c, struct str raw)
{
	uint32_t index;

	if (raw.n == 0)
		return (struct str){"", 0};
	if (memchr(raw.p, '\\', raw.n) == NULL)
		return raw;
	sbuf_clear(&c->text);
	jscan_unescape(&c->text, raw);
	index = chrome_key_index(c, &c->texts, sbuf_view(&c->text), CHROME_TEXT, 0);
	return c->texts.items[index].text;
}

/* Finds the category's number, from 1; 0: none. */
static uint32_t
category_of(struct chrome_trace *c, const struct chrome_fields *f)
{
	return f->text[FIELD_CAT].n == 0 ? 0
	    : 1 + intern_add(&c->texts, chrome_text_keep(c, f->text[FIELD_CAT]), CHROME_TEXT_CATEGORY);
}

static uint32_t
name_index(struct chrome_trace *c, const struct chrome_fields *f, uint32_t category)
{
	return intern_add(&c->names, chrome_text_keep(c, f->text[FIELD_NAME]), category);
}

/* Finds the name with the argument that is asked for after it. */
static uint32_t
detailed_name(struct chrome_trace *c, const struct chrome_fields *f)
{
	struct jscan_value detail = jscan_find(f->text[FIELD_ARGS], c->detail);
	struct str name;
	uint32_t index;

	if (detail.kind != '"' && detail.kind != '0')
		return name_index(c, f, 0);
	name = chrome_text_keep(c, f->text[FIELD_NAME]);
	sbuf_clear(&c->text);
	sbuf_str(&c->text, name);
	sbuf_char(&c->text, ' ');
	jscan_unescape(&c->text, detail.text);
	index = chrome_key_index(c, &c->texts, sbuf_view(&c->text), CHROME_TEXT, 0);
	return intern_add(&c->names, c->texts.items[index].text, 0);
}

uint32_t
chrome_name_find(struct chrome_trace *c, const struct chrome_fields *f, enum chrome_kind kind)
{
	bool pairs = kind == CHROME_BEGIN || kind == CHROME_END;

	return kind == CHROME_COMPLETE && *c->detail != '\0' ? detailed_name(c, f)
	    : name_index(c, f, pairs ? category_of(c, f) : 0);
}

/* Processes and threads ---------------------------------------------------------------- */

/* Makes a key of an id: 7.0 is 7. */
static struct str
id_key_of(struct str id)
{
	if (id.n > 2 && id.p[id.n - 2] == '.' && id.p[id.n - 1] == '0')
		id.n -= 2;
	return id;
}

bool
chrome_id_number(struct str text, uint32_t *number)
{
	struct str id = id_key_of(text);
	bool minus = id.n > 1 && *id.p == '-';
	uint32_t n = 0;

	for (size_t i = minus; i < id.n; i++) {
		if (!is_digit(id.p[i]))
			return false;
		n = n * 10 + (uint32_t)(id.p[i] - '0');
	}
	*number = minus ? 0 - n : n;
	return id.n > 0;
}

uint32_t
chrome_process_find(struct chrome_trace *c, const struct chrome_fields *f)
{
	struct str key = chrome_text_keep(c, f->text[FIELD_PID].n > 0 ? id_key_of(f->text[FIELD_PID]) : STR("0"));
	uint32_t index = chrome_key_index(c, &c->process_keys, key, 0, c->process_count);
	struct chrome_process *p;

	if (index != c->process_count || index == CHROME_ROWS_MOST)
		return index;
	p = MEM_ADD(c->processes, c->process_count, c->process_room);
	*p = (struct chrome_process){.pid = ID_MADE + index};
	if (!chrome_id_number(key, &p->pid)) {
		p->name = c->process_keys.items[index].text;
		return index;
	}
	/* Two may have one number, as 1 and 2^32 + 1. */
	if (p->pid == LOGLINE_NOBODY || idmap_add(&c->pids, p->pid, index) != index)
		p->pid = ID_MADE + index;
	return index;
}

uint32_t
chrome_thread_find(struct chrome_trace *c, const struct chrome_fields *f)
{
	uint32_t process = chrome_process_find(c, f), index;
	struct chrome_thread *t;
	struct str key;

	if (process == CHROME_ROWS_MOST)
		return CHROME_ROWS_MOST;
	key = f->text[FIELD_TID].n > 0 ? chrome_text_keep(c, id_key_of(f->text[FIELD_TID]))
				 : c->process_keys.items[process].text;
	index = chrome_key_index(c, &c->thread_keys, key, process, c->thread_count);
	if (index != c->thread_count || index == CHROME_ROWS_MOST)
		return index;
	t = MEM_ADD(c->threads, c->thread_count, c->thread_room);
	*t = (struct chrome_thread){.process = process, .id = 1 + index, .last = INT64_MIN};
	if (!chrome_id_number(key, &t->id))
		t->name = c->thread_keys.items[index].text;
	return index;
}

void
chrome_meta_take(struct chrome_trace *c, const struct chrome_fields *f)
{
	struct str what = f->text[FIELD_NAME];
	bool sort = str_equal(what, STR("process_sort_index")) ||
	    str_equal(what, STR("thread_sort_index"));
	bool process = str_starts(what, STR("process_"));
	struct jscan_value v;
	struct str name;
	uint32_t index;
	int64_t number;

	if (!sort && !str_equal(what, STR("process_name")) && !str_equal(what, STR("thread_name")))
		return;
	v = jscan_find(f->text[FIELD_ARGS], sort ? "sort_index" : "name");
	index = process ? chrome_process_find(c, f) : chrome_thread_find(c, f);
	if (index == CHROME_ROWS_MOST)
		return;
	if (sort && jscan_ns(v.text, &number)) {
		if (process)
			c->processes[index].sort = number;
		else
			c->threads[index].sort = number;
	} else if (!sort && v.kind == '"') {
		name = chrome_text_keep(c, v.text);
		if (process)
			c->processes[index].name = name;
		else
			c->threads[index].name = name;
	}
}

/* Asynchronous rows -------------------------------------------------------------------- */

uint32_t
chrome_async_find(struct chrome_trace *c, const struct chrome_fields *f, bool by_name)
{
	struct jscan_value id = {f->kind[FIELD_ID], f->text[FIELD_ID]};
	uint32_t process = chrome_process_find(c, f), index;
	struct sbuf key = {0};
	bool local = false;

	if (id.kind == 0) {
		id = jscan_find(f->text[FIELD_ID2], "global");
		local = id.kind == 0;
	}
	if (local)
		id = jscan_find(f->text[FIELD_ID2], "local");
	sbuf_printf(&key, "%d %lu ", by_name, local ? process + 1ul : 0);
	sbuf_str(&key, id.text);
	for (int i = 0; i < 3; i++) {
		struct str part = f->text[i == 0 ? FIELD_CAT : i == 1 ? FIELD_SCOPE : FIELD_NAME];

		sbuf_char(&key, '\0');
		if (i < 2 || by_name)
			sbuf_str(&key, part);
	}
	index = process == CHROME_ROWS_MOST ? process
	    : chrome_key_index(c, &c->async_keys, sbuf_view(&key), 0, c->async_count);
	sbuf_release(&key);
	if (index == c->async_count && index < CHROME_ROWS_MOST) {
		const int label = f->text[FIELD_CAT].n > 0 ? FIELD_CAT : FIELD_NAME;

		*MEM_ADD(c->asyncs, c->async_count, c->async_room) = (struct chrome_async){
		    .process = process, .label = chrome_text_keep(c, f->text[label]),
		    .open = {.row = THREAD_NONE}};
	}
	return index;
}
