/*
 * convert-perfetto: a Perfetto trace while it is written; for convert-perfetto.c and
 * convert-perfetto-log.c.
 */
#ifndef SLOWTOP_REPORT_CONVERT_PERFETTO_H
#define SLOWTOP_REPORT_CONVERT_PERFETTO_H

#include "base/intern.h"
#include "report/convert-log.h"
#include "report/perfetto.pb-c.h"
#include "report/protobuf.h"

enum {
	TRACK_PROCESS = 1,
	TRACK_FIRST = 2, /* two for each thread: its slices and its CPU time */
	ARGS_MOST = 64,  /* of a slice; more are left out */
};

struct perfetto {
	struct convert *convert;
	struct protobuf protobuf;
	enum clock_id clock;
	bool cpu; /* the other clock, too */
	bool begun;
	uint8_t *interned; /* by method */
	uint8_t *told;     /* by thread: it has a track */
	struct sbuf text, name;
	/* The arguments of the slice that is written. */
	Perfetto__DebugAnnotation notes[ARGS_MOST], *note_list[ARGS_MOST];
	struct sbuf note_texts[ARGS_MOST]; /* key and value of each */
	size_t note_count;
	struct intern instant_tracks; /* by index + 1 of the process */
};

bool perfetto_packet(struct perfetto *, Perfetto__TracePacket *);
bool perfetto_track(struct perfetto *, uint64_t track, Perfetto__TrackDescriptor *);

uint64_t perfetto_thread_track(uint32_t thread);

/* Of text logs; of other traces nothing. */
uint64_t perfetto_log_process(uint32_t process); /* its track */
bool perfetto_log_begin(struct perfetto *);
void perfetto_log_args(struct perfetto *, uint64_t offset, Perfetto__TrackEvent *);
bool perfetto_log_end(struct perfetto *);
void perfetto_log_release(struct perfetto *);

#endif
