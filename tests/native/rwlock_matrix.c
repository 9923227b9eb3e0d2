/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Threads x shares of readers, in every way to take the lock in either mode. Only a writer changes the plain
 * data, which readers check. */
#include "rwlock.h"

#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

#include "gate_ways.h"
#include "matrix.h"

static const uint32_t READERS_IN_A_HUNDRED[] = {0, 50, 95};
static const int64_t LENGTHS_NS[] = {0, 20 * HF_MICROSECOND};
enum { ROUNDS = 300 };

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static hf_rwlock rwlock;
static matrix_section section;
static uint64_t written[MATRIX_THREADS_MAX]; /* by each thread */

static int upgradable; /* threads; atomic */

/* The settings of this run. */
static uint32_t readers;
static int64_t length_ns;

/* Each way below returns whether the thread got the lock. */

typedef enum mode { READS, WRITES } mode;

static bool by_lock(matrix_thread *self, mode mode)
{
    (void)self;
    matrix_expect(mode == READS ? hf_rwlock_lock_shared(&rwlock) : hf_rwlock_lock(&rwlock), HF_OK);
    return true;
}

static bool by_trylock(matrix_thread *self, mode mode)
{
    for (uint32_t tries = 1 + random_below(&self->random, 50); tries > 0; tries -= 1) {
        hf_result result = mode == READS ? hf_rwlock_trylock_shared(&rwlock) : hf_rwlock_trylock(&rwlock);
        if (result == HF_OK) {
            return true;
        }
        matrix_expect(result, HF_BUSY);
        sched_yield();
    }
    return false;
}

static bool by_lock_until(matrix_thread *self, mode mode)
{
    int64_t deadline_ns = matrix_deadline(self);
    return matrix_in_time(mode == READS ? hf_rwlock_lock_shared_until(&rwlock, deadline_ns)
                                        : hf_rwlock_lock_until(&rwlock, deadline_ns),
                          deadline_ns);
}

/* The two ways that pass the gate directly, as the glue does. */

static gate_request request(mode mode)
{
    uint32_t amount = mode == READS ? HF__SHARED : hf__rwlock_writer(hf_thread_id());
    return (gate_request){&rwlock.gate, amount, HF__RWLOCK_CAPACITY, 0};
}

static bool by_polling(matrix_thread *self, mode mode)
{
    return gate_by_polling(self, request(mode));
}

static bool by_watching(matrix_thread *self, mode mode)
{
    return gate_by_watching(self, request(mode));
}

typedef bool (*way)(matrix_thread *self, mode mode);
static const way WAYS[] = {by_lock, by_lock, by_trylock, by_lock_until, by_polling, by_watching};

static void read_and_unlock(void)
{
    matrix_look(&section, length_ns);
    matrix_require(!hf_rwlock_is_mine(&rwlock), "a reader is taken for the writer");
    matrix_expect(hf_rwlock_unlock_shared(&rwlock), HF_OK);
}

static void write_and_unlock(matrix_thread *self)
{
    matrix_be_alone(&section, length_ns);
    uint64_t entered = section.entered;
    written[self->number] += 1;
    matrix_require(hf_rwlock_is_mine(&rwlock), "the lock went away during the section");
    if (matrix_chance(self, 4)) {
        matrix_expect(hf_rwlock_downgrade(&rwlock), HF_OK);
        matrix_require(section.entered == entered, "a writer got in during a downgrade");
        read_and_unlock();
    } else {
        matrix_expect(hf_rwlock_unlock(&rwlock), HF_OK);
    }
}

static bool come_upgradable(matrix_thread *self)
{
    switch (random_below(&self->random, 3)) {
    case 0:
        matrix_expect(hf_rwlock_lock_upgradable(&rwlock), HF_OK);
        return true;
    case 1:
        return hf_rwlock_trylock_upgradable(&rwlock) == HF_OK;
    default: {
        int64_t deadline_ns = matrix_deadline(self);
        return matrix_in_time(hf_rwlock_lock_upgradable_until(&rwlock, deadline_ns), deadline_ns);
    }
    }
}

static bool upgrade(matrix_thread *self)
{
    switch (random_below(&self->random, 3)) {
    case 0:
        matrix_expect(hf_rwlock_upgrade(&rwlock), HF_OK);
        return true;
    case 1:
        return hf_rwlock_try_upgrade(&rwlock) == HF_OK;
    default: {
        int64_t deadline_ns = matrix_deadline(self);
        return matrix_in_time(hf_rwlock_upgrade_until(&rwlock, deadline_ns), deadline_ns);
    }
    }
}

static void read_and_decide(matrix_thread *self)
{
    if (!come_upgradable(self)) {
        return;
    }
    matrix_require(__atomic_add_fetch(&upgradable, 1, __ATOMIC_RELAXED) == 1, "two upgradable readers");
    matrix_look(&section, length_ns);
    uint64_t entered = section.entered;
    bool upgrades = matrix_chance(self, 2) && upgrade(self);
    __atomic_sub_fetch(&upgradable, 1, __ATOMIC_RELAXED);
    if (upgrades) {
        matrix_require(section.entered == entered, "a writer got in before an upgrade");
        write_and_unlock(self);
    } else if (matrix_chance(self, 4)) {
        matrix_expect(hf_rwlock_downgrade(&rwlock), HF_OK);
        read_and_unlock();
    } else {
        matrix_expect(hf_rwlock_unlock_upgradable(&rwlock), HF_OK);
    }
}

static void work(matrix_thread *self)
{
    for (int round = 0; round < rounds_in_tier(ROUNDS); round += 1) {
        mode mode = random_below(&self->random, 100) < readers ? READS : WRITES;
        way take = WAYS[random_below(&self->random, COUNT(WAYS))];
        if (matrix_chance(self, 4)) {
            read_and_decide(self);
        } else if (take(self, mode)) {
            if (mode == READS) {
                read_and_unlock();
            } else {
                write_and_unlock(self);
            }
        }
        watchdog_progress();
    }
}

static void run(int threads)
{
    section = (matrix_section){0};
    for (int at = 0; at < MATRIX_THREADS_MAX; at += 1) {
        written[at] = 0;
    }
    printf("section %6" PRId64 " ns, readers %2" PRIu32 " %%, ", length_ns, readers);
    matrix_run(threads, work);
    uint64_t sum = 0;
    for (int at = 0; at < threads; at += 1) {
        sum += written[at];
    }
    matrix_require(section.entered == sum, "sections were lost");
    matrix_require_zero(&rwlock, sizeof rwlock);
}

int main(void)
{
    matrix_begin("rwlock_matrix", &rwlock, sizeof rwlock);
    for (int threads = 0; threads < MATRIX_THREAD_COUNTS; threads += 1) {
        for (int at = 0; at < COUNT(LENGTHS_NS) * COUNT(READERS_IN_A_HUNDRED); at += 1) {
            length_ns = LENGTHS_NS[at / COUNT(READERS_IN_A_HUNDRED)];
            readers = READERS_IN_A_HUNDRED[at % COUNT(READERS_IN_A_HUNDRED)];
            run(MATRIX_THREADS[threads]);
        }
    }
    return matrix_end();
}
