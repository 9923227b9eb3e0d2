/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* robust mutexes */
#endif
#include "wrap.h"

#include <errno.h>
#include <string.h>

#include "../identity.h"
#include "../owned.h"
#include "holdfast/mutex.h"

/* STATES      as hf_mutex. The kind: a type of pthread's, and
 *             ROBUST  a thread that locks it after its owner's death gets EOWNERDEAD
 *             LOST    a thread got EOWNERDEAD and unlocked it without making it consistent: no thread locks
 *                     it again
 *             DEPTH   how often its owner has locked it, less 1
 * INVARIANTS  I1  Only the owner uses DEPTH. It is 0 in a mutex that is free, unless its owner has died.
 *             I2  The thread that initialises the mutex writes the kind; its owner writes LOST and DEPTH.
 *             I3  In Emscripten only robust mutexes are held by identities of slots. So no thread finds the
 *                 owner of any other mutex dead (hf__pthread_id).
 * ORDERS      A1  cas of a free one  acq  R1 of gate.c  as in mutex.h: the section cannot float above it
 * CHECKED     tests/pthread/mutexes.c, tests/pthread/robust.c, tests/pthread/lives.c */

enum { TYPE = 3, ROBUST = 16, LOST = 32, DEPTH_SHIFT = 8, DEPTH_MOST = (1 << 24) - 1 };

#ifdef __GLIBC__
/* glibc's static initialisers put the type into a word of its own. The word of its list of robust mutexes is
 * unused here, so the hf_mutex takes it. */
static hf_mutex *mutex_in(pthread_mutex_t *mutex)
{
    _Static_assert(sizeof mutex->__data.__list >= sizeof(hf_mutex), "an hf_mutex replaces its list");
    return hf__words_at((uintptr_t)&mutex->__data.__list);
}

static uint32_t *kind_of(pthread_mutex_t *mutex)
{
    return hf__words_at((uintptr_t)&mutex->__data.__kind);
}
#else
static hf_mutex *mutex_in(pthread_mutex_t *mutex)
{
    return hf__words_in(mutex);
}

static uint32_t *kind_of(pthread_mutex_t *mutex)
{
    _Static_assert(sizeof *mutex >= sizeof(uint32_t) + sizeof(hf_mutex) + sizeof(uint32_t),
                   "the kind is behind the hf_mutex, wherever that begins");
    return hf__words_at((uintptr_t)mutex + sizeof *mutex - sizeof(uint32_t));
}
#endif

static uint32_t id_for(uint32_t kind)
{
    return kind & ROBUST ? hf_thread_id() : hf__pthread_id(); /* I3 */
}

static bool is_recursive(uint32_t kind)
{
    return (kind & TYPE) == PTHREAD_MUTEX_RECURSIVE;
}

static uint32_t depth_in(uint32_t kind)
{
    return kind >> DEPTH_SHIFT;
}

/* Requires: the caller holds it. */
static void set_depth(pthread_mutex_t *mutex, uint32_t kind, uint32_t depth)
{
    hf__store_rlx(kind_of(mutex), (kind & ((1 << DEPTH_SHIFT) - 1)) | depth << DEPTH_SHIFT);
}

int __wrap_pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust);
int __real_pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust);

int __wrap_pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust)
{
    if (robust == PTHREAD_MUTEX_ROBUST && hf__threads.join == NULL) {
        return ENOTSUP; /* no thread would get EOWNERDEAD */
    }
    return __real_pthread_mutexattr_setrobust(attributes, robust);
}

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    int type = PTHREAD_MUTEX_DEFAULT;
    int robust = PTHREAD_MUTEX_STALLED;
    int shared = PTHREAD_PROCESS_PRIVATE;
    int protocol = PTHREAD_PRIO_NONE;
    if (attributes != NULL) {
        pthread_mutexattr_gettype(attributes, &type);
        pthread_mutexattr_getrobust(attributes, &robust);
        pthread_mutexattr_getpshared(attributes, &shared);
        pthread_mutexattr_getprotocol(attributes, &protocol);
    }
    if (protocol != PTHREAD_PRIO_NONE || !hf__pthread_may_be(shared)) {
        return ENOTSUP;
    }
    memset(mutex, 0, sizeof *mutex);
    uint32_t kind = ((uint32_t)type & TYPE) | (robust == PTHREAD_MUTEX_ROBUST ? ROBUST : 0);
    hf__store_rlx(kind_of(mutex), kind);
    return 0;
}

int __wrap_pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    hf__gate *gate = &mutex_in(mutex)->gate;
    if (hf__load_rlx(kind_of(mutex)) & ROBUST) {
        hf__gate_probe_owner(gate, HF__GATE_FOR_ONE, false);
        if (hf__is_abandoned(hf__gate_used(gate))) {
            return 0; /* nobody holds it */
        }
    }
    return hf__gate_used(gate) ? EBUSY : 0;
}

/* Locks a recursive mutex once more; returns `otherwise` for any other. Requires: the caller holds it. */
static int lock_again(pthread_mutex_t *mutex, uint32_t kind, int otherwise)
{
    if (!is_recursive(kind)) {
        return otherwise;
    }
    if (depth_in(kind) == DEPTH_MOST) {
        return EAGAIN;
    }
    set_depth(mutex, kind, depth_in(kind) + 1);
    return 0;
}

