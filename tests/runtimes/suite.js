/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The files of tests/ that every runtime runs: those that use what users import, with threads or as one of them. The
 * others look at the sources, at the module's bytes, at C, at browsers or at the commands of this repository. */
export const SUITE = [
    'mutex',
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
    'seldom',
    'bad-input',
    'family-bad-input',
    'examples',
].map((name) => `tests/${name}.test.js`);
