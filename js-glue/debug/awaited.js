/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    AGENT_ASKED_OFFSET,
    AGENT_BLOCKED_OFFSET,
    AGENT_WAIT_ENDS,
    RESULT_TIMEOUT,
} from '../memory/layout.js';
import { slotOf } from '../memory/slot.js';
import { environment } from '../thread/environment.js';
import { BLOCKED_BEFORE_MS, SHOWN_AFTER_MS } from '../thread/times.js';
import { hooks } from '../waiting/hooks.js';
import { waiting } from './calls.js';
import { reportRing } from './deadlocks.js';
import { endingError } from './ending.js';
import { lastsTooLong } from './long-waits.js';
import { eraseNotes } from './notes.js';
import { hereFrom, stackOf } from './origin.js';
import { forgetSites, noteSites } from './sites.js';

/* Shows in a thread's slot what the thread waits for. Other threads follow such waits from thread to thread. */

/**
 * @typedef {import('../waiting/hooks.js').Shown} Shown
 * @typedef {import('../waiting/holder.js').Holder} Holder
 */

/** When a wait began, as a slot says it. @param {number} waited */
function timeOf(waited) {
    return (environment.date() - waited) & ~AGENT_WAIT_ENDS;
}

/** Returns since when the holder has held the lock, as far as this thread has seen; 0: not seen. @param {Holder | undefined} holder */
function heldSince(holder) {
    return holder?.known ? environment.date() - (environment.now() - holder.since) : 0;
}

/**
 * @param {Shown} gate
 * @param {number} which of the slot's waits
 * @param {number} [since] 0: the wait is over
 */
function show({ attachment, place, holder }, which, since = 0) {
    const slot = slotOf(attachment, attachment.self);
    const held = since && heldSince(holder);
    // The address last: it says that there is a wait.
    [held, since, since && place].forEach(
        (value, at) => slot && environment.store(slot, which / 4 + 2 - at, value),
    );
}

/** @type {NonNullable<import('../waiting/hooks.js').Hooks['block']>} */
function block(gate, timeout, isLate, run) {
    const { attachment } = gate;
    let since = 0;
    let isTold = false;
    /** @type {import('./notes.js').Asked} */
    let site;
    /** @type {import('../errors.js').HoldfastError | undefined} */
    let error;
    try {
        const result = run((waitedHere) => {
            const waited = waitedHere + (isLate ? BLOCKED_BEFORE_MS : 0);
            if (waited >= SHOWN_AFTER_MS) {
                since ||= timeOf(waited) | (timeout === Infinity ? 0 : AGENT_WAIT_ENDS);
                site ??= hereFrom(block);
                noteSites(site);
                show(gate, AGENT_BLOCKED_OFFSET, since);
                error = endingError(attachment) ?? reportRing(attachment, AGENT_BLOCKED_OFFSET);
                isTold ||= error !== undefined || lastsTooLong(gate, waited, site, true);
                show(gate, AGENT_BLOCKED_OFFSET, since); // the wait of a handler has overwritten it
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
 * Since when this thread's event loop waits for each, and whether the wait was reported.
 *
 * @type {Map<Shown, { since: number, began: number, isTold: boolean }>}
 */
const asked = new Map();

/** This thread's request that waits at that gate. @param {Shown} gate @returns {import('./notes.js').Asked} */
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
        return; // there is no slot
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
        noteSites(site);
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

/** From now on this thread shows what it waits for, in each memory. */
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
