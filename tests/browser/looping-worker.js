/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex } from '../../js-glue/index.js';

/* Two loops of requests in one thread, without pauses of their own. A timer must still run between them, and
 * so must the end of a request's timeout. Posts the outcomes. */

const LIMIT_MS = 100;

self.onmessage = async ({ data: held }) => {
    const mutex = new Mutex();
    let isOver = false;
    const loop = async () => {
        while (!isOver) {
            await mutex.execAsync(async () => {});
        }
    };
    const loops = [loop(), loop()];
    const late = Mutex.from(held)
        .execAsync(() => 'met', { timeout: LIMIT_MS })
        .catch(({ code }) => code);
    await new Promise((resolve) => setTimeout(resolve, LIMIT_MS));
    const outcome = await late;
    isOver = true;
    await Promise.all(loops);
    postMessage(outcome);
};
