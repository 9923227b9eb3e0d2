/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex, support } from '../../js-glue/index.js';

/* An audio worklet that uses the lock in every possible way, and reports the outcomes. */

/** @type {any} The types of pages lack the globals of this scope. */
const { AudioWorkletProcessor, registerProcessor } = globalThis;

/** @param {() => unknown} action */
async function outcomeOf(action) {
    try {
        return await action();
    } catch (error) {
        return /** @type {{ code?: string }} */ (error).code ?? String(error);
    }
}

class LockUser extends AudioWorkletProcessor {
    constructor() {
        super();
        this.port.onmessage = async (/** @type {MessageEvent} */ { data }) => {
            const mutex = Mutex.from(data.mutex);
            const { mayBlock, asyncWait } = support();
            this.port.postMessage({
                mayBlock,
                asyncWait,
                tryLock: mutex.tryLock() && (mutex.unlock(), true),
                execAsync: await outcomeOf(() => mutex.execAsync(() => 'run')),
                acquireAsync: await outcomeOf(async () => {
                    (await mutex.acquireAsync()).release();
                    return 'released';
                }),
                lock: await outcomeOf(() => mutex.lock()),
            });
        };
    }

    process() {
        return true;
    }
}

registerProcessor('lock-user', LockUser);
