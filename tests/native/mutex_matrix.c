/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Threads x section lengths x numbers of locks, in every way to take a lock. The detector is a pair of
 * plain counters a lock: two threads in one section make them differ, and ThreadSanitizer reports them.
 * The epilogue asserts that every word is back to zero. */
#include "mutex_step.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"
#include "watchdog.h"

enum { THREADS_MAX = 8, LOCKS_MAX = 3 };

typedef struct section {
    int64_t ns;
    int rounds; /* a thread's; fewer where one lasts longer */
} section;

static const int THREADS[] = {1, 2, 4, THREADS_MAX};
static const int LOCKS[] = {1, LOCKS_MAX};
static const section SECTIONS[] = {
    {.ns = 0, .rounds = 10000},
    {.ns = 5 * HF_MICROSECOND, .rounds = 2500},
    {.ns = 300 * HF_MICROSECOND, .rounds = 150},
};

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

typedef struct counters {
    uint64_t entered;
    uint64_t left;
} counters;

/* A mutex protects the counters of the same index. Invariant: entered == left. */
static hf_mutex mutexes[LOCKS_MAX];
static counters guarded[LOCKS_MAX];

typedef struct worker {
    pthread_t thread;
    random_source random;
    section section;
    int locks;
    uint64_t sections[LOCKS_MAX]; /* that it was in */
} worker;

/* Nobody starts before all are there, or the shortest runs would be over one after the other. */
static pthread_barrier_t start;

static void fail(const char *what)
{
    fprintf(stderr, "mutex_matrix: %s\n", what);
    abort();
}

static void expect(hf_result result, hf_result expected)
{
    if (result != expected) {
        fprintf(stderr, "mutex_matrix: result %d instead of %d\n", (int)result, (int)expected);
        abort();
    }
}

static void pass_time(int64_t ns)
{
    int64_t end = ns > 0 ? hf_now_ns() + ns : 0;
    while (end > 0 && hf_now_ns() < end) {
    }
}

/* Each way below returns whether it got the lock. */

static bool by_lock(worker *self, hf_mutex *mutex)
{
    (void)self;
    expect(hf_mutex_lock(mutex), HF_OK);
    return true;
}

static bool by_trylock(worker *self, hf_mutex *mutex)
{
    uint32_t tries = 1 + random_below(&self->random, 50);
    for (; tries > 0; tries -= 1) {
        hf_result result = hf_mutex_trylock(mutex);
        if (result == HF_OK) {
            return true;
        }
        expect(result, HF_BUSY);
        sched_yield();
    }
    return false;
}

/* Some deadlines are past, most come during the wait, and the longest outlast the patience. */
static bool by_lock_until(worker *self, hf_mutex *mutex)
{
    int64_t longest_us = random_below(&self->random, 8) == 0 ? 3000 : 200;
    int64_t deadline_ns = hf_now_ns() + random_below(&self->random, (uint32_t)longest_us) * HF_MICROSECOND;
    hf_result result = hf_mutex_lock_until(mutex, deadline_ns);
    if (result == HF_OK) {
        return true;
    }
    expect(result, HF_TIMEOUT);
    if (hf_now_ns() < deadline_ns) {
        fail("lock_until gave up before its deadline");
    }
    return false;
}

/* An event loop as the mutex sees it: it only steps, looks again now and then, may be busy while its turn
 * comes, and may give up. */
static bool by_polling(worker *self, hf_mutex *mutex)
{
    const uint32_t id = hf_thread_id();
    const hf__mutex_kind kind = random_below(&self->random, 2) ? HF__POLLING : HF__ASYNC;
    hf__mutex_token token = 0;
    uint32_t watched_before = 0;
    int64_t watched_since_ns = 0;
    for (;;) {
        hf__mutex_outcome step = hf__mutex_step(mutex, id, kind, token);
        if (((step >> HF__OUTCOME_NEXT) & 3) == HF__MUTEX_TAKEN) {
            return true;
        }
        if (random_below(&self->random, 400) == 0) {
            hf__mutex_withdraw(mutex, id, kind, token);
            return false;
        }
        bool busy = random_below(&self->random, 400) == 0;
        pass_time(busy ? 3 * HF_MILLISECOND : 20 * HF_MICROSECOND);
        sched_yield();

        uint32_t watched = (uint32_t)(step >> HF__OUTCOME_WATCHED);
        bool polls = (step >> HF__OUTCOME_POLLS) & 1;
        int64_t now_ns = hf_now_ns();
        if (watched != watched_before) {
            watched_before = watched;
            watched_since_ns = now_ns;
        }
        int64_t reservation_ns = polls ? HF_MUTEX_POLLED_RESERVATION_NS : HF_MUTEX_RESERVATION_NS;
        token = now_ns - watched_since_ns > reservation_ns ? watched : 0;
    }
}

