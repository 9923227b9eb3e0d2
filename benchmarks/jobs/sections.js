/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL, controlOf, Counters } from '../arena.js';
import { openLock } from '../contestants.js';
import { keepBusy } from '../event-loop.js';

/* Threads that lock again and again, without a pause, until told to stop. */

/** @typedef {{ sectionMs: number, readsIn100: number, parties: number }} Options `parties`: threads that take turns */
/** @typedef {import('./jobs.js').TaskOf<Options>} Task */

/** @param {import('./jobs.js').TaskOf<{}>} task */
export async function prepare({ arena, thread, options: { contestant } }) {
    const control = controlOf(arena);
    return {
        lock: /** @type {any} */ (await openLock(contestant, arena)),
        counters: new Counters(arena, thread),
        control,
        goesOn: () => Atomics.load(control, CONTROL.STOP) === 0,
    };
}

/** @param {Task} task */
export async function sections(task) {
    const { lock, counters, goesOn } = await prepare(task);
    const { sectionMs } = task.options;
    let worked = performance.now();
    const section = () => {
        counters.enter();
        const end = keepBusy(sectionMs);
        counters.waited(end - sectionMs - worked);
        worked = end;
        counters.leave();
    };
    if (lock.lock) {
        repeatBlocking(lock, section, goesOn);
    } else {
        while (goesOn()) {
            await lock.execAsync(section);
        }
    }
}

/** @param {{ lock(): void, unlock(): void }} lock @param {() => void} section @param {() => boolean} goesOn */
function repeatBlocking(lock, section, goesOn) {
    while (goesOn()) {
        lock.lock();
        section();
        lock.unlock();
    }
}

/** Locks a reader-writer lock again and again, to read or to write at random. @param {Task} task */
export async function readWrite(task) {
    const { lock, counters, goesOn } = await prepare(task);
    const { sectionMs, readsIn100 } = task.options;
    let random = task.thread + 1;
    while (goesOn()) {
        random = nextRandom(random);
        if (random % 100 < readsIn100) {
            lock.lockShared();
            counters.look();
            keepBusy(sectionMs);
            counters.look();
            counters.tally();
            lock.unlockShared();
        } else {
            lock.lock();
            counters.enter();
            keepBusy(sectionMs);
            counters.leave();
            lock.unlock();
        }
    }
}

/** The shifts of a xorshift generator on 32 bits (Marsaglia 2003), the same for all contestants. */
const [LEFT, RIGHT, LEFT_AGAIN] = /** @type {const} */ ([13, 17, 5]);

/** @param {number} random the last number; at first any number but 0 */
function nextRandom(random) {
    let next = random ^ (random << LEFT);
    next ^= next >>> RIGHT;
    return (next ^ (next << LEFT_AGAIN)) >>> 0;
}

/** Takes turns by a mutex and a condition: waits for its turn, and gives the turn to the next thread. @param {Task} task */
async function prepareTurns(task) {
    const { counters, control, goesOn, ...rest } = await prepare(task);
    const { thread } = task;
    return {
        ...rest,
        goesOn,
        // The last turn wakes the threads that slept when all were told to stop.
        isMine: () => Atomics.load(control, CONTROL.STEP) === thread || !goesOn(),
        turn() {
            counters.enter();
            counters.leave();
            if (goesOn()) {
                Atomics.store(control, CONTROL.STEP, (thread + 1) % task.options.parties);
            }
        },
    };
}

/** Blocks until its turns come. @param {Task} task */
export async function alternate(task) {
    const { lock, goesOn, isMine, turn } = await prepareTurns(task);
    for (let isLast = false; !isLast;) {
        isLast = !goesOn();
        lock.lock();
        while (!isMine()) {
            lock.wait();
        }
        turn();
        lock.notify();
        lock.unlock();
    }
}

/** Waits for its turns through the event loop, without blocking. @param {Task} task */
export async function alternateAsync(task) {
    const { lock, goesOn, isMine, turn } = await prepareTurns(task);
    for (let isLast = false; !isLast;) {
        isLast = !goesOn();
        await lock.lockAsync();
        while (!isMine()) {
            await lock.waitAsync();
        }
        turn();
        lock.notify();
        lock.unlockAsync();
    }
}
