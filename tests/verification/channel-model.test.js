/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The shipped bytes of channels in every interleaving of a few threads: their event counts and their rings. A side's mutex is one
 * step here, since mutexes are explored by themselves (models/); so is what the glue does between two calls. No wait ends
 * by its limit: a lost wake leaves a state from which nobody goes on. A thread that dies gives back its mutex, as the next
 * caller takes it over. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
    CHANNEL_CLOSED,
    CHANNEL_LEAST_PLACE,
    CHANNEL_RECEIVERS_OFFSET,
    CHANNEL_RING_OFFSET,
    CHANNEL_SENDERS_OFFSET,
    RESULT_BUSY,
    RESULT_CLOSED,
    RESULT_OK,
} from '../../js-glue/memory/layout.js';
import { decode } from '../../models/wasm/decoder.js';
import { call, resume } from '../../models/wasm/interpreter.js';
import { ONLY_IN_ALL } from '../support/tier.js';

const module = decode(readFileSync(new URL('../../build/wasm/channel.wasm', import.meta.url)));

const CHANNEL = 64;
const RING = 64;
/** Two of this size fill the ring. */
const SIZE = 24;
const NO_LIMIT = -1;

/**
 * @typedef {'sends' | 'receives' | 'closes'} Role
 * @typedef {{ role: Role, messages?: number, mayDie?: boolean }} Described
 *
 * @typedef {object} Thread
 * @property {string} step what comes next, if no call runs
 * @property {any} stop of the call that runs
 * @property {boolean} sleeps
 * @property {boolean} isDead
 * @property {boolean} holds its side's mutex
 * @property {number} token
 * @property {number} result of the last call
 * @property {number} place
 * @property {number} left messages to send
 * @property {string} copy of a message that it has not taken yet
 * @property {string[]} got
 *
 * @typedef {{ words: Record<number, bigint>, threads: Thread[] }} World
 */

const [own, other, unless, look] = /** @type {const} */ ([
    { sends: CHANNEL_SENDERS_OFFSET, receives: CHANNEL_RECEIVERS_OFFSET },
    { sends: CHANNEL_RECEIVERS_OFFSET, receives: CHANNEL_SENDERS_OFFSET },
    { sends: CHANNEL_CLOSED, receives: 0 },
    { sends: 'channel_put', receives: 'channel_next' },
]);

/** @param {World} world @param {string} name of an access @param {number} address */
function read({ words }, name, address) {
    const word = words[address & ~7] ?? 0n;
    return name.startsWith('i64')
        ? BigInt.asIntN(64, word)
        : Number(BigInt.asIntN(32, word >> BigInt((address & 4) * 8)));
}

/** @param {World} world @param {string} name @param {number} address @param {number | bigint} value */
function write({ words }, name, address, value) {
    const shift = BigInt((address & 4) * 8);
    const word = words[address & ~7] ?? 0n;
    words[address & ~7] = name.startsWith('i64')
        ? BigInt.asUintN(64, BigInt(value))
        : (word & ~(0xffff_ffffn << shift)) | (BigInt.asUintN(32, BigInt(value)) << shift);
}

/**
 * One atomic instruction of a call.
 *
 * @param {World} world
 * @param {Thread} thread
 */
function goOn(world, thread) {
    const { name, address, operands } = thread.stop.atomic;
    /** @type {number | bigint} */
    let result = 0;
    if (name === 'memory.atomic.notify') {
        world.threads.forEach((one) => {
            if (one.sleeps && one.stop.atomic.address === address) {
                one.sleeps = false;
                one.stop = resume(module, one.stop.frames, 0);
                settle(one);
            }
        });
    } else if (name === 'memory.atomic.wait32') {
        if (read(world, 'i32', address) === operands[0]) {
            thread.sleeps = true;
            return;
        }
        result = 1;
    } else if (name.endsWith('.load')) {
        result = read(world, name, address);
    } else if (name.endsWith('.store')) {
        write(world, name, address, operands[0]);
    } else {
        assert.match(name, /cmpxchg$/);
        result = read(world, name, address);
        if (result === operands[0]) {
            write(world, name, address, operands[1]);
        }
    }
    thread.stop = resume(module, thread.stop.frames, result);
    settle(thread);
}

