/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LEAST_SIZE } from './mail.js';
import { Thrown } from './section.js';

/* The messages that a thread sends to channels, and receives from them. */

/**
 * @typedef {import('./mail.js').Mail} Mail
 * @typedef {import('./mail.js').Letter} Letter
 * @typedef {import('./player.js').Limits} Limits
 *
 * @typedef {object} SendOptions
 * @property {'send' | 'try' | 'inPlace' | 'tryInPlace' | 'many' | 'tryMany' | 'async' | 'inPlaceAsync'} how
 * @property {number[]} sizes of the messages; one, unless they are many
 * @property {Limits} [limits]
 * @property {boolean} [throws] whether the callback in place does
 *
 * @typedef {object} ReceiveOptions
 * @property {'receive' | 'try' | 'inPlace' | 'tryInPlace' | 'many' | 'tryMany' | 'async' | 'inPlaceAsync' | 'manyAsync' | 'loop'} how
 * @property {number} [most] of many, and of a loop, which then ends
 * @property {Limits} [limits]
 * @property {boolean} [throws] whether the callback in place does
 */

/** The most messages that a loop takes at once. */
const MOST_KEPT = 64;
const NOT_SENT = ['HF_CLOSED', 'HF_OVERFLOW'];

/** @param {string} how */
const waitsByPromise = (how) => how === 'loop' || how.toLowerCase().endsWith('async');

export class Mailbox {
    /** Messages that loops may have left to this thread, by channel. @type {Map<string, number>} */
    #mayBeKept = new Map();
    /** The number of the last message received from each stream, by calls that receive one after the other. @type
     * {Map<string, number>} */
    #last = new Map();
    /** Messages received by promises, in the order of the requests. @type {{ object: string, request: number,
     * letters: Letter[] }[]} */
    #promised = [];
    #requests = 0;
    #loops = 0;
    #player;
    #objects;
    #mail;
    #mailer;

    /**
     * @param {import('./player.js').Player} player
     * @param {Record<string, any>} objects by name
     * @param {Mail} mail
     * @param {number} mailer its number among all that send and receive
     */
    constructor(player, objects, mail, mailer) {
        this.#player = player;
        this.#objects = objects;
        this.#mail = mail;
        this.#mailer = mailer;
    }

