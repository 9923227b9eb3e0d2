/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Answerer, Caller, Channel } from '../../js-glue/channel.js';
import { stationOf } from '../../js-glue/channel/calls.js';
import { LockSpace, Mutex } from '../../js-glue/index.js';
import { errorWith } from '../support/errors.js';
import { jobEnds } from '../support/event-loop.js';
import { replaceInEnvironment } from '../support/environment.js';
import { within } from '../support/watchdog.js';

/* Callers and answerers on one thread, by promises. Threads use them in calls-threads.test.js. */

/** @type {<T>(promise: Promise<T>, answerer: Answerer) => Promise<T>} */
const met = (promise, answerer) => within(promise, 'a call', [answerer]);

/** Answers with the bytes in reverse, until it is closed. @param {Answerer} answerer */
async function answerAll(answerer) {
    let count = 0;
    for await (const request of answerer) {
        assert.equal(request.isAwaited, true);
        assert.equal(request.answer(request.bytes.toReversed()), true);
        count += 1;
    }
    return count;
}

/** @param {Answerer} answerer @returns {Promise<import('../../js-glue/channel.js').CallRequest>} */
async function nextOf(answerer) {
    const { value } = await met(answerer[Symbol.asyncIterator]().next(), answerer);
    return /** @type {any} */ (value);
}

test('calls: if there are more calls than fit, each still gets its own answer, of any size', async () => {
    const answerer = new Answerer({ bytes: 128, callers: 2 });
    const caller = Caller.from(answerer.handle);
    assert.deepEqual([caller.bytes, caller.callers, caller.largest, caller.isClosed], [128, 2, 48, false]);
    const answered = answerAll(answerer);
    for (let round = 0; round < 3; round += 1) {
        const sizes = Array.from({ length: caller.largest + 1 }, (_, size) => size);
        const requests = sizes.map((size) => Uint8Array.from({ length: size }, (__, at) => size + at * 5));
        const answers = await met(Promise.all(requests.map((bytes) => caller.callAsync(bytes))), answerer);
        assert.deepEqual(
            answers,
            requests.map((bytes) => bytes.toReversed()),
        );
        assert.equal(answers[3]?.buffer.byteLength, 3, 'its buffer has nothing else');
    }
    answerer.close();
    assert.equal(await met(answered, answerer), 3 * 49);
});

test('calls: other calls go on at once while one has no answer', async (t) => {
    const answerer = new Answerer({ callers: 2 });
    const caller = Caller.from(answerer.handle);
    const slow = caller.callAsync(Uint8Array.of(1));
    const slowRequest = await nextOf(answerer);
    let answered = 0;
    const goOn = async () => {
        for (let number = 10; number < 14; number += 1) {
            const call = caller.callAsync(Uint8Array.of(number));
            const request = await nextOf(answerer);
            request.answer(request.bytes);
            assert.deepEqual(await call, Uint8Array.of(number));
            answered += 1;
        }
    };
    t.mock.timers.enable({ apis: ['setTimeout'] }); // so no waiting call checks again by timer
    const going = goOn();
    for (let jobs = 0; jobs < 100; jobs += 1) {
        await jobEnds();
    }
    t.mock.timers.reset();
    assert.equal(answered, 4);
    await going;
    slowRequest.answer(Uint8Array.of(2));
    assert.deepEqual(await met(slow, answerer), Uint8Array.of(2));
});

test('calls: an answer that finds no room is given up after ten seconds', async (t) => {
    const answerer = new Answerer({ bytes: 64, callers: 1 });
    const call = Caller.from(answerer.handle).callAsync(Uint8Array.of(1));
    const request = await nextOf(answerer);
    const { channel } = stationOf(answerer, 1);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    while (channel.trySend(new Uint8Array(8))) {
        // answers to call 0
    }
    assert.equal(request.answer(Uint8Array.of(2)), true);
    t.mock.timers.tick(11_000);
    t.mock.timers.reset();
    for (let jobs = 0; jobs < 20; jobs += 1) {
        await jobEnds();
    }
    answerer.close();
    await met(assert.rejects(call, errorWith('HF_CLOSED', /is closed/)), answerer);
});

test('calls: an answer waits until late answers to earlier calls have made room', async () => {
    const answerer = new Answerer({ bytes: 64, callers: 1 });
    const call = Caller.from(answerer.handle).callAsync(Uint8Array.of(1));
    const request = await nextOf(answerer);
    const { channel } = stationOf(answerer, 1);
    while (channel.trySend(new Uint8Array(8))) {
        // answers to call 0
    }
    assert.equal(request.answer(Uint8Array.of(2)), true);
    assert.deepEqual(await met(call, answerer), Uint8Array.of(2));
});

