/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Event } from '../../js-glue/index.js';

/* Runs on a page that is hidden. */

const SOON_MS = 20;

/** @param {Event} event */
function wordsOf({ memory, byteOffset }) {
    return new Int32Array(memory.buffer, byteOffset, Event.BYTES / 4);
}

/**
 * Waits whose wake-ups are lost, each beside a timer of the page that is due soon.
 *
 * @param {{ rounds: number }} options
 * @returns {Promise<{ hidden: boolean, times: { timer: number, wait: number }[] }>} milliseconds until each had come
 */
export async function lateTimers({ rounds }) {
    const set = new Event();
    set.set();
    const times = [];
    for (let round = 0; round < rounds; round += 1) {
        const event = new Event();
        const start = performance.now();
        const passed = () => performance.now() - start;
        const waited = event.waitAsync().then(passed);
        const timed = new Promise((resolve) => setTimeout(resolve, SOON_MS)).then(passed);
        await Promise.resolve(); // the wait gets its entry at the end of the job
        await new Promise((resolve) => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = resolve;
            port2.postMessage(0);
        });
        wordsOf(event).set(wordsOf(set)); // as if a thread had set the event, and died before the wake
        const [wait, timer] = await Promise.all([waited, timed]);
        times.push({ timer, wait });
    }
    return { hidden: document.hidden, times };
}