/* A caller that keeps a clock, as the glue's tryLock does: it takes the lock away from a thread that does not
 * come for it. */
static bool by_watching(worker *self, hf_mutex *mutex)
{
    const uint32_t id = hf_thread_id();
    uint32_t watched = 0;
    for (uint32_t tries = 1 + random_below(&self->random, 3); tries > 0; tries -= 1) {
        uint32_t result = hf__mutex_try_after(mutex, id, watched);
        if (result == HF_OK) {
            return true;
        }
        watched = result & HF_THREAD_MASK;
        pass_time(watched ? HF_MUTEX_POLLED_RESERVATION_NS : 0);
    }
    return false;
}

typedef bool (*way)(worker *self, hf_mutex *mutex);
static const way WAYS[] = {by_lock, by_trylock, by_lock_until, by_polling, by_watching};

static void be_inside(worker *self, uint32_t lock)
{
    counters *inside = &guarded[lock];
    if (inside->entered != inside->left) {
        fail("two threads are in one section");
    }
    inside->entered += 1;
    pass_time(self->section.ns);
    inside->left += 1;
    if (!hf_mutex_is_mine(&mutexes[lock])) {
        fail("the lock went away during the section");
    }
}

static void *work(void *argument)
{
    worker *self = argument;
    pthread_barrier_wait(&start);
    for (int round = 0; round < self->section.rounds; round += 1) {
        uint32_t lock = random_below(&self->random, (uint32_t)self->locks);
        way take = WAYS[random_below(&self->random, COUNT(WAYS))];
        if (take(self, &mutexes[lock])) {
            be_inside(self, lock);
            self->sections[lock] += 1;
            expect(hf_mutex_unlock(&mutexes[lock]), HF_OK);
        }
        watchdog_progress();
    }
    return NULL;
}

static void assert_clean(const worker *workers, int threads)
{
    for (int lock = 0; lock < LOCKS_MAX; lock += 1) {
        const hf_mutex *mutex = &mutexes[lock];
        uint64_t sections = 0;
        for (int at = 0; at < threads; at += 1) {
            sections += workers[at].sections[lock];
        }
        if (guarded[lock].entered != sections || guarded[lock].left != sections) {
            fail("sections were lost");
        }
        if (mutex->word != 0 || mutex->line != 0 || mutex->generation != 0) {
            fprintf(stderr, "mutex_matrix: the word is left at %016" PRIx64 "\n", mutex->word);
            abort();
        }
    }
}

static void run_cell(random_source *random, int threads, section section, int locks)
{
    worker workers[THREADS_MAX] = {0};
    for (int lock = 0; lock < LOCKS_MAX; lock += 1) {
        mutexes[lock] = (hf_mutex){0};
        guarded[lock] = (counters){0};
    }
    pthread_barrier_init(&start, NULL, (unsigned)threads);
    int64_t begin_ns = hf_now_ns();
    for (int at = 0; at < threads; at += 1) {
        uint64_t seed = random_below(random, UINT32_MAX);
        workers[at] = (worker){.random = random_of(seed, (uint64_t)at), .section = section, .locks = locks};
        if (pthread_create(&workers[at].thread, NULL, work, &workers[at]) != 0) {
            fail("no thread could be started");
        }
    }
    for (int at = 0; at < threads; at += 1) {
        pthread_join(workers[at].thread, NULL);
    }
    pthread_barrier_destroy(&start);
    printf("threads %d, section %6" PRId64 " ns, locks %d: %4" PRId64 " ms\n", threads, section.ns, locks,
           (hf_now_ns() - begin_ns) / HF_MILLISECOND);
    fflush(stdout);
    assert_clean(workers, threads);
}

int main(void)
{
    random_source random = random_of(random_seed(), 0);
    watchdog_start((const uint32_t *)mutexes, LOCKS_MAX * sizeof(hf_mutex) / sizeof(uint32_t));
    for (int threads = 0; threads < COUNT(THREADS); threads += 1) {
        for (int section = 0; section < COUNT(SECTIONS); section += 1) {
            for (int locks = 0; locks < COUNT(LOCKS); locks += 1) {
                run_cell(&random, THREADS[threads], SECTIONS[section], LOCKS[locks]);
            }
        }
    }
    watchdog_stop();
    return 0;
}
