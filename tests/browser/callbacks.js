/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Runs a program in C on the page. */

const ENDS = /^(\d+ (scenarios|locks|checks)|all$|watchdog)/;

/** @type {any} */
const page = globalThis;

/** @param {string} address */
export function load(address) {
    return new Promise((resolve, reject) => {
        const script = document.createElement('script');
        script.src = address;
        script.onload = resolve;
        script.onerror = () => reject(new Error(`${address} is not there`));
        document.head.append(script);
    });
}

/**
 * How each form of Emscripten's output is started.
 *
 * @type {Record<import('../support/callbacks-program.js').Form, (address: string) => Promise<unknown>>}
 */
const BEGIN = {
    script: load,
    async factory(address) {
        await load(address);
        await page.createProgram();
    },
    async module(address) {
        const { default: create } = await import(address);
        await create();
    },
    async minimal(address) {
        const response = await fetch(address.replace(/js$/, 'wasm'));
        page.Module = {
            wasm: await response.arrayBuffer(),
            worker: address.replace(/js$/, 'worker.js'), // the pthreads' worker of Emscripten 3
            js: address, // of Wasm Workers
        };
        await load(address);
    },
};

/**
 * @param {object} program
 * @param {string} program.address
 * @param {keyof typeof BEGIN} program.form
 * @returns {Promise<string>}
 */
export function outputOf({ address, form }) {
    return new Promise((resolve, reject) => {
        /** @type {string[]} */
        const lines = [];
        console.log = (line) => {
            lines.push(line);
            if (ENDS.test(line)) {
                resolve(lines.join('\n'));
            }
        };
        // Emscripten also ends its runtime by an error, after the last line. For an error of a worker it throws the
        // event itself.
        addEventListener('error', ({ message, error }) =>
            reject(new Error(`${error?.message ?? message}\n${lines.join('\n')}`)),
        );
        BEGIN[form](address).catch(reject);
    });
}
