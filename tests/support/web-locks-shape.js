/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockManager } from '../../js-glue/web-locks.js';

/* A lock manager as its tests use it: ours, or the engine's own, which HOLDFAST_WEB_LOCKS=engine in the environment chooses.
 * Names are used by one test each, since an engine's manager is one for all. */

export const isEngine = process.env['HOLDFAST_WEB_LOCKS'] === 'engine';

/** @returns {any} */
export const makeLocks = () => (isEngine ? navigator.locks : new LockManager());

/** @param {any} locks @returns {unknown} what to post, for `locksOf` */
export const toPost = (locks) => (isEngine ? undefined : locks.handle);

/** @param {any} posted @returns {any} */
export const locksOf = (posted) => (isEngine ? navigator.locks : LockManager.from(posted));
