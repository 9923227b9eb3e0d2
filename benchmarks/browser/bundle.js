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

/* Files that the page shares with Node's benchmarks may import Node's modules, for functions that no page calls. driver.js
 * replaces the watchdog. */
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
 * Bundles the scripts of the page and its workers, and what they load later, for a browser, which neither finds
 * packages by name nor has Node's modules. Nothing is minified or lowered to older syntax.
 * @returns {Promise<Record<string, string>>} by file name
 */
export async function bundle() {
    const { outputFiles } = await build({
        entryPoints: ['page.js', '../worker.js'].map(fileOf),
        entryNames: '[name]',
        outdir: fileOf('.'), // names the files; nothing is written there
        write: false,
        bundle: true,
        splitting: true,
        format: 'esm',
        platform: 'browser',
        target: 'esnext',
        plugins: [withoutNode],
        logLevel: 'error',
    });
    await stop(); // ends esbuild's process, which would run beside the measurement
    return Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]));
}
