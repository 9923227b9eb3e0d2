/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A thread's state as text: everything that its variables reach by fields, in a fixed order. States with
 * equal text behave the same from then on (tests/verification/snapshot.test.js). Variables in closures are
 * invisible, so waits keep their state in fields. */

/** Fields that are the same in all states. */
const FIXED = new Set(['exports', 'memory', 'words']);

/** @param {object} root @param {Set<string>} [hidden] fields to leave out, to test whether that is noticed */
export function snapshotOf(root, hidden = new Set()) {
    /** @type {Map<object, number>} */
    const numbers = new Map();
    let text = '';

    /** @param {any} value */
    const write = (value) => {
        if (value === null || (typeof value !== 'object' && typeof value !== 'function')) {
            text += `${String(value)},`;
            return;
        }
        const known = numbers.get(value);
        if (known !== undefined) {
            text += `#${known},`;
            return;
        }
        numbers.set(value, numbers.size);
        if (typeof value === 'function') {
            text += `f ${value.name},`;
        } else if (value instanceof Error) {
            text += `${value.name},`;
        } else {
            writeObject(value);
        }
    };

    /** @param {any} object */
    const writeObject = (object) => {
        const tag = Object.prototype.toString.call(object).slice(8, -1);
        switch (tag) {
            case 'Map':
                writeAll('m', [...object].flat());
                break;
            case 'Set':
                writeAll('s', [...object]);
                break;
            case 'Array':
                writeAll('a', object);
                break;
            case 'Object':
                writeFields(object);
                break;
            default:
                text += `${tag},`;
        }
    };

    /** @param {string} name @param {any[]} values */
    const writeAll = (name, values) => {
        text += `${name}[`;
        values.forEach(write);
        text += ']';
    };

    /** @param {any} object */
    const writeFields = (object) => {
        text += `${object.constructor?.name ?? ''}{`;
        for (const key of Object.keys(object)) {
            if (!hidden.has(key) && !FIXED.has(key.replace(/^.*\$/, ''))) {
                text += `${key}:`;
                write(object[key]);
            }
        }
        text += '}';
    };

    write(root);
    return text;
}
