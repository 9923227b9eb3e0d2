/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Condition, Mutex } from 'holdfast';

const PUT = 0;
const TAKEN = 1;

/** A first-in, first-out queue of numbers with a fixed capacity. Any thread may put and take. */
export class BoundedQueue {
    #mutex;
    #notEmpty;
    #notFull;
    /* The mutex guards both. */
    #counts;
    #items;

    /** @param {{ mutex: Mutex, notEmpty: Condition, notFull: Condition, counts: Int32Array, items: Int32Array }} parts */
    constructor({ mutex, notEmpty, notFull, counts, items }) {
        this.#mutex = mutex;
        this.#notEmpty = notEmpty;
        this.#notFull = notFull;
        this.#counts = counts;
        this.#items = items;
    }

    /** @param {number} capacity */
    static create(capacity) {
        return new BoundedQueue({
            mutex: new Mutex(),
            notEmpty: new Condition(),
            notFull: new Condition(),
            counts: new Int32Array(new SharedArrayBuffer(4 * 2)),
            items: new Int32Array(new SharedArrayBuffer(4 * capacity)),
        });
    }

    /** @param {BoundedQueue['handle']} handle */
    static from({ mutex, notEmpty, notFull, counts, items }) {
        return new BoundedQueue({
            mutex: Mutex.from(mutex),
            notEmpty: Condition.from(notEmpty),
            notFull: Condition.from(notFull),
            counts,
            items,
        });
    }

    get handle() {
        return {
            mutex: this.#mutex.handle,
            notEmpty: this.#notEmpty.handle,
            notFull: this.#notFull.handle,
            counts: this.#counts,
            items: this.#items,
        };
    }

    /** @param {number} item */
    put(item) {
        this.#mutex.exec(() => {
            this.#notFull.waitFor(this.#mutex, { predicate: () => this.#isNotFull() });
            this.#append(item);
        });
    }

    /** @param {number} item */
    putAsync(item) {
        return this.#mutex.execAsync(async () => {
            await this.#notFull.waitAsync(this.#mutex, { predicate: () => this.#isNotFull() });
            this.#append(item);
        });
    }

    take() {
        return this.#mutex.exec(() => {
            this.#notEmpty.waitFor(this.#mutex, { predicate: () => this.#isNotEmpty() });
            return this.#removeFirst();
        });
    }

    takeAsync() {
        return this.#mutex.execAsync(async () => {
            await this.#notEmpty.waitAsync(this.#mutex, { predicate: () => this.#isNotEmpty() });
            return this.#removeFirst();
        });
    }

    /** @param {typeof PUT | typeof TAKEN} which */
    #count(which) {
        return this.#counts[which] ?? 0;
    }

    #isNotEmpty() {
        return this.#count(PUT) > this.#count(TAKEN);
    }

    #isNotFull() {
        return this.#count(PUT) - this.#count(TAKEN) < this.#items.length;
    }

    /** @param {number} item */
    #append(item) {
        const count = this.#count(PUT);
        this.#items[count % this.#items.length] = item;
        this.#counts[PUT] = count + 1;
        this.#notEmpty.notify(1);
    }

    #removeFirst() {
        const count = this.#count(TAKEN);
        this.#counts[TAKEN] = count + 1;
        this.#notFull.notify(1);
        return this.#items[count % this.#items.length] ?? 0;
    }
}