/** @param {Thread} thread whose call may have ended */
function settle(thread) {
    if (thread.stop.atomic === undefined) {
        thread.result = Number(thread.stop.value ?? 0);
        thread.stop = undefined;
    }
}

/** @param {Thread} thread @param {string} name @param {number[]} parameters @param {string} next step */
function start(thread, name, parameters, next) {
    thread.step = next;
    thread.stop = call(module, name, parameters);
    settle(thread);
}

/** The steps between calls, as the glue and C threads make them. @param {World} world @param {Thread} thread @param {Role} role @param {number} number */
function step(world, thread, role, number) {
    if (role === 'closes') {
        start(thread, 'channel_close', [CHANNEL], 'ends');
        return;
    }
    const side = CHANNEL + own[role];
    const awaited = CHANNEL + other[role];
    switch (thread.step) {
        case 'locks':
            thread.holds = true;
            start(thread, 'channel_token', [awaited], 'begins');
            break;
        case 'begins':
            thread.token = thread.result;
            start(thread, 'channel_begin', [side], 'looks');
            break;
        case 'looks':
            start(thread, look[role], role === 'sends' ? [CHANNEL, SIZE] : [CHANNEL], 'copies');
            break;
        case 'copies':
            if (thread.result < CHANNEL_LEAST_PLACE) {
                thread.holds = false;
                thread.step = thread.result === RESULT_BUSY ? 'waits' : 'ends';
                assert.ok([RESULT_BUSY, RESULT_CLOSED].includes(thread.result), `result ${thread.result}`);
                thread.result = 0;
                break;
            }
            thread.place = CHANNEL + thread.result;
            if (role === 'sends') {
                write(world, 'i32', thread.place, number * 100 + thread.left);
            } else {
                thread.copy = String(read(world, 'i32', thread.place));
            }
            start(thread, 'channel_move_on', [side, unless[role]], 'unlocks');
            break;
        case 'unlocks':
            if (role === 'receives') {
                thread.got.push(thread.copy);
            }
            thread.holds = false;
            thread.left -= 1;
            thread.step = thread.result && (role === 'receives' || thread.left > 0) ? 'locks' : 'ends';
            break;
        case 'waits':
            start(thread, 'channel_wait', [awaited, thread.token, thread.result, NO_LIMIT], 'wakes');
            break;
        default:
            thread.step = thread.result === RESULT_OK ? 'locks' : 'waits';
    }
}

/**
 * @param {Described[]} described
 * @returns {{ states: number, failure?: string }}
 */
