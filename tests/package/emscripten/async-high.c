/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <emscripten.h>
#include <holdfast/async.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A mutex above 2 GiB, whose address is negative where it comes to JavaScript. */

enum { A_WHILE_US = 100000, PIECES = 8, PIECE_BYTES = 1 << 28 };

static hf_mutex *mutex;
static hf_event is_held;
static int forgotten;
static void *volatile below;

static void *hold_for_a_while(void *unused)
{
    hf_mutex_lock(mutex);
    hf_event_set(&is_held);
    usleep(A_WHILE_US);
    hf_mutex_unlock(mutex);
    return unused;
}

static void count(hf_result result, void *unused)
{
    (void)result, (void)unused;
    forgotten += 1;
}

static void tell(hf_result result, void *unused)
{
    (void)unused;
    printf("%d %d\n", result, forgotten);
    emscripten_force_exit(0);
}

int main(void)
{
    for (int piece = 0; piece < PIECES; piece += 1) {
        below = malloc(PIECE_BYTES); // and never freed
    }
    mutex = malloc(PIECE_BYTES);
    if ((intptr_t)mutex >= 0) {
        puts("the mutex is not above 2 GiB");
        emscripten_force_exit(1);
    }
    memset(mutex, 0, 2 * sizeof *mutex);
    hf_event_init(&is_held, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, hold_for_a_while, NULL);
    hf_event_wait(&is_held);
    hf_mutex_lock(mutex + 1);
    hf_mutex_lock_async(mutex + 1, count, NULL, HF_FOREVER);
    hf_async_forget(mutex + 1, sizeof *mutex);
    hf_mutex_unlock(mutex + 1);
    hf_mutex_lock_async(mutex, tell, NULL, HF_FOREVER);
    return 0;
}
