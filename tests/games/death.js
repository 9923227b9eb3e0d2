/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { reach, work } from '../support/board.js';
import { contestNamed } from './contests.js';

/** Longer than any test. */
const FOR_EVER_MS = 3_600_000;

/** @typedef {'blocked' | 'idle' | 'busy'} WayToWait */

/** @typedef {{ name: string, handle: any, board: Int32Array, waiting: number, way: WayToWait }} DeathPart */

/**
 * The part of a worker that is terminated while it waits: in a blocking call, in its idle event loop, or in a
 * loop too busy to notice anything.
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
