/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#if !defined(_GNU_SOURCE) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 199506L /* PTHREAD_DESTRUCTOR_ITERATIONS */
#endif
#include "identity.h"

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#ifdef __EMSCRIPTEN_WASM_WORKERS__
#include <emscripten/wasm_worker.h>
#endif

#include "holdfast/atomic.h"
#include "owner_probe.h"
#include "rwlock.h"
#include "space.h"

/* STATES      no slot --first lock--> alive --the last round but one of its destructors--> dead
 *             A slot is as in agents.c. A C thread has no entries: it counts as alive until its destructor
 *             declares it dead.
 * INVARIANTS  I1  A thread joins before its first lock, and its slot is alive before the identity is in any
 *                 lock's word: a thread that finds the identity there, and the slot not alive, knows that
 *                 its owner is dead.
 *             I2  A thread leaves once. After that it has an identity without a slot.
 *             I3  Destructors run in rounds, in any order. A thread leaves late, since destructors of the
 *                 program may release what it holds. It leaves in the last round but one, since a thread
 *                 whose first lock is in a destructor counts one round less.
 *             Slack: a thread that holds a lock in a later destructor is taken for dead.
 *             Slack: a thread whose first lock is in the second round or later may keep its slot for ever.
 *             Slack: a thread whose worker is terminated keeps its slot, and its locks, for ever.
 *             Slack: locks that a thread without a slot holds when it ends stay held for ever. The same goes for
 *             an abandoned lock that it holds without a second slot.
 * ORDERS      R1  fence in join    rel  A1  the slot is alive before the identity is in a lock's word
 *             A1  load64 in probe  acq  R1  a thread that sees the identity sees that; agents.c has the rest
 * CHECKED     tests/native/threads_test.c, tests/native/threads_lives.c, tests/package/emscripten.test.js
 *
 * Source: new. Rounds are POSIX's (pthread_key_create). */

#ifndef HF_THREADS
#define HF_THREADS 64
#endif
_Static_assert(HF_THREADS >= 1 && HF_THREADS <= HF_AGENTS_MOST, "an identity can name at most so many slots");

enum { ROUNDS = PTHREAD_DESTRUCTOR_ITERATIONS - 1 };

static struct {
    hf__agents header __attribute__((aligned(HF_AGENTS_ALIGN)));
    hf__agent slots[HF_THREADS];
} table;

static hf__agents *agents = &table.header;

static uint32_t now_ms(void)
{
    enum { MS_IN_A_SECOND = 1000 };
    struct timespec now;
    timespec_get(&now, TIME_UTC); /* the clock that the glue uses */
    return (uint32_t)now.tv_sec * MS_IN_A_SECOND + (uint32_t)(now.tv_nsec / HF_MILLISECOND);
}

static void leave_slot(uint32_t identity)
{
    hf__agent *slot = hf__agents_slot(agents, identity);
    if (slot != NULL) {
        hf__store_rlx(&slot->looked, now_ms());
        hf__agent_leave(slot, identity);
    }
}

#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
/* A program with Wasm Workers alone has no thread-specific keys. */
static void make_key(void)
{
}

static bool says_when_it_ends(void)
{
    return false;
}
#else
static pthread_key_t key;
static uint32_t has_key; /* atomic: unmake() deletes the key while other threads may still run */

/* The number of rounds in which this thread's destructor was called. */
static __thread uint32_t rounds;

static void end_round(void *of_thread)
{
    rounds += 1;
    if (rounds < ROUNDS && pthread_setspecific(key, of_thread) == 0) {
        return;
    }
    uint32_t identity = hf__thread_id_cache;
    uint32_t second = hf__thread_second;
    /* I2. The slots are given back after that, so that a signal handler does not lock with a dead identity.
     */
#ifdef __EMSCRIPTEN__
    hf__thread_id_to_block = 0;
#endif
    hf__thread_second = HF__THREAD_NO_SECOND;
    hf__thread_id_cache = hf__thread_without_slot();
    leave_slot(identity);
    leave_slot(second);
}

static void make_key(void)
{
    hf__store_rlx(&has_key, pthread_key_create(&key, end_round) == 0);
}

static bool says_when_it_ends(void)
{
#ifdef __EMSCRIPTEN_WASM_WORKERS__
    /* A Wasm Worker is not a pthread: it has no room for the key, and nothing calls the destructor. */
    if (emscripten_wasm_worker_self_id() != 0) {
        return false;
    }
#endif
    return hf__load_rlx(&has_key) && pthread_setspecific(key, &rounds) == 0;
}
#endif

