// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "format/format.h"
#include "tap/tap.h"
#include "tests/folded.h"

static void
put(struct fixture *f, const void *bytes, size_t n)
{
	MEM_GROW(f->bytes, f->room, f->size + n);
	memcpy(f->bytes + f->size, bytes, n);
	f->size += n;
}

static void
put_text(struct fixture *f, const char *text)
{
	put(f, text, strlen(text));
}

static void
put_number(struct fixture *f, uint64_t value, int bytes)
{
	for (int i = 0; i < bytes; i++) {
		unsigned char byte = (unsigned char)(value >> (8 * i));

		put(f, &byte, 1);
	}
}

uint32_t
fixture_method(int index)
{
	return (uint32_t)index + 1;
}

void
fixture_open(struct fixture *f, const char *clock, const char *threads,
    const struct fixture_method *methods, int method_count,
    const struct fixture_event *events, int event_count, bool utf8)
{
	struct err e = {0};
	char line[4096];

	*f = (struct fixture){0};
	snprintf(line, sizeof line, "*version\n3\nclock=%s\npid=1\n*threads\n", clock);
	put_text(f, line);
	put_text(f, threads);
	put_text(f, "*methods\n");
	for (int i = 0; i < method_count; i++) {
		snprintf(line, sizeof line, "0x%x\t%s\t%s\t%s\tSource.java\t%d\n",
		    i * 4 + 4, methods[i].class_name, methods[i].name,
		    methods[i].signature, i + 1);
		put_text(f, line);
	}
	put_text(f, "*end\nSLOW");
	put_number(f, 3, 2);
	put_number(f, 32, 2);
	put_number(f, 1374704182329540u, 8);
	put_number(f, 14, 2);
	for (int i = 0; i < 14; i++)
		put_number(f, 0, 1);
	for (int i = 0; i < event_count; i++) {
		put_number(f, (uint64_t)events[i].thread, 2);
		put_number(f,
		    (uint64_t)events[i].method * 4 + 4 +
			(events[i].action == '<' ? 1 : 0),
		    4);
		put_number(f, events[i].cpu_us, 4);
		put_number(f, events[i].wall_us, 4);
	}
	f->trace = format_open_memory(f->bytes, f->size, "dir/test.trace", &e);
	if (f->trace == NULL) {
		diag("the fixture's trace cannot be opened: %s", e.what);
		exit(1);
	}
	f->profile = profile_new(f->trace);
	while (profile_load(f->profile, 1000, &e) == LOAD_MORE)
		;
	f->names = names_new(f->trace, utf8);
}

void
fixture_close(struct fixture *f)
{
	names_free(f->names);
	profile_free(f->profile);
	trace_free(f->trace);
	mem_free(f->bytes);
}

struct fold *
fixture_fold(const struct fixture *f)
{
	return fold_new(f->profile, NULL, NULL, NULL);
}

void
fixture_methods(struct methods *m, struct display *t, const struct fixture *f, int height)
{
	display_init(t, f->trace, f->names);
	display_set_fold(t, fixture_fold(f));
	methods_init(m, t);
	list_sort(&m->list, COLUMN_INCL_PERCENT, false);
	methods_follow(m);
	list_set_size(&m->list, height, 80);
}

