/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL } from '../arena.js';
import { LostUpdateError, sectionsOf } from '../counters.js';
import { prepare } from './sections.js';

/** Set if a round is the last: of the even rounds, and of the odd. */
const ENDS = /** @type {const} */ ([CONTROL.STEP, CONTROL.ANSWER]);

/**
 * Arrives at a barrier again and again, until told to stop. In each round a thread counts, arrives, and sees that its
 * neighbour has counted too. All must stop after the same round: the first thread says before it arrives whether that
 * round is the last. It can say so of a later round only when all have seen what it said of the last but one, so two
 * places are enough.
 *
 * @param {import('./alternate.js').Task} task
 */
export async function rounds(task) {
    const { lock: barrier, counters, control } = await prepare(task);
    const { arena, thread } = task;
    const neighbour = (thread + 1) % task.options.parties;
    for (let round = 1, isLast = false; !isLast; round += 1) {
        const end = ENDS[round % 2] ?? NaN;
        if (thread === 0) {
            Atomics.store(control, end, Atomics.load(control, CONTROL.STOP));
        }
        counters.tally();
        barrier.arrive();
        if (sectionsOf(arena, neighbour) < round) {
            throw new LostUpdateError(`the barrier let a thread into round ${round + 1} before the others`);
        }
        isLast = Atomics.load(control, end) !== 0;
    }
}
