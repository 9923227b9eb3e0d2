/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Event, Latch } from '../../../js-glue/index.js';
import { heldByWorker } from '../held-by-worker.js';
import { startTicks } from '../ticks.js';

/* Waits with ref: false never end here. Only the one request without ref: false keeps the process alive. */

const ref = { ref: false };
const waits = [
    new Event().waitAsync(ref),
    new Event({ autoReset: true }).waitAsync(ref),
    new Latch({ count: 1 }).waitAsync(ref),
    new Event().waitAsync({ ...ref, timeout: 1e6 }),
    new Event().waitAsync({ ...ref, signal: new Event().signal }),
];
waits.forEach((wait) => wait.finally(() => console.log('a wait is over')).catch(() => {}));
const alive = setInterval(() => {}, 1000); // on a slow machine the process would end before the time
const late = await new Event().waitAsync({ ...ref, timeout: 1 }).catch(({ code }) => code);
clearInterval(alive);
const met = new Event();
void met.waitAsync(ref).then(() => console.log('met'));
met.set();
const mutex = await heldByWorker();
await mutex.execAsync(() => console.log('ran', late));
const ticks = startTicks();
process.on('exit', () => console.log(ticks()));
