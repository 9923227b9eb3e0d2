/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Condition, Mutex } from '../../js-glue/index.js';
import { assertAtRest, assertFree, restOf } from '../support/words.js';
import { fail, makeWords } from './play.js';
import { INSIDE, Visitor } from './visitor.js';

/* A bounded queue made of a mutex and two conditions. Players with an even seat put items in, the others take
 * them out. Each item comes out once. A put notifies one taker and a take notifies one putter. So if a notify
 * is lost, or a wait that gives up consumes one, some player waits for ever. */

const LENGTH = INSIDE + 1;
const HEAD = LENGTH + 1;
const TAKEN = HEAD + 1;
const RING = TAKEN + 1;
const MOST_ROOM = 3;

/**
 * @typedef {object} QueueTable
 * @property {any} mutex
 * @property {any} notFull
 * @property {any} notEmpty
 * @property {number[]} rest of the conditions
 * @property {Int32Array} words what the mutex guards, without atomics
 * @property {Int32Array} seen how often each item came out
 */

/** The queue, for a thread that holds the mutex. */
class Queue {
    #words;
    #seen;
    #room;
    #notFull;
    #notEmpty;

    /** @param {QueueTable} table */
    constructor({ words, seen, notFull, notEmpty }) {
        this.#words = words;
        this.#seen = seen;
        this.#room = words.length - RING;
        this.#notFull = Condition.from(notFull);
        this.#notEmpty = Condition.from(notEmpty);
    }

    /** @param {number} word */
    #read(word) {
        return this.#words[word] ?? NaN;
    }

    get hasRoom() {
        return this.#read(LENGTH) < this.#room;
    }

    get hasItem() {
        return this.#read(LENGTH) > 0;
    }

    get isOver() {
        return this.#read(TAKEN) === this.#seen.length;
    }

    /** @param {number} item */
    put(item) {
        const length = this.#read(LENGTH);
        this.#words[RING + ((this.#read(HEAD) + length) % this.#room)] = item;
        this.#words[LENGTH] = length + 1;
        this.#notEmpty.notify(1);
    }

    take() {
        const head = this.#read(HEAD);
        const item = this.#read(RING + head);
        this.#seen[item] = (this.#seen[item] ?? NaN) + 1;
        this.#words[HEAD] = (head + 1) % this.#room;
        this.#words[LENGTH] = this.#read(LENGTH) - 1;
        this.#words[TAKEN] = this.#read(TAKEN) + 1;
        this.#notFull.notify(1);
        if (this.isOver) {
            this.#notEmpty.notify();
        }
    }
}

/** @param {QueueTable} table @param {import('./games.js').Seat} seat @param {Queue} queue @param {Visitor} visitor */
async function putAll({ notFull }, { index, turns }, queue, visitor) {
    const condition = Condition.from(notFull);
    const first = (index / 2) * turns;
    for (let item = first; item < first + turns; item += 1) {
        await visitor.visit(
            condition,
            () => queue.hasRoom,
            () => queue.put(item),
        );
    }
}

/** @param {QueueTable} table @param {Queue} queue @param {Visitor} visitor */
async function takeAll({ notEmpty }, queue, visitor) {
    const condition = Condition.from(notEmpty);
    for (let isOver = false; !isOver;) {
        await visitor.visit(
            condition,
            () => queue.hasItem || queue.isOver,
            () => {
                if (queue.hasItem) {
                    queue.take();
                }
                isOver = queue.isOver;
            },
        );
    }
}

/** @type {import('./games.js').Game<QueueTable>} */
export const boundedQueue = {
    name: 'condition, a bounded queue',
    lay(space, { seats, turns }, random) {
        const [notFull, notEmpty] = [new Condition({ space }), new Condition({ space })];
        return {
            mutex: new Mutex({ space }).handle,
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
        const queue = new Queue(table);
        const visitor = new Visitor(table.mutex, table.words, seat);
        await (seat.index % 2 === 0 ? putAll(table, seat, queue, visitor) : takeAll(table, queue, visitor));
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

/* All players meet, turn after turn: the last to arrive notifies all others, which wait for it. No player
 * arrives twice in a turn. */

const TURN = INSIDE + 1;
const HERE = TURN + 1;
const MEETING_WORDS = HERE + 1;

/** @typedef {{ mutex: any, met: any, rest: number[], words: Int32Array, seats: number }} MeetingTable */

/** @type {import('./games.js').Game<MeetingTable>} */
export const meetings = {
    name: 'condition, meetings',
    lay(space, { seats }) {
        const met = new Condition({ space });
        const words = makeWords(MEETING_WORDS);
        return { mutex: new Mutex({ space }).handle, met: met.handle, rest: restOf(met), words, seats };
    },
    objects: ({ mutex, met }) => [Mutex.from(mutex), Condition.from(met)],
    async play({ mutex, met, words, seats }, seat) {
        const visitor = new Visitor(mutex, words, seat);
        const condition = Condition.from(met);
        const come = () => {
            words[HERE] = (words[HERE] ?? NaN) + 1;
            if (words[HERE] === seats) {
                words[HERE] = 0;
                words[TURN] = (words[TURN] ?? NaN) + 1;
                condition.notify(seat.random.chance(0.5) ? Infinity : seats - 1);
            }
        };
        for (let turn = 0; turn < seat.turns; turn += 1) {
            await visitor.visit(condition, () => true, come);
            await visitor.visit(
                condition,
                () => words[TURN] !== turn,
                () => {
                    if (words[TURN] !== turn + 1) {
                        fail(`seat ${seat.index} missed a round of notifies: ${words[TURN]} of ${turn + 1}`);
                    }
                },
            );
        }
    },
    judge({ mutex, met, rest, words }, { turns }) {
        if (words[TURN] !== turns || words[HERE] !== 0) {
            fail(`${words[TURN]} of ${turns} meetings, and ${words[HERE]} more came`);
        }
        assertFree(Mutex.from(mutex));
        assertAtRest(Condition.from(met), rest);
    },
};
