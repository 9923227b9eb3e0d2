/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Agents that live and die on real threads: they join a table with too few slots, answer probes, hold a lock,
 * die with it, and are found dead by others, which recover it. C threads use the same lock: first a mutex,
 * then an rwlock, which some hold shared. An agent is one life; each thread has many. The lock protects plain
 * data, so ThreadSanitizer sees whether the recovering thread comes after the dead one. */
#include "agents.h"

#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "agents_stage.h"
#include "gate.h"
#include "gate_word.h"
#include "matrix.h"
#include "mutex.h"
#include "owned.h"
#include "owner_probe.h"
#include "rwlock.h"

enum { AGENTS = 6, C_THREADS = 2, SLOTS = 5, LIVES = 1500, ROUNDS_MOST = 12 };

/* Entries of a living agent, and of one that is about to die. PLENTY is more than all probes take until the
 * agent is dead: the death of an agent whose credits are used up is never found. The engine removes the last
 * entries one by one. */
enum { FEW = 10, PLENTY = 60000 };

/* On average every other probe is late enough. */
enum { CLOCK_STEP_MS = 4000 };

/* The locks, of which one is used at a time. */
static struct {
    hf_mutex mutex;
    hf_rwlock rwlock;
} locks;
static bool is_rwlock;

static hf__gate *gate(void)
{
    return is_rwlock ? &locks.rwlock.gate : &locks.mutex.gate;
}

static uint32_t capacity(void)
{
    return is_rwlock ? HF__RWLOCK_CAPACITY : HF__GATE_FOR_ONE;
}

/* Protected by the lock. Invariant: begun == ended. */
static struct {
    uint32_t begun;
    uint32_t ended;
} sections;

static uint32_t clock_ms;
static uint32_t living[SLOTS]; /* the thread that lives in each slot; 0: none */
static uint32_t latest[SLOTS]; /* the last thread that lived there */
static uint32_t agents_done;
static uint32_t c_threads_done;

/* Events counted so far. */
static uint32_t deaths;
static uint32_t deaths_with_the_lock;
static uint32_t found_dead;
static uint32_t recoveries;
static uint32_t reads;

/* One life. */
typedef struct agent {
    matrix_thread *thread;
    uint32_t identity;
} agent;

static uint32_t *life_at(uint32_t identity)
{
    return &living[(identity & HF_AGENTS_MOST) - 1];
}

static uint32_t next_ms(matrix_thread *self)
{
    uint32_t step = random_below(&self->random, CLOCK_STEP_MS);
    return hf__add_rlx(&clock_ms, step) + step;
}

static void sleep_us(long us)
{
    nanosleep(&(struct timespec){.tv_nsec = us * HF_MICROSECOND}, NULL);
}

static void nap(matrix_thread *self)
{
    if (matrix_chance(self, 10)) {
        sleep_us(50);
    } else {
        sched_yield();
    }
}

/* Lets deaths and births overtake a probing thread before its wake. */
static void let_others_run(void)
{
    sched_yield();
    sched_yield();
}

/* Arms an entry before it counts the entry; others probe in between. */
static void arm(agent own, uint32_t entries)
{
    matrix_require(hf__agent_arms(agents_slot_of(own.identity), own.identity),
                   "a living agent was found dead");
    agents_arm(own.identity, entries);
    if (matrix_chance(own.thread, 3)) {
        sched_yield();
    }
    matrix_require(hf__agent_credit(agents_slot_of(own.identity), own.identity, entries),
                   "a living agent was found dead");
}

static void answer_looks(agent own)
{
    uint32_t want = random_below(&own.thread->random, FEW);
    uint32_t have = agents_armed(own.identity);
    if (have < want) {
        arm(own, want - have);
    }
}

static agent be_born(matrix_thread *self)
{
    agent own = {self, 0};
    while (own.identity == 0) {
        own.identity = hf__agents_join(agents_at(), next_ms(self));
        if (own.identity == 0) {
            sleep_us(100);
        }
    }
    arm(own, random_below(&self->random, FEW));
    matrix_require(hf__cas_rlx(life_at(own.identity), 0, own.identity),
                   "the slot of a living agent was given out");
    hf__store_rlx(&latest[life_at(own.identity) - living], own.identity);
    return own;
}

