/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Event, Latch } from 'holdfast';
import { work } from '../threads.js';
import { ARRIVED, IN_RELAY, STARTED } from './track.js';

function run() {
    for (let steps = 0; steps < 1_000_000; steps += 1) {
        /* one after another */
    }
}

work(({ track, ...handles }) => {
    const arrived = Latch.from(handles.arrived);
    const baton = Event.from(handles.baton);

    Latch.from(handles.ready).countDown();
    Event.from(handles.gun).wait();
    Atomics.add(track, STARTED, 1);
    run();
    Atomics.add(track, ARRIVED, 1);
    arrived.countDown();

    baton.wait();
    const runnersInRelay = Atomics.add(track, IN_RELAY, 1) + 1;
    run();
    Atomics.sub(track, IN_RELAY, 1);
    baton.set();
    return runnersInRelay;
});
