/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { barrier } from './barrier.js';
import { boundedQueue, meetings } from './condition.js';
import { autoEvent, manualEvent } from './event.js';
import { latch } from './latch.js';
import { notifyCounts } from './notify-counts.js';
import { once } from './once.js';
import { rwlock } from './rwlock.js';
import { binarySemaphore, countingSemaphore } from './semaphore.js';

/* A game: threads use one object at the same time in every way that its class has, and a judge checks that
 * all promises were kept. Its players have seats: a blocking thread has one, an event loop several. */

/**
 * @typedef {import('../../js-glue/memory/placed.js').Placed} Placed
 * @typedef {import('../../js-glue/index.js').LockSpace} LockSpace
 * @typedef {import('../support/seed.js').Random} Random
 *
 * @typedef {object} Crowd
 * @property {number} seats
 * @property {number} turns of each seat
 *
 * @typedef {object} Seat
 * @property {number} index
 * @property {boolean} blocks whether its thread may block, and then mostly does
 * @property {boolean} [sharesThread] whether its thread also has a seat that blocks; then its sections may
 *     not wait
 * @property {number} turns
 * @property {Random} random
 */

/**
 * @template Table
 * @typedef {object} Game
 * @property {string} name
 * @property {boolean} [mixes] whether a thread may block for it while its own event loop waits for it
 * @property {(space: LockSpace, crowd: Crowd, random: Random) => Table} lay what all players get in a message
 * @property {(table: Table) => Placed[]} objects the objects whose words a failure prints
 * @property {(table: Table, seat: Seat) => Promise<void>} play throws when it sees a promise broken
 * @property {(table: Table, crowd: Crowd) => void} judge called after all have played; throws if a promise
 *     was broken
 */

/** @type {Map<string, Game<any>>} */
export const GAMES = new Map(
    [
        binarySemaphore,
        countingSemaphore,
        rwlock,
        boundedQueue,
        meetings,
        notifyCounts,
        manualEvent,
        autoEvent,
        latch,
        barrier,
        once,
    ].map((game) => [game.name, game]),
);
