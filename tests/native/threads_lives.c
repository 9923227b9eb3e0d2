/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* C threads that live and die: more at a time than there are slots, each with a few visits to a mutex and to
 * an rwlock, in the last of which it may end while it holds them. Others repair the data. It is plain, so
 * ThreadSanitizer sees whether the recovering thread comes after the dead one. */
#include "identity.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "agents.h"
#include "holdfast/mutex.h"
#include "holdfast/rwlock.h"
#include "random.h"
#include "watchdog.h"

/* A life takes one slot, or two if it gets an abandoned lock. */
enum { PARENTS = 6, LIVES = 4000, VISITS_MOST = 6, SLOTS_LEFT = PARENTS / 2 };

static struct {
    hf_mutex mutex;
    hf_rwlock rwlock;
} locks;

/* Each is protected by one lock. Invariant: begun == ended. */
typedef struct section {
    uint32_t begun;
    uint32_t ended;
} section;

static section in_mutex;
static section in_rwlock;

/* Events counted so far. */
static uint32_t deaths;
static uint32_t recoveries;
static uint32_t reads;
static uint32_t without_slot;

typedef struct life {
    random_source *random;
} life;

static void require(bool condition, const char *otherwise)
{
    if (!condition) {
        fprintf(stderr, "threads_lives: %s\n", otherwise);
        abort();
    }
}

static bool chance(life *own, uint32_t chances)
{
    return random_below(own->random, chances) == 0;
}

/* Returns whether the lock is held. */
static bool enter(life *own, section *there, hf_result result, hf_result (*recover)(void),
                  hf_result (*leave)(void))
{
    if (result == HF_BUSY || result == HF_TIMEOUT) {
        return false;
    }
    if (result == HF_ABANDONED) {
        require(there->begun == there->ended + 1, "a section was broken by one that lives");
        if (chance(own, 4)) {
            require(leave() == HF_OK, "what was abandoned could not be left so");
            return false;
        }
        if (chance(own, 4) && hf__is_slot(hf__thread_second)) {
            pthread_exit(NULL); /* the next caller gets HF_ABANDONED again */
        }
        there->ended = there->begun;
        hf__add_rlx(&recoveries, 1);
        require(recover() == HF_OK, "what was abandoned could not be recovered");
    } else {
        require(result == HF_OK, "another result");
    }
    require(there->begun == there->ended, "nobody has said that the section is broken");
    there->begun += 1;
    return true;
}

static hf_result recover_mutex(void)
{
    return hf_mutex_recover(&locks.mutex);
}

static hf_result leave_mutex(void)
{
    return hf_mutex_unlock(&locks.mutex);
}

static hf_result recover_rwlock(void)
{
    return hf_rwlock_recover(&locks.rwlock);
}

static hf_result leave_rwlock(void)
{
    return hf_rwlock_unlock(&locks.rwlock);
}

static int64_t soon(life *own)
{
    return hf_now_ns() + random_below(own->random, 3000) * HF_MICROSECOND;
}

static hf_result lock_mutex(life *own)
{
    switch (random_below(own->random, 3)) {
    case 0:
        return hf_mutex_trylock(&locks.mutex);
    case 1:
        return hf_mutex_lock_until(&locks.mutex, soon(own));
    default:
        return hf_mutex_lock(&locks.mutex);
    }
}

static hf_result lock_rwlock(life *own)
{
    switch (random_below(own->random, 3)) {
    case 0:
        return hf_rwlock_trylock(&locks.rwlock);
    case 1:
        return hf_rwlock_lock_until(&locks.rwlock, soon(own));
    default:
        return hf_rwlock_lock(&locks.rwlock);
    }
}

static void visit(life *own, bool may_die)
{
    if (chance(own, 3)) {
        hf_result result =
            chance(own, 2) ? hf_rwlock_lock_shared(&locks.rwlock) : hf_rwlock_trylock_shared(&locks.rwlock);
        if (result == HF_OK) {
            require(in_rwlock.begun == in_rwlock.ended, "a reader met a writer");
            hf__add_rlx(&reads, 1);
            require(hf_rwlock_unlock_shared(&locks.rwlock) == HF_OK, "a reader could not leave");
        }
        return;
    }
    bool writes = chance(own, 2);
    section *there = writes ? &in_rwlock : &in_mutex;
    hf_result result = writes ? lock_rwlock(own) : lock_mutex(own);
    if (enter(own, there, result, writes ? recover_rwlock : recover_mutex,
              writes ? leave_rwlock : leave_mutex)) {
        if (may_die) {
            hf__add_rlx(&deaths, 1);
            if (chance(own, 2)) {
                pthread_exit(NULL);
            }
            return;
        }
        there->ended += 1;
        require((writes ? leave_rwlock : leave_mutex)() == HF_OK, "it could not be unlocked");
    }
}

