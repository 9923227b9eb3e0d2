/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { BlockingThread } from './blocking-thread.js';
import { EventLoop } from './event-loop.js';
import { explore } from './explore.js';
import { Machine } from './machine.js';
import { primitiveOf } from './primitive.js';
import { identityOf } from './symmetry.js';
import { interpreterOf } from './wasm-interpreter.js';

/** The identity of no thread. */
const NOBODY = 0;

/**
 * @typedef {{ blocks: import('./blocking-thread.js').Way[] } & import('./blocking-thread.js').BlockingOptions} Blocking
 * @typedef {{ does: import('./event-loop.js').Job[] } & import('./event-loop.js').LoopOptions} Looping
 *
 * @typedef {object} ScenarioOptions
 * @property {boolean} [long] more than `npm test` has time for
 * @property {boolean} [livelocks] threads that do the same are not taken for one another, so that cycles of moves
 *     can be judged; without such threads that is so anyway
 *
 * @typedef {{ name: string, lock?: import('./primitive.js').Locked, threads: (Blocking | Looping)[] } & import('./machine.js').MachineOptions &
 *     ScenarioOptions} Scenario
 */

/**
 * What a machine is made of.
 * @param {Scenario} scenario
 * @param {(at: number) => import('./thread-call.js').Runner} runnerOf what runs the calls of the thread in that place
 */
export function partsOf(scenario, runnerOf) {
    const primitive = primitiveOf(scenario.lock);
    const behaviours = scenario.threads.map((thread, at) => {
        const self = identityOf(at);
        return 'blocks' in thread
            ? new BlockingThread(runnerOf(at), self, thread.blocks, primitive, thread)
            : new EventLoop(runnerOf(at), self, thread.does, primitive, thread);
    });
    return { behaviours, options: { ...scenario, use: primitive, ...wordsAtFirst(scenario, primitive) } };
}

/**
 * @param {Scenario} scenario
 * @param {import('./primitive.js').Primitive} primitive
 */
function wordsAtFirst({ threads }, primitive) {
    const endOwn = primitive.ownWord(NOBODY, 0);
    const words = { firstUsed: primitive.firstUsed, firstOwn: endOwn, endOwn };
    threads.forEach((thread, at) => {
        if ('blocks' in thread && thread.holds) {
            const self = identityOf(at);
            const ask = thread.asks?.[0] ?? 1;
            words.firstUsed += primitive.amountOf(self, ask);
            words.firstOwn = primitive.ownWord(self, ask);
        }
    });
    return words;
}

/**
 * @param {Scenario} scenario
 * @param {(at: number) => import('./thread-call.js').Runner} runnerOf
 * @param {import('./machine.js').MachineOptions} [further]
 */
export function machineOf(scenario, runnerOf, further = {}) {
    const { behaviours, options } = partsOf(scenario, runnerOf);
    return new Machine(behaviours, { ...options, ...further });
}

/**
 * The place of the thread that has the lock at the start, or -1.
 * @param {Scenario} scenario
 */
export function holderOf({ threads }) {
    return threads.findIndex((thread) => 'blocks' in thread && thread.holds);
}

/**
 * @param {import('./wasm-decoder.js').Module} module
 * @param {Scenario} scenario
 * @param {number} [limit] of states
 */
export function exploreScenario(module, scenario, limit) {
    const runner = interpreterOf(module);
    // By what they do: a react() with a mistake in it is the same for all loops.
    const groups = scenario.livelocks ? undefined : scenario.threads.map((thread) => JSON.stringify(thread));
    return explore(
        machineOf(scenario, () => runner, { groups }),
        limit,
    );
}
