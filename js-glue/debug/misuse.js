/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { attach } from '../memory/attachment.js';
import { attachmentFor, offsetFor, Placed } from '../memory/placed.js';
import { environment } from '../thread/environment.js';
import { SHOWN_AFTER_MS } from '../thread/times.js';
import { holding, waiting } from './calls.js';
import { inspect, inspectLock } from './inspect.js';
import { limitOf, tell } from './listeners.js';
import { lockNamed, notice, seconds, titleOf } from './notice.js';
import { stackOf } from './origin.js';
import { holdsIn, noteSites } from './sites.js';

/* Locks that are held too long or never released, and locks that are freed in use. */

/** @typedef {import('./call.js').Call} Call */

/** @type {WeakSet<Call>} */
const told = new WeakSet();

/** Notes where this thread took what it has held for some time, and tells what it has held too long. */
export function tellLongHolds() {
    const now = environment.now();
    const limit = limitOf('heldFor') ?? Infinity;
    let hasLasted = false;
    for (const call of holding) {
        const time = now - call.since;
        hasLasted ||= time >= SHOWN_AFTER_MS;
        if (time >= limit && !told.has(call) && !call.isFreed) {
            told.add(call);
            const lock = lockNamed(call.lock);
            const what = `has held ${titleOf(lock)} for ${seconds(time)}, by ${call.method}`;
            tell(notice('HF_LONG_HOLD', lock, what, { heldFrom: stackOf(call.origin) }), false, false);
        }
    }
    if (hasLasted) {
        noteSites();
    }
}

/** A guard was collected. @param {Call} call that has made it */
export function guardLost(call) {
    if (holding.has(call) && !call.isFreed) {
        const lock = lockNamed(call.lock);
        const what = `has lost a guard of ${titleOf(lock)} that was not released: the lock stays taken`;
        tell(
            notice('HF_GUARD_LOST', lock, what, { certain: true, heldFrom: stackOf(call.origin) }),
            false,
            false,
        );
    }
}

/**
 * @param {import('../lock-space.js').LockSpace} space
 * @param {unknown} block that it is to free
 */
export function lookIfUsed(space, block) {
    const isLock = block instanceof Placed;
    const attachment = attach(space.memory);
    const at = isLock ? offsetFor(block) : block;
    const lock = isLock
        ? inspectLock(block)
        : inspect(space).objects.find(({ byteOffset }) => byteOffset === at);
    if (lock === undefined) {
        return; // no name, and nobody is seen to wait for it
    }
    const isAwaited = [...waiting].some(
        (call) => call.waits && offsetFor(call.lock) === at && attachmentFor(call.lock) === attachment,
    );
    const { holder, inUse = 0, waiting: count } = lock;
    const readers = /RwLock$/.test(lock.kind) ? inUse : 0;
    if (holder !== undefined || readers > 0 || count > 0 || isAwaited) {
        const by = holder ? `held by ${holder}` : readers ? `held by ${readers} readers` : 'waited for';
        const what = `frees ${titleOf(lock)}, which is ${by}`;
        const heldFrom = holdsIn(attachment).find((taken) => taken.at === at)?.from ?? '';
        tell(notice('HF_FREED', lock, what, { certain: true, holder, heldFrom }), false, false);
    }
}
