/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** The most that a page loads for Mutex alone, after gzip. */
export const MOST_GZIP_BYTES = 11_000;

/** A page that uses only Mutex: a bundler leaves out the other exports. */
export const MUTEX_ALONE = { from: './dist/index.js', names: '{ Mutex }' };

/**
 * Bundles a module into one file for a page.
 * @param {{ from: string, names?: string }} what the imported names; all by default @returns {Promise<Uint8Array>}
 */
export async function bundled({ from, names }) {
    const { outputFiles } = await build({
        stdin: {
            contents: names
                ? `export ${names} from '${from}';`
                : `import * as all from '${from}'; globalThis.all = all;`,
            resolveDir: ROOT,
        },
        bundle: true,
        minify: true,
        format: 'esm',
        write: false,
        logLevel: 'silent',
    });
    return outputFiles[0]?.contents ?? new Uint8Array();
}

/**
 * @param {{ from: string, names?: string }} what
 * @returns {Promise<{ gzip: number } | undefined>} bytes; undefined if the module is not for pages
 */
export async function pageBytes(what) {
    try {
        return { gzip: gzipSync(await bundled(what)).length };
    } catch {
        return undefined;
    }
}