static void die(agent own)
{
    hf__agent *slot = agents_slot_of(own.identity);
    arm(own, PLENTY);
    hf__store_rlx(life_at(own.identity), 0);
    if (matrix_chance(own.thread, 4)) {
        hf__agent_leave(slot, own.identity);
        matrix_require(!hf__agent_arms(slot, own.identity), "one that has left may arm entries");
    } else {
        agents_lose(own.identity, PLENTY);
        do {
            nap(own.thread);
        } while (agents_lose(own.identity, 1) != 0);
    }
    hf__add_rlx(&deaths, 1);
    watchdog_progress();
}

static void look_at_somebody(agent own)
{
    uint32_t other = hf__load_rlx(&latest[random_below(&own.thread->random, SLOTS)]);
    if (other != 0 && other != own.identity && hf__agents_probe(agents_at(), other, next_ms(own.thread))) {
        matrix_require(hf__load_rlx(life_at(other)) != other, "a living agent was found dead");
        hf__add_rlx(&found_dead, 1);
    }
}

/* The ways in which an agent waits. They return HF_OK, HF_ABANDONED or HF_TIMEOUT. */

static hf_result wait_in_slices(agent own, uint32_t amount)
{
    uint32_t known = 0;
    uint32_t result = 0;
    do {
        bool gives_up = matrix_chance(own.thread, 200);
        int64_t limit_ns = gives_up ? 0 : (1 + random_below(&own.thread->random, 200)) * HF_MICROSECOND;
        result = hf__gate_wait(gate(), own.identity, result, limit_ns, amount, capacity());
        if (matrix_chance(own.thread, 4)) {
            answer_looks(own);
        }
        if (result & HF__WAIT_MORE) {
            known = hf__owner_probe(gate(), agents_at(), known, next_ms(own.thread));
        }
    } while (result & HF__WAIT_MORE);
    return (hf_result)result;
}

static hf_result wait_as_event_loop(agent own, uint32_t amount)
{
    const hf__kind kind = matrix_chance(own.thread, 2) ? HF__POLLING : HF__ASYNC;
    uint32_t known = 0;
    for (uint32_t steps = random_below(&own.thread->random, 60); steps > 0; steps -= 1) {
        hf__token token = random_below(&own.thread->random, 4) << HF__TOKEN_AGE_SHIFT;
        hf__outcome step = hf__gate_step(gate(), own.identity, kind, token, amount, capacity());
        if (step == HF_OK) {
            return HF_OK;
        }
        if (step == HF_ABANDONED) {
            hf__gate_withdraw(gate(), own.identity, kind, token, capacity());
            return HF_ABANDONED;
        }
        answer_looks(own);
        known = hf__owner_probe(gate(), agents_at(), known, next_ms(own.thread));
        nap(own.thread);
    }
    hf__gate_withdraw(gate(), own.identity, kind, 0, capacity());
    return HF_TIMEOUT;
}

static hf_result try(agent own, uint32_t amount)
{
    uint32_t result = hf__gate_try_after(gate(), own.identity, 0, amount, capacity());
    return result & HF__WAIT_MORE ? HF_TIMEOUT : (hf_result)result;
}

static hf_result (*const WAYS[])(agent own, uint32_t amount) = {wait_in_slices, wait_in_slices,
                                                                wait_as_event_loop, try};
enum { WAY_COUNT = sizeof WAYS / sizeof WAYS[0] };

typedef enum course { NOT_HELD, DIED, HELD } course;

/* The lock was abandoned, and is held. */
static void repair(void)
{
    matrix_require(sections.begun == sections.ended + 1, "a section was broken by one that lives");
    sections.ended = sections.begun;
    hf__add_rlx(&recoveries, 1);
}

/* The lock is held by an agent. */
static course be_alone(agent own, bool may_die)
{
    sections.begun += 1;
    if (matrix_chance(own.thread, 3)) {
        nap(own.thread);
    }
    if (may_die && matrix_chance(own.thread, 3)) {
        hf__add_rlx(&deaths_with_the_lock, 1);
        die(own);
        return DIED;
    }
    sections.ended += 1;
    matrix_expect(is_rwlock ? hf__rwlock_release(&locks.rwlock, own.identity)
                            : hf__mutex_release(&locks.mutex, own.identity),
                  HF_OK);
    return HELD;
}

static void read_and_release(void)
{
    matrix_require(sections.begun == sections.ended, "a reader met a writer, or a section that is broken");
    hf__add_rlx(&reads, 1);
    matrix_expect(hf__rwlock_release(&locks.rwlock, HF__SHARED), HF_OK);
}

