/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { MUTEX_SCENARIOS } from './mutex.scenarios.js';
import { RWLOCK_SCENARIOS } from './rwlock.scenarios.js';
import { SEMAPHORE_SCENARIOS } from './semaphore.scenarios.js';

/** Of all primitives that stand on a gate. @type {import('./scenario.js').Scenario[]} */
export const SCENARIOS = [...MUTEX_SCENARIOS, ...SEMAPHORE_SCENARIOS, ...RWLOCK_SCENARIOS];

/** Those that come to an end whatever happens: a forlorn thread waits for ever, if it does not die. */
export const ENDING_SCENARIOS = SCENARIOS.filter(({ name }) => !name.includes('forlorn'));
