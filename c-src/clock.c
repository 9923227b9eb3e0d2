/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#if !defined(_GNU_SOURCE) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#endif
#include "holdfast/clock.h"

#include "holdfast/host.h"

#ifdef HF__HOST
int64_t hf_now_ns(void)
{
    return hf_host_now_ns();
}
#else
#include <time.h>

#define NANOSECONDS_IN_A_SECOND INT64_C(1000000000)

int64_t hf_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * NANOSECONDS_IN_A_SECOND + now.tv_nsec;
}
#endif
