/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Once } from '../../js-glue/index.js';
import { isMet, limitOf } from '../support/limits.js';
import { assertAtRest, restOf } from '../support/words.js';
import { blocksNow, fail, makeWords } from './play.js';

/* In each turn all players call one Once. Some callbacks throw, and the next caller tries again. The work is
 * done once, and every player that continues sees its result. */

const MOST_THROWS = 3;

/**
 * @typedef {object} Table
 * @property {any[]} handles
 * @property {Int32Array} throws for each Once, how many tries shall throw
 * @property {Int32Array} tries for each Once, counted without atomics, since only one callback runs at a time
 * @property {Int32Array} done for each Once, how often its work was done, counted in the same way
 * @property {number[]} rest the words of a Once that is done, and that nobody uses
 */

class Refusal extends Error {}

/** @param {Table} table @param {number} turn */
function tryOnce({ throws, tries, done }, turn) {
    tries[turn] = (tries[turn] ?? 0) + 1;
    if ((tries[turn] ?? 0) <= (throws[turn] ?? 0)) {
        throw new Refusal();
    }
    done[turn] = (done[turn] ?? 0) + 1;
}

/**
 * @param {Table} table
 * @param {Once} once
 * @param {number} turn
 * @param {import('./games.js').Seat} seat
 * @returns {Promise<boolean>} whether it is done
 */
async function run(table, once, turn, seat) {
    try {
        if (blocksNow(seat)) {
            once.run(() => tryOnce(table, turn));
            return true;
        }
        const callback = seat.random.chance(0.5)
            ? () => tryOnce(table, turn)
            : async () => {
                  await undefined;
                  tryOnce(table, turn);
              };
        return await isMet(() => once.runAsync(callback, limitOf(seat.random)));
    } catch (error) {
        if (error instanceof Refusal) {
            return false;
        }
        throw error;
    }
}

/** @type {import('./games.js').Game<Table>} */
export const once = {
    name: 'once',
    lay(space, { turns }, random) {
        const throws = makeWords(turns).map(() => random.below(MOST_THROWS + 1));
        const handles = Array.from({ length: turns }, () => new Once({ space }).handle);
        const isDone = new Once({ space });
        void isDone.runAsync(() => {});
        return { handles, throws, tries: makeWords(turns), done: makeWords(turns), rest: restOf(isDone) };
    },
    objects: ({ handles }) => handles.slice(0, 1).map((handle) => Once.from(handle)),
    async play(table, seat) {
        for (let turn = 0; turn < seat.turns; turn += 1) {
            const once = Once.from(table.handles[turn]);
            while (!(await run(table, once, turn, seat))) {
                // The callback threw, or the call's time was up.
            }
            if (!once.isDone || table.done[turn] !== 1) {
                fail(`once ${turn} is done ${table.done[turn]} times, and says ${once.isDone}`);
            }
        }
    },
    judge({ handles, throws, tries, done, rest }) {
        for (const [turn, handle] of handles.entries()) {
            if (done[turn] !== 1 || tries[turn] !== (throws[turn] ?? 0) + 1) {
                fail(`once ${turn}: done ${done[turn]} times in ${tries[turn]} tries, ${throws[turn]} threw`);
            }
            assertAtRest(Once.from(handle), rest);
        }
    },
};
