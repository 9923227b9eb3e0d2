/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { pending } from '../stress/ledger.js';
import { afterOtherTasks } from '../stress/locks-use.js';
import { KINDS } from './objects.js';
import { Player } from './player.js';
import { SharedWords } from './shared-words.js';

/* A thread's part in a program: runs its code, and reports failures. */

/** The time within which unneeded timers and listeners must be removed. */
const SOON_MS = 2000;

/**
 * @typedef {object} Part
 * @property {number} index
 * @property {string} code of an async function of the player and the objects
 * @property {Record<string, any>} handles of the objects, by name
 * @property {Int32Array<SharedArrayBuffer>} words
 * @property {Int32Array<SharedArrayBuffer>} mail what became of all messages
 * @property {number} mailer the number of the thread among all that send and receive
 * @property {boolean} isHost whether this thread has other things to do, which have timers
 * @property {string[]} spoilt the objects of which nothing is known, since the program overwrites their words
 * @property {boolean} contexts whether callbacks look at the context that they run in
 */

/** @type {import('./player.js').Failure[]} */
let unheard = [];
const { process } = /** @type {{ process?: NodeJS.Process }} */ (globalThis);
/** @param {any} reason */
const onRejection = (reason) => {
    unheard.push({
        kind: 'unhandled',
        message: `nobody handles ${reason?.reason?.stack ?? reason?.stack ?? reason}`,
    });
};
let listens = false;

/** Called at the first program. From then on the thread only runs programs. */
function hearRejections() {
    if (!listens && process) {
        process.on('unhandledRejection', onRejection);
        process.on('warning', onRejection);
        process.on('uncaughtException', onRejection);
    } else if (!listens) {
        globalThis.addEventListener('unhandledrejection', onRejection);
        globalThis.addEventListener('error', (event) => {
            event.preventDefault();
            onRejection(event.error);
        });
    }
    listens = true;
}

/** @returns {Promise<import('./player.js').Failure[]>} */
/** @param {number} index @returns {Promise<import('./player.js').Failure[]>} */
async function nothingIsLeft(index) {
    const end = performance.now() + SOON_MS;
    for (;;) {
        const { timers, listeners, handles } = pending();
        if (timers + listeners + handles === 0) {
            return [];
        }
        if (performance.now() > end) {
            const left = JSON.stringify({ timers, listeners, handles });
            return [{ kind: 'left', message: `thread ${index}: left behind: ${left}` }];
        }
        await afterOtherTasks();
    }
}

/**
 * @param {Part} part
 * @returns {Promise<import('./player.js').Failure[]>}
 */
export async function playThread({ index, code, handles, words, isHost, ...known }) {
    unheard = [];
    hearRejections();
    const objects = Object.fromEntries(
        Object.entries(handles).map(([name, handle]) => [name, KINDS[handle.holdfast].from(handle)]),
    );
    const player = new Player(index, objects, new SharedWords(words), known);
    /** @type {(player: Player, objects: Record<string, any>) => Promise<void>} */
    const run = (0, eval)(`(${code})`);
    try {
        await run(player, objects);
    } catch (/** @type {any} */ error) {
        player.fails('error', error?.stack ?? String(error));
    }
    await player.settled();
    await player.probe();
    return [...player.failures, ...unheard, ...(isHost ? [] : await nothingIsLeft(index))];
}
