/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The promises of the Web Locks API on one thread, by the sections of its specification (https://w3c.github.io/web-locks/): in
 * Node and on pages, for our manager and for the engines' own. An engine has only one manager, so each name is used by one
 * case. */

const LIMIT_MS = 5000;

const sleep = (/** @type {number} */ milliseconds) =>
    new Promise((resolve) => {
        setTimeout(resolve, milliseconds);
    });

/** Like node:assert, but for pages too. */
export const assert = {
    /** @param {unknown} actual @param {unknown} expected */
    equal(actual, expected) {
        if (!Object.is(actual, expected)) {
            throw new Error(`${String(actual)}, not ${String(expected)}`);
        }
    },
    /** Compares plain data. @param {unknown} actual @param {unknown} expected */
    deepEqual(actual, expected) {
        assert.equal(JSON.stringify(actual), JSON.stringify(expected));
    },
    /** @param {unknown} value */
    ok(value) {
        assert.equal(Boolean(value), true);
    },
    /** @param {string} message @returns {never} */
    fail(message) {
        throw new Error(message);
    },
};

/**
 * @template T
 * @param {PromiseLike<T>} promise
 * @returns {Promise<T>}
 */
export async function met(promise) {
    /** @type {any} */
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`a lock: not done within ${LIMIT_MS} ms`)), LIMIT_MS);
    });
    try {
        return await Promise.race([promise, /** @type {Promise<never>} */ (late)]);
    } finally {
        clearTimeout(timer);
    }
}

let names = 0;

/** A manager, and names that no other test uses. @param {any} locks */
export function namesIn(locks) {
    names += 1;
    const prefix = `test ${names}`;
    return {
        locks,
        name: prefix,
        other: `${prefix} other`,
        /** @returns {Promise<{ held: string[], pending: string[] }>} the held and the requested locks of these names */
        async state() {
            const { held, pending } = await locks.query();
            const own = (/** @type {any[]} */ infos) =>
                infos
                    .filter(({ name }) => name.startsWith(prefix))
                    .map(({ name, mode }) => `${name.slice(prefix.length).trim()}${mode}`)
                    .sort(); // held locks may have any order
            return { held: own(held), pending: own(pending) };
        },
    };
}

/** Requests a lock, and holds it until release() is called. @param {any} locks @param {string} name @param {object} [options] */
export function hold(locks, name, options = {}) {
    /** @type {(value?: unknown) => void} */
    let release = () => {};
    /** @type {Promise<any>} */
    let done = Promise.resolve();
    const granted = new Promise((resolve) => {
        done = locks.request(name, options, (/** @type {any} */ lock) => {
            resolve(lock);
            return new Promise((end) => {
                release = end;
            });
        });
        done.catch(() => {});
    });
    return { granted, done, release: (/** @type {unknown} */ value = undefined) => release(value) };
}

/** @param {any} promise @returns {Promise<any>} the reason of its rejection */
const reasonOf = (promise) =>
    met(promise).then(
        () => assert.fail('it did not reject'),
        (/** @type {any} */ error) => error,
    );

/**
 * @param {(title: string, run: () => Promise<void>) => void} test
 * @param {() => any} makeLocks
 */
