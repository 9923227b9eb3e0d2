/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* How long things take here, in milliseconds if nothing else is said. */

/** How often a thread looks at what its waits wait for: a wake may have gone to a thread that died. */
export const SWEEP_MS = 50;

/** For how long callbacks of one thread may follow each other before its other work has a turn. */
export const BURST_MS = 4;

/**
 * A thread whose jobs follow each other without a pause claims its place between two of them, is called during the
 * second, and is late for it. So each that many steps in vain it claims the place as one that comes late. Not each
 * step: if its jobs are longer than that reservation too, the others would only lose by it.
 */
export const PATIENT_STEPS = 8;

/** How long event loops have waited, roughly, before they come before others; from the second on also before blocking
 * threads (HF__RANK_TAKES_OVER). */
export const RANKS_MS = [4, 16, 64];

/** Without waitAsync, how soon to look again. Browsers round it up to 4. */
export const POLL_MS = 1;

/** How seldom at last, while nothing changes. */
export const LONGEST_POLL_MS = 32;

/** The same for who is next: the reservation for one that looks by timer lasts twice as long (HF_POLLED_RESERVATION_NS). */
export const HURRIED_POLL_MS = 4;

/** After so long a message of a thread to itself is lost: its task comes by a timer. */
export const LOST_MESSAGE_MS = 100;

/** Attempts that lie further apart than this are not of one watch. */
export const WATCH_MS = 1000;

/** The longest delay that setTimeout and setInterval take. */
export const LONGEST_DELAY_MS = 2 ** 31 - 1;