/* The caller has just acquired an abandoned mutex. Returns 0 iff the mutex is not robust, and then gives it
 * back. */
static int got_abandoned(pthread_mutex_t *mutex, uint32_t kind, uint32_t self)
{
    hf_mutex *words = mutex_in(mutex);
    if ((kind & ROBUST) && !(hf__load_rlx(kind_of(mutex)) & LOST)) {
        set_depth(mutex, kind, 0); /* I1 */
        return EOWNERDEAD;
    }
    hf__mutex_unlock(words, self); /* abandoned again */
    return kind & ROBUST ? ENOTRECOVERABLE : 0;
}

/* Locks the mutex, or gives up at the time `at` on `clock` (NULL: no limit). */
static int lock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *at)
{
    hf_mutex *words = mutex_in(mutex);
    uint32_t kind = hf__load_rlx(kind_of(mutex));
    uint32_t self = id_for(kind);
    if (hf__cas64_acq(&words->gate.word, HF__MUTEX_FREE, self)) { /* [A1] of mutex.h */
        return 0;
    }
    bool is_mine = hf__owned_is_mine(&words->gate, self);
    if (is_mine && is_recursive(kind)) {
        return lock_again(mutex, kind, 0);
    }
    if (is_mine && (kind & TYPE) == PTHREAD_MUTEX_ERRORCHECK) {
        return EDEADLK;
    }
    int64_t deadline_ns = HF_FOREVER;
    int error = at == NULL ? 0 : hf__pthread_deadline(clock, at, &deadline_ns);
    if (error) {
        return error;
    }
    hf_result result = hf__pthread_own(&words->gate, self, self, HF__GATE_FOR_ONE, deadline_ns);
    if (result == HF_ABANDONED) {
        error = got_abandoned(mutex, kind, self);
        if (error) {
            return error;
        }
    }
    if (result != HF_OK) {
        /* The caller or a dead thread holds the mutex. POSIX lets both waits last for ever. */
        result = result == HF_TIMEOUT ? result : hf__pthread_stall(deadline_ns);
    }
    return result == HF_OK ? 0 : ETIMEDOUT;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    return lock(mutex, CLOCK_REALTIME, NULL);
}

int __wrap_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *at)
{
    return lock(mutex, CLOCK_REALTIME, at);
}

/* Only glibc has this function. */
int __wrap_pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *at);

int __wrap_pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *at)
{
    return lock(mutex, clock, at);
}

int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    hf_mutex *words = mutex_in(mutex);
    uint32_t kind = hf__load_rlx(kind_of(mutex));
    uint32_t self = id_for(kind);
    if (hf__owned_is_mine(&words->gate, self)) {
        return lock_again(mutex, kind, EBUSY);
    }
    hf_result result = hf__mutex_trylock(words, self);
    if (result == HF_ABANDONED) {
        int error = got_abandoned(mutex, kind, self);
        return error ? error : EBUSY;
    }
    return result == HF_OK ? 0 : EBUSY;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    hf_mutex *words = mutex_in(mutex);
    uint32_t kind = hf__load_rlx(kind_of(mutex));
    uint32_t self = id_for(kind);
    if (depth_in(kind) != 0 && hf__owned_is_mine(&words->gate, self)) {
        set_depth(mutex, kind, depth_in(kind) - 1);
        return 0;
    }
    if ((kind & ROBUST) && hf__owned_is_mine(&words->gate, self) && !hf__owned_is_by(&words->gate, self)) {
        hf__or_rlx(kind_of(mutex), LOST); /* I2 */
    }
    return hf__mutex_unlock(words, self) == HF_OK ? 0 : EPERM;
}

int __wrap_pthread_mutex_consistent(pthread_mutex_t *mutex);

int __wrap_pthread_mutex_consistent(pthread_mutex_t *mutex)
{
    bool is_robust = hf__load_rlx(kind_of(mutex)) & ROBUST;
    return is_robust && hf_mutex_recover(mutex_in(mutex)) == HF_OK ? 0 : EINVAL;
}

uint32_t hf__pthread_depth(pthread_mutex_t *mutex)
{
    hf_mutex *words = mutex_in(mutex);
    uint32_t kind = hf__load_rlx(kind_of(mutex));
    return hf__owned_is_mine(&words->gate, id_for(kind)) ? depth_in(kind) + 1 : 0;
}

int __wrap___pthread_mutex_lock(pthread_mutex_t *mutex) HF__ALSO_CALLED(__wrap_pthread_mutex_lock);
int __wrap___pthread_mutex_trylock(pthread_mutex_t *mutex) HF__ALSO_CALLED(__wrap_pthread_mutex_trylock);
int __wrap___pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *at)
    HF__ALSO_CALLED(__wrap_pthread_mutex_timedlock);
int __wrap___pthread_mutex_unlock(pthread_mutex_t *mutex) HF__ALSO_CALLED(__wrap_pthread_mutex_unlock);
