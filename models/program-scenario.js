/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { EVENT_CAPACITY, GATE_FOR_ONE } from '../js-glue/memory/layout.js';
import { explore } from './explore.js';
import { barrierJudge, conditionJudge, eventJudge, gateJudge, latchJudge } from './judges.js';
import { Memory } from './memory.js';
import { MemoryMachine } from './memory-machine.js';
import { kindOf } from './objects.js';
import { ProgramThread } from './program-thread.js';
import { identityOf } from './symmetry.js';
import { Violation } from './violation.js';
import { call, interpreterOf, resume } from './wasm-interpreter.js';

/**
 * @typedef {import('./objects.js').Described} Described
 * @typedef {import('./wasm-interpreter.js').Value} Value
 *
 * @typedef {{ tasks: import('./program.js').Program[], mayDie?: boolean } & import('./program-thread.js').ProgramOptions} Programmed
 *
 * @typedef {{ name: string, objects: Record<string, Described>, threads: Programmed[], long?: boolean }
 *     & Omit<import('./memory-machine.js').MemoryMachineOptions, 'mortals'>} ProgramScenario
 */

/**
 * @param {import('./wasm-decoder.js').Module} module
 * @param {ProgramScenario} scenario
 */
function programMachineOf(module, scenario) {
    const memory = new Memory();
    const placed = Object.entries(scenario.objects).map(([name, described]) => {
        const kind = kindOf(described);
        return { name, described, kind, address: memory.place(name, kind.words) };
    });
    const objects = Object.fromEntries(
        placed.map(({ name, address, kind: { waitable } }) => [name, { address, waitable }]),
    );
    const runner = interpreterOf(module);
    const behaviours = scenario.threads.map(
        ({ tasks, ...options }, at) => new ProgramThread(runner, identityOf(at), tasks, objects, options),
    );
    const asks = scenario.threads.some(({ tasks }) => tasks.flat().some(({ is }) => is === 'ask'));
    const reservationsEnd = asks || (scenario.slices ?? 'never') !== 'never';
    const parts = {
        memory,
        firstWords: firstWordsOf(module, memory, placed),
        isLeftClean: (/** @type {readonly Value[]} */ words) => {
            const left = [...words];
            return placed.every(({ kind }) => kind.isLeftClean(left.splice(0, kind.words.length)));
        },
        behaviours,
        judges: placed.flatMap(({ name, described, address }) =>
            judgeOf(name, described, address, reservationsEnd),
        ),
    };
    const mortals = scenario.threads.flatMap(({ mayDie }, thread) => (mayDie ? [thread] : []));
    return new MemoryMachine(parts, { ...scenario, mortals });
}

/**
 * The words of the objects when they are made. An init writes all of them.
 * @param {import('./wasm-decoder.js').Module} module
 * @param {Memory} memory
 * @param {{ kind: import('./objects.js').Kind, address: number }[]} placed
 */
function firstWordsOf(module, memory, placed) {
    const words = memory.zeros();
    for (const { kind, address } of placed) {
        if (kind.init) {
            const [name, ...parameters] = kind.init;
            const written = new Set();
            let stop = call(module, name, [address, ...parameters]);
            while (stop.atomic) {
                const { atomic } = stop;
                if (!atomic.name.endsWith('.store')) {
                    throw new Error(`${name} does more than to store`);
                }
                const index = memory.indexOf(atomic);
                words[index] = /** @type {Value} */ (atomic.operands[0]);
                written.add(index);
                stop = resume(module, stop.frames, 0);
            }
            if (written.size < kind.words.length) {
                throw new Violation(`${name} leaves a word as it was`);
            }
        }
    }
    let place = 0;
    for (const { kind } of placed) {
        kind.first.forEach((value, at) => (words[place + at] = sum(words[place + at] ?? 0, value)));
        place += kind.words.length;
    }
    return words;
}

/**
 * @param {Value} one
 * @param {Value} other
 */
function sum(one, other) {
    return typeof one === 'bigint' ? one + BigInt(other) : (one + Number(other)) | 0;
}

/**
 * @param {string} name
 * @param {Described} described
 * @param {number} address
 * @param {boolean} reservationsEnd
 * @returns {import('./judges.js').Judge[]}
 */
function judgeOf(name, described, address, reservationsEnd) {
    switch (described.is) {
        case 'mutex':
        case 'once':
            return [gateJudge(name, { address, capacity: GATE_FOR_ONE, reservationsEnd })];
        case 'auto event':
            return [gateJudge(name, { address, capacity: EVENT_CAPACITY, reservationsEnd })];
        case 'condition':
            return [conditionJudge(name)];
        case 'event':
            return [eventJudge(name)];
        case 'latch':
            return [latchJudge(name, described.count)];
        case 'barrier':
            return [barrierJudge(name, described.parties)];
        case 'data':
            return [];
    }
}

/**
 * @param {import('./wasm-decoder.js').Module} module
 * @param {ProgramScenario} scenario
 * @param {number} [limit] of states
 */
export function explorePrograms(module, scenario, limit) {
    return explore(programMachineOf(module, scenario), limit);
}
