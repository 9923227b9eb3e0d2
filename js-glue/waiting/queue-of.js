/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { foundFor } from '../memory/placed.js';
import { Queue } from './queue.js';

/**
 * Returns this thread's one queue for a lock.
 * @template {import('./queue.js').Waitable} Target
 * @param {import('../memory/placed.js').Placed<any>} object
 * @param {{ Waits: new (found: import('../memory/found.js').Found, kind: any) => Target }} kind
 * @returns {Queue<Target>}
 */
export function queueOf(object, kind) {
    return queueAt(foundFor(object), kind);
}

/**
 * @template {import('./queue.js').Waitable} Target
 * @param {import('../memory/found.js').Found} found
 * @param {{ Waits: new (found: import('../memory/found.js').Found, kind: any) => Target }} kind
 * @returns {Queue<Target>}
 */
export function queueAt(found, kind) {
    const {
        byteOffset,
        attachment: { queues },
    } = found;
    const there = queues.get(byteOffset) ?? new Map();
    queues.set(byteOffset, there);
    /** @type {Queue<Target>} */
    const queue = there.get(kind) ?? new Queue(new kind.Waits(found, kind));
    there.set(kind, queue);
    return queue;
}
