/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "mutex_step.h"

#include "futex.h"

/* STATES      The word has two halves that every transition changes together, by one 64-bit
 *             compare-exchange: the state (lower) and the successor (upper).
 *
 *                      lock [A1]                     unlock, no successor [R1] [R2]
 *               free ------------> held by t ------------------------------> free
 *                                    |    ^
 *        unlock, successor is u [R2] |    | u takes it [A2], or anybody
 *                                    v    | after a whole reservation [A3]
 *                                  reserved for u
 *
 *             state      OWNER thread (held), or the thread that it is RESERVED for; 0: free
 *                        SLEEPERS: blocking threads may sleep on the state
 *                        POLLED: with RESERVED; that thread looks by timer, so wait longer for it
 *             successor  the thread that the next release goes to, with its kind; 0: none
 *                        LINE: event loops may wait on `line` for the successor's place
 *
 * INVARIANTS  I1  At most one thread is OWNER without RESERVED, and only it changes OWNER then.
 *             I2  Free is all zero: no successor, no flag. Whoever drops a flag wakes those it stands for.
 *                 Of the sleepers one, who sets the flag again when it has to wait again, takes the lock or
 *                 leaves, since more may sleep. Of the line all, who set the flag again only for
 *                 themselves, since any of them may be busy for long, and can then not answer for others.
 *                 So a flag may be set with nobody waiting, but is never clear with a waiter that was not
 *                 woken, unless a woken sleeper answers for it.
 *             I3  A thread sleeps on a half only for a value in which its flag or its place is set, and
 *                 whoever must wake it changes that half first. So no wake falls between a step and its
 *                 wait. On `line`, whose value never changes, the entry in the queue comes first and the
 *                 flag after it, to the same end.
 *             I4  Only the successor waits on the upper half, only event loops wait on `line`, only blocking
 *                 threads on the lower half. Where an event loop may wait, a wake is for all: entries that
 *                 were given up take none away from others, nor do those of a thread that is busy, or
 *                 blocked in this very lock.
 *             I5  After a release the releasing thread uses the address only, to wake.
 *             Slack: one that watched a reservation may take one that was made anew for the same thread in
 *             the meantime. That thread is overtaken once more, and becomes the successor again.
 *
 * ORDERS      site  operation          order  pairs with      why
 *             A1    cas in lock        acq    R1 R2           the section cannot float above it
 *             A2    cas, own turn      acq    R2              the same
 *             A3    cas, take away     acq    R2              the same; the reservation's thread held nothing
 *             R1    cas in unlock      rel    A1              the section cannot sink below it
 *             R2    cas, slow unlock   rel    A1 A2 A3        the same
 *             All else that changes the word changes flags and places, or gives a reservation back whose
 *             thread was not inside. It is a read-modify-write, and so continues the release sequence that
 *             R1 and R2 head: relaxed is enough.
 *             Loads are relaxed, since what was read is compared again by the cas, or by the wait. Where
 *             neither follows (a step that changes nothing and waits on `line`, one that leaves), a thread
 *             that was woken relies on what the queue guarantees (futex.h): its word is not older.
 *             `npm run orders` relaxes each of these, and breaks each guarantee.
 *
 * CHECKED     models/mutex.scenarios.js on the shipped bytes: every interleaving, 2 to 5 threads, event loops
 *             with the glue's own waiting.js, aborts, slices, a death; tests/native/mutex_test.c and
 *             mutex_matrix.c (plain, ThreadSanitizer, AddressSanitizer); tests/mutex-threads.test.js and
 *             tests/traps.test.js on the built module
 *
 * Waiting in place of a successor is HotSpot's and Go's: "heir presumptive" (D. Dice, objectMonitor.cpp),
 * "starvation mode" after 1 ms (Go, sync/mutex.go). New here: only one place, given to a thread that is
 * awake when it claims it, a reservation that ends, and one word for both (docs/decisions/0001). */

