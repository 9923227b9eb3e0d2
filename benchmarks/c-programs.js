/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { builtFile } from './built.js';
import { GRACE_SECONDS } from './watchdog.js';

/* The programs of c/, each run in a process of its own. They end themselves when they hang, with words; here is what
 * ends one that cannot. */

/** @typedef {'wasm' | 'native'} Target */

/**
 * @param {Target} target
 * @param {string} program
 */
function commandLine(target, program) {
    if (target === 'native') {
        return [builtFile('bench-native', program)];
    }
    // Emscripten 3.1.6 takes a global fetch for a sign of the web. And the baseline compiler of V8 11.3 (Node 20) loses
    // values around a wait that is inlined, as that of emscripten_lock is: it seems to lose updates then.
    const flags = ['--no-experimental-fetch', '--no-liftoff'];
    return [process.execPath, ...flags, builtFile('bench-wasm', `${program}.js`)];
}

/**
 * @param {Target} target
 * @param {'uncontended' | 'contended'} program
 * @param {(string | number)[]} words
 * @param {number} seconds that it takes
 * @returns {Promise<any>} what it printed, as JSON
 */
async function run(target, program, words, seconds) {
    const [command = '', ...args] = [...commandLine(target, program), ...words.map(String)];
    const child = spawn(command, args, {
        stdio: ['ignore', 'pipe', 'inherit'],
        timeout: (seconds + GRACE_SECONDS) * 1000,
        killSignal: 'SIGKILL',
    });
    const [output, [code, killedBy]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    if (code !== 0) {
        const end = killedBy === null ? `exit code ${code}` : `it did not end, ${killedBy}`;
        throw new Error(`${program} (${target}) ${words.join(' ')}: ${end}`);
    }
    return JSON.parse(output);
}

/**
 * Those that can contend for a lock in that build, and why the others cannot.
 *
 * @param {Target} target
 * @returns {Promise<Record<string, { cannot?: string }>>}
 */
export function contestantsInC(target) {
    return run(target, 'contended', [], 0);
}

/** More turns than the program lets pass before those that count. */
const WARM_UP_TURNS = 15;
const CONTESTANTS = 4;

/**
 * A lock and an unlock with nobody else there; the contestants take turns.
 *
 * @param {Target} target
 * @param {{ turns: number, milliseconds: number }} options
 * @returns {Promise<Record<string, { nanoseconds?: number[], cannot?: string }>>} a pair's, by turn; or why there is none
 */
export function runUncontendedInC(target, { turns, milliseconds }) {
    const seconds = (CONTESTANTS * (WARM_UP_TURNS + turns) * milliseconds) / 1000;
    return run(target, 'uncontended', [turns, milliseconds], seconds);
}

/** Until the engine has compiled the loops; not measured. */
const WARM_UP_SECONDS = 0.2;

/**
 * Threads that lock again and again.
 *
 * @param {Target} target
 * @param {{ contestant: string, threads: number, sectionMicroseconds: number, seconds: number }} options
 * @returns {Promise<number[]>} sections per second by thread
 */
export async function runContendedInC(target, { contestant, threads, sectionMicroseconds, seconds }) {
    const warmUp = Math.min(WARM_UP_SECONDS, seconds);
    const milliseconds = [warmUp, seconds].map((duration) => Math.ceil(duration * 1000));
    const words = [threads, sectionMicroseconds * 1000, ...milliseconds, contestant];
    return (await run(target, 'contended', words, warmUp + seconds)).rates;
}
