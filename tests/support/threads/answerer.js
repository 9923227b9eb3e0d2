/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { Answerer } from '../../../js-glue/channel.js';
import { reach } from '../board.js';

/* Answers with the bytes of the request. After `most` requests it hangs in the middle of the next one, and else at the end. */

const { handle, board, most } = workerData;
let count = 0;

function hang() {
    reach(board, 0);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

reach(board, 1);
for await (const request of Answerer.from(handle)) {
    if (count === most) {
        hang();
    }
    count += 1;
    request.answer(request.bytes);
}
hang();
