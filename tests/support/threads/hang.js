/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { debug } from '../../../js-glue/debug.js';
import * as classes from '../../../js-glue/index.js';
import { HANGS, play } from '../hangs.js';

/* Runs one thread of a program that hangs. Posts its reports, or the error that ends it. */

const { hang, at, board, handles, options } = workerData;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

if (options) {
    debug({
        ...options,
        onReport: (report) =>
            parentPort?.postMessage({ code: report.code, message: report.message, text: String(report) }),
    });
}
const shared = Object.fromEntries(
    Object.entries(handles).map(([name, handle]) => [
        name,
        /** @type {any} */ (classes)[handle.holdfast].from(handle),
    ]),
);
try {
    await play(
        /** @type {any} */ (HANGS[hang]),
        { classes, shared, sleep, collect, die: process.exit },
        at,
        board,
    );
    parentPort?.postMessage('ended');
} catch (error) {
    const { code, message, stack } = /** @type {import('../../../js-glue/index.js').HoldfastError} */ (error);
    parentPort?.postMessage({ code, message, text: stack });
}
