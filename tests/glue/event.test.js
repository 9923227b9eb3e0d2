/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { Event, Latch, LockSpace, Mutex, TimeoutError } from '../../js-glue/index.js';
import { attachmentFor } from '../../js-glue/memory/placed.js';
import { makeBoard, reached, spinUntilReached } from '../support/board.js';
import { waitWithoutLimit } from '../support/endless.js';
import { replaceInEnvironment } from '../support/environment.js';
import { errorWith } from '../support/errors.js';
import { jobEnds, reasonOf } from '../support/event-loop.js';
import { startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { assertFree, restOf, wordsOf } from '../support/words.js';

/* Both kinds of events on one thread, and the effect of a set on waiting threads. primitives-waits.test.js
 * has what all waits share. */

waitWithoutLimit();

/** @type {<T>(promise: Promise<T>, event: Event) => Promise<T>} */
const met = (promise, event) => within(promise, 'a wait', [event]);

test('event: a new event is not set, and without autoReset it stays set until a reset', () => {
    for (const options of [undefined, {}, { autoReset: false }]) {
        const event = new Event(options);
        assertFree(event);
        assert.equal(event.autoReset, false);
        assert.equal(event.isSet, false);
    }
    const event = new Event({ autoReset: true });
    assert.equal(event.autoReset, true);
    assert.equal(event.isSet, false);
});

test('event: zeroed memory is a manual-reset event that is not set', () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const event = Event.at(memory, 64);
    assert.equal(event.autoReset, false);
    assert.equal(event.isSet, false);
    const other = Event.at(memory, 80, { autoReset: true });
    assert.equal(Event.at(memory, 80).autoReset, true);
    other.set();
    assert.equal(Event.at(memory, 80).isSet, true);
});

for (const autoReset of [false, true]) {
    const name = autoReset ? 'auto-reset event' : 'event';

    test(`${name}: set() and reset() change isSet, and a second call of either changes nothing`, () => {
        const event = new Event({ autoReset });
        const rest = restOf(event);
        event.reset();
        assert.equal(event.isSet, false);
        event.set();
        assert.equal(event.isSet, true);
        event.set();
        assert.equal(event.isSet, true);
        event.reset();
        event.reset();
        assert.equal(event.isSet, false);
        assert.deepEqual(restOf(event), rest);
    });

    test(`${name}: a wait for a set event returns at once`, async () => {
        const event = new Event({ autoReset });
        for (const timeout of [undefined, 0, -1, 0.5, 5, Infinity]) {
            event.set();
            assert.equal(event.wait(timeout), true);
            assert.equal(event.isSet, !autoReset);
            event.set();
            await event.waitAsync({ timeout: timeout ?? Infinity });
            assert.equal(event.isSet, !autoReset);
        }
    });

    test(`${name}: a wait for an event that is not set times out`, async () => {
        const event = new Event({ autoReset });
        assert.equal(event.wait(0), false);
        assert.equal(event.wait(-1), false);
        assert.equal(event.wait(1), false);
        assert.ok((await reasonOf(event.waitAsync({ timeout: 1 }))) instanceof TimeoutError);
        assert.match(
            /** @type {Error} */ (await reasonOf(event.waitAsync({ timeout: 1 }))).message,
            /waiting for Event at/,
        );
    });
}

test('event: set() releases all waiters, even if it is reset at once', async () => {
    const event = new Event();
    const waits = Array.from({ length: 10 }, () => event.waitAsync());
    await jobEnds();
    event.set();
    event.reset();
    await met(Promise.all(waits), event);
    assert.equal(event.isSet, false);
});

test('event: a set before a reset does not release waits that begin after the reset', async () => {
    const event = new Event();
    const early = event.waitAsync();
    event.set();
    event.reset();
    const late = reasonOf(event.waitAsync({ timeout: 3 }));
    await met(early, event);
    assert.ok((await met(late, event)) instanceof TimeoutError);
});

test('event: signal stays one object until it aborts; after a reset there is a new one', async () => {
    const event = new Event();
    const { signal } = event;
    assert.ok(signal instanceof AbortSignal);
    assert.equal(signal.aborted, false);
    assert.equal(Event.from(event.handle).signal, signal);
    let aborts = 0;
    signal.addEventListener('abort', () => (aborts += 1));
    event.set();
    assert.equal(event.signal, signal);
    assert.equal(signal.aborted, true);
    assert.equal(signal.reason.name, 'AbortError');
    await jobEnds();
    assert.equal(aborts, 1);
    event.reset();
    const next = event.signal;
    assert.notEqual(next, signal);
    assert.equal(next.aborted, false);
    event.set();
    event.reset(); // the earlier set has released all waiters
    const last = event.signal;
    await met(new Promise((resolve) => next.addEventListener('abort', resolve)), event);
    assert.equal(last.aborted, false);
    assert.equal(event.signal, last);
    event.set();
    assert.equal(event.signal.aborted, true);
    assert.equal(new Event().signal.aborted, false);
});

test('event: a reset makes a new signal, even if the old one had aborted when it was made', () => {
    const event = new Event();
    event.set();
    assert.equal(event.signal.aborted, true);
    event.reset();
    const { signal } = event;
    assert.equal(signal.aborted, false);
    event.set();
    assert.equal(event.signal, signal);
    assert.equal(signal.aborted, true);
});

