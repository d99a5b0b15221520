/* base/clock.h - monotonic time. */
#ifndef CUZK_BASE_CLOCK_H
#define CUZK_BASE_CLOCK_H

#include <stdint.h>

uint64_t now_ns(void); /* CLOCK_MONOTONIC */

#endif
