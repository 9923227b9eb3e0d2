/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

import { RESULT_DONE, RESULT_TIMEOUT } from '../../js-glue/memory/layout.js';

/* The programs of the scenarios' threads, written with the methods that users call. The explorer runs them in
 * another realm, so they use nothing but constants, their parameters and each other; explorer/kit.js describes `t`. */

/** @typedef {import('../explorer/kit.js').Kit & Record<string, any>} T the kit, with the objects by their names */

/** An amount: one permit, or a reader. */
const ONE = 1;

/** A time limit shorter than the longest slice. */
const A_WHILE_MS = 1;

/** Longer than any other wait of a thread. */
const LONG_MS = 1000;

/* ---- Mutexes, semaphores and reader-writer locks ---- */

/** @param {any} lock @param {number} ask */
function take(lock, ask) {
    if ('enter' in lock) {
        lock.enter({ permits: ask });
    } else if ('lockShared' in lock && ask === ONE) {
        lock.lockShared();
    } else {
        lock.lock();
    }
}

/** @param {any} lock @param {number} ask @param {number} [timeout] @returns {boolean} */
function tryTake(lock, ask, timeout = 0) {
    if ('enter' in lock) {
        return lock.tryEnter({ timeout, permits: ask });
    }
    return 'lockShared' in lock && ask === ONE ? lock.tryLockShared(timeout) : lock.tryLock(timeout);
}

/** @param {any} lock @param {number} ask */
function giveBack(lock, ask) {
    if ('leave' in lock) {
        lock.leave(ask);
    } else if ('lockShared' in lock && ask === ONE) {
        lock.unlockShared();
    } else {
        lock.unlock();
    }
}

/**
 * @param {any} lock
 * @param {number} ask
 * @param {() => unknown} section
 * @param {any} [options]
 * @returns {Promise<any>}
 */
function request(lock, ask, section, options) {
    if ('enter' in lock) {
        return lock.execAsync(section, { permits: ask, ...options });
    }
    const mode = ask === ONE ? 'shared' : 'exclusive';
    return lock.execAsync(section, 'lockShared' in lock ? { mode, ...options } : options);
}

/** @param {T} t @param {...number} asks */
export function takes(t, ...asks) {
    for (const ask of asks) {
        take(t.lock, ask);
        giveBack(t.lock, ask);
    }
}

/** @param {T} t @param {...number} asks */
export function tries(t, ...asks) {
    for (const ask of asks) {
        if (tryTake(t.lock, ask)) {
            giveBack(t.lock, ask);
        }
    }
}

/** @param {T} t @param {...number} asks */
export function takesForAWhile(t, ...asks) {
    for (const ask of asks) {
        if (tryTake(t.lock, ask, A_WHILE_MS)) {
            giveBack(t.lock, ask);
        }
    }
}

/** @param {T} t @param {...number} asks */
export function triesAndWatches(t, ...asks) {
    for (const ask of asks) {
        if (tryTake(t.lock, ask) || (t.watch() && tryTake(t.lock, ask))) {
            giveBack(t.lock, ask);
        }
    }
}

/** @param {T} t @param {...number} asks */
export function usesAllWays(t, ...asks) {
    const [first = 0, second = 0, third = 0, fourth = 0] = asks;
    tries(t, first);
    takesForAWhile(t, second);
    takes(t, third);
    takesForAWhile(t, fourth);
}

/** Tries to take an amount, and never releases it. @param {T} t @param {number} ask */
export function keeps(t, ask) {
    tryTake(t.lock, ask);
}

/** Releases permits that it has not taken. @param {T} t @param {...number} asks */
export function makes(t, ...asks) {
    for (const ask of asks) {
        t.lock.leave(ask);
    }
}

/** @param {T} t @param {() => void} call @param {string} code of its error */
function isRefused(t, call, code) {
    try {
        call();
    } catch (/** @type {any} */ error) {
        t.check(error.code === code, `it is refused by ${error.code}`);
        return;
    }
    t.check(false, 'it is not refused');
}

/** @param {T} t @param {string} code of the error @param {number} ask */
export function mayNotGiveBack(t, code, ask) {
    isRefused(t, () => giveBack(t.lock, ask), code);
}

/** Releases the amount that it holds at the start. @param {T} t @param {number} ask */
export function releases(t, ask) {
    giveBack(t.lock, ask);
}

/** @param {T} t @param {number} ask */
export async function requests(t, ask) {
    await request(t.lock, ask, () => {});
}

