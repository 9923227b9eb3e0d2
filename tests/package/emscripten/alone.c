/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A program of its own: prints the state of a mutex whose thread has ended. */
#include <holdfast/holdfast.h>
#include <pthread.h>
#include <stdio.h>

static hf_mutex mutex;

static void *end_with_the_mutex(void *unused)
{
    hf_mutex_lock(&mutex);
    return unused;
}

int main(void)
{
#ifdef HAS_TABLE
    hf_threads();
#endif
    pthread_t thread;
    pthread_create(&thread, NULL, end_with_the_mutex, NULL);
    pthread_join(thread, NULL);
    printf("%d\n", (int)hf_mutex_lock_until(&mutex, hf_now_ns() + HF_MILLISECOND));
    return 0;
}
