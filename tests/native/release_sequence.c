/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Asks ThreadSanitizer about a release that reaches its acquire through a third thread, which changes the
 * word without an order. C11: no race if the third thread's change is a read-modify-write, which continues
 * the release sequence; a data race if it is a store, which ends the sequence. Not a test: `npm run orders`
 * runs it. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { NOTHING = 0, RELEASED = 1, PASSED_ON = 2 };

static int word;
static int data;
static bool stores;

static void *release(void *unused)
{
    (void)unused;
    data = 1;
    __atomic_store_n(&word, RELEASED, __ATOMIC_RELEASE);
    return NULL;
}

static void *pass_on(void *unused)
{
    (void)unused;
    while (__atomic_load_n(&word, __ATOMIC_RELAXED) != RELEASED) {
    }
    if (stores) {
        __atomic_store_n(&word, PASSED_ON, __ATOMIC_RELAXED);
    } else {
        __atomic_fetch_add(&word, PASSED_ON - RELEASED, __ATOMIC_RELAXED);
    }
    return NULL;
}

static void *acquire(void *unused)
{
    (void)unused;
    while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) != PASSED_ON) {
    }
    data += 1;
    return NULL;
}

int main(int count, char **arguments)
{
    stores = count > 1 && strcmp(arguments[1], "store") == 0;
    void *(*const parts[])(void *) = {release, pass_on, acquire};
    enum { PARTS = sizeof(parts) / sizeof(parts[0]) };
    pthread_t threads[PARTS];
    for (int at = 0; at < PARTS; at += 1) {
        if (pthread_create(&threads[at], NULL, parts[at], NULL) != 0) {
            return 1;
        }
    }
    for (int at = 0; at < PARTS; at += 1) {
        pthread_join(threads[at], NULL);
    }
    printf("%d\n", data);
    return 0;
}
