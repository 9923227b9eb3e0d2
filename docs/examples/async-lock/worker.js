/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Latch, Mutex } from 'holdfast';
import { work } from '../threads.js';

work(({ accounts, isClosed, ...handles }) => {
    const mutex = Mutex.from(handles.mutex);
    Latch.from(handles.atWork).countDown();
    let transfers = 0;
    while (!Atomics.load(isClosed, 0)) {
        const from = transfers % accounts.length;
        const to = (from + 5) % accounts.length;
        mutex.lock();
        try {
            accounts[from] -= 1;
            accounts[to] += 1;
        } finally {
            mutex.unlock();
        }
        transfers += 1;
    }
    return transfers;
});
