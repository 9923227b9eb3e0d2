/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

export { support } from './agent.js';
export { HoldfastError, TimeoutError } from './errors.js';
export { Guard } from './guard.js';
export { LockSpace } from './lock-space.js';
export { Mutex } from './mutex.js';

/**
 * @typedef {import('./agent.js').Support} Support
 * @typedef {import('./lock-space.js').LockSpaceHandle} LockSpaceHandle
 * @typedef {import('./placed.js').Handle<'Mutex'>} MutexHandle
 * @typedef {import('./options.js').WaitOptions} WaitOptions
 */
