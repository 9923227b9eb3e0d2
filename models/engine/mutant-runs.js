/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { GlueCopy } from '../mutants/glue-copy.js';
import { MutantBuild } from '../mutants/mutant-build.js';
import { withGlue } from '../mutants/mutant-checks.js';
import { GLUE_MUTANTS, SOURCE_MUTANTS } from '../mutants/mutants.js';
import { moduleOf, shippedModule } from '../wasm/shipped-module.js';
import { askingModule } from './asking-module.js';
import { Engine } from './engine.js';
import { startNodeThread } from './node-threads.js';

/**
 * @typedef {import('../explorer/scenario.js').Scenario} Scenario
 * @typedef {import('../wasm/decoder.js').Module} Module
 */

/**
 * Starts an engine for each seeded bug, with the scenario in which the explorer finds it.
 * @param {(name: string) => Scenario} scenarioOf
 * @param {(mutant: { name: string, engine: Engine, scenario: Scenario, module: Module }) => void} use
 * @param {(name: string) => boolean} [isWanted]
 */
export async function forEachMutant(scenarioOf, use, isWanted = () => true) {
    const [build, copy] = [new MutantBuild(), new GlueCopy()];
    try {
        for (const mutant of [...SOURCE_MUTANTS, ...GLUE_MUTANTS]) {
            if (mutant.foundIn === undefined || !isWanted(mutant.name)) {
                continue;
            }
            const plain = scenarioOf(mutant.foundIn);
            const isGlue = GLUE_MUTANTS.includes(mutant);
            const module = isGlue ? shippedModule() : moduleOf(build.bytesOf(mutant));
            const scenario = isGlue ? withGlue(plain, await copy.with(mutant, () => copy.sources())) : plain;
            await Engine.use(askingModule(module), [scenario], startNodeThread, (engine) =>
                use({ name: mutant.name, engine, scenario, module }),
            );
        }
    } finally {
        build.remove();
        copy.remove();
    }
}
