/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { WHOLE } from '../explorer/whole.js';
import * as p from './programs.js';

/* Threads of scenarios, by the programs that they run. */

/**
 * @typedef {import('../explorer/scenario.js').Scenario} Scenario
 * @typedef {import('../explorer/scenario.js').Thread} Thread
 * @typedef {Omit<Scenario, 'name' | 'objects' | 'threads'>} Options of a scenario
 * @typedef {(t: any, ...parameters: any[]) => void | Promise<void>} Program
 * @typedef {[program: Program, ...parameters: any[]]} Task
 *
 * @typedef {object} LoopOptions
 * @property {boolean} [aborts] whether a waiting request may be given up
 * @property {boolean} [isLong] whether sections last while other jobs run
 * @property {boolean} [rests] whether the queue rests after each section, as after a burst
 * @property {boolean} [polls]
 * @property {boolean} [isOld]
 * @property {boolean} [late] whether each step asks for the long reservation
 * @property {Thread['busy']} [busy]
 */

/** Programs with time limits. @type {Program[]} */
const LIMITED = [
    ...[p.takesForAWhile, p.triesAndWatches, p.usesAllWays, p.mayGiveUp, p.mayLeaveCrowd, p.waitsAWhile],
    ...[p.passesAWhile, p.comesAfterReset, p.opensOrNot, p.arrivesAWhile, p.mayLeave, p.comesAfter],
    ...[p.nestsForAWhile, p.triesToUpgradeForAWhile],
];

/** Programs that are async and also block. @type {Program[]} */
const BLOCKING = [p.requestsAndHolds, p.requestsAndTakes];

/** @param {Program} program */
function isAsync(program) {
    return program.constructor.name === 'AsyncFunction';
}

/** A worker if there is one program and it is not async; else an event loop that runs all programs. @param
 * {...(Task | Program)} tasks @returns {Thread} */
export function does(...tasks) {
    const named = tasks.map((task) => (typeof task === 'function' ? /** @type {Task} */ ([task]) : task));
    const programs = named.map(([program]) => program);
    const loops = programs.some(isAsync) || tasks.length > 1;
    return {
        tasks: named.map(([program, ...parameters]) => [program.name, ...parameters]),
        loops,
        blocks: loops && programs.some((program) => !isAsync(program) || BLOCKING.includes(program)),
        isLimited: programs.some((program) => LIMITED.includes(program)),
    };
}

/** @param {...number} asks */
export const worker = (...asks) => does([p.takes, ...asks]);

/** @param {...number} asks */
export const limited = (...asks) => does([p.takesForAWhile, ...asks]);

/** @param {...number} asks */
export const watcher = (...asks) => does([p.triesAndWatches, ...asks]);

/** Tries to take an amount, and never releases it. @param {number} ask */
export const keeper = (ask) => ({ ...does([p.keeps, ask]), loops: true });

/** Releases permits that it has not taken. @param {...number} asks */
export const maker = (...asks) => does([p.makes, ...asks]);

/** Holds that amount at the start, and releases it. @param {number} ask @returns {Thread} */
export const holder = (ask) => ({ ...does([p.releases, ask]), holds: ask });

/** @param {LoopOptions} options @returns {Partial<Thread>} */
function optionsOf({ rests = false, late = false, polls = false, isOld = false, busy }) {
    const constants = { ...(rests && { BURST_MS: -1 }), ...(late && { LATE_STEP_EVERY: 1 }) };
    return { polls, isOld, constants, ...(busy && { busy }) };
}

/** Each request has its own job. @param {number[]} asks @param {LoopOptions} [options] @returns {Thread} */
export function loop(asks, options = {}) {
    const { aborts = false, isLong = false } = options;
    const tasks = asks.map((ask, at) =>
        aborts
            ? /** @type {Task} */ ([p.mayAbort, ask, `of request ${at}`, isLong])
            : /** @type {Task} */ ([isLong ? p.requestsForLong : p.requests, ask]),
    );
    return { ...does(...tasks), ...optionsOf(options) };
}

/** Makes a request, then runs `other`. @param {number} ask @param {Task} other @param {LoopOptions} [options] */
export function loopAnd(ask, other, options = {}) {
    const first = /** @type {Task} */ (options.aborts ? [p.mayAbort, ask] : [p.requests, ask]);
    return { ...does(first, other), ...optionsOf(options) };
}

export const ABORTS = { aborts: true };
export const POLLS = { polls: true };
export const OLD = { isOld: true };
export const LATE = { late: true };
export const LONG_SECTIONS = { isLong: true };
export const RESTS = { rests: true };
export const BUSY = { busy: /** @type {const} */ ('at times') };
export const BUSY_FOR_GOOD = { busy: /** @type {const} */ ('for good') };

export { WHOLE };

/**
 * Scenarios with the same objects and options.
 * @param {string} prefix of their names
 * @param {Scenario['objects']} objects
 * @param {Options} options
 * @param {Record<string, Thread[]>} threadsOf by name
 * @returns {Scenario[]}
 */
export function scenariosOf(prefix, objects, options, threadsOf) {
    return Object.entries(threadsOf).map(([name, threads]) => ({
        ...{ name: `${prefix}${name}`, objects, threads },
        ...options,
    }));
}
