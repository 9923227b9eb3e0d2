/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { attach } from '../memory/attachment.js';
import { foundFor, Placed } from '../memory/placed.js';
import { environment } from '../thread/environment.js';
import { SHOWN_AFTER_MS } from '../thread/times.js';
import { holding, waiting } from './calls.js';
import { inspect, inspectLock } from './inspect.js';
import { limitOf } from './listeners.js';
import { stackOf } from './origin.js';
import { remark } from './report.js';
import { noteSites, takenAt } from './sites.js';
import { lockNamed, seconds, titleOf } from './words.js';

/* Reports locks that are held too long or never released, and locks that are freed in use. */

/** @typedef {import('./call.js').Call} Call */

/** Notes where this thread took the locks that it has held for a while. Reports those that it holds too long. */
export function tellLongHolds() {
    const now = environment.now();
    const limit = limitOf('heldFor', Infinity);
    for (const call of holding) {
        const time = now - call.since;
        if (time >= limit && !call.isToldOfHold && !call.isFreed) {
            call.isToldOfHold = true;
            const lock = lockNamed(call.lock);
            const what = `has held ${titleOf(lock)} for ${seconds(time)}, by ${call.method}`;
            remark('HF_LONG_HOLD', lock, what, { heldFrom: stackOf(call.origin) });
        }
    }
    if ([...holding].some(({ since }) => now - since >= SHOWN_AFTER_MS)) {
        noteSites();
    }
}

/** Reports a guard that was collected unreleased. @param {Call} call that has made it */
export function guardLost(call) {
    if (holding.has(call) && !call.isFreed) {
        const lock = lockNamed(call.lock);
        const what = `has dropped a guard of ${titleOf(lock)} without release(): the lock stays held`;
        remark('HF_GUARD_LOST', lock, what, { certain: true, heldFrom: stackOf(call.origin) });
    }
}

/** @param {import('../lock-space.js').LockSpace} space @param {unknown} block that it is to free */
export function lookIfUsed(space, block) {
    const attachment = attach(space.memory);
    const isLock = block instanceof Placed;
    const at = isLock ? foundFor(block).byteOffset : block;
    const lock = isLock ? inspectLock(block) : inspect(space).objects.find((one) => one.byteOffset === at);
    if (lock === undefined) {
        return; // it has no name, and no thread is seen to wait for it
    }
    const isAwaited = [...waiting].some((call) => {
        const found = foundFor(call.lock);
        return call.waits && found.byteOffset === at && found.attachment === attachment;
    });
    const { holder, inUse = 0, waiting: count } = lock;
    const readers = /RwLock$/.test(lock.kind) ? inUse : 0;
    if (holder !== undefined || readers > 0 || count > 0 || isAwaited) {
        const by = holder ? `held by ${holder}` : readers ? `held by ${readers} readers` : 'waited for';
        const what = `frees ${titleOf(lock)}, which is ${by}`;
        const heldFrom = takenAt(attachment, attachment.self, lock.byteOffset)?.from ?? '';
        remark('HF_FREED', lock, what, { certain: true, holder, heldFrom });
    }
}
