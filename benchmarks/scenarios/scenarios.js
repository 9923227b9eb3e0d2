/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { browsers } from './browsers.js';
import { busy } from './busy.js';
import { counts } from './counts.js';
import { crowd } from './crowd.js';
import { execute } from './execute.js';
import { barrier, condition, rwlock, semaphore } from './family.js';
import { handoff } from './handoff.js';
import { idle } from './idle.js';
import { lines } from './lines.js';
import { load } from './load.js';
import { loops } from './loops.js';
import { memory } from './memory.js';
import { c, cThreads, threads, uncontended } from './mutex.js';
import { page, price } from './page.js';
import { queue } from './queue.js';
import { sqlite } from './sqlite.js';
import { trace } from './trace.js';

/**
 * @typedef {object} Options
 * @property {boolean} full everything, for as long as it takes; else what shows most, in about a minute for all
 * @property {number} rounds
 * @property {number} seconds that one contended run is measured for
 * @property {readonly string[]} [against] keys of the only rivals, instead of those that the scenario has
 *
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} title
 * @property {true} [inOtherProcesses] what it measures, so what others use meanwhile is not known
 * @property {(options: Options) => Promise<import('../figures.js').Results>} run
 */

/** @type {readonly Scenario[]} in the order in which they run */
export const scenarios = [
    page,
    price,
    busy,
    loops,
    browsers,
    sqlite,
    uncontended,
    trace,
    c,
    execute,
    threads,
    cThreads,
    crowd,
    lines,
    queue,
    handoff,
    semaphore,
    rwlock,
    condition,
    barrier,
    counts,
    memory,
    idle,
    load,
];
