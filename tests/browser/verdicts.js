/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';

/* Checks on the data that scenarios return, shared by every place they run in. */

/** The words of a mutex that is free and has no waiter. */
export const FREE = [0, 0, 0, 0];

/**
 * True if half of the page's waits were short, or shorter than the longest time for which the page itself got
 * no core.
 *
 * @param {number} medianWait ms
 * @param {number} longestFrame ms
 */
export function isSoon(medianWait, longestFrame) {
    return medianWait < Math.max(50, longestFrame);
}

/** The most sections that threads with a core each have in 50 ms, which is long (shared-words.js: 20 us or more). */
const SECTIONS_OF_A_LONG_WAIT = 2500;

/**
 * The page got the lock in time, frames continued, and no update was lost.
 *
 * @param {Awaited<ReturnType<typeof import('./ask-among.js').askAmong>>} seen
 */
export function assertServed(seen) {
    assert.equal(seen.answered, seen.requests);
    assert.equal(seen.first, seen.sections);
    assert.equal(seen.second, seen.sections);
    assert.equal(seen.torn, 0);
    const { medianWait, longestFrame, medianOvertaken } = seen;
    assert.ok(
        isSoon(medianWait, longestFrame) || medianOvertaken < SECTIONS_OF_A_LONG_WAIT,
        `median wait ${medianWait} ms, longest frame ${longestFrame} ms, overtaken ${medianOvertaken} times`,
    );
    assert.ok(
        seen.medianFrame < 4 * seen.frameBefore,
        `median frame ${seen.medianFrame} ms, without requests ${seen.frameBefore} ms`,
    );
    assert.deepEqual(seen.lockWords, FREE);
}

/** Fewer ticks than a terminated worker lives in Chromium. */
const MOST_TICKS = 20;

/**
 * A thread was ended during its wait. The threads behind it got the lock in time, and the ended thread did not get
 * it.
 *
 * @param {Awaited<ReturnType<typeof import('./deaths.js').removedFrame>>} seen
 */
export function assertSurvived(seen) {
    assert.ok(seen.pageTicks < MOST_TICKS, `the page waited ${seen.pageTicks} ticks`);
    assert.ok(seen.survivorTicks < MOST_TICKS, `the surviving worker waited ${seen.survivorTicks} ticks`);
    assert.equal(seen.survivorSections, 1);
    assert.equal(seen.torn, 0);
    assert.equal(seen.first, seen.sections);
    assert.equal(seen.second, seen.sections);
    assert.deepEqual(seen.lockWords, FREE);
}
