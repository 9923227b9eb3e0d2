/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Engine } from './engine.js';
import { startNodeThread } from './node-threads.js';
import { replay } from './replay.js';
import { runSchedules } from './run-schedules.js';

/**
 * runSchedules() and replay() on threads of one platform, started for each call.
 *
 * @typedef {object} Controller
 * @property {string} version
 * @property {(module: import('./asking-module.js').AskingModule, scenarios: import('../explorer/scenario.js').Scenario[],
 *     order: import('./run-schedules.js').Order) => Promise<import('./run-schedules.js').Result>} run
 * @property {(module: import('./asking-module.js').AskingModule, scenario: import('../explorer/scenario.js').Scenario,
 *     lines: string[]) => Promise<import('./replay.js').Replayed>} replay
 * @property {() => Promise<void>} close
 */

/** @type {Controller} */
export const nodeController = {
    version: `Node ${process.version}`,
    run: (module, scenarios, order) =>
        Engine.use(module, scenarios, startNodeThread, (engine) => runSchedules(engine, scenarios, order)),
    replay: (module, scenario, lines) =>
        Engine.use(module, [scenario], startNodeThread, (engine) => replay(engine, scenario, lines)),
    close: async () => {},
};
