/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Engine } from './engine.js';
import { startNodeThread } from './node-threads.js';
import { replay } from './replay.js';
import { runSchedules } from './run-schedules.js';

/**
 * @typedef {import('./asking-module.js').AskingModule} Module
 * @typedef {import('../explorer/scenario.js').Scenario} Scenario
 * @typedef {import('./run-schedules.js').Order} Order
 * @typedef {import('./run-schedules.js').Result} Result
 * @typedef {import('./replay.js').Replayed} Replayed
 *
 * @typedef {object} Controller starts threads for each call
 * @property {string} version
 * @property {(module: Module, scenarios: Scenario[], order: Order) => Promise<Result>} run
 * @property {(module: Module, scenario: Scenario, lines: string[]) => Promise<Replayed>} replay
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
