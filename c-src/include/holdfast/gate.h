/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_GATE_H
#define HOLDFAST_GATE_H

#include <stdint.h>

#include "holdfast/atomic.h"
#include "holdfast/clock.h"
#include "holdfast/thread.h"

/* The gate: what mutexes, semaphores, reader-writer locks and automatic events are made of, and what all of
 * them promise about fairness. Programs need to know only its size: 16 bytes, 8-aligned, all-zero is open.
 *
 * Fairness: a running thread may pass an open gate ahead of the waiters. That makes a contended lock fast. A
 * blocking thread that was overtaken for about HF_PATIENCE_NS becomes the successor, and nobody else passes
 * then. An event loop of JavaScript becomes the successor as soon as no other thread is: of several the one
 * that has waited longest, to within 4, 16 or 64 ms, unless it does not come for HF_POLLED_RESERVATION_NS.
 *
 * Goal, measured: an event loop with jobs of up to 4 ms and pauses of 1 ms, beside n others that hold the
 * lock for h ms each, waits at most 3 * ((n + 1) * (h + 1.5 ms) + its own longest job) in 99 of 100 cases. So
 * does a request for all 4 permits of a semaphore, and a writer beside readers. 18 of 20 settings met it on
 * an AMD EPYC of two cores, and the worst took 3.2 in place of 3 (npm run bench -- loops --full).
 *
 * Visibility: who passes sees what came before the leaves of those before it. A try that fails, and a wait
 * whose time is up, order nothing: data written before one may be unseen by who leaves after it and looks
 * then.
 *
 * Time limits: who is next looks before it sleeps, and so does a writer behind one reader: for about 50 us,
 * in WebAssembly up to twice as long. A wait may end that much after its limit, besides what the timer is
 * late.
 *
 * Reservation: when the gate opens, it is reserved for the successor. If the successor does not come within
 * HF_RESERVATION_NS, because it is busy or dead, any other waiter may pass. While the successor needs more
 * room than there is, others wait, even if there is room for them. A dead successor holds them up for
 * HF_BESIDE_NS.
 *
 * Deaths: a thread that dies may take a wake with it that another one needs. So each sleeping thread looks
 * again by itself: after 20 ms, then whenever it has slept as long again, and at least once a second. (If
 * more than 500 threads of a native program sleep, all of them together look 500 times a second.) A
 * thousand sleeping threads take less than 1 % of a processor (npm run bench -- idle). */
typedef struct hf__gate {
    uint64_t word __attribute__((aligned(8))); /* what is in use, and the successor; see gate.c */
    uint32_t line;                             /* the senior among the event loops; see gate_async.h */
    uint32_t own; /* for the primitive; of a mutex, how many threads in C wait patiently */
} hf__gate;

/* How long others may overtake a blocking thread before it becomes the successor. It is longer for a thread
 * in C that waits for a mutex beside more than 4 others: by 0.04 to 0.64 ms for each of those above 4, up to
 * 20 ms in all, and to no more than an eighth of the caller's time limit. Threads are switched each time that
 * a waiter becomes the successor, and that costs more than short sections. So where 30 wait, each waits for
 * about 10 ms. A thread that was woken meanwhile, and found the gate in use, may be overtaken for as long
 * again. */
#define HF_PATIENCE_NS (1 * HF_MILLISECOND)

/* How long an open gate stays reserved for the successor. */
#define HF_RESERVATION_NS (1 * HF_MILLISECOND)

/* The same for an event loop that comes late: one without waitAsync, which looks by a timer that browsers
 * round up to 4 ms; or one that missed several reservations, because its jobs have no pauses. */
#define HF_POLLED_RESERVATION_NS (8 * HF_MILLISECOND)

/* How long a waiter for which there is room lets a successor wait for more room, before it asks whether the
 * successor is alive. If it is, it answers and keeps its place. */
#define HF_BESIDE_NS (50 * HF_MILLISECOND)

#endif