static course visit_as_agent(agent own, bool may_die)
{
    bool reads_only = is_rwlock && matrix_chance(own.thread, 2);
    uint32_t amount = reads_only ? HF__SHARED : own.identity;
    hf_result result = WAYS[random_below(&own.thread->random, WAY_COUNT)](own, amount);
    if (result == HF_OK && reads_only) {
        read_and_release();
        return HELD;
    }
    if (result == HF_OK) {
        matrix_require(sections.begun == sections.ended, "nobody has said that the section is broken");
        return be_alone(own, may_die);
    }
    uint32_t left = result == HF_ABANDONED ? hf__owned_take_over(gate(), own.identity) : 0;
    if (left == 0) {
        return NOT_HELD;
    }
    if (matrix_chance(own.thread, 4)) {
        matrix_require(hf__gate_abandon(gate(), own.identity, left), "it could not be given back");
        return NOT_HELD;
    }
    repair();
    return be_alone(own, may_die);
}

static void live_and_die(matrix_thread *self)
{
    agent own = be_born(self);
    for (uint32_t rounds = random_below(&self->random, ROUNDS_MOST); rounds > 0; rounds -= 1) {
        answer_looks(own);
        look_at_somebody(own);
        if (visit_as_agent(own, true) == DIED) {
            return;
        }
    }
    die(own);
}

static void work_as_agents(matrix_thread *self)
{
    for (int life = 0; life < rounds_in_tier(LIVES); life += 1) {
        live_and_die(self);
    }
    hf__add_rlx(&agents_done, 1);
    /* The C threads may still wait for locks of dead agents, and only an agent that probes notices those
     * deaths. So each agent goes on until the C threads are done. */
    while (hf__load_rlx(&c_threads_done) < C_THREADS) {
        agent own = be_born(self);
        visit_as_agent(own, false);
        die(own);
    }
}

static hf_result lock(void)
{
    return is_rwlock ? hf_rwlock_lock(&locks.rwlock) : hf_mutex_lock(&locks.mutex);
}

static hf_result unlock(void)
{
    return is_rwlock ? hf_rwlock_unlock(&locks.rwlock) : hf_mutex_unlock(&locks.mutex);
}

static hf_result recover(void)
{
    return is_rwlock ? hf_rwlock_recover(&locks.rwlock) : hf_mutex_recover(&locks.mutex);
}

static hf_result lock_as_c_thread(matrix_thread *self)
{
    int64_t deadline_ns = matrix_deadline(self);
    switch (random_below(&self->random, 3)) {
    case 0:
        return lock();
    case 1:
        return is_rwlock ? hf_rwlock_trylock(&locks.rwlock) : hf_mutex_trylock(&locks.mutex);
    default:
        return is_rwlock ? hf_rwlock_lock_until(&locks.rwlock, deadline_ns)
                         : hf_mutex_lock_until(&locks.mutex, deadline_ns);
    }
}

static void read_as_c_thread(matrix_thread *self)
{
    hf_result result = matrix_chance(self, 2) ? hf_rwlock_lock_shared(&locks.rwlock)
                                              : hf_rwlock_trylock_shared(&locks.rwlock);
    if (result == HF_OK) {
        read_and_release();
    } else {
        matrix_require(result == HF_BUSY || result == HF_ABANDONED, "another result of a reader");
        nap(self);
    }
}

static void visit_as_c_thread(matrix_thread *self)
{
    if (is_rwlock && matrix_chance(self, 2)) {
        read_as_c_thread(self);
        return;
    }
    hf_result result = lock_as_c_thread(self);
    if (result == HF_BUSY || result == HF_TIMEOUT) {
        nap(self);
        return;
    }
    if (result == HF_ABANDONED) {
        if (matrix_chance(self, 3)) {
            matrix_expect(unlock(), HF_OK); /* the next one may repair it */
            return;
        }
        repair();
        matrix_expect(recover(), HF_OK);
    } else {
        matrix_expect(result, HF_OK);
    }
    matrix_require(sections.begun == sections.ended, "nobody has said that the section is broken");
    sections.begun += 1;
    if (matrix_chance(self, 3)) {
        nap(self);
    }
    sections.ended += 1;
    matrix_expect(unlock(), HF_OK);
}

static void work(matrix_thread *self)
{
    if (self->number < AGENTS) {
        work_as_agents(self);
        return;
    }
    while (hf__load_rlx(&agents_done) < AGENTS) {
        visit_as_c_thread(self);
    }
    hf__add_rlx(&c_threads_done, 1);
}

