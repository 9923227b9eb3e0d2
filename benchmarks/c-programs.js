/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { GRACE_SECONDS } from './watchdog.js';

/* Runs the programs of c/, each in a process of its own. A program that hangs ends itself with a message; a limit here ends one
 * that cannot. */

/** With a global fetch, Emscripten 3.1.6 takes Node for a browser. Since version 24 Node has no option to
 * remove fetch. */
export const WITHOUT_FETCH = ['--import', 'data:text/javascript,delete globalThis.fetch'];

/** @param {'bench-wasm' | 'bench-native'} preset @param {string} name @returns {string} the file */
export function builtFile(preset, name) {
    const file = fileURLToPath(new URL(`../build/${preset}/${name}`, import.meta.url));
    if (!existsSync(file)) {
        throw new Error(`build/${preset}/${name} is not built; node scripts/setup.mjs bench builds it`);
    }
    return file;
}

/** @typedef {'wasm' | 'native'} Target */

/** @param {Target} target @param {string} program */
function commandLine(target, program) {
    if (target === 'native') {
        return [builtFile('bench-native', program)];
    }
    // The baseline compiler of V8 11.3 (Node 20) loses values around an inlined wait, such as emscripten_lock's, which then seems
    // to lose updates.
    return [process.execPath, ...WITHOUT_FETCH, '--no-liftoff', builtFile('bench-wasm', `${program}.js`)];
}

/** Thrown if a contestant hung, or let two threads in. The program names it. */
export class FailedContestantError extends Error {
    /** @param {{ failed: string, what: string }} failure */
    constructor({ failed, what }) {
        super(what);
        this.contestant = failed;
    }
}

/** @typedef {'mutex' | 'semaphore' | 'rwlock' | 'rwlock, shared' | 'condition' | 'barrier' | 'neighbours' | 'sleepers' | 'channel'} Primitive */

/** The time before the measurement, in which the engine compiles the loops. Later rounds run in the same
 * process. */
const WARM_UP_SECONDS = 0.03;

/** No primitive has more contestants. */
const MOST_CONTESTANTS = 6;

/**
 * @typedef {object} LoadInC
 * @property {Primitive} [primitive] a mutex by default
 * @property {readonly string[]} [contestants] by default all; with a minus those to leave out
 * @property {number} rounds
 * @property {number} threads 0: a lock and an unlock are timed without contention
 * @property {number} us of a section
 * @property {number} [amount] what c/primitives.c and c/channels.c say
 * @property {number} seconds that are measured
 * @property {number} [warmUp] seconds before
 *
 * @typedef {object} MeasuredInC
 * @property {number} nanoseconds of a pair of calls, without contention
 * @property {number[]} rates sections per second, by thread
 * @property {number} sections of all threads together
 * @property {number} longest ms between two sections of a thread
 * @property {number} cores the share of a core that all threads together took
 * @property {{ changes: number, fetches: number, sleeps: number, wakes: number }} counts of the program `counted`: operations on
 *     the lock (c/counted.h)
 */

/**
 * Runs threads that use a primitive again and again; the contestants take turns in one process.
 * @param {Target} target @param {LoadInC} load @param {'contended' | 'counted'} [program]
 * @returns {Promise<{ title: string, runs: MeasuredInC[], cannot?: string }[]>} of each contestant the rounds, or why there are none
 * @throws {FailedContestantError}
 */
export async function runInC(target, load, program = 'contended') {
    const { primitive = 'mutex', contestants = [], rounds, threads, us, amount = 0, seconds } = load;
    const warmUp = load.warmUp ?? Math.min(WARM_UP_SECONDS, seconds);
    const milliseconds = [warmUp, seconds].map((duration) => Math.ceil(duration * 1000));
    const words = [threads, rounds, ...milliseconds, primitive, us * 1000, amount, ...contestants].map(
        String,
    );
    const most = rounds * MOST_CONTESTANTS * (warmUp + seconds) + GRACE_SECONDS;
    const [command = '', ...args] = commandLine(target, program);
    const child = spawn(command, [...args, ...words], {
        stdio: ['ignore', 'pipe', 'inherit'],
        timeout: Math.ceil(most * 1000),
        killSignal: 'SIGKILL',
    });
    const [output, [code, killedBy]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    if (code !== 0) {
        const end = killedBy === null ? `exit code ${code}` : `it did not end, ${killedBy}`;
        const line = output.trim().split('\n').at(-1) ?? '';
        throw line.startsWith('{ "failed"')
            ? new FailedContestantError(JSON.parse(line))
            : new Error(`${program} (${target}) ${words.join(' ')}: ${end}`);
    }
    /** @type {Record<string, MeasuredInC & { cannot?: string }>[]} */
    const results = JSON.parse(output);
    return Object.entries(results[0] ?? {}).map(([title, { cannot }]) => ({
        title,
        cannot,
        runs: cannot === undefined ? results.flatMap((round) => round[title] ?? []) : [],
    }));
}
