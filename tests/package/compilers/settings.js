/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The settings of TypeScript to test: every combination with the newest TypeScript, and each way to find modules with
 * the oldest one that the types support. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureNodeModules } from '../../../scripts/setup.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const BUILD = join(ROOT, 'build', 'compilers');

/** The programs in consumer/ that all of them have to compile, also as CommonJS. */
const USES = ['uses', 'misuses'];

/** The types that a program has besides JavaScript's own. */
const TYPES = {
    'the web': ['--lib', 'es2022,dom'],
    Node: ['--lib', 'es2022', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')],
    'no runtime': ['--lib', 'es2022'],
};

const STRICT = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];

/**
 * @typedef {object} Setting
 * @property {string} title
 * @property {string} compiler
 * @property {string[]} options
 * @property {string[]} files
 */

/**
 * @param {'oldest' | 'newest'} compiler
 * @param {string} module
 * @param {string} resolution
 * @param {keyof typeof TYPES} types
 * @param {boolean} [isStrict]
 * @returns {Setting}
 */
function setting(compiler, module, resolution, types, isStrict = true) {
    const folder = compiler === 'newest' ? ROOT : BUILD;
    const both = resolution.startsWith('node') && resolution !== 'node10';
    const uses = isStrict ? USES : ['uses'];
    return {
        title: `the ${compiler} TypeScript, module ${module}, moduleResolution ${resolution}, the types of ${types}${isStrict ? '' : ', not strict'}`,
        compiler: join(folder, 'node_modules', 'typescript', 'bin', 'tsc'),
        options: [
            ...['--noEmit', '--skipLibCheck', 'false', '--target', 'es2022', '--esModuleInterop'],
            ...['--module', module, '--moduleResolution', resolution],
            ...[...TYPES[types], ...(isStrict ? STRICT : ['--strict', 'false'])],
        ],
        files: [
            ...uses.map((name) => `${name}.ts`),
            ...(both ? uses.map((name) => `${name}.cts`) : []),
            ...(types === 'the web' ? ['web.ts'] : []),
        ],
    };
}

/** @type {[string, string][]} */
const MODULES = [
    ['esnext', 'bundler'],
    ['commonjs', 'bundler'],
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
];
const KINDS = /** @type {(keyof typeof TYPES)[]} */ (Object.keys(TYPES));

export const SETTINGS = [
    ...MODULES.flatMap(([module, resolution]) =>
        KINDS.map((types) => setting('newest', module, resolution, types)),
    ),
    setting('newest', 'esnext', 'bundler', 'the web', false),
    setting('oldest', 'commonjs', 'node10', 'Node'),
    setting('oldest', 'esnext', 'node10', 'the web'),
    setting('oldest', 'node16', 'node16', 'no runtime'),
    setting('oldest', 'nodenext', 'nodenext', 'Node'),
    setting('oldest', 'esnext', 'bundler', 'the web'),
];

/** @param {string} project what is compiled there with: copies for CommonJS of the programs, and a place for the oldest compiler */
export function prepareFor(project) {
    mkdirSync(BUILD, { recursive: true });
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
        copyFileSync(join(HERE, file), join(BUILD, file));
    }
    ensureNodeModules(BUILD);
    USES.forEach((name) => copyFileSync(join(project, `${name}.ts`), join(project, `${name}.cts`)));
}
