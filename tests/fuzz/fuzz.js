/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { setTimeout as sleep } from 'node:timers/promises';
import { generate } from './generate.js';
import { print } from './print.js';
import { shrink } from './shrink.js';
import { switchesWith } from './switches.js';
import { codeOf } from './to-code.js';

/* Plays one program after another until the time is up or one fails, and then shrinks the failing program. */

/** The patience while a failing program is shrunk. The printed program has more (run-alone.js). */
const SHORT_PATIENCE_MS = 2500;
/** Failures that depend on time count only if they repeat, on a machine that does little else; other failures count at once. */
const TIMED = ['overtaken', 'burst'];
const AGAIN = 3;
/** On an idle machine a timer of 1 ms is a few milliseconds late at most. */
const BUSY_MS = 10;
const TURNS = 100;

/**
 * @typedef {object} Options
 * @property {number} seed of the first program; each that follows has the next one
 * @property {number} count at most
 * @property {number} milliseconds at most
 * @property {number} shrinkMilliseconds
 * @property {number} patience milliseconds after which a program hangs
 * @property {string[]} with switches
 * @property {boolean} inBrowser
 * @property {(line: string) => void} tell
 *
 * @typedef {{ programs: number, failure?: { seed: number, kind: string, message: string, code: string } }} Result
 */

/**
 * @param {import('./in-node.js').Place} place
 * @param {Options} options
 * @returns {Promise<Result>}
 */
export async function fuzz(place, options) {
    const { seed, count, milliseconds, shrinkMilliseconds, patience, inBrowser, tell } = options;
    const on = switchesWith(options.with);
    const start = performance.now();
    let programs = 0;
    for (; programs < count && performance.now() - start < milliseconds; programs += 1) {
        const program = generate(seed + programs, on, inBrowser);
        const failure = await place.play(codeOf(program), patience);
        if (failure && (await isSo(place, program, failure, patience))) {
            const seconds = ((performance.now() - start) / 1000).toFixed(1);
            tell(`seed ${seed + programs} fails after ${seconds} s: ${failure.kind}: ${failure.message}`);
            const small = await shrink(program, failsAs(place, failure.kind), shrinkMilliseconds);
            const last = (await repeated(place, small, failure.kind)) ?? failure;
            const heading = [
                `seed ${seed + programs}: ${failure.kind}`,
                ...last.message.split('\n').slice(0, 6),
            ];
            const code = print(codeOf(small), heading);
            return { programs: programs + 1, failure: { seed: seed + programs, ...last, code } };
        }
    }
    return { programs };
}

/**
 * @param {import('./in-node.js').Place} place
 * @param {import('./program.js').Program} program
 * @param {import('./player.js').Failure} failure
 * @param {number} patience
 */
async function isSo(place, program, { kind }, patience) {
    for (let time = 1; TIMED.includes(kind) && time < AGAIN; time += 1) {
        const again = await place.play(codeOf(program), patience);
        if (again?.kind !== kind) {
            return false;
        }
    }
    return !(TIMED.includes(kind) && (await isMachineBusy()));
}

/** True if timers come late. Then a late thread is the fault of other programs, not of the lock. */
async function isMachineBusy() {
    let latest = 0;
    for (let turn = 0; turn < TURNS; turn += 1) {
        const start = performance.now();
        await sleep(1);
        latest = Math.max(latest, performance.now() - start);
    }
    return latest > BUSY_MS;
}

/** @param {import('./in-node.js').Place} place @param {import('./program.js').Program} program @param {string} kind */
async function repeated(place, program, kind) {
    for (let time = 0; time < AGAIN; time += 1) {
        const failure = await place.play(codeOf(program), SHORT_PATIENCE_MS);
        if (failure?.kind === kind) {
            return failure;
        }
    }
    return undefined;
}

/** @param {import('./in-node.js').Place} place @param {string} kind @returns {import('./shrink.js').Fails} */
function failsAs(place, kind) {
    return async (program) => (await repeated(place, program, kind)) !== undefined;
}
