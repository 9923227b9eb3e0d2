/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    Barrier,
    BinarySemaphore,
    Condition,
    CountingSemaphore,
    Event,
    Latch,
    Mutex,
    Once,
    RwLock,
} from '../../js-glue/index.js';

/* The classes, by the names that programs have for them, and how much of each is held by whom. */

/** @type {Record<string, any>} */
export const CLASSES = {
    Barrier,
    BinarySemaphore,
    Condition,
    CountingSemaphore,
    Event,
    Latch,
    Mutex,
    Once,
    RwLock,
};

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
