// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "serve/jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/worker.h"
#include "serve/serve.h"

#ifndef POLLRDHUP
#define POLLRDHUP 0
#endif

/* Sanitizers reserve terabytes. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LIMITS_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LIMITS_MEMORY 0
#endif
#endif
#ifndef LIMITS_MEMORY
#define LIMITS_MEMORY 1
#endif

enum {
	WORDS_MAX = 4096,
	NOT_BEGUN = 127, /* exit status of a process that did not become slowtop */
	LOOK_MS = 250,          /* between looks whether clients are still there */
	DISK_LEAST = 32 << 10,  /* with less no job begins, */
	DISK_WANTED = 64 << 20, /* and with less results that are kept go */
};

static const rlim_t memory_most = (rlim_t)2 << 30;

void
jobs_init(struct jobs *j, unsigned seconds, uint64_t disk_most, uint64_t cache_most)
{
	*j = (struct jobs){.seconds = seconds, .disk_most = disk_most, .cache_most = cache_most};
	pthread_mutex_init(&j->mutex, NULL);
	pthread_cond_init(&j->changed, NULL);
}

void
jobs_stop(struct jobs *j)
{
	pthread_mutex_lock(&j->mutex);
	j->stopping = true;
	for (struct job *job = j->all; job < j->all + JOBS_WAIT; job++)
		if (job->pid > 0)
			kill(job->pid, SIGKILL);
	pthread_cond_broadcast(&j->changed);
	pthread_mutex_unlock(&j->mutex);
}

void
jobs_release(struct jobs *j)
{
	for (struct job *job = j->all; job < j->all + JOBS_WAIT; job++)
		sbuf_release(&job->words);
	pthread_cond_destroy(&j->changed);
	pthread_mutex_destroy(&j->mutex);
}

void
job_word(struct sbuf *args, const char *word)
{
	sbuf_text(args, word);
	sbuf_char(args, '\0');
}

/* As execv takes them; the sub-command's first option says where the result goes. */
static void
split(const struct sbuf *words, const char *output, const char *args[JOB_ARGS + 3])
{
	const char *at = words->p;
	int n = 0;

	args[n++] = PACKAGE_NAME;
	for (; at < words->p + words->n && n < JOB_ARGS + 2; at += strlen(at) + 1) {
		args[n++] = at;
		if (n == 2)
			args[n++] = output;
	}
	args[n] = NULL;
}

static void
limit(int what, rlim_t most)
{
	struct rlimit r;

	if (getrlimit(what, &r) == 0 && r.rlim_max < most) /* the server's own is less */
		most = r.rlim_max;
	r.rlim_cur = r.rlim_max = most;
	(void)setrlimit(what, &r);
}

/* The child's part; other threads were cut off anywhere, so only system calls. */
static _Noreturn void
become(const char *const args[], int words, pid_t server, unsigned seconds, uint64_t disk)
{
	sigset_t none;
	int null = open("/dev/null", O_RDWR);

#ifdef PR_SET_PDEATHSIG
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != server)
		_exit(NOT_BEGUN);
#endif
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(words, STDERR_FILENO) < 0)
		_exit(NOT_BEGUN);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, 2 * (rlim_t)seconds + 1);
	limit(RLIMIT_FSIZE, (rlim_t)disk);
	if (LIMITS_MEMORY)
		limit(RLIMIT_DATA, memory_most);
	execv("/proc/self/exe", (char *const *)args);
	execvp(PACKAGE_NAME, (char *const *)args);
	_exit(NOT_BEGUN);
}

/*
 * Has the client ended the connection?  One that asks for a report and says no more counts as
 * gone; one that has sent a file may have ended its own half only, and waits for the answer.
 */
static bool
has_left(int client, bool upload)
{
	struct pollfd p = {.fd = client, .events = upload ? 0 : POLLRDHUP};

	return client >= 0 && poll(&p, 1, 0) > 0;
}

/* True if the result of the request is still wanted, by its own client or another. */
static bool
is_wanted(const struct jobs *j, struct job *job, int *client)
{
	if (*client >= 0 && has_left(*client, job->upload)) {
		*client = -1;
		job->wanted--;
	}
	if (job->wanted == 0)
		job->result[0] = '\0';
	return job->wanted > 0 && !j->stopping;
}

/* Waits until something changed, or for LOOK_MS. */
static void
wait_changed(struct jobs *j)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += LOOK_MS * 1000000L;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&j->changed, &j->mutex, &t);
}