/** The section goes on while other jobs run. @param {T} t @param {number} ask */
export async function requestsForLong(t, ask) {
    await request(t.lock, ask, () => t.later());
}

/** @param {T} t @param {any} error @param {string} expected its name or message */
function endsBy(t, error, expected) {
    t.check([error.name, error.message].includes(expected), `it ends by ${error.name}: ${error.message}`);
}

/**
 * @param {T} t
 * @param {number} ask
 * @param {string} [signal] by default a signal of its own
 * @param {boolean} [isLong]
 */
export async function mayAbort(t, ask, signal, isLong = false) {
    const section = () => (isLong ? t.later() : undefined);
    const options = { signal: t.signal(signal) };
    await request(t.lock, ask, section, options).catch((error) => endsBy(t, error, 'aborted'));
}

/** @param {T} t @param {number} ask */
export async function mayTimeOut(t, ask) {
    const options = { timeout: LONG_MS };
    await request(t.lock, ask, () => {}, options).catch((error) => endsBy(t, error, 'TimeoutError'));
}

/** Tries before its request has taken a step. @param {T} t @param {number} ask @param {number} other */
export async function requestsAndTries(t, ask, other) {
    const requested = request(t.lock, ask, () => {});
    tries(t, other);
    await requested;
}

/** Blocks in the job in which it asks. @param {T} t @param {number} ask @param {number} other */
export async function requestsAndTakes(t, ask, other) {
    const requested = request(t.lock, ask, () => {});
    takes(t, other);
    await requested;
}

/**
 * Holds an amount while its request is pending, releases it and takes it again.
 * @param {T} t
 * @param {number} ask
 * @param {number} other
 */
export async function requestsAndHolds(t, ask, other) {
    take(t.lock, other);
    await t.later();
    const requested = request(t.lock, ask, () => {});
    await t.later();
    giveBack(t.lock, other);
    await t.later();
    take(t.lock, other);
    await t.later();
    giveBack(t.lock, other);
    await requested;
}

/** The callback throws. @param {T} t @param {number} ask */
export async function throws(t, ask) {
    const error = await request(t.lock, ask, fails).catch((thrown) => thrown);
    t.check(error?.message === 'fails', `it ends by ${error?.message}`);
}

/**
 * The callback makes a further request, and does not wait for it.
 *
 * @param {T} t
 * @param {number} ask
 * @param {number} inner
 */
export async function requestsWithin(t, ask, inner) {
    let second;
    await request(t.lock, ask, () => {
        second = request(t.lock, inner, () => {});
    });
    await second;
}

/** @param {T} t @param {...number} asks */
export async function requestsAtOnce(t, ...asks) {
    await Promise.all(asks.map((ask) => request(t.lock, ask, () => {})));
}

/** One signal ends all requests of the loop. @param {T} t @param {...number} asks */
export async function abortAtOnce(t, ...asks) {
    await Promise.all(asks.map((ask) => mayAbort(t, ask, 'shared')));
}

/** The requests are not logged, so states differ only in the package's fields. @param {T} t */
export async function asksInAnyWay(t) {
    const way = t.look('way');
    const waits = [{}, { signal: t.signal('shared') }, { signal: t.signal() }, { timeout: LONG_MS }];
    const requested = request(t.lock, ONE + (way & 1), () => {}, waits[way >> 1]);
    t.mark('asks');
    await requested.catch(() => {});
}

/** Downgrades to a reader, and ends the reading. @param {T} t */
export function staysToRead(t) {
    t.lock.downgrade();
    t.lock.unlockShared();
}

/** @param {T} t */
export function downgrades(t) {
    t.lock.lock();
    staysToRead(t);
}

/** Locks by a try, downgrades, and never releases. @param {T} t */
export function downgradesAndKeeps(t) {
    if (t.lock.tryLock()) {
        t.lock.downgrade();
    }
}

/** @param {T} t @param {string} code of the error */
export function mayNotDowngrade(t, code) {
    isRefused(t, () => t.lock.downgrade(), code);
}

/** Downgrades a guard, in a job of its own. @param {T} t */
export async function downgradesGuard(t) {
    const guard = await t.lock.acquireAsync();
    await t.later();
    guard.downgrade();
    await t.later();
    guard.release();
}

