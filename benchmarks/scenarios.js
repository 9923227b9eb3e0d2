/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readdirSync } from 'node:fs';

/**
 * @typedef {object} Options
 * @property {boolean} full everything, however long it takes; else the most telling part of each scenario, in about a minute for
 * all
 * @property {boolean} isNamed whether the command line names scenarios
 * @property {number} rounds
 * @property {number} seconds that one contended run is measured for
 *
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} title
 * @property {true} [inOtherProcesses] whether it measures other processes, so that the load of other programs is unknown
 * @property {(options: Options) => Promise<import('./figures.js').Results | import('./figures.js').Figure[]>} run
 */

const FOLDER = new URL('scenarios/', import.meta.url);

/** The exports of the files of scenarios/. @type {readonly Scenario[]} */
export const scenarios = (
    await Promise.all(readdirSync(FOLDER).map((file) => import(new URL(file, FOLDER).href)))
)
    .flatMap((file) => Object.values(file))
    .filter((exported) => typeof exported.run === 'function')
    .sort((one, other) => (one.name < other.name ? -1 : 1));
