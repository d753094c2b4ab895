#include <config.h>

#include "cli/graphviz.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/outfile.h"

extern char **environ;

static const struct form {
	const char *suffix;
	const char *argument; /* for dot; NULL: the text itself */
} forms[] = {
	{ ".png", "-Tpng" },
	{ ".svg", "-Tsvg" },
	{ ".pdf", "-Tpdf" },
	{ ".dot", NULL },
	{ ".gv", NULL },
};

static const struct form *
form_of(const char *path)
{
	const char *suffix = strrchr(path, '.');

	for (size_t i = 0; suffix != NULL && i < sizeof(forms) / sizeof(forms[0]); i++)
		if (strcasecmp(forms[i].suffix, suffix) == 0)
			return &forms[i];
	return &forms[0];
}

/* Waits for the program; ends it when we are to end. */
static bool
dot_wait(pid_t child, const atomic_bool *cancel, struct err *e)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR)
			return err_set(e, ERR_SYSTEM, "lost dot: %s", strerror(errno));
		if (atomic_load(cancel))
			kill(child, SIGTERM);
	}
	if (atomic_load(cancel))
		return err_set(e, ERR_CANCELLED, "interrupted");
	if (status == 0)
		return true;
	return err_set(e, ERR_SYSTEM, "dot (of Graphviz) failed");
}

/* dot reads the file open as `input` and writes the one open as `output`. */
static bool
dot_run(int input, const char *form, int output, const atomic_bool *cancel, struct err *e)
{
	char program[] = "dot";
	char *const argv[] = {program, (char *)form, NULL};
	posix_spawn_file_actions_t actions;
	pid_t child;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	error = posix_spawnp(&child, program, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error != 0)
		return err_set(e, ERR_SYSTEM, "cannot start dot (of Graphviz): %s", strerror(error));
	return dot_wait(child, cancel, e);
}

bool
graphviz_keep(struct str graph, const char *path, struct err *e)
{
	struct outfile out;

	if (!outfile_open(&out, path, OUTFILE_REPLACE, e))
		return false;
	fwrite(graph.p, 1, graph.n, out.file);
	return outfile_commit(&out, e);
}

bool
graphviz_draw(
    struct str graph, const char *path, const atomic_bool *cancel, struct err *e)
{
	const struct form *form = form_of(path);
	struct outfile out;
	FILE *input;
	bool drawn;

	if (form->argument == NULL)
		return graphviz_keep(graph, path, e);
	input = tmpfile();
	if (input == NULL || fwrite(graph.p, 1, graph.n, input) != graph.n ||
	    fflush(input) != 0) {
		err_set(e, ERR_SYSTEM, "cannot write a temporary file: %s", strerror(errno));
		if (input != NULL)
			fclose(input);
		return false;
	}
	rewind(input);
	if (strcmp(path, "-") == 0) {
		drawn = dot_run(fileno(input), form->argument, STDOUT_FILENO, cancel, e);
		fclose(input);
		return drawn;
	}
	if (!outfile_open(&out, path, OUTFILE_REPLACE, e)) {
		fclose(input);
		return false;
	}
	drawn = dot_run(fileno(input), form->argument, fileno(out.file), cancel, e);
	fclose(input);
	if (drawn)
		return outfile_commit(&out, e);
	outfile_abandon(&out);
	return false;
}
