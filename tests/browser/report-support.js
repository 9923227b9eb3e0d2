/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { support } from '../../js-glue/index.js';

/* A thread of any kind that reports its abilities to the thread that started it. */

const { mayBlock, asyncWait } = support();
const report = { mayBlock, asyncWait };

/** @type {any} The types of pages lack the globals of other scopes. */
const scope = globalThis;

/** Passes on the report of a nested worker. */
function askNested() {
    const worker = new Worker(new URL('report-support.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => scope.postMessage(data);
}

if ('registerProcessor' in scope) {
    scope.registerProcessor(
        'report-support',
        class extends scope.AudioWorkletProcessor {
            constructor() {
                super();
                this.port.postMessage(report);
            }
            process() {
                return true;
            }
        },
    );
} else if ('onconnect' in scope) {
    scope.onconnect = (/** @type {MessageEvent} */ { ports: [port] }) => port?.postMessage(report);
} else if ('clients' in scope) {
    scope.onmessage = (/** @type {any} */ { source }) => source.postMessage(report);
} else if (scope.location.search === '?nested') {
    askNested();
} else {
    scope.postMessage(report);
}
