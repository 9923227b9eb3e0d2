/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace } from '../../js-glue/index.js';
import { randomOf } from '../support/seed.js';
import { GAMES } from './games.js';

/* A match: one game, played by several threads and the thread that runs it. */

const BLOCKING = { blocks: true };
const WAITING = { blocks: false };
/** Seats of a thread that waits through its event loop: several of its requests are pending at once. */
const OF_LOOP = [WAITING, WAITING];
/** Seats of a thread that blocks while its own event loop waits. */
const MIXED = [BLOCKING, { blocks: false, sharesThread: true }];
/** Bytes of shared memory that are enough for one turn of any game. */
const BYTES_PER_TURN = 64;
const PAGE_BYTES = 65536;
const MOST_PAGES = 256;

/**
 * @typedef {object} Part of one thread
 * @property {string} name of the game
 * @property {any} table
 * @property {{ index: number, blocks: boolean, sharesThread?: boolean, turns: number, seed: number }[]} seats
 */

/**
 * The part of a playing thread.
 *
 * @param {Part} part
 */
export async function playPart({ name, table, seats }) {
    const game = gameNamed(name);
    await Promise.all(
        seats.map(({ seed, ...seat }) => game.play(table, { ...seat, random: randomOf(seed) })),
    );
}

/** @param {string} name */
function gameNamed(name) {
    const game = GAMES.get(name);
    if (game === undefined) {
        throw new Error(`there is no game ${name}`);
    }
    return game;
}

/** @param {number} index of a thread; every third thread only awaits */
export const blocks = (index) => index % 3 !== 2;

/**
 * @typedef {object} Match
 * @property {string} name of the game
 * @property {((part: Part) => Promise<unknown>)[]} threads how each is asked to play
 * @property {number} operations in all, about
 * @property {number} seed
 * @property {<T>(promise: Promise<T>, what: string, objects: import('./games.js').Placed[]) => Promise<T>} within the
 *     watchdog
 */

/**
 * @param {Match} match
 * @returns {Promise<number>} operations
 */
export async function playMatch({ name, threads, operations, seed, within }) {
    const game = gameNamed(name);
    const ofWorker = game.mixes ? MIXED : [BLOCKING];
    const threadSeats = [...threads.map((_, index) => (blocks(index) ? ofWorker : OF_LOOP)), OF_LOOP];
    const seats = threadSeats.flat().length;
    const turns = Math.max(1, Math.floor(operations / seats));
    const pages = 1 + Math.ceil((turns * BYTES_PER_TURN) / PAGE_BYTES);
    const space = new LockSpace({ pages: Math.min(pages, MOST_PAGES) });
    const crowd = { seats, turns };
    const table = game.lay(space, crowd, randomOf(seed));

    let index = 0;
    const parts = threadSeats.map((kinds) => ({
        name,
        table,
        seats: kinds.map((kind) => {
            index += 1;
            return { ...kind, index: index - 1, turns, seed: seed + index };
        }),
    }));
    const own = /** @type {Part} */ (parts.pop());
    const plays = [...parts.map((part, thread) => threads[thread]?.(part)), playPart(own)];
    await within(Promise.all(plays), `the game ${name}`, game.objects(table));
    game.judge(table, crowd);
    return seats * turns;
}
