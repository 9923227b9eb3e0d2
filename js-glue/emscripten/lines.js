/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { turns } from '../thread/turns.js';

/**
 * A queue whose first request waits.
 *
 * @typedef {{ order: number, goOn: () => void }} Place
 * @typedef {Map<object, Place>} Line the queues of this thread for one lock
 */

/** By memory and address. @type {WeakMap<object, Map<number, Line>>} */
const lines = new WeakMap();

/** @param {Line} line */
function firstIn(line) {
    let first;
    for (const place of line.values()) {
        if (first === undefined || place.order < first.order) {
            first = place;
        }
    }
    return first;
}

/** @type {import('../thread/turns.js').Stand} */
function stand(memory, byteOffset, queue, order, goOn) {
    let ofMemory = lines.get(memory);
    if (ofMemory === undefined) {
        lines.set(memory, (ofMemory = new Map()));
    }
    const line = ofMemory.get(byteOffset) ?? new Map();
    const before = firstIn(line);
    line.delete(queue);
    if (order !== Infinity) {
        line.set(queue, { order, goOn });
    }
    if (line.size === 0) {
        ofMemory.delete(byteOffset);
        return true;
    }
    ofMemory.set(byteOffset, line);
    const first = /** @type {Place} */ (firstIn(line));
    const isFirst = first === line.get(queue);
    if (!isFirst && first !== before) {
        first.goOn();
    }
    return isFirst;
}

/** From now on the requests of this thread for one lock come in the order made, whoever makes them. */
export function keepOrder() {
    turns().stand ??= stand;
}