/** Downgrades with a reader's request of its own behind it. @param {T} t */
export async function downgradesBeforeOwn(t) {
    const guard = await t.lock.acquireAsync();
    const requested = request(t.lock, ONE, () => {});
    await t.later();
    guard.downgrade();
    await t.later();
    guard.release();
    await requested;
}

/* An upgradable reader reads a number that only writers change, decides, and writes. */

/** @param {T} t */
function writes(t) {
    const before = t.add('number', 1);
    return before;
}

/** @param {T} t @param {number} read the value that no thread may have changed since */
function writesWhatItRead(t, read) {
    const before = writes(t);
    t.check(before === read, `it has read ${read}, and upgrades at ${before}`);
}

/** @param {T} t */
export function writesToo(t) {
    t.lock.lock();
    writes(t);
    t.lock.unlock();
}

/** Blocks for an upgrade, then unlocks or downgrades. @param {T} t @param {'unlock' | 'downgrade'} [way] */
export function upgrades(t, way = 'unlock') {
    t.lock.lockUpgradable();
    const read = t.read('number');
    t.lock.upgrade();
    writesWhatItRead(t, read);
    if (way === 'downgrade') {
        t.lock.downgrade();
        t.lock.unlockShared();
    } else {
        t.lock.unlock();
    }
}

/** Upgrades if it can. @param {T} t @param {number} [timeout] */
export function triesToUpgrade(t, timeout = 0) {
    if (!t.lock.tryLockUpgradable(timeout)) {
        return;
    }
    const read = t.read('number');
    if (t.lock.tryUpgrade(timeout)) {
        writesWhatItRead(t, read);
        t.lock.unlock();
    } else {
        t.lock.unlockUpgradable();
    }
}

/** @param {T} t */
export function triesToUpgradeForAWhile(t) {
    triesToUpgrade(t, A_WHILE_MS);
}

/** Downgrades from an upgradable reader to a plain one. @param {T} t */
export function readsUpgradable(t) {
    t.lock.lockUpgradable();
    t.lock.downgrade();
    t.lock.unlockShared();
}

/** The upgradable reader may not block for the lock again, and only it upgrades. @param {T} t */
export function mayNotUpgrade(t) {
    isRefused(t, () => t.lock.upgrade(), 'HF_NOT_OWNER');
    isRefused(t, () => t.lock.unlockUpgradable(), 'HF_NOT_OWNER');
    t.lock.lockUpgradable();
    isRefused(t, () => t.lock.lock(), 'HF_DEADLOCK');
    isRefused(t, () => t.lock.lockUpgradable(), 'HF_DEADLOCK');
    isRefused(t, () => t.lock.unlock(), 'HF_NOT_OWNER');
    t.lock.unlockUpgradable();
}

/** Upgrades a guard, and may give that up. @param {T} t @param {boolean} [mayEnd] */
export async function upgradesGuard(t, mayEnd = false) {
    const guard = await t.lock.acquireAsync({ mode: 'upgradable' });
    const read = t.read('number');
    await t.later();
    if (await guard.upgradeAsync(mayEnd ? { signal: t.signal() } : undefined)) {
        writesWhatItRead(t, read);
    }
    guard.release();
}

/** Upgrades in the job that has locked. @param {T} t */
export async function upgradesGuardAtOnce(t) {
    const guard = await t.lock.acquireAsync({ mode: 'upgradable' });
    await guard.upgradeAsync();
    guard.release();
}

/** Keeps a guard for a while. @param {T} t @param {number} ask */
export async function guards(t, ask) {
    const mode = ask === ONE ? 'shared' : 'exclusive';
    const guard = await t.lock.acquireAsync('lockShared' in t.lock ? { mode } : undefined);
    await t.later();
    guard.release();
}

/* ---- Recursive mutex ---- */

/** @param {T} t @param {number} depth the expected depth of this thread @param {any} [lock] */
function hasDepth(t, depth, lock = t.lock) {
    const is = lock.depth;
    t.check(is === depth, `its depth is ${is}, not ${depth}`);
}

/** @param {T} t @param {number} from @param {number} to */
function deepens(t, from, to) {
    for (let depth = from + 1; depth <= to; depth += 1) {
        t.lock.lock();
        hasDepth(t, depth);
    }
}

/** @param {T} t @param {number} from */
function surfaces(t, from) {
    for (let depth = from - 1; depth >= 0; depth -= 1) {
        t.lock.unlock();
        hasDepth(t, depth);
    }
}

