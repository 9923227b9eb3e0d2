/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "families.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum { SECTIONS = 5000, THREADS = 4, WRITES_ONE_IN = 4 };

static struct {
    int before;
    pthread_rwlock_t lock;
    int after;
} packed = {.before = 0x5A5A5A5A, .lock = PTHREAD_RWLOCK_INITIALIZER, .after = 0x5A5A5A5A};

static pthread_rwlock_t *const lock = &packed.lock;

static void *try_to_read(void *unused)
{
    (void)unused;
    int error = pthread_rwlock_tryrdlock(lock);
    if (error == 0) {
        pthread_rwlock_unlock(lock);
    }
    return (void *)(intptr_t)error;
}

static void *try_to_write(void *unused)
{
    (void)unused;
    int error = pthread_rwlock_trywrlock(lock);
    if (error == 0) {
        pthread_rwlock_unlock(lock);
    }
    return (void *)(intptr_t)error;
}

static void *read_for_a_while(void *unused)
{
    (void)unused;
    struct timespec soon = in_ms(CLOCK_REALTIME, SOON_MS);
    return (void *)(intptr_t)pthread_rwlock_timedrdlock(lock, &soon);
}

static void *write_for_a_while(void *unused)
{
    (void)unused;
    struct timespec soon = in_ms(CLOCK_REALTIME, SOON_MS);
    return (void *)(intptr_t)pthread_rwlock_timedwrlock(lock, &soon);
}

static void modes_are_kept_apart(void)
{
    struct timespec bad = {.tv_nsec = -1};
    CHECK_IS(EPERM, pthread_rwlock_unlock(lock)); /* stock ones let it */
    CHECK_IS(0, pthread_rwlock_rdlock(lock));
    CHECK_IS(0, elsewhere(try_to_read, NULL));
    CHECK_IS(EBUSY, elsewhere(try_to_write, NULL));
    CHECK_IS(ETIMEDOUT, elsewhere(write_for_a_while, NULL));
    CHECK_IS(0, pthread_rwlock_rdlock(lock));
    CHECK_IS(0, pthread_rwlock_unlock(lock));
    CHECK_IS(EINVAL, pthread_rwlock_timedwrlock(lock, &bad));
    CHECK_IS(0, pthread_rwlock_unlock(lock));
    CHECK_IS(0, pthread_rwlock_wrlock(lock));
    CHECK_IS(EDEADLK, pthread_rwlock_wrlock(lock));
    CHECK_IS(EDEADLK, pthread_rwlock_rdlock(lock));
    CHECK_IS(EBUSY, pthread_rwlock_trywrlock(lock));
    CHECK_IS(EBUSY, pthread_rwlock_tryrdlock(lock));
    CHECK_IS(EBUSY, elsewhere(try_to_read, NULL));
    CHECK_IS(ETIMEDOUT, elsewhere(read_for_a_while, NULL));
    CHECK_IS(0, pthread_rwlock_unlock(lock));
    CHECK_IS(0, pthread_rwlock_timedrdlock(lock, &bad));
    CHECK_IS(0, pthread_rwlock_unlock(lock));
    CHECK_IS(EPERM, pthread_rwlock_unlock(lock));
}

static void *write_once(void *unused)
{
    pthread_rwlock_wrlock(lock);
    pthread_rwlock_unlock(lock);
    return unused;
}

/* Stock locks allow this, and many programs rely on it. */
static void a_reader_may_lock_again_while_a_writer_waits(void)
{
    pthread_t writer;
    CHECK_IS(0, pthread_rwlock_rdlock(lock));
    pthread_create(&writer, NULL, write_once, NULL);
    while (elsewhere(try_to_read, NULL) == 0) {
        pause_a_little(); /* the writer does not wait yet, or is not the heir */
    }
    CHECK_IS(0, pthread_rwlock_rdlock(lock));
    CHECK_IS(0, pthread_rwlock_tryrdlock(lock));
    for (int hold = 0; hold < 3; hold += 1) {
        CHECK_IS(0, pthread_rwlock_unlock(lock));
    }
    pthread_join(writer, NULL);
    CHECK_IS(0, elsewhere(try_to_write, NULL));
}

static long a;
static long b;

static void *read_and_write(void *unused)
{
    for (int section = 0; section < SECTIONS; section += 1) {
        bool writes = section % WRITES_ONE_IN == 0;
        if (writes) {
            pthread_rwlock_wrlock(lock);
        } else {
            pthread_rwlock_rdlock(lock);
        }
        if (a + b != 0) {
            IT_FAILS("a section saw another one half done");
        }
        if (writes) {
            a += 1;
            b -= 1;
        }
        pthread_rwlock_unlock(lock);
        progress();
    }
    return unused;
}

/* A thread that holds another lock shared passes beside the readers here, ahead of waiting writers. */
static void *read_and_write_while_it_reads(void *unused)
{
    static pthread_rwlock_t other = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_rdlock(&other);
    read_and_write(unused);
    pthread_rwlock_unlock(&other);
    return unused;
}

/* One after the other, by steps that order no memory: ThreadSanitizer sees only what the lock orders. */
static int step_now;

static void await_step(int step)
{
    while (__atomic_load_n(&step_now, __ATOMIC_RELAXED) != step) {
        pause_a_little();
    }
}

static void end_step(void)
{
    __atomic_fetch_add(&step_now, 1, __ATOMIC_RELAXED);
}

static void write_first(void)
{
    await_step(0);
    pthread_rwlock_wrlock(lock);
    a += 1;
    pthread_rwlock_unlock(lock);
    end_step();
}

static void read_until_joined(void)
{
    await_step(1);
    pthread_rwlock_rdlock(lock);
    end_step();
    await_step(3);
    pthread_rwlock_unlock(lock);
}

static void join_the_reader(long expected)
{
    static pthread_rwlock_t other = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_rdlock(&other);
    await_step(2);
    pthread_rwlock_rdlock(lock);
    CHECK_IS(expected, a);
    end_step();
    pthread_rwlock_unlock(lock);
    pthread_rwlock_unlock(&other);
}

static void *take_a_part(void *expected)
{
    static int parts;
    switch (__atomic_fetch_add(&parts, 1, __ATOMIC_RELAXED)) {
    case 0:
        write_first();
        break;
    case 1:
        read_until_joined();
        break;
    default:
        join_the_reader((long)expected);
    }
    return NULL;
}

static void who_joins_sees_what_was_written(void)
{
    enum { PARTS = 3 };
    in_threads(PARTS, take_a_part, (void *)(a + 1));
}

void try_rwlocks(void)
{
    modes_are_kept_apart();
    a_reader_may_lock_again_while_a_writer_waits();
    in_threads(THREADS, read_and_write, NULL);
    CHECK_IS((long)THREADS * SECTIONS / WRITES_ONE_IN, a);
    in_threads(THREADS, read_and_write_while_it_reads, NULL);
    CHECK_IS(2L * THREADS * SECTIONS / WRITES_ONE_IN, a);
    who_joins_sees_what_was_written();
    CHECK_IS(0, pthread_rwlock_destroy(lock));
    CHECK(packed.before == 0x5A5A5A5A && packed.after == packed.before);
    memset(lock, 0xA5, sizeof *lock);
    CHECK_IS(0, pthread_rwlock_init(lock, NULL));
    modes_are_kept_apart();
}