/**
 * Calls with increasing timeouts, until a request arrives before its timeout.
 *
 * @param {Answerer} answerer
 * @param {(error: unknown) => boolean} isLate
 */
async function lateRequest(answerer, isLate) {
    const caller = Caller.from(answerer.handle);
    const arrived = nextOf(answerer);
    for (let timeout = 5; ; timeout *= 2) {
        const ended = assert.rejects(caller.callAsync(Uint8Array.of(1), { timeout }), isLate);
        const request = await Promise.race([arrived, ended]);
        if (request) {
            await met(ended, answerer);
            return request;
        }
    }
}

/** @param {Answerer} answerer @param {AbortController} stop with a reason of its own */
async function abortedRequest(answerer, stop) {
    const call = Caller.from(answerer.handle).callAsync(Uint8Array.of(1), { signal: stop.signal });
    const ended = assert.rejects(call, (error) => error === stop.signal.reason);
    const request = await nextOf(answerer);
    assert.equal(request.isAwaited, true);
    stop.abort(new Error('enough'));
    await met(ended, answerer);
    return request;
}

test('calls: an answer after the timeout or an abort is dropped', async () => {
    const answerer = new Answerer({ name: 'files', callers: 1 });
    const caller = Caller.from(answerer.handle);
    const stop = new AbortController();
    const isLate = errorWith('HF_TIMEOUT', /^Timed out after \d+ ms waiting for Answerer 'files'/);
    for (const end of [() => lateRequest(answerer, isLate), () => abortedRequest(answerer, stop)]) {
        const request = await end();
        assert.equal(request.isAwaited, false);
        const next = caller.callAsync(Uint8Array.of(2));
        const nextRequest = await nextOf(answerer);
        assert.equal(request.answer(Uint8Array.of(11)), false);
        assert.equal(nextRequest.answer(Uint8Array.of(22)), true);
        assert.equal(nextRequest.answer(Uint8Array.of(33)), false, 'the first answer counts');
        assert.deepEqual(await met(next, answerer), Uint8Array.of(22));
    }
    const bytes = Uint8Array.of(3);
    await assert.rejects(caller.callAsync(bytes, { timeout: 0 }), errorWith('HF_TIMEOUT', /after 0 ms/));
    await assert.rejects(caller.callAsync(bytes, { signal: stop.signal }), /enough/);
    const last = caller.callAsync(Uint8Array.of(4));
    const request = await nextOf(answerer);
    assert.deepEqual(request.bytes, Uint8Array.of(4), 'requests that nobody waits for are left out');
    request.answer(Uint8Array.of(44));
    assert.deepEqual(await met(last, answerer), Uint8Array.of(44));
});

test('calls: a late answer that waited for room is not delivered to the next call', async () => {
    const answerer = new Answerer({ bytes: 64, callers: 1 });
    const caller = Caller.from(answerer.handle);
    const stop = new AbortController();
    const call = caller.callAsync(new Uint8Array(1), { signal: stop.signal });
    const request = await nextOf(answerer);
    // The ring of the answers is behind the header of the second station.
    const answers = Channel.at(answerer.memory, answerer.byteOffset + 192 + 64 + 64);
    while (answers.trySend(new Uint8Array(8))) {
        // fills the ring
    }
    assert.equal(request.answer(new Uint8Array(16).fill(1)), true);
    stop.abort();
    await met(assert.rejects(call), answerer);
    const next = caller.callAsync(new Uint8Array(1));
    const nextRequest = await nextOf(answerer);
    for (let jobs = 0; jobs < 20; jobs += 1) {
        await jobEnds();
    }
    nextRequest.answer(Uint8Array.of(2));
    assert.deepEqual(await met(next, answerer), Uint8Array.of(2));
});

/**
 * Makes one whose ring of requests is full, by two calls. It is closed when the test ends.
 *
 * @param {import('node:test').TestContext} t
 */
async function newFull(t) {
    const answerer = new Answerer({ bytes: 64 });
    t.after(() => answerer.close());
    const caller = Caller.from(answerer.handle);
    const calls = [1, 2].map((number) => caller.callAsync(new Uint8Array(caller.largest).fill(number)));
    calls.forEach((call) => call.catch(() => {}));
    await jobEnds();
    assert.equal(stationOf(answerer, 0).channel.length, 2);
    return { answerer, caller, calls };
}

