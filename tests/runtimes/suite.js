/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Which files of tests/ every runtime runs: those that use what users import, with threads or as one of them. */

const NAMES = [
    'glue/mutex',
    'glue/mutex-unlock-refused',
    'glue/mutex-threads',
    'glue/request-queue',
    'glue/waiting-decisions',
    'glue/primitives-waits',
    'glue/semaphore',
    'glue/rwlock',
    'glue/condition',
    'glue/event',
    'glue/latch',
    'glue/barrier',
    'glue/once',
    'glue/primitives-construction',
    'glue/lock-space',
    'glue/primitives-threads',
    'glue/mutex-absent-waiters',
    'glue/primitives-absent-waiters',
    'glue/regressions',
    'glue/trace',
    'glue/missing-runtime-parts',
    'glue/bad-input',
    'glue/primitives-bad-input',
    'docs/examples',
];

/** @param {string} name */
const fileOf = (name) => `tests/${name}.test.js`;

export const SUITE = NAMES.map(fileOf);

/* The others, by what they look at instead, which is the same whatever runs the tests. */
const OTHERS = {
    'what is built, and how': [
        'verification/contract',
        'package/emscripten',
        'verification/layout',
        'verification/module-gate',
        'verification/native',
        'package/page-bytes',
        'tools/setup',
        'tools/spawn-tied',
        'tools/test-files',
    ],
    'the sources, the documents and the package': [
        'package/bundlers',
        'glue/copies',
        'docs/documents',
        'docs/servers',
        'docs/site',
        'glue/fake-timers',
        'tools/house',
        'package/package',
        'docs/readme',
    ],
    'pages, which browsers run, and the commands that serve them': ['docs/demo-page', 'tools/start'],
    'the module in the interpreter and in the scheduler of models/, and the models themselves': [
        'verification/explorer',
        'verification/models',
        'verification/models-phases',
        'verification/orders',
        'verification/schedules',
        'verification/specification',
    ],
    'what Bun lets no test see: errors that nobody catches, what is left on its heap, where its stack ends': [
        'glue/throwing-signals',
        'glue/freed-locks-heap',
        'glue/stack-overflow',
    ],
    'nothing else: they are new, and join the others when docs/runtimes.md is written next': [
        'glue/dead-successor',
        'glue/overtaking',
        'glue/shared-signal',
        'glue/async-context',
        'glue/garbage-words',
        'glue/freed-locks',
        'glue/yielding',
        'glue/blocking-slices',
        'glue/trace-harmless',
        'glue/sweep',
    ],
    'the benchmarks': ['tools/bench', 'tools/bench-c', 'tools/bench-report', 'tools/bench-wait-points'],
};

/** Run by Node alone, with the reason. */
export const NODE_ONLY = new Map(
    Object.entries(OTHERS).flatMap(([reason, names]) =>
        names.map((name) => /** @type {const} */ ([fileOf(name), reason])),
    ),
);
