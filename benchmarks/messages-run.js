/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { makeArena } from './arena.js';
import { contestantOf } from './contestants.js';
import { gather } from './crew.js';
import * as jobs from './jobs/messages.js';
import { waitPoints } from './wait-points.js';
import { watched } from './watchdog.js';

/* One run of messages between workers, or between workers and this thread, which never blocks. */

/**
 * Plain data, since a page gets it from another process.
 *
 * @typedef {object} MessageRun
 * @property {string} key of the messenger
 * @property {'to loop' | 'from loop' | 'between'} way from workers to this thread, from it to a worker, or from workers to a worker
 * @property {number} size bytes of a message
 * @property {number} seconds for which messages are sent, or that pass before the first question of this thread
 * @property {number} [senders] 1 by default
 * @property {number} [most] messages
 * @property {number} [everyMs] the time between two messages; by default as many as possible
 * @property {number} [questions] the number of questions to ask in place of messages; to the loop by blocking calls
 * @property {boolean} [isFlood] whether ages, frames and memory are noted
 *
 * @typedef {object} Exchanged
 * @property {number} rate messages a second
 * @property {number[]} waits for the second half of the answers, in ms
 * @property {number} lastAge of the last message when it was received, in ms
 * @property {[number, number][]} ages as points of a curve
 * @property {number} frames a second, on a page
 * @property {number} megabytes by which the process has grown
 * @property {number} idle seconds of processor time per second of the wait for the first question
 */

/** Functions of Node's process, which pages lack. */
const { cpuUsage, memoryUsage } = /** @type {Partial<NodeJS.Process>} */ (globalThis.process ?? {});

/** Measures this thread's event loop beside the messages. */
function measureLoop() {
    const start = performance.now();
    const before = memoryUsage?.rss() ?? NaN;
    let most = before;
    let frames = 0;
    const countFrame = () => {
        frames += 1;
        frame = globalThis.requestAnimationFrame?.(countFrame);
    };
    let frame = globalThis.requestAnimationFrame?.(countFrame);
    return {
        look: () => void (most = Math.max(most, memoryUsage?.rss() ?? NaN)),
        end() {
            globalThis.cancelAnimationFrame?.(frame);
            const seconds = (performance.now() - start) / 1000;
            return { frames: frames / seconds, megabytes: (most - before) / 2 ** 20 };
        },
    };
}

/** Ports between workers: for the senders, and for the receiver. @param {number} senders */
function makePorts(senders) {
    const channels = Array.from({ length: senders }, () => new MessageChannel());
    return [...channels.map(({ port1 }) => [port1]), channels.map(({ port2 }) => port2)];
}

/** @param {MessageRun} run */
function jobsOf({ way, questions = 0 }) {
    if (questions === 0) {
        return /** @type {const} */ (['sendMessages', 'receiveMessages']);
    }
    return way === 'to loop'
        ? /** @type {const} */ (['callLoop', 'answerCalls'])
        : /** @type {const} */ (['askMessages', 'answerMessages']);
}

/** @param {MessageRun} run @returns {Promise<Exchanged>} */
export async function exchange(run) {
    const { key, way, seconds, senders = 1, questions: times = 0, isFlood } = run;
    const messenger = /** @type {any} */ (await contestantOf(key));
    const shared = [0, 1].map(() => messenger.make?.());
    const [sends, receives] = jobsOf(run);
    const ofWorkers = [
        ...new Array(way === 'from loop' ? 0 : senders).fill(sends),
        ...(way === 'to loop' ? [] : [receives]),
    ];
    const ofLoop = { 'to loop': receives, 'from loop': sends, between: undefined }[way];
    const arena = makeArena(ofWorkers.length);
    return watched(`${key} ${way}`, arena, 20 * (seconds + 1), async () => {
        const ports = way === 'between' ? makePorts(senders) : [];
        const options = { ...run, contestant: key, shared, senders, times };
        const crew = await gather(
            ofWorkers.map((job, thread) => ({
                ...{ job, arena, thread },
                options: /** @type {any} */ ({ ...options, ports: ports[thread] }),
            })),
        );
        const loop = isFlood ? measureLoop() : undefined;
        let idle = NaN;
        const sleep = () => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
        const pause = async () => {
            await sleep(); // until the threads have started
            const before = cpuUsage?.();
            await sleep();
            const { user, system } = cpuUsage?.(before) ?? { user: NaN, system: NaN };
            idle = (user + system) / 1e6 / seconds;
        };
        crew.go();
        const here = { ports: crew.ports, blocks: false, look: loop?.look, pause, until: crew.ended };
        const task = { arena, thread: 0, options: { ...options, ...here } };
        const results = await Promise.all([ofLoop && jobs[ofLoop](task, messenger), crew.ended]);
        const result = /** @type {any} */ (results.flat().find((one) => one !== undefined));
        const { rate = NaN, waits = [], ages = [], lastAge = NaN } = result;
        return {
            rate,
            waits: waits.slice(times / 2), // without the first ones, for which the code is not compiled yet
            lastAge,
            ages: waitPoints(ages),
            ...(loop?.end() ?? { frames: NaN, megabytes: NaN }),
            idle,
        };
    });
}
