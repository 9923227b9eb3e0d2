/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Barrier, BinarySemaphore } from 'holdfast';
import { work } from '../threads.js';
import { joinSmallerTeam } from './join.js';

work(({ teams, matches, ...handles }) => {
    const whistle = Barrier.from(handles.whistle);
    const turn = BinarySemaphore.from(handles.turn);
    for (let match = 0; match < matches; match += 1) {
        whistle.arriveAndWait();
        turn.enter();
        try {
            joinSmallerTeam(teams, match);
        } finally {
            turn.leave();
        }
    }
});
