/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { openNode } from './in-node.js';

/* Runs a program that the fuzzer has printed. */

const PATIENCE_MS = 10_000;

/**
 * Plays a program in Node, and says what is wrong.
 *
 * @param {{ objects: any[], threads: Function[], victims?: any[], contexts?: boolean }} program
 */
export async function runAlone({ objects, threads, victims = [], contexts = false }) {
    const place = await openNode();
    const failure = await place.play(
        {
            objects,
            contexts,
            threads: threads.map(String),
            victims: victims.map((victim) => ({ ...victim, code: String(victim.code) })),
        },
        PATIENCE_MS,
    );
    await place.close();
    console.log(failure ? `${failure.kind}: ${failure.message}` : 'nothing is wrong');
    process.exitCode = failure ? 1 : 0;
}
