/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Barrier } from '../../js-glue/index.js';
import { isMet, limitOf, timeoutOf } from '../support/limits.js';
import { assertAtRest, restOf } from '../support/words.js';
import { blocksNow, fail, makeWords } from './play.js';

/* Each player notes its round and arrives. When it continues, all others are in that round, or already in the
 * next. Each round has one last arrival. A wait that ends early is repeated. */

/**
 * @typedef {{ handle: any, rounds: Int32Array, lasts: Int32Array, rest: number[] }} Table `rounds` has the round in
 *     which each seat is, counted from 1
 */

/** @param {Barrier} barrier @param {import('./games.js').Seat} seat */
async function arrive(barrier, seat) {
    const { random } = seat;
    const limited = random.chance(0.3);
    if (blocksNow(seat)) {
        return barrier.arriveAndWait(limited ? timeoutOf(random) : Infinity);
    }
    return barrier.arriveAndWaitAsync(limited ? limitOf(random) : {});
}

/** @type {import('./games.js').Game<Table>} */
export const barrier = {
    name: 'barrier',
    lay(space, { seats, turns }) {
        const barrier = new Barrier({ space, parties: seats });
        const words = { rounds: makeWords(seats), lasts: makeWords(turns + 1) };
        return { handle: barrier.handle, ...words, rest: restOf(barrier) };
    },
    objects: ({ handle }) => [Barrier.from(handle)],
    async play({ handle, rounds, lasts }, seat) {
        const barrier = Barrier.from(handle);
        for (let round = 1; round <= seat.turns; round += 1) {
            Atomics.store(rounds, seat.index, round);
            /** @type {boolean | null} */
            let isLast = null;
            const arrives = async () => (isLast = await arrive(barrier, seat));
            while (!(await isMet(arrives)) || isLast === null) {
                // The wait ended early: the arrival was withdrawn.
            }
            if (isLast) {
                Atomics.add(lasts, round, 1);
            }
            for (let other = 0; other < rounds.length; other += 1) {
                const there = Atomics.load(rounds, other);
                if (there !== round && there !== round + 1) {
                    fail(`seat ${seat.index} has left round ${round}, and seat ${other} is in ${there}`);
                }
            }
        }
    },
    judge({ handle, lasts, rest }) {
        const wrong = lasts.findIndex((count, round) => round > 0 && count !== 1);
        if (wrong !== -1) {
            fail(`${lasts[wrong]} were the last in round ${wrong}`);
        }
        assertAtRest(Barrier.from(handle), rest);
    },
};
