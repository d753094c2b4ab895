/* What can be set; slowtop-config(5) describes the same. */
#include <config.h>

#include "tui/settings-apply.h"
#include "tui/tui.h"
#include "view/timeline_pane.h"

/* Lists of words -------------------------------------------------------------------- */

#define WORDS(name, ...)                                                                 \
	static const char *name(int i)                                                   \
	{                                                                                \
		static const char *const words[] = {__VA_ARGS__};                        \
                                                                                         \
		return i >= 0 && i < (int)(sizeof(words) / sizeof(words[0])) ? words[i]  \
									     : NULL;     \
	}

/* clang-format off */
WORDS(word_base, [BASE_PARENT] = "parent", [BASE_TRACE] = "trace",
    [BASE_WINDOW] = "window")
WORDS(word_clock, [CLOCK_AUTO] = "auto", [CLOCK_CHOOSE_CPU] = "cpu",
    [CLOCK_CHOOSE_WALL] = "wall")
WORDS(word_color, [TUI_COLOUR_AUTO] = "auto", [TUI_COLOUR_NEVER] = "never",
    [TUI_COLOUR_ALWAYS] = "always")
WORDS(word_elision, [ELISION_AUTO] = "auto", [ELISION_NONE] = "none",
    [ELISION_SHORT] = "short")
WORDS(word_footer, [FOOTER_KEYS] = "keys", [FOOTER_FKEYS] = "fkeys")
WORDS(word_order, [ORDER_COVERAGE] = "coverage", [ORDER_CPU] = "cpu",
    [ORDER_NAME] = "name", [ORDER_ID] = "id")
WORDS(word_time, "relative", "absolute")
WORDS(word_units, "ms", "auto")
/* clang-format on */

/* Checks of texts ------------------------------------------------------------------- */

static bool
check_clipboard(struct str s, struct err *e)
{
	if (str_equal(s, STR("osc52")) || str_equal(s, STR("off")) ||
	    (str_starts(s, STR("cmd:")) && s.n > 4))
		return true;
	return err_set(e, ERR_MALFORMED, "want osc52, off or cmd:PROGRAM");
}

/* Tables ------------------------------------------------------------------------------ */

#define FIELD(name) offsetof(struct settings, name)

