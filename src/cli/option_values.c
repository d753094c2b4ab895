// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "cli/option_values.h"

#include <string.h>
#include <unistd.h>

#include "base/conf.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/outfile.h"
#include "report/triage.h"
#include "tui/screens/screens.h"
#include "tui/tui.h"

/* The words that options allow --------------------------------------------------- */

static const char *const clock_words[] = {[CLOCK_CPU] = "cpu", [CLOCK_WALL] = "wall"};
static const char *const colour_words[] = {
    [TUI_COLOUR_AUTO] = "auto",
    [TUI_COLOUR_NEVER] = "never",
    [TUI_COLOUR_ALWAYS] = "always",
};
static const char *const version_words[] = {"1", "2"};
static const char *const fold_words[] = {"no", "yes"};
static const char *const level_words[] = {"debug", "info", "critical", "commercial"};

/* Columns of methods; what came last is known of what is followed only. */
static const char *
sort_word(int i)
{
	const struct column *c = column_table;

	while (c->id != NULL && ((c->flags & (LIST_RATE | LIST_COMPARED)) != 0 || i-- > 0))
		c++;
	return c->id;
}

static const char *const gate_words[] = {"runs", "point"},
		  *const unsure_words[] = {"tell", "pass", "fail"};

/* A table whose rows name themselves by `member`, and a list of words. */
#define TABLE(table, member, ...)                                                        \
	{.rows = (table), .first = &(table)->member, .stride = sizeof(*(table)), __VA_ARGS__}
#define LIST(words, n)                                                                   \
	{.rows = (words), .first = (words), .stride = sizeof(*(words)), .count = (n)}

/* clang-format off */
const struct option_words
    words_format = TABLE(report_formats, name, .counted = &report_format_count),
    words_view = TABLE(report_views, name, .counted = &report_view_count),
    words_flame = TABLE(flame_formats, name, .counted = &flame_format_count),
    words_dump = TABLE(dump_formats, name, .counted = &dump_format_count),
    words_convert = TABLE(convert_formats, name, .counted = &convert_format_count),
    words_diff = TABLE(diffreport_formats, name, .counted = &diffreport_format_count),
    words_column = {.word = sort_word},
    words_diff_view = LIST(diff_view_words, DIFF_VIEWS),
    words_diff_hue = LIST(pathstep_hue_words, PATHSTEP_HUES),
    words_diff_column = {.word = diff_column_word},
    words_gate = LIST(gate_words, 2),
    words_unsure = LIST(unsure_words, 3),
    words_diff_value = LIST(diff_value_words, DIFF_VALUES),
    words_clock = LIST(clock_words, CLOCKS),
    words_fold = LIST(fold_words, 2),
    words_mode = TABLE(modes, word, .counted = &mode_count),
    words_record_clock = LIST(clock_choices, CLOCK_WORDS),
    words_keep = LIST(keep_choices, KEEP_WORDS),
    words_version = LIST(version_words, 2),
    words_colour = LIST(colour_words, 3),
    words_level = LIST(level_words, 4),
    words_triage = LIST(triage_formats, TRIAGE_FORMATS),
    words_kind = TABLE(finding_kinds, word, .count = FINDING_KINDS),
    words_start = {.word = views_word};
/* clang-format on */

const char *
option_word(const struct option_words *w, int i)
{
	if (w->word != NULL)
		return w->word(i);
	if (i >= (w->counted != NULL ? *w->counted : w->count))
		return NULL;
	return *(const char *const *)((const char *)w->first + w->stride * (size_t)i);
}

int
option_word_find(const struct option_words *w, const char *value)
{
	const char *word;

	for (int i = 0; (word = option_word(w, i)) != NULL; i++)
		if (strcmp(word, value) == 0)
			return i;
	return -1;
}

/* Values ---------------------------------------------------------------------------- */

/* A whole number. */
static bool
number(const char *value, unsigned least, unsigned most, unsigned *out, struct err *why)
{
	uint64_t n;
	const char *p = digits_take(value, value + strlen(value), 18, &n);

	if (p == value || *p != '\0' || n < least || n > most)
		return err_set(why, ERR_MALFORMED, "expected a number from %u to %u", least, most);
	*out = (unsigned)n;
	return true;
}

