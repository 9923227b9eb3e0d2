/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { callInTurns } from './burst.js';

/** Requests that the same thing ends: a signal, a time. */
export class EndGroup {
    /** @type {Set<() => void>} */
    #calls = new Set();
    #stop;

    /** @param {() => void} stop what ends them is not looked at any more */
    constructor(stop) {
        this.#stop = stop;
    }

    /** @param {() => void} call */
    add(call) {
        this.#calls.add(call);
    }

    /**
     * Takes that back. The last one to go takes what looks with it.
     *
     * @param {() => void} call
     */
    remove(call) {
        if (this.#calls.delete(call) && this.#calls.size === 0) {
            this.#stop();
        }
    }

    /** Calls all of them. */
    end() {
        this.#stop();
        callInTurns(this.#calls);
    }
}
