/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_MUTEX_STEP_H
#define HOLDFAST_MUTEX_STEP_H

#include "holdfast/mutex.h"

/* The mutex as drivers see it: one resumable step, which takes the lock or says where to wait.
 * The blocking driver is hf__mutex_wait; the async one is in the glue. Everything is passed in registers,
 * packed, so that the wasm module needs no stack in the memory that its instances share. */

typedef enum hf__mutex_kind {
    HF__BLOCKING = 0, /* sleeps on the word; not an event loop */
    HF__ASYNC = 1,    /* waits through its event loop, with waitAsync */
    HF__POLLING = 2,  /* waits through its event loop, by timer */
} hf__mutex_kind;

typedef enum hf__mutex_next {
    HF__MUTEX_TAKEN = 0,     /* the caller holds the lock */
    HF__MUTEX_WAIT_TURN = 1, /* the caller is the successor: wait on the word's upper half */
    HF__MUTEX_WAIT_QUEUE =
        2,             /* another is: a blocking thread waits on the word's lower half; an event
                          loop enters the queue of `line` and steps again to say that it stands there */
    HF__MUTEX_OWN = 3, /* a blocking thread that holds the lock already */
} hf__mutex_next;

/* A token is what a waiting thread knows from one call to the next; it starts as 0.
 *   bits 0-28   the watched thread: the lock was reserved for it for a whole slice; 0: for none
 *   bits 29-30  a blocking thread: how often it was woken, or napped, in vain
 *   bit  29     an event loop: it has an entry in the queue of `line` */
typedef uint32_t hf__mutex_token;
enum { HF__TOKEN_OVERTAKEN = HF_THREAD_BITS, HF__TOKEN_OVERTAKEN_MAX = 3 };
#define HF__TOKEN_IN_LINE (UINT32_C(1) << HF_THREAD_BITS)

/* What a step comes to.
 *   bits 0-31   the value of the half to wait for a change of
 *   bits 32-33  hf__mutex_next
 *   bit  34     the watched thread looks by timer
 *   bits 35-63  the watched thread: the lock is reserved for it now; 0: for none. If it still is after a
 *               wait of the whole reservation (HF_MUTEX_RESERVATION_NS, or the POLLED one), put it into the
 *               token: the next step then takes the lock away. If the wait was shorter, leave it out. */
typedef uint64_t hf__mutex_outcome;
enum { HF__OUTCOME_NEXT = 32, HF__OUTCOME_POLLS = 34, HF__OUTCOME_WATCHED = 35 };

/* Never blocks. */
hf__mutex_outcome hf__mutex_step(hf_mutex *mutex, uint32_t self, hf__mutex_kind kind, hf__mutex_token token);

/* Blocks: steps once, and waits once, for at most limit_ns (negative: no limit of the caller's).
 * Returns a result (HF_OK, HF_DEADLOCK), or HF__WAIT_MORE with the token for the next call. */
#define HF__WAIT_MORE (UINT32_C(1) << 31)
uint32_t hf__mutex_wait(hf_mutex *mutex, uint32_t self, hf__mutex_token token, int64_t limit_ns);

/* Ends a wait without the lock: gives back the place as successor and a reservation, and passes on a wake
 * that the caller may have eaten. Never blocks. */
void hf__mutex_withdraw(hf_mutex *mutex, uint32_t self, hf__mutex_kind kind, hf__mutex_token token);

/* Tries without a wait, for a caller that keeps a clock: `watched` is the thread that the lock has been
 * reserved for since a whole reservation ago, 0 for none; from that thread it is taken away. Never blocks.
 * Returns HF_OK, or HF__WAIT_MORE with the thread that the lock is reserved for now, 0 if it is held. */
uint32_t hf__mutex_try_after(hf_mutex *mutex, uint32_t self, uint32_t watched);

/* What a blocking wait does whose time is up: takes the lock if it is to be had now, else withdraws.
 * Returns HF_OK, HF_TIMEOUT, or HF_DEADLOCK iff the caller holds the lock already. */
hf_result hf__mutex_give_up(hf_mutex *mutex, uint32_t self, hf__mutex_token token);

#endif
