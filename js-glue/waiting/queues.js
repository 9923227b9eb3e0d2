/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LATCH_ALIGN } from '../memory/layout.js';
import { Queue } from './queue.js';

/** @typedef {import('../memory/attachment.js').Attachment} Attachment */

/** Each lock is at a multiple of this. */
const LEAST_ALIGN = LATCH_ALIGN;

/**
 * This thread's one queue for the lock there.
 *
 * @template {import('./queue.js').Waitable} Target
 * @param {Attachment} attachment
 * @param {number} byteOffset
 * @param {{ Waits: new (attachment: Attachment, byteOffset: number, kind: any) => Target }} kind
 * @returns {Queue<Target>}
 */
export function queueAt(attachment, byteOffset, kind) {
    let queues = attachment.queues.get(byteOffset);
    if (queues === undefined) {
        attachment.queues.set(byteOffset, (queues = new Map()));
    }
    let queue = /** @type {Queue<Target> | undefined} */ (queues.get(kind));
    if (queue === undefined) {
        queues.set(kind, (queue = new Queue(new kind.Waits(attachment, byteOffset, kind))));
    }
    return queue;
}

/**
 * The locks in these bytes were freed. Waits that are pending there come back to queues that nobody else knows.
 *
 * @param {Attachment} attachment
 * @param {number} begin
 * @param {number} end
 */
export function freeQueues({ queues }, begin, end) {
    for (let place = begin; place < end; place += LEAST_ALIGN) {
        const there = queues.get(place);
        queues.delete(place);
        there?.forEach((queue) => queue.free());
    }
}
