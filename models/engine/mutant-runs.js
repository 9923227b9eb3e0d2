/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { GlueCopy } from '../mutants/glue-copy.js';
import { MutantBuild } from '../mutants/mutant-build.js';
import { withGlue } from '../mutants/mutant-checks.js';
import { C_MISTAKES, GLUE_MISTAKES } from '../mutants/mistakes.js';
import { LOCK_SCENARIOS } from '../programs/scenarios.js';
import { moduleOf, shippedModule } from '../wasm/shipped-module.js';
import { askingModule } from './asking-module.js';
import { Engine } from './engine.js';
import { startNodeThread } from './node-threads.js';

/**
 * @typedef {import('../explorer/scenario.js').Scenario} Scenario
 * @typedef {import('../wasm/decoder.js').Module} Module
 */

/**
 * Starts an engine for each seeded bug, in the scenario in which the explorer finds the bug.
 * @param {(name: string) => Scenario} scenarioOf
 * @param {(mutant: { name: string, engine: Engine, scenario: Scenario, module: Module }) => void} use
 * @param {(name: string) => boolean} [isWanted]
 */
export async function forEachMutant(scenarioOf, use, isWanted = () => true) {
    const [build, copy] = [new MutantBuild(), new GlueCopy()];
    try {
        for (const mistake of [...C_MISTAKES, ...GLUE_MISTAKES]) {
            const { name, edits, checks } = mistake;
            const [found = ''] = checks;
            if (!LOCK_SCENARIOS.some((scenario) => scenario.name === found) || !isWanted(name)) {
                continue;
            }
            const isGlue = GLUE_MISTAKES.includes(mistake);
            const module = isGlue ? shippedModule() : moduleOf(build.bytesWith(edits));
            const scenario = isGlue
                ? withGlue(scenarioOf(found), copy.sourcesWith(edits))
                : scenarioOf(found);
            await Engine.use(askingModule(module), [scenario], startNodeThread, (engine) =>
                use({ name, engine, scenario, module }),
            );
        }
    } finally {
        build.remove();
        copy.remove();
    }
}
