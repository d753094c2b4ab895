// SPDX-License-Identifier: Apache-2.0
/* Traces that are in the folder when the server starts, under names of others: they are listed. */
#include <config.h>

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "serve/http.h"

int
line_make(struct server *s, const struct job_ask *of, const char *file, struct sbuf *words)
{
	struct sbuf args = {0};
	struct job_ask ask = *of;
	int made, fd = -1;

	job_word(&args, "triage");
	job_word(&args, "--format=line");
	job_word(&args, file);
	ask.args = &args;
	made = job_make(&s->jobs, &ask, &fd, words);
	if (fd >= 0)
		close(fd);
	sbuf_release(&args);
	return made;
}

/* Gives it an id if slowtop can read it; false: it is no trace. */
static bool
adopt_file(struct server *s, const char *file)
{
	static const char line[] = STORE_PART "line";
	struct sbuf words = {0}, name = {0}, path = {0};
	struct job_ask ask = {.result = line, .address = "", .client = -1, .upload = true};
	struct upload u = {.fd = -1};
	char id[ID_SIZE];
	bool good;

	sbuf_text(&name, file);
	name_clean(&name);
	sbuf_text(&path, "./"); /* it may begin with a dash */
	sbuf_text(&path, file);
	good = line_make(s, &ask, sbuf_cstr(&path), &words) == 0 && upload_link(&u, file, id) &&
	    (store_has(id) || upload_keep(&u, id, sbuf_view(&name), line));
	(void)unlink(line);
	upload_release(&u);
	sbuf_release(&words);
	sbuf_release(&name);
	sbuf_release(&path);
	return good;
}

unsigned
adopt_all(struct server *s)
{
	DIR *folder = opendir(".");
	size_t count;
	struct stored *all = store_list(&count);
	struct dirent *d;
	struct stat st;
	char id[ID_SIZE];
	unsigned traces = 0;

	while (folder != NULL && count != SIZE_MAX && (d = readdir(folder)) != NULL) {
		bool listed = false;

		if (*d->d_name == '.' || id_take(str_from(d->d_name), id) ||
		    lstat(d->d_name, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size == 0 ||
		    (uint64_t)st.st_size > s->options->max_upload)
			continue;
		for (size_t i = 0; i < count; i++)
			listed |= all[i].inode == (uint64_t)st.st_ino;
		traces += listed || adopt_file(s, d->d_name);
	}
	if (folder != NULL)
		closedir(folder);
	mem_free(all);
	if (traces > 0) {
		fprintf(s->options->log, "%u trace%s of the folder listed\n", traces,
		    traces == 1 ? "" : "s");
		fflush(s->options->log);
	}
	return traces;
}
