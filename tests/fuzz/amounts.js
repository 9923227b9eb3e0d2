/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RwLock } from '../../js-glue/index.js';

/* The capacity of an object, and the amount that one request takes. */

/** More than there are readers. */
const ALL_READERS = 1 << 20;
/** Readers fit beside it, and no second one. */
const UPGRADABLE = ALL_READERS / 2 + 1;

/** By mode. @type {Record<string, number>} */
const AMOUNTS = { shared: 1, upgradable: UPGRADABLE };

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
    return object instanceof RwLock ? (AMOUNTS[ask ?? ''] ?? ALL_READERS) : Number(ask ?? 1);
}
