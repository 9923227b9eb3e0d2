/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { AGENTS_SCENARIOS } from './agents.scenarios.js';
import { CHANNEL_SCENARIOS } from './channel.scenarios.js';
import { MUTEX_SCENARIOS } from './mutex.scenarios.js';
import { PHASE_SCENARIOS } from './phase.scenarios.js';
import { RECURSIVE_SCENARIOS } from './recursive.scenarios.js';
import { RWLOCK_SCENARIOS } from './rwlock.scenarios.js';
import { SEMAPHORE_SCENARIOS } from './semaphore.scenarios.js';

/** Scenarios of locks and permits on a gate. */
export const LOCK_SCENARIOS = [...MUTEX_SCENARIOS, ...SEMAPHORE_SCENARIOS, ...RWLOCK_SCENARIOS];

/** The scenarios whose threads run the package. */
export const SCENARIOS = [...LOCK_SCENARIOS, ...RECURSIVE_SCENARIOS, ...PHASE_SCENARIOS];

export const ALL_SCENARIOS = [...SCENARIOS, ...AGENTS_SCENARIOS, ...CHANNEL_SCENARIOS];

/** The scenarios in which every wait can be granted. */
export const ENDING_SCENARIOS = LOCK_SCENARIOS.filter(({ name }) => !/forlorn|kept/.test(name));
