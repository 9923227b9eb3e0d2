/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { THREAD_JS } from '../js-glue/layout.js';
import { blockingThread } from './blocking-thread.js';
import { EventLoop } from './event-loop.js';
import { explore } from './explore.js';
import { Machine } from './machine.js';

/**
 * @typedef {{ blocks: import('./blocking-thread.js').Way[] } & import('./blocking-thread.js').BlockingOptions} Blocking
 * @typedef {{ does: import('./event-loop.js').Job[] } & import('./event-loop.js').LoopOptions} Looping
 *
 * @typedef {object} ScenarioOptions
 * @property {boolean} [long] more than `npm test` has time for
 *
 * @typedef {{ name: string, threads: (Blocking | Looping)[] } & import('./machine.js').MachineOptions &
 *     ScenarioOptions} Scenario
 */

/** @param {number} at the thread's place in the scenario */
function identityOf(at) {
    return THREAD_JS + at + 1;
}

/**
 * @param {import('./wasm-decoder.js').Module} module
 * @param {Scenario} scenario
 * @param {number} [limit] of states
 */
export function exploreScenario(module, scenario, limit) {
    const behaviours = scenario.threads.map((thread, at) => {
        const self = identityOf(at);
        return 'blocks' in thread
            ? blockingThread(module, self, thread.blocks, thread)
            : new EventLoop(module, self, thread.does, thread);
    });
    const holder = scenario.threads.findIndex((thread) => 'blocks' in thread && thread.holds);
    const firstOwner = holder < 0 ? 0 : identityOf(holder);
    return explore(new Machine(behaviours, { ...scenario, firstOwner }), limit);
}
