/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { Channel } from '../../../js-glue/channel.js';
import { debug } from '../../../js-glue/debug.js';
import { reach } from '../board.js';

/* Hangs in the middle of a call, after it has noted that on the board. */

const { handle, way, board, stage, isShown } = workerData;
if (isShown) {
    debug();
}
const channel = Channel.from(handle);

/** Longer than the test's wait. */
const LONG_MS = 3000;
const CHANGE_MS = 5;
const BEFORE_ROOM_MS = 100;

const end = performance.now() + LONG_MS;

/** Waits. True if the test has gone on, or not for long. @param {number} milliseconds */
function isLeft(milliseconds) {
    Atomics.wait(board, stage + 2, 0, milliseconds);
    if (performance.now() > end) {
        reach(board, stage + 3);
    }
    return board[stage + 2] > 0 || board[stage + 3] > 0;
}

function stay() {
    reach(board, stage);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** @type {Record<string, () => unknown>} */
const WAYS = {
    'a send in place': () => channel.sendInPlace(8, stay),
    'a receive in place': () => channel.receiveInPlace(stay),
    'a wait for room': () => {
        reach(board, stage);
        while (channel.trySend(new Uint8Array(), { timeout: 1000 })) {
            // until it is full
        }
        channel.send(new Uint8Array());
    },
    'too little room': () => {
        // Makes room for a message, and uses it again, from time to time.
        reach(board, stage);
        while (!isLeft(CHANGE_MS)) {
            const bytes = channel.tryReceive();
            while (bytes && !channel.trySend(bytes)) {
                // another thread looks for room
            }
        }
    },
    'room, but no turn': () => {
        reach(board, stage);
        isLeft(BEFORE_ROOM_MS);
        channel.sendInPlace(8, () => {
            reach(board, stage + 1);
            channel.tryReceiveMany();
            isLeft(LONG_MS);
        });
    },
    'a wait for a message': () => {
        reach(board, stage);
        channel.receive();
    },
};
WAYS[way]?.();
