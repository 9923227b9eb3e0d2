/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { nextFrame, until, within } from './page-threads.js';
import { FIRST, SECOND, SECTIONS, STOP, TORN } from './shared-words.js';

/**
 * The page requests the lock once a frame while workers hammer, and then ends the workers.
 *
 * @param {import('./shared-words.js').Shared} shared
 * @param {import('./page-threads.js').TestWorker[]} workers that hammer, or whose own workers hammer
 * @param {number} hammers the number of hammering threads
 * @param {number} frames
 */
export async function askAmong(shared, workers, hammers, frames) {
    const counts = () => Array.from({ length: hammers }, (_, index) => shared.read(SECTIONS + index));
    await until(shared, 'all that hammer get the lock', () => counts().every((count) => count > 0));

    /** @type {number[]} */
    const waits = [];
    const answers = [];
    let longestFrame = 0;
    let last = await nextFrame();
    for (let frame = 0; frame < frames; frame += 1) {
        const asked = performance.now();
        const section = () => {
            waits.push(performance.now() - asked);
            shared.section();
        };
        answers.push(shared.mutex.execAsync(section));
        const now = await nextFrame();
        longestFrame = Math.max(longestFrame, now - last);
        last = now;
    }
    await within(shared, 'the requests of the page are answered', Promise.all(answers));
    shared.publish(STOP, 1);
    await Promise.all(workers.map(({ ended }) => ended()));

    waits.sort((a, b) => a - b);
    return {
        requests: frames,
        answered: waits.length,
        medianWait: waits[Math.floor(waits.length / 2)] ?? Infinity,
        worstWait: waits.at(-1) ?? Infinity,
        longestFrame,
        first: shared.read(FIRST),
        second: shared.read(SECOND),
        torn: shared.read(TORN),
        sections: counts().reduce((sum, count) => sum + count, waits.length),
        lockWords: shared.lockWords(),
    };
}
