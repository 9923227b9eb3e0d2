/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const SOURCES = new URL('../js-glue/', import.meta.url);
const ALL = '/js-glue/all.js';

/** Modules that are not for pages, or that have an effect when they are imported. */
const LEFT_OUT = /^emscripten|^external|^debug\/on/;

/**
 * Bundles the glue into one file. Each of its modules is replaced by one that exports the same from that file: a worker that
 * loads sixty modules takes ten times as long to start.
 *
 * @returns {Promise<Record<string, string>>} the scripts, by path
 */
export async function glueInOneFile() {
    const modules = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
        (name) => name.endsWith('.js') && !LEFT_OUT.test(name),
    );
    const all = [];
    /** @type {Record<string, string>} */
    const scripts = {};
    for (const [at, name] of modules.entries()) {
        const exported = Object.keys(await import(`${SOURCES}${name}`));
        const pairs = (/** @type {(name: string) => string} */ toPair) => exported.map(toPair).join(', ');
        all.push(`export { ${pairs((one) => `${one} as m${at}_${one}`)} } from './${name}';`);
        scripts[`/js-glue/${name}`] =
            `export { ${pairs((one) => `m${at}_${one} as ${one}`)} } from '${ALL}';`;
    }
    const { outputFiles } = await build({
        stdin: { contents: all.join('\n'), resolveDir: fileURLToPath(SOURCES) },
        bundle: true,
        format: 'esm',
        write: false,
    });
    return { ...scripts, [ALL]: outputFiles.map(({ text }) => text).join('') };
}

/**
 * Bundles the program of a worker with all that it imports, for a worker that imports more than the glue.
 *
 * @param {string} path from the root of the repository
 * @returns {Promise<Record<string, string>>} the script, by path
 */
export async function programInOneFile(path) {
    const { outputFiles } = await build({
        entryPoints: [fileURLToPath(new URL(`../${path}`, import.meta.url))],
        bundle: true,
        format: 'esm',
        // Only Node imports these modules.
        external: ['node:*', '*/node-threads.js'],
        ignoreAnnotations: true, // sideEffects of package.json does not hold for tests
        write: false,
    });
    return { [`/${path}`]: outputFiles.map(({ text }) => text).join('') };
}
