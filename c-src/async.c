/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "holdfast/async.h"

#include <stdbool.h>
#include <stdlib.h>

#ifdef __EMSCRIPTEN_PTHREADS__
#include <pthread.h>
#endif

#include "barrier.h"
#include "channel.h"
#include "condition.h"
#include "event.h"
#include "identity.h"
#include "latch.h"
#include "once.h"
#include "rwlock.h"

/* Tells the glue that is linked into the program (js-glue/emscripten/) how to wait for one kind of object: by
 * a step that never blocks, and by the words to wait on. `ask` is the amount wanted from a gate, or the token
 * of the wait. The glue reads the struct word by word (js-glue/emscripten/waited.js).
 */
typedef struct hf__waited {
    const uint32_t *(*step)(void *object, uint32_t self, hf__kind kind, hf__token token, uint32_t ask);
    /* Ends a wait for a gate. NULL for others: only gates have an async wait list. */
    void (*withdraw)(void *object, uint32_t self);
    /* Ends a wait. Returns HF_OK iff it was granted. NULL: a wait of this kind needs no end. */
    hf_result (*end)(void *object, uint32_t ask);
    /* Probes the owner of a gate. NULL: the kind has no owner. */
    void (*probe)(void *object, bool asks);
    /* Offsets: of the two words to wait on, and of the word by which a step decides whether to wait on
     * `line`. */
    uint32_t turn;
    uint32_t line;
    uint32_t sees;
} hf__waited;

_Static_assert(sizeof(hf__waited) == 7 * sizeof(uint32_t),
               "holdfast: callbacks need 32-bit memory, without -sMEMORY64");

/* Defined in JavaScript. Every request calls the first function, so a program linked without the library
 * fails to link, and the message names the library. */
bool hf__async_is_possible(void) __asm__("hf__LINK_WITH_js_library_holdfast_library_js");
void hf__async_ask(hf_request id, hf_async_callback callback, void *user_data, const hf__waited *how,
                   void *object, uint32_t self, uint32_t ask, double timeout_ms, const hf__waited *then,
                   void *next_object);
void hf__async_tell(hf_request id, hf_async_callback callback, void *user_data, void *object,
                    hf_result result);
bool hf__async_cancel(hf_request id);
bool hf__async_redirect(hf_request id, hf_async_callback callback, void *user_data);
void hf__async_forget(const void *begin, const void *end);
void hf__async_end(void);

/* Packs an outcome into words, since not every build can pass 64 bits to JavaScript. `beside`: the offset of
 * the word to wait on, if that word is outside the gate; else 0. */
static const uint32_t *told_beside(hf__outcome outcome, uint32_t beside)
{
    static __thread uint32_t words[3];
    words[0] = (uint32_t)outcome;
    words[1] = (uint32_t)(outcome >> 32);
    words[2] = beside;
    return words;
}

static const uint32_t *told(hf__outcome outcome)
{
    return told_beside(outcome, 0);
}

#ifdef __EMSCRIPTEN_PTHREADS__
static pthread_key_t thread_ends;

static void end_all(void *unused)
{
    (void)unused;
    hf__async_end();
}

static void make_end_key(void)
{
    pthread_key_create(&thread_ends, end_all);
}

/* Ends a thread's requests when the thread ends, since its worker may run another thread next. The first
 * request makes the key: a constructor would link all of this into every program. */
static void end_with_thread(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_end_key);
    pthread_setspecific(thread_ends, &thread_ends);
}
#else
/* Nothing reports the end of a Wasm Worker. */
static void end_with_thread(void)
{
}
#endif

/* Returns 0 iff the thread cannot wait. */
static hf_request next_id(void)
{
    static uint32_t last;
    if (!hf__async_is_possible()) {
        return 0;
    }
    end_with_thread();
    uint32_t id;
    do {
        id = hf__add_rlx(&last, 1) + 1;
    } while (id == 0);
    return id;
}

