/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { busy } from './busy.js';
import { execute } from './execute.js';
import { handoff } from './handoff.js';
import { page } from './page.js';
import { price } from './price.js';
import { queue } from './queue.js';
import { uncontended } from './uncontended.js';

/**
 * @typedef {object} Options
 * @property {number} rounds
 * @property {number} seconds that one contended run is measured for
 *
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} title
 * @property {(options: Options) => Promise<import('../figures.js').Figure[]>} run
 */

/** @type {readonly Scenario[]} in the order in which they run */
export const scenarios = [page, price, busy, uncontended, execute, queue, handoff];
