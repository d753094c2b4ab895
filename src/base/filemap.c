// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/filemap.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"

/* Files that shrink ----------------------------------------------------------------- */

enum { MAPS_MAX = 32, AGAIN_BYTES = 64 << 20 };

static struct {
	atomic_uintptr_t base; /* 0: free; set last, cleared first */
	atomic_size_t size;
	atomic_size_t intact;
} maps[MAPS_MAX];

static void (*volatile otherwise_call)(void);
static size_t page_size;

/* The file was seen to end here; bytes appended later are not the ones it lost. */
static void
mapguard_cut(int number, size_t intact)
{
	size_t now = atomic_load(&maps[number].intact);

	while (intact < now &&
	    !atomic_compare_exchange_weak(&maps[number].intact, &now, intact)) {
	}
}

/* Zeros from the page of the fault to the end of the map: the file has no bytes for them. */
static int
map_mend(int i, uintptr_t fault)
{
	uintptr_t base = atomic_load(&maps[i].base);
	size_t size = atomic_load(&maps[i].size), offset;

	if (base <= 1 || fault < base || fault - base >= size)
		return 0;
	offset = (fault - base) / page_size * page_size;
	if (mmap((void *)(base + offset), size - offset, PROT_READ,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		return 0;
	mapguard_cut(i, offset);
	return 1;
}

static void
fault(int number, siginfo_t *info, void *context)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};
	/* Another process may send the signal; then there is no address. */
	bool sent = info->si_code <= 0;

	for (int i = 0; i < MAPS_MAX && !sent; i++) {
		if (map_mend(i, (uintptr_t)info->si_addr))
			return;
	}
	if (otherwise_call != NULL)
		otherwise_call();
	/* A fault happens again on return, and then ends us as it should; the signal does not. */
	sigaction(number, &plain, NULL);
	if (sent)
		pthread_kill(pthread_self(), number);
}

void
mapguard_install(void (*otherwise)(void))
{
	struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO | SA_NODEFER};

	otherwise_call = otherwise;
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, NULL);
}

/* Watches over a map; returns its number + 1, 0 when there are too many. */
static int
mapguard_add(const void *bytes, size_t size)
{
	for (int i = 0; i < MAPS_MAX; i++) {
		uintptr_t free_base = 0;

		/* 1 is no address of a map: it keeps the place until size is set. */
		if (!atomic_compare_exchange_strong(&maps[i].base, &free_base, 1))
			continue;
		atomic_store(&maps[i].size, size);
		atomic_store(&maps[i].intact, size);
		atomic_store(&maps[i].base, (uintptr_t)bytes);
		return i + 1;
	}
	return 0;
}

/* Maps ------------------------------------------------------------------------------ */

static bool
refuse_size(struct err *e)
{
	return err_set(e, ERR_LIMIT,
	    sizeof(void *) < 8 ? "is too large for a 32-bit program; a 64-bit slowtop opens it"
	                       : "is too large for the address space (ulimit -v)");
}

/*
 * Returns how many addresses a file of this size may grow into; less is left for all else.
 * Without a name: a pipe's, of which nobody knows how much comes.
 */
static size_t
room_for(size_t size, bool nameless)
{
	const size_t endless = SIZE_MAX / 16 < 1ULL << 40 ? SIZE_MAX / 16 : (size_t)(1ULL << 40);
	const size_t least = (size_t)1 << 30, most = SIZE_MAX / 16 < 1ULL << 36 ? SIZE_MAX / 16 : (size_t)(1ULL << 36);
	size_t room = size < most / 16 ? 16 * size : most;
	struct rlimit limit;

	if (room < least)
		room = least;
	if (nameless)
		room = endless;
	if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && room > limit.rlim_cur / 4)
		room = (size_t)(limit.rlim_cur / 4);
	return room;
}

/* Maps the whole file, at the begin of `room` addresses if that is not 0 and they are to be had. */
static void *
map_file(struct filemap *map, int fd, size_t room)
{
	void *at = MAP_FAILED, *bytes;

	if (room > map->size)
		at = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return mmap(NULL, map->size, PROT_READ, MAP_PRIVATE, fd, 0);
	bytes = mmap(at, map->size, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0);
	if (bytes == MAP_FAILED)
		munmap(at, room);
	else
		map->room = room;
	return bytes;
}

bool
filemap_open_fd(struct filemap *map, int fd, bool grows, struct err *e)
{
	struct stat st;
	void *bytes;

	*map = (struct filemap){0};
	if (fstat(fd, &st) != 0)
		return err_system(e, "cannot stat");
	if (S_ISDIR(st.st_mode))
		return err_set(e, ERR_UNSUPPORTED, "is a directory, expected a trace file");
	if (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode))
		return err_set(e, ERR_UNSUPPORTED, "is a device, not a regular file or a pipe");
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_UNSUPPORTED, "is not a regular file");
	if ((uintmax_t)st.st_size > SIZE_MAX)
		return refuse_size(e);
	map->size = (size_t)st.st_size;
	if (map->size == 0)
		return true;
	bytes = map_file(map, fd, grows ? room_for(map->size, st.st_nlink == 0) : 0);
	if (bytes == MAP_FAILED)
		return errno == ENOMEM ? refuse_size(e) : err_system(e, "cannot map");
	/* Best effort: the decoder reads from front to back. */
	(void)madvise(bytes, map->size, MADV_SEQUENTIAL);
	map->bytes = bytes;
	map->file = fcntl(fd, F_DUPFD_CLOEXEC, 0) + 1;
	map->guard = mapguard_add(bytes, map->size);
	return true;
}