void
fixture_worked(struct fixture *f, bool utf8)
{
	static const struct fixture_method methods[] = {
	    [M_RUN] = {"app/Main", "run", "()V"},
	    [M_FACT] = {"app/Math", "fact", "(I)I"},
	    [M_EVEN] = {"app/Parity", "even", "(I)Z"},
	    [M_ODD] = {"app/Parity", "odd", "(I)Z"},
	    [M_LOAD] = {"app/Io", "load", "()V"},
	    [M_FAIL] = {"app/Io", "fail", "()V"},
	    [M_LOOP] = {"app/Work", "loop", "()V"},
	};
	static const struct {
		int thread;
		char action;
		int method;
		unsigned us;
	} steps[] = {
	    {1, '>', M_RUN, 0},
	    {2, '>', M_LOOP, 0},
	    {1, '>', M_FACT, 10},
	    {1, '>', M_FACT, 20},
	    {1, '>', M_FACT, 30},
	    {2, '>', M_ODD, 40},
	    {1, '<', M_FACT, 50},
	    {1, '<', M_FACT, 60},
	    {1, '<', M_FACT, 80},
	    {2, '<', M_ODD, 90},
	    {1, '>', M_EVEN, 100},
	    {2, '>', M_LOAD, 100},
	    {1, '>', M_ODD, 110},
	    {1, '>', M_EVEN, 125},
	    {1, '>', M_ODD, 145},
	    {1, '<', M_ODD, 150},
	    {1, '<', M_EVEN, 160},
	    {2, '<', M_LOAD, 160},
	    {1, '<', M_ODD, 170},
	    {1, '<', M_EVEN, 190},
	    {1, '>', M_LOAD, 200},
	    {2, '<', M_LOOP, 200},
	    {1, '>', M_FAIL, 230},
	    {1, '<', M_FAIL, 250},
	    {1, '<', M_LOAD, 260},
	    {1, '<', M_RUN, 300},
	};
	enum { STEPS = sizeof steps / sizeof *steps };
	struct fixture_event events[STEPS];

	for (int i = 0; i < STEPS; i++)
		events[i] = (struct fixture_event){steps[i].thread, steps[i].action,
		    steps[i].method, steps[i].us, 2 * steps[i].us};
	fixture_open(f, "dual", "1\tmain\n2\tworker\n", methods,
	    sizeof methods / sizeof *methods, events, STEPS, utf8);
}

void
fixture_many(struct fixture *f, int count, bool utf8)
{
	struct fixture_method *methods = mem_zero((size_t)count, sizeof *methods);
	struct fixture_event *events = mem_zero((size_t)count * 2, sizeof *events);
	char(*names)[16] = mem_zero((size_t)count, sizeof *names);
	unsigned us = 0;

	for (int i = 0; i < count; i++) {
		snprintf(names[i], sizeof names[i], "m%d", i);
		methods[i] =
		    (struct fixture_method){"com/example/feed/Class", names[i], "()V"};
		events[2 * i] = (struct fixture_event){1, '>', i, us, us};
		us += (unsigned)(count - i) * 10;
		events[2 * i + 1] = (struct fixture_event){1, '<', i, us, us};
	}
	fixture_open(f, "dual", "1\tmain\n", methods, count, events, 2 * count, utf8);
	mem_free(methods);
	mem_free(events);
	mem_free(names);
}

static FILE *
open_golden(const char *name, const char *mode)
{
	const char *top = getenv("SRCDIR");
	char path[1024];

	snprintf(path, sizeof path, "%s/tests/golden/view/%s.txt",
	    top != NULL ? top : "..", name);
	return fopen(path, mode);
}

void
screen_is(const struct canvas *c, const char *name)
{
	FILE *file = open_golden(name, getenv("SLOWTOP_ACCEPT") != NULL ? "w+" : "r");
	char want[4096];
	int wrong = 0;

	if (file == NULL) {
		ok(false, "%s: no golden file", name);
		return;
	}
	for (int row = 0; row < c->rows; row++) {
		char *got = canvas_row(c, row);

		if (getenv("SLOWTOP_ACCEPT") != NULL) {
			fprintf(file, "%s\n", got);
		} else if (fgets(want, sizeof want, file) == NULL ||
			   strcspn(want, "\n") != strlen(got) ||
			   memcmp(want, got, strlen(got)) != 0) {
			diag("line %d is  [%s]", row, got);
			diag("should be  [%.*s]", (int)strcspn(want, "\n"), want);
			wrong++;
		}
		mem_free(got);
	}
	wrong +=
	    getenv("SLOWTOP_ACCEPT") == NULL && fgets(want, sizeof want, file) != NULL;
	fclose(file);
	is_int(wrong, 0, "%s", name);
}
