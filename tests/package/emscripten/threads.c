/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A user's program: threads that end while they hold an hf_mutex, each in its own way. Their workers live
 * on. */
#include <holdfast/holdfast.h>

#include <emscripten.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

/* threads.mjs has the same. */
typedef enum way {
    RETURNS,
    EXITS,
    IS_CANCELLED,
    RELEASES_IN_A_DESTRUCTOR,
    WAITS,
    IS_TOLD_AND_ENDS,
    ONLY_LOCKS,
    WAY_COUNT
} way;

static hf_mutex mutex;
static pthread_t lasting;    /* until it is cancelled */
static atomic_uint identity; /* of the last thread that came here */
static atomic_int result;    /* its hf_result; -1: none yet */
static pthread_key_t key;    /* made after the library's key */

static void tell(hf_result locked)
{
    identity = hf_thread_id();
    result = locked;
}

static void *return_with_it(void *unused)
{
    tell(hf_mutex_lock(&mutex));
    return unused;
}

static void *exit_with_it(void *unused)
{
    tell(hf_mutex_lock(&mutex));
    pthread_exit(unused);
}

static void *be_cancelled_with_it(void *unused)
{
    tell(hf_mutex_lock(&mutex));
    for (;;) {
        usleep(1000);
        pthread_testcancel();
    }
    return unused;
}

static void release(void *unused)
{
    (void)unused;
    tell(hf_mutex_unlock(&mutex));
}

static void *release_later(void *unused)
{
    hf_mutex_lock(&mutex);
    pthread_setspecific(key, &key);
    return unused;
}

static void *wait_for_it(void *unused)
{
    hf_result locked = hf_mutex_lock(&mutex);
    hf_mutex_recover(&mutex);
    hf_mutex_unlock(&mutex);
    tell(locked);
    return unused;
}

static void *only_lock(void *unused)
{
    hf_result locked = hf_mutex_lock(&mutex);
    hf_mutex_unlock(&mutex);
    tell(locked);
    return unused;
}

static void *(*const LIVES[WAY_COUNT])(void *) = {
    [RETURNS] = return_with_it,
    [EXITS] = exit_with_it,
    [IS_CANCELLED] = be_cancelled_with_it,
    [RELEASES_IN_A_DESTRUCTOR] = release_later,
    [WAITS] = wait_for_it,
    [IS_TOLD_AND_ENDS] = return_with_it,
    [ONLY_LOCKS] = only_lock,
};

EMSCRIPTEN_KEEPALIVE int program_make_key(void)
{
    return pthread_key_create(&key, release);
}

EMSCRIPTEN_KEEPALIVE int program_start(way how)
{
    result = -1;
    pthread_t thread;
    int error = pthread_create(&thread, NULL, LIVES[how], NULL);
    if (error == 0 && how == IS_CANCELLED) {
        lasting = thread;
        return 0;
    }
    return error == 0 ? pthread_detach(thread) : error;
}

EMSCRIPTEN_KEEPALIVE int program_cancel(void)
{
    return pthread_cancel(lasting) || pthread_detach(lasting);
}

EMSCRIPTEN_KEEPALIVE int program_result(void)
{
    return result;
}

EMSCRIPTEN_KEEPALIVE uint32_t program_identity(void)
{
    return identity;
}

EMSCRIPTEN_KEEPALIVE hf_mutex *program_mutex(void)
{
    return &mutex;
}
