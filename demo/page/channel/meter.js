/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { count, counted, seconds } from '../wording.js';

/* The counts of a side, and the words for them. */

/** Messages that the page takes of each side a frame. */
export const TAKEN_A_FRAME = 50;

export const MESSAGE_BYTES = 256;

/** A worker that posts stops at this backlog: a page that ran out of memory would show nothing. */
export const MOST_UNREAD = 60_000;

/** The words that a side's threads share. */
export const STOP = 0;
export const SENT = 1;
export const TAKEN = 2;
/** 0, then DIES as an order to the first sender, then DYING: it is in the middle of a send. */
export const DEATH = 3;
export const WORDS = 4;
export const DIES = 1;
export const DYING = 2;

const FRAMES_A_SECOND = 60;

/**
 * The messages that a worker owes, which sends at a pace. It makes up for short pauses, not for the time that a full channel makes
 * it wait.
 *
 * @param {number} owed before
 * @param {number} pace messages per second
 * @param {number} ms since then
 */
export function owedAfter(owed, pace, ms) {
    return owed + (pace * Math.min(ms, 50)) / 1000;
}

/** The age of what one sees. */
export class Meter {
    #sentAt = NaN;
    #takenAt = NaN;

    /** @param {number} sentAt of the message that was taken last @param {number} now */
    take(sentAt, now) {
        this.#sentAt = sentAt;
        this.#takenAt = now;
    }

    /**
     * @param {number} now
     * @param {boolean} isOver no message comes any more: its time stands still
     * @returns {{ time: number, age: number }} in ms; the age is 0 before the first message
     */
    readAt(now, isOver) {
        const time = isOver ? this.#takenAt : now;
        return { time, age: Math.max(0, time - this.#sentAt) || 0 };
    }
}

/** @param {{ isStopped: boolean, waiting: number }} side */
export function describe({ isStopped, waiting }) {
    const megabytes = ((waiting * MESSAGE_BYTES) / 2 ** 20).toFixed(1);
    const wait = `${counted(waiting, 'message waits', 'messages wait')}, ${megabytes}\u00a0MB.`;
    if (!isStopped) {
        return waiting < MOST_UNREAD
            ? wait
            : `${wait} This demo keeps its worker from posting more than ${count(MOST_UNREAD)}.`;
    }
    const left = seconds((waiting * 1000) / (TAKEN_A_FRAME * FRAMES_A_SECOND));
    return waiting === 0
        ? 'Stopped, and nothing waits.'
        : `Stopped, but ${wait} The page needs about ${left} for them.`;
}

/** @param {{ killedAt: number, wentOnAt: number }} death NaN: it has not come to pass */
export function describeDeath({ killedAt, wentOnAt }) {
    if (Number.isNaN(killedAt)) {
        return '';
    }
    const killed = 'A sender of the channel was killed in the middle of a send: nothing of it was sent.';
    return Number.isNaN(wentOnAt)
        ? `${killed} The other one waits until that is noticed.`
        : `${killed} The other one went on ${seconds(wentOnAt - killedAt)} later.`;
}
