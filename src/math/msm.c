/* math/msm.c - the choice of window bits and parts. */
#include "math/msm.h"

#include <math.h>

#define PARTS_MAX      64
#define PART_COUNT_MIN 4096 /* points */

static double task_cost(double count, uint32_t window_bits) { return count + ldexp(1.0, (int)window_bits); }

struct msm_shape msm_shape(size_t count, uint32_t bits, size_t threads)
{
    struct msm_shape best = { 0, 0, 0 };
    double best_cost = INFINITY;
    const bool small = count <= SMALL_COUNT_MAX;

    for (uint32_t c = 2; c <= WINDOW_BITS_MAX; c++)
        for (uint32_t parts = 1; parts <= PARTS_MAX; parts *= 2) {
            uint32_t windows = bits / c + 1;
            if (parts > 1 && (small || count / parts < PART_COUNT_MIN))
                break;
            double rounds = ceil((double)windows * parts / (double)(small ? 1 : threads));
            double cost = rounds * task_cost((double)count / parts, c);
            if (cost < best_cost) {
                best_cost = cost;
                best = (struct msm_shape){ c, windows, parts };
            }
        }
    return best;
}