test('calls: a call without room for its request times out, and may be aborted', async (t) => {
    const { answerer, caller, calls } = await newFull(t);
    const bytes = Uint8Array.of(3);
    const stop = new AbortController();
    const late = caller.callAsync(bytes, { timeout: 5 });
    const aborted = caller.callAsync(bytes, { signal: stop.signal });
    await met(assert.rejects(late, errorWith('HF_TIMEOUT', /after 5 ms/)), answerer);
    stop.abort('enough');
    await met(
        assert.rejects(aborted, (reason) => reason === 'enough'),
        answerer,
    );
    const answered = answerAll(answerer);
    assert.equal((await met(Promise.all(calls), answerer)).length, 2);
    answerer.close();
    assert.equal(await met(answered, answerer), 2);
});

test('calls: a blocking call sleeps while it waits for room, or for its answer', async (t) => {
    const full = await newFull(t);
    let readings = 0;
    const now = () => {
        readings += 1;
        return performance.now();
    };
    t.after(replaceInEnvironment({ now }));
    for (const caller of [full.caller, new Caller()]) {
        readings = 0;
        assert.throws(
            () => caller.call(new Uint8Array(1), { timeout: 100 }),
            errorWith('HF_TIMEOUT', /after 100 ms/),
        );
        assert.ok(readings < 300, `${readings} readings of the clock`);
    }
});

test('calls: a call may be aborted with the TimeoutError of another call as the reason', async () => {
    const caller = new Caller();
    const stop = new AbortController();
    const call = caller.callAsync(new Uint8Array(1), { signal: stop.signal });
    const late = await caller.callAsync(new Uint8Array(1), { timeout: 1 }).catch((error) => error);
    stop.abort(late);
    await assert.rejects(within(call, 'a call', [caller]), (reason) => reason === late);
});

test('calls: answers may come in any order, and a refused call rejects with the reason', async () => {
    const answerer = new Answerer();
    const caller = Caller.from(answerer.handle);
    const calls = [1, 2, 3].map((number) => caller.callAsync(Uint8Array.of(number)));
    const requests = [await nextOf(answerer), await nextOf(answerer), await nextOf(answerer)];
    assert.equal(requests[2]?.answer(new Int16Array([7])), true);
    assert.equal(requests[0]?.refuse('no such file: é'), true);
    assert.equal(requests[1]?.answer(new ArrayBuffer(0)), true);
    await met(
        assert.rejects(calls[0] ?? assert.fail(), errorWith('HF_REFUSED', /^no such file: é$/)),
        answerer,
    );
    assert.deepEqual(await met(Promise.all(calls.slice(1)), answerer), [
        new Uint8Array(),
        Uint8Array.of(7, 0),
    ]);
});

test('calls: close() ends pending and later calls, and the loops', async () => {
    const answerer = new Answerer({ name: 'files', callers: 1 });
    const caller = Caller.from(answerer.handle);
    const isClosed = errorWith('HF_CLOSED', /^Answerer 'files' is closed\.$/);
    const calls = [caller.callAsync(new Uint8Array(1)), caller.callAsync(new Uint8Array(1))];
    const request = await nextOf(answerer);
    Caller.from(answerer.handle);
    const loop = answerAll(Answerer.from(answerer.handle));
    await jobEnds();
    answerer.close();
    answerer.close();
    assert.equal(request.isAwaited, false);
    assert.equal(request.answer(new Uint8Array(1)), false);
    for (const call of calls) {
        await met(assert.rejects(call, isClosed), answerer);
    }
    assert.equal(await met(loop, answerer), 0);
    await assert.rejects(caller.callAsync(new Uint8Array(1)), isClosed);
    assert.equal(caller.isClosed, true);
    assert.equal(await met(answerAll(answerer), answerer), 0);
});

test('calls: a call that would wait for its own thread is refused', async () => {
    const answerer = new Answerer({ name: 'files', callers: 1 });
    const caller = Caller.from(answerer.handle);
    const call = caller.callAsync(new Uint8Array(1));
    assert.throws(
        () => caller.call(new Uint8Array(1)),
        errorWith('HF_DEADLOCK', /This thread already has 1 pending calls of Answerer 'files'/),
    );
    const request = await nextOf(answerer);
    assert.throws(
        () => caller.call(new Uint8Array(1), { timeout: 5 }),
        errorWith('HF_DEADLOCK', /This thread answers the calls of Answerer 'files'.*Use callAsync\(\)/),
    );
    request.answer(new Uint8Array(1));
    await met(call, answerer);
    answerer.close();
});

