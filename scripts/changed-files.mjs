/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importsOf } from './imports.mjs';
import { runQuietly } from './run-quietly.mjs';

/* Finds the tests that a change affects: those that reach a changed file by imports, or by its name in quotes. A table lists
 * links that no import shows. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The tests that run for every change. */
const ALWAYS = /^tests\/tools\/house/;

/** The tests that a C source affects: nearly all, since they run the module. */
const OF_C = /^tests\/(glue|verification)\/|^tests\/package\/(c-|emscripten|package)|^tests\/browser\//;

/** Patterns of changed paths, and the tests that they affect in addition to those that reach them. @type {[RegExp, RegExp][]} */
const TOUCHES = [
    [/^(c-src|cmake)\/|^CMake/, OF_C],
    [/^tests\/(native|pthread)\//, /^tests\/verification\/native|pthread/],
    [
        /^js-glue\//,
        /^tests\/(docs\/(readme|documents)|package\/(package|page-bytes|dist)|verification\/(models|schedules|snapshot|mutants))/,
    ],
    [/\.md$/, /^tests\/(docs\/|package\/package|verification\/promises)/],
    [/^(scripts|\.github)\/|^package(-lock)?\.json$/, /^tests\/(tools|package)\//],
    [/^emscripten\//, /emscripten|callbacks|library/],
    [/^(types|tests\/package)\//, /^tests\/package\//],
];

/** @param {string[]} args @returns {string[]} the lines that git prints; none if it fails */
function linesOfGit(...args) {
    const { ok, output } = runQuietly(['git', ...args], { cwd: ROOT });
    return ok ? output.split('\n').filter(Boolean) : [];
}

/** The files that differ from the main branch: in commits, in the work tree, and new ones. */
export function changedFiles() {
    const mains = ['origin/main', 'main', 'HEAD'].flatMap((name) => linesOfGit('merge-base', 'HEAD', name));
    const changed = linesOfGit('diff', '--name-only', mains[0] ?? 'HEAD');
    return [...changed, ...linesOfGit('ls-files', '--others', '--exclude-standard')];
}

/** Folders of programs that tests name without folder and extension. */
const STARTED = ['tests/support/threads', 'tests/support/children'];

/** The whole package. A file that imports some of its names depends only on the files that export those. */
const INDEX = 'js-glue/index.js';

/** @type {Map<string, string>} the file of each name that the package exports */
const fileOfExport = new Map();
for (const [, names = '', specifier = ''] of readFileSync(join(ROOT, INDEX), 'utf8').matchAll(
    /^export \{([^}]*)\} from '([^']*)'/gm,
)) {
    names.split(',').forEach((name) => fileOfExport.set(name.trim(), join(dirname(INDEX), specifier)));
}

const IMPORTS_OF_INDEX = /^import \{([^}]*)\} from '[^']*js-glue\/index\.js';$/gm;

/** @param {string} text of a module @returns {string[]} the files of the names that it imports from the whole package */
function filesOfExports(text) {
    const names = [...text.matchAll(IMPORTS_OF_INDEX)].flatMap(([, names = '']) => names.split(','));
    return names.map((name) => fileOfExport.get(name.trim().split(' ')[0] ?? '') ?? INDEX);
}

/** @type {Map<string, string[]>} */
const known = new Map();

/** @param {string} file of JavaScript @returns {string[]} the files that it names: in imports, and in quotes */
function namedIn(file) {
    let named = known.get(file);
    if (named === undefined) {
        const whole = readFileSync(join(ROOT, file), 'utf8');
        const text = whole.replace(IMPORTS_OF_INDEX, '');
        const words = [...text.matchAll(/['"`]([\w./-]+)['"`]/g)].map(([, word = '']) => word);
        const places = [...importsOf(text), ...words].flatMap((word) => [
            join(dirname(file), word),
            word.replace(/^\//, ''),
            ...STARTED.map((folder) => `${folder}/${word}.js`),
        ]);
        places.push(...filesOfExports(whole));
        named = places.filter((place) => /\.\w+$/.test(place) && existsSync(join(ROOT, place)));
        known.set(file, named);
    }
    return named;
}

/** @param {string} test @returns {Set<string>} the files that it reaches */
function reachedFrom(test) {
    const reached = new Set([test]);
    for (const file of reached) {
        if (/\.m?js$/.test(file)) {
            namedIn(file).forEach((named) => reached.add(named));
        }
    }
    return reached;
}

/**
 * @param {string[]} changed files
 * @param {string[]} tests to choose from
 */
export function testsOfChange(changed, tests) {
    const patterns = TOUCHES.filter(([what]) => changed.some((file) => what.test(file))).map(
        ([, touched]) => touched,
    );
    return tests.filter((test) => {
        const isTouched = [ALWAYS, ...patterns].some((pattern) => pattern.test(test));
        const reached = isTouched ? undefined : reachedFrom(test);
        return isTouched || changed.some((file) => reached?.has(file));
    });
}
