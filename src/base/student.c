// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/student.h"

#include <float.h>
#include <math.h>

enum {
	FRACTION_STEPS = 1000,
	HALVINGS = 200,
	NEWTON_STEPS = 100,
	SERIES_FROM = 10, /* below, the recurrence leads there */
};

/* The continued fraction of the incomplete beta function, by Lentz's method. */
static double
beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 - (a + b) * x / (a + 1), h;

	d = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
	h = d;
	for (int m = 1; m <= FRACTION_STEPS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step = 1;

		for (int half = 0; half < 2; half++) {
			double by = half == 0 ? even : odd;

			d = 1 + by * d;
			c = 1 + by / c;
			d = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
			c = fabs(c) < DBL_MIN ? DBL_MIN : c;
			step = c * d;
			h *= step;
		}
		if (fabs(step - 1) < DBL_EPSILON)
			break;
	}
	return h;
}

/* The incomplete beta function I_x(a, b). */
static double
beta_incomplete(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double
student_tail(double t, double df)
{
	double tail = beta_incomplete(df / 2, 0.5, df / (df + t * t)) / 2;

	return t >= 0 ? tail : 1 - tail;
}

double
student_quantile(double p, double df)
{
	double low = 0, high = 1;

	while (student_tail(high, df) > p && high < DBL_MAX / 4)
		high *= 2;
	for (int i = 0; i < HALVINGS && low < high; i++) {
		double middle = low + (high - low) / 2;

		if (middle <= low || middle >= high)
			break;
		if (student_tail(middle, df) > p)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* The asymptotic series, with Bernoulli's numbers B2 to B14. */
double
polygamma(int order, double x)
{
	static const double bernoulli[] = {1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66,
	    -691.0 / 2730, 7.0 / 6};
	double sum = 0, power;

	for (; x < SERIES_FROM; x++)
		sum += order == 1 ? -1 / x : order == 2 ? 1 / (x * x) : -2 / (x * x * x);
	power = 1 / (x * x);
	switch (order) {
	case 1:
		sum += log(x) - 1 / (2 * x);
		for (int i = 0; i < 7; i++, power /= x * x)
			sum -= bernoulli[i] * power / (2 * (i + 1));
		return sum;
	case 2:
		sum += 1 / x + power / 2;
		for (int i = 0; i < 7; i++, power /= x * x)
			sum += bernoulli[i] * power / x;
		return sum;
	default:
		sum -= power + power / x;
		for (int i = 0; i < 7; i++, power /= x * x)
			sum -= (2 * (i + 1) + 1) * bernoulli[i] * power / (x * x);
		return sum;
	}
}

double
trigamma_inverse(double y)
{
	double x = 0.5 + 1 / y;

	for (int i = 0; i < NEWTON_STEPS; i++) {
		double first = polygamma(2, x), step = first * (1 - first / y) / polygamma(3, x);

		x += step;
		if (fabs(step) < 1e-10 * x)
			break;
	}
	return x;
}
