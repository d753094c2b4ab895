// SPDX-License-Identifier: Apache-2.0
/*
 * student: Student's distribution, and the functions that estimates of spreads need.
 *
 * Doubles, without random numbers; the same digits with any optimisation.
 */
#pragma once

/* P(T >= t) with df degrees of freedom, which need not be whole. */
double student_tail(double t, double df);
/* The t that is exceeded with probability p, below a half. */
double student_quantile(double p, double df);
/* Derivatives of ln Γ: order 1 is ψ, 2 ψ', 3 ψ''; x above 0. */
double polygamma(int order, double x);
/* The x of which ψ' is y, above 0. */
double trigamma_inverse(double y);
