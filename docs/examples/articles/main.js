/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Programs of the articles that keep their classes (locks.js): players count their shifts under an AsyncLock, at most three of
 * them are on the ice, and one at a time has the puck. */
import { LockSpace } from 'holdfast';
import { check, print } from '../report.js';
import { inWorker } from '../threads.js';
import { AsyncLock, BinarySemaphore, CountingSemaphore } from './locks.js';

const PLAYERS = 6;
const SHIFTS = 50;
const PLACES = 3;

const space = new LockSpace();
const { memory } = space;
const at = {
    lock: space.alloc(AsyncLock.BYTES),
    ice: space.alloc(CountingSemaphore.BYTES),
    puck: space.alloc(BinarySemaphore.BYTES),
};
const lock = new AsyncLock(memory, at.lock);
new CountingSemaphore(memory, at.ice, PLACES);
new BinarySemaphore(memory, at.puck, true);
const counts = new Int32Array(memory.buffer, space.alloc(12), 3); // shifts, players on the ice, goals

const players = Array.from({ length: PLAYERS }, () =>
    inWorker(new URL('./worker.js', import.meta.url), { memory, at, counts, shifts: SHIFTS }),
);
const most = Math.max(...(await Promise.all(players)));
await lock.executeLocked(() => {
    const [shifts, onIce, goals] = counts;
    check(shifts === PLAYERS * SHIFTS, `no shift is lost; ${shifts} were counted`);
    check(goals === PLAYERS * SHIFTS, `no goal is lost; ${goals} were counted`);
    check(onIce === 0 && most <= PLACES, `${PLACES} places, ${most} players on the ice`);
    print(`${shifts} shifts and ${goals} goals, at most ${most} players on the ice`);
});
