/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { work } from '../threads.js';
import { AsyncLock, BinarySemaphore, CountingSemaphore } from './locks.js';

work(({ memory, at, counts, shifts }) => {
    const lock = new AsyncLock(memory, at.lock);
    const ice = new CountingSemaphore(memory, at.ice);
    const puck = new BinarySemaphore(memory, at.puck);
    let most = 0;
    for (let shift = 0; shift < shifts; shift += 1) {
        ice.enter();
        most = Math.max(most, Atomics.add(counts, 1, 1) + 1);
        puck.enter();
        counts[2] += 1;
        puck.leave();
        Atomics.sub(counts, 1, 1);
        ice.leave();
        lock.lock();
        counts[0] += 1;
        lock.unlock();
    }
    return most;
});
