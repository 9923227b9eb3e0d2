/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readdirSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @typedef {'build' | 'verify' | 'test' | 'all'} Purpose of scripts/setup.mjs */

/** @type {Purpose[]} each purpose includes the needs of those before it */
const PURPOSES = ['build', 'verify', 'test', 'all'];

/** @type {Record<string, Purpose>} the needs of the folders of tests/; all other folders need `test` */
export const PURPOSE_OF_FOLDER = { glue: 'build', verification: 'verify' };

/** Test files that run benchmarks, which have builds of their own. */
const BENCHMARKS = /^tests\/tools\/bench(-c|-report)?\.test/;

/** Files that only `npm run test:all` runs; docs/verification.md says why. */
const ONLY_IN_ALL = [
    'tests/browser/docs.test.js',
    'tests/browser/hangs.test.js',
    'tests/browser/sqlite.test.js',
    'tests/docs/servers.test.js',
    'tests/docs/site.test.js',
    'tests/docs/sqlite.test.js',
    'tests/glue/fake-timers.test.js',
    'tests/package/bundlers.test.js',
    'tests/package/c-library.test.js',
    'tests/package/emscripten-page.test.js',
    'tests/package/next.test.js',
    'tests/package/react.test.js',
    'tests/runtimes/engines.test.js',
    'tests/runtimes/smoke.test.js',
    'tests/stress/browser.test.js',
    'tests/tools/bench-c.test.js',
    'tests/tools/bench-report.test.js',
    'tests/tools/bench.test.js',
    'tests/verification/any-number.test.js',
    'tests/verification/model-walks.test.js',
    'tests/verification/native-tidy.test.js',
    'tests/verification/native.test.js',
    'tests/verification/orders-sanitized.test.js',
    'tests/verification/orders.test.js',
    'tests/verification/snapshot.test.js',
];

/** Files of tests/glue/ whose waits have no limit (tests/support/endless.js), which stays so for their whole process. */
const ENDLESS = `barrier channel condition event held keyed latch mutex mutex-threads once primitives-threads primitives-waits
    rwlock rwlock-downgrade semaphore shared-signal`;

/** Files of tests/glue/ that patch or count what their process has, or that take long. */
const APART = `abandoned blocking-slices collected copies dead-heir deadlocks debug freed-locks freed-locks-heap garbage-words hangs
    inspect keyed-deaths keyed-steps litmus lock-space missing-runtime-parts mutex-absent-waiters mutex-busy-waiters
    mutex-many-requests overtaking primitives-absent-waiters process-lifetime recoverable request-queue start-up sweep
    web-locks-shared yielding`;

/** A pattern for any of these names. @param {string} names */
const anyOf = (names) => `(${names.split(/\s+/).join('|')})\\.test`;

/**
 * Files of the quick tier that run in one process, by a name for all of them: a file is of the first group that matches. A process
 * takes a quarter of a second to start and to load the glue; one page of each browser serves its group; models are built once.
 */
const TOGETHER = {
    'tests/browser/* in chromium': /^tests\/browser\/(?!(cached|hidden|launch|overtaking|schedules)\.test)/,
    'tests/verification/*':
        /^tests\/verification\/(?!(linuxes|module-gate|mutants|native-sanitized|schedules|specification)\.test)/,
    'tests/glue/* without limits': new RegExp(`^tests/glue/${anyOf(ENDLESS)}`),
    'tests/glue/*': new RegExp(`^tests/glue/(?!${anyOf(APART)})`),
};

/** The group in which `npm test` runs the file, if it is of one. @param {string} file */
export const groupOf = (file) => Object.entries(TOGETHER).find(([, parts]) => parts.test(file))?.[0];

const IN_CHROMIUM_ALONE = /^tests\/browser\/(demo-page|examples)\.test/;

/**
 * The names by which `npm test` runs the file: each browser has a process of its own, so that both run at the same time.
 * @param {string} file
 */
export function runsOf(file) {
    const group = groupOf(file) ?? file;
    const isTwice = / in chromium$/.test(group) && !IN_CHROMIUM_ALONE.test(file);
    return isTwice ? [group, group.replace('chromium', 'firefox')] : [group];
}

/**
 * All test files, from the root of the project.
 *
 * Node 20 knows no globs here, and its own search would run the files that tests start in their threads.
 */
export function allTestFiles() {
    return readdirSync(join(ROOT, 'tests'), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.test.js'))
        .sort()
        .map((file) => join('tests', file));
}

/** The test files of `npm test`. */
export function quickTestFiles() {
    return allTestFiles().filter((file) => !ONLY_IN_ALL.includes(file));
}

/**
 * The test files that the arguments name, each by itself or by its folder.
 *
 * @param {string[]} names
 */
export function testFilesOf(names) {
    const known = allTestFiles();
    return names.flatMap((name) => filesNamed(name, known));
}

/**
 * @param {string} name
 * @param {string[]} known
 */
function filesNamed(name, known) {
    const path = relative(ROOT, resolve(ROOT, name));
    const files = known.filter((file) => file === path || file.startsWith(join(path, '/')));
    if (files.length === 0) {
        const similar = known.filter((file) => basename(file) === basename(path));
        const advice =
            similar.length > 0 ? `Did you mean ${similar.join(' or ')}?` : 'tests/README.md lists them.';
        throw new Error(`there is no test file ${name}. ${advice}`);
    }
    return files;
}

/**
 * The setup that these files need.
 *
 * @param {string[]} files
 * @returns {Purpose}
 */
export function purposeOf(files) {
    const purposes = files.map((file) =>
        BENCHMARKS.test(file) ? 'all' : (PURPOSE_OF_FOLDER[file.split('/')[1] ?? ''] ?? 'test'),
    );
    return PURPOSES.findLast((purpose) => purposes.includes(purpose)) ?? 'test';
}
