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
    /** @override */
    name = 'FailedContestantError';

    /** @param {{ failed: string, what: string }} failure */
    constructor({ failed, what }) {
        super(what);
        this.contestant = failed;
    }
}

/**
 * @param {Target} target @param {'contended' | 'counted' | 'idle'} program @param {(string | number)[]} words
 * @param {number} seconds that it takes @returns {Promise<any>} what it printed, as JSON
 * @throws {FailedContestantError}
 */
async function run(target, program, words, seconds) {
    const [command = '', ...args] = [...commandLine(target, program), ...words.map(String)];
    const child = spawn(command, args, {
        stdio: ['ignore', 'pipe', 'inherit'],
        timeout: Math.ceil((seconds + GRACE_SECONDS) * 1000),
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
    return JSON.parse(output);
}

/** @typedef {'mutex' | 'semaphore' | 'rwlock' | 'condition' | 'barrier' | 'neighbours' | 'condition, notified after the unlock' | `channel ${1 | 16 | 64 | 256}`} Primitive */

/** @typedef {Record<string, { pairs: boolean, cannot?: string }>} Contestants */

/** @type {Partial<Record<Target, Promise<Record<Primitive, Contestants>>>>} */
const known = {};

/**
 * The contestants of a build: whether they have a pair of calls, and why they cannot contend.
 * @param {Target} target @param {Primitive} [primitive] @returns {Promise<Contestants>}
 */
export async function contestantsInC(target, primitive = 'mutex') {
    known[target] ??= run(target, 'contended', [], 0);
    return (await known[target])[primitive];
}

/** The turns until a wasm engine has compiled the loops for the second time. */
const WARM_UP_TURNS = 15;

/** No section of a hundred reads: for primitives without readers. */
const NONE = 0;

/**
 * Times a lock and an unlock without contention; the contestants take turns.
 * @param {Target} target
 * @param {{ turns: number, milliseconds: number, primitive?: Primitive, readsIn100?: 0 | 100 }} options
 * @returns {Promise<Record<string, { nanoseconds?: number[], cannot?: string }>>} the time of a pair, by turn; or why
 *     there is none
 */
export async function runUncontendedInC(target, options) {
    const { turns, milliseconds, primitive = 'mutex', readsIn100 = NONE } = options;
    const known = Object.entries(await contestantsInC(target, primitive));
    const contestants = known.filter(([, { pairs }]) => pairs).map(([name]) => name);
    const all = WARM_UP_TURNS + turns;
    const words = [0, all, 0, milliseconds, primitive, 0, readsIn100, ...contestants];
    const rounds = await run(target, 'contended', words, (contestants.length * all * milliseconds) / 1000);
    const nanoseconds = (/** @type {string} */ name) =>
        rounds.slice(WARM_UP_TURNS).map((/** @type {Record<string, number>} */ round) => round[name]);
    return Object.fromEntries(
        known.map(([name, { pairs, cannot }]) => [
            name,
            pairs ? { nanoseconds: nanoseconds(name) } : { cannot },
        ]),
    );
}

/** The time before the measurement, in which the engine compiles the loops. Later rounds run in the same
 * process. */
const WARM_UP_SECONDS = 0.03;

/**
 * @typedef {object} LoadInC
 * @property {readonly string[]} contestants
 * @property {number} rounds
 * @property {number} threads
 * @property {number} sectionMicroseconds
 * @property {number} [readsIn100]
 * @property {number} seconds that are measured
 *
 * @typedef {number[]} Rates sections per second by thread
 * @typedef {{ sections: number, changes: number, fetches: number, sleeps: number, wakes: number }} Counts the
 *     sections of all threads together, and their operations on the lock (c/counted.h)
 */

/**
 * Runs threads that use a primitive again and again; the contestants take turns in one process.
 * @param {Target} target @param {Primitive} primitive @param {LoadInC} load @param {'contended' | 'counted'} [program]
 * @returns {Promise<Record<string, any>[]>} of each round: by contestant `Rates`; as 'NAME, longest wait' the most ms between two
 *     sections of a thread; of `counted`, as 'NAME, counts', `Counts`
 * @throws {FailedContestantError}
 */
export async function roundsInC(target, primitive, load, program = 'contended') {
    const { contestants, rounds, threads, sectionMicroseconds, seconds, readsIn100 = NONE } = load;
    const warmUp = Math.min(WARM_UP_SECONDS, seconds);
    const milliseconds = [warmUp, seconds].map((duration) => Math.ceil(duration * 1000));
    const words = [threads, rounds, ...milliseconds, primitive, sectionMicroseconds * 1000, readsIn100];
    const all = rounds * contestants.length * (warmUp + seconds);
    return run(target, program, [...words, ...contestants], all);
}

/**
 * @param {Target} target @param {Primitive} primitive @param {LoadInC} load
 * @returns {Promise<Record<string, Rates[]>>} by contestant and round
 */
export async function runRoundsInC(target, primitive, load) {
    const rounds = await roundsInC(target, primitive, load);
    return Object.fromEntries(load.contestants.map((name) => [name, rounds.map((round) => round[name])]));
}

/**
 * The share of a core that threads sleeping in a wait take, by what they wait for. Natively only.
 * @param {number} threads
 * @param {{ settle: number, seconds: number }} times in seconds: before the measurement, and of the measurement
 * @param {readonly string[]} ways @returns {Promise<Record<string, number>>}
 */
export function runIdleInC(threads, { settle, seconds }, ways) {
    const words = [threads, ...[settle, seconds].map((time) => Math.ceil(time * 1000)), ...ways];
    return run('native', 'idle', words, ways.length * (settle + seconds));
}
