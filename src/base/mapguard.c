#include <config.h>

#include "base/mapguard.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAPS_MAX = 32 };

static struct {
	atomic_uintptr_t base; /* 0: free; set last, cleared first */
	atomic_size_t size;
	atomic_size_t intact;
} maps[MAPS_MAX];

static void (*volatile otherwise_call)(void);
static size_t page_size;

void
mapguard_cut(int number, size_t intact)
{
	size_t now = atomic_load(&maps[number].intact);

	while (intact < now &&
	    !atomic_compare_exchange_weak(&maps[number].intact, &now, intact)) {
	}
}

/* Zeros from the page of the fault to the end of the map: there is no file behind them. */
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

	(void)context;
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

int
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
		return i;
	}
	return MAPGUARD_NONE;
}

void
mapguard_remove(int number)
{
	if (number != MAPGUARD_NONE)
		atomic_store(&maps[number].base, 0);
}

size_t
mapguard_intact(int number, size_t size)
{
	return number == MAPGUARD_NONE
	    ? size
	    : atomic_load_explicit(&maps[number].intact, memory_order_relaxed);
}
