/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RwLock } from '../../js-glue/index.js';

/* The capacity of an object, and the amount that one request takes. */

/** More than there are readers. */
const ALL_READERS = 1 << 20;

/** @param {any} object @returns {number} how much may be held of it together */
export function roomOf(object) {
    return object instanceof RwLock ? ALL_READERS : (object.max ?? 1);
}

/**
 * @param {any} object
 * @param {number | string} [ask] permits, or a mode
 * @returns {number} how much of it one holds who asked for that
 */
export function amountOf(object, ask) {
    return object instanceof RwLock ? (ask === 'shared' ? 1 : ALL_READERS) : Number(ask ?? 1);
}