/* A number with up to three decimals before `end`, in thousandths. */
static bool
thousandths(const char *text, const char *end, unsigned most, unsigned *out, struct err *why)
{
	unsigned whole = 0, unit = 1000;
	const char *p = text;

	for (; is_digit(*p) && whole <= most; p++)
		whole = whole * 10 + (unsigned)(*p - '0');
	*out = whole <= most ? whole * unit : 0;
	if (p > text && *p == '.')
		for (p++; is_digit(*p) && unit > 1; p++) {
			unit /= 10;
			*out += (unsigned)(*p - '0') * unit;
		}
	if (p == text || strcmp(p, end) != 0 || whole > most || *out > most * 1000)
		return err_set(why, ERR_MALFORMED,
		    "expected a number from 0 to %u, with at most three decimals", most);
	return true;
}

/* Ten million percent: no method is too slow then. */
enum { FAIL_PERCENT_MOST = 1000000 };

/* The last of a name counts. */
static void
override(struct options *o, const char *name, const char *value)
{
	int i = 0;

	while (i < o->override_count && strcmp(o->overrides[i].name, name) != 0)
		i++;
	if (i == OVERRIDES_MAX)
		return;
	o->overrides[i] = (struct override){name, value};
	if (i == o->override_count)
		o->override_count++;
}

bool
view_take(struct options *o, const char *value, struct err *why)
{
	int i = option_word_find(&words_view, value);

	if (i < 0 && views_find(value) < VIEWS)
		return err_set(why, ERR_UNSUPPORTED,
		    "only the screen has it, and this is printed; that has methods, tree, "
		    "bottom-up, calls, threads and more (see --help)");
	if (i < 0)
		return false;
	o->report.view = &report_views[i];
	return true;
}

bool
start_view_take(struct options *o, const char *value, struct err *why)
{
	if (views_find(value) == VIEWS)
		return false;
	o->start_view = value;
	return true;
}

bool
sort_take(struct options *o, const char *value, struct err *why)
{
	o->report.sort = value;
	return report_is_column(value + strspn(value, "+-"));
}

/* "4000000", "512M", "20G"; at most half of what 64 bits can count. */
static bool
size(const char *value, uint64_t *bytes, struct err *why)
{
	static const char units[] = "KMGT";
	uint64_t n;
	const char *end = digits_take(value, value + strlen(value), 18, &n);
	const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
	unsigned shift = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;

	if (n == 0 || n > (uint64_t)INT64_MAX >> shift ||
	    (*end != '\0' && (unit == NULL || end[1] != '\0')))
		return err_set(why, ERR_MALFORMED, "expected bytes, as 4000000 or 20G");
	*bytes = n << shift;
	return true;
}

bool
option_sides_take(const char *sides[DIFF_SIDES], const char *value)
{
	if (sides[DIFF_A] == NULL)
		sides[DIFF_A] = value;
	sides[DIFF_B] = value;
	return true;
}

bool
mapping_take(struct options *o, const char *value, struct err *why)
{
	if (o->mark_count == 0)
		return option_sides_take(o->mapping, value);
	*MEM_ADD(o->mappings, o->mapping_count, o->mapping_room) =
	    (struct side_file){value, o->place};
	return true;
}

bool
rename_take(struct options *o, const char *value, struct err *why)
{
	return renames_add(&o->renames, value, why);
}

bool
name_take(struct options *o, const char *value, struct err *why)
{
	if (o->name_count == NAMES_MOST)
		return err_set(why, ERR_LIMIT, "at most %d traces are named", NAMES_MOST);
	o->names[o->name_count++] = value;
	return true;
}

bool
tag_take(struct options *o, const char *value, struct err *why)
{
	int tag = log_tag_find(str_from(value));

	if (tag < 0)
		return err_set(why, ERR_MALFORMED, "expected the name or number of a HiTrace tag");
	o->choice.tags |= UINT64_C(1) << tag;
	return true;
}