#ifndef __wasm__
/* In the child of a fork one thread lives on, with a new identity (identity.c). */
static void declare_parent_dead(void)
{
    hf__agents_declare_all_dead(agents);
}

/* A plugin may be unloaded before its threads end: then they must not call end_round. */
__attribute__((destructor)) static void unmake(void)
{
    if (hf__load_rlx(&has_key)) {
        hf__store_rlx(&has_key, false); /* threads that still run while the process ends may make keys */
        pthread_key_delete(key);
    }
}
#endif

#ifdef __wasm__
/* Tells a space from other memories. It has its own compare-exchange: AddressSanitizer takes that address for
 * a null pointer, also in the functions of atomic.h, and SAFE_HEAP rejects each load below 1024. */
__attribute__((no_sanitize("address"))) static bool is_space(hf_space *space)
{
    uint32_t magic = HF_AGENTS_MAGIC;
    return __atomic_compare_exchange_n(&space->agents.magic, &magic, magic, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
}
#endif

void *hf_threads(void)
{
    return &table;
}

/* Probes all agents that were not probed lately. Returns whether an agent was found dead. */
static bool finds_a_dead_one(void)
{
    bool any = false;
    uint32_t now = now_ms();
    uint32_t count = hf__load_rlx(&agents->count);
    for (uint32_t number = 1; number <= count; number += 1) {
        const hf__agent *slot = hf__agents_slot(agents, HF_THREAD_JS | number);
        uint32_t identity = hf__load_rlx(&slot->state) >> HF_AGENTS_STATE_BITS;
        any = hf__agents_probe(agents, identity, now) || any;
    }
    return any;
}

/* Clears what the last thread left in the slot. */
static void clear(hf__agent *slot)
{
    uint32_t *const words[] = {
        &slot->looked,      &slot->blocked.place, &slot->blocked.since, &slot->blocked.held,
        &slot->asked.place, &slot->asked.since,   &slot->asked.held,
    };
    for (size_t at = 0; at < sizeof words / sizeof words[0]; at += 1) {
        hf__store_rlx(words[at], 0);
    }
    for (size_t at = 0; at < HF_AGENTS_NAME_BYTES; at += sizeof(uint32_t)) {
        hf__store_rlx((uint32_t *)(void *)&slot->name[at], 0);
    }
}

static uint32_t take_slot(void)
{
    if (!says_when_it_ends()) {
        return 0;
    }
    uint32_t self = hf__agents_join_unused(agents);
    if (self == 0 && finds_a_dead_one()) {
        self = hf__agents_join_unused(agents);
    }
    if (self != 0) {
        hf__agent *slot = hf__agents_slot(agents, self);
        clear(slot);
        hf__agent_appear(slot, self, 0);
        hf__fence_rel(); /* [R1] */
    }
    return self;
}

static void probe_owner(hf__gate *gate, uint32_t capacity, bool asks)
{
    uint32_t owner = (uint32_t)hf__load64_acq(&gate->word) & HF_THREAD_MASK; /* [A1] */
    bool by_reader = capacity == HF__RWLOCK_CAPACITY && hf__is_upgradable(owner);
    owner = by_reader ? hf__load_acq(&gate->own) : owner; /* [A1] */
    hf__agent *slot = hf__agents_slot(agents, owner);
    if (slot != NULL) {
        /* With the time of the last probe as the present time, it is too soon for a probe. So this takes no
         * entry. */
        uint32_t now = asks ? now_ms() : hf__load_rlx(&slot->looked);
        if (by_reader) {
            hf__rwlock_probe_reader((hf_rwlock *)gate, agents, owner, now);
        } else {
            hf__owner_probe(gate, agents, owner, now);
        }
    }
}

/* Runs before there are other threads, so no thread needs to wait for the table. */
__attribute__((constructor(101))) static void make(void)
{
    make_key();
#ifndef __wasm__
    pthread_atfork(NULL, NULL, declare_parent_dead);
#endif
    hf__store_rlx(&table.header.slots, offsetof(__typeof__(table), slots));
    hf__store_rlx(&table.header.count, HF_THREADS);
    hf__store_rlx(&table.header.magic, HF_AGENTS_MAGIC);
#ifdef __wasm__
    /* A memory has one table of threads. In a space it is the space's own (memory/attachment.js). */
    hf_space *space = (hf_space *)HF_SPACE_ADDRESS;
    if (is_space(space)) {
        agents = &space->agents;
    }
#endif
    hf__threads = (struct hf__threads){take_slot, leave_slot, probe_owner};
}