export function defineCases(test, makeLocks) {
    const make = () => namesIn(makeLocks());

    test('web-locks: 2.1 a name is any string, and each name is a lock of its own', async () => {
        const { locks, name } = make();
        const odd = [name, `${name}${'long '.repeat(50)}`, `${name}\u0000`, `${name}\u00e9\ud83d\udd12`];
        const holds = odd.map((each) => hold(locks, each));
        for (const [at, { granted, release, done }] of holds.entries()) {
            assert.equal((await met(granted)).name, odd[at]);
            release(at);
            assert.equal(await met(done), at);
        }
        assert.equal(await met(locks.request('', (/** @type {any} */ lock) => lock.name)), '');
        assert.equal(await met(locks.request(5, (/** @type {any} */ lock) => lock.name)), '5');
    });

    test('web-locks: 2.1 names that start with a hyphen are reserved', async () => {
        const { locks } = make();
        const error = await reasonOf(locks.request('-x', () => {}));
        assert.ok(error instanceof DOMException);
        assert.equal(error.name, 'NotSupportedError');
        assert.equal(await met(locks.request('x-', () => 'run')), 'run');
    });

    test('web-locks: 2.3 an exclusive lock excludes all others of its name, but none of other names', async () => {
        const { locks, name, other, state } = make();
        const first = hold(locks, name);
        await met(first.granted);
        const exclusive = hold(locks, name);
        const shared = hold(locks, name, { mode: 'shared' });
        const beside = hold(locks, other);
        await met(beside.granted);
        assert.deepEqual(await state(), {
            held: ['exclusive', 'otherexclusive'],
            pending: ['exclusive', 'shared'],
        });
        [first, beside].forEach(({ release }) => release());
        await met(exclusive.granted);
        exclusive.release();
        await met(shared.granted);
        shared.release();
        await met(Promise.all([first, exclusive, shared, beside].map(({ done }) => done)));
        assert.deepEqual(await state(), { held: [], pending: [] });
    });

    test('web-locks: 2.3 shared locks are held together, but not with an exclusive one', async () => {
        const { locks, name, state } = make();
        const readers = [1, 2, 3].map(() => hold(locks, name, { mode: 'shared' }));
        await met(Promise.all(readers.map(({ granted }) => granted)));
        const writer = hold(locks, name, { mode: 'exclusive' });
        await sleep(5);
        assert.deepEqual(await state(), { held: ['shared', 'shared', 'shared'], pending: ['exclusive'] });
        readers.forEach(({ release }) => release());
        await met(writer.granted);
        writer.release();
        await met(writer.done);
    });

    test('web-locks: 2.4 the lock is held until the promise of its callback settles', async () => {
        const { locks, name } = make();
        let isOver = false;
        const first = locks.request(name, async () => {
            await sleep(5);
            isOver = true;
            return 'result';
        });
        assert.equal(await met(locks.request(name, () => isOver)), true);
        assert.equal(await met(first), 'result');
    });

    test('web-locks: 2.4 the promise settles as the promise of the callback does, once the lock is released', async () => {
        const { locks, name, state } = make();
        const error = new RangeError('thrown in a callback');
        for (const fail of [
            () => {
                throw error;
            },
            async () => {
                await sleep(1);
                throw error;
            },
        ]) {
            assert.equal(await reasonOf(locks.request(name, fail)), error);
            assert.deepEqual(await state(), { held: [], pending: [] });
        }
        const thenable = {
            then: (/** @type {(value: string) => void} */ resolve) => resolve('of a thenable'),
        };
        assert.equal(await met(locks.request(name, () => thenable)), 'of a thenable');
    });

    test('web-locks: 2.4 a callback that returns a request for its own name waits until the request is aborted', async () => {
        const { locks, name, state } = make();
        const controller = new AbortController();
        const { signal } = controller;
        /** @type {(value?: unknown) => void} */
        let begin = () => {};
        const begun = new Promise((resolve) => (begin = resolve));
        const section = locks.request(name, () => {
            begin();
            return locks.request(name, { signal }, () => assert.fail('its callback ran'));
        });
        const error = reasonOf(section);
        await met(begun);
        assert.deepEqual(await state(), { held: ['exclusive'], pending: ['exclusive'] });
        controller.abort();
        assert.equal(await error, signal.reason);
        assert.deepEqual(await state(), { held: [], pending: [] });
    });

    test('web-locks: 2.5 requests are granted in the order made, without overtaking', async () => {
        const { locks, name } = make();
        /** @type {number[]} */
        const order = [];
        const modes = ['exclusive', 'shared', 'shared', 'exclusive', 'shared', 'exclusive'];
        const all = modes.map((mode, at) =>
            locks.request(name, { mode }, async () => {
                order.push(at);
                await sleep(1);
            }),
        );
        await met(Promise.all(all));
        assert.deepEqual(order, [0, 1, 2, 3, 4, 5]);
    });

    test('web-locks: 2.5 a shared request behind an exclusive one waits even if the lock is held shared', async () => {
        const { locks, name, state } = make();
        const reader = hold(locks, name, { mode: 'shared' });
        await met(reader.granted);
        const writer = hold(locks, name);
        const late = hold(locks, name, { mode: 'shared' });
        await sleep(5);
        assert.deepEqual(await state(), { held: ['shared'], pending: ['exclusive', 'shared'] });
        reader.release();
        await met(writer.granted);
        writer.release();
        await met(late.granted);
        late.release();
        await met(late.done);
    });

    for (const [title, options, error] of /** @type {[string, object, string][]} */ ([
        ['steal and ifAvailable', { steal: true, ifAvailable: true }, 'NotSupportedError'],
        ['steal in shared mode', { steal: true, mode: 'shared' }, 'NotSupportedError'],
        ['signal and steal', { signal: new AbortController().signal, steal: true }, 'NotSupportedError'],
        [
            'signal and ifAvailable',
            { signal: new AbortController().signal, ifAvailable: true },
            'NotSupportedError',
        ],
        ['another mode', { mode: 'both' }, 'TypeError'],
        ['a mode that cannot become a string', { mode: Symbol('shared') }, 'TypeError'],
        ['a mode of null', { mode: null }, 'TypeError'],
        ['a signal that is no AbortSignal', { signal: {} }, 'TypeError'],
        ['a signal of null', { signal: null }, 'TypeError'],
    ])) {
        test(`web-locks: 3.2.1 ${title}: ${error}, and the callback does not run`, async () => {
            const { locks, name } = make();
            const reason = await reasonOf(locks.request(name, options, () => assert.fail('it has run')));
            assert.equal(reason.name, error);
        });
    }

    test('web-locks: 3.2.1 options are read once each, in the order of their names, and the mode becomes a string', async () => {
        const { locks, name } = make();
        /** @type {string[]} */
        const read = [];
        const values = { steal: 0, signal: undefined, mode: ['shared'], ifAvailable: '' };
        const options = new Proxy(values, {
            get(target, key) {
                read.push(String(key));
                return Reflect.get(target, key);
            },
        });
        assert.equal(
            await met(locks.request(name, options, (/** @type {any} */ lock) => lock.mode)),
            'shared',
        );
        assert.deepEqual(read, ['ifAvailable', 'mode', 'signal', 'steal']);
    });

    const { document } = globalThis;
    if (document) {
        test('web-locks: 3.2.1 a signal may belong to another window', async () => {
            const { locks, name } = make();
            const frame = document.body.appendChild(document.createElement('iframe'));
            const { AbortController: Controller } = /** @type {any} */ (frame.contentWindow);
            const controller = new Controller();
            const holder = hold(locks, name);
            await met(holder.granted);
            const waiting = locks.request(name, { signal: controller.signal }, () =>
                assert.fail('it has run'),
            );
            const reason = reasonOf(waiting);
            controller.abort();
            assert.equal((await reason).name, 'AbortError');
            holder.release();
            await met(holder.done);
            frame.remove();
        });
    }

    test('web-locks: 3.2.1 an invalid callback is a TypeError', async () => {
        const { locks, name } = make();
        for (const rest of [[], [undefined], [{}], [3], [{}, undefined], [{}, 'run']]) {
            assert.equal((await reasonOf(locks.request(name, ...rest))).name, 'TypeError');
        }
        assert.equal((await reasonOf(locks.request(name, 5, () => {}))).name, 'TypeError');
    });

    test('web-locks: 3.2.1 an invalid callback is a TypeError before options are read', async () => {
        const { locks } = make();
        const { signal } = new AbortController();
        for (const options of [
            { steal: true, ifAvailable: true },
            { steal: true, signal },
            { signal: AbortSignal.abort() },
        ]) {
            assert.equal((await reasonOf(locks.request('-', options, 1))).name, 'TypeError');
        }
    });

    test('web-locks: 3.2.1 an aborted signal rejects with its reason, and makes no request', async () => {
        const { locks, name, state } = make();
        const reason = new Error('aborted before');
        const signal = AbortSignal.abort(reason);
        assert.equal(
            await reasonOf(locks.request(name, { signal }, () => assert.fail('it has run'))),
            reason,
        );
        assert.deepEqual(await state(), { held: [], pending: [] });
    });

    test('web-locks: 3.3 the lock has a name and a mode', async () => {
        const { locks, name } = make();
        const modes = [{}, { mode: 'shared' }, { mode: undefined }];
        const seen = modes.map((options) =>
            locks.request(name, options, (/** @type {any} */ lock) => [lock.name, lock.mode]),
        );
        assert.deepEqual(await met(Promise.all(seen)), [
            [name, 'exclusive'],
            [name, 'shared'],
            [name, 'exclusive'],
        ]);
    });

    test('web-locks: 4.1 ifAvailable: the callback gets the lock, or null if it is held or waited for', async () => {
        const { locks, name } = make();
        const available = (/** @type {string} */ mode) =>
            met(
                locks.request(
                    name,
                    { ifAvailable: true, mode },
                    (/** @type {any} */ lock) => lock?.mode ?? null,
                ),
            );
        assert.equal(await available('exclusive'), 'exclusive');
        const reader = hold(locks, name, { mode: 'shared' });
        await met(reader.granted);
        assert.equal(await available('exclusive'), null);
        assert.equal(await available('shared'), 'shared');
        const writer = hold(locks, name);
        assert.equal(await available('shared'), null);
        reader.release();
        await met(writer.granted);
        assert.equal(await available('shared'), null);
        writer.release();
        await met(writer.done);
        assert.equal(await available('shared'), 'shared');
    });

    test('web-locks: 4.1 ifAvailable: the result of the callback with null is passed on', async () => {
        const { locks, name } = make();
        const holder = hold(locks, name);
        await met(holder.granted);
        const error = new RangeError('there is no lock');
        const fail = (/** @type {unknown} */ lock) => {
            assert.equal(lock, null);
            throw error;
        };
        assert.equal(await reasonOf(locks.request(name, { ifAvailable: true }, fail)), error);
        holder.release();
        await met(holder.done);
    });

    test('web-locks: 4.1 steal: the holders are rejected, and the stealing request comes before all waiters', async () => {
        const { locks, name, state } = make();
        const readers = [1, 2].map(() => hold(locks, name, { mode: 'shared' }));
        await met(Promise.all(readers.map(({ granted }) => granted)));
        const waiting = hold(locks, name);
        const thief = hold(locks, name, { steal: true });
        for (const { done } of readers) {
            const reason = await reasonOf(done);
            assert.ok(reason instanceof DOMException);
            assert.equal(reason.name, 'AbortError');
        }
        await met(thief.granted);
        assert.deepEqual(await state(), { held: ['exclusive'], pending: ['exclusive'] });
        const late = hold(locks, name);
        readers.forEach(({ release }) => release());
        await sleep(5);
        assert.deepEqual(await state(), { held: ['exclusive'], pending: ['exclusive', 'exclusive'] });
        const second = hold(locks, name, { steal: true });
        assert.equal((await reasonOf(thief.done)).name, 'AbortError');
        await met(second.granted);
        second.release('of the second');
        assert.equal(await met(second.done), 'of the second');
        await met(waiting.granted);
        waiting.release();
        await met(late.granted);
        late.release();
        await met(Promise.all([waiting.done, late.done]));
    });

    test('web-locks: 4.1 steal: a free lock is simply granted', async () => {
        const { locks, name } = make();
        assert.equal(
            await met(locks.request(name, { steal: true }, (/** @type {any} */ lock) => lock.mode)),
            'exclusive',
        );
    });

    test('web-locks: 4.3 an aborted request leaves the queue, and requests behind it are granted', async () => {
        const { locks, name, state } = make();
        const reader = hold(locks, name, { mode: 'shared' });
        await met(reader.granted);
        const controller = new AbortController();
        const writer = locks.request(name, { signal: controller.signal }, () => assert.fail('it has run'));
        const late = hold(locks, name, { mode: 'shared' });
        const reason = new Error('aborted');
        controller.abort(reason);
        assert.equal(await reasonOf(writer), reason);
        await met(late.granted);
        assert.deepEqual(await state(), { held: ['shared', 'shared'], pending: [] });
        [reader, late].forEach(({ release }) => release());
        await met(Promise.all([reader.done, late.done]));
    });

    test('web-locks: 4.3 a signal ends the wait, never the callback', async () => {
        const { locks, name } = make();
        const controller = new AbortController();
        const holders = [1, 2].map(() => hold(locks, name, { signal: controller.signal }));
        for (const { granted, release, done } of holders) {
            await met(granted);
            if (done === holders[1]?.done) {
                controller.abort();
            }
            release('went on');
            assert.equal(await met(done), 'went on');
        }
    });

    test('web-locks: 4.4 no callback runs before its request returns', async () => {
        const { locks, name } = make();
        /** @type {string[]} */
        const order = [];
        const requests = [{}, { ifAvailable: true }, { steal: true }].map((options) =>
            locks.request(name, options, () => order.push('run')),
        );
        order.push('returned');
        await met(Promise.allSettled(requests));
        assert.equal(order[0], 'returned');
    });

    test('web-locks: 4.4 a callback may request another lock, and its own with ifAvailable', async () => {
        const { locks, name, other } = make();
        const inner = await met(
            locks.request(name, () =>
                locks.request(other, () =>
                    locks.request(name, { ifAvailable: true }, (/** @type {unknown} */ lock) => lock),
                ),
            ),
        );
        assert.equal(inner, null);
    });

    test('web-locks: 4.5 query() lists held locks, and pending requests in order, with their clients', async () => {
        const { locks, name } = make();
        assert.ok(locks.query() instanceof Promise);
        const holder = hold(locks, name);
        await met(holder.granted);
        const waiting = [hold(locks, name, { mode: 'shared' }), hold(locks, name)];
        const { held, pending } = await met(/** @type {Promise<any>} */ (locks.query()));
        const own = (/** @type {any[]} */ infos) =>
            infos.filter((info) => info.name === name).map(({ mode, clientId }) => [mode, clientId]);
        const [[, clientId] = []] = own(held);
        assert.equal(typeof clientId, 'string');
        assert.deepEqual(own(held), [['exclusive', clientId]]);
        assert.deepEqual(own(pending), [
            ['shared', clientId],
            ['exclusive', clientId],
        ]);
        for (const { granted, release, done } of [holder, ...waiting]) {
            await met(granted);
            release();
            await met(done);
        }
    });
}

