/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Placed } from '../memory/placed.js';
import { inspect, inspectLock, textOf } from './inspect.js';
import { lockOfGuard } from './watched-methods.js';

/* While debug() lasts, locks, guards and spaces say as strings, and in the consoles of Node, Deno and Bun, what `inspect` does.
 * Not in the classes: bundlers keep one with a computed name. Consoles of browsers ask no object: there it is String(mutex). */

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

/** @param {{ Guard: { prototype: object }, LockSpace: { prototype: object } }} classes @returns {[object, Text][]} */
function textsOf({ Guard, LockSpace }) {
    return [
        [Placed.prototype, textOfLock],
        [Guard.prototype, textOfGuard],
        [LockSpace.prototype, textOfSpace],
    ];
}

/** @param {Parameters<typeof textsOf>[0]} classes */
export function showInConsole(classes) {
    for (const [prototype, text] of textsOf(classes)) {
        for (const key of [SHOW, 'toString']) {
            Object.defineProperty(prototype, key, {
                configurable: true,
                writable: true,
                value() {
                    try {
                        return text(this);
                    } catch {
                        // The prototype itself, a proxy, or what has it as its prototype.
                        return key === SHOW ? this : Object.prototype.toString.call(this);
                    }
                },
            });
        }
    }
}

/** @param {Parameters<typeof textsOf>[0]} classes */
export function showInConsoleNoMore(classes) {
    for (const [prototype] of textsOf(classes)) {
        Reflect.deleteProperty(prototype, SHOW);
        Reflect.deleteProperty(prototype, 'toString');
    }
}
