/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Which files of tests/ every runtime runs: those that use what users import, with threads or as one of them. */

const NAMES = [
    'mutex',
    'mutex-takes',
    'mutex-threads',
    'request-queue',
    'waiting',
    'waits',
    'semaphore',
    'rwlock',
    'condition',
    'event',
    'latch',
    'barrier',
    'once',
    'places',
    'lock-space',
    'games',
    'traps',
    'family-traps',
    'regressions',
    'trace',
    'seldom',
    'bad-input',
    'family-bad-input',
    'examples',
];

/** @param {string} name */
const fileOf = (name) => `tests/${name}.test.js`;

export const SUITE = NAMES.map(fileOf);

/* The others, by what they look at instead, which is the same whatever runs the tests. */
const OTHERS = {
    'what is built, and how': [
        'contract',
        'emscripten',
        'layout',
        'module-gate',
        'native',
        'page-bytes',
        'setup',
        'spawn-tied',
    ],
    'the sources, the documents and the package': [
        'bundlers',
        'copies',
        'docs',
        'docs-servers',
        'docs-site',
        'fake-timers',
        'house',
        'package',
        'readme',
    ],
    'pages, which browsers run, and the commands that serve them': ['demo-page', 'start'],
    'the module in the interpreter and in the scheduler of models/, and the models themselves': [
        'explorer',
        'models',
        'models-phases',
        'orders',
        'schedules',
        'specification',
    ],
    'what Bun lets no test see: errors that nobody catches, what is left on its heap, where its stack ends': [
        'foreign-code',
        'freed-heap',
        'stack-overflow',
    ],
    'nothing else: they are new, and join the others when docs/runtimes.md is written next': [
        'beside',
        'overtaking',
        'one-signal',
        'context',
        'garbage-words',
        'freed',
        'in-turns',
        'slices',
        'trace-harmless',
        'sweep',
    ],
    'the benchmarks': ['bench', 'bench-c', 'bench-report', 'wait-points'],
};

/** Run by Node alone, with the reason. */
export const NODE_ONLY = new Map(
    Object.entries(OTHERS).flatMap(([reason, names]) =>
        names.map((name) => /** @type {const} */ ([fileOf(name), reason])),
    ),
);
