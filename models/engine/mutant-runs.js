/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { MutantBuild } from '../mutant-build.js';
import { REACT_MUTANTS, SOURCE_MUTANTS } from '../mutants.js';
import { moduleOf, shippedModule } from '../shipped-module.js';
import { askingModule } from './asking-module.js';
import { Engine } from './engine.js';
import { startNodeThread } from './node-threads.js';

/** @typedef {import('../scenario.js').Scenario} Scenario */

/**
 * @param {Scenario} scenario
 * @param {typeof import('../../js-glue/waiting.js').react} react
 * @returns {Scenario}
 */
export function withReact(scenario, react) {
    const threads = scenario.threads.map((thread) => ('does' in thread ? { ...thread, react } : thread));
    return { ...scenario, threads };
}

/**
 * Starts an engine for each wrong lock, one after the other, with the scenario that the explorer finds it in.
 * @param {(name: string) => Scenario} scenarioOf
 * @param {(mutant: { name: string, engine: Engine, scenario: Scenario,
 *     module: import('../wasm-decoder.js').Module }) => void} use
 * @param {(name: string) => boolean} [isWanted]
 */
export async function forEachMutant(scenarioOf, use, isWanted = () => true) {
    const build = new MutantBuild();
    try {
        for (const mutant of [...SOURCE_MUTANTS, ...REACT_MUTANTS].filter(({ name }) => isWanted(name))) {
            const plain = scenarioOf(mutant.foundIn);
            const isSource = 'file' in mutant;
            const module = isSource ? moduleOf(build.bytesOf(mutant)) : shippedModule();
            const scenario = isSource ? plain : withReact(plain, mutant.react);
            await Engine.use(askingModule(module), [scenario], startNodeThread, (engine) =>
                use({ name: mutant.name, engine, scenario, module }),
            );
        }
    } finally {
        build.remove();
    }
}
