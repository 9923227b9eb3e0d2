/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { makeArena } from './arena.js';
import { contestantOf } from './contestants.js';
import { gather } from './crew.js';
import { askAll, receiveAll, sendAll } from './jobs/messages.js';
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
class Beside {
    #start = performance.now();
    #frames = 0;
    #rss = memoryUsage?.rss() ?? 0;
    #most = this.#rss;
    #frame = globalThis.requestAnimationFrame?.(() => this.#countFrame());

    #countFrame() {
        this.#frames += 1;
        this.#frame = requestAnimationFrame(() => this.#countFrame());
    }

    look() {
        this.#most = Math.max(this.#most, memoryUsage?.rss() ?? 0);
    }

    end() {
        globalThis.cancelAnimationFrame?.(this.#frame ?? 0);
        const seconds = (performance.now() - this.#start) / 1000;
        const megabytes = memoryUsage ? (this.#most - this.#rss) / 2 ** 20 : NaN;
        return { frames: this.#frames / seconds, megabytes };
    }
}

const NOTHING = { end: () => ({ frames: NaN, megabytes: NaN }) };

/** Ports between workers: for the senders, and for the receiver. @param {number} senders */
function makePorts(senders) {
    const channels = Array.from({ length: senders }, () => new MessageChannel());
    return [...channels.map(({ port1 }) => [port1]), channels.map(({ port2 }) => port2)];
}

/** @param {MessageRun} run @returns {Promise<Exchanged>} */
export async function exchange(run) {
    const { key, way, size, seconds, senders = 1, questions: times = 0, isFlood } = run;
    const messenger = /** @type {any} */ (await contestantOf(key));
    const shared = [0, 1].map(() => messenger.make?.());
    const calls = way === 'to loop' && times > 0;
    const [sends, receives] = /** @type {import('./jobs/jobs.js').Job[]} */ (
        times > 0
            ? [calls ? 'callMessages' : 'askMessages', 'answerMessages']
            : ['sendMessages', 'receiveMessages']
    );
    const jobs = [...new Array(way === 'from loop' ? 0 : senders).fill(sends)];
    if (way !== 'to loop') {
        jobs.push(receives);
    }
    const arena = makeArena(jobs.length);
    return watched(`${key} ${way}`, arena, 20 * (seconds + 1), async () => {
        const ports = way === 'between' ? makePorts(senders) : [];
        const options = { ...run, contestant: key, shared, senders, times };
        const crew = await gather(
            jobs.map((job, thread) => ({
                ...{ job, arena, thread },
                options: /** @type {any} */ ({ ...options, ports: ports[thread] }),
            })),
        );
        const [end, back] = /** @type {[any, any]} */ (
            shared.map((one) => ({ shared: one, ports: crew.ports, size, blocks: false }))
        );
        const beside = isFlood ? new Beside() : undefined;
        let idle = NaN;
        const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
        const pause = async () => {
            await sleep(seconds * 1000); // until the threads have started
            const before = cpuUsage?.();
            await sleep(seconds * 1000);
            const { user, system } = cpuUsage?.(before) ?? { user: NaN, system: NaN };
            idle = (user + system) / 1e6 / seconds;
        };
        const workHere = {
            'from loop': () =>
                times > 0 ? askAll(messenger, end, back, times, pause) : sendAll(messenger, end, 0, run),
            'to loop': () => receiveAll(messenger, end, senders, beside && (() => beside.look())),
            between: () => undefined,
        }[way];
        const stop = calls && messenger.answer(end);
        crew.go();
        const [theirs, ours] = await Promise.all([crew.ended, stop ? undefined : workHere()]);
        if (stop) {
            stop();
        }
        const result = /** @type {any} */ ([ours, ...theirs].find((one) => one !== undefined));
        const { rate = NaN, waits = [], ages = [], lastAge = NaN } = result;
        // The first answers are left out, since the code is not compiled yet.
        return {
            rate,
            waits: waits.slice(times / 2),
            lastAge,
            ages: waitPoints(ages),
            ...(beside ?? NOTHING).end(),
            idle,
        };
    });
}