/**
 * The cases in which an engine differs, by their titles, those with threads included. Firefox differs in none.
 *
 * @type {Record<string, Record<string, string>>}
 */
export const ENGINES_DIFFER = {
    chromium: {
        '4.3 an aborted request leaves the queue, and requests behind it are granted':
            'grants those behind it at the next release only',
    },
    firefox: {},
    webkit: {
        '3.2.1 an aborted signal rejects with its reason, and makes no request':
            'rejects with an AbortError of its own',
    },
    node: {
        '2.4 the promise settles as the promise of the callback does, once the lock is released':
            'settles it before the release',
        '4.3 an aborted request leaves the queue, and requests behind it are granted':
            'leaves it in the queue',
        '4.4 no callback runs before its request returns': 'runs it at once',
        'threads: requests of all threads are granted in the order made':
            'query() tells of its own thread only',
        'threads: a thread whose lock is stolen by another is notified at once': 'the same',
        'threads: a busy thread may release a lock before it learns that the lock was stolen':
            'does not tell it',
        '2.6 the locks and requests of a terminated thread are removed': 'the same',
        'threads: sections of one name never overlap': 'a request is not granted now and then',
    },
    deno: {
        '2.1 a name is any string, and each name is a lock of its own': 'makes no strings of numbers',
        '4.1 ifAvailable: the callback gets the lock, or null if it is held or waited for':
            'grants it although others wait',
        '4.3 an aborted request leaves the queue, and requests behind it are granted':
            'does not grant those behind it',
        '4.4 no callback runs before its request returns': 'runs it at once',
    },
};
