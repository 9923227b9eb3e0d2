/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { existsSync } from 'node:fs';
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