test('calls: the number of a call wraps at 2 to the 32', async () => {
    const answerer = new Answerer({ bytes: 64, callers: 1 });
    const caller = Caller.from(answerer.handle);
    const answered = answerAll(answerer);
    const numbers = new Int32Array(answerer.memory.buffer, answerer.byteOffset + 192 + 64 + 16, 1);
    for (const number of [0x1234_5678, 0x7fff_fffe, 0x7fff_ffff, -2, -1, -0x1234_5678]) {
        numbers[0] = number;
        for (let call = 0; call < 3; call += 1) {
            const bytes = Uint8Array.of(call, 7);
            assert.deepEqual(await met(caller.callAsync(bytes), answerer), bytes.toReversed());
        }
    }
    answerer.close();
    assert.equal(await met(answered, answerer), 18);
});

test('calls: if next() is called several times at once, each gets one call, in order', async () => {
    const answerer = new Answerer();
    const caller = Caller.from(answerer.handle);
    const loop = answerer[Symbol.asyncIterator]();
    const steps = [loop.next(), loop.next()];
    for (const [at, step] of steps.entries()) {
        const call = caller.callAsync(Uint8Array.of(at));
        const { value } = await met(step, answerer);
        value?.answer(Uint8Array.of(at + 2));
        assert.deepEqual(await met(call, answerer), Uint8Array.of(at + 2));
    }
    answerer.close();
    assert.deepEqual(await met(loop.next(), answerer), { value: undefined, done: true });
});

test('calls: a call waits until a thread begins to answer', async () => {
    const caller = new Caller();
    assert.deepEqual([caller.bytes, caller.callers, caller.largest], [65_536, 4, 32_752]);
    assert.throws(
        () => caller.call(new Uint8Array(1), { timeout: 5 }),
        errorWith('HF_TIMEOUT', /after 5 ms/),
    );
    const call = caller.callAsync(Uint8Array.of(5));
    const request = await nextOf(Answerer.from(caller.handle));
    assert.deepEqual(request.bytes, Uint8Array.of(5));
    request.answer(Uint8Array.of(6));
    assert.deepEqual(await met(call, Answerer.from(caller.handle)), Uint8Array.of(6));
});

test('calls: named(), from() and at() of both classes find the same object', async () => {
    const space = new LockSpace({ pages: 8 });
    const caller = Caller.named(space, 'files', { bytes: 256, callers: 3 });
    const answerer = Answerer.named(space, 'files');
    assert.deepEqual([answerer.byteOffset, answerer.bytes, answerer.callers], [caller.byteOffset, 256, 3]);
    assert.equal(answerer.name, 'files');
    assert.equal(Caller.named(space, 'files').byteOffset, caller.byteOffset);
    assert.deepEqual([Caller.BYTES, Caller.ALIGN], [Answerer.BYTES, Answerer.ALIGN]);
    assert.equal(answerer.handle.holdfast, 'Answerer');
    assert.equal(Caller.from(answerer.handle).name, 'files');
    assert.equal(Caller.at(space.memory, caller.byteOffset).callers, 3);
    assert.throws(() => Channel.named(space, 'files'), errorWith('HF_BAD_NAME', /a Answerer|an Answerer/));
    assert.throws(() => new Answerer({ space, name: 'files' }), errorWith('HF_BAD_NAME', /taken/));
    const place = space.alloc(4 * (192 + 64), 64);
    const there = Answerer.at(space.memory, place, { bytes: 64, callers: 3 });
    const answered = answerAll(there);
    assert.deepEqual(
        await met(Caller.at(space.memory, place).callAsync(Uint8Array.of(1, 2)), there),
        Uint8Array.of(2, 1),
    );
    there.close();
    await answered;
    space.free(caller);
    assert.equal(Answerer.named(space, 'files', { bytes: 64 }).bytes, 64);
});

