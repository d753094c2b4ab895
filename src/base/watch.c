// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#ifdef HAVE_SYS_INOTIFY_H
#include <sys/inotify.h>
#endif

#include "base/mem.h"
#include "base/number.h"

enum {
	REST_MS = 100,  /* between two looks */
	NET_MS = 5000,  /* with inotify */
	POLL_MS = 500,  /* without */
	CHECK_BYTES = 64 << 10, /* of the beginning and of the end */
	PIPE_BYTES = 1 << 18,
};

struct watch {
	char *path, *folder; /* owned */
	struct tempfile_how how;
	bool by_name;
	int pipe;    /* what is read into `kept`; -1: a file is followed */
	bool closes; /* the pipe is ours */
	struct tempfile kept;
	uint64_t most; /* bytes that are kept */
	uint64_t forgotten_to; /* up to where they were given back */
	_Atomic uint64_t forgotten; /* bytes that were */
	uint8_t *buffer; /* of PIPE_BYTES */
	struct notify stop;
	struct worker_pool *thread;

	/* The thread's. */
	int events, file_events; /* inotify: its descriptor, and the file's number there; or -1 */
	struct stat seen; /* of the file, at the last look */
	uint64_t check;   /* of what it held then */

	pthread_mutex_t lock;
	struct watch_now now;
	int fd; /* of what is followed; -1: nothing */
	uint64_t known_check; /* `check` at the last look */
	unsigned breaks, opened_breaks; /* times that it held something else; so many when opened */
	const struct notify *told;
};

/* State ---------------------------------------------------------------------------- */

static void
tell(struct watch *w, enum watch_state state, bool other, bool broken, uint64_t size)
{
	pthread_mutex_lock(&w->lock);
	if (w->told != NULL && (other || state != w->now.state))
		notify_post(w->told);
	w->now.state = state;
	w->now.version += other;
	w->now.size = size;
	w->breaks += broken;
	w->known_check = w->check;
	pthread_mutex_unlock(&w->lock);
}

void
watch_tell(struct watch *w, const struct notify *told)
{
	pthread_mutex_lock(&w->lock);
	w->told = told;
	pthread_mutex_unlock(&w->lock);
}

struct watch_now
watch_ask(struct watch *w)
{
	struct watch_now now;

	pthread_mutex_lock(&w->lock);
	now = w->now;
	pthread_mutex_unlock(&w->lock);
	return now;
}

bool
watch_by_name(const struct watch *w)
{
	return w->by_name;
}

bool
watch_of_pipe(const struct watch *w)
{
	return w->pipe >= 0;
}

/* A number for the beginning and the end of the first `size` bytes (FNV-1a). */
static uint64_t
check_make(int fd, uint64_t size)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	size_t n = size < CHECK_BYTES ? (size_t)size : CHECK_BYTES;
	const off_t from[] = {0, (off_t)(size - n)};
	uint8_t *bytes = mem_alloc(CHECK_BYTES);

	for (int part = 0; part < 2; part++) {
		ssize_t got = pread(fd, bytes, n, from[part]);

		for (ssize_t i = 0; i < got; i++)
			hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	}
	mem_free(bytes);
	return hash;
}

static void
opened_set(struct watch *w)
{
	w->now.opened = w->now.version;
	w->now.opened_size = w->now.size;
	w->opened_breaks = w->breaks;
}

uint64_t
watch_take(struct watch *w)
{
	uint64_t size;

	pthread_mutex_lock(&w->lock);
	opened_set(w);
	size = w->now.size;
	pthread_mutex_unlock(&w->lock);
	return size;
}

int
watch_open(struct watch *w)
{
	int fd = -1;

	pthread_mutex_lock(&w->lock);
	if (w->fd >= 0)
		fd = fcntl(w->fd, F_DUPFD_CLOEXEC, 0);
	opened_set(w);
	pthread_mutex_unlock(&w->lock);
	return fd;
}

bool
watch_same(struct watch *w)
{
	bool same;

	pthread_mutex_lock(&w->lock);
	same = w->breaks == w->opened_breaks &&
	    (w->pipe >= 0 || check_make(w->fd, w->now.size) == w->known_check);
	pthread_mutex_unlock(&w->lock);
	return same;
}

bool
watch_over(const struct watch *w, enum watch_state state)
{
	return state == WATCH_ENDED || state == WATCH_FAILED ||
	    (!w->by_name && (state == WATCH_CUT || state == WATCH_CHANGED));
}

bool
watch_ended(struct watch *w)
{
	return watch_over(w, watch_ask(w).state);
}

static void
set_file(struct watch *w, int fd)
{
	int before;

	pthread_mutex_lock(&w->lock);
	before = w->fd;
	w->fd = fd;
	pthread_mutex_unlock(&w->lock);
	if (before >= 0)
		close(before);
}

/* Pipes ---------------------------------------------------------------------------- */

