/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A race and a relay. A latch opens when all runners are ready, and one when all have arrived; an event that stays set
 * is the starting gun for all of them; one that resets itself is the baton, which one runner has at a time. This
 * thread, which may be a page's, gives the signals and never blocks. */
import { Event, Latch } from 'holdfast';
import { check, print } from '../report.js';
import { inWorker } from '../threads.js';
import { ARRIVED, COUNTS, STARTED } from './track.js';

const RUNNERS = 8;

const ready = new Latch({ count: RUNNERS });
const arrived = new Latch({ count: RUNNERS });
const gun = new Event();
const baton = new Event({ autoReset: true });
const track = new Int32Array(new SharedArrayBuffer(4 * COUNTS));

const runners = Array.from({ length: RUNNERS }, () =>
    inWorker(new URL('./worker.js', import.meta.url), {
        ready: ready.handle,
        gun: gun.handle,
        arrived: arrived.handle,
        baton: baton.handle,
        track,
    }),
);

await ready.waitAsync();
check(Atomics.load(track, STARTED) === 0, 'nobody starts before the gun');
gun.set();
await arrived.waitAsync();
check(Atomics.load(track, ARRIVED) === RUNNERS, 'all have arrived when the latch opens');
baton.set();

const seen = await Promise.all(runners);
check(
    seen.every((runnersInRelay) => runnersInRelay === 1),
    `one runner at a time has the baton; they saw ${seen}`,
);
print(`${RUNNERS} runners: none starts before the gun, all arrive, one at a time has the baton`);
