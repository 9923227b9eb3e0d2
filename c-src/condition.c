/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "condition.h"

#include <stdbool.h>

#include "futex.h"
#include "inside.h"

/* STATES      One 64-bit word, changed by compare-exchange:
 *
 *             outside --begin--> waiting, new --a notify--> waiting, old --takes a grant--> released
 *                                     | gives up                 | gives up
 *                                     v                          v
 *                                  outside                    outside, or released if a grant is there
 *
 *             WAITERS  how many wait, new and old
 *             LOOPS    event loops may wait on `line`
 *             EPOCH    counts notifies that found a waiter; a waiter is old if it has changed since begin
 *             GRANTS   how many old waiters may still be released
 *
 * INVARIANTS  I1  A notify makes all waiters old, and adds grants, up to the number of waiters. New waiters
 *                 take none, so a grant goes to one that waited before the notify that made it.
 *             I2  An old waiter leaves without a grant only if there is none. So there are never more grants
 *                 than old waiters, if those that died are counted too. The dead stay counted: they look like
 *                 late waiters (a frozen page), whose grants must not be lost.
 *             I3  A notify changes the lower half, on which blocking threads sleep, before it wakes. `line`
 *                 never changes: an event loop first waits on it, and then checks the word again. If it was
 *                 not notified, it sets LOOPS. A notify that clears LOOPS wakes `line`.
 *             I4  A notify wakes all event loops, since they may be busy or have given up, but only one
 *                 blocking thread. That is the oldest sleeper, so a grant is for it. While there are grants,
 *                 each woken thread wakes the next, when it holds the mutex or before it blocks for the mutex
 *                 (I5). A second wake would delay the caller, who holds the mutex that the woken thread
 *                 wants.
 *             I5  `inside` counts a C thread from before it releases the mutex until its last access. A
 *                 counted thread does not block for the mutex, since the thread that destroys the condition
 *                 may hold it.
 *             Slack: a waiter that checks again after exactly a multiple of 2^27 notifies takes itself for
 *             new, until the next notify.
 *
 * ORDERS      A1  cas in leave   acq  R1  the end of the object comes after the notify that ended the wait
 *             R1  cas in notify  rel  A1  what came before it is visible to the released waiters
 *             The mutex orders the rest: it is released after begin, and acquired by the thread that changes
 *             what is waited for. So the notify of that thread sees the waiter. A notify that finds none may
 *             return after a load: a thread that has not begun to wait yet will see the change with the
 *             mutex.
 * CHECKED     models/ on the shipped bytes; tests/native/condition_*.c, tests/native/lifetimes.c
 *
 * Source: glibc's condition variable since 2.25 (T. Riegel; bug 25847), with an epoch for its two groups of
 * waiters. Waking one after the other replaces requeue, which WebAssembly does not have. */

enum {
    GRANT_BITS = 18,
    LOOPS_AT = GRANT_BITS,
    EPOCH_AT,
    EPOCH_BITS = 27,
    WAITERS_AT = EPOCH_AT + EPOCH_BITS
};

#define GRANT UINT64_C(1)
#define LOOPS (UINT64_C(1) << LOOPS_AT)
#define WAITER (UINT64_C(1) << WAITERS_AT)
#define GRANTS_MASK ((UINT64_C(1) << GRANT_BITS) - 1)
#define EPOCH_MASK ((UINT32_C(1) << EPOCH_BITS) - 1)

static inline uint32_t grants_in(uint64_t word)
{
    return (uint32_t)(word & GRANTS_MASK);
}

static inline uint32_t epoch_in(uint64_t word)
{
    return (uint32_t)(word >> EPOCH_AT) & EPOCH_MASK;
}

static inline uint32_t waiters_in(uint64_t word)
{
    return (uint32_t)(word >> WAITERS_AT);
}

static inline bool is_granted(uint64_t word, uint32_t token)
{
    return epoch_in(word) != token && grants_in(word) != 0;
}

uint32_t hf__condition_begin(hf_condition *condition)
{
    uint64_t word;
    do {
        word = hf__load64_rlx(&condition->word);
        if (waiters_in(word) == HF_CONDITION_MOST_WAITERS) {
            return HF__CONDITION_FULL;
        }
    } while (!hf__cas64_rlx(&condition->word, word, word + WAITER));
    return epoch_in(word);
}

/* Takes a grant if there is one for this waiter; else ends the wait if `anyway`, else sets the flag. Returns
 * 0 if it took a grant, else the word before. */
