/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { debug } from '../../js-glue/debug.js';
import * as classes from '../../js-glue/index.js';
import { HANGS, play } from '../support/hangs.js';

/* One thread of a program that hangs. Posts its reports, or the error that ends it. */

const sleep = (/** @type {number} */ milliseconds) =>
    /** @type {Promise<void>} */ (
        new Promise((resolve) => {
            setTimeout(resolve, milliseconds);
        })
    );

const ENOUGH = 40;
const MEBIBYTE = 2 ** 20;

/** Makes garbage, so that the browser collects it. */
function collect() {
    for (let left = ENOUGH; left > 0; left -= 1) {
        new Uint8Array(MEBIBYTE).fill(1);
    }
}

self.onmessage = async ({ data: { hang, at, board, handles, options } }) => {
    if (options) {
        debug({
            ...options,
            onReport: (report) =>
                self.postMessage({ code: report.code, message: report.message, text: String(report) }),
        });
    }
    const shared = Object.fromEntries(
        Object.entries(handles).map(([name, handle]) => [
            name,
            /** @type {any} */ (classes)[handle.holdfast].from(handle),
        ]),
    );
    self.postMessage('started');
    const stage = { classes, shared, sleep, collect, die: () => self.close() };
    try {
        await play(/** @type {any} */ (HANGS[hang]), stage, at, board);
        self.postMessage('ended');
    } catch (error) {
        const { code, message, stack } = /** @type {any} */ (error);
        self.postMessage({ code, message, text: stack });
    }
};