#define OWNER ((uint64_t)HF_THREAD_MASK)
#define RESERVED HF__MUTEX_RESERVED
#define POLLED (UINT64_C(1) << (HF_THREAD_BITS + 1))
#define SLEEPERS (UINT64_C(1) << (HF_THREAD_BITS + 2))

#define SUCCESSOR (OWNER << 32)
#define SUCCESSOR_ASYNC (UINT64_C(1) << (32 + HF_THREAD_BITS))
#define SUCCESSOR_POLLS (UINT64_C(1) << (32 + HF_THREAD_BITS + 1))
#define LINE (UINT64_C(1) << (32 + HF_THREAD_BITS + 2))

/* Looks before the first sleep, and looks of an awake successor before it sleeps. The second is about 50 us
 * of looking, which is what a sleep and a wake cost (npm run bench -- handoff): so it never costs more than
 * twice the better choice (A. Karlin et al., "Empirical studies of competitive spinning", 1991). */
enum { LOOKS_BEFORE_SLEEP = 100, LOOKS_AS_SUCCESSOR = 25000 };

/* A thread that was woken and then overtaken naps twice, without asking for another wake, before it becomes
 * the successor: while it naps, releases cost no wake. The first nap is short, since the lock may soon be
 * free; with the second, PATIENCE is over. */
#define FIRST_NAP_NS (HF_MUTEX_PATIENCE_NS / 5)
#define SECOND_NAP_NS (HF_MUTEX_PATIENCE_NS - FIRST_NAP_NS)
enum { NAPS_FROM = 1, OVERTAKEN_ENOUGH = HF__TOKEN_OVERTAKEN_MAX };

/* No wake needs this limit. It rescues a waiter whose wake went to a thread that died of it. */
#define SLICE_NS (20 * HF_MILLISECOND)

static inline uint32_t owner_of(uint64_t word)
{
    return (uint32_t)(word & OWNER);
}

static inline uint32_t successor_of(uint64_t word)
{
    return (uint32_t)((word & SUCCESSOR) >> 32);
}

static inline bool is_reserved(uint64_t word)
{
    return (word & RESERVED) != 0;
}

static inline bool is_reserved_for(uint64_t word, uint32_t self)
{
    return (word & (OWNER | RESERVED)) == (self | RESERVED);
}

static inline uint64_t without_successor(uint64_t word)
{
    return word & ~(SUCCESSOR | SUCCESSOR_ASYNC | SUCCESSOR_POLLS);
}

/* A reserved word, held by self instead. Who holds it needs no turn, so its place as successor is free. */
static inline uint64_t taken_by(uint64_t word, uint32_t self)
{
    uint64_t taken = (word & ~(OWNER | RESERVED | POLLED)) | self;
    return successor_of(word) == self ? without_successor(taken) : taken;
}

/* What a held word becomes by its release: reserved for the successor, or free. */
static inline uint64_t released(uint64_t word)
{
    uint32_t successor = successor_of(word);
    if (successor == 0) {
        return HF__MUTEX_FREE;
    }
    return successor | RESERVED | (word & SLEEPERS) | (word & SUCCESSOR_POLLS ? POLLED : 0);
}

