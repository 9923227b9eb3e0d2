/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { throughput } from '../rounds.js';
import { runRoundsInC } from '../c-programs.js';
import { figureOf } from '../figures.js';

/* Two locks in one cache line: each step of one thread takes the line away from the other thread. Two locks need two lines; a
 * lock and its data may share one. */

/** Distances in bytes; the others are compared with the first one. */
const [NEAR, ...FAR] = [16, 64, 128];

const KINDS = {
    mutex: 'a mutex a thread',
    data: 'one mutex, and what it guards',
};

/** @param {import('../c-programs.js').Target} target @param {import('./scenarios.js').Options} options */
async function figuresOf(target, { rounds, seconds }) {
    const contestants = Object.keys(KINDS).flatMap((kind) =>
        [NEAR, ...FAR].map((bytes) => `${kind} ${bytes}`),
    );
    const load = { contestants, rounds, threads: 2, sectionMicroseconds: 0, seconds: seconds / 4 };
    const rates = await runRoundsInC(target, 'neighbours', load);
    const sections = (/** @type {string} */ name) => (rates[name] ?? []).map(throughput);
    return Object.entries(KINDS).flatMap(([kind, what]) => {
        const near = { name: `${NEAR} bytes apart`, rounds: sections(`${kind} ${NEAR}`) };
        return FAR.map((bytes) => {
            const figure = `in ${target === 'native' ? 'native ' : ''}C, ${what}, ${bytes} bytes apart: sections of both`;
            return figureOf(figure, '/s', sections(`${kind} ${bytes}`), near);
        });
    });
}

/** @type {import('./scenarios.js').Scenario} */
export const lines = {
    name: 'lines',
    inOtherProcesses: true,
    title: 'two threads, each with a lock of its own: in one cache line, and in two; and a lock beside what it guards',
    async run(options) {
        const native = options.full ? await figuresOf('native', options) : [];
        return { figures: [...(await figuresOf('wasm', options)), ...native] };
    },
};