/** Locks to each of these depths in turn, and unlocks again. @param {T} t @param {...number} depths */
export function nests(t, ...depths) {
    for (const depth of depths) {
        deepens(t, 0, depth);
        surfaces(t, depth);
    }
}

/** @param {T} t @param {number} depth */
export function triesAndNests(t, depth) {
    if (t.lock.tryLock()) {
        deepens(t, 1, depth);
        surfaces(t, depth);
    }
}

/** @param {T} t @param {number} depth */
export function nestsForAWhile(t, depth) {
    if (t.lock.tryLock(A_WHILE_MS)) {
        t.check(t.lock.tryLock() && t.lock.tryLock(A_WHILE_MS), 'the owner does not get the mutex again');
        surfaces(t, depth);
    }
}

/** Nests sections, in another way at each depth. @param {T} t */
export function nestsSections(t) {
    t.lock.exec(() => {
        hasDepth(t, 1);
        t.check(t.lock.tryLock(A_WHILE_MS), 'the owner does not get the mutex again');
        t.lock.exec(() => hasDepth(t, 3));
        hasDepth(t, 2);
        t.lock.unlock();
    });
    hasDepth(t, 0);
}

/** The callbacks throw, and one of them unlocks its section's lock. @param {T} t */
export function nestsSectionsThatFail(t) {
    const failsInside = () => {
        t.lock.exec(fails);
    };
    try {
        t.lock.exec(failsInside);
    } catch (/** @type {any} */ error) {
        endsBy(t, error, 'fails');
    }
    hasDepth(t, 0);
    t.lock.lock();
    isRefused(t, () => t.lock.exec(() => t.lock.unlock()), 'HF_NOT_OWNER');
    hasDepth(t, 1);
    t.lock.unlock();
    hasDepth(t, 0);
}

/** Locks to the greatest depth, which is 3 here, and once more. @param {T} t */
export function nestsTooDeep(t) {
    const most = 3;
    deepens(t, 0, most);
    isRefused(t, () => t.lock.lock(), 'HF_OVERFLOW');
    isRefused(t, () => t.lock.tryLock(), 'HF_OVERFLOW');
    hasDepth(t, most);
    surfaces(t, most);
}

/** Unlocks once more than it has locked. @param {T} t */
export function unlocksTooOften(t) {
    deepens(t, 0, 2);
    surfaces(t, 2);
    mayNotGiveBack(t, 'HF_NOT_OWNER', 0);
    hasDepth(t, 0);
}

/** Nests within the section of an event loop. @param {T} t */
export async function nestsInRequest(t) {
    await t['lock.mutex'].execAsync(() => {
        hasDepth(t, 1);
        t.check(t.lock.tryLock(), 'the owner does not get the mutex again');
        hasDepth(t, 2);
        t.lock.unlock();
        hasDepth(t, 1);
    });
}

/** @param {T} t */
export async function requestsInside(t) {
    await t['lock.mutex'].execAsync(() => {});
}

/** @param {T} t */
export async function mayAbortInside(t) {
    await t['lock.mutex']
        .execAsync(() => {}, { signal: t.signal() })
        .catch((/** @type {any} */ error) => endsBy(t, error, 'aborted'));
}

/** Waits for a notify at depth 2, which is refused, and then at depth 1. @param {T} t */
export function awaitsFlagAfterDepth2(t) {
    t.mutex.lock();
    t.mutex.lock();
    isRefused(t, () => t.condition.wait(t.mutex), 'HF_DEADLOCK');
    isRefused(t, () => t.condition.waitFor(t.mutex, { timeout: A_WHILE_MS }), 'HF_DEADLOCK');
    hasDepth(t, 2, t.mutex);
    t.mutex.unlock();
    while (t.read('flag') === 0) {
        t.condition.wait(t.mutex);
        hasDepth(t, 1, t.mutex);
    }
    t.mutex.unlock();
    hasDepth(t, 0, t.mutex);
    t.condition.notify(1);
}

/** @param {T} t */
export function setsFlagAtDepth2(t) {
    t.mutex.lock();
    t.mutex.lock();
    t.add('flag', 1);
    t.mutex.unlock();
    t.condition.notify(1);
    t.mutex.unlock();
}

/* ---- Condition ---- */

/** True if it succeeds. @param {Promise<unknown>} promise */
const succeeds = (promise) =>
    promise.then(
        () => true,
        () => false,
    );

