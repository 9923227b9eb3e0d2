/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

export { support } from './thread/capabilities.js';
export { Barrier } from './barrier.js';
export { Condition } from './condition.js';
export { AbandonedError, HoldfastError, TimeoutError } from './errors.js';
export { Event, Event as SharedEvent } from './event.js';
export { Guard } from './waiting/section.js';
export { Latch } from './latch.js';
export { LockSpace } from './lock-space.js';
export { Mutex } from './mutex.js';
export { Once } from './once.js';
export { deadlineIn } from './options.js';
export { RecursiveMutex } from './recursive-mutex.js';
export { RwLock, RwLockGuard } from './rwlock.js';
export { BinarySemaphore, CountingSemaphore } from './semaphore.js';
export { stateOf } from './state.js';

/**
 * @typedef {import('./thread/capabilities.js').Support} Support
 * @typedef {import('./condition.js').ConditionOptions} ConditionOptions
 * @typedef {import('./errors.js').ErrorCode} ErrorCode
 * @typedef {import('./errors.js').Held} Held
 * @typedef {import('./errors.js').LockNamed} LockNamed
 * @typedef {import('./lock-space.js').SpaceOptions} SpaceOptions
 * @typedef {import('./options.js').TimeLimit} TimeLimit
 * @typedef {import('./options.js').WaitOptions} WaitOptions
 * @typedef {import('./rwlock.js').LockMode} LockMode
 * @typedef {import('./rwlock.js').ModeOptions} ModeOptions
 * @typedef {import('./waiting/unreferenced.js').EventWaitOptions} EventWaitOptions
 * @typedef {import('./semaphore.js').PermitOptions} PermitOptions
 * @typedef {import('./semaphore.js').Permits} Permits
 * @typedef {import('./semaphore.js').CountingSemaphoreOptions} CountingSemaphoreOptions
 * @typedef {import('./memory/placed.js').PlaceOptions} PlaceOptions
 */

/**
 * @template {new (...args: any) => any} Class
 * @typedef {import('./memory/placed.js').OwnOptions<Class>} OwnOptions
 */

/**
 * @template T
 * @typedef {import('./waiting/section.js').NotAsync<T>} NotAsync
 */

/**
 * @template {{ readonly handle: unknown }} Shared
 * @typedef {import('./memory/placed.js').HandleOf<Shared>} HandleOf
 */
