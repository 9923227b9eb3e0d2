/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall */
#endif
#include "futex.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "holdfast/atomic.h"

#define NANOSECONDS_IN_A_SECOND INT64_C(1000000000)

/* The kernel identifies private futexes by address, and futexes shared between processes by page, which takes
 * longer. */
#ifdef HF_PROCESS_SHARED
enum { PRIVATE = 0 };
#else
enum { PRIVATE = 128 };
#endif
/* The kernel's numbers. musl's compiler does not find <linux/futex.h>. */
enum { WAIT = 0 | PRIVATE, WAKE = 1 | PRIVATE };

/* The struct that the kernel reads. It may differ from the program's struct timespec, whose time_t may have
 * 64 bits where the call reads 32. Young platforms have only the new call. */
#ifndef SYS_futex
#define SYS_futex SYS_futex_time64
typedef int64_t kernel_word;
#elif defined(__x86_64__)
typedef int64_t kernel_word; /* also with 32-bit pointers */
#else
typedef long kernel_word;
#endif
typedef struct kernel_time {
    kernel_word seconds;
    kernel_word ns;
} kernel_time;

/* In the child of a fork this also counts the parent's threads, so the child's threads check less often than
 * they could. */
static uint32_t asleep;

uint32_t hf__asleep(void)
{
    return hf__load_rlx(&asleep);
}

/* Returns a negative error, and leaves errno alone: a program may unlock between an error and perror(). */
static long futex(uint32_t *word, int operation, uint32_t value, const kernel_time *limit)
{
    int before = errno;
    long result = syscall(SYS_futex, word, operation, value, limit, NULL, 0);
    if (result < 0) {
        result = -errno;
        errno = before;
    }
    return result;
}

hf__wait_result hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns)
{
    const kernel_time relative = {
        .seconds = (kernel_word)(timeout_ns / NANOSECONDS_IN_A_SECOND),
        .ns = (kernel_word)(timeout_ns % NANOSECONDS_IN_A_SECOND),
    };
    hf__add_rlx(&asleep, 1);
    long result = futex(word, WAIT, expected, timeout_ns < 0 ? NULL : &relative);
    hf__add_rlx(&asleep, UINT32_MAX);
    switch (result) {
    case -EAGAIN:
        return HF__CHANGED;
    case -ETIMEDOUT:
        return HF__TIMED_OUT;
    default:
        return HF__WOKEN; /* also EINTR: a signal is a spurious wake */
    }
}

uint32_t hf__wake(uint32_t *word, uint32_t count)
{
    uint32_t limit = count > INT_MAX ? INT_MAX : count;
    long woken = futex(word, WAKE, limit, NULL);
    return woken < 0 ? 0 : (uint32_t)woken; /* unmapped memory has no waiters */
}
