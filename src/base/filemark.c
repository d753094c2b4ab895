#include <config.h>

#include "base/filemark.h"

#include <stdbool.h>
#include <string.h>

#include "base/mem.h"

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
