/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CountingSemaphore } from 'holdfast';
import { work } from '../threads.js';

/* Nobody changes this word, so a wait for that is a sleep. */
const still = new Int32Array(new SharedArrayBuffer(4));

work(({ onIce, shifts, shiftMs, ...handles }) => {
    const places = CountingSemaphore.from(handles.places);
    let most = 0;
    for (let shift = 0; shift < shifts; shift += 1) {
        places.exec(() => {
            most = Math.max(most, Atomics.add(onIce, 0, 1) + 1);
            Atomics.wait(still, 0, 0, shiftMs);
            Atomics.sub(onIce, 0, 1);
        });
    }
    return most;
});