/* The glue's limits are milliseconds. 0 or less: one attempt. */
static double ms_until(int64_t deadline_ns)
{
    return deadline_ns == HF_FOREVER ? __builtin_inf()
                                     : ((double)deadline_ns - (double)hf_now_ns()) / HF_MILLISECOND;
}

static hf_request ask_for(const hf__waited *how, void *object, uint32_t ask, hf_async_callback callback,
                          void *user_data, int64_t deadline_ns)
{
    hf_request id = next_id();
    if (id != 0) {
        hf__async_ask(id, callback, user_data, how, object, hf_thread_id(), ask, ms_until(deadline_ns), NULL,
                      NULL);
    }
    return id;
}

/* Calls back with a result, without a wait. */
static hf_request tell(void *object, hf_result result, hf_async_callback callback, void *user_data)
{
    hf_request id = next_id();
    if (id != 0) {
        hf__async_tell(id, callback, user_data, object, result);
    }
    return id;
}

bool hf_async_cancel(hf_request request)
{
    return hf__async_cancel(request);
}

bool hf_async_redirect(hf_request request, hf_async_callback callback, void *user_data)
{
    return hf__async_redirect(request, callback, user_data);
}

void hf_async_forget(const void *begin, size_t bytes)
{
    hf__async_forget(begin, (const char *)begin + bytes);
}

/* ---- Gates ---- */

#define GATE_WORDS                                                                                           \
    .turn = offsetof(hf__gate, word) + sizeof(uint32_t), .line = offsetof(hf__gate, line),                   \
    .sees = offsetof(hf__gate, word)

/* A step of a gate that also acquires an abandoned gate (owned.h): then HF_ABANDONED, and the caller holds
 * the gate. */
static hf__outcome step_to_own(hf__gate *gate, uint32_t self, hf__kind kind, hf__token token, uint32_t owner,
                               uint32_t capacity)
{
    hf__outcome outcome;
    do {
        outcome = hf__gate_step(gate, self, kind, token, owner, capacity);
        if (outcome != hf__wait_for(HF__DONE, HF_ABANDONED)) {
            return outcome;
        }
    } while (owner > capacity && hf__owned_take_abandoned(gate, owner) != HF_ABANDONED);
    hf__gate_withdraw(gate, self, kind, token, capacity); /* the step itself has not ended the wait */
    return outcome;
}

static const uint32_t *step_mutex(void *mutex, uint32_t self, hf__kind kind, hf__token token, uint32_t owner)
{
    return told(step_to_own(&((hf_mutex *)mutex)->gate, self, kind, token, owner, HF__GATE_FOR_ONE));
}

static void withdraw_from_mutex(void *mutex, uint32_t self)
{
    hf__gate_withdraw(&((hf_mutex *)mutex)->gate, self, HF__ASYNC, 0, HF__GATE_FOR_ONE);
}

static void probe_owner_of_mutex(void *mutex, bool asks)
{
    hf__gate_probe_owner(&((hf_mutex *)mutex)->gate, HF__GATE_FOR_ONE, asks);
}

static const hf__waited MUTEX = {
    .step = step_mutex, .withdraw = withdraw_from_mutex, .probe = probe_owner_of_mutex, GATE_WORDS};

hf_request hf_mutex_lock_async(hf_mutex *mutex, hf_async_callback callback, void *user_data,
                               int64_t deadline_ns)
{
    return ask_for(&MUTEX, mutex, hf_thread_id(), callback, user_data, deadline_ns);
}

static const uint32_t *step_recursive(void *object, uint32_t self, hf__kind kind, hf__token token,
                                      uint32_t owner)
{
    hf_recursive_mutex *mutex = object;
    hf__outcome outcome = step_to_own(&mutex->mutex.gate, self, kind, token, owner, HF__GATE_FOR_ONE);
    if (hf__next_in(outcome) == HF__DONE) {
        mutex->depth = 0; /* a dead owner may have left any depth */
    }
    return told(outcome);
}

static const hf__waited RECURSIVE = {
    .step = step_recursive, .withdraw = withdraw_from_mutex, .probe = probe_owner_of_mutex, GATE_WORDS};

