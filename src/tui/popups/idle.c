// SPDX-License-Identifier: Apache-2.0
/* Idle time: in all figures or in none, and the rules that tell it. */
#include <config.h>

#include "tui/app.h"
#include "tui/popups/popup.h"
#include "tui/settings/settings.h"
#include "view/names/looks.h"

/* Its place among the transforms; their count when idle time is not hidden. */
static size_t
place(const struct app *app)
{
	const struct transforms *t = &app->s->subset.transforms;
	size_t i = 0;

	while (i < t->count && t->list[i].id != TRANSFORM_IDLE)
		i++;
	return i;
}

/* By the rules as they are, in the place of the one at `i`; says why not. */
static bool
hide(struct app *app, size_t i)
{
	struct transforms *t = &app->s->subset.transforms;
	struct sbuf pattern = {0};
	struct err e = {0};
	bool good;

	idle_pattern(&app->settings->idle, &pattern);
	if (pattern.n == 0)
		err_set(&e, ERR_MALFORMED, "all idle rules are off (:idle-rules)");
	good = pattern.n > 0 && transforms_add_text(t, TRANSFORM_IDLE, sbuf_view(&pattern), &e);
	sbuf_release(&pattern);
	if (!good)
		return app_complain(app, "%s", e.what);
	transforms_replace(t, i);
	app_say(app, "idle time is hidden (_ shows it, :idle-rules lists the rules)");
	return true;
}

void
cmd_hide_idle(struct app *app)
{
	struct transforms *t = &app->s->subset.transforms;
	size_t i = place(app);

	app_note(app);
	if (i == t->count || t->list[i].off) {
		if (hide(app, i))
			t->list[i].off = false;
		return;
	}
	transforms_remove(t, i);
	app_say(app, "idle time counts again");
}

void
idle_changed(struct app *app)
{
	size_t i = place(app);

	looks_set_idle(names_looks(app->s->names), &app->settings->idle);
	if (i == app->s->subset.transforms.count)
		return;
	app_note(app);
	if (!hide(app, i))
		transforms_remove(&app->s->subset.transforms, i);
}

/* The rules -------------------------------------------------------------------------- */

static void
fill(struct app *app)
{
	const struct idle_rules *rules = &app->settings->idle;

	for (size_t i = 0; i < rules->count; i++) {
		const struct idle_rule *rule = &rules->list[i];

		popup_add(app, i, rule->on ? "[x]" : "[ ]", "%-12s %s%s", rule->name,
		    rule->help[0] != '\0' ? "waits for " : "",
		    rule->help[0] != '\0' ? rule->help : rule->pattern);
	}
}

static void
toggle(struct app *app, uint64_t id)
{
	const struct idle_rule *rule = &app->settings->idle.list[id];

	(void)settings_change(app->settings, STR("idle"), str_from(rule->name),
	    rule->on ? STR("off") : STR("on"), NULL);
	idle_changed(app);
}

const struct popup_ops idle_list = {
    .title = "rules of idle time",
    .width = 76,
    .fill = fill,
    .acts = {
        {LIST_TOGGLE, toggle, "on/off", false, false},
        {LIST_CHOOSE, NULL, "done", true, true},
    },
};
