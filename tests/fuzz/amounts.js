/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RwLock } from '../../js-glue/index.js';

/* The capacity of an object, and the amount that one request takes. */

/** The amount of a writer, more than all readers together. */
const ALL_READERS = 1 << 20;
/** The amount of an upgradable reader: readers fit beside it, but no second upgradable reader. */
const UPGRADABLE = ALL_READERS / 2 + 1;

/** By mode. @type {Record<string, number>} */
const AMOUNTS = { shared: 1, upgradable: UPGRADABLE };

/** @param {any} object @returns {number} the most that threads can hold of the object together */
export function roomOf(object) {
    return object instanceof RwLock ? ALL_READERS : (object.max ?? 1);
}

/**
 * @param {any} object
 * @param {number | string} [ask] permits, or a mode
 * @returns {number} the amount that a holder has after that request
 */
export function amountOf(object, ask) {
    return object instanceof RwLock ? (AMOUNTS[ask ?? ''] ?? ALL_READERS) : Number(ask ?? 1);
}
