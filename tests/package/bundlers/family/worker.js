/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    Barrier,
    BinarySemaphore,
    Condition,
    CountingSemaphore,
    Event,
    Latch,
    LockSpace,
    Mutex,
    Once,
    RecursiveMutex,
    RwLock,
} from 'holdfast';
import { addOne, COUNTS, FIRSTS, ITEMS, NESTED, sit, TABLE, TURNS } from './counts.js';

self.onmessage = ({ data: { space, handles, place, rounds } }) => {
    const counts = new Int32Array(LockSpace.from(space).buffer, place, COUNTS);
    const mutex = Mutex.from(handles.mutex);
    const changed = Condition.from(handles.changed);
    const seats = CountingSemaphore.from(handles.seats);
    const turn = BinarySemaphore.from(handles.turn);
    const table = RwLock.from(handles.table);
    const tree = RecursiveMutex.from(handles.tree);

    Barrier.from(handles.start).arriveAndWait();
    Once.from(handles.once).run(() => addOne(counts, FIRSTS));
    for (let round = 0; round < rounds; round += 1) {
        mutex.exec(() => addOne(counts, ITEMS));
        changed.notify();
        seats.exec(() => sit(counts));
        turn.exec(() => addOne(counts, TURNS));
        table.exec(() => addOne(counts, TABLE));
        tree.exec(() => tree.exec(() => addOne(counts, NESTED)));
        table.lockShared();
        table.unlockShared();
    }
    Event.from(handles.opened).wait();
    Latch.from(handles.gone).countDown();
};
