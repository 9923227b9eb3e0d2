/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { support } from '../../js-glue/index.js';
import { KeyedMutex } from '../../js-glue/keyed.js';

const KEYS = 5;
const ROUNDS = 2000;
const ASKS = 50;

/** @param {object} message @returns {Promise<[Worker, any]>} the worker, and its answer */
function startWorker(message) {
    const worker = new Worker(new URL('./keyed-worker.js', import.meta.url), { type: 'module' });
    return new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve([worker, data]);
        worker.onerror = ({ message: text }) => reject(new Error(text));
        worker.postMessage(message);
    });
}

/** The page and two workers add to words that keys guard. */
export async function addByKeys() {
    const keyed = new KeyedMutex();
    const words = new Int32Array(new SharedArrayBuffer(KEYS * 4));
    const message = { handle: keyed.handle, words, keys: KEYS, rounds: ROUNDS };
    const workers = [startWorker(message), startWorker(message)];
    for (let ask = 0; ask < ASKS; ask += 1) {
        const at = ask % KEYS;
        await keyed.execAsync(`key ${at}`, () => {
            words[at] = Number(words[at]) + 1; // not atomic
        });
        await keyed.execAsync(`key of ask ${ask}`, () => {});
    }
    (await Promise.all(workers)).forEach(([worker]) => worker.terminate());
    return { sum: words.reduce((sum, word) => sum + word, 0), expected: 2 * ROUNDS + ASKS };
}

/** A worker dies with a key. */
export async function loseAKey() {
    const keyed = new KeyedMutex();
    const [worker] = await startWorker({ handle: keyed.handle, kept: 'kept' });
    const before = [keyed.tryLock('kept'), keyed.tryLock('other')];
    const timeout = support().death === 'none' ? 100 : Infinity; // else the worker would never end
    const asked = keyed.execAsync('kept', () => 'free', { timeout });
    worker.terminate();
    const code = await asked.catch((error) => error.code);
    const isRepaired = code === 'HF_ABANDONED' && (await keyed.recoverAsync('kept', () => {}));
    return { before, death: support().death, code, isRepaired };
}
