/*
 * mapguard: reading a mapped file that somebody cuts short, and living on.
 *
 * Pages that a file lost raise SIGBUS when they are read.  With the guard installed they
 * become zeros instead, and the map knows from where on; whoever reads asks before it
 * believes (filemap_left).  The table of maps belongs to the signal handler, which is why
 * it is the one thing here that is global.
 */
#ifndef SLOWTOP_BASE_MAPGUARD_H
#define SLOWTOP_BASE_MAPGUARD_H

#include <stddef.h>

enum { MAPGUARD_NONE = -1 };

/*
 * Takes SIGBUS for the process.  `otherwise` is called in the handler before the program
 * ends because of a fault that is not in a map, or because somebody sent the signal; it must
 * be safe there.  May be NULL.
 */
void mapguard_install(void (*otherwise)(void));

/* Watches over a map; returns its number, MAPGUARD_NONE when there are too many. */
int mapguard_add(const void *bytes, size_t size);
void mapguard_remove(int number);
/* The file was seen to end here; what it gets behind that later is something else. */
void mapguard_cut(int number, size_t intact);
/* How many bytes from the beginning are still what the file held. */
size_t mapguard_intact(int number, size_t size);

#endif
