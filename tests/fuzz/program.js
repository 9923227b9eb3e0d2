/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A program of the fuzzer is data, which can be drawn, printed, shrunk and run. */

/**
 * @typedef {object} Limits
 * @property {number} [timeout] milliseconds
 * @property {number} [deadline] milliseconds from now, as a deadline
 * @property {string} [signal] the name of one of the thread's signals
 *
 * @typedef {{ do: string } & Record<string, any>} Step one entry of to-code.js each
 *
 * @typedef {object} ThreadSpec
 * @property {Record<string, import('./signals.js').SignalSpec>} [signals]
 * @property {Step[]} steps
 *
 * @typedef {object} VictimSpec
 * @property {string} object
 * @property {number | string} [stake]
 * @property {boolean} [lasts]
 * @property {boolean} [isBeside] dies while the others play
 * @property {number} [loses] the messages that may be lost with it
 * @property {number} after
 * @property {Step} step the step in which it waits
 *
 * @typedef {object} Program
 * @property {import('./objects.js').ObjectSpec[]} objects
 * @property {ThreadSpec[]} threads
 * @property {boolean} [firstIsHost] the referee's thread plays the first one, which never blocks
 * @property {boolean} [contexts] whether callbacks look at the context that they run in
 * @property {VictimSpec[]} [victims]
 */

/**
 * All steps of a program, also those inside other steps.
 *
 * @param {Program} program
 * @returns {Step[]}
 */
export function allSteps(program) {
    return program.threads.flatMap(({ steps }) => steps).flatMap(withInner);
}

/** @param {Step} step @returns {Step[]} */
function withInner(step) {
    const inner = [...(step['steps'] ?? []), ...(step['body']?.inner ?? [])];
    return [step, ...inner.flatMap(withInner)];
}
