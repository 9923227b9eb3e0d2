/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_CLOCK_H
#define HOLDFAST_CLOCK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Never blocks. Returns the time in nanoseconds, on a monotonic clock with an arbitrary zero. All deadlines
 * of this library are times on this clock: hf_now_ns() + 5 * HF_MILLISECOND is "in 5 ms". */
int64_t hf_now_ns(void);

/* Units, in nanoseconds. */
#define HF_MICROSECOND INT64_C(1000)
#define HF_MILLISECOND INT64_C(1000000)

/* A deadline that never comes. */
#define HF_FOREVER INT64_MAX

#ifdef __cplusplus
}
#endif
#endif
