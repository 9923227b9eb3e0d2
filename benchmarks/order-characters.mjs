/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Looks for a better order of the characters in scripts/wasm-text.mjs: swaps two of them, again and again, and keeps
 * what makes a page that uses Mutex alone no larger after gzip. It prints the best order that it found:
 * node benchmarks/order-characters.mjs [seconds] */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { CHARACTERS, wasmTextOf } from '../scripts/wasm-text.mjs';
import { bundled, MUTEX_ALONE } from './scenarios/page-bytes.js';

const [seconds = '60'] = process.argv.slice(2);

const bytes = readFileSync(new URL('../wasm/holdfast.wasm', import.meta.url));
const page = new TextDecoder().decode(await bundled(MUTEX_ALONE));
const now = wasmTextOf(bytes);
if (!page.includes(now.alphabet) || !page.includes(now.text)) {
    throw new Error(
        'js-glue/memory/wasm-bytes.js is not what scripts/wasm-text.mjs writes: run npm run build first.',
    );
}

/** @param {string} characters */
function sizeWith(characters) {
    const { alphabet, text } = wasmTextOf(bytes, characters);
    return gzipSync(page.replace(now.alphabet, () => alphabet).replace(now.text, () => text)).length;
}

const anyPlace = () => Math.floor(Math.random() * CHARACTERS.length);

/** Swaps that cost a few bytes are taken too, the fewer the later: else it stays in the first dip. */
const FIRST_TEMPERATURE = 2;

const begin = performance.now();
let size = sizeWith(CHARACTERS);
let order = [...CHARACTERS];
let best = { size, order };
for (let done = 0; done < 1; done = (performance.now() - begin) / 1000 / Number(seconds)) {
    const swapped = [...order];
    const [one, other] = [anyPlace(), anyPlace()];
    [swapped[one], swapped[other]] = [String(order[other]), String(order[one])];
    const next = sizeWith(swapped.join(''));
    if (Math.random() < Math.exp((size - next) / (FIRST_TEMPERATURE * (1 - done)))) {
        [size, order] = [next, swapped];
        best = size < best.size ? { size, order } : best;
    }
}
console.log(`${sizeWith(CHARACTERS)} bytes as it is, ${best.size} with this order:\n${best.order.join('')}`);
