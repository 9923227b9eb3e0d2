/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A pthread locks a mutex, in a program whose pthreads may have the same thread-local variables. */
#include <emscripten.h>
#include <holdfast/holdfast.h>
#include <pthread.h>

static hf_mutex mutex;

static void *lock(void *unused)
{
    hf_mutex_lock(&mutex);
    hf_mutex_unlock(&mutex);
    MAIN_THREAD_EM_ASM({ console.log('all'); });
    return unused;
}

int main(void)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, lock, NULL);
}
