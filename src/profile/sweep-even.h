/*
 * sweep-even: whether the threads of a trace keep several workers about as busy.
 *
 * By a sample of the records.  Private to sweep.
 */
#ifndef SLOWTOP_PROFILE_SWEEP_EVEN_H
#define SLOWTOP_PROFILE_SWEEP_EVEN_H

#include "profile/profile.h"

/* Can so many share the rest of the records better than by parts of the file? */
bool threads_even(const struct profile *, unsigned workers);

#endif
