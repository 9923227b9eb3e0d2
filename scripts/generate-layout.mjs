/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Writes the copies of the numbers in the C sources, here or in the folder that its argument names. The numbers come from
 * c-src/layout.c. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** Private parts of the sources, which only models and tests need. @type {Record<string, string>} */
const PRIVATE_MEANING = {
    GATE: "Bits of a gate's word, a token's stages and numbers (gate_word.h); how a blocking thread waits (gate_block.c).",
    CONDITION: "The parts of a condition's word (condition.c).",
    EVENT: 'The epoch in the state of a manual event (event.c).',
    BARRIER: 'The parts of the words of a barrier (barrier.c).',
    WAITING: 'How long a blocked thread spins, and the number of its growing slices (waiting.c, waiting.h).',
    AGENT: 'The states of a slot of the table of threads, and the parts of its words (agents.c, records.h).',
};

const HEAD = `/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Generated from the C sources by scripts/generate-layout.mjs; do not edit. */
`;

/**
 * @param {string} meaning
 * @param {string} name
 * @param {Record<string, number>} numbers
 */
function declaration(meaning, name, numbers) {
    // Each number is a constant of its own, so that bundlers inline the used ones and drop the others.
    const rows = Object.entries(numbers).map(([key, value]) => `export const ${name}_${key} = ${value};\n`);
    return `\n/* ${meaning} */\n${rows.join('')}`;
}

const program = `${root}build/layout`;
mkdirSync(`${root}build`, { recursive: true });
// Without CMake, whose configuration takes ten times as long.
execFileSync('cc', ['-std=c11', '-pthread', '-Ic-src/include', 'c-src/layout.c', '-o', program], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
});
/** @type {Record<'glue' | 'models', Record<string, Record<string, number>>>} */
const { glue, models } = JSON.parse(execFileSync(program, { encoding: 'utf8' }));
for (const { file, meaning, groups } of [
    { file: 'js-glue/memory/layout.js', meaning: MEANING, groups: glue },
    { file: 'models/c/numbers.js', meaning: PRIVATE_MEANING, groups: models },
]) {
    const path = join(process.argv[2] ?? root, file);
    mkdirSync(dirname(path), { recursive: true });
    const rows = Object.entries(groups).map(([name, numbers]) =>
        declaration(meaning[name] ?? '', name, numbers),
    );
    writeFileSync(path, HEAD + rows.join(''));
}
