/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_GATE_H
#define HOLDFAST_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "holdfast/atomic.h"
#include "holdfast/clock.h"
#include "holdfast/thread.h"

/* What mutexes, semaphores and reader-writer locks have in common, and all that they promise of fairness.
 * Users need to know its size only: 16 bytes, 8-aligned, all-zero is open.
 *
 * Fairness: a thread that is running may pass an open gate ahead of those that wait, which is what makes a
 * contended lock fast. A thread that was overtaken for about HF_PATIENCE_NS becomes the successor, and nobody
 * passes before it then. A JavaScript thread that waits through its event loop becomes the successor as soon
 * as that place is free; of several the one that has waited longest (within 4, 16 or 64 ms), unless it does
 * not come for it within HF_POLLED_RESERVATION_NS.
 *
 * So of event loops, beside n others that hold it for h ms each, one with jobs of up to 4 ms and pauses of 1
 * ms waits for at most 3 * ((n + 1) * (h + 1.5 ms) + its own longest job) in 99 of 100 cases, as measured for
 * n = 3 and 6 and h = 1 on two cores without much other load (npm run bench -- loops); and so does a request
 * for all 4 permits of a semaphore, or of a writer beside readers.
 *
 * Reservation: when the gate opens and there is a successor, it is reserved for it. When the successor does
 * not come within HF_RESERVATION_NS, because it is busy or dead, any other waiter may pass. While there is a
 * successor for which there is not room enough, others wait even if there is for them; but a dead one holds
 * them up for HF_BESIDE_NS only.
 *
 * Deaths: a thread that dies may take a wake with it that was meant for one that sleeps. Each that sleeps
 * looks again by itself: after 20 ms, and then whenever it has slept for as long again, at least once a
 * second. (Where more than 2,500 threads of a native program sleep, they together look so often a second.) A
 * thousand take about 1 % of a processor by that (npm run bench -- idle). */
typedef struct hf__gate {
    uint64_t word __attribute__((aligned(8))); /* what is in use, and who is next; see gate.c */
    uint32_t line;                             /* which event loop comes first; see senior.h */
    uint32_t own;                              /* the primitive's own */
} hf__gate;

/* How long a blocked thread lets others overtake it before it claims to be next. */
#define HF_PATIENCE_NS (1 * HF_MILLISECOND)

/* How long an open gate stays reserved for a successor that does not come. */
#define HF_RESERVATION_NS (1 * HF_MILLISECOND)

/* The same for a successor that comes late: it has no waitAsync and looks by timer, which browsers round up
 * to 4 ms, or its event loop has missed several reservations, since its jobs follow each other without a
 * pause. */
#define HF_POLLED_RESERVATION_NS (8 * HF_MILLISECOND)

/* How long one that finds room for itself lets a successor be that waits for more, before it asks whether
 * that is still alive. One that is answers, and stays. */
#define HF_BESIDE_NS (50 * HF_MILLISECOND)

#endif
