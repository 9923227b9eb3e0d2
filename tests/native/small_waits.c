/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <holdfast/holdfast.h>
#include <pthread.h>
#include <stdio.h>

#include "futex.h"

/* For compilers of other Linuxes (tests/verification/linuxes.test.js): waits of less than a second last as
 * long as asked, and a mutex excludes. Needs only libc. */

enum { THREADS = 4, SECTIONS = 20000 };

static hf_mutex mutex;
static int counter; /* guarded by the mutex */
static uint32_t word;

static void *count(void *unused)
{
    for (int section = 0; section < SECTIONS; section += 1) {
        hf_mutex_lock(&mutex);
        counter += 1;
        hf_mutex_unlock(&mutex);
    }
    return unused;
}

/* A signal may end a wait early, so the longest of several waits is checked. */
static int64_t longest_wait_ns(void)
{
    int64_t longest = 0;
    for (int round = 0; round < 3; round += 1) {
        int64_t began = hf_now_ns();
        hf__wait(&word, 0, 20 * HF_MILLISECOND);
        int64_t waited = hf_now_ns() - began;
        longest = waited > longest ? waited : longest;
    }
    return longest;
}

int main(void)
{
    pthread_t threads[THREADS];
    if (longest_wait_ns() < 20 * HF_MILLISECOND) {
        puts("a wait of 20 ms ends at once");
        return 1;
    }
    for (int at = 0; at < THREADS; at += 1) {
        if (pthread_create(&threads[at], NULL, count, NULL) != 0) {
            return 1;
        }
    }
    for (int at = 0; at < THREADS; at += 1) {
        pthread_join(threads[at], NULL);
    }
    printf("%d\n", counter);
    return 0;
}