/* Returns how much a pipe may bring: as asked, else half of what the disk has free. */
static uint64_t
kept_most(const struct tempfile *kept)
{
	struct statvfs disk;

	if (kept->how->unpack_most > 0)
		return kept->how->unpack_most;
	return fstatvfs(kept->fd, &disk) == 0 ? (uint64_t)disk.f_bavail * disk.f_frsize / 2 : UINT64_MAX;
}

/* Keeps what came; false: it cannot be, or is too much. */
static bool
pipe_keep(struct watch *w, size_t n, struct err *e)
{
	if (n > w->most - (w->kept.size - atomic_load(&w->forgotten)))
		return err_set(e, ERR_SYSTEM,
		    "the limit of %s for what a pipe brings is reached (--unpack-limit sets it)",
		    fmt_bytes(FMT_BUF, w->most));
	return tempfile_write(&w->kept, w->buffer, n, e);
}

bool
watch_forget(struct watch *w, uint64_t from, uint64_t to)
{
	if (from < w->forgotten_to)
		from = w->forgotten_to;
	if (to <= from)
		return true;
	w->forgotten_to = to;
	if (w->pipe < 0 || !file_forget(w->fd, from, to))
		return false;
	atomic_fetch_add(&w->forgotten, to - from);
	return true;
}

static void
pipe_read(struct watch *w)
{
	struct pollfd fds[2] = {{.fd = w->stop.fd, .events = POLLIN},
	    {.fd = w->pipe, .events = POLLIN}};
	enum watch_state state = WATCH_LIVE;
	struct err e = {0};

	while (state == WATCH_LIVE) {
		ssize_t n;

		/* A FIFO that no writer has opened yet is not at its end: poll waits. */
		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[0].revents != 0)
			return;
		n = read(w->pipe, w->buffer, PIPE_BYTES);
		if (n == 0)
			state = WATCH_ENDED;
		else if (n > 0 && !pipe_keep(w, (size_t)n, &e))
			state = WATCH_FAILED;
		else if (n < 0 && errno != EINTR && errno != EAGAIN && !err_system(&e, "cannot read"))
			state = WATCH_FAILED;
		if (state == WATCH_FAILED) {
			pthread_mutex_lock(&w->lock);
			w->now.err = e;
			pthread_mutex_unlock(&w->lock);
		}
		tell(w, state, n > 0, false, w->kept.size);
	}
}

/* Files ---------------------------------------------------------------------------- */

static void
events_add_file(struct watch *w)
{
#ifdef HAVE_SYS_INOTIFY_H
	if (w->events < 0)
		return;
	if (w->file_events >= 0)
		(void)inotify_rm_watch(w->events, w->file_events);
	w->file_events = inotify_add_watch(w->events, w->path,
	    IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_MOVE_SELF | IN_DELETE_SELF);
#endif
}

static void
events_open(struct watch *w)
{
#ifdef HAVE_SYS_INOTIFY_H
	w->events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (w->events >= 0 &&
	    inotify_add_watch(w->events, w->folder,
		IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_ONLYDIR) < 0) {
		close(w->events);
		w->events = -1;
	}
#endif
}

/* Was the file written to?  Takes all events. */
static bool
events_take(struct watch *w)
{
	bool written = false;
#ifdef HAVE_SYS_INOTIFY_H
	_Alignas(struct inotify_event) char buffer[4096];
	ssize_t n;

	while (w->events >= 0 && (n = read(w->events, buffer, sizeof(buffer))) > 0) {
		for (ssize_t at = 0; at < n;) {
			const struct inotify_event *event = (const void *)(buffer + at);

			written |= (event->mask & IN_Q_OVERFLOW) != 0 ||
			    (event->wd == w->file_events && (event->mask & IN_MODIFY) != 0);
			at += (ssize_t)(sizeof(*event) + event->len);
		}
	}
#endif
	return written;
}

/* Follows the file that has the name now; false with an errno. */
static bool
adopt(struct watch *w)
{
	/* Non-blocking, or opening a FIFO without a writer would wait for ever. */
	int fd = open(w->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) != 0 || S_ISDIR(st.st_mode)) {
		close(fd);
		errno = EISDIR;
		return false;
	}
	/* Events first: what is written after that is seen, by size or by event. */
	events_add_file(w);
	if (fstat(fd, &w->seen) != 0)
		w->seen = st;
	set_file(w, fd);
	w->check = check_make(w->fd, (uint64_t)w->seen.st_size);
	return true;
}

/* Returns the file's state after a look at it; `other`: it holds something else than before. */
static enum watch_state
look_at_file(struct watch *w, bool written, bool *other)
{
	enum watch_state state = w->now.state;
	struct stat st, before = w->seen;

	if (fstat(w->fd, &st) != 0)
		return state;
	*other = written || st.st_size != before.st_size ||
	    st.st_mtim.tv_sec != before.st_mtim.tv_sec ||
	    st.st_mtim.tv_nsec != before.st_mtim.tv_nsec;
	if (!*other)
		return state;
	state = st.st_size < before.st_size ? WATCH_CUT
	    : check_make(w->fd, (uint64_t)before.st_size) != w->check ? WATCH_CHANGED
								  : WATCH_LIVE;
	w->seen = st;
	w->check = check_make(w->fd, (uint64_t)st.st_size);
	return state;
}

