// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "serve/jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/worker.h"

/* Address sanitizer reserves terabytes. */
#if defined(__SANITIZE_ADDRESS__)
#define LIMITS_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LIMITS_MEMORY 0
#endif
#endif
#ifndef LIMITS_MEMORY
#define LIMITS_MEMORY 1
#endif

enum { WORDS_MAX = 4096 };

static const rlim_t memory_most = (rlim_t)2 << 30, result_most = (rlim_t)256 << 20;

void
jobs_init(struct jobs *j, unsigned seconds)
{
	*j = (struct jobs){.seconds = seconds};
	pthread_mutex_init(&j->mutex, NULL);
	pthread_cond_init(&j->changed, NULL);
}

void
jobs_stop(struct jobs *j)
{
	pthread_mutex_lock(&j->mutex);
	j->stopping = true;
	for (int i = 0; i < JOBS_RUN; i++)
		if (j->pids[i] > 0)
			kill(j->pids[i], SIGKILL);
	pthread_cond_broadcast(&j->changed);
	pthread_mutex_unlock(&j->mutex);
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
	struct rlimit r = {most, most};

	(void)setrlimit(what, &r);
}

/* The child's part; other threads were cut off anywhere, so only system calls. */
static _Noreturn void
become(const char *const args[], int words, unsigned seconds)
{
	sigset_t none;
	int null = open("/dev/null", O_RDWR);

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(words, STDERR_FILENO) < 0)
		_exit(127);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, 2 * (rlim_t)seconds + 1);
	limit(RLIMIT_FSIZE, result_most);
	if (LIMITS_MEMORY)
		limit(RLIMIT_DATA, memory_most);
	execv("/proc/self/exe", (char *const *)args);
	execvp(PACKAGE_NAME, (char *const *)args);
	_exit(127);
}

/* Reads what it says until it ends; false: too late. */
static bool
listen_to(int fd, int64_t deadline, struct sbuf *words)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	char bytes[512];

	for (;;) {
		int64_t left = deadline - clock_ms();
		ssize_t n;

		if (left <= 0)
			return false;
		if (poll(&p, 1, (int)left) <= 0)
			continue;
		n = read(fd, bytes, sizeof(bytes));
		if (n == 0 || (n < 0 && errno != EINTR))
			return true;
		if (n > 0 && words->n + (size_t)n < WORDS_MAX)
			sbuf_bytes(words, bytes, (size_t)n);
	}
}

/* Begins it; the mutex is held, so that no other child inherits the pipe. */
static pid_t
begin(const struct jobs *j, const struct sbuf *words, const char *result, int *fd)
{
	const char *args[JOB_ARGS + 3];
	struct sbuf output = {0};
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0)
		return -1;
	(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	sbuf_printf(&output, "--output=%s", result);
	split(words, sbuf_cstr(&output), args);
	pid = fork();
	if (pid == 0)
		become(args, ends[1], j->seconds);
	close(ends[1]);
	if (pid < 0)
		close(ends[0]);
	sbuf_release(&output);
	*fd = ends[0];
	return pid;
}

/* A place for it, or that somebody else makes it: then JOBS_RUN. */
static int
place_for(const struct jobs *j, const char *result)
{
	int place = JOBS_RUN;

	for (int i = 0; i < JOBS_RUN; i++) {
		if (j->pids[i] == 0)
			place = i;
		else if (strcmp(j->results[i], result) == 0)
			return JOBS_RUN;
	}
	return place;
}

int
job_make(struct jobs *j, const struct sbuf *args, const char *result, struct sbuf *words)
{
	int place = JOBS_RUN, status = 0, fd = -1;
	pid_t pid;
	bool in_time;

	pthread_mutex_lock(&j->mutex);
	while (!j->stopping && access(result, F_OK) != 0 && j->waiting < JOBS_WAIT &&
	    (place = place_for(j, result)) == JOBS_RUN) {
		j->waiting++;
		pthread_cond_wait(&j->changed, &j->mutex);
		j->waiting--;
	}
	if (place == JOBS_RUN || j->stopping || access(result, F_OK) == 0) {
		pthread_mutex_unlock(&j->mutex);
		return !j->stopping && access(result, F_OK) == 0 ? 0 : JOB_BUSY;
	}
	if ((pid = begin(j, args, result, &fd)) > 0) {
		j->pids[place] = pid;
		j->results[place] = result;
	}
	pthread_mutex_unlock(&j->mutex);
	if (pid < 0)
		return JOB_BUSY;
	in_time = listen_to(fd, clock_ms() + (int64_t)j->seconds * 1000, words);
	close(fd);
	pthread_mutex_lock(&j->mutex);
	if (!in_time)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	j->pids[place] = 0;
	pthread_cond_broadcast(&j->changed);
	pthread_mutex_unlock(&j->mutex);
	return WIFEXITED(status) ? WEXITSTATUS(status) : JOB_KILLED;
}
