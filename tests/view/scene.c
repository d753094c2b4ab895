// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/scene.h"

#include "base/mem.h"

void
scene_open(struct scene *s)
{
	fixture_worked(&s->fixture, true);
	settings_init(&s->settings);
	app_init(&s->app, s->fixture.trace, &s->settings, true);
	s->app.s->now.state = LOAD_DONE;
	/* Another method than (toplevel) is the first. */
	list_sort(&s->app.s->methods.list, COLUMN_EXCL, false);
	app_layout(&s->app, 24, 80);
	display_set_fold(&s->app.s->display, fixture_fold(&s->fixture));
	methods_follow(&s->app.s->methods);
}

void
scene_close(struct scene *s)
{
	app_release(&s->app);
	settings_release(&s->settings);
	fixture_close(&s->fixture);
}

void
trees_come(struct scene *s)
{
	struct engine_paths *made = mem_zero(1, sizeof(*made));

	made->paths = paths_counted(s->fixture.profile, NULL, NULL, NULL, false, false, NULL);
	made->callers = callers_new(made->paths, NULL);
	made->range = RANGE_ALL;
	app_take_answer(&s->app, QUERY_PATHS, &(struct answer){.value = made});
}
