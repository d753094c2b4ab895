/*
 * traceview: stands in for the SDK's program of that name: -r prints, else the browser.
 */
#ifndef SLOWTOP_CLI_TRACEVIEW_H
#define SLOWTOP_CLI_TRACEVIEW_H

/* Returns the status to exit with: 1 for a trace that cannot be read, 2 for misuse. */
extern const char traceview_usage[]; /* a line for each option */
int traceview_main(int argc, char **argv);

#endif