test('calls: bad sizes, options, messages, handles and places are refused', async () => {
    for (const bytes of [0, 63, 65, -64, 64.5, 2 ** 31, '64']) {
        const isBad = errorWith('HF_BAD_COUNT', /bytes must be a power of two/);
        assert.throws(() => new Answerer(/** @type {any} */ ({ bytes })), isBad);
    }
    for (const callers of [0, -1, 256, 1.5, '2', null]) {
        const isBad = errorWith('HF_BAD_COUNT', /callers must be a whole number from 1 to 255/);
        assert.throws(() => new Caller(/** @type {any} */ ({ callers })), isBad);
    }
    assert.throws(
        () => new Answerer(/** @type {any} */ ({ size: 64 })),
        errorWith('HF_BAD_OPTION', /No option 'size'. Pass { bytes, callers, space, name }/),
    );
    const answerer = new Answerer({ bytes: 64 });
    const caller = /** @type {any} */ (Caller.from(answerer.handle));
    for (const message of [undefined, null, 'text', 3, {}, new Mutex()]) {
        const isNone = errorWith('HF_BAD_MESSAGE', /A message must be a Uint8Array/);
        assert.throws(() => caller.call(message), isNone);
        await assert.rejects(caller.callAsync(message), isNone);
    }
    const isLarge = errorWith(
        'HF_OVERFLOW',
        /^A request of 17 bytes is too large for Answerer at \d+, which takes 16 /,
    );
    assert.throws(() => caller.call(new Uint8Array(17)), isLarge);
    await assert.rejects(caller.callAsync(new Uint8Array(17)), isLarge);
    const bytes = new Uint8Array(1);
    assert.throws(
        () => caller.call(bytes, 5),
        errorWith('HF_BAD_OPTION', /^Pass { timeout, deadline }, not 5\.$/),
    );
    assert.throws(() => caller.call(bytes, { timeout: '5' }), errorWith('HF_BAD_TIMEOUT', /number in ms/));
    assert.throws(
        () => caller.call(bytes, { signal: undefined }),
        errorWith('HF_BAD_OPTION', /No option 'signal'/),
    );
    await assert.rejects(
        caller.callAsync(bytes, 5),
        errorWith('HF_BAD_OPTION', /Pass { timeout, deadline, signal }/),
    );
    await assert.rejects(caller.callAsync(bytes, { signal: 5 }), errorWith('HF_BAD_SIGNAL', /AbortSignal/));

    const call = caller.callAsync(bytes);
    const request = /** @type {any} */ (await nextOf(answerer));
    assert.throws(
        () => request.answer(new Uint8Array(17)),
        errorWith('HF_OVERFLOW', /^An answer of 17 bytes/),
    );
    assert.throws(
        () => request.refuse('a reason of 18 char'),
        errorWith('HF_OVERFLOW', /^A reason of 19 bytes/),
    );
    assert.throws(() => request.answer('text'), errorWith('HF_BAD_MESSAGE', /A message must be/));
    assert.throws(
        () => request.refuse(new Error('x')),
        errorWith('HF_BAD_OPTION', /^The reason given to refuse\(\) must be a string, not an object\.$/),
    );
    assert.equal(request.answer(bytes), true, 'the caller still waits');
    assert.deepEqual(await met(call, answerer), bytes);

    const { handle } = new Channel({ bytes: 64 });
    assert.throws(
        () => Caller.from(/** @type {any} */ (handle)),
        errorWith('HF_BAD_HANDLE', /that of a Channel/),
    );
    const isNone = errorWith('HF_CORRUPT', /There is no answerer at \d+/);
    assert.throws(() => Caller.at(handle.memory, handle.byteOffset), isNone);
    assert.throws(
        () => Channel.at(answerer.memory, answerer.byteOffset),
        errorWith('HF_CORRUPT', /no channel/),
    );
    const space = new LockSpace();
    assert.throws(() => Answerer.at(space.memory, space.alloc(1024, 64)), isNone);
    assert.throws(() => new Answerer({ space }), errorWith('HF_NO_SPACE', /full/));
});

test("calls: in another program's memory, at() makes an answerer of the documented size", async () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const options = { bytes: 64, callers: 2 };
    const end = memory.buffer.byteLength - 3 * (192 + options.bytes);
    const answerer = Answerer.at(memory, end, options);
    const answered = answerAll(answerer);
    assert.deepEqual(
        await met(Caller.at(memory, end).callAsync(Uint8Array.of(7)), answerer),
        Uint8Array.of(7),
    );
    answerer.close();
    await met(answered, answerer);

    const isNoAddress = errorWith('HF_BAD_ADDRESS', /multiple of 64/);
    assert.throws(() => Answerer.at(memory, end + 64, options), isNoAddress);
    const words = new Int32Array(memory.buffer, end);
    const callersAt = words.indexOf(2);
    const ringAt = words.indexOf(64);
    words[callersAt] = 3;
    assert.throws(() => Caller.at(memory, end), isNoAddress);
    for (const [at, value] of [
        [callersAt, 256],
        [callersAt, 0],
        [ringAt, 63],
    ]) {
        Object.assign(words, { [callersAt]: 2, [ringAt]: 64, [Number(at)]: value });
        assert.throws(() => Caller.at(memory, end), errorWith('HF_CORRUPT', /There is no answerer at/));
    }
});
