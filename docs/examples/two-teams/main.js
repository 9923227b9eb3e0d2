/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* 22 players split into two teams of 11, again and again. A barrier calls them together before each match; then each
 * joins a team within the semaphore. One of them lives on this thread, which may be a page's and never blocks; the
 * others block in workers. */
import { Barrier, BinarySemaphore } from 'holdfast';
import { check, print } from '../report.js';
import { inWorker } from '../threads.js';
import { joinSmallerTeam } from './join.js';

const PLAYERS = 22;
const MATCHES = 100;

const whistle = new Barrier({ parties: PLAYERS });
const turn = new BinarySemaphore();
const teams = new Int32Array(new SharedArrayBuffer(4 * 2 * MATCHES));

const others = Array.from({ length: PLAYERS - 1 }, () =>
    inWorker(new URL('./worker.js', import.meta.url), {
        whistle: whistle.handle,
        turn: turn.handle,
        teams,
        matches: MATCHES,
    }),
);
for (let match = 0; match < MATCHES; match += 1) {
    await whistle.arriveAndWaitAsync();
    await turn.execAsync(() => joinSmallerTeam(teams, match));
}
await Promise.all(others);

const uneven = teams.findIndex((players) => players !== PLAYERS / 2);
check(
    uneven === -1,
    `11 and 11 each time; a team of match ${Math.floor(uneven / 2) + 1} has ${teams[uneven]} players`,
);
print(`${PLAYERS} players, ${MATCHES} matches: 11 and 11 each time`);
