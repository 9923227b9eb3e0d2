/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Barrier } from 'holdfast';
import { work } from '../threads.js';
import { spread } from './spread.js';

work(({ before, after, strip, rounds, ...handles }) => {
    const barrier = Barrier.from(handles.barrier);
    for (let round = 0; round < rounds; round += 1) {
        spread(before, after, strip);
        barrier.arriveAndWait();
        [before, after] = [after, before];
    }
});
