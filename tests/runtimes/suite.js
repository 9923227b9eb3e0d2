/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { allTestFiles } from '../../scripts/test-files.mjs';

/* The test files that every runtime runs: those that use the package as programs do. */

const NAMES = [
    'glue/held',
    'glue/options',
    'glue/mutex',
    'glue/mutex-unlock-refused',
    'glue/named-data',
    'glue/state',
    'glue/rwlock-downgrade',
    'glue/rwlock-upgradable',
    'glue/rwlock-unlock-refused',
    'glue/mutex-threads',
    'glue/mutex-many-requests',
    'glue/mutex-lost-locks',
    'glue/mutex-contended',
    'glue/mutex-absent-waiters',
    'glue/mutex-busy-waiters',
    'glue/request-queue',
    'glue/primitives-construction',
    'glue/primitives-waits',
    'glue/primitives-threads',
    'glue/primitives-absent-waiters',
    'glue/semaphore',
    'glue/rwlock',
    'glue/condition',
    'glue/event',
    'glue/latch',
    'glue/barrier',
    'glue/once',
    'glue/recursive-mutex',
    'glue/channel',
    'glue/channel-threads',
    'glue/calls',
    'glue/calls-threads',
    'glue/abandoned',
    'glue/keyed',
    'glue/keyed-threads',
    'glue/keyed-steps',
    'glue/keyed-deaths',
    'glue/recoverable',
    'glue/tc39',
    'glue/tc39-tokens',
    'glue/web-locks',
    'glue/inspect',
    'glue/inspected-thread',
    'glue/lock-space',
    'glue/collected',
    'glue/awaited-loops',
    'glue/counted-threads',
    'glue/freed-locks',
    'glue/garbage-words',
    'glue/dead-heir',
    'glue/overtaking',
    'glue/yielding',
    'glue/blocking-slices',
    'glue/alarms',
    'glue/timeouts',
    'glue/timeouts-told',
    'glue/sweep',
    'glue/shared-signal',
    'glue/async-context',
    'glue/process-lifetime',
    'glue/trace',
    'glue/trace-harmless',
    'glue/missing-runtime-parts',
    'glue/bad-input',
    'glue/primitives-bad-input',
    'docs/examples',
];

/** @param {string} name */
const fileOf = (name) => `tests/${name}.test.js`;

export const SUITE = NAMES.map(fileOf);

/* The other files run in Node alone: their results do not depend on the runtime. */

/** Folders of tests/, with the reason. */
const OTHER_FOLDERS = {
    verification: 'the C sources, the module as built, and the models',
    package: 'what is published',
    tools: 'the commands, the benchmarks and the rules of the sources',
};

/** Single files, by the reason. */
const OTHER_FILES = {
    'the documents, and pages, which browsers run': [
        'docs/demo-page',
        'docs/documents',
        'docs/readme',
        'docs/servers',
        'docs/site',
        'docs/typed-first',
    ],
    'a program that Emscripten compiles for Node': ['docs/sqlite'],
    'the package as other tools bundle it, and tools for tests': ['glue/copies', 'glue/fake-timers'],
    'one test fails in Bun, whose errors of later jobs end the test, and one in Deno, which ends no thread that blocks':
        ['glue/deadlocks'],
    'terminated threads that block, which Deno does not end, so that tests that block for the others would hang; all pass in Bun':
        ['glue/channel-deaths', 'glue/calls-deaths'],
    'one test fails in Deno, whose workers go on for a while when they are terminated, and steal locks': [
        'glue/web-locks-shared',
    ],
    'a worker that runs out of memory: only Node limits it': ['glue/abandoned-memory'],
    'what Node loads when it is looked at': ['glue/start-up'],
    'texts of errors, which no runtime changes': ['glue/errors-name-locks'],
    'data beside a lock, which processors order and no runtime does': ['glue/litmus'],
    'stacks as V8 writes them: Deno passes, and in Bun 12 of 39 find other frames there': [
        'glue/debug',
        'glue/hangs',
    ],
    'what Bun lets no test see: errors that nobody catches, and what is left on its heap': [
        'glue/freed-locks-heap',
    ],
};

/** @type {Map<string, string>} run by Node alone, with the reason */
export const NODE_ONLY = new Map([
    ...Object.entries(OTHER_FOLDERS).flatMap(([folder, reason]) =>
        allTestFiles()
            .filter((file) => file.startsWith(`tests/${folder}/`))
            .map((file) => /** @type {const} */ ([file, reason])),
    ),
    ...Object.entries(OTHER_FILES).flatMap(([reason, names]) =>
        names.map((name) => /** @type {const} */ ([fileOf(name), reason])),
    ),
]);
