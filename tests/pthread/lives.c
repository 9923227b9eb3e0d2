/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "families.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

/* Threads that begin and end: malloc's own lock is wrapped, and threads use it before they have thread-local
 * variables and after those are gone. */

enum { LIVES = 100, BLOCKS = 200, THREADS = 3, MOST_BYTES = 5000 };

static pthread_key_t key;
static int ended;

static void free_it(void *block)
{
    free(block);
    __atomic_fetch_add(&ended, 1, __ATOMIC_RELAXED);
}

static void *use_memory(void *unused)
{
    static __thread char local[64];
    pthread_setspecific(key, malloc(sizeof local));
    void *blocks[BLOCKS];
    for (unsigned at = 0; at < BLOCKS; at += 1) {
        blocks[at] = malloc(at * 7919U % MOST_BYTES + 1);
        local[at % sizeof local] = 1;
        *(char *)blocks[at] = 1;
    }
    for (unsigned at = 0; at < BLOCKS; at += 1) {
        free(blocks[at]);
    }
    return unused;
}

static void threads_come_and_go(void)
{
    CHECK_IS(0, pthread_key_create(&key, free_it));
    for (int life = 0; life < LIVES; life += 1) {
        in_threads(THREADS, use_memory, NULL);
    }
    CHECK_IS((long)LIVES * THREADS, ended);
    CHECK_IS(0, pthread_key_delete(key));
}

void try_lives(void)
{
    threads_come_and_go();
}
