/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The spins of threads at a barrier before they sleep: calls of the shipped module, one step at a time, with
 * the spins counted. The explorer shows that spins are safe, the benchmarks that they help. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decode } from '../../models/wasm/decoder.js';
import { call, resume } from '../../models/wasm/interpreter.js';
import { MODULE_FILE } from '../../models/wasm/shipped-module.js';

/** @typedef {import('../../models/wasm/interpreter.js').Atomic} Atomic */
/** @typedef {import('../../models/wasm/interpreter.js').Value} Value */

const MODULE = decode(readFileSync(MODULE_FILE));

const ADDRESS = 1024;
/** c-src/include/holdfast/barrier.h */
const PAUSE_OFFSET = 12;

const LIMIT_MICROSECONDS = 1000;
const LOOKS = 25_000;

/** A wait that a wake has ended. */
const WOKEN = 0;
const RESULT_OK = 0;

/** The most rounds in a row without a spin. */
const LONGEST_PAUSE = 254;

class BarrierWords {
    /** @type {Map<number, Value>} */
    #words = new Map();
    /** The spins' reads in the round. */
    looks = 0;
    sleeps = 0;
    /** Called before each read of a spin. */
    beforeLook = () => {};

    /** @param {Atomic} atomic @returns {Value} */
    perform({ name, address, operands: [first = 0, second = 0] }) {
        const zero = name.startsWith('i64') ? 0n : 0;
        switch (name.slice(name.indexOf('.') + 1)) {
            case 'atomic.load':
                this.looks += Number(address === ADDRESS);
                this.beforeLook();
                return this.#words.get(address) ?? zero;
            case 'atomic.store':
                this.#words.set(address, first);
                return 0;
            case 'atomic.rmw.cmpxchg': {
                const before = this.#words.get(address) ?? zero;
                this.#words.set(address, before === first ? second : before);
                return before;
            }
            case 'atomic.notify':
                return 0;
            case 'atomic.wait32':
                this.sleeps += 1;
                return WOKEN;
            default:
                return assert.fail(`a barrier has no use for ${name}`);
        }
    }

    /** A call, which stops before each atomic instruction. @param {string} name @param {number[]} parameters */
    *steps(name, parameters) {
        let stop = call(MODULE, name, [ADDRESS, ...parameters]);
        while (stop.atomic) {
            yield;
            stop = resume(MODULE, stop.frames, this.perform(stop.atomic));
        }
        return stop.value;
    }

    /** The word that says which rounds skip the spin. */
    pause() {
        return this.#words.get(ADDRESS + PAUSE_OFFSET);
    }

    /** @param {string} name @param {number[]} parameters */
    run(name, ...parameters) {
        return last(this.steps(name, parameters));
    }

    arrive() {
        return Number(BigInt.asIntN(32, BigInt(this.run('barrier_arrive') ?? 0)));
    }

    /**
     * The calls of a wait until it has slept once or ended: the first call may spin, the second sleeps.
     *
     * @param {number} round
     */
    wait(round) {
        this.looks = 0;
        this.sleeps = 0;
        const looked = Number(this.run('barrier_wait', round, 0, LIMIT_MICROSECONDS));
        assert.equal(this.sleeps, 0);
        return this.run('barrier_wait', round, looked, LIMIT_MICROSECONDS);
    }

    /** A round of two threads; the last arrives when the first sleeps. Returns whether the first has spun. */
    roundWithASleep() {
        this.wait(this.arrive());
        assert.equal(this.sleeps, 1);
        const hasLooked = this.looks > 1;
        assert.equal(this.looks, hasLooked ? LOOKS + 1 : 1);
        this.arrive();
        return hasLooked;
    }

    /** A round of two threads; the last arrives while the first spins. Returns whether the first has spun. */
    roundWithALook() {
        const round = this.arrive();
        this.beforeLook = () => {
            if (this.looks > 1) {
                this.beforeLook = () => {};
                this.arrive();
            }
        };
        const result = this.wait(round);
        if (result === RESULT_OK) {
            assert.equal(this.sleeps, 0);
            return true;
        }
        this.beforeLook = () => {};
        this.arrive();
        return false;
    }
}

/** @template T @param {Generator<void, T>} steps @returns {T} */
function last(steps) {
    let step = steps.next();
    while (!step.done) {
        step = steps.next();
    }
    return step.value;
}

/** @param {number} parties */
function barrierOf(parties) {
    const words = new BarrierWords();
    words.run('barrier_init', parties);
    return words;
}

/** Returns how many rounds in a row skip the spin. @param {BarrierWords} words */
function pauseOf(words) {
    let rounds = 0;
    while (!words.roundWithASleep()) {
        rounds += 1;
        assert.ok(rounds <= LONGEST_PAUSE, 'nobody looks any more');
    }
    return rounds;
}

test('barrier: an arrival spins for a time before it sleeps', () => {
    const words = barrierOf(2);
    assert.equal(words.roundWithASleep(), true);
});

test('barrier: an arrival that sees the end of the round while it spins does not sleep, in any round', () => {
    const words = barrierOf(2);
    for (let round = 0; round < 10; round += 1) {
        assert.equal(words.roundWithALook(), true);
    }
});

test('barrier: after each useless spin more rounds skip the spin before the next one spins', () => {
    const words = barrierOf(2);
    const pauses = Array.from({ length: 10 }, () => pauseOf(words));
    assert.deepEqual(pauses, [0, 0, 2, 6, 14, 30, 62, 126, LONGEST_PAUSE, LONGEST_PAUSE]);
});

test('barrier: successful spins make the next pause shorter', () => {
    const words = barrierOf(2);
    const pauses = Array.from({ length: 6 }, () => pauseOf(words));
    assert.equal(pauses.at(-1), 30);
    for (let rounds = 0; rounds < 62; rounds += 1) {
        assert.equal(words.roundWithASleep(), false);
    }
    for (let look = 0; look < 3; look += 1) {
        assert.equal(words.roundWithALook(), true);
    }
    assert.equal(words.roundWithASleep(), true);
    assert.equal(pauseOf(words), 14);
});

test('barrier: two unsuccessful spins in one round count as one', () => {
    const words = barrierOf(3);
    const waits = [words.arrive(), words.arrive()].map((round) =>
        words.steps('barrier_wait', [round, 0, LIMIT_MICROSECONDS]),
    );
    for (let steps = 0; steps < LOOKS / 2; steps += 1) {
        waits.forEach((wait) => wait.next());
    }
    waits.forEach(last);
    words.arrive();
    const alone = barrierOf(2);
    alone.roundWithASleep();
    assert.deepEqual(words.pause(), alone.pause());
});

test('barrier: a wait that has timed out or has slept does not spin', () => {
    const words = barrierOf(2);
    const round = words.arrive();
    const more = Number(words.wait(round));
    words.looks = 0;
    words.run('barrier_wait', round, more, LIMIT_MICROSECONDS);
    assert.equal(words.looks, 1);
    words.looks = 0;
    words.run('barrier_wait', round, more, 0);
    assert.equal(words.looks, 1);
});