hf_request hf_recursive_mutex_lock_async(hf_recursive_mutex *mutex, hf_async_callback callback,
                                         void *user_data, int64_t deadline_ns)
{
    return ask_for(&RECURSIVE, mutex, hf_thread_id(), callback, user_data, deadline_ns);
}

static const uint32_t *step_once(void *object, uint32_t self, hf__kind kind, hf__token token, uint32_t owner)
{
    hf_once *once = object;
    hf__outcome outcome = step_to_own(&once->mutex.gate, self, kind, token, owner, HF__GATE_FOR_ONE);
    if (hf__next_in(outcome) != HF__DONE) {
        return told(outcome);
    }
    if (outcome == hf__wait_for(HF__DONE, HF_ABANDONED)) {
        hf_mutex_recover(&once->mutex); /* the dead thread did not finish the work */
    }
    if (hf_once_is_done(once)) {
        hf_mutex_unlock(&once->mutex);
        return told(hf__wait_for(HF__DONE, HF_DONE));
    }
    return told(HF__DONE);
}

static const hf__waited ONCE = {
    .step = step_once, .withdraw = withdraw_from_mutex, .probe = probe_owner_of_mutex, GATE_WORDS};

hf_request hf_once_begin_async(hf_once *once, hf_async_callback callback, void *user_data,
                               int64_t deadline_ns)
{
    return ask_for(&ONCE, once, hf_thread_id(), callback, user_data, deadline_ns);
}

static const uint32_t *step_rwlock(void *rwlock, uint32_t self, hf__kind kind, hf__token token,
                                   uint32_t amount)
{
    hf__outcome outcome =
        step_to_own(&((hf_rwlock *)rwlock)->gate, self, kind, token, amount, HF__RWLOCK_CAPACITY);
    if (amount == HF__UPGRADABLE && outcome == HF__DONE) {
        hf__rwlock_note_upgradable(rwlock, hf__rwlock_writer(self));
    }
    return told(outcome);
}

static void withdraw_from_rwlock(void *rwlock, uint32_t self)
{
    hf__gate_withdraw(&((hf_rwlock *)rwlock)->gate, self, HF__ASYNC, 0, HF__RWLOCK_CAPACITY);
}

static void probe_owner_of_rwlock(void *rwlock, bool asks)
{
    hf__gate_probe_owner(&((hf_rwlock *)rwlock)->gate, HF__RWLOCK_CAPACITY, asks);
}

static const hf__waited RWLOCK = {
    .step = step_rwlock, .withdraw = withdraw_from_rwlock, .probe = probe_owner_of_rwlock, GATE_WORDS};

hf_request hf_rwlock_lock_async(hf_rwlock *rwlock, hf_async_callback callback, void *user_data,
                                int64_t deadline_ns)
{
    return ask_for(&RWLOCK, rwlock, hf__rwlock_writer(hf_thread_id()), callback, user_data, deadline_ns);
}

hf_request hf_rwlock_lock_shared_async(hf_rwlock *rwlock, hf_async_callback callback, void *user_data,
                                       int64_t deadline_ns)
{
    return ask_for(&RWLOCK, rwlock, HF__SHARED, callback, user_data, deadline_ns);
}

hf_request hf_rwlock_lock_upgradable_async(hf_rwlock *rwlock, hf_async_callback callback, void *user_data,
                                           int64_t deadline_ns)
{
    return ask_for(&RWLOCK, rwlock, HF__UPGRADABLE, callback, user_data, deadline_ns);
}

static const uint32_t *step_upgrade(void *object, uint32_t self, hf__kind kind, hf__token token,
                                    uint32_t writer)
{
    (void)self, (void)kind, (void)token;
    hf_rwlock *rwlock = object;
    bool is_mine = hf__rwlock_is_upgradable_by(rwlock, writer);
    return told(is_mine ? hf__rwlock_upgrade_step(rwlock, writer) : hf__wait_for(HF__DONE, HF_NOT_OWNER));
}

