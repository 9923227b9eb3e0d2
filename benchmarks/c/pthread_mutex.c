/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <pthread.h>

/* Emscripten's own pthread_mutex, out of the archive that every program links, for JavaScript to call in
 * threads that Emscripten did not start (rivals/pthread-mutex.js). */
#define EXPORT(name) __attribute__((export_name(#name))) name

int EXPORT(lock)(pthread_mutex_t *mutex)
{
    return pthread_mutex_lock(mutex);
}

int EXPORT(unlock)(pthread_mutex_t *mutex)
{
    return pthread_mutex_unlock(mutex);
}
