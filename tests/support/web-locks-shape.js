/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockManager } from '../../js-glue/web-locks.js';

/* The lock manager under test: ours, or the engine's own with HOLDFAST_WEB_LOCKS=engine. Only one test uses
 * each name, since an engine has one manager for all tests. */

export const isEngine = process.env['HOLDFAST_WEB_LOCKS'] === 'engine';

/** @returns {any} */
export const makeLocks = () => (isEngine ? navigator.locks : new LockManager());

/** @param {any} locks @returns {unknown} what to post, for `locksOf` */
export const toPost = (locks) => (isEngine ? undefined : locks.handle);

/** @param {any} posted @returns {any} */
export const locksOf = (posted) => (isEngine ? navigator.locks : LockManager.from(posted));
