/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_GATE_H
#define HOLDFAST_GATE_H

#include <stdint.h>

#include "holdfast/atomic.h"
#include "holdfast/clock.h"
#include "holdfast/thread.h"

/* The gate is a semaphore word. Mutexes, semaphores, reader-writer locks and automatic events are built on
 * it, and share its promises about fairness. Programs need to know only its size: 16 bytes, 8-aligned,
 * all-zero is open. A thread passes the gate when it acquires, and leaves it when it releases. The gate is
 * open while there is room.
 *
 * Fairness: a running thread may pass an open gate ahead of the waiters. That makes a contended lock
 * fast. A blocking thread that was overtaken for about HF_PATIENCE_NS becomes the heir, the waiter that
 * is next, and no other thread passes then. (Of several that wait for a mutex, one at a time:
 * HF_PATIENCE_NS.) A JavaScript event loop becomes the heir as soon as there is no other heir. Of several
 * event loops the one that has waited longest comes first. Waits count as equal if both are below 4 ms,
 * or both are from 4 to 16, from 16 to 64, or above 64 ms. An event loop that does not come for
 * HF_POLLED_RESERVATION_NS is passed over.
 *
 * Goal, measured: an event loop with jobs of up to 4 ms and pauses of 1 ms, beside n other threads that
 * hold the lock for h ms each, waits at most 3 * ((n + 1) * (h + 1.5 ms) + its own longest job) in 99 of
 * 100 cases. The same holds for a request for all 4 permits of a semaphore, and for a writer beside
 * readers. 18 of 20 settings met the goal on an AMD EPYC of two cores, and the worst took 3.2 in place of 3
 * (npm run bench -- loops --full).
 *
 * Visibility: a thread that passes sees everything that earlier threads did before they left. A failed try
 * and a timed-out wait order nothing: a thread that leaves later and then reads may miss what the caller
 * wrote before them.
 *
 * Time limits: the heir spins before it sleeps, and so does a writer behind one reader: for about 50 us, in
 * WebAssembly up to twice as long. So a wait may end that much after its limit, in addition to the timer's
 * own delay.
 *
 * Reservation: when the gate opens, it is reserved for the heir. If the heir does not come within
 * HF_RESERVATION_NS, because it is busy or dead, any other waiter may pass. While the heir needs more room
 * than there is, others wait, even if there is room for them. A dead heir holds them up for HF_BESIDE_NS.
 *
 * Deaths: a thread that dies may have consumed a wake that another thread needs. So each sleeping thread
 * checks the gate again by itself: after 20 ms, then after 40 ms, and so on, and at least once a second. At a mutex
 * it checks after 25 ms, and once it has claimed its turn after 1 ms, 4 ms, and so on. Behind another thread that
 * is about to become the heir of a mutex, it checks after 200 ms. (If
 * more than 500 threads of a native program sleep, together they check 500 times a second.) A thousand
 * sleeping threads take less than 1 % of a processor (npm run bench -- idle). */
typedef struct hf__gate {
    uint64_t word __attribute__((aligned(8))); /* the amount in use, and the heir; see gate_word.h */
    uint32_t line;                             /* the oldest waiter among the event loops; see gate_async.h */
    uint32_t own;                              /* for the primitive */
} hf__gate;

/* How long others may overtake a blocking thread before it becomes the heir.
 * At a mutex this time begins when a release has woken the thread in vain.
 * A thread that is woken in that time and finds the gate in use may be overtaken for as long again.
 * Of several threads that wait for a mutex, only one at a time is about to become the heir, since each heir costs
 * a switch of threads, which takes longer than a short section. They come in the order in which they began to sleep,
 * with few exceptions, one in 1 to 2 ms: if 30 wait while others lock again at once, most wait for 30 to 60 ms, and
 * some for 150. A thread that has slept behind others for 200 ms, or for an eighth of its time limit, becomes the heir
 * on its own. */
#define HF_PATIENCE_NS (1 * HF_MILLISECOND)

/* How long an open gate stays reserved for the heir. */
#define HF_RESERVATION_NS (1 * HF_MILLISECOND)

/* How long the gate stays reserved for an event loop that comes late, for one of two reasons. It polls by a timer, which browsers
 * round up to 4 ms, because it has no waitAsync. Or it has missed several reservations, because its jobs have
 * no pauses. */
#define HF_POLLED_RESERVATION_NS (8 * HF_MILLISECOND)

/* How long an heir that needs more room may hold up a waiter for which there is room. Then the waiter tests
 * the heir: a living heir answers, and keeps its slot. */
#define HF_BESIDE_NS (50 * HF_MILLISECOND)

#endif
