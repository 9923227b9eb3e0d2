/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { AgentsMachine } from './agents-machine.js';
import { ChannelMachine } from './channel-machine.js';
import { explore } from './explore.js';
import {
    barrierJudge,
    conditionJudge,
    eventJudge,
    gateJudge,
    latchJudge,
    lifetimeJudge,
    sectionJudge,
} from './judges.js';
import { Machine } from './machine.js';
import { Memory } from './memory.js';
import { heldBy, kindOf } from './objects.js';
import { ShippedThread } from './shipped-thread.js';
import { WHOLE } from './whole.js';
import { identityOf } from './symmetry.js';
import { Violation } from './violation.js';
import { walk } from './walk.js';
import { call, interpreterOf, interpreterOfBoth, resume } from '../wasm/interpreter.js';

/* Scenarios: objects, and threads that run programs. */

/**
 * @typedef {import('./objects.js').Described} Described
 * @typedef {import('./thread-call.js').Runner} Runner
 * @typedef {import('../wasm/decoder.js').Module} Module
 * @typedef {import('../wasm/interpreter.js').Value} Value
 *
 * @typedef {import('./shipped-thread.js').ThreadOptions & { mayDie?: boolean }} Thread one of the threads
 *     with `mayDie` may die while it sleeps or waits
 *
 * @typedef {{ name: string, objects: Record<string, Described>, threads: Thread[], livelocks?: boolean } &
 *     Omit<import('./machine.js').MachineOptions, 'mortals' | 'groups'>} Scenario `livelocks`: threads that do the same
 *     are told apart, so that cycles of moves can be judged
 *
 * @typedef {Scenario | import('./agents-machine.js').AgentsScenario | import('./channel-machine.js').ChannelScenario} AnyScenario
 *
 * @typedef {{ holds: Module, depths: Module, barrierCalls: Module, channel: Module }} FurtherModules of gates
 *     with holds, of depths, of the calls that only C programs make, and of channels
 *
 * @typedef {import('./machine.js').Placed & { described: Described }} Placed
 */

/** Only the addresses in this memory matter. */
const ADDRESSES = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });

/**
 * @param {Pick<Module, 'exports'>} module with the inits, if an object needs one
 * @param {Scenario} scenario
 * @param {(at: number) => Runner} runnerOf
 * @returns {import('./machine.js').Parts}
 */
export function partsOf(module, scenario, runnerOf) {
    const memory = new Memory();
    const objects = Object.entries(scenario.objects).map(([name, described]) => {
        const kind = kindOf(described);
        return { name, described, kind, address: memory.place(name, kind.words) };
    });
    const world = {
        objects: objects.map(({ name, described: { is }, address }) => ({ name, is, address })),
        memory: ADDRESSES,
        exports: [...module.exports.keys()],
        mayBeSwept: (scenario.slices ?? 'never') !== 'never',
    };
    const identities = scenario.threads.map(({ copyOf }, at) => identityOf(copyOf ?? at));
    const [lock] = objects;
    const held = scenario.threads.map(({ holds = 0 }, at) =>
        lock && holds > 0 ? heldBy(lock.described, identityOf(at), holds) : 0n,
    );
    const behaviours = scenario.threads.map(
        (thread, at) =>
            new ShippedThread(runnerOf(at), identities[at] ?? 0, thread, {
                ...world,
                startsLater: identities.filter((identity) => identity === identities[at]).length > 1,
                has: Number(held[at]),
            }),
    );
    const reservationsEnd =
        world.mayBeSwept || behaviours.some(({ outlasts, isBusy, blocks }) => outlasts || isBusy || blocks);
    const endWords = madeWords(/** @type {Module} */ (module), memory, objects);
    const firstWords = [...endWords];
    for (const used of held) {
        firstWords[0] = sum(firstWords[0] ?? 0n, used);
    }
    return {
        ...{ memory, objects, behaviours, firstWords, endWords },
        judges: objects.flatMap((placed) => judgesOf(placed, scenario.threads, identities, reservationsEnd)),
    };
}

/**
 * The words after the objects were made. An init writes all words of its object.
 * @param {Module} module
 * @param {Memory} memory
 * @param {Placed[]} objects
 */
function madeWords(module, memory, objects) {
    const words = memory.zeros();
    for (const { kind, address } of objects) {
        if (kind.init) {
            const [name, ...parameters] = kind.init;
            const written = new Set();
            let stop = call(module, name, [address, ...parameters]);
            while (stop.atomic) {
                const { atomic } = stop;
                if (!atomic.name.endsWith('.store')) {
                    throw new Error(`${name} may only store: it makes a ${atomic.name}`);
                }
                const index = memory.indexOf(atomic);
                words[index] = /** @type {Value} */ (atomic.operands[0]);
                written.add(index);
                stop = resume(module, stop.frames, 0);
            }
            if (written.size < kind.words.length - (kind.unwritten ?? 0)) {
                throw new Violation(`${name} leaves a word as it was`);
            }
        }
    }
    let place = 0;
    for (const { kind } of objects) {
        kind.first?.forEach((value, at) => (words[place + at] = sum(words[place + at] ?? 0, value)));
        place += kind.words.length;
    }
    return words;
}

