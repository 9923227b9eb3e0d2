/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { load } from './callbacks.js';

/**
 * Makes, on the page, each call of tests/package/emscripten/blocking.c that blocks.
 *
 * @param {string} address of the program
 */
export async function callsHere(address) {
    await load(address);
    const program = await /** @type {any} */ (globalThis).createProgram({ printErr() {} });
    /** @type {{ name: string, instead: string, told: string, unchanged: boolean }[]} */
    const calls = [];
    const asElsewhere = program._is_told_as_elsewhere();
    for (let at = 0; at < program._count_calls(); at += 1) {
        program._set_free();
        let told = '';
        try {
            program._make_call(at);
        } catch (error) {
            told = String(error);
        }
        const [name, instead] = [program._name_of(at), program._instead_of(at)].map((text) =>
            program.UTF8ToString(text),
        );
        calls.push({ name, instead, told, unchanged: program._is_unchanged() === 1 });
    }
    return { asElsewhere, calls };
}
