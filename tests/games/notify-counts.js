/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Condition, Mutex } from '../../js-glue/index.js';
import { assertAtRest, assertFree, restOf } from '../support/words.js';
import { fail, makeWords } from './play.js';
import { INSIDE, Visitor } from './visitor.js';

/* In each turn a player waits for the condition, or notifies some waiters, with or without the mutex. The
 * notifies' results must add up to the number of notified waits, even of those that give up at that moment.
 */

const PLAYING = INSIDE + 1;
const WAITING = PLAYING + 1;
const NOTIFIED = WAITING + 1;
/** Changed by atomics, since players without the mutex add to it too. */
const COUNTED = NOTIFIED + 1;
const WORDS = COUNTED + 1;

/** @typedef {{ mutex: any, condition: any, rest: number[], words: Int32Array }} Table */

/** @type {import('./games.js').Game<Table>} */
export const notifyCounts = {
    name: 'condition, notifies are counted',
    lay(space, { seats }) {
        const condition = new Condition({ space });
        const words = makeWords(WORDS);
        words[PLAYING] = seats;
        return {
            mutex: new Mutex({ space }).handle,
            condition: condition.handle,
            rest: restOf(condition),
            words,
        };
    },
    objects: ({ mutex, condition }) => [Mutex.from(mutex), Condition.from(condition)],
    async play({ mutex, condition: handle, words }, seat) {
        const { random, turns } = seat;
        const condition = Condition.from(handle);
        const visitor = new Visitor(mutex, words, seat);
        const change = (/** @type {number} */ word, /** @type {number} */ by) => {
            words[word] = (words[word] ?? NaN) + by;
            return words[word];
        };
        const notify = (count = random.below(4)) => {
            Atomics.add(words, COUNTED, condition.notify(count));
        };
        const mayWait = () => {
            const mustNotify = Number(words[WAITING]) + 1 === words[PLAYING]; // all other players wait, so this one must notify
            if (mustNotify || random.chance(0.3)) {
                notify();
                return false;
            }
            change(WAITING, 1);
            return true;
        };
        const over = (/** @type {boolean} */ notified) => {
            change(WAITING, -1);
            change(NOTIFIED, Number(notified));
        };
        const stop = () => {
            if (change(PLAYING, -1) === words[WAITING]) {
                notify(Infinity);
            }
            return false;
        };
        for (let turn = 0; turn < turns; turn += 1) {
            if (random.chance(0.2)) {
                notify();
            } else {
                await visitor.waitOnce(condition, mayWait, over);
            }
        }
        await visitor.waitOnce(condition, stop, over);
    },
    judge({ mutex, condition, rest, words }) {
        if (words[COUNTED] !== words[NOTIFIED]) {
            fail(`notifies counted ${words[COUNTED]}, and ${words[NOTIFIED]} waits were notified`);
        }
        assertFree(Mutex.from(mutex));
        assertAtRest(Condition.from(condition), rest);
    },
};
