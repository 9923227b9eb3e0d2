/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Placed } from '../memory/placed.js';
import { inspect, inspectLock, textOf } from './inspect.js';
import { lockOfGuard } from './watched-methods.js';

/* While debug() lasts, locks, guards and spaces convert to strings as `inspect` shows them, and appear so in
 * the consoles of Node, Deno and Bun. This is not in the classes, since bundlers keep a class with a computed
 * name. Browser consoles ask no object: there, write String(mutex). */

/** @typedef {(object: any) => string} Text */

const SHOW = Symbol.for('nodejs.util.inspect.custom');

/** @param {Placed} lock */
function textOfLock(lock) {
    return textOf(inspectLock(lock));
}

/** @param {import('../waiting/section.js').Guard} guard */
function textOfGuard(guard) {
    const lock = lockOfGuard(guard);
    return `Guard${lock ? ` of ${textOfLock(lock)}` : ''}${guard.released ? ', released' : ''}`;
}

/** @param {import('../lock-space.js').LockSpace} space */
function textOfSpace(space) {
    return `LockSpace of ${space.buffer.byteLength} bytes\n${inspect(space)}`;
}

/** @param {{ Guard: any, LockSpace: any }} classes @param {boolean} isOn */
export function showInConsole({ Guard, LockSpace }, isOn) {
    /** @type {[any, Text][]} */
    const texts = [
        [Placed, textOfLock],
        [Guard, textOfGuard],
        [LockSpace, textOfSpace],
    ];
    for (const [{ prototype }, text] of texts) {
        for (const key of [SHOW, 'toString']) {
            /** @this {any} */
            function value() {
                try {
                    return text(this);
                } catch {
                    // The prototype itself, a proxy, or an object made from the prototype.
                    return key === SHOW ? this : Object.prototype.toString.call(this);
                }
            }
            Reflect.deleteProperty(prototype, key);
            if (isOn) {
                Object.defineProperty(prototype, key, { value, configurable: true, writable: true });
            }
        }
    }
}
