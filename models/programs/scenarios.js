/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { MUTEX_SCENARIOS } from './mutex.scenarios.js';
import { PHASE_SCENARIOS } from './phase.scenarios.js';
import { RWLOCK_SCENARIOS } from './rwlock.scenarios.js';
import { SEMAPHORE_SCENARIOS } from './semaphore.scenarios.js';

/** @typedef {import('../explorer/scenario.js').Scenario} Scenario */

/** Those that have more than 150,000 states besides the ones that say so themselves. */
const LARGE = new Set([
    '2 workers with 2 rounds, 1 loop with 2 requests',
    'a holder, 1 loop with 2 requests, 1 that is old',
    '1 loop, 1 loop that holds it across jobs and requests it',
    'a holder, 1 loop, 2 busy loops',
    '1 worker, 2 loops, slices',
    '1 time limit, 1 worker, 1 loop with aborts, slices',
    '2 workers, 1 loop with 2 requests and aborts, slices',
    '3 workers with 2 rounds, slices',
    '3 workers with 2 rounds, a death',
    '1 worker, 2 loops, a death',
    '1 worker, 1 loop with aborts, 1 loop that polls, a death',
    '1 worker, 2 loops with aborts, 2 deaths',
    '3 workers, 1 loop, any is woken',
    '3 workers with 2 rounds, livelocks',
    'semaphore of 3, permits made one by one, loops for 1 and 2',
    'semaphore of 2, a worker for 2, a loop for 2 and 1 with aborts, a loop',
    'semaphore of 2, a worker, a loop with long sections, rests and aborts, a loop',
    'semaphore of 3, a loop for 1 that blocks for 2, workers for 2 and 3',
    'semaphore of 3, a loop for 2 that has a time limit for 1, workers for 2 and 3',
    'semaphore of 2, a holder of 2, 2 workers, a busy loop for 2',
    'semaphore of 3, a holder of 3, 2 loops, a busy loop',
    'semaphore of 2, one permit kept, a holder, a busy loop that has a time limit for 2, a worker',
    'semaphore of 2, one permit kept, a holder, a busy loop that has a time limit for 2, a loop',
    'semaphore of 2, a worker, a loop for 2, slices',
    'semaphore of 2, a worker, a worker for 2, a loop, a death',
    'semaphore of 2, a worker for 2, a loop, a loop for 2 with aborts, a death',
    'semaphore of 3, one permit kept, a forlorn worker for 3, a try that watches, a loop, a death',
    'semaphore of 3, one permit kept, a busy loop for 3, a worker, a loop with aborts, a death',
    'semaphore of 3, one permit kept, a forlorn loop for 3, a worker for 2, a loop that polls, a death',
    'rwlock, 2 readers, 2 writers',
    'rwlock, time limits of both, 1 reader with 2 rounds',
    'rwlock, 1 reader, a loop, a loop that writes',
    'rwlock, 1 writer, a loop that reads and writes with aborts, a loop that writes',
    'rwlock, 1 writer, 1 reader, a loop that reads and blocks to write',
    'rwlock, a writer inside, 2 readers, a busy loop that writes',
    'rwlock, a writer inside, 2 loops, a busy loop that writes',
    'rwlock, 1 reader, 1 writer, a loop that writes, slices',
    'rwlock, 1 reader, 1 writer, a loop, a death',
    'rwlock, 1 writer, a loop, a loop that writes with aborts, a death',
    'rwlock, 2 readers, 1 writer, a loop, any is woken',
    'condition, 1 waits, 1 loop',
    'condition, a crowd of 2 of which 1 is a loop',
    'automatic event, a reset while 1 waits, 1 loop dies, slices',
    'semaphore of 2, a worker, a loop with requests for 2 and 1 that one signal ends, a loop',
    'rwlock, 1 reader, a loop that writes and reads, which one signal ends, a loop',
]);

/**
 * @param {Scenario[]} scenarios
 * @returns {Scenario[]}
 */
function sized(scenarios) {
    return scenarios.map((scenario) => (LARGE.has(scenario.name) ? { ...scenario, long: true } : scenario));
}

/** Of what stands on a gate and can be held. */
export const LOCK_SCENARIOS = sized([...MUTEX_SCENARIOS, ...SEMAPHORE_SCENARIOS, ...RWLOCK_SCENARIOS]);

export const SCENARIOS = [...LOCK_SCENARIOS, ...sized(PHASE_SCENARIOS)];

/** Those that come to an end whatever happens: what waits for more than there will ever be does not, if it does not die. */
export const ENDING_SCENARIOS = LOCK_SCENARIOS.filter(({ name }) => !/forlorn|kept/.test(name));
