/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Objects that are freed as early as their headers allow, round after round, while other threads are about to
 * return from them. AddressSanitizer and ThreadSanitizer report later accesses; in a plain build such a
 * thread finds garbage, and waits in it for ever. */
#include "holdfast/holdfast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "futex.h"
#include "holdfast/atomic.h"
#include "matrix.h"

enum { ROUNDS = 1000, GARBAGE = 0xA5, LATE_NS = 20000 };

/* The linker puts this between the library and its futex (--wrap). It delays a thread after a wake, so that the
 * woken threads free the object meanwhile. */
uint32_t __real_hf__wake(uint32_t *word, uint32_t count);
uint32_t __wrap_hf__wake(uint32_t *word, uint32_t count);

uint32_t __wrap_hf__wake(uint32_t *word, uint32_t count)
{
    uint32_t woken = __real_hf__wake(word, count);
    matrix_pass_time(woken == 0 ? 0 : LATE_NS);
    return woken;
}

/* All objects here are of one size for the allocator, so that it gives the same memory again. */
enum { PLACE_BYTES = 32 };

static void *new_place(void)
{
    void *place = calloc(1, PLACE_BYTES);
    matrix_require(place != NULL, "there is no memory");
    return place;
}

static void free_place(void *place)
{
    memset(place, GARBAGE, PLACE_BYTES);
    free(place);
}

static uint32_t rounds[MATRIX_THREADS_MAX]; /* where each thread is; for the watchdog */

static void come_to(const matrix_thread *self, int round)
{
    hf__store_rlx(&rounds[self->number], (uint32_t)round);
    watchdog_progress();
}

/* Plain: the objects order the threads. */
static hf_barrier *barriers[2];

static hf_barrier *new_barrier(int threads)
{
    hf_barrier *barrier = new_place();
    hf_barrier_init(barrier, (uint32_t)threads);
    return barrier;
}

/* In each round another thread destroys the barrier, once its own wait has returned. */
static void destroy_barriers(matrix_thread *self)
{
    for (int round = 0; round < rounds_in_tier(ROUNDS); round += 1) {
        come_to(self, round);
        hf_barrier **barrier = &barriers[round % 2];
        bool is_last = hf_barrier_arrive_and_wait(*barrier);
        bool by_last = round % 4 < 2;
        if (by_last ? is_last : round / 4 % self->threads == self->number) {
            hf_barrier_destroy(*barrier);
            if (matrix_chance(self, 2)) {
                free_place(*barrier);
                *barrier = new_barrier(self->threads);
            } else {
                hf_barrier_init(*barrier, (uint32_t)self->threads);
            }
        }
    }
}

static void run_barriers(int threads)
{
    printf("barriers, ");
    barriers[0] = new_barrier(threads);
    barriers[1] = new_barrier(threads);
    matrix_run(threads, destroy_barriers);
    free_place(barriers[0]);
    free_place(barriers[1]);
}

/* A round: all threads but one wait; that thread notifies them, and destroys their condition. The mutex
 * guards these words. */
static struct {
    hf_mutex mutex;
    hf_condition all_wait;
    hf_condition *condition;
    int waiting;
    int round;
} crowd;

static void wait_for_the_end_of(int round)
{
    crowd.waiting += 1;
    hf_condition_notify(&crowd.all_wait, 1);
    while (crowd.round == round) {
        matrix_expect(hf_condition_wait(crowd.condition, &crowd.mutex), HF_OK);
    }
    hf_mutex_unlock(&crowd.mutex);
}

static void end_round(matrix_thread *self)
{
    while (crowd.waiting < self->threads - 1) {
        matrix_expect(hf_condition_wait(&crowd.all_wait, &crowd.mutex), HF_OK);
    }
    hf_condition *old = crowd.condition;
    crowd.condition = new_place();
    crowd.waiting = 0;
    crowd.round += 1;
    hf_condition_notify(old, HF_CONDITION_ALL);
    bool holds_it = matrix_chance(self, 2);
    if (!holds_it) {
        hf_mutex_unlock(&crowd.mutex);
    }
    hf_condition_destroy(old);
    free_place(old);
    if (holds_it) {
        hf_mutex_unlock(&crowd.mutex);
    }
}

static void destroy_conditions(matrix_thread *self)
{
    for (int round = 0; round < rounds_in_tier(ROUNDS); round += 1) {
        come_to(self, round);
        hf_mutex_lock(&crowd.mutex);
        if (round % self->threads == self->number) {
            end_round(self);
        } else {
            wait_for_the_end_of(round);
        }
    }
}

