/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The state of a thread as a text: all that can be reached from its variables by fields, in one order. Two states with
 * the same text go on in the same way; what functions enclose is not seen, so what waits keeps its state in fields
 * (tests/verification/snapshot.test.js compares what comes after such states). */

/** What is the same in all states of a thread. */
const FIXED = new Set(['exports', 'memory', 'words']);

/** @param {any} value */
function isPlainNumberOrText(value) {
    return value === null || (typeof value !== 'object' && typeof value !== 'function');
}

class Writer {
    /** @type {Map<object, number>} */
    #numbers = new Map();
    #hidden;
    text = '';

    /** @param {Set<string>} hidden */
    constructor(hidden) {
        this.#hidden = hidden;
    }

    /** @param {any} value */
    write(value) {
        if (isPlainNumberOrText(value)) {
            this.text += `${String(value)},`;
            return;
        }
        const known = this.#numbers.get(value);
        if (known !== undefined) {
            this.text += `#${known},`;
            return;
        }
        this.#numbers.set(value, this.#numbers.size);
        if (typeof value === 'function') {
            this.text += `f ${value.name},`;
        } else if (value instanceof Error) {
            this.text += `${value.name},`;
        } else {
            this.#writeObject(value);
        }
    }

    /** @param {any} object */
    #writeObject(object) {
        const tag = Object.prototype.toString.call(object).slice(8, -1);
        switch (tag) {
            case 'Map':
                this.#writeAll('m', [...object.entries()].flat());
                break;
            case 'Set':
                this.#writeAll('s', [...object]);
                break;
            case 'Array':
                this.#writeAll('a', object);
                break;
            case 'Object':
                this.#writeFields(object);
                break;
            default:
                this.text += `${tag},`;
        }
    }

    /**
     * @param {string} name
     * @param {any[]} values
     */
    #writeAll(name, values) {
        this.text += `${name}[`;
        values.forEach((value) => this.write(value));
        this.text += ']';
    }

    /** @param {any} object */
    #writeFields(object) {
        this.text += `${object.constructor?.name ?? ''}{`;
        for (const key of Object.keys(object)) {
            if (!this.#hidden.has(key) && !FIXED.has(key.replace(/^.*\$/, ''))) {
                this.text += `${key}:`;
                this.write(object[key]);
            }
        }
        this.text += '}';
    }
}

/**
 * @param {Record<string, any>} roots
 * @param {Set<string>} [hidden] fields that are left out, to see whether that is noticed
 */
export function snapshotOf(roots, hidden = new Set()) {
    const writer = new Writer(hidden);
    writer.write(roots);
    return writer.text;
}
