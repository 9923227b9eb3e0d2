/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { nameOrNumber, offsetOfPlace, slotOf } from '../memory/slot.js';
import { environment } from '../thread/environment.js';
import { nameOfThread } from '../thread/name.js';
import { limitOf, tell } from './listeners.js';
import { lockAt, notice, seconds, titleOf } from './notice.js';
import { noteOf } from './notes.js';
import { holdsIn } from './sites.js';

/* Waits that last too long. */

/** Without `waitFor`, for a lock that one thread holds: for other things threads wait for as long as there is nothing to do. */
const WAIT_MS = 10_000;

/**
 * Who holds it, and where that thread took it, as far as is known.
 *
 * @param {import('../waiting/hooks.js').Shown} gate
 */
function holderOf({ attachment, place, holder }) {
    const at = offsetOfPlace(place);
    const owner = holder?.known ?? 0;
    const isSelf = attachment.exports.gate_is_mine(at, attachment.self) !== 0;
    const slot = slotOf(attachment, owner);
    const holds = isSelf || slot === undefined ? holdsIn(attachment) : noteOf(attachment, owner)?.holds;
    const taken = holds?.find((one) => one.at === at);
    if (isSelf || (slot === undefined && taken)) {
        return { holder: nameOfThread() || 'this thread', since: taken?.since, heldFrom: taken?.from };
    }
    const seen = environment.date() - (environment.now() - (holder?.since ?? 0));
    return slot && { holder: nameOrNumber(slot, owner), since: taken?.since || seen, heldFrom: taken?.from };
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
    const { holder, since, heldFrom = '' } = holderOf(gate) ?? {};
    const time = since ? ` for ${seconds(Math.max(environment.date() - since, 0))}` : '';
    const by = holder ? `, held by ${holder}${time}` : '';
    const what = `has waited for ${titleOf(lock)} for ${seconds(waited)}${by}`;
    tell(notice('HF_LONG_WAIT', lock, what, { holder, heldFrom, askedFrom: site.from }), false, blocks);
    return true;
}