function explore(described) {
    const roleOf = (/** @type {number} */ at) => described[at]?.role ?? 'closes';
    /** @type {World} */
    const first = {
        words: {},
        threads: described.map(({ messages = 0 }) => ({
            ...{ step: 'locks', stop: undefined, sleeps: false, isDead: false, holds: false },
            ...{ token: 0, result: 0, place: 0, left: messages, copy: '', got: [] },
        })),
    };
    [CHANNEL_SENDERS_OFFSET, CHANNEL_RECEIVERS_OFFSET].forEach((side) =>
        write(first, 'i32', CHANNEL + side + CHANNEL_RING_OFFSET, RING),
    );
    const isOver = (/** @type {Thread} */ { step: next, stop, isDead }) =>
        isDead || (next === 'ends' && !stop);
    const mayStep = (/** @type {World} */ { threads }, /** @type {number} */ at) => {
        const thread = /** @type {Thread} */ (threads[at]);
        const isLocked = threads.some((one, which) => one.holds && roleOf(which) === roleOf(at));
        return !isOver(thread) && !thread.sleeps && (thread.stop || thread.step !== 'locks' || !isLocked);
    };
    const textOf = (/** @type {World} */ world) =>
        JSON.stringify(world, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
    /** Short, since all are kept. @param {World} world */
    const keyOf = (world) => createHash('sha1').update(textOf(world)).digest('base64');
    /** Each sender's numbers go down. @param {World} world @param {boolean} isEnd */
    const complaint = ({ threads }, isEnd) => {
        const all = threads.flatMap(({ got }) => got);
        const lone = threads.filter((_, at) => roleOf(at) === 'receives').length === 1;
        for (const [at, { left, isDead }] of threads.entries()) {
            const numbers = all.map(Number).filter((each) => Math.floor(each / 100) === at);
            const sent = (described[at]?.messages ?? 0) - left;
            if (new Set(numbers).size < numbers.length) {
                return 'a message came twice';
            }
            if (lone && numbers.some((each, which) => which > 0 && each >= Number(numbers[which - 1]))) {
                return 'messages came in another order';
            }
            const isClosed = described.some(({ role }) => role === 'closes');
            const mortal = described.some(({ mayDie }) => mayDie);
            if (
                isEnd &&
                roleOf(at) === 'sends' &&
                !isDead &&
                !mortal &&
                !isClosed &&
                numbers.length !== sent
            ) {
                return `${numbers.length} of ${sent} messages came`;
            }
        }
        return '';
    };
    const seen = new Set([keyOf(first)]);
    const pending = [first];
    for (let world = pending.pop(); world; world = pending.pop()) {
        const before = world;
        /** @type {World[]} */
        const next = [];
        before.threads.forEach((_, at) => {
            if (mayStep(before, at)) {
                const after = structuredClone(before);
                const thread = /** @type {Thread} */ (after.threads[at]);
                if (thread.stop) {
                    goOn(after, thread);
                } else {
                    step(after, thread, roleOf(at), at);
                }
                next.push(after);
            }
            if (described[at]?.mayDie && !isOver(/** @type {Thread} */ (before.threads[at]))) {
                const after = structuredClone(before);
                Object.assign(/** @type {Thread} */ (after.threads[at]), {
                    ...{ isDead: true, stop: undefined, sleeps: false, holds: false },
                });
                next.push(after);
            }
        });
        // Receivers wait for ever, unless it is closed: then each message has come.
        const isEnd = !before.threads.some((_, at) => mayStep(before, at));
        const stuck = before.threads.filter(
            (thread, at) => !isOver(thread) && (roleOf(at) !== 'receives' || thread.step !== 'wakes'),
        );
        const isClosed = described.some(({ role }, at) => role === 'closes' && !before.threads[at]?.isDead);
        const isLate = isClosed && before.threads.some((thread) => !isOver(thread));
        const failure =
            complaint(before, isEnd) ||
            (isEnd && (stuck.length > 0 || isLate) ? 'nobody goes on from here' : '');
        if (failure) {
            return { states: seen.size, failure: `${failure}: ${textOf(before)}` };
        }
        for (const each of next) {
            const key = keyOf(each);
            if (!seen.has(key)) {
                seen.add(key);
                pending.push(each);
            }
        }
    }
    return { states: seen.size };
}

/** @type {(messages: number, mayDie?: boolean) => Described} */
const sends = (messages, mayDie = false) => ({ role: 'sends', messages, mayDie });
/** @type {(mayDie?: boolean) => Described} */
const receives = (mayDie = false) => ({ role: 'receives', mayDie });
/** @type {Described} */
const CLOSES = { role: 'closes' };

/** @type {Record<string, Described[]>} */
const QUICK = {
    '1 sends more than fit, 1 receives': [sends(4), receives()],
    '1 sends, 1 receives, 1 closes': [sends(1), receives(), CLOSES],
    '1 sends, 1 receives, 1 of which dies': [sends(3, true), receives()],
};

/** @type {Record<string, Described[]>} */
const LONG = {
    '2 send, 1 receives': [sends(1), sends(1), receives()],
    '1 sends, 2 receive': [sends(1), receives(), receives()],
    '1 sends, 1 of 2 that receive dies': [sends(1), receives(true), receives()],
    '2 send, 1 of which dies, 1 receives': [sends(1, true), sends(1), receives()],
};

for (const [name, threads] of Object.entries(QUICK)) {
    test(`channel, explored: ${name}`, (t) => {
        const { states, failure } = explore(threads);
        t.diagnostic(`${states} states`);
        assert.equal(failure, undefined);
    });
}

for (const [name, threads] of Object.entries(LONG)) {
    test(`channel, explored: ${name}`, ONLY_IN_ALL, (t) => {
        const { states, failure } = explore(threads);
        t.diagnostic(`${states} states`);
        assert.equal(failure, undefined);
    });
}
