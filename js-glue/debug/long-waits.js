/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import { gateOf, inspectKnown } from './inspect.js';
import { limitOf, tell } from './listeners.js';
import { lockAt, notice, seconds, titleOf } from './notice.js';
import { noteOf } from './notes.js';
import { holdsIn } from './sites.js';

/* Waits that last too long. */

/**
 * The limit without `waitFor`, for locks that one thread holds alone. Other waits may be long because there is no work.
 */
const WAIT_MS = 10_000;

/**
 * The place and time at which the holder has taken it, as far as is known.
 *
 * @param {import('../waiting/hooks.js').Shown} gate
 * @returns {Partial<import('./notes.js').Taken>}
 */
export function takenBy({ attachment, place, holder }) {
    const lock = lockAt(attachment, place);
    const { owner } = gateOf(attachment, lock);
    const isOther = owner !== 0 && owner !== attachment.self;
    const holds = isOther ? noteOf(attachment, owner)?.holds : holdsIn(attachment);
    const taken = holds?.find(({ at }) => at === lock.byteOffset);
    const isSeen = isOther && owner === holder?.known;
    const seen = isSeen ? environment.date() - (environment.now() - holder.since) : 0;
    return { ...taken, since: taken?.since || seen };
}

/**
 * @param {import('../waiting/hooks.js').Shown} gate
 * @param {number} waited milliseconds
 * @param {import('./notes.js').Asked} site of the call that waits
 * @param {boolean} blocks
 * @returns {boolean} whether that is too long, and was told
 */
export function lastsTooLong(gate, waited, site, blocks) {
    const limit = limitOf('waitFor') ?? (gate.holder ? WAIT_MS : Infinity);
    if (waited < limit) {
        return false;
    }
    const lock = lockAt(gate.attachment, gate.place);
    const { holder } = inspectKnown(gate.attachment, lock);
    const { since, from: heldFrom = '' } = takenBy(gate);
    const time = since ? ` for ${seconds(Math.max(environment.date() - since, 0))}` : '';
    const by = holder ? `, held by ${holder}${time}` : '';
    const what = `has waited for ${titleOf(lock)} for ${seconds(waited)}${by}`;
    tell(notice('HF_LONG_WAIT', lock, what, { holder, heldFrom, askedFrom: site.from }), false, blocks);
    return true;
}
