/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { counted } from '../wording.js';

/* Holders and waiters, taken from the result of inspect() alone. */

/**
 * @typedef {import('../../../js-glue/debug.js').Inspection} Inspection
 * @typedef {import('../../../js-glue/debug.js').InspectedThread} InspectedThread
 * @typedef {import('../../../js-glue/debug.js').InspectedObject} InspectedObject
 *
 * @typedef {object} Edge between a thread and a lock, by their names
 * @property {string} thread
 * @property {string} lock
 * @property {'holds' | 'waits'} is
 */

/** @param {Inspection} inspection @returns {Edge[]} */
export function edgesOf({ threads, objects }) {
    const holds = objects.flatMap(({ holder, name }) =>
        holder === undefined ? [] : [/** @type {Edge} */ ({ thread: holder, lock: name, is: 'holds' })],
    );
    const waits = threads.flatMap(({ name: thread, waitsFor }) =>
        waitsFor.map(({ name }) => /** @type {Edge} */ ({ thread, lock: name, is: 'waits' })),
    );
    return [...holds, ...waits];
}

/**
 * @param {Inspection} inspection @param {string} thread @returns {string[]} the names of the locks that it holds alone
 */
export function heldBy({ objects }, thread) {
    return objects.filter(({ holder }) => holder === thread).map(({ name }) => name);
}

/**
 * Threads that wait for each other.
 * @param {Inspection} inspection
 * @returns {string[]} their names, each before the one that it waits for; empty if there is no cycle
 */
export function ringOf({ threads, objects }) {
    const holderOf = new Map(objects.map(({ byteOffset, holder }) => [byteOffset, holder]));
    const nextOf = new Map(
        threads.map(({ name, waitsFor }) => [name, holderOf.get(waitsFor[0]?.byteOffset ?? -1)]),
    );
    for (const { name: start } of threads) {
        const chain = [start];
        let next = nextOf.get(start);
        while (next !== undefined && !chain.includes(next)) {
            chain.push(next);
            next = nextOf.get(next);
        }
        if (next === start) {
            return chain;
        }
    }
    return [];
}

/** @param {Inspection} inspection @returns {string} the most important fact */
export function describe(inspection) {
    const { threads, objects } = inspection;
    const ring = ringOf(inspection);
    if (ring.length > 0) {
        return `Deadlock: ${ring.join(' and ')} wait for each other.`;
    }
    const abandoned = objects.find(({ isAbandoned }) => isAbandoned);
    if (abandoned !== undefined) {
        return `Abandoned: ${abandoned.holder} died while it held ${abandoned.name}.`;
    }
    const waiting = threads.filter(({ waitsFor }) => waitsFor.length > 0).length;
    const held = objects.filter(({ holder, inUse }) => holder !== undefined || inUse).length;
    return `${counted(held, 'lock is', 'locks are')} in use, and ${counted(waiting, 'thread waits', 'threads wait')}.`;
}

/**
 * The holder to kill: one of a deadlock cycle; else a holder that does not wait, of the lock with the most waiters.
 * @param {Inspection} inspection @param {(thread: string) => boolean} isMortal whether it can be killed
 * @returns {string | undefined}
 */
export function holderToKill(inspection, isMortal) {
    const ring = ringOf(inspection);
    const waits = new Set(
        inspection.threads.filter(({ waitsFor }) => waitsFor.length > 0).map(({ name }) => name),
    );
    const rankOf = (/** @type {string} */ holder) => (ring.includes(holder) ? 2 : Number(!waits.has(holder)));
    return inspection.objects
        .flatMap(({ holder, isAbandoned, waiting }) =>
            holder !== undefined && !isAbandoned && isMortal(holder) ? [{ holder, waiting }] : [],
        )
        .sort((one, other) => rankOf(other.holder) - rankOf(one.holder) || other.waiting - one.waiting)[0]
        ?.holder;
}
