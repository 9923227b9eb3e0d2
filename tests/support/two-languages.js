/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Channel } from '../../js-glue/channel.js';
import { LockSpace, Mutex } from '../../js-glue/index.js';

/* Callbacks of C (tests/package/emscripten/two-languages.c) and requests of JavaScript for one mutex, and for one channel, in
 * one thread. */

const REQUESTS = 12;
/** The least number of turns for each language, beside threads. */
const TURNS = 100;
/** The messages of each sender. Senders are a callback of C, two threads of C, and JavaScript. */
const MESSAGES = 500;
const SENDERS = 4;
const WATCHDOG_MS = 20_000;

const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * @param {() => boolean} isSo
 * @param {string} what
 */
async function until(isSo, what) {
    const end = Date.now() + WATCHDOG_MS;
    while (!isSo()) {
        if (Date.now() > end) {
            throw new Error(`no end in sight: ${what}`);
        }
        await sleep(1);
    }
}

/**
 * @param {(options: object) => Promise<any>} createProgram
 * @returns {Promise<Record<string, unknown>>} plain data
 */
export async function takeTurns(createProgram) {
    /** @type {(number: number, result: number) => void} */
    let hear = () => {};
    /** The numbers that each receiver got from each sender. C is the first receiver. */
    const got = [0, 1].map(() => Array.from({ length: SENDERS }, () => /** @type {number[]} */ ([])));
    const program = await createProgram({
        quit() {}, // keeps Node alive at the program's end, as a page would stay
        told: (/** @type {number} */ number, /** @type {number} */ result) => hear(number, result),
        got: (/** @type {number} */ receiver, /** @type {number} */ sender, /** @type {number} */ number) =>
            got[receiver]?.[sender]?.push(number),
    });
    const memory = program.wasmMemory;
    LockSpace.attach(memory, { threads: program._hf_threads() });
    const mutex = Mutex.at(memory, program._address_of_mutex());

    /**
     * Both languages request the held lock. Returns the order in which they got it.
     *
     * @param {number} pause between two requests
     */
    async function orderOf(pause) {
        /** @type {number[]} */
        const order = [];
        hear = (number) => order.push(number);
        program._trylock();
        for (let at = 0; at < REQUESTS; at += 1) {
            // two requests of each language in turn, so that each language follows the other and itself
            if (at % 4 < 2) {
                program._ask(at);
            } else {
                void mutex.execAsync(() => order.push(at));
            }
            if (pause > 0) {
                await sleep(pause);
            }
        }
        program._unlock();
        await until(() => order.length === REQUESTS, `all of ${REQUESTS} requests`);
        return order;
    }

    /** Two loops, one of each language, request the lock beside two threads that hold it nearly all the time. */
    async function contended() {
        const turns = [0, 0];
        /** @param {0 | 1} who */
        const note = (who) => {
            turns[who] = (turns[who] ?? 0) + 1;
        };
        let loops = 2;
        /** @param {() => void} request */
        const ask = (request) => {
            if (turns.every((count) => count >= TURNS)) {
                loops -= 1;
                return;
            }
            request();
        };
        /** @param {0 | 1} who @param {() => void} request */
        const askAgain = (who, request) => {
            note(who);
            setTimeout(() => ask(request), Math.random() * 3);
        };
        const inC = () => program._ask(0);
        const inJs = () => void mutex.execAsync(() => askAgain(1, inJs));
        hear = () => askAgain(0, inC);
        program._start(0.2);
        ask(inC);
        ask(inJs);
        await until(() => loops === 0, 'both loops beside threads');
        program._finish();
        return { turns };
    }

    /** In each language, a waiter is granted after the first waiter of the other language has given up. */
    async function afterTheFirst() {
        /** @type {string[]} */
        const met = [];
        hear = (number, result) => met.push(`C ${number} ${result}`);
        const abort = new AbortController();

        program._trylock();
        const aborted = mutex.execAsync(() => {}, { signal: abort.signal });
        program._ask(1);
        abort.abort();
        await aborted.catch(() => {});
        program._unlock();
        await until(() => met.length === 1, 'C after a request of JavaScript that was aborted');

        program._trylock();
        program._ask(2);
        void mutex.execAsync(() => met.push('JavaScript'));
        program._cancel_last();
        program._unlock();
        await until(() => met.length === 2, 'JavaScript after a callback that was cancelled');

        program._trylock();
        program._ask(3);
        void mutex.execAsync(() => met.push('JavaScript'));
        program._forget();
        program._unlock();
        await until(() => met.length === 3, 'JavaScript after callbacks that were forgotten');
        return met;
    }

    /** Both languages send, and both receive. */
    async function throughChannel() {
        const channel = Channel.at(memory, program._new_channel(MESSAGES));
        const receive = async () => {
            for (let bytes; (bytes = await channel.receiveAsync());) {
                const [sender = -1, number = -1] = new Int32Array(bytes.buffer);
                got[1]?.[sender]?.push(number);
            }
        };
        program._receive_here();
        const receives = receive();
        program._send_by_threads();
        program._send_here();
        for (let number = 0; number < MESSAGES; number += 1) {
            await channel.sendAsync(Int32Array.of(1, number));
        }
        const count = () => got.flat(2).length;
        await until(() => count() >= SENDERS * MESSAGES, 'all messages');
        channel.close();
        await receives;
        return { messages: got };
    }

    /** A program that has ended acquires no lock: the callback, which would release it, never comes. */
    async function afterTheProgram() {
        /** @type {string[]} */
        const met = [];
        hear = () => met.push('C');
        mutex.tryLock();
        program._ask(1);
        program._ask(2);
        void mutex.execAsync(() => met.push('JavaScript'));
        const channel = Channel.at(memory, program._new_channel(0));
        program._receive_here();
        try {
            program._leave();
        } catch {
            // an ExitStatus
        }
        mutex.unlock();
        await until(() => met.length > 0, 'JavaScript after a program that has ended');
        await channel.sendAsync(Int32Array.of(0, 0));
        return [...met, (await channel.receiveAsync())?.length];
    }

    return {
        atOnce: await orderOf(0),
        soon: await orderOf(5),
        late: await orderOf(100),
        afterTheFirst: await afterTheFirst(),
        ...(await contended()),
        ...(await throughChannel()),
        afterTheProgram: await afterTheProgram(),
    };
}
