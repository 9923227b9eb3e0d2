/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
/**
 * This thread's one queue of that kind for what is at that place. There are no more than places, so they are kept.
 *
 * @template Queue
 * @param {import('./attachment.js').Attachment} attachment
 * @param {number} byteOffset
 * @param {new (attachment: import('./attachment.js').Attachment, byteOffset: number) => Queue} Kind
 * @returns {Queue}
 */
export function queueOf(attachment, byteOffset, Kind) {
    /** @type {Map<number, Queue>} */
    const queues = attachment.queuesOf(Kind);
    let queue = queues.get(byteOffset);
    if (queue === undefined) {
        queue = new Kind(attachment, byteOffset);
        queues.set(byteOffset, queue);
    }
    return queue;
}
