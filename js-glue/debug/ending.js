/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { AGENT_BLOCKED_OFFSET, AGENT_ENDING_OFFSET } from '../memory/layout.js';
import { offsetOfPlace, slotOf } from '../memory/slot.js';
import { environment } from '../thread/environment.js';

/* A thread that blocks gives up its waits, since it is to be ended: its slot says so. Chromium lets a worker that is
 * terminated while it blocks live for two seconds. */

/** @typedef {import('../memory/attachment.js').Attachment} Attachment */

/** Words that an object may be waited on by, at most. Extra wakes are harmless. */
const MOST_WORDS = 4;

/**
 * @param {Attachment} attachment
 * @param {number} identity of the thread; another one may have its slot by now, which goes on
 */
export function endWaits(attachment, identity) {
    const slot = slotOf(attachment, identity);
    if (slot === undefined) {
        return;
    }
    environment.store(slot, AGENT_ENDING_OFFSET / 4, identity);
    const place = environment.load(slot, AGENT_BLOCKED_OFFSET / 4);
    const { buffer } = attachment.memory;
    const begin = offsetOfPlace(place);
    const count = place === 0 ? 0 : Math.min(MOST_WORDS, (buffer.byteLength - begin) / 4);
    const words = new Int32Array(buffer, begin, Math.max(count, 0));
    words.forEach((_, at) => environment.notify(words, at));
}

/**
 * @param {Attachment} attachment of this thread, which blocks
 * @returns {HoldfastError | undefined} undefined: it may wait on
 */
export function endingError(attachment) {
    const slot = slotOf(attachment, attachment.self);
    const isEnding = slot && environment.load(slot, AGENT_ENDING_OFFSET / 4) === attachment.self;
    return isEnding
        ? new HoldfastError('HF_TERMINATED', 'This thread is being terminated: let it end.')
        : undefined;
}
