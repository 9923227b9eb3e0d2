/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace, Mutex } from '../../js-glue/index.js';
import { makeBoard, reached } from '../support/board.js';
import { randomOf } from '../support/seed.js';
import { within } from '../support/watchdog.js';
import { Member } from '../stress/member.js';
import { BOARD_WORDS, diedAt, THERE } from './mortal.js';

/* Threads die with a lock, and the next waiter gets the error. Half of the waiters use their event loop, half
 * block. */

const THREADS = 200;
/** The longest random time after which a thread is ended. */
const LONGEST_PAUSE_MS = 1300;
/** Firefox does not start each nested worker; after this time another one is started. */
const START_MS = 6000;
const MOST_STARTS = 5;
/** The number of deaths at a time: a computing thread takes a core, and Chromium lets it run for two
 * seconds. */
const LANES = { idle: 6, busy: 2 };

/**
 * @typedef {import('./mortal.js').Victim} Victim
 *
 * @typedef {object} Ending
 * @property {() => unknown} end may be called in any case
 * @property {() => number} [died] when it ended itself, milliseconds since 1970
 *
 * @typedef {(victim: Victim) => Promise<Ending>} Start a thread that holds the lock and is about to die
 *
 * @typedef {object} Way
 * @property {string} name
 * @property {string} state of the victim
 * @property {Start} start
 */

/** @param {import('../stress/member.js').StartThread} startThread @param {string} state @returns {Way} */
export const terminated = (startThread, state) => ({
    name: `terminate(), ${state}`,
    state,
    async start(victim) {
        const member = new Member(startThread, true);
        await member.ask('hold', victim);
        await member.ask('die', { ...victim, way: state });
        return { end: () => void member.terminate() };
    },
});

/** @param {import('../stress/member.js').StartThread} startThread @param {string} state @returns {Way} */
export const nested = (startThread, state) => ({
    name: `terminate() of its parent, ${state}`,
    state,
    async start(victim) {
        const member = new Member(startThread, true);
        try {
            await within(member.ask('adopt', { ...victim, way: state }), 'a nested worker', [], START_MS);
        } catch (error) {
            void member.terminate();
            throw error;
        }
        return { end: () => void member.terminate() };
    },
});

/** @param {import('../stress/member.js').StartThread} startThread @param {string} name @param {string} way @returns {Way} */
export const endsItself = (startThread, name, way) => ({
    name,
    state: 'idle',
    async start(victim) {
        const member = new Member(startThread, true);
        await member.ask('hold', victim);
        return {
            end: () => void member.ask('die', { ...victim, way }).catch(() => {}),
            died: () => diedAt(victim.board)[0] ?? NaN,
        };
    },
});

class Lane {
    #waiter;
    #blocks = false;

    /**
     * @param {import('../stress/member.js').StartThread} startThread
     * @param {LockSpace} space
     * @param {Mutex} other is held
     * @param {import('../support/seed.js').Random} random
     */
    constructor(startThread, space, other, random) {
        this.#waiter = new Member(startThread, true);
        this.space = space;
        this.other = other;
        this.random = random;
    }

    /** @param {Mutex} mutex @returns {Promise<{ code: string, at: number }>} */
    #waitFor(mutex) {
        this.#blocks = !this.#blocks;
        return this.#blocks
            ? this.#waiter.ask('waitFor', mutex.handle)
            : mutex
                  .execAsync(() => ({ code: 'got it', at: Date.now() }))
                  .catch(({ code, message }) => ({
                      code: code ?? message,
                      at: Date.now(),
                  }));
    }

    /**
     * Each attempt has a mutex of its own: a thread that started too late may still take the mutex of an earlier
     * attempt.
     *
     * @param {Way} way
     * @param {number} [left] attempts
     * @returns {Promise<Ending & { mutex: Mutex, board: Int32Array }>}
     */
    async #start(way, left = MOST_STARTS) {
        const mutex = new Mutex({ space: this.space });
        const board = makeBoard(BOARD_WORDS);
        try {
            const victim = { handle: mutex.handle, other: this.other.handle, board, way: '' };
            const started = within(way.start(victim), `${way.name}: a thread holds the lock`, [mutex]);
            return { ...(await started), mutex, board };
        } catch (error) {
            if (left === 1) {
                throw error;
            }
            return this.#start(way, left - 1);
        }
    }

    /**
     * @param {Way} way
     * @returns {Promise<number>} milliseconds from the death until the next waiter got the error
     */
    async one(way) {
        const { end, died, mutex, board } = await this.#start(way);
        if (died === undefined) {
            await within(reached(board, THERE), `${way.name}: the thread is in its state`, [mutex]);
        }
        const told = this.#waitFor(mutex);
        await new Promise((resolve) => setTimeout(resolve, this.random.next() * LONGEST_PAUSE_MS));
        const begin = Date.now();
        end();
        const { code, at } = await within(told, `${way.name}: news of the death`, [mutex]);
        if (code !== 'HF_ABANDONED') {
            throw new Error(`${way.name}: the next waiter gets ${code}`);
        }
        await within(
            mutex.recoverAsync(() => {}),
            `${way.name}: the repair`,
            [mutex],
        );
        this.space.free(mutex);
        return at - (died?.() ?? begin);
    }

    end() {
        return this.#waiter.terminate();
    }
}

/**
 * @param {object} options
 * @param {Way[]} options.ways
 * @param {number} options.deaths of each way
 * @param {import('../stress/member.js').StartThread} options.startThread for those who wait
 * @param {number} options.seed
 * @param {(line: string) => void} options.tell
 * @returns {Promise<{ name: string, times: number[], fault?: string }[]>} milliseconds
 */
export async function measureDeaths({ ways, deaths, startThread, seed, tell }) {
    const random = randomOf(seed);
    const results = [];
    for (const way of ways) {
        const space = new LockSpace({ threads: THREADS });
        const other = new Mutex({ space });
        other.tryLock();
        /** @type {number[]} */
        const times = [];
        let begun = 0;
        const lanes = Array.from(
            { length: way.state === 'computing' ? LANES.busy : LANES.idle },
            () => new Lane(startThread, space, other, random),
        );
        const work = lanes.map(async (lane) => {
            while (begun < deaths) {
                begun += 1;
                times.push(await lane.one(way));
            }
        });
        const faults = (await Promise.allSettled(work)).flatMap((end) =>
            end.status === 'rejected' ? [String(end.reason?.message ?? end.reason)] : [],
        );
        await Promise.all(lanes.map((lane) => lane.end()));
        const [fault] = faults;
        results.push({ name: way.name, times, ...(fault === undefined ? {} : { fault }) });
        tell(`${way.name}: ${times.length} deaths, ${Math.max(0, ...times)} ms at most ${fault ?? ''}`);
    }
    return results;
}