static void
look(struct watch *w, bool written)
{
	enum watch_state state = WATCH_WAITING;
	bool other = false, broken;
	struct stat named;

	if (w->fd >= 0)
		state = look_at_file(w, written, &other);
	broken = other && (state == WATCH_CUT || state == WATCH_CHANGED);
	if (watch_over(w, state)) {
		/* The state is final. */
	} else if (stat(w->path, &named) != 0) {
		state = w->fd >= 0 ? WATCH_GONE : WATCH_WAITING;
	} else if (w->fd < 0 || named.st_dev != w->seen.st_dev || named.st_ino != w->seen.st_ino) {
		state = w->fd < 0 ? WATCH_LIVE : WATCH_REPLACED;
		if (w->by_name && S_ISREG(named.st_mode) && adopt(w))
			other = broken = true;
		else if (w->by_name)
			state = WATCH_TAKEN;
	} else if (state == WATCH_GONE || state == WATCH_TAKEN) {
		state = WATCH_LIVE;
	}
	tell(w, state, other, broken, w->fd >= 0 ? (uint64_t)w->seen.st_size : 0);
}

/* Waits at most so long, or for events, too; false: the watch ends. */
static bool
rest(struct watch *w, int ms, bool events)
{
	struct pollfd fds[2] = {{.fd = w->stop.fd, .events = POLLIN},
	    {.fd = events ? w->events : -1, .events = POLLIN}};

	(void)poll(fds, 2, ms);
	return fds[0].revents == 0;
}

/* All ------------------------------------------------------------------------------- */

static void
run(unsigned index, void *arg)
{
	struct watch *w = arg;

	if (w->pipe >= 0) {
		pipe_read(w);
		return;
	}
	do
		look(w, events_take(w));
	while (!watch_over(w, w->now.state) && rest(w, REST_MS, false) &&
	    rest(w, w->events >= 0 ? NET_MS : POLL_MS, true));
}

/* A FIFO is read as a pipe. */
static bool
begin(struct watch *w, struct err *e)
{
	if (w->pipe < 0 && !adopt(w) && !(w->by_name && errno == ENOENT))
		return err_system(e, "cannot open");
	if (w->fd >= 0 && (S_ISFIFO(w->seen.st_mode) || S_ISSOCK(w->seen.st_mode))) {
		w->pipe = w->fd;
		w->closes = true;
		w->fd = -1;
	} else if (w->fd >= 0 && !S_ISREG(w->seen.st_mode)) {
		return err_set(e, ERR_UNSUPPORTED, "is not a regular file or a pipe");
	}
	if (w->pipe >= 0) {
		if (!tempfile_begin(&w->kept, &w->how, e))
			return false;
		w->fd = w->kept.fd;
		w->most = kept_most(&w->kept);
	}
	w->now.state = w->fd >= 0 ? WATCH_LIVE : WATCH_WAITING;
	w->now.version += w->fd >= 0;
	w->now.size = w->pipe < 0 && w->fd >= 0 ? (uint64_t)w->seen.st_size : 0;
	w->known_check = w->check;
	return worker_start(&w->thread, 1, run, w, NULL, e);
}

struct watch *
watch_new(const char *path, int pipe, bool by_name, const struct tempfile_how *how, struct err *e)
{
	struct watch *w = mem_zero(1, sizeof(*w));
	const char *slash = strrchr(path, '/');
	size_t n = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);

	*w = (struct watch){.path = mem_dup(path, strlen(path) + 1, 1),
	    .folder = mem_text(n > 0 ? (struct str){path, n} : STR(".")), .how = *how,
	    .by_name = by_name, .pipe = pipe, .events = -1, .file_events = -1, .fd = -1,
	    .kept.fd = -1, .stop.fd = -1, .buffer = mem_alloc(PIPE_BYTES)};
	pthread_mutex_init(&w->lock, NULL);
	if (pipe < 0)
		events_open(w);
	if (notify_open(&w->stop, e) && begin(w, e))
		return w;
	watch_free(w);
	return NULL;
}

static void
end_thread(struct watch *w)
{
	if (w->thread != NULL) {
		notify_post(&w->stop);
		worker_join(w->thread);
		(void)notify_take(&w->stop);
	}
	w->thread = NULL;
}

bool
watch_again(struct watch *w, struct err *e)
{
	if (w->pipe >= 0)
		return err_set(e, ERR_UNSUPPORTED, "a pipe cannot be read again");
	end_thread(w);
	return begin(w, e);
}

void
watch_free(struct watch *w)
{
	if (w == NULL)
		return;
	end_thread(w);
	if (w->stop.fd >= 0)
		notify_close(&w->stop);
	if (w->events >= 0)
		close(w->events);
	if (w->fd >= 0)
		close(w->fd);
	if (w->closes)
		close(w->pipe);
	pthread_mutex_destroy(&w->lock);
	mem_free(w->buffer);
	mem_free(w->folder);
	mem_free(w->path);
	mem_free(w);
}