/* clang-format off */
const struct setting setting_table[] = {
	{ .name = "ascii", .type = &setting_switch, .field = FIELD(ascii),
	    .otherwise = "off", .values = "on or off", .at_start = true,
	    .help = "nothing outside of ASCII on the screen, as --ascii" },
	{ .name = "base", .type = &setting_word, .field = FIELD(base),
	    .otherwise = "parent", .word = word_base,
	    .apply = apply_base, .look = look_base,
	    .help = "what relation rows are in percent of, as the key %" },
	{ .name = "clipboard", .type = &setting_text, .field = FIELD(clipboard),
	    .otherwise = "osc52", .values = "osc52, off or cmd:PROGRAM",
	    .check = check_clipboard,
	    .help = "where y and Y put what they copy" },
	{ .name = "clock", .type = &setting_word, .field = FIELD(clock),
	    .otherwise = "auto", .word = word_clock,
	    .apply = apply_clock, .look = look_clock,
	    .help = "time to go by; auto: wall where the trace has it" },
	{ .name = "color", .type = &setting_word, .field = FIELD(color),
	    .otherwise = "auto", .word = word_color, .apply = apply_theme,
	    .help = "colours, as --color" },
	{ .name = "elision", .type = &setting_word, .field = FIELD(elision),
	    .otherwise = "auto", .word = word_elision,
	    .apply = apply_elision, .look = look_elision,
	    .help = "how names are made to fit, as the key p" },
	{ .name = "escape-time", .type = &setting_number, .field = FIELD(escape_time),
	    .otherwise = "50", .values = "1 to 5000 milliseconds",
	    .least = 1, .most = 5000, .apply = apply_escape_time,
	    .help = "how long a lone Esc waits for more, as --escape-time" },
	{ .name = "footer", .type = &setting_word, .field = FIELD(footer),
	    .otherwise = "keys", .word = word_footer,
	    .help = "which keys the last line shows: letters or function keys" },
	{ .name = "frame-budget", .type = &setting_time, .field = FIELD(frame_budget),
	    .otherwise = "16.7ms", .values = "a time with its unit",
	    .help = "calls that take longer are marked" },
	{ .name = "history", .type = &setting_switch, .field = FIELD(history),
	    .otherwise = "on", .values = "on or off",
	    .help = "keep what was typed in prompts for the next start" },
	{ .name = "lowbw", .type = &setting_switch, .field = FIELD(lowbw),
	    .otherwise = "off", .values = "on or off", .at_start = true,
	    .help = "few bytes for slow lines: ASCII, mono, a small timeline" },
	{ .name = "mouse", .type = &setting_switch, .field = FIELD(mouse),
	    .otherwise = "off", .values = "on or off", .apply = apply_mouse,
	    .help = "clicks and the wheel move the cursor, as the key M" },
	{ .name = "sort", .type = &setting_sort, .field = FIELD(sort),
	    .otherwise = "incl%", .values = "a column, + or - before it",
	    .apply = apply_sort, .look = look_sort,
	    .help = "order of the methods, as --sort" },
	{ .name = "sources", .type = &setting_text, .field = FIELD(sources),
	    .otherwise = "", .values = "folders with : between",
	    .help = "where the key e looks for source files" },
	{ .name = "theme", .type = &setting_word, .field = FIELD(theme),
	    .otherwise = "default", .word = theme_name, .apply = apply_theme,
	    .help = "set of colours" },
	{ .name = "thread-order", .type = &setting_word, .field = FIELD(thread_order),
	    .otherwise = "coverage", .word = word_order,
	    .apply = apply_thread_order, .look = look_thread_order,
	    .help = "order of the timeline's threads" },
	{ .name = "time", .type = &setting_word, .field = FIELD(time),
	    .otherwise = "relative", .word = word_time, .apply = apply_time,
	    .help = "times since the trace began, or of day, or of the log's clock" },
	{ .name = "timeline", .type = &setting_number, .field = FIELD(timeline),
	    .otherwise = "0", .values = "rows, 0: a quarter of the screen",
	    .least = 0, .most = 100, .apply = apply_timeline, .look = look_timeline,
	    .help = "rows of the timeline beside another view" },
	{ .name = "timeline-rows", .type = &setting_rows, .field = FIELD(timeline_rows),
	    .otherwise = "all", .values = "all, none, or load, cores, frequency, idle, "
	    "processes, states, calls, async, counters, instants, of which some",
	    .apply = apply_timeline_rows, .look = look_timeline_rows,
	    .help = "which rows the timeline has beside threads, as the key C there" },
	{ .name = "units", .type = &setting_word, .field = FIELD(units),
	    .otherwise = "ms", .word = word_units,
	    .apply = apply_units, .look = look_units,
	    .help = "times exact in ms, or four digits and a unit" },
};

const struct setting_section setting_sections[] = {
	{ "keys", NULL, "ACTION = KEY ...",
	    "keys that run an action, instead of all that it has",
	    set_key, action_name, get_key, NULL },
	{ "columns", NULL, "COLUMN = auto|on|off [WIDTH]",
	    "which columns the table has, and how wide; order = COLUMN ...",
	    set_column, column_name, get_column, apply_columns },
	{ "calls-columns", NULL, "COLUMN = auto|on|off [WIDTH]",
	    "the same of the calls of a method",
	    set_calls_column, calls_column_name, get_calls_column, apply_columns },
	{ "threads-columns", NULL, "COLUMN = auto|on|off [WIDTH]",
	    "the same of the view of the threads",
	    set_threads_column, threads_column_name, get_threads_column, apply_columns },
	{ "colors", "colours", "ROLE = [STYLE ...] COLOUR",
	    "what one thing on the screen looks like, whatever the theme",
	    set_color, theme_role, get_color, apply_theme },
	{ "packages", NULL, "NAME = PACKAGE ...",
	    "packages that belong together, under one name",
	    set_group, NULL, get_group, apply_groups },
};
/* clang-format on */

const size_t setting_count = sizeof(setting_table) / sizeof(setting_table[0]);
const size_t setting_section_count =
    sizeof(setting_sections) / sizeof(setting_sections[0]);
