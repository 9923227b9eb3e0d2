/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { AbandonedError, HoldfastError, TimeoutError } from '../errors.js';
import { lockOf } from '../memory/found.js';

/* Errors about one lock. Each names the lock, and its holder if known. */

/**
 * @typedef {object} Subject what a thread waits for
 * @property {import('../memory/found.js').Found} found
 * @property {() => boolean} isMine
 * @property {import('./holder.js').Holder | undefined} [holder]
 */

/**
 * @param {Subject} gate
 * @param {string} message with % for the lock
 * @returns {[string, import('../errors.js').LockNamed]}
 */
export function about({ found }, message) {
    const lock = lockOf(found);
    const { kind, name, byteOffset } = lock;
    return [message.replace('%', () => (name ? `${kind} '${name}'` : `${kind} at ${byteOffset}`)), lock];
}

/** Returns the text after the lock's name, such as `, held by worker 1 for 2.0 s`. @param {Subject} gate */
function heldBy(gate) {
    const { holder, heldFor } = gate.holder?.held() ?? {};
    // Says only 'this thread', not deadlock: the section may be slow, or may wait for this request.
    const by = gate.isMine() ? 'this thread' : holder;
    const time = heldFor ? ` for ${(heldFor / 1000).toFixed(1)} s` : '';
    return by ? `, held by ${by}${time}` : '';
}

/**
 * @param {Subject} gate
 * @param {import('../errors.js').ErrorCode} code
 * @param {string} message with % for the lock
 */
export function lockError(gate, code, message) {
    return new HoldfastError(code, ...about(gate, message));
}

/** @param {Subject} gate */
export function deadlockError(gate) {
    return lockError(
        gate,
        'HF_DEADLOCK',
        'This thread already holds %. Other code of this thread can wait by acquireAsync().',
    );
}

/** @param {Subject} gate */
export function notOwnerError(gate) {
    return lockError(gate, 'HF_NOT_OWNER', `This thread does not hold %${heldBy(gate)}.`);
}

/** @param {{ gate: Subject }} queue @param {number} timeout milliseconds */
export function timeoutError({ gate }, timeout) {
    const message = `Timed out after ${timeout} ms waiting for %${heldBy(gate)}.`;
    return new TimeoutError(...about(gate, message), gate.holder?.held());
}

/** The error for RESULT_ABANDONED, which only gates with an owner return. @param {any} gate */
export function abandonedError(gate) {
    const dead = gate.holder.dead();
    const message = `% is abandoned: ${dead[0] || 'a thread'} died holding it. Call recover() or recoverAsync().`;
    return new AbandonedError(...about(gate, message), ...dead);
}