static void give_up_upgrade(void *rwlock, uint32_t self)
{
    if (hf__rwlock_is_upgradable_by(rwlock, hf__rwlock_writer(self))) {
        hf__rwlock_give_up_upgrade(rwlock);
    }
}

/* Waits on `own`, not in the gate's async wait list (I3 of rwlock.c). `withdraw` is set, so the glue takes
 * the value to wait for from the outcome, as at a gate. */
static const hf__waited UPGRADE = {.step = step_upgrade,
                                   .withdraw = give_up_upgrade,
                                   .turn = offsetof(hf__gate, own),
                                   .line = offsetof(hf__gate, own),
                                   .sees = offsetof(hf__gate, word)};

hf_request hf_rwlock_upgrade_async(hf_rwlock *rwlock, hf_async_callback callback, void *user_data,
                                   int64_t deadline_ns)
{
    return ask_for(&UPGRADE, rwlock, hf__rwlock_writer(hf_thread_id()), callback, user_data, deadline_ns);
}

static const uint32_t *step_semaphore(void *object, uint32_t self, hf__kind kind, hf__token token,
                                      uint32_t permits)
{
    hf_semaphore *semaphore = object;
    return told(hf__gate_step(&semaphore->gate, self, kind, token, permits, hf_semaphore_max(semaphore)));
}

static void withdraw_from_semaphore(void *object, uint32_t self)
{
    hf_semaphore *semaphore = object;
    hf__gate_withdraw(&semaphore->gate, self, HF__ASYNC, 0, hf_semaphore_max(semaphore));
}

static const hf__waited SEMAPHORE = {.step = step_semaphore, .withdraw = withdraw_from_semaphore, GATE_WORDS};

hf_request hf_semaphore_enter_async(hf_semaphore *semaphore, uint32_t permits, hf_async_callback callback,
                                    void *user_data, int64_t deadline_ns)
{
    if (permits == 0 || permits > hf_semaphore_max(semaphore)) {
        return tell(semaphore, HF_OVERFLOW, callback, user_data);
    }
    return ask_for(&SEMAPHORE, semaphore, permits, callback, user_data, deadline_ns);
}

static const uint32_t *step_automatic(void *event, uint32_t self, hf__kind kind, hf__token token,
                                      uint32_t one)
{
    return told(hf__gate_step(&((hf_event *)event)->gate, self, kind, token, one, HF__EVENT_CAPACITY));
}

static void withdraw_from_automatic(void *event, uint32_t self)
{
    hf__gate_withdraw(&((hf_event *)event)->gate, self, HF__ASYNC, 0, HF__EVENT_CAPACITY);
}

static const hf__waited AUTOMATIC = {.step = step_automatic, .withdraw = withdraw_from_automatic, GATE_WORDS};

/* ---- Channels: `ask` is a transfer ---- */

/* A send or a receive. It locks the mutex of its side, as any gate, and looks for room or for a message. If
 * there is none, it unlocks the mutex, and waits for a change of the other side. */
typedef struct transfer {
    const void *message;
    void *buffer;
    uint32_t size;      /* of the message, or of the buffer */
    uint32_t *received; /* where to write the size of the message */
    bool waits;         /* the wait lasts while the other side's word is `token` */
    uint32_t token;
} transfer;

static hf__outcome step_to_lock(hf__channel_side *side, uint32_t self, hf__kind kind, hf__token token)
{
    hf__outcome outcome = step_to_own(&side->mutex.gate, self, kind, token, hf_thread_id(), HF__GATE_FOR_ONE);
    if (outcome != hf__wait_for(HF__DONE, HF_ABANDONED)) {
        return outcome;
    }
    hf_mutex_recover(&side->mutex); /* a dead holder has changed nothing (channel.c, I2) */
    return HF__DONE;
}

