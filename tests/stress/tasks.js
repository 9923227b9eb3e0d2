/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace, Mutex } from '../../js-glue/index.js';
import { attach } from '../../js-glue/memory/attachment.js';
import { MORTAL_TASKS } from '../deaths/mortal.js';
import { playThread } from '../fuzz/play-thread.js';
import { awaitDeath } from '../games/death.js';
import { hammer } from '../games/hammer.js';
import { playPart } from '../games/match.js';
import { limitsCome, waitWithoutLimit } from '../support/endless.js';
import { randomOf } from '../support/seed.js';
import { pending } from './ledger.js';
import { useLocks } from './locks-use.js';
import { MemberWords } from './member-words.js';
import { Protected } from './protected.js';

/* The tasks of a thread of the stress, one message each. */

/**
 * @typedef {import('../../js-glue/index.js').HandleOf<import('../../js-glue/index.js').Mutex>} MutexHandle
 *
 * @typedef {object} Begin
 * @property {Int32Array<SharedArrayBuffer>} words
 * @property {import('../../js-glue/index.js').HandleOf<import('../../js-glue/index.js').LockSpace>} space
 * @property {WebAssembly.Module} [endless] used in place of the published module: its waits have no limit
 *
 * @typedef {object} Work
 * @property {MutexHandle[]} handles
 * @property {SharedArrayBuffer} data what the locks protect
 * @property {number} seed
 * @property {number} section
 * @property {number} busy
 * @property {number} rounds
 * @property {number} blocking
 */

let words = new MemberWords();
/** @type {LockSpace} */
let space;

const TASKS = {
    /** @param {Begin} start */
    begin(start) {
        if (start.endless !== undefined) {
            const { endless } = start;
            WebAssembly.Module = /** @type {any} */ (
                function () {
                    return endless;
                }
            );
            waitWithoutLimit();
        }
        words = new MemberWords(start.words);
        space = LockSpace.from(start.space);
        words.self = attach(space.memory).self;
    },

    /** @param {Work} work */
    async work({ handles, seed, data, ...use }) {
        const mutexes = handles.map((handle) => Mutex.from(handle));
        await useLocks({ ...use, mutexes, words, data: new Protected(data), random: randomOf(seed) });
    },

    make() {
        return new Mutex({ space }).handle;
    },

    /** @param {MutexHandle} handle */
    free(handle) {
        space.free(Mutex.from(handle));
    },

    /** Counts the pending resources at rest, after the end of the sweep's own entry. */
    count() {
        limitsCome();
        return pending();
    },

    play: playPart,

    hammer,

    awaitDeath,

    fuzz: playThread,

    ...MORTAL_TASKS,
};

/** @typedef {keyof typeof TASKS} TaskName */
/** @typedef {{ id: number, task: TaskName, details: any }} TaskMessage */
/** @typedef {{ id: number, result?: any, error?: string }} TaskReply */

/**
 * @param {TaskMessage} message
 * @returns {Promise<TaskReply>}
 */
export async function perform({ id, task, details }) {
    try {
        return { id, result: await TASKS[task](details) };
    } catch (error) {
        return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
}
