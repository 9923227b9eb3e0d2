/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { FIRST, Shared } from './shared-words.js';

/* Real-time audio that tries the lock once a block, and continues without it if it is held. */

/** @type {any} The types of pages lack the globals of this scope. */
const { AudioWorkletProcessor, registerProcessor } = globalThis;

const STEPS = 5000;

/** Lingers without a clock, which worklets lack. @param {Shared} shared */
function linger(shared) {
    for (let step = 0; step < STEPS; step += 1) {
        shared.read(FIRST);
    }
}

class LockTrier extends AudioWorkletProcessor {
    #shared;
    #taken;
    #refused;

    /** @param {{ processorOptions: { handle: import('./shared-words.js').SharedHandle, taken: number, refused: number } }} options */
    constructor({ processorOptions: { handle, taken, refused } }) {
        super();
        this.#shared = Shared.from(handle);
        this.#taken = taken;
        this.#refused = refused;
    }

    process() {
        const { mutex } = this.#shared;
        if (mutex.tryLock()) {
            this.#shared.countedSection(this.#taken, () => linger(this.#shared));
            mutex.unlock();
        } else {
            this.#shared.count(this.#refused);
        }
        return true;
    }
}

registerProcessor('lock-trier', LockTrier);
