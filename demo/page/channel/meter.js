/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { count, counted, seconds } from '../wording.js';

/* The counts of a feed, and the text about them. */

/** The most messages that the page takes from each feed in a frame. */
export const TAKEN_A_FRAME = 50;

export const MESSAGE_BYTES = 256;

/** A worker that posts stops at this backlog: a page that ran out of memory would show nothing. */
export const MOST_UNREAD = 60_000;

/** The words that a feed's threads share. */
export const STOP = 0;
export const SENT = 1;
export const TAKEN = 2;
/** First 0; DIES is the order to the first sender; DYING: the sender is in the middle of a send. */
export const DEATH = 3;
export const WORDS = 4;
export const DIES = 1;
export const DYING = 2;

const FRAMES_A_SECOND = 60;

/**
 * The number of messages that a worker should send now to keep its pace. Short pauses are made up for; waits for a full
 * channel are not.
 * @param {number} owed before @param {number} pace messages per second @param {number} ms since then
 */
export function owedAfter(owed, pace, ms) {
    return owed + (pace * Math.min(ms, 50)) / 1000;
}

/** Measures the age of the message shown. */
export class Meter {
    #sentAt = NaN;
    #takenAt = NaN;

    /** @param {number} sentAt of the last message taken @param {number} now */
    take(sentAt, now) {
        this.#sentAt = sentAt;
        this.#takenAt = now;
    }

    /**
     * @param {number} now @param {boolean} isOver whether the last message was taken, so that the age stops
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

/** @param {{ killedAt: number, wentOnAt: number }} death NaN: not yet */
export function describeDeath({ killedAt, wentOnAt }) {
    if (Number.isNaN(killedAt)) {
        return '';
    }
    const killed = 'A sender of the channel was killed in the middle of a send: nothing of it was sent.';
    return Number.isNaN(wentOnAt)
        ? `${killed} The other one waits until that is noticed.`
        : `${killed} The other one went on ${seconds(wentOnAt - killedAt)} later.`;
}
