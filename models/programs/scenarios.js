/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { MUTEX_SCENARIOS } from './mutex.scenarios.js';
import { PHASE_SCENARIOS } from './phase.scenarios.js';
import { RWLOCK_SCENARIOS } from './rwlock.scenarios.js';
import { SEMAPHORE_SCENARIOS } from './semaphore.scenarios.js';

/** Of what stands on a gate and can be held. */
export const LOCK_SCENARIOS = [...MUTEX_SCENARIOS, ...SEMAPHORE_SCENARIOS, ...RWLOCK_SCENARIOS];

export const SCENARIOS = [...LOCK_SCENARIOS, ...PHASE_SCENARIOS];

/** Those in which nobody waits for ever for more than there will be. */
export const ENDING_SCENARIOS = LOCK_SCENARIOS.filter(({ name }) => !/forlorn|kept/.test(name));
