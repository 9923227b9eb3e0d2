/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { holding } from './calls.js';

/* Finds the sections that await a promise, directly or through other functions. When a job settles a promise,
 * V8's stack names the async functions that await it (Node, Deno and Chromium). So each section is awaited by
 * a function with a name of its own. Other engines' stacks do not show this. */

/** @typedef {import('./call.js').Call} Call */

/** Differs in each copy of the package, since each copy numbers its sections from 1. */
export const NAME = /* @__PURE__ */ newName();
const FRAMES = /* @__PURE__ */ new RegExp(`${NAME}(\\d+)`, 'g');

function newName() {
    return `section of holdfast ${Math.random().toString(36).slice(2)} no. `;
}

/** More frames than the stacks of real programs have. */
const MOST_FRAMES = 200;

/**
 * One function for each number in use: making one takes longer than a section.
 * @type {(<T>(promise: Promise<T>, section: Call) => Promise<T>)[]}
 */
const runs = [];

/** @param {number} number @returns {typeof runs[number]} */
function makeRun(number) {
    const name = `${NAME}${number}`;
    const named = {
        /** @param {Promise<any>} promise @param {Call} section */
        async [name](promise, section) {
            try {
                return await promise;
            } finally {
                section.end();
            }
        },
    };
    return /** @type {any} */ (named[name]);
}

/**
 * @template T
 * @param {Call} section that holds
 * @param {Promise<T>} promise that its callback returned: the section ends when it settles
 * @returns {Promise<T>}
 */
export function awaitAs(section, promise) {
    const { number } = section;
    const run = (runs[number] ??= makeRun(number));
    return run(promise, section);
}

/** @returns {string} with all frames */
function longStack() {
    const { stackTraceLimit } = /** @type {any} */ (Error);
    Reflect.set(Error, 'stackTraceLimit', MOST_FRAMES); // a frozen Error keeps its limit of 10 frames
    const { stack } = new Error();
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
    return String(stack);
}

/** @param {string} stack @returns {Call[]} the sections whose code is in it, the innermost first */
export function sectionsIn(stack) {
    return [...stack.matchAll(FRAMES)].flatMap(([, number]) => holding.at(Number(number)) ?? []);
}

/**
 * Finds the awaiters of a request's promise without settling it: chains its resolve() behind a job, so that the stack
 * in the job continues with the promise's awaiters. The chain never reaches resolve().
 * @param {import('../waiting/request.js').Request} request that waits
 * @param {(sections: Call[], isAwaited: boolean) => void} onfound called in a job: the sections that await its
 *     promise, the innermost first, and whether an async function is known to await it
 */
export function findAwaiters({ resolve }, onfound) {
    void Promise.resolve()
        .then(() => {
            const stack = longStack();
            onfound(sectionsIn(stack), /\n +at async /.test(stack));
            return new Promise(() => {});
        })
        .then(resolve);
}