static const uint32_t *step_to_transfer(hf_channel *channel, bool sends, uint32_t self, hf__kind kind,
                                        hf__token token, transfer *of)
{
    hf__channel_side *own = sends ? &channel->senders : &channel->receivers;
    hf__channel_side *other = sends ? &channel->receivers : &channel->senders;
    uint32_t word = (uint32_t)((uintptr_t)hf__low_half(&other->word) - (uintptr_t)channel);
    hf__outcome outcome = of->waits ? hf__channel_step(other, of->token) : HF__DONE;
    if (outcome != HF__DONE) {
        return told_beside(outcome, word);
    }
    outcome = step_to_lock(own, self, kind, token);
    if (outcome != HF__DONE) {
        return told(outcome);
    }
    of->token = hf__channel_token(other);
    hf_result result = sends ? hf__channel_send_locked(channel, of->message, of->size)
                             : hf__channel_receive_locked(channel, of->buffer, of->size, of->received);
    of->waits = result == HF_BUSY;
    if (!of->waits) {
        free(of);
        return told(hf__wait_for(HF__DONE, result));
    }
    outcome = hf__channel_step(other, of->token);
    /* If the word has changed since its read, waitAsync refuses the old value, and the queue steps again. */
    return told_beside(outcome == HF__DONE ? hf__wait_for(HF__WAIT_TURN, of->token) : outcome, word);
}

static hf_result end_transfer(void *channel, uint32_t of)
{
    (void)channel;
    free((void *)(uintptr_t)of);
    return HF_TIMEOUT;
}

static const uint32_t *step_sender(void *channel, uint32_t self, hf__kind kind, hf__token token, uint32_t of)
{
    return step_to_transfer(channel, true, self, kind, token, (transfer *)(uintptr_t)of);
}

static const uint32_t *step_receiver(void *channel, uint32_t self, hf__kind kind, hf__token token,
                                     uint32_t of)
{
    return step_to_transfer(channel, false, self, kind, token, (transfer *)(uintptr_t)of);
}

static void withdraw_sender(void *channel, uint32_t self)
{
    withdraw_from_mutex(&((hf_channel *)channel)->senders.mutex, self);
}

static void withdraw_receiver(void *channel, uint32_t self)
{
    withdraw_from_mutex(&((hf_channel *)channel)->receivers.mutex, self);
}

static void probe_sender(void *channel, bool asks)
{
    probe_owner_of_mutex(&((hf_channel *)channel)->senders.mutex, asks);
}

static void probe_receiver(void *channel, bool asks)
{
    probe_owner_of_mutex(&((hf_channel *)channel)->receivers.mutex, asks);
}

#define SIDE_WORDS(side)                                                                                     \
    .turn = offsetof(hf_channel, side.mutex.gate.word) + sizeof(uint32_t),                                   \
    .line = offsetof(hf_channel, side.mutex.gate.line), .sees = offsetof(hf_channel, side.mutex.gate.word)

static const hf__waited SENDER = {.step = step_sender,
                                  .withdraw = withdraw_sender,
                                  .end = end_transfer,
                                  .probe = probe_sender,
                                  SIDE_WORDS(senders)};

static const hf__waited RECEIVER = {.step = step_receiver,
                                    .withdraw = withdraw_receiver,
                                    .end = end_transfer,
                                    .probe = probe_receiver,
                                    SIDE_WORDS(receivers)};

static hf_request ask_to_transfer(const hf__waited *how, hf_channel *channel, transfer of,
                                  hf_async_callback callback, void *user_data, int64_t deadline_ns)
{
    transfer *kept = malloc(sizeof *kept);
    if (kept == NULL) {
        return 0;
    }
    *kept = of;
    hf_request id = ask_for(how, channel, (uint32_t)(uintptr_t)kept, callback, user_data, deadline_ns);
    if (id == 0) {
        free(kept);
    }
    return id;
}

hf_request hf_channel_send_async(hf_channel *channel, const void *message, uint32_t size,
                                 hf_async_callback callback, void *user_data, int64_t deadline_ns)
{
    const transfer of = {.message = message, .size = size};
    return ask_to_transfer(&SENDER, channel, of, callback, user_data, deadline_ns);
}

