/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { foundFor } from '../memory/placed.js';
import { Queue } from './queue.js';

/**
 * This thread's one queue for a lock.
 *
 * @template {import('./queue.js').Waitable} Target
 * @param {import('../memory/placed.js').Placed<any>} object
 * @param {{ Waits: new (found: import('../memory/found.js').Found, kind: any) => Target }} kind
 * @returns {Queue<Target>}
 */
export function queueOf(object, kind) {
    const found = foundFor(object);
    const {
        byteOffset,
        attachment: { queues },
    } = found;
    let there = queues.get(byteOffset);
    if (there === undefined) {
        queues.set(byteOffset, (there = new Map()));
    }
    let queue = /** @type {Queue<Target> | undefined} */ (there.get(kind));
    if (queue === undefined) {
        there.set(kind, (queue = new Queue(new kind.Waits(found, kind))));
    }
    return queue;
}
