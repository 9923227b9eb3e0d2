/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { builtinModules } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';

/** @param {string} name */
function fileOf(name) {
    return fileURLToPath(new URL(name, import.meta.url));
}

/* Files that the page shares with Node's benchmarks may import Node's modules, for things that no page asks for. Whoever
 * drives the page watches it (driver.js). */
/** @type {import('esbuild').Plugin} */
const withoutNode = {
    name: 'without Node',
    setup(build) {
        build.onResolve({ filter: new RegExp(`^(node:.*|${builtinModules.join('|')})$`) }, ({ path }) => ({
            path,
            namespace: 'node',
        }));
        build.onLoad({ filter: /.*/, namespace: 'node' }, () => ({ contents: 'module.exports = {};' }));
        build.onLoad({ filter: /\bwatchdog\.js$/ }, () => ({
            contents: 'export const GRACE_SECONDS = 30, watched = (what, arena, seconds, run) => run();',
        }));
    },
};

/**
 * The page's script, its workers' and what they load later, as a server can give them to a browser, which neither
 * finds packages by their names nor has Node's modules. Nothing is made smaller or older.
 *
 * @returns {Promise<Record<string, string>>} by file name
 */
export async function bundle() {
    const { outputFiles } = await build({
        entryPoints: ['page.js', '../worker.js'].map(fileOf),
        entryNames: '[name]',
        outdir: fileOf('.'), // in name only
        write: false,
        bundle: true,
        splitting: true,
        format: 'esm',
        platform: 'browser',
        target: 'esnext',
        plugins: [withoutNode],
        logLevel: 'error',
    });
    await stop(); // its process, which else would live beside what is measured
    return Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]));
}