test('event: signal starts one wait, however often it is read', () => {
    const event = new Event({ space: new LockSpace() });
    const attachment = attachmentFor(event);
    const { exports } = attachment;
    let steps = 0;
    attachment.exports = {
        ...exports,
        event_step(...args) {
            steps += 1;
            return exports.event_step(...args);
        },
    };
    const { signal } = event;
    const atFirst = steps;
    assert.equal(event.signal, signal);
    assert.equal(steps, atFirst);
    event.set();
});

test('event: signal is refused in a thread without timers, which would not notice the set', () => {
    const event = new Event();
    const restore = replaceInEnvironment({ setTimeout: undefined });
    try {
        assert.throws(() => event.signal, errorWith('HF_NO_TIMERS', /no timers|without a timeout/));
    } finally {
        restore();
    }
});

test('event: signal aborts when another thread sets the event, and ends waits of other classes', async (t) => {
    const event = new Event();
    const mutex = new Mutex();
    mutex.lock();
    const request = mutex.execAsync(assert.fail, { signal: event.signal });
    startThread(t, 'event-setter', event.handle);
    const error = /** @type {any} */ (await met(reasonOf(request), event));
    assert.equal(error, event.signal.reason);
    assert.equal(error.name, 'AbortError');
    mutex.unlock();
    assertFree(mutex);
});

test('event: signal is refused with autoReset, and for a freed event', () => {
    assert.throws(
        () => new Event({ autoReset: true }).signal,
        errorWith('HF_BAD_OPTION', /autoReset has no signal/),
    );
    const space = new LockSpace();
    const event = new Event({ space });
    const { signal } = event;
    space.free(event);
    const next = new Event({ space });
    next.set();
    assert.equal(signal.aborted, false);
    assert.notEqual(next.signal, signal);
});

test('event, latch: the option ref must be true or false', async () => {
    for (const ref of /** @type {any[]} */ ([null, 0, 1, 'false', {}])) {
        const isTold = errorWith(
            'HF_BAD_OPTION',
            /^ref must be true or false, not (?:null|0|1|'false'|an object)\.$/,
        );
        await assert.rejects(new Event().waitAsync({ ref }), isTold);
        await assert.rejects(new Event({ autoReset: true }).waitAsync({ ref }), isTold);
        await assert.rejects(new Latch({ count: 1 }).waitAsync({ ref }), isTold);
    }
    const event = new Event();
    event.set();
    for (const ref of [true, false, undefined]) {
        await event.waitAsync({ ref });
    }
    event.reset();
    const { signal } = new AbortController();
    const wait = event.waitAsync({ ref: false, signal });
    event.set();
    await met(wait, event);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('auto-reset event: each set releases one waiter, in the order in which they came', async () => {
    const event = new Event({ autoReset: true });
    /** @type {number[]} */
    const order = [];
    const waits = Array.from({ length: 5 }, (_, index) => event.waitAsync().then(() => order.push(index)));
    for (let index = 0; index < 5; index += 1) {
        await jobEnds();
        assert.equal(order.length, index);
        event.set();
        await met(/** @type {Promise<number>} */ (waits[index]), event);
    }
    assert.deepEqual(order, [0, 1, 2, 3, 4]);
    assert.equal(event.isSet, false);
});

test('auto-reset event: two sets without waiters release one later wait', async () => {
    const event = new Event({ autoReset: true });
    event.set();
    event.set();
    assert.equal(event.wait(0), true);
    assert.equal(event.wait(0), false);
});

for (const way of /** @type {const} */ (['blocking', 'async'])) {
    test(`event: set() followed at once by reset() releases the waiting threads (${way})`, async (t) => {
        const event = new Event();
        const before = wordsOf(event).join();
        const board = makeBoard(2);
        startThread(t, 'event-waiter', { handle: event.handle, board, waiting: 0, got: 1, way });
        await within(reached(board, 0), 'the waiter', [event]);
        while (wordsOf(event).join() === before) {
            await jobEnds(); // until its flag is set
        }
        event.set();
        event.reset();
        spinUntilReached(board, 1);
    });
}

/* The set is reserved for a waiter that cannot take it. */
for (const way of /** @type {const} */ (['busy', 'blocking'])) {
    test(`auto-reset event: reset() withdraws a set before its waiter has continued (${way})`, async (t) => {
        const event = new Event({ autoReset: true });
        const board = makeBoard(3);
        const stages = { waiting: 0, got: 1, idle: 2 };
        const waiter = startThread(t, 'event-waiter', { handle: event.handle, board, ...stages, way });
        await within(reached(board, stages.waiting), 'the waiter', [event]);
        while (wordsOf(event)[1] === 0) {
            await jobEnds(); // until it is the heir
        }
        if (way === 'blocking') {
            await waiter.terminate();
        }
        event.set();
        event.reset();
        assert.equal(event.isSet, false);
        assert.equal(event.wait(0), false);
        assert.equal(event.wait(5), false);
        assert.ok((await reasonOf(event.waitAsync({ timeout: 5 }))) instanceof TimeoutError);
        event.set();
        assert.equal(event.isSet, true);
        if (way === 'busy') {
            Atomics.store(board, stages.idle, 1);
            await within(reached(board, stages.got), 'the waiter', [event]);
        } else {
            assert.equal(event.wait(1000), true, 'what a dead thread has reserved is for the next');
        }
        assert.equal(event.isSet, false);
        assert.equal(restOf(event)[1], 0, 'nobody is next');
    });
}
