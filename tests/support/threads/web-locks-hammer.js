/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { LockManager } from '../../../js-glue/web-locks.js';
import { reach } from '../board.js';

/* Requests locks in every way without a pause: `times` times, or until the test terminates this thread. */

const { handle, board, times = Infinity } = workerData;
const locks = LockManager.from(handle);
const names = ['one', 'two', `long ${'name '.repeat(20)}`];
/** @type {import('../../../js-glue/web-locks.js').LockOptions[]} */
const ways = [{}, { mode: 'shared' }, { ifAvailable: true }, { steal: true }];

let asked = 0;
async function ask() {
    while (asked < times) {
        asked += 1;
        const options = ways[(asked * 7) % ways.length] ?? {};
        await locks.request(names[asked % names.length] ?? '', options, async () => {}).catch(() => {});
        if (asked === 50) {
            reach(board, 0);
        }
    }
}

void ask();
void ask();