static inline uint32_t *state_of(hf_mutex *mutex)
{
    return (uint32_t *)&mutex->word + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static inline uint32_t *turn_of(hf_mutex *mutex)
{
    return (uint32_t *)&mutex->word + (__BYTE_ORDER__ != __ORDER_BIG_ENDIAN__);
}

/* Wakes those that the release of `word` concerns. */
static inline void wake_after_release(hf_mutex *mutex, uint64_t word)
{
    if (successor_of(word) != 0) {
        hf__wake(turn_of(mutex), HF__WAKE_ALL);
    }
    /* An event loop may be busy for long, so somebody must be awake to end its reservation. For a blocking
     * successor that has died, a sleeper's slice is soon enough. */
    if ((word & SLEEPERS) && (successor_of(word) == 0 || (word & SUCCESSOR_ASYNC))) {
        hf__wake(state_of(mutex), 1);
    }
    /* One of them becomes the next successor, and all that are not busy watch the reservation. */
    if (word & LINE) {
        hf__wake(&mutex->line, HF__WAKE_ALL);
    }
}

static inline uint32_t overtaken_of(hf__mutex_token token)
{
    return (token & ~HF__WAIT_MORE) >> HF__TOKEN_OVERTAKEN;
}

/* I2: a thread that may have been woken from the state answers for the others there. */
static inline uint64_t others_of(hf__mutex_kind kind, hf__mutex_token token)
{
    return kind == HF__BLOCKING && overtaken_of(token) ? SLEEPERS : 0;
}

/* I3: what an event loop in the queue sets when its entry is there. */
static inline uint64_t announced_by(hf__mutex_token token)
{
    return token & HF__TOKEN_IN_LINE ? LINE : 0;
}

/* A place in the word for self, as the successor. */
static inline uint64_t claim_of(uint32_t self, hf__mutex_kind kind)
{
    uint64_t async = kind == HF__BLOCKING ? 0 : SUCCESSOR_ASYNC;
    uint64_t polls = kind == HF__POLLING ? SUCCESSOR_POLLS : 0;
    return (uint64_t)self << 32 | async | polls;
}

static inline hf__mutex_outcome outcome(hf__mutex_next next, uint32_t expected, uint64_t reserved_word)
{
    uint64_t polls = reserved_word & POLLED ? 1 : 0;
    return expected | (uint64_t)next << HF__OUTCOME_NEXT | polls << HF__OUTCOME_POLLS |
           (uint64_t)owner_of(reserved_word) << HF__OUTCOME_WATCHED;
}

__attribute__((noinline)) hf__mutex_outcome hf__mutex_step(hf_mutex *mutex, uint32_t self,
                                                           hf__mutex_kind kind, hf__mutex_token token)
{
    const uint64_t others = others_of(kind, token);
    const uint32_t watched = token & HF_THREAD_MASK;
    const uint32_t overtaken = overtaken_of(token);
    const bool claims = kind != HF__BLOCKING || overtaken >= OVERTAKEN_ENOUGH;

    for (;;) {
        uint64_t word = hf__load64_rlx(&mutex->word);
        uint32_t owner = owner_of(word);

        /* Free [A1]; or its turn has come [A2]; or it saw this reservation outlast its time [A3]. */
        if (word == HF__MUTEX_FREE || (is_reserved(word) && (owner == self || owner == watched))) {
            if (hf__cas64_acq(&mutex->word, word, taken_by(word, self) | others)) {
                return outcome(HF__MUTEX_TAKEN, 0, 0);
            }
            continue;
        }
        if (kind == HF__BLOCKING && owner == self) {
            return outcome(HF__MUTEX_OWN, 0, 0);
        }

        uint64_t next = word;
        if (claims && successor_of(word) == 0) {
            next |= claim_of(self, kind);
        }
        bool its_turn = successor_of(next) == self;
        bool naps = overtaken >= NAPS_FROM && !claims && !its_turn && !is_reserved(word);
        next |= kind != HF__BLOCKING ? announced_by(token) : naps ? 0 : SLEEPERS;
        if (next == word || hf__cas64_rlx(&mutex->word, word, next)) {
            uint64_t reserved_word = is_reserved(next) ? next : 0;
            return its_turn ? outcome(HF__MUTEX_WAIT_TURN, (uint32_t)(next >> 32), reserved_word)
                            : outcome(HF__MUTEX_WAIT_QUEUE, (uint32_t)next, reserved_word);
        }
    }
}

/* An awake successor sees its turn come without a sleep, if sections are short. */
static inline bool turn_comes_soon(const hf_mutex *mutex, uint32_t self)
{
    for (int look = 0; look < LOOKS_AS_SUCCESSOR; look += 1) {
        uint64_t word = hf__load64_rlx(&mutex->word);
        if (word == HF__MUTEX_FREE || is_reserved_for(word, self)) {
            return true;
        }
    }
    return false;
}

/* How long a blocking wait may last before the next step. */
static inline int64_t slice_ns(hf__mutex_outcome step, uint32_t overtaken)
{
    if (step >> HF__OUTCOME_WATCHED) {
        bool polls = (step >> HF__OUTCOME_POLLS) & 1;
        return polls ? HF_MUTEX_POLLED_RESERVATION_NS : HF_MUTEX_RESERVATION_NS;
    }
    if (overtaken >= OVERTAKEN_ENOUGH) {
        return SLICE_NS;
    }
    if (overtaken < NAPS_FROM) {
        return HF_MUTEX_PATIENCE_NS;
    }
    return overtaken == NAPS_FROM ? FIRST_NAP_NS : SECOND_NAP_NS;
}

__attribute__((noinline)) uint32_t hf__mutex_wait(hf_mutex *mutex, uint32_t self, hf__mutex_token token,
                                                  int64_t limit_ns)
{
    hf__mutex_outcome step = hf__mutex_step(mutex, self, HF__BLOCKING, token);
    hf__mutex_next next = (hf__mutex_next)((step >> HF__OUTCOME_NEXT) & 3);
    if (next == HF__MUTEX_TAKEN || next == HF__MUTEX_OWN) {
        return next == HF__MUTEX_TAKEN ? HF_OK : HF_DEADLOCK;
    }
    uint32_t overtaken = overtaken_of(token);
    uint32_t *half = next == HF__MUTEX_WAIT_TURN ? turn_of(mutex) : state_of(mutex);
    int64_t slice = slice_ns(step, overtaken);
    bool cut_short = limit_ns >= 0 && limit_ns < slice;
    hf__wait_result woken = HF__CHANGED;
    if (next != HF__MUTEX_WAIT_TURN || !turn_comes_soon(mutex, self)) {
        woken = hf__wait(half, (uint32_t)step, cut_short ? limit_ns : slice);
    }
    if (overtaken < OVERTAKEN_ENOUGH && woken != HF__CHANGED) {
        bool patience_over = woken == HF__TIMED_OUT && overtaken < NAPS_FROM;
        overtaken = patience_over ? OVERTAKEN_ENOUGH : overtaken + 1;
    }
    bool outlasted = woken == HF__TIMED_OUT && !cut_short;
    uint32_t watched = outlasted ? (uint32_t)(step >> HF__OUTCOME_WATCHED) : 0;
    return HF__WAIT_MORE | overtaken << HF__TOKEN_OVERTAKEN | watched;
}

__attribute__((noinline)) hf_result hf__mutex_lock_slow(hf_mutex *mutex, uint32_t self)
{
    for (int look = 0; look < LOOKS_BEFORE_SLEEP; look += 1) {
        uint64_t word = hf__load64_rlx(&mutex->word);
        if (word == HF__MUTEX_FREE && hf__cas64_acq(&mutex->word, word, self)) { /* [A1] */
            return HF_OK;
        }
    }
    uint32_t result = HF__WAIT_MORE;
    while (result & HF__WAIT_MORE) {
        result = hf__mutex_wait(mutex, self, result, -1);
    }
    return (hf_result)result;
}

/* Takes the lock if it is free [A1], if the caller's turn has come [A2], or from `watched` [A3].
 * Returns HF__MUTEX_FREE if it did, else the word that was in its way. */
__attribute__((noinline)) static uint64_t take_now(hf_mutex *mutex, uint32_t self, uint32_t watched,
                                                   uint64_t others)
{
    for (;;) {
        uint64_t word = hf__load64_rlx(&mutex->word);
        bool may_take = is_reserved(word) && (owner_of(word) == self || owner_of(word) == watched);
        if (word != HF__MUTEX_FREE && !may_take) {
            return word;
        }
        if (hf__cas64_acq(&mutex->word, word, taken_by(word, self) | others)) {
            return HF__MUTEX_FREE;
        }
    }
}

hf_result hf__mutex_trylock_slow(hf_mutex *mutex, uint32_t self)
{
    return take_now(mutex, self, 0, 0) == HF__MUTEX_FREE ? HF_OK : HF_BUSY;
}

uint32_t hf__mutex_try_after(hf_mutex *mutex, uint32_t self, uint32_t watched)
{
    uint64_t word = take_now(mutex, self, watched, 0);
    if (word == HF__MUTEX_FREE) {
        return HF_OK;
    }
    return HF__WAIT_MORE | (is_reserved(word) ? owner_of(word) : 0);
}

__attribute__((noinline)) hf_result hf__mutex_unlock_slow(hf_mutex *mutex, uint32_t self)
{
    uint64_t word;
    do {
        word = hf__load64_rlx(&mutex->word);
        if ((word & (OWNER | RESERVED)) != self) {
            return HF_NOT_OWNER;
        }
    } while (!hf__cas64_rel(&mutex->word, word, released(word))); /* [R2] */
    wake_after_release(mutex, word);
    return HF_OK;
}

__attribute__((noinline)) void hf__mutex_withdraw(hf_mutex *mutex, uint32_t self, hf__mutex_kind kind,
                                                  hf__mutex_token token)
{
    const uint64_t others = others_of(kind, token);
    uint64_t word;
    uint64_t kept;
    uint64_t next;
    do {
        word = hf__load64_rlx(&mutex->word);
        /* A blocked thread may stand in the place that its own event loop claimed: that stays. */
        bool claimed_by_loop = (word & SUCCESSOR_ASYNC) != 0;
        bool leaves_place = successor_of(word) == self && claimed_by_loop == (kind != HF__BLOCKING);
        kept = leaves_place ? without_successor(word) : word;
        next = is_reserved_for(word, self) ? released(kept) : leaves_place ? kept & ~LINE : kept;
        next |= next == HF__MUTEX_FREE ? 0 : others;
    } while (next != word && !hf__cas64_rlx(&mutex->word, word, next));

    if (is_reserved_for(word, self)) {
        wake_after_release(mutex, kept);
        return;
    }
    /* Nobody holds the lock and will wake another: it may have been woken to take it, or to watch. */
    if (others && (next == HF__MUTEX_FREE || is_reserved(next))) {
        hf__wake(state_of(mutex), 1);
    }
    /* The place is free for one of the line. */
    if (word & LINE & ~next) {
        hf__wake(&mutex->line, HF__WAKE_ALL);
    }
}

hf_result hf__mutex_give_up(hf_mutex *mutex, uint32_t self, hf__mutex_token token)
{
    /* I2: it may have been woken, so it does not take the lock as one that nobody waits behind. */
    if (take_now(mutex, self, 0, others_of(HF__BLOCKING, token)) == HF__MUTEX_FREE) {
        return HF_OK;
    }
    hf__mutex_withdraw(mutex, self, HF__BLOCKING, token);
    return hf__mutex_is_held_by(mutex, self) ? HF_DEADLOCK : HF_TIMEOUT;
}

hf_result hf_mutex_lock_until(hf_mutex *mutex, int64_t deadline_ns)
{
    uint32_t self = hf_thread_id();
    uint32_t result = hf__mutex_trylock(mutex, self) == HF_OK ? HF_OK : HF__WAIT_MORE;
    while (result & HF__WAIT_MORE) {
        int64_t now_ns = hf_now_ns();
        result = now_ns < deadline_ns ? hf__mutex_wait(mutex, self, result, deadline_ns - now_ns)
                                      : (uint32_t)hf__mutex_give_up(mutex, self, result);
    }
    return (hf_result)result;
}