static void *live(void *place)
{
    life *own = (life *)place;
    bool has_slot = hf__is_slot(hf_thread_id());
    hf__add_rlx(&without_slot, has_slot ? 0 : 1);
    for (uint32_t visits = random_below(own->random, VISITS_MOST); visits > 0; visits -= 1) {
        /* The death of a thread without a slot would not be noticed. */
        visit(own, has_slot && visits == 1 && chance(own, 2));
    }
    return NULL;
}

static hf__agents *table(void)
{
    return (hf__agents *)hf_threads();
}

/* Takes unused slots while there are any, but no more than most. Returns how many. */
static uint32_t take_slots(uint32_t *taken, uint32_t most)
{
    uint32_t count = 0;
    while (count < most && (taken[count] = hf__agents_join_unused(table())) != 0) {
        hf__agent_appear(hf__agents_slot(table(), taken[count]), taken[count], 0);
        count += 1;
    }
    return count;
}

static void give_slots_back(const uint32_t *taken, uint32_t count)
{
    for (uint32_t at = 0; at < count; at += 1) {
        hf__agent_leave(hf__agents_slot(table(), taken[at]), taken[at]);
    }
}

static void raise_child(life *own)
{
    pthread_t thread;
    require(pthread_create(&thread, NULL, live, own) == 0, "no thread");
    pthread_join(thread, NULL);
}

static void *raise_children(void *random)
{
    life next = {(random_source *)random};
    for (int at = 0; at < rounds_in_tier(LIVES); at += 1) {
        /* On one core, seldom as many threads live at a time as there are slots. */
        uint32_t taken[SLOTS_LEFT];
        uint32_t count = chance(&next, 64) ? take_slots(taken, SLOTS_LEFT) : 0;
        raise_child(&next);
        give_slots_back(taken, count);
        watchdog_progress();
    }
    return NULL;
}

static void make_good(void)
{
    hf_result result = hf_mutex_lock(&locks.mutex);
    recoveries += result == HF_ABANDONED;
    require(result == HF_OK || hf_mutex_recover(&locks.mutex) == HF_OK, "the mutex is not good");
    require(hf_mutex_unlock(&locks.mutex) == HF_OK && locks.mutex.gate.word == 0, "the mutex is not free");
    result = hf_rwlock_lock(&locks.rwlock);
    recoveries += result == HF_ABANDONED;
    require(result == HF_OK || hf_rwlock_recover(&locks.rwlock) == HF_OK, "the rwlock is not good");
    require(hf_rwlock_unlock(&locks.rwlock) == HF_OK && locks.rwlock.gate.word == 0,
            "the rwlock is not free");
}

int main(void)
{
    uint64_t seed = random_seed();
    for (uint32_t left = table()->count; left > SLOTS_LEFT; left -= 1) {
        uint32_t taken[1];
        take_slots(taken, 1);
    }
    watchdog_start((const uint32_t *)&locks, sizeof locks / sizeof(uint32_t));
    random_source random[PARENTS];
    pthread_t parents[PARENTS];
    for (int at = 0; at < PARENTS; at += 1) {
        random[at] = random_of(seed, (uint64_t)at);
        require(pthread_create(&parents[at], NULL, raise_children, &random[at]) == 0, "no thread");
    }
    for (int at = 0; at < PARENTS; at += 1) {
        pthread_join(parents[at], NULL);
    }
    make_good();
    watchdog_stop();
    /* To stderr, since an abort loses buffered output. */
    fprintf(stderr,
            "threads_lives: %" PRIu32 " deaths with a lock, %" PRIu32 " recoveries, %" PRIu32
            " reads, %" PRIu32 " without a slot\n",
            deaths, recoveries, reads, without_slot);
    require(recoveries == deaths, "a death was not noticed, or one was made up");
    uint32_t enough = (uint32_t)rounds_in_tier(LIVES);
    require(deaths > enough && reads > enough && without_slot > 0, "too little has happened");
    return 0;
}