bool
filemap_grow(struct filemap *map, uint64_t size)
{
	/* The last page is mapped again: what it has of the new bytes is not told everywhere. */
	size_t from = map->size - map->size % (size_t)sysconf(_SC_PAGESIZE);
	void *at = (void *)(uintptr_t)(map->bytes + from);

	if (size <= map->size || size > map->room || map->file == 0 || filemap_left(map, true) < map->size ||
	    mmap(at, (size_t)size - from, PROT_READ, MAP_PRIVATE | MAP_FIXED, map->file - 1, (off_t)from) ==
		MAP_FAILED)
		return false;
	(void)madvise(at, (size_t)size - from, MADV_SEQUENTIAL);
	map->size = (size_t)size;
	if (map->guard > 0) {
		atomic_store(&maps[map->guard - 1].size, map->size);
		atomic_store(&maps[map->guard - 1].intact, map->size);
	}
	return true;
}

bool
filemap_open(struct filemap *map, const char *path, struct err *e)
{
	/* Non-blocking, or opening a FIFO without a writer would wait for ever. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	bool ok;

	*map = (struct filemap){0};
	if (fd < 0)
		return err_system(e, "cannot open");
	ok = filemap_open_fd(map, fd, false, e);
	close(fd);
	return ok;
}

void
filemap_behind(const struct filemap *map, size_t from, size_t to)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	from = (from + page - 1) / page * page;
	to = to / page * page;
	if (map->bytes != NULL && !map->borrowed && to > from)
		(void)madvise((void *)(uintptr_t)(map->bytes + from), to - from, MADV_DONTNEED);
}

void
filemap_again(struct filemap *map, size_t bytes)
{
	if (atomic_fetch_add(&map->again, bytes) + bytes < AGAIN_BYTES)
		return;
	atomic_store(&map->again, 0);
	filemap_behind(map, 0, map->size);
}

bool
file_forget(int fd, uint64_t from, uint64_t to)
{
#ifdef FALLOC_FL_PUNCH_HOLE
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	from = (from + page - 1) / page * page;
	to = to / page * page;
	return to <= from || fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from,
				 (off_t)(to - from)) == 0;
#else
	return false;
#endif
}

/* C libraries do not agree on the signs of addresses and bytes. */
static bool
page_cached(const uint8_t *page, bool *cached)
{
	unsigned char in = 1;
	bool known = false;

#if HAVE_DECL_MINCORE
	known = mincore((void *)(uintptr_t)page, 1, (void *)&in) == 0;
#endif
	*cached = in & 1;
	return known;
}

bool
filemap_cached(const struct filemap *map, size_t from, size_t to)
{
	enum { SAMPLES = 64 };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int cached = 0;

	if (map->bytes == NULL || map->borrowed || to <= from)
		return true;
	for (size_t i = 0; i < SAMPLES; i++) {
		size_t at = (from + (to - from) / SAMPLES * i) / page * page;
		bool in;

		if (!page_cached(map->bytes + at, &in))
			return true; /* not told: as usual */
		cached += in;
	}
	return cached * 10 >= SAMPLES * 9;
}

size_t
filemap_left(const struct filemap *map, bool ask)
{
	size_t left = map->guard == 0
	    ? map->size
	    : atomic_load_explicit(&maps[map->guard - 1].intact, memory_order_relaxed);
	struct stat st;

	if (ask && map->file > 0 && fstat(map->file - 1, &st) == 0 && st.st_size >= 0 &&
	    (uintmax_t)st.st_size < left) {
		left = (size_t)st.st_size;
		if (map->guard > 0)
			mapguard_cut(map->guard - 1, left);
	}
	return left;
}

void
filemap_close(struct filemap *map)
{
	if (map->guard > 0)
		atomic_store(&maps[map->guard - 1].base, 0);
	if (map->file > 0)
		close(map->file - 1);
	if (map->bytes != NULL && !map->borrowed)
		munmap((void *)(uintptr_t)map->bytes, map->room > 0 ? map->room : map->size);
	*map = (struct filemap){0};
}

/* Marks of files ------------------------------------------------------------------ */

void
filemark_take(struct filemark *mark, int fd, const char *path)
{
	struct stat st;

	filemark_release(mark);
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	mark->path = mem_dup(path, strlen(path) + 1, 1);
	mark->device = st.st_dev;
	mark->inode = st.st_ino;
	mark->size = st.st_size;
	mark->modified = st.st_mtim;
}

enum filemark_now
filemark_ask(const struct filemark *mark)
{
	struct stat st;
	bool same;

	if (mark->path == NULL)
		return FILEMARK_SAME;
	if (stat(mark->path, &st) != 0)
		return FILEMARK_GONE;
	if (st.st_dev != mark->device || st.st_ino != mark->inode)
		return FILEMARK_REPLACED;
	if (mark->grows && st.st_size > mark->size)
		return FILEMARK_SAME;
	same = st.st_size == mark->size && st.st_mtim.tv_sec == mark->modified.tv_sec &&
	    st.st_mtim.tv_nsec == mark->modified.tv_nsec;
	return same ? FILEMARK_SAME : FILEMARK_CHANGED;
}

void
filemark_release(struct filemark *mark)
{
	mem_free(mark->path);
	*mark = (struct filemark){0};
}
