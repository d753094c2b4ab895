/*
 * filemark: a file as it was when it was opened, to tell later whether it is another.
 *
 * Asking costs one stat and reads nothing.  A write within the same tick of the file
 * system's clock (some milliseconds) that leaves the size as it was is not noticed.
 */
#ifndef SLOWTOP_BASE_FILEMARK_H
#define SLOWTOP_BASE_FILEMARK_H

#include <sys/stat.h>
#include <sys/types.h>

struct filemark {
	char *path; /* owned; NULL: nothing is marked, and that stays the same */
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified;
};

enum filemark_now {
	FILEMARK_SAME,
	FILEMARK_GONE,     /* no file has the name now */
	FILEMARK_REPLACED, /* another file has it: an open one keeps its bytes */
	FILEMARK_CHANGED,  /* the same file was written to, cut or extended */
};

/* Marks an open file; only a regular one is. */
void filemark_take(struct filemark *, int fd, const char *path);
enum filemark_now filemark_ask(const struct filemark *);
void filemark_release(struct filemark *);

#endif