__attribute__((noinline)) static uint64_t leave(hf_condition *condition, uint32_t token, uint64_t flag,
                                                bool anyway)
{
    for (;;) {
        uint64_t word = hf__load64_rlx(&condition->word);
        bool granted = is_granted(word, token);
        uint64_t next = granted || anyway ? word - WAITER - (granted ? GRANT : 0) : word | flag;
        if (next == word || hf__cas64_acq(&condition->word, word, next)) { /* [A1] */
            return granted ? 0 : word;
        }
    }
}

__attribute__((noinline)) static hf__outcome step_with(hf_condition *condition, uint32_t token, uint64_t flag)
{
    uint64_t word = leave(condition, token, flag, false);
    return word == 0 ? HF__DONE : hf__wait_for(HF__WAIT_LINE, (uint32_t)(word | flag));
}

hf__outcome hf__condition_step(hf_condition *condition, uint32_t token)
{
    return step_with(condition, token, LOOPS);
}

hf_result hf__condition_give_up(hf_condition *condition, uint32_t token)
{
    if (leave(condition, token, 0, true) == 0) {
        return HF_OK;
    }
    hf__condition_pass_on(condition); /* a new waiter may have consumed an old one's wake */
    return HF_TIMEOUT;
}

uint32_t hf__condition_wait(hf_condition *condition, uint32_t token, uint32_t before, int64_t limit_ns)
{
    if (limit_ns == 0) {
        return hf__condition_give_up(condition, token);
    }
    return hf__wait_once(hf__low_half(&condition->word), step_with(condition, token, 0), before, limit_ns);
}

__attribute__((noinline)) void hf__condition_pass_on(hf_condition *condition)
{
    if (grants_in(hf__load64_rlx(&condition->word))) {
        hf__wake(hf__low_half(&condition->word), 1);
    }
}

hf_result hf_condition_wait_until(hf_condition *condition, hf_mutex *mutex, int64_t deadline_ns)
{
    if (!hf_mutex_is_mine(mutex)) {
        return HF_NOT_OWNER;
    }
    hf__thread_will_block(HF__CALL("hf_condition_wait_async"));
    uint32_t token = hf__condition_begin(condition);
    if (token == HF__CONDITION_FULL) {
        return HF_OVERFLOW;
    }
    hf__inside_enter(&condition->inside);
    hf_mutex_unlock(mutex);
    uint32_t result = 0;
    do {
        result = hf__condition_wait(condition, token, result, hf__left(deadline_ns));
    } while (result & HF__WAIT_MORE);
    hf_result locked = hf_mutex_trylock(mutex);
    hf__condition_pass_on(condition);
    hf__inside_leave(&condition->inside); /* I5 */
    if (locked == HF_BUSY) {
        locked = hf_mutex_lock(mutex);
    }
    return locked == HF_OK ? (hf_result)result : locked;
}

hf_result hf_condition_wait(hf_condition *condition, hf_mutex *mutex)
{
    return hf_condition_wait_until(condition, mutex, HF_FOREVER);
}

uint32_t hf_condition_notify(hf_condition *condition, uint32_t count)
{
    uint64_t word;
    uint64_t next;
    uint32_t released;
    do {
        word = hf__load64_rlx(&condition->word);
        uint32_t waiters = waiters_in(word);
        uint32_t more = waiters - grants_in(word);
        released = count < more ? count : more;
        if (released == 0) {
            return 0; /* each waiter already has a grant, so all are old */
        }
        uint64_t grants = grants_in(word) + (uint64_t)released;
        uint64_t epoch = (epoch_in(word) + 1) & EPOCH_MASK;
        next = (uint64_t)waiters << WAITERS_AT | epoch << EPOCH_AT | grants;
    } while (!hf__cas64_rel(&condition->word, word, next)); /* [R1] */
    /* Wakes the blocking thread last: it then locks the mutex, which the caller may hold. */
    if (word & LOOPS) {
        hf__wake(&condition->line, HF__WAKE_ALL);
    }
    hf__wake(hf__low_half(&condition->word), 1);
    return released;
}

hf_result hf_condition_destroy_until(hf_condition *condition, int64_t deadline_ns)
{
    return hf__inside_wait_until(&condition->inside, deadline_ns);
}

void hf_condition_destroy(hf_condition *condition)
{
    hf_condition_destroy_until(condition, HF_FOREVER);
}