/** Sets the flag and releases `count` waiters. @param {T} t @param {number} [count] */
export function setsFlag(t, count) {
    t.mutex.lock();
    t.add('flag', 1);
    t.mutex.unlock();
    t.condition.notify(count);
}

/** @param {T} t */
export function setsFlagHolding(t) {
    t.mutex.lock();
    t.add('flag', 1);
    t.condition.notify(1);
    t.mutex.unlock();
}

/** Waits for the flag, and releases the next one. @param {T} t */
export function awaitsFlag(t) {
    t.mutex.lock();
    while (t.read('flag') === 0) {
        t.condition.wait(t.mutex);
    }
    t.mutex.unlock();
    t.condition.notify(1);
}

/** @param {T} t */
export async function awaitsFlagAsync(t) {
    await t.mutex.execAsync(() => t.condition.waitAsync(t.mutex, { predicate: () => t.look('flag') !== 0 }));
    t.condition.notify(1);
}

/** Waits once at most, and releases the next one unless it gave up. @param {T} t */
export function mayGiveUp(t) {
    t.mutex.lock();
    const notified = t.read('flag') === 0 && t.condition.waitFor(t.mutex, { timeout: A_WHILE_MS });
    t.mutex.unlock();
    if (notified) {
        t.condition.notify(1);
    }
}

/** @param {T} t @param {string} [signal] its own by default */
export async function mayGiveUpAsync(t, signal) {
    const notified = await t.mutex.execAsync(
        () => t.read('flag') === 0 && succeeds(t.condition.waitAsync(t.mutex, { signal: t.signal(signal) })),
    );
    if (notified) {
        t.condition.notify(1);
    }
}

/** @param {T} t @param {string} to the count of threads that are through */
function waitsAndAdds(t, to) {
    t.mutex.lock();
    t.add('waits', 1);
    t.condition.wait(t.mutex);
    t.add(to, 1);
    t.mutex.unlock();
}

/** @param {T} t @param {string} to the count of threads that are through */
async function waitsAndAddsAsync(t, to) {
    await t.mutex.execAsync(async () => {
        t.add('waits', 1);
        await t.condition.waitAsync(t.mutex);
        t.add(to, 1);
    });
}

/** @param {T} t */
export function waitsBefore(t) {
    waitsAndAdds(t, 'flag');
    t.condition.notify();
}

/** @param {T} t */
export async function waitsBeforeAsync(t) {
    await waitsAndAddsAsync(t, 'flag');
    t.condition.notify();
}

/** @param {T} t */
export function notifiesOne(t) {
    t.until('waits', 1);
    t.mutex.lock();
    t.condition.notify(1);
    t.add('notified', 1);
    t.mutex.unlock();
}

/** @param {T} t */
export function waitsInCrowd(t) {
    waitsAndAdds(t, 'through');
}

/** @param {T} t */
export async function waitsInCrowdAsync(t) {
    await waitsAndAddsAsync(t, 'through');
}

/** @param {T} t */
export function mayLeaveCrowd(t) {
    t.mutex.lock();
    t.add('waits', 1);
    t.condition.waitFor(t.mutex, { timeout: A_WHILE_MS });
    t.add('through', 1);
    t.mutex.unlock();
}

/** @param {T} t @param {number} waits */
export function notifiesCrowd(t, waits) {
    t.until('waits', waits);
    t.mutex.lock();
    t.condition.notify(waits);
    t.add('notified', 1);
    t.mutex.unlock();
    t.until('through', waits);
    t.mutex.lock();
    t.add('flag', 1);
    t.mutex.unlock();
    t.condition.notify();
}

/** @param {T} t */
export function awaitsNext(t) {
    t.until('notified', 1);
    t.mutex.lock();
    while (t.read('flag') === 0) {
        t.condition.wait(t.mutex);
    }
    t.mutex.unlock();
}

/** @param {T} t @param {'awaitsFlag' | 'mayGiveUp'} program */
export function comesAfter(t, program) {
    t.until('notified', 1);
    ({ awaitsFlag, mayGiveUp })[program](t);
}

/** @param {T} t */
export async function comesAfterAsync(t) {
    t.until('notified', 1);
    await awaitsFlagAsync(t);
}

/** Puts into a queue for one item, or gets. @param {T} t @param {number} count @param {boolean} puts */
export function moves(t, count, puts) {
    const [own, others] = puts ? ['notFull', 'notEmpty'] : ['notEmpty', 'notFull'];
    for (let round = 0; round < count; round += 1) {
        t.mutex.lock();
        while (t.read('items') === Number(puts)) {
            t[own].wait(t.mutex);
        }
        t.add('items', puts ? 1 : -1);
        t.mutex.unlock();
        t[others].notify(1);
    }
}

