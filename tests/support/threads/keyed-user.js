/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { KeyedMutex } from '../../../js-glue/keyed.js';
import { attachmentFor } from '../../../js-glue/memory/placed.js';
import { environment } from '../../../js-glue/thread/environment.js';
import { blockUntilReached, reach } from '../board.js';

/* Uses keys in another thread, as the messages say. With `stop` it stops before that step (a store, or a call
 * of the module) of its first use, until the board says to go on. */

const { handle, board, stop = Infinity, key, use } = workerData;
const keyed = KeyedMutex.from(handle);

const REACHED = 0;
const GO_ON = 1;
const DONE = 2;

/** @type {Record<string, (key: string) => unknown>} */
const USES = {
    lock: (of) => keyed.lock(of),
    unlock: (of) => keyed.unlock(of),
    once: (of) => (keyed.lock(of), keyed.unlock(of)),
    wait: (of) => void keyed.execAsync(of, () => {}),
    tryLock: (of) => keyed.tryLock(of),
    acquire: (of) => void keyed.acquire(of),
    unlockThenReach: (of) => (keyed.unlock(of), reach(board, DONE)),
    reclaim: () => keyed.reclaim(),
};

if (stop !== Infinity) {
    let step = 0;
    const stopAt = (/** @type {any} */ callee) =>
        function (/** @type {any[]} */ ...args) {
            step += 1;
            if (step === stop) {
                reach(board, REACHED);
                blockUntilReached(board, GO_ON);
            }
            return callee(...args);
        };
    const attachment = attachmentFor(keyed);
    const exports = /** @type {any} */ (attachment.exports);
    const names = Object.keys(exports).filter((name) => typeof exports[name] === 'function');
    attachment.exports = /** @type {any} */ (
        Object.fromEntries(names.map((name) => [name, stopAt(exports[name])]))
    );
    environment.store = stopAt(environment.store);
    USES[use]?.(key);
    reach(board, DONE);
    parentPort?.postMessage(step);
    reach(board, REACHED);
}
parentPort?.on('message', ([name, of]) => parentPort?.postMessage(USES[name]?.(of) ?? 'done'));