/* Begins it; the mutex is held, so that no other child inherits the pipe. */
static pid_t
begin(const struct jobs *j, const struct job_ask *ask, const char *part, uint64_t disk, int *fd)
{
	const char *args[JOB_ARGS + 3];
	struct sbuf output = {0};
	pid_t pid, server = getpid();
	int ends[2];

	if (pipe(ends) < 0)
		return -1;
	(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	sbuf_printf(&output, "--output=%s", part);
	split(ask->args, sbuf_cstr(&output), args);
	pid = fork();
	if (pid == 0)
		become(args, ends[1], server, j->seconds, disk);
	close(ends[1]);
	if (pid < 0)
		close(ends[0]);
	sbuf_release(&output);
	*fd = ends[0];
	return pid;
}

/* Reads what it says until it ends; false: too late, or no request waits for it. */
static bool
listen_to(struct jobs *j, struct job *job, int fd, int *client)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int64_t deadline = clock_ms() + (int64_t)j->seconds * 1000;
	char bytes[512];

	for (;;) {
		bool go_on;
		ssize_t n = 0;
		int ready = poll(&p, 1, LOOK_MS);

		if (ready > 0 && ((n = read(fd, bytes, sizeof(bytes))) == 0 ||
			(n < 0 && errno != EINTR)))
			return true;
		pthread_mutex_lock(&j->mutex);
		go_on = is_wanted(j, job, client) && clock_ms() < deadline;
		if (n > 0 && job->words.n + (size_t)n < WORDS_MAX)
			sbuf_bytes(&job->words, bytes, (size_t)n);
		pthread_mutex_unlock(&j->mutex);
		if (!go_on)
			return false;
	}
}

/* Bytes that a file of it may have, so that it cannot fill the disk; 0: there is no room. */
static uint64_t
disk_for(struct jobs *j)
{
	uint64_t space, most;

	store_trim(j->cache_most);
	space = store_space();
	if (space < j->reserved + 4 * (uint64_t)DISK_WANTED) {
		store_trim(0);
		space = store_space();
	}
	most = space > j->reserved ? (space - j->reserved) / 4 : 0;
	most = most < j->disk_most ? most : j->disk_most;
	return most < DISK_LEAST ? 0 : most;
}

/* May it begin?  Reports leave a place for uploads, and an address one for others. */
static bool
has_place(const struct jobs *j, const struct job *next)
{
	int running = 0, reports = 0, own = 0, own_reports = 0;

	for (const struct job *job = j->all; job < j->all + JOBS_WAIT; job++) {
		bool same = strcmp(job->address, next->address) == 0;

		if (job->pid <= 0)
			continue;
		running++;
		reports += !job->upload;
		own += same;
		own_reports += same && !job->upload;
	}
	return running < JOBS_RUN && own < JOBS_RUN - 1 &&
	    (next->upload || (reports < JOBS_RUN - 1 && own_reports < JOBS_RUN - 2));
}

/* Maps a failure of the system, not of the trace or the request, to a job's status. */
static int
system_failed(int status)
{
	switch (status) {
	case NOT_BEGUN:
	case SERVE_BUSY:
		return JOB_BUSY;
	case SERVE_FULL:
		return JOB_FULL;
	case SERVE_MEMORY:
		return JOB_KILLED;
	case SERVE_GONE:
		return JOB_GONE;
	case SERVE_FAILED:
		return JOB_FAILED;
	default:
		return status;
	}
}

/* Exit statuses of processes that wrote a result, and what its name ends with. */
static const struct {
	int status;
	const char *mark;
} marks[] = {{0, ""}, {1, "!"}, {4, "~"}};

enum { MARKS = sizeof(marks) / sizeof(marks[0]) };

/* NULL: there is no result. */
static const char *
mark_of(int status)
{
	for (int i = 0; i < MARKS; i++)
		if (marks[i].status == status)
			return marks[i].mark;
	return NULL;
}

/*
 * Gives what a process wrote its name, which tells the exit status: what has the name of a result
 * is one, whatever ended the process or the server meanwhile.  A trace that is removed loses its
 * name first and then its results, so one that is still there will take this result with it.
 * Returns the status, or JOB_...
 */
static int
result_name(const char *part, const struct job_ask *ask, int status)
{
	struct sbuf name = {0};

	sbuf_printf(&name, "%s%s", ask->result, mark_of(status));
	if (rename(part, sbuf_cstr(&name)) < 0)
		status = errno == ENOSPC ? JOB_FULL : JOB_FAILED;
	for (int i = 0; i < ask->of_count && status >= 0; i++) {
		if (store_has(ask->of[i]))
			continue;
		(void)unlink(sbuf_cstr(&name));
		status = JOB_GONE;
	}
	sbuf_release(&name);
	return status;
}

