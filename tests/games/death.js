/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { reach, work } from '../support/board.js';
import { contestNamed } from './contests.js';

/** Longer than any test. */
const FOR_EVER_MS = 3_600_000;

/** @typedef {'blocked' | 'idle' | 'busy'} WayToWait */

/** @typedef {{ name: string, handle: any, board: Int32Array, waiting: number, way: WayToWait }} DeathPart */

/**
 * The part of a worker that is ended while it waits: in a blocking call, through its idle event loop, or through a loop
 * that is too busy to hear of anything.
 *
 * @param {DeathPart} part
 */
export async function awaitDeath({ name, handle, board, waiting, way }) {
    const contest = contestNamed(name);
    if (way === 'blocked') {
        reach(board, waiting);
        contest.worker(handle).take();
        return;
    }
    void contest.loop(handle, () => new Promise(() => {}));
    await new Promise((resolve) => setTimeout(resolve, 0));
    reach(board, waiting);
    work(way === 'busy' ? FOR_EVER_MS : 0);
}
