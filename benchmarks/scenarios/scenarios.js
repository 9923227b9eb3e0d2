/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { browsers } from './browsers.js';
import { busy } from './busy.js';
import { channelC } from './channel-c.js';
import { channel } from './channel.js';
import { cores } from './cores.js';
import { counts } from './counts.js';
import { crowd } from './crowd.js';
import { execute } from './execute.js';
import { barrier, condition, rwlock, semaphore } from './family.js';
import { handoff } from './handoff.js';
import { idle } from './idle.js';
import { lines } from './lines.js';
import { load } from './load.js';
import { loaded } from './loaded.js';
import { loops } from './loops.js';
import { memory } from './memory.js';
import { c, cThreads, threads, uncontended } from './mutex.js';
import { page, price } from './page.js';
import { queue } from './queue.js';
import { sqlite } from './sqlite.js';
import { trace } from './trace.js';

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
    loaded,
    cores,
    lines,
    queue,
    handoff,
    channel,
    semaphore,
    rwlock,
    condition,
    barrier,
    channelC,
    counts,
    memory,
    idle,
    load,
];
