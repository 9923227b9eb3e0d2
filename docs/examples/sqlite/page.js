/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Runs the program with each kind of mutexes in turn, with the arguments that the address names, each in an iframe: a
 * frame of the same origin has the thread of this page. */
import { print } from '../report.js';

const KINDS = ['holdfast', 'stock'];

/** In milliseconds; since the last run began. */
let longestFrame = 0;

function meterFrames() {
    const meter = /** @type {HTMLMeterElement} */ (document.querySelector('meter'));
    const count = /** @type {HTMLElement} */ (document.querySelector('#frames'));
    let frames = 0;
    let last = performance.now();
    const measure = () => {
        const now = performance.now();
        meter.value = now - last;
        longestFrame = Math.max(longestFrame, now - last);
        last = now;
        frames += 1;
        count.textContent = String(frames);
        requestAnimationFrame(measure);
    };
    requestAnimationFrame(measure);
}

/**
 * @param {string} mutexes
 * @param {string} words for the program
 */
async function run(mutexes, words) {
    const frame = document.createElement('iframe');
    frame.hidden = true;
    const message = new Promise((resolve) => addEventListener('message', resolve, { once: true }));
    frame.src = `frame.html?${mutexes}&${words}`;
    document.body.append(frame);
    longestFrame = 0;
    const { data } = /** @type {MessageEvent} */ (await message);
    frame.remove();
    if (data.error !== undefined) {
        throw new Error(`${mutexes}: ${data.error}`);
    }
    print(JSON.stringify({ ...JSON.parse(data.line), longestFrame: Math.round(longestFrame) }));
}

async function runAll() {
    const words = location.search.slice(1);
    if (words === '') {
        return;
    }
    if (!crossOriginIsolated) {
        throw new Error('this page has no shared memory; docs/isolation.md says which headers it needs');
    }
    meterFrames();
    for (const mutexes of KINDS) {
        await run(mutexes, words);
    }
    print('Done.');
}

runAll().catch((error) => print(`Failed: ${error}`));
