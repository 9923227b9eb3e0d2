/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Latch } from '../../js-glue/index.js';
import { isMet, limitOf, timeoutOf } from '../support/limits.js';
import { assertAtRest, restOf } from '../support/words.js';
import { blocksNow, fail, makeWords } from './play.js';

/* In each turn all players count one latch down, and wait for it. A player that continues sees everything that
 * the others wrote before. New latches use PLACES addresses again and again. */

const PLACES = 16;

/**
 * @typedef {{ handles: any[], turns: Int32Array }} Table `turns` has the turn in which each seat is, written without
 *     atomics
 */

/** @param {Latch} latch @param {import('./games.js').Seat} seat */
async function waitFor(latch, seat) {
    const { random } = seat;
    if (blocksNow(seat)) {
        return latch.wait(random.chance(0.5) ? timeoutOf(random) : Infinity);
    }
    return isMet(() => latch.waitAsync(limitOf(random)));
}

/** @type {import('./games.js').Game<Table>} */
export const latch = {
    name: 'latch',
    lay(space, { seats }) {
        const make = () => new Latch({ space, count: seats }).handle;
        return { handles: Array.from({ length: PLACES }, make), turns: makeWords(seats) };
    },
    objects: ({ handles }) => handles.map((handle) => Latch.from(handle)),
    async play({ handles, turns }, seat) {
        const latches = handles.map((handle) => Latch.from(handle));
        for (let turn = 1; turn <= seat.turns; turn += 1) {
            const latch = /** @type {Latch} */ (latches[turn % PLACES]);
            if (seat.index === 0) {
                // All players have left the latch of the turn before last, so its bytes can be the latch of
                // the turn after next.
                const { memory, byteOffset } = /** @type {Latch} */ (latches[(turn + 2) % PLACES]);
                Latch.at(memory, byteOffset, { count: turns.length });
            }
            turns[seat.index] = turn;
            latch.countDown();
            while (!(await waitFor(latch, seat))) {
                // The wait's time was up.
            }
            const late = turns.findIndex((there) => there < turn);
            if (late !== -1 || latch.count !== 0) {
                fail(`seat ${late} is in turn ${turns[late]} of ${turn}, and the count ${latch.count}`);
            }
        }
    },
    judge({ handles }, { turns }) {
        const last = Latch.from(handles[turns % PLACES]);
        if (last.count !== 0) {
            fail(`the last latch is at ${last.count}`);
        }
        const { memory, byteOffset } = last;
        assertAtRest(last, restOf(Latch.at(memory, byteOffset, { count: 0 })));
    },
};
