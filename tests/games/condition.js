/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Condition, Mutex } from '../../js-glue/index.js';
import { isMet, limitOf, timeoutOf } from '../support/limits.js';
import { assertAtRest, assertFree, restOf } from '../support/words.js';
import { blocksNow, fail, makeWords } from './play.js';

/* A bounded queue of a mutex and two conditions. Players with an even seat put items in, the others take them out.
 * Each item comes out once. A put notifies one taker and a take one putter, so a notify that is lost, or that a wait
 * takes with it when it gives up, leaves somebody waiting for ever. */

/** What the mutex guards, without atomics. */
const LENGTH = 0;
const HEAD = 1;
const TAKEN = 2;
/** Who holds the mutex; 0: nobody. */
const INSIDE = 3;
const RING = 4;
const MOST_ROOM = 3;

/**
 * @typedef {object} Table
 * @property {any} mutex
 * @property {any} notFull
 * @property {any} notEmpty
 * @property {number[]} rest of the conditions
 * @property {Int32Array} words
 * @property {Int32Array} seen how often each item came out
 */

/** One player's view of the table. */
class Player {
    mutex;
    #notFull;
    #notEmpty;
    #words;
    #seen;
    #seat;
    #room;

    /**
     * @param {Table} table
     * @param {import('./games.js').Seat} seat
     */
    constructor({ mutex, notFull, notEmpty, words, seen }, seat) {
        this.mutex = Mutex.from(mutex);
        this.#notFull = Condition.from(notFull);
        this.#notEmpty = Condition.from(notEmpty);
        this.#words = words;
        this.#seen = seen;
        this.#seat = seat;
        this.#room = words.length - RING;
    }

    /** @param {number} word */
    #read(word) {
        return /** @type {number} */ (this.#words[word]);
    }

    /** The mutex was got. */
    enter() {
        if (this.#read(INSIDE) !== 0) {
            fail(`seat ${this.#seat.index} has the mutex, and seat ${this.#read(INSIDE) - 1} too`);
        }
        this.#words[INSIDE] = this.#seat.index + 1;
    }

    /** It is about to be released. */
    leave() {
        if (this.#read(INSIDE) !== this.#seat.index + 1) {
            fail(`seat ${this.#seat.index} had the mutex, and seat ${this.#read(INSIDE) - 1} too`);
        }
        this.#words[INSIDE] = 0;
    }

    get puts() {
        return this.#seat.index % 2 === 0;
    }

    get isOver() {
        return this.#read(TAKEN) === this.#seen.length;
    }

    get mayGoOn() {
        return this.puts ? this.#read(LENGTH) < this.#room : this.#read(LENGTH) > 0 || this.isOver;
    }

    get condition() {
        return this.puts ? this.#notFull : this.#notEmpty;
    }

    /** The predicate of a wait, which is called with the mutex held, in the middle of it. */
    #looks = () => {
        this.enter();
        const mayGoOn = this.mayGoOn;
        this.leave();
        return mayGoOn;
    };

    /** Blocks once. */
    waitBlocking() {
        const { random } = this.#seat;
        this.leave();
        switch (random.below(4)) {
            case 0:
                this.condition.waitFor(this.mutex, timeoutOf(random));
                break;
            case 1:
                this.condition.waitFor(this.mutex, timeoutOf(random), this.#looks);
                break;
            case 2:
                this.condition.waitFor(this.mutex, Infinity, this.#looks);
                break;
            default:
                this.condition.wait(this.mutex);
        }
        this.enter();
    }

    async wait() {
        const { random } = this.#seat;
        this.leave();
        const limit = limitOf(random);
        const options = random.chance(0.5) ? limit : { ...limit, predicate: this.#looks };
        await isMet(() => this.condition.waitAsync(this.mutex, options));
        this.enter();
    }

    /** Puts an item in or takes one out, and notifies one who waits for that; all, if it was the last. */
    move(item = 0) {
        const length = this.#read(LENGTH);
        const head = this.#read(HEAD);
        if (this.puts) {
            this.#words[RING + ((head + length) % this.#room)] = item;
            this.#words[LENGTH] = length + 1;
            this.#notEmpty.notify(1);
        } else if (!this.isOver) {
            const taken = this.#read(RING + head);
            this.#seen[taken] = (this.#seen[taken] ?? 0) + 1;
            this.#words[HEAD] = (head + 1) % this.#room;
            this.#words[LENGTH] = length - 1;
            this.#words[TAKEN] = this.#read(TAKEN) + 1;
            this.#notFull.notify(1);
            if (this.isOver) {
                this.#notEmpty.notify();
            }
        }
    }
}

/** @param {Player} player @param {number} item @param {import('./games.js').Random} random */
function moveBlocking(player, item, random) {
    const { mutex } = player;
    const section = () => {
        player.enter();
        while (!player.mayGoOn) {
            player.waitBlocking();
        }
        player.move(item);
        player.leave();
    };
    switch (random.below(3)) {
        case 0:
            mutex.exec(section);
            break;
        case 1: {
            const guard = mutex.acquire();
            section();
            guard.release();
            break;
        }
        default:
            mutex.lock();
            section();
            mutex.unlock();
    }
}

/** @param {Player} player @param {number} item @param {import('./games.js').Seat} seat */
async function moveAsync(player, item, { blocks, random }) {
    const { mutex } = player;
    const section = async () => {
        player.enter();
        while (!player.mayGoOn) {
            await player.wait();
        }
        player.move(item);
        player.leave();
    };
    if (blocks && random.chance(0.5)) {
        mutex.lock();
        await section();
        mutex.unlock();
    } else if (random.chance(0.5)) {
        await mutex.executeLocked(section);
    } else {
        const guard = await mutex.lockAsync();
        await section();
        guard.release();
    }
}

/** @type {import('./games.js').Game<Table>} */
export const boundedQueue = {
    name: 'condition',
    lay(space, { seats, turns }, random) {
        const [notFull, notEmpty] = [new Condition(space), new Condition(space)];
        return {
            mutex: new Mutex(space).handle,
            notFull: notFull.handle,
            notEmpty: notEmpty.handle,
            rest: restOf(notFull),
            words: makeWords(RING + 1 + random.below(MOST_ROOM)),
            seen: makeWords(Math.ceil(seats / 2) * turns),
        };
    },
    objects: ({ mutex, notFull, notEmpty }) => [
        Mutex.from(mutex),
        Condition.from(notFull),
        Condition.from(notEmpty),
    ],
    async play(table, seat) {
        const player = new Player(table, seat);
        const first = (seat.index / 2) * seat.turns;
        for (let turn = 0; player.puts ? turn < seat.turns : !player.isOver; turn += 1) {
            if (blocksNow(seat)) {
                moveBlocking(player, first + turn, seat.random);
            } else {
                await moveAsync(player, first + turn, seat);
            }
        }
    },
    judge({ mutex, notFull, notEmpty, rest, seen }) {
        const wrong = seen.findIndex((count) => count !== 1);
        if (wrong !== -1) {
            fail(`item ${wrong} came out ${seen[wrong]} times`);
        }
        assertFree(Mutex.from(mutex));
        [notFull, notEmpty].forEach((handle) => assertAtRest(Condition.from(handle), rest));
    },
};
