/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { debug } from '../../../js-glue/debug.js';
import { HoldfastError, LockSpace } from '../../../js-glue/index.js';
import { someTime } from '../turns/some-time.js';
import { ShopLocks, sleep } from './shop-locks.js';

/* A worker that takes its locks in order, holds them, and gives them back, again and again. It blocks while
 * it waits, but not while it holds them: Chromium ends a worker at once only if it does not block. */

/**
 * @typedef {import('./shop-locks.js').Step} Step
 *
 * @typedef {object} Job
 * @property {import('../../../js-glue/index.js').HandleOf<import('../../../js-glue/index.js').LockSpace>} space
 * @property {SharedArrayBuffer} books
 * @property {Step[]} steps
 * @property {number} turnMs
 * @property {boolean} throws whether a deadlock does
 *
 * @typedef {object} Quarrel two locks that another worker takes in the opposite order
 * @property {Step} first
 * @property {Step} second
 *
 * @typedef {{ told: 'present' | 'ready' | 'settled' }} Said of a quarrel: it takes part; it holds the first; it is over
 * @typedef {{ told: 'deadlock', message: string }} Reported
 * @typedef {{ told: 'gaveUp', message: string, keeps: string }} GaveUp
 * @typedef {import('./shop-locks.js').Noticed | import('./shop-locks.js').Repaired | Said | Reported | GaveUp} News
 */

const tell = (/** @type {News} */ news) => self.postMessage(news);

/** @type {Quarrel | undefined} */
let quarrel;
let isCalledOff = false;
/** Ends a pause when a quarrel begins. */
let hurry = () => {};
/** @type {(goesOn: boolean) => void} */
let decide = () => {};

self.onmessage = ({ data }) => {
    if ('job' in data) {
        void work(data.job);
    } else if ('quarrel' in data) {
        ({ quarrel } = data);
        isCalledOff = false;
        hurry();
    } else {
        isCalledOff = !data.goesOn;
        decide(data.goesOn);
    }
};

/** @param {number} ms */
async function pause(ms) {
    if (quarrel === undefined) {
        const isNeeded = new Promise((resolve) => (hurry = () => resolve(undefined)));
        await Promise.race([sleep(someTime(ms)), isNeeded]);
    }
}

/** Reports its state, and awaits the order to go on. @param {Said['told']} told @returns {Promise<boolean>} */
async function goesOnAfter(told) {
    tell({ told });
    return !isCalledOff && new Promise((resolve) => (decide = resolve));
}

/** @param {Job} job */
async function work({ space: handle, books, steps, turnMs, throws }) {
    debug({ throw: throws, onReport: ({ message }) => tell({ told: 'deadlock', message }) });
    const space = LockSpace.from(handle);
    const locks = new ShopLocks(space, books, tell);
    for (;;) {
        await pause(turnMs);
        if (quarrel === undefined) {
            await takeInOrder(locks, steps, turnMs);
        } else {
            await takeCrosswise(locks, quarrel);
            quarrel = undefined;
            tell({ told: 'settled' });
        }
    }
}

/** @param {ShopLocks} locks @param {Step[]} steps @param {number} turnMs */
async function takeInOrder(locks, steps, turnMs) {
    const leaves = [];
    for (const step of steps) {
        leaves.push(locks.enter(step));
        await pause(turnMs);
    }
    leaves.reverse().forEach((leave) => leave());
}

/** @param {ShopLocks} locks @param {Quarrel} quarrel */
async function takeCrosswise(locks, { first, second }) {
    if (!(await goesOnAfter('present'))) {
        return;
    }
    const leaveFirst = locks.enter(first);
    try {
        if (await goesOnAfter('ready')) {
            locks.enter(second)();
        }
    } catch (error) {
        if (!(error instanceof HoldfastError) || error.code !== 'HF_DEADLOCK') {
            throw error;
        }
        tell({ told: 'gaveUp', message: error.message, keeps: first.lock });
    }
    leaveFirst();
}