bool
level_take(struct options *o, const char *value, struct err *why)
{
	int i = option_word_find(&words_level, value);

	if (i < 0)
		return false;
	o->choice.level = "DICM"[i];
	return true;
}

bool
calls_take(struct options *o, const char *value, struct err *why)
{
	if (o->start_view == NULL)
		o->start_view = "calls";
	return report_calls_add(&o->report, value, why);
}

bool
output_take(struct options *o, const char *value, struct err *why)
{
	o->output = strcmp(value, "-") == 0 ? NULL : value;
	return true;
}

bool
config_take(struct options *o, const char *value, struct err *why)
{
	o->config = value;
	o->no_config = false;
	return true;
}

bool
diff_sort_take(struct options *o, const char *value, struct err *why)
{
	char sign = *value == '+' || *value == '-' ? *value : '\0';
	enum diff_column column = diff_column_find(str_from(value + (sign != '\0')));

	if (column == DIFF_COLUMNS)
		return false;
	o->diff.sort = column;
	o->diff.ascending = sign != '\0' ? sign == '+' : column_ascends(&diff_columns[column]);
	return true;
}

static bool
side_take(struct options *o, int side)
{
	*MEM_ADD(o->marks, o->mark_count, o->mark_room) = (struct side_mark){o->place, side};
	return true;
}

bool
base_take(struct options *o, const char *value, struct err *why)
{
	return side_take(o, DIFF_A);
}

bool
new_take(struct options *o, const char *value, struct err *why)
{
	return side_take(o, DIFF_B);
}

enum { PERCENT_CHARS = 32 };

/* A percentage, or a number of the unit `%`, as a share. */
static bool
share_take(const char *value, unsigned most, double *share, struct err *why)
{
	size_t n = strlen(value);
	unsigned number;

	if (n == 0 || n > PERCENT_CHARS || value[n - 1] != '%')
		return err_set(why, ERR_MALFORMED, "expected a percentage, as 10%%");
	if (!thousandths(value, "%", most, &number, why))
		return false;
	*share = number / 100000.0;
	return true;
}

bool
diff_min_take(struct options *o, const char *value, struct err *why)
{
	size_t n = strlen(value);

	if (n > 0 && value[n - 1] == '%')
		return share_take(value, 100, &o->runs.decide.change_least, why);
	o->diff.min_given = true;
	return timetext_parse(str_from(value), &o->diff.min, why);
}

bool
error_take(struct options *o, const char *value, struct err *why)
{
	return share_take(value, 50, &o->runs.decide.alpha, why) && (o->runs.decide.alpha > 0 ||
	    err_set(why, ERR_MALFORMED, "expected more than 0"));
}

bool
allow_take(struct options *o, const char *value, struct err *why)
{
	return runs_limit_add(&o->runs, value, why);
}

bool
normalize_take(struct options *o, const char *value, struct err *why)
{
	return runs_normalize_set(&o->runs, value, why);
}

bool
diff_fail_take(struct options *o, const char *value, struct err *why)
{
	size_t n = strlen(value);

	if (n == 0 || value[n - 1] != '%') {
		o->diff.fail_time_given = true;
		return timetext_parse(str_from(value), &o->diff.fail_time, why);
	}
	if (n > PERCENT_CHARS)
		return err_set(why, ERR_MALFORMED,
		    "expected a time or a percentage, as 5ms or 10%%");
	o->diff.fail_percent_given = true;
	return thousandths(value, "%", FAIL_PERCENT_MOST, &o->diff.fail_percent, why);
}

bool
kind_take(struct options *o, const char *value, struct err *why)
{
	enum finding_kind kind = finding_kind_of(str_from(value));

	if (kind < FINDING_KINDS)
		o->triage.kinds |= 1u << kind;
	return kind < FINDING_KINDS;
}

/* KIND=VALUE. */
bool
finding_take(struct options *o, const char *value, struct err *why)
{
	struct str rest = str_from(value), kind = str_cut(&rest, '=');

	if (rest.p == NULL)
		return err_set(why, ERR_MALFORMED, "expected as stall=250ms or calls=off");
	return finding_rules_set(&o->triage.rules, kind, rest, why);
}