/** @param {Value} one @param {Value} other */
function sum(one, other) {
    return typeof one === 'bigint' ? one + BigInt(other) : (one + Number(other)) | 0;
}

/**
 * @param {Placed} placed
 * @param {Scenario['threads']} threads
 * @param {readonly number[]} identities
 * @param {boolean} reservationsEnd
 * @returns {import('./judges.js').Judge[]}
 */
function judgesOf({ name, described, address, kind: { gate } }, threads, identities, reservationsEnd) {
    const first = threads.flatMap(({ holds = 0 }, thread) => (holds > 0 ? [{ thread, amount: holds }] : []));
    switch (described.is) {
        case 'condition':
            return [conditionJudge(name)];
        case 'event':
            return [eventJudge(name)];
        case 'latch':
            return [latchJudge(name, described.count)];
        case 'barrier':
            return [barrierJudge(name, address, described.parties)];
        case 'c barrier':
            return [lifetimeJudge(name)];
        case 'data':
            return [];
        default: {
            const use = gate ?? { capacity: 0, opensAt: 0 };
            const most = described.is === 'semaphore' ? described.max : WHOLE;
            return [
                gateJudge(name, { address, use, reservationsEnd, identities }),
                ...(described.is === 'auto event'
                    ? []
                    : [sectionJudge(name, { most, first, again: described.is === 'recursive mutex' })]),
            ];
        }
    }
}

/** The thread that holds the first object at the start, or -1. @param {Scenario} scenario */
export function holderOf({ threads }) {
    return threads.findIndex(({ holds = 0 }) => holds > 0);
}

/**
 * @param {Pick<Module, 'exports'>} module
 * @param {Scenario} scenario
 * @param {(at: number) => Runner} runnerOf
 * @param {import('./machine.js').MachineOptions} [further]
 */
export function machineOf(module, scenario, runnerOf, further = {}) {
    const mortals = scenario.threads.flatMap(({ mayDie }, thread) => (mayDie ? [thread] : []));
    return new Machine(partsOf(module, scenario, runnerOf), { ...scenario, mortals, ...further });
}

/** @typedef {Exclude<AnyScenario, import('./channel-machine.js').ChannelScenario>} OfTheMainModule */

/** @param {OfTheMainModule} scenario @returns {keyof FurtherModules | undefined} */
function furtherModuleOf(scenario) {
    if ('agents' in scenario) {
        return scenario.permits ? 'holds' : scenario.agents.some(({ depth }) => depth) ? 'depths' : undefined;
    }
    const kinds = Object.values(scenario.objects).map(({ is }) => is);
    return kinds.includes('recursive mutex')
        ? 'depths'
        : kinds.includes('c barrier')
          ? 'barrierCalls'
          : undefined;
}

/**
 * The runner of a scenario's calls, and the module with all of them.
 * @param {Module} module
 * @param {OfTheMainModule} scenario
 * @param {FurtherModules} [parts]
 */
function runnerFor(module, scenario, parts) {
    const name = furtherModuleOf(scenario);
    const part = name && parts?.[name];
    return part
        ? {
              runner: interpreterOfBoth(part, module),
              // Inits are called in the main module, which has them.
              whole: { ...module, exports: new Map([...part.exports, ...module.exports]) },
          }
        : { runner: interpreterOf(module), whole: module };
}

/**
 * @param {Module} module
 * @param {AnyScenario} scenario
 * @param {number} [limit]
 * @param {FurtherModules} [parts] for the scenarios that need one
 */
export function exploreScenario(module, scenario, limit, parts) {
    if ('parties' in scenario) {
        return explore(new ChannelMachine(parts?.channel ?? module, scenario), limit);
    }
    const { runner, whole } = runnerFor(module, scenario, parts);
    if ('agents' in scenario) {
        return explore(new AgentsMachine(runner, scenario), limit);
    }
    const hasCopies = scenario.threads.some(({ copyOf }) => copyOf !== undefined);
    const areAlike = !scenario.livelocks && !hasCopies;
    const further = areAlike ? { groups: scenario.threads.map((thread) => JSON.stringify(thread)) } : {};
    const machine = machineOf(whole, scenario, () => runner, further);
    return explore(machine, limit);
}

/**
 * Walks at random until a walk finds a violation. The seeds are 1, 2, 3 and so on.
 * @param {Module} module
 * @param {Scenario} scenario
 * @param {number} walks
 * @param {FurtherModules} [parts]
 */
export function walkScenario(module, scenario, walks, parts) {
    const { runner, whole } = runnerFor(module, scenario, parts);
    const machine = machineOf(whole, scenario, () => runner);
    let moves = 0;
    for (let seed = 1; seed <= walks; seed += 1) {
        const walked = walk(machine, seed);
        moves += walked.moves;
        if (walked.failure) {
            return { ...walked, moves, failure: `${walked.failure}, by the walk of seed ${seed}` };
        }
    }
    return { moves, failure: '', schedule: [] };
}