    /** @param {string} object */
    #numberOf(object) {
        return Object.keys(this.#objects)
            .filter((name) => this.#objects[name].constructor.KIND === 'Channel')
            .indexOf(object);
    }

    /** @param {Limits} limits of a call that may block */
    #limit({ timeout = 0, deadline }) {
        return deadline !== undefined && this.#player.holdsNothing
            ? { deadline }
            : { timeout: this.#player.limit(timeout) };
    }

    /**
     * @param {string} name of the request
     * @param {string} object
     * @param {SendOptions} options
     */
    sends(name, object, { how, sizes, limits = {}, throws = false }) {
        const channel = this.#objects[object];
        const number = this.#numberOf(object);
        // A blocking call may overtake a waiting request, so both kinds of calls have a stream of their own.
        const stream = this.#mailer * 2 + Number(waitsByPromise(how));
        const letters = sizes.flatMap((size) => this.#mail.make(number, stream, size) ?? []);
        const [letter] = letters;
        if (letter === undefined || letters.length < sizes.length) {
            return letters.forEach((one) => this.#mail.ends(number, one, false));
        }
        const all = letters.map(({ bytes }) => bytes);
        const { bytes } = letter;
        const isTooLarge = all.some(({ length }) => length > channel.largest);
        const fill = (/** @type {Uint8Array} */ place) => {
            place.set(bytes);
            if (throws) {
                throw new Thrown(name);
            }
        };
        const ends = (/** @type {number} */ count) => {
            letters.forEach((one, index) => this.#mail.ends(number, one, index < count));
            this.#player.check(!isTooLarge || count === 0, `${name} has sent a message that is too large`);
        };
        const fails = (/** @type {any} */ error) => {
            if (how !== 'many' && how !== 'tryMany') {
                ends(0);
            } // a batch may have been sent in part
            this.#player.check(
                error?.code !== 'HF_OVERFLOW' || isTooLarge,
                `${name} is too large with ${bytes.length} bytes`,
            );
            this.#player.check(error?.code !== 'HF_CLOSED' || channel.isClosed, `${object} is not closed`);
            if (!(error instanceof Thrown)) {
                throw error;
            }
        };
        if (waitsByPromise(how)) {
            const call = () =>
                how === 'async'
                    ? channel.sendAsync(bytes, limits)
                    : channel.sendInPlaceAsync(bytes.length, fill, limits);
            return this.#player.asks(name, limits, () => call().then(() => ends(1), fails), {
                gives: 'nothing',
                may: NOT_SENT,
            });
        }
        const mayBlock = this.#player.holdsNothing;
        /** @type {Record<string, () => number | boolean | void>} */
        const ways = {
            send: () => (mayBlock ? channel.send(bytes) : channel.trySend(bytes)),
            try: () => channel.trySend(bytes, this.#limit(limits)),
            inPlace: () =>
                mayBlock
                    ? channel.sendInPlace(bytes.length, fill)
                    : channel.trySendInPlace(bytes.length, fill),
            tryInPlace: () => channel.trySendInPlace(bytes.length, fill, this.#limit(limits)),
            many: () => (mayBlock ? channel.sendMany(all) : channel.trySendMany(all)),
            tryMany: () => channel.trySendMany(all, this.#limit(limits)),
        };
        this.#player.blocks(
            name,
            () => {
                let sent;
                try {
                    sent = ways[how]?.();
                } catch (error) {
                    fails(error);
                    return;
                }
                ends(sent === undefined ? all.length : Number(sent));
            },
            NOT_SENT,
        );
    }

    /**
     * @param {string} name of the request
     * @param {string} object
     * @param {ReceiveOptions} options
     */
    receives(name, object, { how, most = 1, limits = {}, throws = false }) {
        const channel = this.#objects[object];
        /** @type {Letter[]} */
        const inPlace = [];
        const use = (/** @type {Uint8Array} */ bytes) => {
            if (throws) {
                throw new Thrown(name);
            }
            inPlace.push(...this.#received(object, [bytes]));
            return true;
        };
        if (how === 'loop') {
            return this.#player.asks(name, limits, () => this.#loop(object, most), { gives: 'nothing' });
        }
        if (waitsByPromise(how)) {
            const request = this.#requests++;
            /** @type {Record<string, () => Promise<any>>} */
            const ways = {
                async: () => channel.receiveAsync(limits),
                inPlaceAsync: () => channel.receiveInPlaceAsync(use, limits),
                manyAsync: () => channel.receiveManyAsync({ ...limits, most }),
            };
            const takes = (/** @type {any} */ value) => {
                const letters = value === true ? inPlace : this.#taken(object, value);
                this.#promised.push({ object, request, letters });
            };
            const fails = (/** @type {unknown} */ error) => {
                if (!(error instanceof Thrown)) {
                    throw error;
                }
            };
            return this.#player.asks(name, limits, () => ways[how]?.().then(takes, fails), {
                gives: 'nothing',
            });
        }
        const mayBlock = this.#player.holdsNothing;
        /** @type {Record<string, () => any>} */
        const ways = {
            receive: () => (mayBlock ? channel.receive() : channel.tryReceive()),
            try: () => channel.tryReceive(this.#limit(limits)),
            inPlace: () => (mayBlock ? channel.receiveInPlace(use) : channel.tryReceiveInPlace(use)),
            tryInPlace: () => channel.tryReceiveInPlace(use, this.#limit(limits)),
            many: () => (mayBlock ? channel.receiveMany({ most }) : channel.tryReceiveMany({ most })),
            tryMany: () => channel.tryReceiveMany({ ...this.#limit(limits), most }),
        };
        this.#player.blocks(name, () => {
            const value = ways[how]?.();
            const letters = value === true ? inPlace : this.#taken(object, value);
            letters.forEach((letter) => this.#checkOrder(`${object} at once`, letter));
        }, ['thrown']);
    }

    /** @param {string} object @param {number} most */
    async #loop(object, most) {
        const order = `${object} in loop ${this.#loops++}`;
        let left = most;
        for await (const bytes of this.#objects[object]) {
            this.#received(object, [bytes]).forEach((letter) => this.#checkOrder(order, letter));
            left -= 1;
            if (left === 0) {
                this.#mayBeKept.set(object, (this.#mayBeKept.get(object) ?? 0) + MOST_KEPT);
                return;
            }
        }
        this.#taken(object, null);
    }

    /** @param {string} object @param {Uint8Array | Uint8Array[] | null | undefined} value what a call gave */
    #taken(object, value) {
        if (value === null) {
            this.#player.check(this.#objects[object].isClosed, `${object} ended, but is not closed`);
            this.#mail.seesTheEnd(this.#numberOf(object));
        }
        return value ? this.#received(object, Array.isArray(value) ? value : [value]) : [];
    }

    /** @param {string} object @param {Uint8Array[]} messages */
    #received(object, messages) {
        return messages.flatMap((bytes) => {
            const letter = this.#mail.receives(this.#numberOf(object), bytes);
            this.#player.check(letter !== undefined, `a message of ${object} is damaged: ${bytes}`);
            return letter ?? [];
        });
    }

    /** @param {string} order @param {Letter} letter */
    #checkOrder(order, { stream, number }) {
        const key = `${order}, stream ${stream}`;
        const last = this.#last.get(key) ?? -1;
        this.#player.check(number > last, `${key}: message ${number} came after ${last}`);
        this.#last.set(key, number);
    }

    /**
     * Called when all requests have ended. Takes the messages that loops have left, and checks the order of the
     * messages that came by promises.
     */
    settled() {
        for (const [object, count] of this.#mayBeKept) {
            for (let left = count; left > 0; left -= 1) {
                const value = this.#objects[object].tryReceive();
                if (!value) {
                    break;
                }
                this.#received(object, [value]);
            }
        }
        for (const { object, letters } of this.#promised.toSorted((a, b) => a.request - b.request)) {
            letters.forEach((letter) => this.#checkOrder(`${object} by promise`, letter));
        }
    }
}

/** Run by the referee: ends waits without a limit, and empties the channel. */
export class Postmaster {
    #rounds = 0;
    #mail;
    #number;
    #mailer;

    /** @param {Mail} mail @param {number} number of the channel @param {number} mailer */
    constructor(mail, number, mailer) {
        this.#mail = mail;
        this.#number = number;
        this.#mailer = mailer;
    }

    /** Receives one message and sends one, and after these rounds closes the channel. @param {any} channel @param {number} rounds */
    meet(channel, rounds) {
        this.#rounds += 1;
        if (this.#rounds > rounds) {
            channel.close();
            return;
        }
        const bytes = channel.tryReceive();
        if (bytes) {
            this.#mail.receives(this.#number, bytes);
        }
        const letter = channel.isClosed
            ? undefined
            : this.#mail.make(this.#number, this.#mailer * 2, LEAST_SIZE);
        if (letter) {
            this.#mail.ends(this.#number, letter, isSent(channel, letter.bytes));
        }
    }

    /** @param {any} channel @param {number} mayBeLost @returns {Promise<string[]>} what is wrong */
    async empty(channel, mayBeLost) {
        channel.close();
        let left = 0;
        for (let bytes = await channel.receiveAsync(); bytes; bytes = await channel.receiveAsync()) {
            this.#mail.receives(this.#number, bytes);
            left += 1;
        }
        return [
            ...this.#mail.wrong(this.#number, { mayBeLost, left }),
            ...(channel.length > 0 ? [`it has ${channel.length} messages, but is empty`] : []),
        ];
    }
}

/** @param {any} channel @param {Uint8Array} bytes */
function isSent(channel, bytes) {
    try {
        return channel.trySend(bytes);
    } catch (/** @type {any} */ error) {
        if (error.code !== 'HF_CLOSED') {
            throw error;
        }
        return false;
    }
}
