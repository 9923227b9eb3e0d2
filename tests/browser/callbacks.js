/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* On the page: runs a program in C, which has a watchdog of its own, and returns what it prints. */

const ENDS = /^(\d+ scenarios|watchdog)/;

/**
 * @param {string} address of the program
 * @returns {Promise<string>}
 */
export function outputOf(address) {
    return new Promise((resolve, reject) => {
        /** @type {string[]} */
        const lines = [];
        const print = (/** @type {string} */ line) => {
            lines.push(line);
            if (ENDS.test(line)) {
                resolve(lines.join('\n'));
            }
        };
        Object.assign(globalThis, { Module: { print, printErr: console.error, onAbort: reject } });
        const script = document.createElement('script');
        script.src = address;
        script.onerror = () => reject(new Error(`${address} is not there`));
        document.head.append(script);
    });
}