/** @param {T} t @param {number} count @param {boolean} puts */
export async function movesAsync(t, count, puts) {
    const [own, others] = puts ? ['notFull', 'notEmpty'] : ['notEmpty', 'notFull'];
    for (let round = 0; round < count; round += 1) {
        await t.mutex.execAsync(async () => {
            await t[own].waitAsync(t.mutex, { predicate: () => t.look('items') !== Number(puts) });
            t.add('items', puts ? 1 : -1);
        });
        t[others].notify(1);
    }
}

/* ---- Event ---- */

/** Sets the event once the waits have begun, and resets it at once. @param {T} t @param {...number} waits */
export function pulses(t, ...waits) {
    for (const least of waits) {
        t.until('waits', least);
        t.event.set();
        t.event.reset();
    }
}

/** @param {T} t */
export function setsAndResets(t) {
    t.event.set();
    t.event.reset();
    t.event.set();
}

/** @param {T} t @param {number} times */
export function waits(t, times) {
    for (let round = 0; round < times; round += 1) {
        t.announce('event_begin', 'waits');
        t.event.wait();
    }
}

/** @param {T} t */
export function waitsAWhile(t) {
    t.announce('event_begin', 'waits');
    t.event.wait(A_WHILE_MS);
}

/** @param {T} t @param {number} times */
export async function waitsAsync(t, times) {
    for (let round = 0; round < times; round += 1) {
        t.announce('event_begin', 'waits');
        await t.event.waitAsync();
    }
}

/** @param {T} t */
export async function waitsAborting(t) {
    t.announce('event_begin', 'waits');
    await t.event.waitAsync({ signal: t.signal() }).catch(() => {});
}

/* ---- The automatic event ---- */

/** @param {T} t */
export function sets(t) {
    t.until('sets', 0); // makes the next line a step of its own
    t.add('sets', 1);
    t.event.set();
}

/** @param {T} t */
export function resetsAndSets(t) {
    t.event.reset();
    sets(t);
}

/** Sets, resets and sets the event before any thread waits. @param {T} t */
export function setsResetsSets(t) {
    sets(t);
    t.event.reset();
    t.check(!t.event.isSet, 'the event is set after its reset');
    sets(t);
}

/** A thread whose wait was granted sets the event again, for the next. @param {T} t @param {boolean}
 * passed */
function setsNext(t, passed) {
    if (passed) {
        t.check(t.read('sets') > 0, 'the wait returns, but the event was not set');
        t.event.set();
    }
}

/** @param {T} t @param {number} [after] the sets to await first */
export function passes(t, after = 0) {
    t.until('sets', after);
    setsNext(t, t.event.wait());
}

/** @param {T} t */
export function passesAWhile(t) {
    setsNext(t, t.event.wait(A_WHILE_MS));
}

/** @param {T} t @param {number} [after] the sets to await first */
export async function passesAsync(t, after = 0) {
    t.until('sets', after);
    await t.event.waitAsync();
    setsNext(t, true);
}

/** @param {T} t */
export async function passesAborting(t) {
    setsNext(t, await succeeds(t.event.waitAsync({ signal: t.signal() })));
}

/** Resets the event, which is then not set even if it was reserved for a waiter. @param {T} t */
export function resetsAndSetsForTwo(t) {
    t.event.set();
    t.event.reset();
    t.check(!t.event.isSet, 'the event is set after its reset');
    t.event.set();
    t.until('through', 1);
    t.event.set();
}

/** @param {T} t */
export function goesThrough(t) {
    t.event.wait();
    t.add('through', 1);
}

/** @param {T} t */
export async function goesThroughAsync(t) {
    await t.event.waitAsync();
    t.add('through', 1);
}

/** @param {T} t */
export async function goesThroughAborting(t) {
    await t.event.waitAsync({ signal: t.signal() }).catch(() => {});
    t.add('through', 1);
}

/** @param {T} t */
export function resetsAndSetsLater(t) {
    t.event.set();
    t.event.reset();
    t.add('isReset', 1);
    t.check(!t.event.isSet, 'the event is set after its reset');
    t.add('isSetAgain', 1);
    t.event.set();
    t.until('through', 1);
    t.event.set();
}

