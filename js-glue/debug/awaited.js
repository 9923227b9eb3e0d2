/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import {
    AGENT_ASKED_OFFSET,
    AGENT_BLOCKED_OFFSET,
    AGENT_ENDING_OFFSET,
    AGENT_WAIT_ENDS,
    GATE_BLOCKED_BEFORE_MS,
    RESULT_TIMEOUT,
} from '../memory/layout.js';
import { slotOf } from '../memory/slot.js';
import { environment } from '../thread/environment.js';
import { SHOWN_AFTER_MS } from '../thread/times.js';
import { hooks } from '../waiting/hooks.js';
import { waiting } from './calls.js';
import { reportRing } from './deadlocks.js';
import { inspectKnown } from './inspect.js';
import { limitOf } from './listeners.js';
import { eraseNotes } from './notes.js';
import { stackOf } from './origin.js';
import { remark } from './report.js';
import { forgetSites, hereFrom, noteSites, takenBy } from './sites.js';
import { dateOf, lockAt, seconds, titleOf } from './words.js';

/* Shows in a thread's slot what the thread waits for, so that other threads can follow waits from thread to
 * thread; reports waits that last too long. */

/** @typedef {import('../waiting/hooks.js').Shown} Shown */
/** @typedef {import('./notes.js').Asked} Asked */

/** The time at which a wait began, as slots store it. @param {number} waited */
function timeOf(waited) {
    return (environment.date() - waited) & ~AGENT_WAIT_ENDS;
}

/** @param {Shown} gate @param {number} which of the slot's waits @param {number} [since] 0: the wait is over */
function show({ attachment, place, holder }, which, since = 0) {
    const slot = slotOf(attachment, attachment.self);
    // The time from which the holder has held the lock, as far as this thread has seen; 0: not seen.
    const held = since && holder?.known ? dateOf(holder.since) : 0;
    // Writes the address last, since it makes the wait visible.
    [held, since, since && place].forEach(
        (value, at) => slot && environment.store(slot, which / 4 + 2 - at, value),
    );
}

/**
 * The limit without `waitFor`, for locks that one thread holds alone. Waits for other objects may be long because
 * there is no work.
 */
const WAIT_MS = 10_000;

/**
 * @param {Shown} gate
 * @param {number} waited milliseconds
 * @param {Asked} site of the call that waits
 * @param {boolean} blocks
 * @returns {boolean} whether that is too long, and was reported
 */
function lastsTooLong(gate, waited, site, blocks) {
    if (waited < limitOf('waitFor', gate.holder ? WAIT_MS : Infinity)) {
        return false;
    }
    const lock = lockAt(gate.attachment, gate.place);
    const { holder } = inspectKnown(gate.attachment, lock);
    const { since, from: heldFrom = '' } = takenBy(gate);
    const time = since ? ` for ${seconds(Math.max(environment.date() - since, 0))}` : '';
    const by = holder ? `, held by ${holder}${time}` : '';
    const what = `has waited for ${titleOf(lock)} for ${seconds(waited)}${by}`;
    remark('HF_LONG_WAIT', lock, what, { holder, heldFrom, askedFrom: site.from }, blocks);
    return true;
}

/**
 * @param {import('../memory/attachment.js').Attachment} attachment of this thread, which blocks
 * @returns {HoldfastError | undefined} undefined: the wait may go on
 */
function endingError(attachment) {
    const slot = slotOf(attachment, attachment.self);
    return slot && environment.load(slot, AGENT_ENDING_OFFSET / 4) === attachment.self
        ? new HoldfastError('HF_TERMINATED', 'This thread is being terminated: do not catch this error.')
        : undefined;
}

/** @type {NonNullable<import('../waiting/hooks.js').Hooks['block']>} */
function block(gate, timeout, isLate, run) {
    const { attachment } = gate;
    let since = 0;
    let isTold = false;
    /** @type {Asked | undefined} */
    let site;
    /** @type {HoldfastError | undefined} */
    let error;
    try {
        const result = run((waitedHere) => {
            const waited = waitedHere + (isLate ? GATE_BLOCKED_BEFORE_MS : 0);
            if (waited >= SHOWN_AFTER_MS) {
                since ||= timeOf(waited) | (timeout === Infinity ? 0 : AGENT_WAIT_ENDS);
                site ??= hereFrom(block);
                noteSites(attachment, site);
                show(gate, AGENT_BLOCKED_OFFSET, since);
                error = endingError(attachment) ?? reportRing(attachment, AGENT_BLOCKED_OFFSET);
                isTold ||= error !== undefined || lastsTooLong(gate, waited, site, true);
                show(gate, AGENT_BLOCKED_OFFSET, since); // a handler of reports may have shown its own wait
            }
            return error !== undefined;
        });
        if (error && result === RESULT_TIMEOUT) {
            throw error;
        }
        return result;
    } finally {
        if (since !== 0) {
            show(gate, AGENT_BLOCKED_OFFSET);
        }
    }
}

/**
 * The time from which this thread's event loop waits at each gate, and whether the wait was reported.
 * @type {Map<Shown, { since: number, began: number, isTold: boolean }>}
 */
const asked = new Map();

/** The call that made this thread's pending request at that gate. @param {Shown} gate @returns {Asked} */
function siteOfRequest(gate) {
    const call = [...waiting].find(({ request }) => request?.queue.gate === gate);
    return { by: call?.method ?? '', from: call ? stackOf(call.origin) : '' };
}

/** The wait that the slot in each memory shows. @type {Map<WebAssembly.Memory, Shown>} */
const shown = new Map();

/** Shows the first of several waits, preferably for a lock that another thread holds alone. @param {Shown} gate */
function asks(gate) {
    const { attachment } = gate;
    const { memory, table } = attachment;
    if (table === 0) {
        return; // this thread has no slot
    }
    const wait = asked.get(gate) ?? { since: timeOf(0), began: environment.now(), isTold: false };
    asked.set(gate, wait);
    const site = siteOfRequest(gate);
    wait.isTold ||= lastsTooLong(gate, environment.now() - wait.began, site, false);
    const before = shown.get(memory);
    if (!before || (gate.holder?.isOther && !before.holder?.isOther)) {
        shown.set(memory, gate);
    }
    if (shown.get(memory) === gate) {
        noteSites(attachment, site);
        show(gate, AGENT_ASKED_OFFSET, wait.since);
        reportRing(attachment, AGENT_ASKED_OFFSET);
    }
}

/** @param {Shown} gate */
function asksNoMore(gate) {
    const { memory } = gate.attachment;
    asked.delete(gate);
    if (shown.get(memory) === gate) {
        shown.delete(memory);
        show(gate, AGENT_ASKED_OFFSET);
    }
}

/** Makes this thread show what it waits for, in each memory. */
export function beginShowing() {
    Object.assign(hooks, { block, asks, asksNoMore });
}

export function endShowing() {
    for (const gate of asked.keys()) {
        asksNoMore(gate);
    }
    hooks.block = hooks.asks = hooks.asksNoMore = undefined;
    eraseNotes();
    forgetSites();
}
