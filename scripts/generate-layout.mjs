/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Writes the glue's copy of the numbers in the C headers to js-glue/memory/layout.js, or to the file that its argument names. The
 * numbers come from c-src/layout.c, built by the native preset. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @type {Record<string, string>} */
const MEANING = {
    RESULT: 'The result of an operation (include/holdfast/result.h).',
    GATE: 'The parts of most locks: its words as byte offsets, its times (include/holdfast/gate.h).',
    MUTEX: 'A mutex: its size (include/holdfast/mutex.h).',
    RECURSIVE_MUTEX: 'A recursive mutex (include/holdfast/recursive_mutex.h).',
    SEMAPHORE: 'A semaphore (include/holdfast/semaphore.h).',
    RWLOCK: 'A reader-writer lock: its size, and what the modes take of its gate (include/holdfast/rwlock.h, rwlock.h).',
    CONDITION: 'A condition (include/holdfast/condition.h, condition.h).',
    EVENT: 'An event (include/holdfast/event.h, event.h).',
    LATCH: 'A latch (include/holdfast/latch.h).',
    BARRIER: 'A barrier (include/holdfast/barrier.h).',
    ONCE: 'A once (include/holdfast/once.h).',
    CHANNEL: 'A channel; the offset of a word counts from its side (include/holdfast/channel.h, channel.h).',
    STEP: 'The input and output of a step (waiting.h, gate.h).',
    SPACE: 'A space; the offsets count from ADDRESS, where its header lies (space.h).',
    AGENTS: 'The table of threads (agents.h).',
    AGENT: 'A slot of it (agents.h).',
    AT: 'The kind of object at the place that a thread waits for, in its lower bits (agents.h).',
    THREAD: "Threads' identities in lock words (include/holdfast/thread.h).",
};

const HEAD = `/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Generated from the C headers by scripts/generate-layout.mjs; do not edit. */
`;

/**
 * @param {string} name
 * @param {Record<string, number>} numbers
 */
function declaration(name, numbers) {
    // Each number is a constant of its own, so that bundlers inline the used ones and drop the others.
    const rows = Object.entries(numbers).map(([key, value]) => `export const ${name}_${key} = ${value};\n`);
    return `\n/* ${MEANING[name]} */\n${rows.join('')}`;
}

const program = `${root}build/layout`;
mkdirSync(`${root}build`, { recursive: true });
// Without CMake, whose configuration takes ten times as long.
const sources = ['c-src/layout.c', 'c-src/holdfast.c'];
execFileSync('cc', ['-std=c11', '-pthread', '-Ic-src/include', ...sources, '-o', program], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
});
const layout = JSON.parse(execFileSync(program, { encoding: 'utf8' }));
const declarations = Object.keys(layout).map((name) => declaration(name, layout[name]));
writeFileSync(process.argv[2] ?? `${root}js-glue/memory/layout.js`, HEAD + declarations.join(''));
