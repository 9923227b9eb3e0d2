/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <holdfast/holdfast.h>

/* Uses each primitive in the threads of a module without Emscripten, among themselves and with JavaScript. */

#define EXPORT(name) __attribute__((export_name(name)))

enum { THREADS = 4, STACK_BYTES = 16384, PERMITS = 2 };

static char stacks[THREADS][STACK_BYTES] __attribute__((aligned(16)));

/* JavaScript has the addresses of these. */
#define SHARED __attribute__((visibility("default")))
SHARED hf_mutex mutex;
SHARED hf_rwlock rwlock;
SHARED hf_semaphore semaphore;
SHARED hf_event event;
SHARED hf_latch latch;
SHARED hf_recursive_mutex recursive;
SHARED int turn;    /* guarded by the mutex: the thread that is next */
SHARED int counted; /* guarded by the mutex */
SHARED int pair[2]; /* guarded by the rwlock: always equal */
SHARED int torn;    /* pairs that were not equal; atomic */
SHARED int most;    /* greatest number of threads seen with a permit; atomic */
SHARED int deep;    /* guarded by the recursive mutex */
SHARED int begun;   /* guarded by once */

static hf_condition condition;
static hf_once once;
static int inside; /* threads with a permit; atomic */

EXPORT("stack_of") char *stack_of(int thread)
{
    return stacks[thread - 1] + STACK_BYTES;
}

EXPORT("init") void init(int parties)
{
    hf_semaphore_init(&semaphore, PERMITS, PERMITS);
    hf_latch_init(&latch, (uint32_t)parties);
}

static void enter_and_look(void)
{
    hf_semaphore_enter(&semaphore, 1);
    int with_permit = __atomic_add_fetch(&inside, 1, __ATOMIC_RELAXED);
    int seen = __atomic_load_n(&most, __ATOMIC_RELAXED);
    while (with_permit > seen &&
           !__atomic_compare_exchange_n(&most, &seen, with_permit, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    __atomic_add_fetch(&inside, -1, __ATOMIC_RELAXED);
    hf_semaphore_leave(&semaphore, 1);
}

static void write_and_read(void)
{
    hf_rwlock_lock(&rwlock);
    pair[0] += 1;
    pair[1] += 1;
    hf_rwlock_unlock(&rwlock);
    hf_rwlock_lock_shared(&rwlock);
    __atomic_add_fetch(&torn, pair[0] != pair[1], __ATOMIC_RELAXED);
    hf_rwlock_unlock_shared(&rwlock);
}

static void take_turn(int thread, int other)
{
    hf_mutex_lock(&mutex);
    while (turn != thread) {
        hf_condition_wait(&condition, &mutex);
    }
    turn = other;
    counted += 1;
    hf_condition_notify(&condition, HF_CONDITION_ALL);
    hf_mutex_unlock(&mutex);
}

static void nest(void)
{
    hf_recursive_mutex_lock(&recursive);
    hf_recursive_mutex_lock(&recursive);
    deep += 1;
    hf_recursive_mutex_unlock(&recursive);
    hf_recursive_mutex_unlock(&recursive);
}

/* Blocks until JavaScript sets the event. */
EXPORT("play") void play(int thread, int other, int rounds)
{
    hf_latch_count_down(&latch, 1);
    hf_event_wait(&event);
    if (hf_once_begin(&once) == HF_OK) {
        begun += 1;
        hf_once_end(&once, 1);
    }
    for (int round = 0; round < rounds; round += 1) {
        enter_and_look();
        write_and_read();
        take_turn(thread, other);
        nest();
    }
}

EXPORT("lock") int lock(void)
{
    return hf_mutex_lock(&mutex);
}

EXPORT("trylock") int trylock(void)
{
    return hf_mutex_trylock(&mutex);
}

EXPORT("unlock") int unlock(void)
{
    return hf_mutex_unlock(&mutex);
}

EXPORT("lock_for_ms") int lock_for_ms(int milliseconds)
{
    return hf_mutex_lock_until(&mutex, hf_now_ns() + milliseconds * HF_MILLISECOND);
}
