/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { useBundle } from '../explorer/glue-code.js';
import { Engine } from './engine.js';
import { replay } from './replay.js';
import { runSchedules } from './run-schedules.js';
import { startWebThread } from './web-threads.js';

/* The controller in a browser: a worker, since a page may not block. */

self.onmessage = async ({ data: { module, scenarios, order, lines, glue } }) => {
    useBundle(glue);
    const answer = await Engine.use(module, scenarios, startWebThread, (engine) =>
        lines ? replay(engine, scenarios[0], lines) : runSchedules(engine, scenarios, order),
    );
    postMessage(answer);
};

postMessage('ready');
