/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Writes dist/, which programs load: a file for each public entry, and shared.js, which all entries share, with all that
 * `holdfast` itself needs. So a program that loads modules one by one, as Node and a page without a bundler do, waits for two
 * files. external.js, the entry that loads the module as a file, is a separate copy in one file. The same for CommonJS, as .cjs.
 * Reasons: docs/decisions/0006. */
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { build } from 'esbuild';
import { ENTRIES } from './entries.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { writeFolder } from './write-changed.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = join(ROOT, 'js-glue');
const DIST = join(ROOT, 'dist');
const INDEX = join(SOURCES, 'index.js');
const CORE_BYTES = join(SOURCES, 'memory', 'core-bytes.js');

/** Entries that activate another entry. They import the built file of that entry, so that its state exists
 * once. */
const SWITCHES = ENTRIES.filter((entry) => entry.includes('/'));

/** These entries get the classes from the index, so the shared file has all of the index. */
const OTHERS = ENTRIES.filter((entry) => !['index', 'external', ...SWITCHES].includes(entry)).map((entry) =>
    join(SOURCES, `${entry}.js`),
);

/** @type {import('esbuild').BuildOptions} */
const OPTIONS = {
    absWorkingDir: ROOT,
    bundle: true,
    target: 'es2022',
    minifySyntax: true, // keeps names and lines, for stacks
    legalComments: 'none',
    banner: { js: '/* SPDX-License-Identifier: MIT\n * Copyright (c) 2026 the holdfast authors */' },
    sourcemap: true,
    sourcesContent: false, // the package contains the sources
    logLevel: 'warning',
};

/**
 * Replaces comments by as many spaces, so that source maps stay right. Comments are a third of the sources,
 * and engines would parse them.
 *
 * @type {import('esbuild').Plugin}
 */
const withoutComments = {
    name: 'without comments',
    setup({ onLoad }) {
        onLoad({ filter: /js-glue.*\.js$/ }, ({ path }) => {
            let contents = readFileSync(path, 'utf8');
            const onComment = (/** @type {any[]} */ ...[, text, start, end]) => {
                if (!text.includes('__PURE__')) {
                    const space = contents.slice(start, end).replace(/[^\n]/g, ' ');
                    contents = contents.slice(0, start) + space + contents.slice(end);
                }
            };
            parse(contents, { ecmaVersion: 'latest', sourceType: 'module', onComment });
            return { contents };
        });
    },
};

/**
 * All files that these import, directly or indirectly.
 *
 * @param {string[]} files
 */
async function filesIn(files) {
    const { metafile } = await build({
        ...OPTIONS,
        entryPoints: files,
        outdir: DIST,
        format: 'esm',
        write: false,
        metafile: true,
    });
    return Object.keys(metafile.inputs).map((file) => join(ROOT, file));
}

/**
 * The imports of a file, by the paths of the others.
 *
 * @param {string} file
 * @returns {{ from: string, names: string[] }[]}
 */
function importsOf(file) {
    const { body } = parse(readFileSync(file, 'utf8'), { ecmaVersion: 'latest', sourceType: 'module' });
    return body.flatMap((/** @type {any} */ { type, source, specifiers = [] }) => {
        if (type === 'ExportAllDeclaration') {
            throw new Error(
                `${file}: name each export, since \`export *\` would export the whole shared file`,
            );
        }
        const names = specifiers.map((/** @type {any} */ { imported, local }) => (imported ?? local).name);
        return source ? [{ from: resolve(dirname(file), source.value), names }] : [];
    });
}

const inShared = new Set(await filesIn([INDEX]));
const beside = (await filesIn(OTHERS)).filter((file) => !inShared.has(file));

/**
 * The exports of the shared file that the entries use. The module's text comes first, so that all script is
 * together: then more repetitions are within the 32 KiB window of gzip.
 */
function sharedExports() {
    /** @type {Map<string, Set<string>>} */
    const wanted = new Map([[CORE_BYTES, new Set(['CORE_TEXT'])]]);
    for (const { from, names } of [INDEX, ...beside].flatMap(importsOf)) {
        // The exports of the index are on a line of their own.
        if (inShared.has(from) && from !== INDEX) {
            wanted.set(from, new Set([...(wanted.get(from) ?? []), ...names]));
        }
    }
    return Array.from(
        wanted,
        ([from, names]) => `export { ${[...names].join(', ')} } from './${relative(SOURCES, from)}';`,
    ).join('\n');
}

/** @param {string} ending of the files @returns {import('esbuild').Plugin} */
const fromShared = (ending) => ({
    name: 'from the shared file',
    setup({ onResolve }) {
        onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) =>
            kind === 'import-statement' && inShared.has(resolve(resolveDir, path))
                ? { path: `./shared${ending}`, external: true, sideEffects: false }
                : undefined,
        );
    },
});

/** @param {string} ending of the files @returns {import('esbuild').Plugin} */
const fromEntries = (ending) => ({
    name: 'from another entry',
    setup({ onResolve }) {
        onResolve({ filter: /^\.\.\// }, ({ path }) => ({
            path: path.replace(/\.js$/, ending),
            external: true,
        }));
    },
});

/** Files of memory/ with the module's text. `holdfast/external`, which loads the module as a file, has given.js in their
 * place. */
const EMBEDDED = /^\.\.?\/(memory\/)?(embedded|freeing-bytes|family-bytes)\.js$/;

/** @type {import('esbuild').Plugin} */
const withoutText = {
    name: 'without text',
    setup({ onResolve }) {
        onResolve({ filter: EMBEDDED }, () => ({ path: join(SOURCES, 'memory', 'given.js') }));
    },
};

/** @type {Map<string, Uint8Array>} the files to write, by name */
const built = new Map();

/** @param {import('esbuild').BuildOptions} options */
async function add(options) {
    const { outputFiles = [] } = await build({ ...options, write: false });
    outputFiles.forEach(({ path, contents }) => built.set(relative(DIST, path), contents));
}

for (const [format, ending] of /** @type {const} */ ([
    ['esm', '.js'],
    ['cjs', '.cjs'],
])) {
    const options = { ...OPTIONS, format, outExtension: { '.js': ending } };
    await add({
        ...options,
        stdin: { contents: sharedExports(), resolveDir: SOURCES, sourcefile: 'index.js' },
        outfile: join(DIST, `shared${ending}`),
        outExtension: {},
        plugins: [withoutComments],
    });
    await add({
        ...options,
        entryPoints: [INDEX, ...OTHERS],
        outdir: DIST,
        plugins: [fromShared(ending), withoutComments],
    });
    await add({
        ...options,
        entryPoints: SWITCHES.map((entry) => join(SOURCES, `${entry}.js`)),
        outbase: SOURCES,
        outdir: DIST,
        plugins: [fromEntries(ending), withoutComments],
    });
    await add({
        ...options,
        entryPoints: [join(SOURCES, 'external.js')],
        outdir: DIST,
        plugins: [withoutText, withoutComments],
    });
}
mkdirSync(join(ROOT, 'build'), { recursive: true });
oneAtATime(join(ROOT, 'build', 'dist.writes'), () => writeFolder(DIST, built));