static void run_conditions(int threads)
{
    printf("conditions, ");
    crowd.condition = new_place();
    crowd.round = 0;
    matrix_run(threads, destroy_conditions);
    free_place(crowd.condition);
    matrix_require_zero(&crowd.mutex, sizeof crowd.mutex);
}

/* Objects that need no destroy. Thread 0 makes one for each round. A thread frees it as soon as its own call
 * has returned, while calls of other threads may still be about to return. */
typedef struct kind {
    const char *name;
    void (*init)(void *place, int threads);
    void (*use)(matrix_thread *self, void *place);
} kind;

static const kind *used;
static void *place;
static int users; /* the number of threads that have not used the object yet; guarded by the object */

static void init_locked_by_all(void *lock, int threads)
{
    (void)lock; /* all-zero */
    users = threads;
}

/* The last thread to lock the mutex frees it: no other thread will use it. */
static void lock_it_last_and_free(matrix_thread *self, void *mutex)
{
    (void)self;
    matrix_expect(hf_mutex_lock(mutex), HF_OK);
    users -= 1;
    bool is_last = users == 0;
    matrix_expect(hf_mutex_unlock(mutex), HF_OK);
    if (is_last) {
        free_place(mutex);
    }
}

static void write_it_last_and_free(matrix_thread *self, void *rwlock)
{
    (void)self;
    matrix_expect(hf_rwlock_lock(rwlock), HF_OK);
    users -= 1;
    bool is_last = users == 0;
    matrix_expect(hf_rwlock_unlock(rwlock), HF_OK);
    if (is_last) {
        free_place(rwlock);
    }
}

static void lock_it_twice_and_free(matrix_thread *self, void *mutex)
{
    (void)self;
    matrix_expect(hf_recursive_mutex_lock(mutex), HF_OK);
    matrix_expect(hf_recursive_mutex_lock(mutex), HF_OK);
    users -= 1;
    bool is_last = users == 0;
    matrix_expect(hf_recursive_mutex_unlock(mutex), HF_OK);
    matrix_expect(hf_recursive_mutex_unlock(mutex), HF_OK);
    if (is_last) {
        free_place(mutex);
    }
}

static uint32_t readers; /* threads that have had the lock; atomic, since they have it together */

static void init_read_by_all(void *lock, int threads)
{
    (void)lock; /* all-zero */
    (void)threads;
    readers = 0;
}

static void read_it_and_free(matrix_thread *self, void *rwlock)
{
    const uint32_t others = (uint32_t)self->threads - 1;
    if (self->number != 0) {
        matrix_expect(hf_rwlock_lock_shared(rwlock), HF_OK);
        hf__add_rlx(&readers, 1);
        matrix_expect(hf_rwlock_unlock_shared(rwlock), HF_OK);
        return;
    }
    bool is_last = false;
    while (!is_last) {
        matrix_expect(hf_rwlock_lock(rwlock), HF_OK);
        is_last = hf__load_rlx(&readers) == others;
        matrix_expect(hf_rwlock_unlock(rwlock), HF_OK);
        matrix_pass_time(0);
    }
    free_place(rwlock);
}

static void init_semaphore(void *semaphore, int threads)
{
    hf_semaphore_init(semaphore, 0, (uint32_t)threads);
}

/* Thread 0 waits for the permits of all others, and for its own if it is alone. */
static void collect_permits_and_free(matrix_thread *self, void *semaphore)
{
    matrix_expect(hf_semaphore_leave(semaphore, 1), HF_OK);
    if (self->number == 0) {
        matrix_expect(hf_semaphore_enter(semaphore, (uint32_t)self->threads), HF_OK);
        free_place(semaphore);
    }
}

static void init_latch(void *latch, int threads)
{
    hf_latch_init(latch, (uint32_t)threads);
}

static void count_down_and_free(matrix_thread *self, void *latch)
{
    matrix_expect(hf_latch_count_down(latch, 1), HF_OK);
    if (self->number == 0) {
        hf_latch_wait(latch);
        free_place(latch);
    }
}

static void init_event(void *event, int threads)
{
    (void)threads;
    hf_event_init(event, false);
}

static void init_automatic_event(void *event, int threads)
{
    (void)threads;
    hf_event_init(event, true);
}

static void set_and_free(matrix_thread *self, void *event)
{
    if (self->number == self->threads - 1) {
        hf_event_set(event);
    }
    if (self->number == 0) {
        hf_event_wait(event);
        free_place(event);
    }
}

