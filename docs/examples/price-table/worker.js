/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Latch, RwLock } from 'holdfast';
import { work } from '../threads.js';
import { editionOf } from './table.js';

work(({ table, inside, lastEdition, ...handles }) => {
    const lock = RwLock.from(handles.lock);
    Latch.from(handles.atWork).countDown();
    let reads = 0;
    let most = 0;
    let edition = 0;
    while (edition < lastEdition) {
        lock.lockShared();
        try {
            most = Math.max(most, Atomics.add(inside, 0, 1) + 1);
            edition = editionOf(table);
            Atomics.sub(inside, 0, 1);
        } finally {
            lock.unlockShared();
        }
        reads += 1;
    }
    return { reads, most };
});
