/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Engine } from './engine.js';
import { runSchedules } from './run-schedules.js';
import { startWebThread } from './web-threads.js';

/* The controller in a browser. It is a worker, since a page may not wait for its turn. */

self.onmessage = async ({ data: { module, scenarios, order } }) => {
    const threads = Math.max(...scenarios.map((/** @type {any} */ scenario) => scenario.threads.length));
    const engine = await Engine.start(module, threads, startWebThread);
    postMessage(runSchedules(engine, scenarios, order));
    await engine.end();
};