hf_request hf_channel_receive_async(hf_channel *channel, void *buffer, uint32_t capacity, uint32_t *size,
                                    hf_async_callback callback, void *user_data, int64_t deadline_ns)
{
    const transfer of = {.buffer = buffer, .size = capacity, .received = size};
    return ask_to_transfer(&RECEIVER, channel, of, callback, user_data, deadline_ns);
}

/* ---- Not gates: `ask` is the token of the wait ---- */

static const uint32_t *step_event(void *event, uint32_t self, hf__kind kind, hf__token token, uint32_t epoch)
{
    (void)self, (void)kind, (void)token;
    return told(hf__event_step(event, epoch));
}

static const hf__waited EVENT = {.step = step_event,
                                 .turn = offsetof(hf_event, gate.own),
                                 .line = offsetof(hf_event, gate.own),
                                 .sees = offsetof(hf_event, gate.own)};

hf_request hf_event_wait_async(hf_event *event, hf_async_callback callback, void *user_data,
                               int64_t deadline_ns)
{
    if (hf__event_resets_itself(event)) {
        return ask_for(&AUTOMATIC, event, 1, callback, user_data, deadline_ns);
    }
    return ask_for(&EVENT, event, hf__event_begin(event), callback, user_data, deadline_ns);
}

static const uint32_t *step_latch(void *latch, uint32_t self, hf__kind kind, hf__token token, uint32_t unused)
{
    (void)self, (void)kind, (void)token, (void)unused;
    return told(hf__latch_step(latch));
}

static const hf__waited LATCH = {.step = step_latch};

hf_request hf_latch_wait_async(hf_latch *latch, hf_async_callback callback, void *user_data,
                               int64_t deadline_ns)
{
    return ask_for(&LATCH, latch, 0, callback, user_data, deadline_ns);
}

static const uint32_t *step_barrier(void *barrier, uint32_t self, hf__kind kind, hf__token token,
                                    uint32_t round)
{
    (void)self, (void)kind, (void)token;
    return told(hf__barrier_step(barrier, round));
}

static hf_result end_at_barrier(void *barrier, uint32_t round)
{
    return hf__barrier_give_up(barrier, round);
}

static const hf__waited BARRIER = {.step = step_barrier, .end = end_at_barrier};

hf_request hf_barrier_arrive_and_wait_async(hf_barrier *barrier, hf_async_callback callback, void *user_data,
                                            int64_t deadline_ns)
{
    if (!hf__async_is_possible()) {
        return 0;
    }
    uint64_t arrival = hf__barrier_arrive(barrier);
    if (arrival & HF__BARRIER_LAST) {
        return tell(barrier, HF_DONE, callback, user_data);
    }
    return ask_for(&BARRIER, barrier, (uint32_t)arrival, callback, user_data, deadline_ns);
}

static const uint32_t *step_condition(void *condition, uint32_t self, hf__kind kind, hf__token token,
                                      uint32_t began)
{
    (void)self, (void)kind, (void)token;
    return told(hf__condition_step(condition, began));
}

static hf_result end_at_condition(void *condition, uint32_t began)
{
    return hf__condition_give_up(condition, began);
}

static const hf__waited CONDITION = {.step = step_condition,
                                     .end = end_at_condition,
                                     .turn = offsetof(hf_condition, line),
                                     .line = offsetof(hf_condition, line),
                                     .sees = offsetof(hf_condition, word)};

hf_request hf_condition_wait_async(hf_condition *condition, hf_mutex *mutex, hf_async_callback callback,
                                   void *user_data, int64_t deadline_ns)
{
    if (!hf_mutex_is_mine(mutex)) {
        return tell(condition, HF_NOT_OWNER, callback, user_data);
    }
    hf_request id = next_id();
    if (id == 0) {
        return 0;
    }
    uint32_t began = hf__condition_begin(condition);
    if (began == HF__CONDITION_FULL) {
        hf__async_tell(id, callback, user_data, condition, HF_OVERFLOW);
        return id;
    }
    hf_mutex_unlock(mutex);
    hf__async_ask(id, callback, user_data, &CONDITION, condition, hf_thread_id(), began,
                  ms_until(deadline_ns), &MUTEX, mutex);
    return id;
}
