/* math/msm.h - what the sums of all groups share: runs, segments, the choice of a plan. */
#ifndef CUZK_MATH_MSM_H
#define CUZK_MATH_MSM_H

#include "math/curve.h"

/* Points of one run of trees: their working points fill a second-level cache, and a run's rounds need few inversions. */
#define RUN_ENTRIES_MAX 32768u

#define WINDOW_BITS_MAX 16 /* two bytes a digit */
#define SMALL_COUNT_MAX 192 /* below, inversions cost more than XYZZ buckets */

/* Entries [first, first + count) whose sum goes to result[result]. */
struct segment { uint32_t first, count, result; };

struct msm_shape { uint32_t window_bits, windows, parts; };

/* The cheapest shape for `count` scalars of `bits` bits: additions of the thread that has most, with
 *   windows = bits/c + 1 (|scalar| < 2^(bits-1), and one bit for the sign),
 *   a task = count/parts points and 2 2^(c-1) for the fold, windows * parts tasks over the threads. */
struct msm_shape msm_shape(size_t count, uint32_t bits, size_t threads);

#endif