struct rules_reading {
	struct finding_rules *rules;
	struct err *why; /* the first line that is none */
	bool bad;
};

static void
rule_take(void *context, const struct conf_entry *entry)
{
	struct rules_reading *r = context;
	struct err e = {0};

	if (r->bad || !str_equal(entry->section, STR("findings")))
		return;
	if (entry->fault != NULL)
		err_set(&e, ERR_MALFORMED, "%s", entry->fault);
	if (entry->fault == NULL && finding_rules_set(r->rules, entry->key, entry->value, &e))
		return;
	r->bad = true;
	err_set(r->why, ERR_MALFORMED, "line %d: %s", entry->line, e.what);
}

bool
rules_take(struct options *o, const char *value, struct err *why)
{
	struct rules_reading r = {&o->triage.rules, why, false};
	struct sbuf text = {0};
	bool good = (access(value, F_OK) == 0 || err_system(why, "cannot open")) &&
	    textfile_read(value, &text, why);

	if (good)
		conf_read(sbuf_view(&text), rule_take, &r);
	sbuf_release(&text);
	return good && !r.bad;
}

/* KIND, KIND:TIME, KIND:longest:TIME. */
bool
fail_on_take(struct options *o, const char *value, struct err *why)
{
	struct str rest = str_from(value), kind = str_cut(&rest, ':');
	struct triage_fail fail = {.kind = finding_kind_of(kind), .given = rest.p != NULL};

	if (fail.kind == FINDING_KINDS && !str_equal(kind, STR("any")))
		return err_set(why, ERR_MALFORMED, "there is no finding '%.*s'", STR_ARG(kind));
	if (rest.p != NULL && str_starts(rest, STR("longest:"))) {
		fail.longest = true;
		(void)str_cut(&rest, ':');
	}
	if (fail.longest && fail.kind > FINDING_FRAMES)
		return err_set(why, ERR_MALFORMED, "only anr, stall, late and frames have a longest one");
	if (rest.p != NULL && !timetext_parse_in(rest, STR("ms"), &fail.most, why))
		return false;
	if (o->triage.fail_count == TRIAGE_FAILS)
		return err_set(why, ERR_LIMIT, "at most %d", TRIAGE_FAILS);
	o->triage.fails[o->triage.fail_count++] = fail;
	return true;
}

bool
option_take(struct options *o, const struct option_row *row, const char *value, struct err *why)
{
	char *at = (char *)o + row->at;
	struct words *texts;
	int i = row->words != NULL ? option_word_find(row->words, value) : 0;

	if (i < 0 && row->kind != OPTION_CALL)
		return false;
	if (row->file && *value == '\0')
		return err_set(why, ERR_MALFORMED, "expected the name of a file");
	if (row->setting != NULL)
		override(o, row->setting, value != NULL ? value : "on");
	if (row->given != 0)
		*(bool *)((char *)o + row->given) = true;
	switch (row->kind) {
	case OPTION_FLAG:
		return *(bool *)at = true;
	case OPTION_TEXT:
		*(const char **)at = value;
		return true;
	case OPTION_TEXTS:
		texts = (struct words *)(void *)at;
		*MEM_ADD(texts->list, texts->count, texts->room) = value;
		return true;
	case OPTION_WORD:
		*(int *)at = (int)row->least + i;
		return true;
	case OPTION_ROW:
		*(const void **)at = (const char *)row->words->rows + row->words->stride * (size_t)i;
		return true;
	case OPTION_NUMBER:
		return number(value, row->least, row->most, (unsigned *)at, why);
	case OPTION_THOUSANDTHS:
		return thousandths(value, "", row->most, (unsigned *)at, why);
	case OPTION_SHARE:
		return share_take(value, row->most, (double *)at, why);
	case OPTION_TIME:
		return timetext_parse(str_from(value), (nsec *)at, why);
	case OPTION_SIZE:
		return size(value, (uint64_t *)at, why);
	case OPTION_ADD:
		return row->add(&o->report, value, why);
	case OPTION_CALL:
		return row->take(o, value, why);
	}
	return false;
}