/* In the second part one agent holds the lock and dies, while all others wait for it. A wait of a whole slice
 * has no end (endless_slices.c), so a waiter that is not woken after the death ends in the watchdog. */
enum { ROUNDS = 400, LATEST_DEATH_US = 300 };

static void die_and_tell(matrix_thread *self)
{
    agent own = be_born(self);
    matrix_expect(try(own, own.identity), HF_OK);
    sections.begun += 1;
    matrix_meet();
    /* Most die about when the first waiter's patience ends, as that waiter goes to sleep as the heir. */
    int64_t patience_ns = matrix_chance(self, 4) ? 0 : HF_PATIENCE_NS;
    matrix_pass_time(patience_ns + random_below(&self->random, LATEST_DEATH_US) * HF_MICROSECOND);
    hf__add_rlx(&deaths_with_the_lock, 1);
    die(own);
    uint32_t looks = 0;
    while (hf__owner_probe(gate(), agents_at(), own.identity, next_ms(self)) == own.identity) {
        looks += 1;
    }
    matrix_require(looks > 0, "it was abandoned before anybody looked");
}

static void hear_of_it(matrix_thread *self)
{
    bool reads_only = is_rwlock && matrix_chance(self, 2);
    matrix_meet();
    if (reads_only) {
        hf_result told = hf_rwlock_lock_shared(&locks.rwlock);
        if (told == HF_OK) {
            read_and_release();
            return;
        }
        matrix_expect(told, HF_ABANDONED);
    }
    hf_result result = lock();
    if (result == HF_ABANDONED) {
        if (matrix_chance(self, 3)) {
            matrix_expect(unlock(), HF_OK);
            return;
        }
        repair();
        matrix_expect(recover(), HF_OK);
    } else {
        matrix_expect(result, HF_OK);
    }
    matrix_require(sections.begun == sections.ended, "nobody has said that the section is broken");
    matrix_expect(unlock(), HF_OK);
}

/* Probes the agent that died last with the lock: perhaps no other agent has done so. */
static void look_at_the_last(void)
{
    uint32_t last = hf__gate_used(gate());
    uint32_t now;
    do {
        now = hf__add_rlx(&clock_ms, CLOCK_STEP_MS);
    } while (hf__is_slot(last) && hf__owner_probe(gate(), agents_at(), last, now) == last);
}

static void make_good(void)
{
    hf_result result = lock();
    if (result == HF_ABANDONED) {
        repair();
        matrix_expect(recover(), HF_OK);
    } else {
        matrix_expect(result, HF_OK);
    }
    matrix_require(sections.begun == sections.ended, "nobody has said that the section is broken");
    matrix_require(recoveries == deaths_with_the_lock, "a death was not noticed, or one was made up");
    matrix_expect(unlock(), HF_OK);
    matrix_require_zero(&locks, sizeof locks);
}

static void wait_in_rounds(matrix_thread *self)
{
    for (int round = 0; round < rounds_in_tier(ROUNDS); round += 1) {
        if (self->number == 0) {
            die_and_tell(self);
        } else {
            hear_of_it(self);
        }
        matrix_meet();
        if (self->number == 0) {
            make_good();
        }
        watchdog_progress();
    }
}

static void run_all(void)
{
    deaths = deaths_with_the_lock = found_dead = recoveries = reads = 0;
    agents_done = c_threads_done = 0;
    printf("%s: ", is_rwlock ? "rwlock" : "mutex");
    matrix_run(AGENTS + C_THREADS, work);
    printf("%" PRIu32 " deaths, %" PRIu32 " with the lock; %" PRIu32 " looks found one, %" PRIu32
           " recoveries, %" PRIu32 " reads\n",
           deaths, deaths_with_the_lock, found_dead, recoveries, reads);
    uint32_t enough = (uint32_t)rounds_in_tier(LIVES);
    matrix_require(deaths >= AGENTS * enough, "not all have died");
    matrix_require(deaths_with_the_lock > enough && found_dead > enough, "too little has happened");
    matrix_require(!is_rwlock || reads > enough, "too little was read");

    look_at_the_last();
    make_good();

    for (int threads = 2; threads <= MATRIX_THREADS_MAX; threads *= 2) {
        matrix_run(threads, wait_in_rounds);
    }
}

int main(void)
{
    matrix_begin("agents_threads", &locks, sizeof locks);
    agents_make(SLOTS);
    agents_before_wake = let_others_run;
    for (int turn = 0; turn < 2; turn += 1) {
        is_rwlock = turn == 1;
        run_all();
    }
    return matrix_end();
}
