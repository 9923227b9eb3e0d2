/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { TimeoutError } from '../../js-glue/index.js';
import { work } from '../support/board.js';
import { runChild } from '../support/child.js';
import { waitWithoutLimit } from '../support/endless.js';
import { replaceInEnvironment } from '../support/environment.js';
import { errorWith } from '../support/errors.js';
import { countTimers, jobEnds, reasonOf } from '../support/event-loop.js';
import { KINDS_OF_WAIT } from '../support/kinds-of-wait.js';
import { within } from '../support/watchdog.js';
import { assertAtRest, restOf } from '../support/words.js';

/* Promises that the waits of all classes share: limits, order, nothing left behind. */

waitWithoutLimit();

/** @typedef {import('../support/kinds-of-wait.js').Wait} Wait */

/**
 * A wait, with a check that everything is the same as before it.
 *
 * @param {import('../support/kinds-of-wait.js').Kind} kind
 * @param {number} [requests]
 */
function begin(kind, requests = 1) {
    const wait = kind.make(requests);
    const rests = wait.objects.map(restOf);
    const timers = countTimers();
    return {
        ...wait,
        /** @param {Promise<unknown>} promise */
        met: (promise) => within(promise, 'a request', wait.objects),
        /** Checks that one more request is granted: the request before it has lost nothing. */
        async meetNext() {
            const next = wait.ask();
            await jobEnds();
            if (!kind.lasts) {
                wait.meet();
            }
            await within(next, 'the next request', wait.objects);
        },
        /** Checks the words after one more granted request, which clears flags of requests that gave up. */
        async atRest() {
            if (kind.lasts) {
                wait.meet();
                await wait.ask();
                wait.reset();
            }
            wait.objects.forEach((object, index) => assertAtRest(object, rests[index] ?? []));
            assert.equal(countTimers(), timers, 'timers are left');
        },
    };
}