/** @param {T} t */
export function comesAfterReset(t) {
    t.until('isReset', 1);
    if (t.event.wait(A_WHILE_MS)) {
        t.check(t.read('isSetAgain') > 0, 'the wait returns by a set before the reset');
    }
    t.add('through', 1);
}

/* ---- Latch ---- */

/** @param {T} t @param {number} [by] */
export function counts(t, by = 1) {
    t.latch.countDown(by);
}

/** @param {T} t */
export function opens(t) {
    t.latch.wait();
}

/** @param {T} t */
export function opensOrNot(t) {
    t.latch.wait(A_WHILE_MS);
}

/** @param {T} t */
export async function opensAsync(t) {
    await t.latch.waitAsync();
}

/** @param {T} t */
export async function opensAborting(t) {
    await t.latch.waitAsync({ signal: t.signal() }).catch(() => {});
}

/** @param {T} t */
export function countsAndWaits(t) {
    t.latch.countDown();
    t.latch.wait();
}

/** @param {T} t */
export function countsTooFar(t) {
    isRefused(t, () => t.latch.countDown(2), 'HF_OVERFLOW');
    t.latch.countDown();
}

/* ---- Barrier ---- */

/** @param {T} t @param {number} rounds */
export function arrives(t, rounds) {
    for (let round = 0; round < rounds; round += 1) {
        t.barrier.arriveAndWait();
    }
}

/** Retries until its wait is granted. @param {T} t @param {number} rounds */
export function arrivesAWhile(t, rounds) {
    for (let round = 0; round < rounds;) {
        t.mark(`round ${round}`);
        round += t.barrier.arriveAndWait(A_WHILE_MS) === null ? 0 : 1;
    }
}

/** @param {T} t @param {number} rounds */
export async function arrivesAsync(t, rounds) {
    for (let round = 0; round < rounds; round += 1) {
        await t.barrier.arriveAndWaitAsync();
    }
}

/** @param {T} t @param {number} rounds */
export async function arrivesAborting(t, rounds) {
    for (let round = 0; round < rounds;) {
        t.mark(`round ${round}`);
        try {
            await t.barrier.arriveAndWaitAsync({ signal: t.signal() });
            round += 1;
        } catch (/** @type {any} */ error) {
            endsBy(t, error, 'aborted');
            t.renewSignal();
        }
    }
}

/** Arrives, and may give up; then another thread arrives in its place. @param {T} t */
export function mayLeave(t) {
    if (t.barrier.arriveAndWait(A_WHILE_MS) === null) {
        t.add('gone', 1);
    }
    t.add('came', 1);
}

/** @param {T} t */
export function replaces(t) {
    t.until('came', 1);
    if (t.read('gone') === 1) {
        t.barrier.arriveAndWait();
    }
}

/* ---- Barrier of C threads ---- */

/** An arrival, counted by `arrived` in a later step. @param {T} t @param {string} call */
function arrivesBy(t, call) {
    t.until('arrived', 0);
    t.add('arrived', 1);
    return t.call(t.barrier, call);
}

/** @param {T} t @param {number} least how many arrivals there are up to the end of this round */
function isThrough(t, least) {
    t.check(t.read('arrived') >= least, 'the wait returns before all have arrived');
}

/** @param {T} t @param {number} wasLast */
function countsLast(t, wasLast) {
    t.add('lasts', wasLast);
}

/** @param {T} t @param {...number} least how many arrivals there are up to the end of each round */
export function arrivesInC(t, ...least) {
    for (const arrivals of least) {
        countsLast(t, arrivesBy(t, 'c_barrier_arrive_and_wait'));
        isThrough(t, arrivals);
    }
}

/**
 * Checks whether the round is over before it waits, and waits once more afterwards.
 * @param {T} t
 * @param {...number} least
 */
export function arrivesWithToken(t, ...least) {
    for (const arrivals of least) {
        const token = arrivesBy(t, 'c_barrier_arrive');
        if (t.call(t.barrier, 'c_barrier_look', token) === 0) {
            isThrough(t, arrivals);
        }
        t.call(t.barrier, 'c_barrier_wait', token);
        isThrough(t, arrivals);
        t.check(
            t.call(t.barrier, 'c_barrier_look', token) === 0,
            'the round of a token begins a second time',
        );
    }
}

