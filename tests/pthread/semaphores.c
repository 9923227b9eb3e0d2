/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "families.h"

#include <errno.h>
#include <semaphore.h>
#include <stdint.h>

#include <holdfast/semaphore.h>

enum { ITEMS = 5000, PLACES = 3, PAIRS = 2, ONE_IN = 3 };

static struct {
    int before;
    sem_t free_places;
    sem_t items;
    int after;
} packed = {.before = 0x5A5A5A5A, .after = 0x5A5A5A5A};

static int value_of(sem_t *sem)
{
    int value = -1;
    CHECK_IS(0, sem_getvalue(sem, &value));
    return value;
}

static void *leave_soon(void *sem)
{
    pause_a_little();
    return (void *)(intptr_t)sem_post(sem);
}

static void it_counts(sem_t *sem)
{
    struct timespec bad = {.tv_nsec = -1};
    CHECK_IS(0, sem_init(sem, 0, 2));
    CHECK_IS(2, value_of(sem));
    CHECK_IS(0, sem_wait(sem));
    CHECK_IS(0, sem_timedwait(sem, &bad)); /* it succeeds at once, whatever the deadline */
    CHECK_IS(0, value_of(sem));
    errno = 0;
    CHECK_IS(-1, sem_trywait(sem));
    CHECK_IS(EAGAIN, errno);
    CHECK_IS(-1, sem_timedwait(sem, &bad));
    CHECK_IS(EINVAL, errno);
    struct timespec soon = in_ms(CLOCK_REALTIME, SOON_MS);
    double before = ms_on(CLOCK_MONOTONIC);
    CHECK_IS(-1, sem_timedwait(sem, &soon));
    CHECK_IS(ETIMEDOUT, errno);
    CHECK(ms_on(CLOCK_MONOTONIC) - before >= SOON_MS - CLOCKS_DIFFER_MS);
    CHECK_IS(0, elsewhere(leave_soon, sem));
    CHECK_IS(0, sem_wait(sem));
    CHECK_IS(0, sem_post(sem));
    CHECK_IS(1, value_of(sem));
    CHECK_IS(0, sem_destroy(sem));
}

static void too_many_is_an_error(void)
{
    sem_t sem;
    CHECK_IS(-1, sem_init(&sem, 0, HF_SEMAPHORE_MOST + 1)); /* stock semaphores allow four times as many */
    CHECK_IS(EINVAL, errno);
    CHECK_IS(0, sem_init(&sem, 0, HF_SEMAPHORE_MOST));
    CHECK_IS(-1, sem_post(&sem));
    CHECK_IS(EOVERFLOW, errno);
    CHECK_IS(0, sem_wait(&sem));
    CHECK_IS(0, sem_post(&sem));
    errno = 0;
    CHECK(sem_open("/holdfast", 0) == SEM_FAILED);
    CHECK_IS(ENOSYS, errno);
}

static int in_use;
static long moved;

static void *put(void *unused)
{
    for (int item = 0; item < ITEMS; item += 1) {
        sem_wait(&packed.free_places);
        if (__atomic_add_fetch(&in_use, 1, __ATOMIC_RELAXED) > PLACES) {
            IT_FAILS("there are more items than places");
        }
        sem_post(&packed.items);
        progress();
    }
    return unused;
}

static void *take(void *unused)
{
    struct timespec late = in_ms(CLOCK_REALTIME, 1000L * MS_IN_A_SECOND);
    for (int item = 0; item < ITEMS; item += 1) {
        if (item % ONE_IN) {
            sem_wait(&packed.items);
        } else {
            sem_timedwait(&packed.items, &late);
        }
        __atomic_fetch_add(&moved, 1, __ATOMIC_RELAXED);
        __atomic_fetch_sub(&in_use, 1, __ATOMIC_RELAXED);
        sem_post(&packed.free_places);
    }
    return unused;
}

static void *put_or_take(void *next)
{
    return __atomic_fetch_add((int *)next, 1, __ATOMIC_RELAXED) % 2 ? put(NULL) : take(NULL);
}

void try_semaphores(void)
{
    it_counts(&packed.free_places);
    it_counts(&packed.items);
    too_many_is_an_error();
    sem_init(&packed.free_places, 0, PLACES);
    sem_init(&packed.items, 0, 0);
    int next = 0;
    in_threads(2 * PAIRS, put_or_take, &next);
    CHECK_IS((long)PAIRS * ITEMS, moved);
    CHECK_IS(PLACES, value_of(&packed.free_places));
    CHECK_IS(0, value_of(&packed.items));
    CHECK(packed.before == 0x5A5A5A5A && packed.after == packed.before);
}