for (const kind of KINDS_OF_WAIT) {
    const { name } = kind;

    test(`${name}: a request waits, keeps the process alive meanwhile, and is granted`, async () => {
        const { ask, meet, met, reset, atRest } = begin(kind);
        let isMet = false;
        const before = countTimers();
        const request = ask().then(() => (isMet = true));
        await jobEnds();
        await jobEnds();
        assert.equal(isMet, false);
        assert.equal(countTimers(), before + 1);
        meet();
        await met(request);
        reset();
        await atRest();
    });

    for (const timeout of [0, -1, -Infinity]) {
        test(`${name}: a timeout of ${timeout} does not wait`, async () => {
            const { ask, atRest } = begin(kind);
            await assert.rejects(ask({ timeout }), TimeoutError);
            await atRest();
        });
    }

    for (const timeout of [0.25, 1.5, 20]) {
        test(`${name}: a request with a timeout of ${timeout} ms times out, and not too early`, async () => {
            const { ask, met, atRest } = begin(kind);
            const start = performance.now();
            const error = await met(reasonOf(ask({ timeout })));
            assert.ok(performance.now() - start >= timeout);
            assert.ok(error instanceof TimeoutError);
            assert.equal(error.code, 'HF_TIMEOUT');
            assert.match(error.message, new RegExp(` after ${timeout} ms`));
            await jobEnds();
            await atRest();
        });

        if (kind.make(1).block !== undefined) {
            test(`${name}: a blocking wait of ${timeout} ms times out, and not too early`, async () => {
                const { block, atRest } = begin(kind);
                const start = performance.now();
                assert.equal(block?.({ timeout }), false);
                assert.ok(performance.now() - start >= timeout);
                await atRest();
            });
        }
    }

    for (const timeout of [1e12, Number.MAX_VALUE, Infinity]) {
        test(`${name}: a request with a timeout of ${timeout} ms waits`, async () => {
            const { ask, meet, met, reset, atRest } = begin(kind);
            const request = ask({ timeout });
            await new Promise((resolve) => setTimeout(resolve, 3));
            meet();
            await met(request);
            reset();
            await atRest();
        });
    }

    test(`${name}: a signal that has already aborted rejects with its reason`, async () => {
        const { ask, atRest } = begin(kind);
        for (const reason of [new Error('a reason'), 'a word', 0, null]) {
            assert.equal(await reasonOf(ask({ signal: AbortSignal.abort(reason) })), reason);
            await atRest();
        }
    });

    test(`${name}: a signal that aborts during the wait rejects at once with its reason`, async () => {
        for (const settle of [() => Promise.resolve(), jobEnds]) {
            const { ask, met, atRest } = begin(kind);
            const controller = new AbortController();
            const reason = new Error('a reason');
            const request = ask({ signal: controller.signal });
            await settle();
            controller.abort(reason);
            assert.equal(await met(reasonOf(request)), reason);
            assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
            await jobEnds();
            await atRest();
        }
    });

    for (const [when, order] of /** @type {const} */ ([
        ['just before it is granted', ['abort', 'meet']],
        ['just after it is granted', ['meet', 'abort']],
    ])) {
        test(`${name}: if a signal aborts ${when}, the next request is granted`, async () => {
            const { ask, meet, met, meetNext, reset, atRest } = begin(kind);
            const controller = new AbortController();
            const reason = new Error('a reason');
            const request = ask({ signal: controller.signal }).then(
                () => true,
                (error) => error !== reason && Promise.reject(error),
            );
            await jobEnds();
            // One party cannot complete a round, so the grant needs a second party.
            const steps = { abort: () => controller.abort(reason), meet: kind.together ? () => {} : meet };
            order.forEach((step) => steps[step]());
            const isMet = await met(request);
            assert.ok(order[0] === 'meet' || !isMet, 'who gave up was met');
            if (!isMet || kind.together) {
                await meetNext();
            }
            reset();
            await jobEnds();
            await atRest();
        });
    }

    test(`${name}: if a request is granted and times out while its thread is busy, nothing is lost`, async () => {
        const { ask, meet, met, meetNext, reset, atRest } = begin(kind);
        const request = ask({ timeout: 2 }).then(
            () => true,
            (error) => !(error instanceof TimeoutError) && Promise.reject(error),
        );
        await jobEnds();
        if (!kind.together) {
            meet();
        }
        work(5);
        if (!(await met(request)) || kind.together) {
            await meetNext();
        }
        reset();
        await jobEnds();
        await atRest();
    });

    test(`${name}: after the wait its signal and its timeout have no effect`, async () => {
        const { ask, meet, met, reset, atRest } = begin(kind);
        const controller = new AbortController();
        const request = ask({ signal: controller.signal, timeout: 1e6 });
        await jobEnds();
        meet();
        await met(request);
        controller.abort();
        assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
        reset();
        await atRest();
    });

    test(`${name}: 500 requests with one signal add one listener, cause no warning, and leave nothing behind`, async (t) => {
        const { ask, met, atRest } = begin(kind, 500);
        const onWarning = t.mock.fn();
        process.on('warning', onWarning);
        t.after(() => process.off('warning', onWarning));
        const controller = new AbortController();
        const { signal } = controller;
        const requests = Array.from({ length: 500 }, () => ask({ signal, timeout: 1e6 }));
        const settled = Promise.allSettled(requests);
        await jobEnds();
        assert.equal(getEventListeners(signal, 'abort').length, 1);
        controller.abort();
        await met(settled);
        assert.ok((await settled).every(({ status }) => status === 'rejected'));
        assert.equal(getEventListeners(signal, 'abort').length, 0);
        await jobEnds();
        await atRest();
        assert.equal(onWarning.mock.callCount(), 0);
    });

    if (!kind.together) {
        test(`${name}: requests of one thread are granted in the order made, except aborted and timed-out ones`, async () => {
            const { ask, meet, met, reset, atRest } = begin(kind);
            const controller = new AbortController();
            /** @type {number[]} */
            const order = [];
            const requests = Array.from({ length: 300 }, (_, index) => {
                const limit = [{}, { signal: controller.signal }, { timeout: 1 }][index % 3];
                work(index === 150 ? 20 : 0); // some of the requests behind it must let other work have its turn
                return ask(limit).then(() => order.push(index));
            });
            const limited = requests.filter((_, index) => index % 3 !== 0);
            const settled = Promise.allSettled(limited);
            await jobEnds();
            controller.abort();
            await met(settled);
            assert.ok((await settled).every(({ status }) => status === 'rejected'));
            const rest = Array.from({ length: 100 }, (_, index) => 3 * index);
            meet();
            for (const index of rest) {
                await met(/** @type {Promise<unknown>} */ (requests[index]));
                if (order.length < rest.length && !kind.meetsAll) {
                    meet();
                }
            }
            assert.deepEqual(order, rest);
            reset();
            await jobEnds();
            await atRest();
        });
    }

    test(`${name}: without timers a request that must wait is refused, and leaves nothing behind`, async () => {
        const { ask, atRest } = begin(kind);
        const restore = replaceInEnvironment({ setTimeout: undefined });
        const request = ask();
        restore();
        await assert.rejects(request, errorWith('HF_NO_TIMERS', /without a timeout/));
        await atRest();
    });

    for (const timeout of /** @type {any[]} */ ([NaN, '5', null, {}, 5n, Symbol('s'), true])) {
        test(`${name}: a timeout that is ${String(timeout)} (${typeof timeout}) is refused`, async () => {
            const { ask, block, atRest } = begin(kind);
            const isBad = errorWith('HF_BAD_TIMEOUT', /number in ms/);
            await assert.rejects(ask({ timeout }), isBad);
            if (block !== undefined) {
                assert.throws(() => block({ timeout }), isBad);
            }
            await atRest();
        });
    }

    test(`${name}: a wait ends at the earlier of its timeout and its deadline`, async () => {
        const { ask, block, atRest } = begin(kind);
        for (const limit of [
            { deadline: 0 },
            { deadline: -Infinity },
            { timeout: 1e6, deadline: performance.now() - 1 },
            { timeout: 1e6, deadline: performance.now() + 3 },
            { timeout: undefined, deadline: performance.now() + 3 },
            { timeout: 3, deadline: Infinity },
            { timeout: 3, deadline: undefined },
        ]) {
            await assert.rejects(ask(limit), TimeoutError);
            assert.ok(limit.timeout === 3 || performance.now() >= (limit.deadline ?? NaN));
        }
        if (block !== undefined) {
            for (const ms of [-1, 0, 3]) {
                const deadline = performance.now() + ms;
                assert.equal(block({ timeout: 1e6, deadline }), false);
                assert.equal(block({ deadline }), false);
                assert.ok(performance.now() >= deadline);
                assert.equal(block({ timeout: ms, deadline: Infinity }), false);
            }
        }
        await atRest();
    });

    for (const deadline of /** @type {any[]} */ ([
        NaN,
        '5',
        null,
        {},
        5n,
        Symbol('s'),
        true,
        Date.now() + 5,
    ])) {
        test(`${name}: a deadline that is ${String(deadline)} (${typeof deadline}) is refused`, async () => {
            const { ask, block, atRest } = begin(kind);
            const isBad = errorWith('HF_BAD_TIMEOUT', /number in ms|a time of performance\.now\(\), not \d/);
            await assert.rejects(ask({ deadline }), isBad);
            await assert.rejects(ask({ timeout: 5, deadline }), isBad);
            if (block !== undefined) {
                assert.throws(() => block({ deadline }), isBad);
            }
            await atRest();
        });
    }

    for (const [what, signal] of /** @type {[string, any][]} */ ([
        ['a number', 7],
        ['an empty object', {}],
        ['the controller', new AbortController()],
        ['an event target', new EventTarget()],
        ['an object that looks like one', { aborted: false, addEventListener() {} }],
    ])) {
        test(`${name}: a signal that is ${what} is refused`, async () => {
            const { ask, atRest } = begin(kind);
            await assert.rejects(ask({ signal }), errorWith('HF_BAD_SIGNAL', /AbortSignal/));
            await atRest();
        });
    }
}

for (const preludes of [[], ['no-wait-async']]) {
    const where = preludes.length > 0 ? ', without waitAsync too' : '';
    test(`primitives: the process lives while any wait is pending, and then ends by itself${where}`, async () => {
        const { code, stdout, stderr } = await runChild('family-lives', preludes);
        assert.equal(code, 0, `code ${code}: ${stderr}`);
        const [count, ticks] = stdout.split(' ').map(Number);
        assert.equal(count, KINDS_OF_WAIT.length);
        assert.ok((ticks ?? Infinity) < 20, `it ended ${ticks} ticks later`);
    });
}
