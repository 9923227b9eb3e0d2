/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { nextFrame, until, within } from './page-threads.js';
import { FIRST, SECOND, SECTIONS, STOP, TORN } from './shared-words.js';

/** Enough for a median. */
const FRAMES_BEFORE = 15;

/** @param {number[]} numbers */
function medianOf(numbers) {
    return [...numbers].sort((one, other) => one - other)[numbers.length >> 1] ?? Infinity;
}

/**
 * How long each of the next frames takes.
 *
 * @param {import('./shared-words.js').Shared} shared
 * @param {number} count
 * @param {() => void} work in each frame
 */
async function framesOf(shared, count, work) {
    const frames = [];
    let last = await nextFrame();
    for (let frame = 0; frame < count; frame += 1) {
        work();
        const now = await within(shared, `frame ${frame}`, nextFrame());
        frames.push(now - last);
        last = now;
    }
    return frames;
}

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

    const before = await framesOf(shared, FRAMES_BEFORE, () => {});
    /** @type {number[]} */
    const waits = [];
    /** The sections of others in each wait. @type {number[]} */
    const overtaken = [];
    const sections = () => counts().reduce((sum, count) => sum + count);
    /** @type {Promise<unknown>[]} */
    const answers = [];
    const during = await framesOf(shared, frames, () => {
        const [asked, before] = [performance.now(), sections()];
        const section = () => {
            waits.push(performance.now() - asked);
            overtaken.push(sections() - before);
            shared.section();
        };
        answers.push(shared.mutex.execAsync(section));
    });
    await within(shared, 'the requests of the page are answered', Promise.all(answers));
    shared.publish(STOP, 1);
    await Promise.all(workers.map(({ ended }) => ended()));

    return {
        requests: frames,
        answered: waits.length,
        medianWait: medianOf(waits),
        medianOvertaken: medianOf(overtaken),
        worstWait: Math.max(...waits),
        longestFrame: Math.max(...during),
        medianFrame: medianOf(during),
        frameBefore: medianOf(before),
        first: shared.read(FIRST),
        second: shared.read(SECOND),
        torn: shared.read(TORN),
        sections: sections() + waits.length,
        lockWords: shared.lockWords(),
    };
}
