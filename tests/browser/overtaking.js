/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { overtakenBy, RETAKINGS, ROUND_MS } from '../support/retaking.js';
import { startFrameWith, startWorker, until, within } from './page-threads.js';
import { SECTIONS, Shared, STOP } from './shared-words.js';

/* Runs on the page: it overtakes other threads, and they overtake it. Each scenario returns plain data;
 * overtaking.test.js judges it. */

/** A pause in which the page handles messages: its timers last at least 4 ms. */
async function roundEnds() {
    const { port1, port2 } = new MessageChannel();
    for (const end = performance.now() + ROUND_MS; performance.now() < end;) {
        await new Promise((resolve) => {
            port1.onmessage = resolve;
            port2.postMessage('next turn');
        });
    }
    port1.close();
}

/**
 * The page has a pending request, and locks again in the job of each release. A worker asks for the lock too.
 *
 * @param {{ name: string, ask: string }} options `name`: of an entry of RETAKINGS
 */
export function overtakenByThePage({ name, ask }) {
    const retaking = RETAKINGS.find((one) => one.name === name);
    if (retaking === undefined) {
        throw new Error(`there is no ${name}`);
    }
    return overtakenBy(
        retaking,
        ask,
        (task) => {
            const worker = new Worker(new URL('./asking-worker.js', import.meta.url), { type: 'module' });
            const answer = new Promise((resolve, reject) => {
                worker.onmessage = ({ data }) => resolve(data);
                worker.onerror = ({ message }) => reject(new Error(message));
            });
            worker.postMessage(task);
            return answer;
        },
        roundEnds,
    );
}

const JOB_MS = 4;
const PAUSE_MS = 1;
const SLEEPING_WORKERS = 3;

/** Works for the length of a job and then sleeps, like a page with other work. */
async function workAndPause() {
    for (const end = performance.now() + JOB_MS; performance.now() < end;) {
        // the job
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

/**
 * The page asks between its jobs, while the event loops of workers and of an iframe hold the lock as they
 * sleep.
 *
 * @param {{ asks: number }} options
 */
export async function pageAmongLoops({ asks }) {
    const shared = Shared.create();
    const workers = [];
    for (let index = 0; index < SLEEPING_WORKERS; index += 1) {
        workers.push(await startWorker(shared, 'sleeper', index));
    }
    const frame = SLEEPING_WORKERS;
    await startFrameWith(shared, 'sleepInside', { handle: shared.handle, index: frame });
    const counts = () => Array.from({ length: frame + 1 }, (_, index) => shared.read(SECTIONS + index));
    const sections = () => counts().reduce((sum, count) => sum + count);
    await until(shared, 'each of them has the lock once', () => counts().every((count) => count > 0));
    /** @type {number[]} */
    const overtaken = [];
    const ask = async () => {
        const before = sections();
        await shared.mutex.execAsync(() => overtaken.push(sections() - before));
    };
    const asking = (async () => {
        while (overtaken.length < asks) {
            let isAnswered = false;
            void ask().then(() => (isAnswered = true));
            while (!isAnswered) {
                await workAndPause();
            }
        }
    })();
    await within(shared, 'the page is answered', asking);
    shared.publish(STOP, 1);
    await Promise.all(workers.map(({ ended }) => ended()));
    await within(
        shared,
        'the last section',
        shared.mutex.execAsync(() => {}),
    );
    return { overtaken: overtaken.toSorted((a, b) => a - b), counts: counts() };
}