/* Makes it; the mutex is held, but not while its process runs. */
static int
run(struct jobs *j, struct job *job, const struct job_ask *ask, int *client)
{
	char part[PATH_SIZE];
	uint64_t disk;
	bool in_time;
	int fd = -1, status = 0;

	while (is_wanted(j, job, client) && !has_place(j, job))
		wait_changed(j);
	if (!is_wanted(j, job, client))
		return j->stopping ? JOB_BUSY : JOB_LEFT;
	if ((disk = disk_for(j)) == 0)
		return JOB_FULL;
	snprintf(part, sizeof(part), STORE_PART "%d", (int)(job - j->all));
	(void)unlink(part);
	if ((job->pid = begin(j, ask, part, disk, &fd)) < 0) {
		job->pid = 0;
		return JOB_BUSY;
	}
	j->reserved += disk;
	pthread_mutex_unlock(&j->mutex);
	in_time = listen_to(j, job, fd, client);
	close(fd);
	pthread_mutex_lock(&j->mutex);
	if (!in_time)
		kill(job->pid, SIGKILL);
	while (waitpid(job->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	job->pid = 0;
	j->reserved -= disk;
	if (!WIFEXITED(status))
		status = j->stopping ? JOB_BUSY : job->wanted > 0 ? JOB_KILLED : JOB_LEFT;
	else if (WEXITSTATUS(status) == 0 || (mark_of(WEXITSTATUS(status)) != NULL && !ask->upload))
		status = result_name(part, ask, WEXITSTATUS(status));
	else
		status = system_failed(WEXITSTATUS(status));
	(void)unlink(part);
	return status;
}

/* The result, with its status; -1 when it is not there. */
static int
result_open(const char *result, int *status)
{
	struct sbuf path = {0};
	int fd = -1;

	for (int i = 0; i < MARKS && fd < 0; i++) {
		sbuf_clear(&path);
		sbuf_printf(&path, "%s%s", result, marks[i].mark);
		fd = open(sbuf_cstr(&path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
		*status = marks[i].status;
	}
	sbuf_release(&path);
	return fd;
}

/* The job that makes the result already, or a free one; NULL: too many wait. */
static struct job *
job_for(struct jobs *j, const struct job_ask *ask)
{
	struct job *free = NULL;
	int left = 0, own = 0;

	for (struct job *job = j->all; job < j->all + JOBS_WAIT; job++) {
		if (!job->active && job->wanted == 0) {
			free = job;
			left++;
		} else if (!job->done && strcmp(job->result, ask->result) == 0)
			return job;
		else
			own += strcmp(job->address, ask->address) == 0;
	}
	if (free == NULL || own >= JOBS_EACH || (!ask->upload && left <= JOBS_UPLOADS))
		return NULL;
	free->done = false;
	free->upload = ask->upload;
	snprintf(free->result, sizeof(free->result), "%s", ask->result);
	snprintf(free->address, sizeof(free->address), "%s", ask->address);
	sbuf_clear(&free->words);
	return free;
}

int
job_make(struct jobs *j, const struct job_ask *ask, int *fd, struct sbuf *words)
{
	int status, client = ask->client;
	struct job *job;

	pthread_mutex_lock(&j->mutex);
	if ((*fd = result_open(ask->result, &status)) >= 0 || (job = job_for(j, ask)) == NULL) {
		pthread_mutex_unlock(&j->mutex);
		return *fd >= 0 ? status : JOB_BUSY;
	}
	job->wanted++;
	if (!job->active) {
		job->active = true;
		job->status = run(j, job, ask, &client);
		job->active = false;
		job->done = true;
		pthread_cond_broadcast(&j->changed);
	} else {
		while (!job->done && is_wanted(j, job, &client) && client == ask->client)
			wait_changed(j);
	}
	if (client != ask->client)
		status = JOB_LEFT;
	else if (!job->done)
		status = JOB_BUSY;
	else
		status = job->status;
	sbuf_str(words, sbuf_view(&job->words));
	if (mark_of(status) != NULL)
		*fd = result_open(ask->result, &status);
	if (mark_of(status) != NULL && *fd < 0)
		status = JOB_BUSY;
	job->wanted -= client == ask->client;
	pthread_mutex_unlock(&j->mutex);
	return status;
}