/** @param {T} t @param {...number} least of the rounds before the one in which it drops */
export function dropsInC(t, ...least) {
    arrivesInC(t, ...least);
    arrivesBy(t, 'c_barrier_arrive_and_drop');
}

/** Checks that the completion of a round has run. @param {T} t @param {number} round */
function isCompleted(t, round) {
    const completions = t.call(t.barrier, 'c_barrier_completions');
    t.check(completions === round, `the wait returns after ${completions} completions, not ${round}`);
}

/**
 * No thread arrives in the next round before `seen` says that all have checked.
 * @param {T} t
 * @param {...number} least
 */
export function completes(t, ...least) {
    for (const [at, arrivals] of least.entries()) {
        countsLast(t, arrivesBy(t, 'c_barrier_complete_and_wait'));
        isThrough(t, arrivals);
        isCompleted(t, at + 1);
        t.add('seen', 1);
        t.until('seen', arrivals);
    }
}

/** Completes rounds, and waits for each by its token. @param {T} t @param {...number} least */
export function completesWithToken(t, ...least) {
    for (const [at, arrivals] of least.entries()) {
        t.call(t.barrier, 'c_barrier_wait', arrivesBy(t, 'c_barrier_complete'));
        isThrough(t, arrivals);
        isCompleted(t, at + 1);
        t.add('seen', 1);
        t.until('seen', arrivals);
    }
}

/**
 * If a thread gives up after the completion has run, the completion runs once more for that round.
 * @param {T} t
 * @param {number} least
 */
function isCompletedOrAgain(t, least) {
    isThrough(t, least);
    const completions = t.call(t.barrier, 'c_barrier_completions');
    t.check(
        completions === 1 || completions === 2,
        `the wait returns after ${completions} completions of a round`,
    );
}

/** @param {T} t @param {number} arrivals of the round */
export function completesOrAgain(t, arrivals) {
    countsLast(t, arrivesBy(t, 'c_barrier_complete_and_wait'));
    isCompletedOrAgain(t, arrivals);
}

/**
 * Gives up unless the round ends in time, and then arrives without a limit.
 * @param {T} t
 * @param {number} arrivals of the round
 */
export function completesAfterGivingUp(t, arrivals) {
    const result = arrivesBy(t, 'c_barrier_complete_or_give_up');
    if (result === RESULT_TIMEOUT) {
        t.add('arrived', -1);
        completesOrAgain(t, arrivals);
    } else {
        countsLast(t, Number(result === RESULT_DONE));
        isCompletedOrAgain(t, arrivals);
    }
}

/** Drops in the first round, perhaps as its last thread. @param {T} t */
export function dropsAndCompletes(t) {
    arrivesBy(t, 'c_barrier_complete_and_drop');
    t.add('seen', 1);
}

/**
 * The last thread to arrive, or another one, destroys the barrier and makes it again; then all continue.
 * @param {T} t
 * @param {number} rounds
 * @param {number} parties
 * @param {boolean} byLast
 * @param {boolean} isMaker
 */
export function makesAnew(t, rounds, parties, byLast, isMaker) {
    for (let round = 0; round < rounds; round += 1) {
        t.until('made', round);
        const wasLast = t.call(t.barrier, 'c_barrier_arrive_and_wait');
        if (byLast ? wasLast : isMaker) {
            t.call(t.barrier, 'c_barrier_destroy');
            t.call(t.barrier, 'barrier_init', parties);
            t.add('made', 1);
        }
    }
}

/* ---- Once ---- */

/** @param {T} t */
function runsIt(t) {
    t.add('ran', 1);
}

/** @param {T} t */
function hasRun(t) {
    t.check(t.read('ran') === 1, 'the once is not done, or ran twice');
}

function fails() {
    throw new Error('fails');
}

/** @param {T} t */
export function runs(t) {
    t.once.run(() => runsIt(t));
    hasRun(t);
}

/** @param {T} t */
export function runsAndFails(t) {
    try {
        t.once.run(fails);
    } catch (/** @type {any} */ error) {
        endsBy(t, error, 'fails');
    }
}

/** @param {T} t */
export async function runsAsync(t) {
    await t.once.runAsync(() => runsIt(t));
    hasRun(t);
}

/** @param {T} t */
export async function runsAndFailsAsync(t) {
    await t.once.runAsync(fails).catch(() => {});
}

/** @param {T} t */
export async function runsAborting(t) {
    await t.once.runAsync(() => runsIt(t), { signal: t.signal() }).catch(() => {});
}
