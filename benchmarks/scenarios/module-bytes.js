/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/* The bytes that a primitive adds to the wasm module: those that wasm-metadce, of wasm-opt, leaves out when nobody calls
 * its exports. Code that several of them use is in none of these figures. */

const MODULE = fileURLToPath(new URL('../../wasm/holdfast.wasm', import.meta.url));
const FEATURES = ['--enable-threads', '--enable-bulk-memory'];

/**
 * @param {readonly string[]} kept exports
 * @param {string} folder to write to
 */
async function bytesWith(kept, folder) {
    const graph = join(folder, 'graph.json');
    const output = join(folder, 'output.wasm');
    await writeFile(
        graph,
        JSON.stringify([
            { name: 'root', root: true, reaches: kept },
            ...kept.map((name) => ({ name, export: name })),
        ]),
    );
    const command = [...FEATURES, MODULE, `--graph-file=${graph}`, '-o', output];
    await promisify(execFile)('wasm-metadce', command);
    return (await stat(output)).size;
}

/** @returns {Promise<Record<string, number> | undefined>} bytes by primitive; nothing where there is no wasm-metadce */
export async function moduleBytes() {
    const module = new WebAssembly.Module(await readFile(MODULE));
    const names = WebAssembly.Module.exports(module).map(({ name }) => name);
    const primitiveOf = (/** @type {string} */ name) => name.slice(0, name.indexOf('_'));
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
    try {
        const all = await bytesWith(names, folder);
        /** @type {Record<string, number>} */
        const bytes = {};
        for (const primitive of new Set(names.map(primitiveOf))) {
            const others = names.filter((name) => primitiveOf(name) !== primitive);
            bytes[primitive] = all - (await bytesWith(others, folder));
        }
        return bytes;
    } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') {
            return undefined;
        }
        throw error;
    } finally {
        await rm(folder, { recursive: true });
    }
}
