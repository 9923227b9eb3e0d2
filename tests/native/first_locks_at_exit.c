/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <holdfast/holdfast.h>
#include <pthread.h>
#include <stddef.h>

/* Threads lock for the first time, and take their slots, while the process ends. ThreadSanitizer is to find
 * nothing. */

static hf_mutex mutex;
static hf_latch began;

static void *lock_first(void *unused)
{
    hf_mutex_lock(&mutex);
    hf_mutex_unlock(&mutex);
    return unused;
}

static void *start_threads(void *unused)
{
    for (int started = 0;; started += 1) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, lock_first, NULL) == 0) {
            pthread_join(thread, NULL);
        }
        if (started == 100) {
            hf_latch_count_down(&began, 1);
        }
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    hf_threads();
    hf_latch_init(&began, 1);
    if (pthread_create(&thread, NULL, start_threads, NULL) != 0) {
        return 1;
    }
    hf_latch_wait(&began);
    return 0;
}
