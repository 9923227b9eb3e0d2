/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/* Programs that were compiled for the benchmarks (c/, by the presets bench-wasm and bench-native). */

/**
 * @param {'bench-wasm' | 'bench-native'} preset
 * @param {string} name
 * @returns {string} the file
 */
export function builtFile(preset, name) {
    const file = fileURLToPath(new URL(`../build/${preset}/${name}`, import.meta.url));
    if (!existsSync(file)) {
        throw new Error(`build/${preset}/${name} is not built; node scripts/setup.mjs bench builds it`);
    }
    return file;
}

/**
 * @param {string} name
 * @param {WebAssembly.Memory} memory
 */
export function instantiateBuilt(name, memory) {
    const module = new WebAssembly.Module(readFileSync(builtFile('bench-wasm', name)));
    const unreachable = WebAssembly.Module.imports(module)
        .filter(({ kind }) => kind === 'function')
        .map(({ name: call }) => [
            call,
            () => {
                throw new Error(
                    `${name} calls ${call}(), which is not there outside of Emscripten's runtime`,
                );
            },
        ]);
    return new WebAssembly.Instance(module, { env: { ...Object.fromEntries(unreachable), memory } }).exports;
}
