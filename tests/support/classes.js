/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import * as holdfast from '../../js-glue/index.js';

/* The names of all lock classes, for tests and programs that go through them. */

export const CLASS_NAMES = /** @type {const} */ ([
    'Mutex',
    'RecursiveMutex',
    'RwLock',
    'BinarySemaphore',
    'CountingSemaphore',
    'Condition',
    'Event',
    'Latch',
    'Barrier',
    'Once',
]);

/** @type {Record<string, any>} */
export const CLASSES = Object.fromEntries(CLASS_NAMES.map((name) => [name, holdfast[name]]));
