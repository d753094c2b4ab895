/* What an engine tells: answers, and how things stand. */
#include <config.h>

#include "view/engine_state.h"

void
engine_news_stand(struct engine_news *news, const struct profile *p, double progress)
{
	const struct source *s = p->trace->source;

	news->state = p->state;
	news->progress = progress;
	news->bytes_total = s->end - s->begin;
	news->bytes_done = (uint64_t)(progress * (double)news->bytes_total);
	news->records = p->records;
	news->begin = p->begin;
	news->end = p->end;
	news->damage = p->damage;
	news->sampled = p->sampled;
	if (p->trace->log != NULL) {
		news->log = p->trace->log->summary;
		news->choice = p->trace->log->choice;
	}
}

void
engine_news_take(struct engine_news *into, const struct engine_news *answer)
{
	if (answer->timeline != NULL) {
		engine_timeline_free(into->timeline);
		into->timeline = answer->timeline;
	}
	if (answer->usage != NULL) {
		usage_free(into->usage);
		into->usage = answer->usage;
	}
	if (answer->fold != NULL) {
		fold_free(into->fold);
		into->fold = answer->fold;
		into->transform_err = answer->transform_err;
	}
	if (answer->paths != NULL) {
		engine_paths_free(into->paths);
		into->paths = answer->paths;
	}
	if (answer->marks != NULL) {
		engine_marks_free(into->marks);
		into->marks = answer->marks;
	}
	if (answer->tracks != NULL) {
		engine_tracks_free(into->tracks);
		into->tracks = answer->tracks;
	}
	if (answer->call_fresh) {
		into->call_fresh = true;
		into->call_at = answer->call_at;
		into->call = answer->call;
		into->slice = answer->slice;
		into->point = answer->point;
		into->at_point = answer->at_point;
	}
	if (answer->calls != NULL) {
		calls_free(into->calls);
		into->calls = answer->calls;
	}
	if (answer->near_serial != 0) {
		into->near_serial = answer->near_serial;
		into->near_place = answer->near_place;
		into->near_call = answer->near_call;
	}
}

void
engine_news_release(struct engine_news *news)
{
	fold_free(news->fold);
	usage_free(news->usage);
	engine_paths_free(news->paths);
	engine_timeline_free(news->timeline);
	engine_marks_free(news->marks);
	engine_tracks_free(news->tracks);
	calls_free(news->calls);
}
