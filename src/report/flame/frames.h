/*
 * frames: what methods and threads are called in the stacks of a flame graph.
 *
 * A method is package.Class.method; its signature is added where others of its class have
 * the same name.  A thread has its name, with its id where others have the same.  As the
 * programs that read folded stacks want it: no `;`, nothing that ends a line, no blank
 * before a number at the end of a method (which they would take for a count), never empty.
 *
 * Borrows trace and names; strings live as long as the frames.
 */
#ifndef SLOWTOP_REPORT_FLAME_FRAMES_H
#define SLOWTOP_REPORT_FLAME_FRAMES_H

#include "view/names.h"

struct frames;

/*
 * Stacks repeat their callers, so those of a recursion as deep as the trace is long would be
 * the square of it.  All of a file together have so many frames, or are cut at a depth, and
 * what is above it is one frame, FRAMES_CUT.
 */
#define FRAMES_MAX (32 << 20)
#define FRAMES_CUT STR("(deeper)")

/*
 * The depth to cut at.  `stacks`: how many there are of each depth, up to `deepest`;
 * `below`: how many frames of that depth are callers, and if cut there have one stack more
 * in place of all that is above them.
 */
uint32_t frames_depth(const uint32_t *stacks, const uint32_t *below, uint32_t deepest);

struct frames *frames_new(const struct trace *, struct names *);
void frames_free(struct frames *);

struct str frames_method(struct frames *, uint32_t method);
/* Must not end a stack when it ends like a count. */
bool frames_is_count(struct str frame);
struct str frames_thread(struct frames *, uint32_t thread);

#endif
