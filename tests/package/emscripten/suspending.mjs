/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Plays one scenario of calls that suspend, with a program made of suspending.c. A page calls `play`; in Node the
 * arguments are the program's path and the scenario's name. */

const [OK, TIMEOUT, DEADLOCK] = [0, 2, 3];
const FOREVER = -1;
const A_WHILE_MS = 50;
const WATCHDOG_MS = 30_000;

const aWhile = (times = 1) => new Promise((resolve) => setTimeout(resolve, times * A_WHILE_MS));

/** @param {unknown} actual @param {unknown} expected */
function equal(actual, expected) {
    if (actual !== expected) {
        throw new Error(`${actual}, not ${expected}`);
    }
}

/** @typedef {any} Program what Emscripten makes of suspending.c */

/**
 * Lets a thread take the mutex, and waits for that without blocking.
 *
 * @param {Program} program
 * @param {number} at
 */
async function take(program, at) {
    program._ask_to_take(at);
    while (!program._is_taken(at)) {
        await aWhile(0.1);
    }
}

/** @type {Record<string, (program: Program) => Promise<void>>} */
const SCENARIOS = {
    async 'a free mutex'(program) {
        const result = program._lock_once(0, FOREVER);
        equal(program._count_ended(), 1); // it has not suspended
        equal(await result, OK);
    },
    async 'a held mutex'(program) {
        await take(program, 0);
        const result = program._lock_once(0, FOREVER);
        equal(program._count_ended(), 0);
        await aWhile();
        equal(program._use_the_stack(), 1);
        equal(program._count_ended(), 0);
        program._give(0);
        equal(await result, OK);
    },
    async 'time limits'(program) {
        await take(program, 0);
        equal(await program._lock_once(0, 0), TIMEOUT);
        const began = performance.now();
        equal(await program._lock_once(0, A_WHILE_MS), TIMEOUT);
        equal(performance.now() - began >= A_WHILE_MS - 1, true);
        const later = program._lock_once(0, 100 * A_WHILE_MS);
        await aWhile();
        program._give(0);
        equal(await later, OK);
    },
    async 'of one mutex the latest call comes first'(program) {
        await take(program, 0);
        /** @type {number[]} */
        const order = [];
        const calls = [1, 2, 3].map((call) =>
            program._lock_once(0, FOREVER).then((/** @type {number} */ result) => {
                equal(result, OK);
                order.push(call);
            }),
        );
        await aWhile();
        program._give(0);
        await Promise.all(calls);
        equal(String(order), '3,2,1');
    },
    async 'two mutexes, in the order of the stack'(program) {
        await take(program, 0);
        await take(program, 1);
        const outer = program._lock_once(0, FOREVER);
        const inner = program._lock_once(1, FOREVER);
        await aWhile();
        program._give(1);
        equal(await inner, OK);
        program._give(0);
        equal(await outer, OK);
    },
    async 'a time limit while a later call is suspended'(program) {
        await take(program, 0);
        await take(program, 1);
        const outer = program._lock_once(0, A_WHILE_MS);
        const inner = program._lock_once(1, FOREVER);
        await aWhile(4);
        equal(program._count_ended(), 0);
        program._give(1);
        equal(await inner, OK);
        equal(await outer, TIMEOUT);
        program._give(0);
    },
    async 'a mutex that the thread holds'(program) {
        equal(await program._lock_twice(0), DEADLOCK);
    },
    async 'a thread that may block'(program) {
        await take(program, 0);
        program._lock_elsewhere();
        await aWhile();
        equal(program._read_result_there(), -1);
        program._give(0);
        while (program._read_result_there() === -1) {
            await aWhile(0.1);
        }
        equal(program._read_result_there(), OK);
    },
    async 'two mutexes, against the order of the stack'(program) {
        await take(program, 0);
        await take(program, 1);
        program._lock_once(0, FOREVER).catch(ignore);
        program._lock_once(1, FOREVER).catch(ignore);
        await aWhile();
        program._give(0);
        await aWhile(20);
    },
    async 'C code that something else has suspended later'(program) {
        await take(program, 0);
        program._lock_once(0, FOREVER).catch(ignore);
        program._sleep_for(1e6);
        program._give(0);
        await aWhile(20);
    },
    async 'C code that something else has suspended earlier'(program) {
        await take(program, 0);
        const earlier = program._sleep_for(A_WHILE_MS);
        program._lock_once(0, FOREVER).catch(ignore);
        await earlier;
        program._give(0);
        await aWhile(20);
    },
};

/** Ignores expected errors: the program ends while its calls still wait. */
function ignore() {}

/**
 * @param {object} scenario
 * @param {string} scenario.file
 * @param {string} scenario.name
 * @returns {Promise<string>} the outcome
 */
export async function play({ file, name }) {
    const { default: create } = await import(file);
    return new Promise((resolve) => {
        setTimeout(resolve, WATCHDOG_MS, 'watchdog: it did not end');
        create({ onAbort: resolve })
            .then((/** @type {Program} */ program) => SCENARIOS[name]?.(program))
            .then(
                () => resolve('as it should be'),
                (/** @type {unknown} */ error) => resolve(String(error)),
            );
    });
}

if (typeof process === 'object') {
    process.on('uncaughtException', ignore); // onAbort has reported it
    const [, , file = '', name = ''] = process.argv;
    console.log(await play({ file, name }));
    process.exit();
}
