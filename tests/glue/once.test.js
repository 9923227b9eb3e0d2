/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Once, TimeoutError } from '../../js-glue/index.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { waitWithoutLimit } from '../support/endless.js';
import { errorWith } from '../support/errors.js';
import { jobEnds, reasonOf } from '../support/event-loop.js';
import { startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { assertAtRest, assertFree, restOf } from '../support/words.js';

/* The once on one thread, and beside a worker. primitives-waits.test.js has what all waits share. */

waitWithoutLimit();

const DONE = (() => {
    const once = new Once();
    once.run(() => {});
    return restOf(once);
})();

/** @type {<T>(promise: Promise<T>, once: Once) => Promise<T>} */
const met = (promise, once) => within(promise, 'the once', [once]);

test('once: a new once is not done', () => {
    const once = new Once();
    assert.equal(once.isDone, false);
    assertFree(once);
});

test('once: run runs the first callback, and no other', async () => {
    const once = new Once();
    let runs = 0;
    assert.equal(
        once.run(() => {
            runs += 1;
            assert.equal(once.isDone, false);
        }),
        true,
    );
    assert.equal(once.isDone, true);
    assert.equal(once.run(assert.fail), false);
    assert.equal(await once.runAsync(assert.fail), false);
    assert.equal(await once.runAsync(assert.fail, { timeout: 0 }), false);
    assert.equal(runs, 1);
    assertAtRest(once, DONE);
});

test('once: runAsync runs the callback before it returns, if the once is not done', async () => {
    const once = new Once();
    let ran = false;
    const promise = once.runAsync(() => {
        ran = true;
    });
    assert.ok(ran);
    assert.equal(once.isDone, true);
    assert.equal(await promise, true);
    assertAtRest(once, DONE);
});

test('once: with an async callback the once is done when the promise has resolved', async () => {
    const once = new Once();
    let end = () => {};
    const promise = once.runAsync(() => new Promise((resolve) => (end = () => resolve(undefined))));
    const other = once.runAsync(assert.fail);
    await jobEnds();
    assert.equal(once.isDone, false);
    end();
    assert.equal(await met(promise, once), true);
    assert.equal(once.isDone, true);
    assert.equal(await met(other, once), false);
    assertAtRest(once, DONE);
});

for (const [what, refuse] of /** @type {[string, (once: Once, error: Error) => unknown][]} */ ([
    [
        'run, whose callback throws',
        (once, error) =>
            once.run(() => {
                throw error;
            }),
    ],
    [
        'runAsync, whose callback throws',
        (once, error) =>
            once.runAsync(() => {
                throw error;
            }),
    ],
    [
        'runAsync, whose promise is rejected',
        (once, error) =>
            once.runAsync(async () => {
                await jobEnds();
                throw error;
            }),
    ],
])) {
    test(`once: after ${what}, the once is not done, and the next caller runs its own callback`, async () => {
        const once = new Once();
        const error = new Error('of the callback');
        assert.equal(await reasonOf((async () => refuse(once, error))()), error);
        assert.equal(once.isDone, false);
        assertFree(once);
        assert.equal(
            once.run(() => {}),
            true,
        );
        assertAtRest(once, DONE);
    });
}

test('once: waiting callers try in turn until one succeeds', async () => {
    const once = new Once();
    const tried = /** @type {number[]} */ ([]);
    const tries = Array.from({ length: 6 }, (_, index) =>
        once
            .runAsync(async () => {
                tried.push(index);
                await jobEnds();
                if (index < 3) {
                    throw new Error(`try ${index}`);
                }
            })
            .catch((error) => error.message),
    );
    const results = await met(Promise.all(tries), once);
    assert.deepEqual(results, ['try 0', 'try 1', 'try 2', true, false, false]);
    assert.deepEqual(tried, [0, 1, 2, 3]);
    assertAtRest(once, DONE);
});

test('once: run inside its own callback is a deadlock', async () => {
    const once = new Once();
    assert.throws(
        () => once.run(() => once.run(() => {})),
        errorWith('HF_DEADLOCK', /This thread already runs Once at \d+/),
    );
    await assert.rejects(
        met(
            once.runAsync(async () => once.run(() => {})),
            once,
        ),
        errorWith('HF_DEADLOCK', /This thread already runs Once at \d+/),
    );
});

test('once: runAsync inside its own callback is a deadlock, even through another object of the once', async () => {
    const once = new Once();
    const isDeadlock = errorWith('HF_DEADLOCK', /This thread already runs Once at \d+/);
    const nested = [
        () => once.runAsync(assert.fail),
        () => Once.from(once.handle).runAsync(assert.fail, { timeout: 5 }),
    ];
    for (const ask of nested) {
        assert.throws(() => once.run(() => once.run(assert.fail)), isDeadlock);
        /** @type {Promise<boolean> | undefined} */
        let asked;
        const refuse = () => {
            asked = ask();
            asked.catch(() => {}); // checked below, perhaps in a later turn
            throw new Error('so that it is not done');
        };
        assert.throws(() => once.run(refuse));
        await assert.rejects(met(asked ?? Promise.reject(), once), isDeadlock);
        await assert.rejects(met(once.runAsync(refuse), once));
        await assert.rejects(met(asked ?? Promise.reject(), once), isDeadlock);
        await assert.rejects(met(once.runAsync(ask), once), isDeadlock);
        await assert.rejects(
            met(
                once.runAsync(async () => ask()),
                once,
            ),
            isDeadlock,
        );
    }
    assert.equal(once.isDone, false);
    assertFree(once);
});

test('once: runAsync works inside the callback of another once, and after a failed callback', async () => {
    const [once, other] = [new Once(), new Once()];
    const both = once.runAsync(() => other.runAsync(() => {}));
    assert.equal(await met(both, once), true);
    assert.equal(other.isDone, true);
    assert.equal(await once.runAsync(assert.fail), false);
    const third = new Once();
    await assert.rejects(third.runAsync(() => Promise.reject(new Error('of the callback'))));
    assert.equal(
        await met(
            third.runAsync(() => {}),
            third,
        ),
        true,
    );
});

test('once: runAsync of other code waits while an async callback runs', async () => {
    const once = new Once();
    let end = () => {};
    const first = once.runAsync(() => new Promise((resolve) => (end = () => resolve(undefined))));
    const second = once.runAsync(assert.fail);
    end();
    assert.deepEqual(await met(Promise.all([first, second]), once), [true, false]);
});

test('once: run refuses an async callback, and the once stays undone, even after the promise resolves', async () => {
    const once = new Once();
    let end = () => {};
    assert.throws(
        () => once.run(/** @type {any} */ (() => new Promise((resolve) => (end = () => resolve(undefined))))),
        errorWith('HF_BAD_CALLBACK', /runAsync\(\)/),
    );
    assert.equal(once.isDone, false);
    end();
    await jobEnds();
    assert.equal(once.isDone, false);
    assertFree(once);
    assert.equal(
        once.run(() => {}),
        true,
    );
});

test('once: a time limit ends the wait for another runner, never the callback', async () => {
    const once = new Once();
    const first = once.runAsync(() => new Promise((resolve) => setTimeout(resolve, 10)), { timeout: 1 });
    await assert.rejects(once.runAsync(assert.fail, { timeout: 2 }), TimeoutError);
    assert.equal(await met(first, once), true);
});

for (const [way, others] of /** @type {const} */ ([
    ['run', 'run'],
    ['run', 'runAsync'],
    ['runAsync', 'run'],
    ['runAsync', 'runAsync'],
])) {
    test(`once: while a worker runs it by ${way}, this thread waits by ${others}`, async (t) => {
        const once = new Once();
        const board = makeBoard(3);
        const [begun, end, done] = [0, 1, 2];
        startThread(t, 'once-doer', { handle: once.handle, board, begun, end, done, way });
        await within(reached(board, begun), 'the worker', [once]);
        const waiting = once.runAsync(assert.fail);
        await jobEnds();
        assert.equal(once.isDone, false);
        reach(board, end);
        if (others === 'run') {
            assert.equal(once.run(assert.fail), false);
        }
        assert.equal(await met(waiting, once), false);
        await within(reached(board, done), 'the worker', [once]);
        assertAtRest(once, DONE);
    });
}