/* All threads but one wait; the last waiter to return frees the object. */
static void wait_and_free(const matrix_thread *self, void *waited, void (*wait)(void *))
{
    wait(waited);
    const uint32_t others = (uint32_t)self->threads - 1;
    if (__atomic_add_fetch(&readers, 1, __ATOMIC_ACQ_REL) == others) {
        free_place(waited);
    }
}

static void wait_for_latch(void *latch)
{
    hf_latch_wait(latch);
}

static void wait_for_event(void *event)
{
    hf_event_wait(event);
}

static void init_latch_of_one(void *latch, int threads)
{
    (void)threads;
    readers = 0;
    hf_latch_init(latch, 1);
}

static void init_event_of_all(void *event, int threads)
{
    (void)threads;
    readers = 0;
    hf_event_init(event, false);
}

static void count_down_for_all(matrix_thread *self, void *latch)
{
    if (self->number == 0) {
        matrix_expect(hf_latch_count_down(latch, 1), HF_OK);
        if (self->threads == 1) {
            free_place(latch);
        }
        return;
    }
    wait_and_free(self, latch, wait_for_latch);
}

static void set_for_all(matrix_thread *self, void *event)
{
    if (self->number == 0) {
        hf_event_set(event);
        if (self->threads == 1) {
            free_place(event);
        }
        return;
    }
    wait_and_free(self, event, wait_for_event);
}

static bool is_waited_for; /* guarded by crowd.mutex */
static int notified_in; /* the round; plain: the notify orders the two threads, with the mutex or without */

static void init_condition(void *condition, int threads)
{
    (void)condition; /* all-zero */
    (void)threads;
    is_waited_for = false;
}

static void notify_the_waiter(matrix_thread *self, hf_condition *condition)
{
    hf_mutex_lock(&crowd.mutex);
    while (!is_waited_for) {
        hf_mutex_unlock(&crowd.mutex);
        matrix_pass_time(0);
        hf_mutex_lock(&crowd.mutex);
    }
    bool holds_it = matrix_chance(self, 2);
    if (!holds_it) {
        hf_mutex_unlock(&crowd.mutex);
    }
    notified_in += 1;
    matrix_require(hf_condition_notify(condition, 1) == 1, "it released another number than one");
    if (holds_it) {
        hf_mutex_unlock(&crowd.mutex);
    }
}

/* Frees without a destroy: the notify that released the only waiter may still be running. */
static void notify_and_free(matrix_thread *self, void *condition)
{
    if (self->number == 0) {
        hf_mutex_lock(&crowd.mutex);
        is_waited_for = self->threads > 1;
        if (is_waited_for) {
            int before = notified_in;
            matrix_expect(hf_condition_wait(condition, &crowd.mutex), HF_OK);
            matrix_require(notified_in == before + 1, "what came before the notify is not seen");
        }
        hf_mutex_unlock(&crowd.mutex);
        free_place(condition);
    } else if (self->number == 1) {
        notify_the_waiter(self, condition);
    }
}

static const kind KINDS[] = {
    {"mutexes", init_locked_by_all, lock_it_last_and_free},
    {"recursive mutexes", init_locked_by_all, lock_it_twice_and_free},
    {"rwlocks of writers", init_locked_by_all, write_it_last_and_free},
    {"rwlocks of readers", init_read_by_all, read_it_and_free},
    {"semaphores", init_semaphore, collect_permits_and_free},
    {"latches", init_latch, count_down_and_free},
    {"events", init_event, set_and_free},
    {"automatic events", init_automatic_event, set_and_free},
    {"latches of several waiters", init_latch_of_one, count_down_for_all},
    {"events of several waiters", init_event_of_all, set_for_all},
    {"conditions of one waiter", init_condition, notify_and_free},
};
enum { KIND_COUNT = sizeof(KINDS) / sizeof(KINDS[0]) };

static void use_and_free(matrix_thread *self)
{
    for (int round = 0; round < rounds_in_tier(ROUNDS); round += 1) {
        come_to(self, round);
        if (self->number == 0) {
            place = new_place();
            used->init(place, self->threads);
        }
        matrix_meet();
        used->use(self, place);
        matrix_meet();
    }
}

int main(void)
{
    matrix_begin("lifetimes", rounds, sizeof rounds);
    for (int at = 0; at < MATRIX_THREAD_COUNTS; at += 1) {
        run_barriers(MATRIX_THREADS[at]);
        run_conditions(MATRIX_THREADS[at]);
        for (int kind = 0; kind < KIND_COUNT; kind += 1) {
            used = &KINDS[kind];
            printf("%s, ", used->name);
            matrix_run(MATRIX_THREADS[at], use_and_free);
        }
    }
    return matrix_end();
}
