/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { callInTurns } from './burst.js';
import { environment } from './environment.js';
import { Timer } from './timer.js';

/* One timer for all requests whose time is up in the same millisecond: so they end in the order made, and in turns. */

/** @type {Map<number, TimeLimit>} by the time at which they end */
const limits = new Map();

/** Some that end at the same time. */
export class TimeLimit {
    #time;
    #timer = new Timer();
    /** @type {Set<() => void>} */
    #calls = new Set();

    /** @param {number} time */
    constructor(time) {
        this.#time = time;
        limits.set(time, this);
        this.#timer.start(time - environment.now(), () => {
            // Timers may come in another order than they should.
            limits.forEach((limit) => limit.#time <= time && limit.#end());
        });
    }

    #end() {
        this.#stop();
        callInTurns(this.#calls);
    }

    #stop() {
        this.#timer.stop();
        limits.delete(this.#time);
    }

    /**
     * The one that ends that many milliseconds from now, or less than one later.
     *
     * @param {number} milliseconds
     */
    static in(milliseconds) {
        const time = Math.ceil(environment.now() + milliseconds);
        return limits.get(time) ?? new TimeLimit(time);
    }

    /** @param {() => void} onEnd */
    add(onEnd) {
        this.#calls.add(onEnd);
    }

    /**
     * Takes that back. The last one to go takes the timer with it.
     *
     * @param {() => void} onEnd
     */
    remove(onEnd) {
        if (this.#calls.delete(onEnd) && this.#calls.size === 0) {
            this.#stop();
        }
    }
}
