/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex } from '../../js-glue/index.js';
import { blockUntilReached, reach, reached, spinUntilReached } from '../support/board.js';
import { Member } from '../stress/member.js';
import { afterOtherTasks } from '../stress/locks-use.js';

/* Threads that die as holders of a lock, that wait for one, or that live and are probed. */

/**
 * A victim's board. Its first word says that the victim is in its state; later words have the time at which the
 * victim ended itself.
 */
export const THERE = 0;
const DIED_AT_BYTE = 8;
export const BOARD_WORDS = 4;

/** Two words of a probed thread's board: the first says that probes may begin, the second that they have ended. */
export const READY = 0;
export const GO_ON = 1;

/** States of a victim when another thread ends it. */
export const STATES = ['idle', 'blocked', 'computing'];

/** The most garbage objects at a time. */
const GARBAGE = 1000;

/** @param {Int32Array} board @returns {Float64Array} of one number: milliseconds since 1970 */
export function diedAt(board) {
    return new Float64Array(board.buffer, DIED_AT_BYTE, 1);
}

/**
 * @typedef {object} Victim
 * @property {import('../../js-glue/index.js').HandleOf<import('../../js-glue/index.js').Mutex>} handle of what it holds
 * @property {import('../../js-glue/index.js').HandleOf<import('../../js-glue/index.js').Mutex>} other for which it blocks
 * @property {Int32Array} board
 * @property {string} way
 *
 * @typedef {'idle' | 'blocked' | 'computing' | 'collecting'} State
 *
 * @typedef {object} Living
 * @property {import('../../js-glue/index.js').HandleOf<import('../../js-glue/index.js').Mutex>} handle
 * @property {Int32Array<SharedArrayBuffer>} board
 * @property {State} state
 */

const scope = /** @type {any} */ (globalThis);
const threads = () => scope.process?.getBuiltinModule?.('node:worker_threads');

/** @type {Record<string, (victim: Victim) => unknown>} The first three are ended by others. */
const WAYS = {
    idle() {},
    blocked: ({ other }) => Mutex.from(other).lock(),
    computing({ board }) {
        for (;;) {
            Atomics.load(board, THERE);
        }
    },
    throws() {
        throw new Error('an error that nobody catches');
    },
    exits: () => scope.process.exit(3),
    closes: () => scope.close(),
    ends() {
        const { parentPort } = threads();
        (parentPort.close ?? scope.close).call(parentPort); // Deno's port has none
    },
    exhausts() {
        const all = [];
        for (;;) {
            all.push(new Array(100_000).fill(all.length));
        }
    },
};

/** @param {Victim} victim */
function die(victim) {
    // A task of its own, so that no code handles the error.
    setTimeout(() => {
        reach(victim.board, THERE);
        diedAt(victim.board)[0] = Date.now();
        WAYS[victim.way]?.(victim);
    });
}

/** Makes a nested worker the victim. @param {Victim} victim */
export async function adopt(victim) {
    const startThread =
        'process' in scope && threads()
            ? (await import('../stress/node-threads.js')).startNodeThread
            : (await import('../stress/browser-threads.js')).startBrowserThread;
    const child = new Member(startThread, true);
    await child.ask('hold', victim);
    await child.ask('die', victim);
}

/** Makes garbage until the garbage collector has run. @param {Int32Array} board @param {number} times */
function collectUntil(board, times) {
    /** @type {unknown[]} */
    let garbage = [];
    while (Atomics.load(board, GO_ON) < times) {
        garbage = garbage.length < GARBAGE ? [...garbage, new Array(GARBAGE).fill({})] : [];
    }
    scope.gc?.();
}

/** @type {Record<State, (board: Int32Array, times: number) => unknown>} */
const LIVES = {
    idle: (board, times) => reached(board, GO_ON, times),
    blocked: (board, times) => blockUntilReached(board, GO_ON, times),
    computing: (board, times) => spinUntilReached(board, GO_ON, times),
    collecting: collectUntil,
};

export const MORTAL_TASKS = {
    /** @param {Victim} victim */
    hold({ handle }) {
        Mutex.from(handle).lock();
    },

    die,

    adopt,

    /** @param {import('../../js-glue/index.js').HandleOf<import('../../js-glue/index.js').Mutex>} handle */
    waitFor(handle) {
        try {
            Mutex.from(handle).lock();
            return { code: 'got it', at: Date.now() };
        } catch (error) {
            return { code: /** @type {{ code?: string }} */ (error).code ?? String(error), at: Date.now() };
        }
    },

    /** Holds the lock for ever, and is in that state between the turns of its event loop. @param {Living} living */
    async live({ handle, board, state }) {
        Mutex.from(handle).lock();
        for (let times = 1; ; times += 1) {
            await afterOtherTasks();
            reach(board, READY);
            await LIVES[state](board, times);
        }
    },
};
