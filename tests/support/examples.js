/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** Each example's output, in Node and on a page. */
export const EXAMPLES = {
    'two-teams': /^22 players, 100 matches: 11 and 11 each time\n$/,
    'ice-rink': /^50 players, 500 shifts: at most 5 on the ice\n$/,
    'async-lock': new RegExp(
        '^100 audits among [1-9]\\d* transfers: no money lost or made\n' +
            'the longest wait of this thread: \\d+\\.\\d ms\n$',
    ),
    articles: /^300 shifts and 300 goals, at most [1-3] players on the ice\n$/,
    'bounded-queue': new RegExp(
        '^6000 items from 3 workers to this thread through a queue of 8: in order, none lost or doubled\n' +
            '6000 items from this thread to 3 workers through a queue of 8: in order, none lost or doubled\n$',
    ),
    stencil: /^10000 cells, 300 rounds: 5 threads compute what one does, to the last bit\n$/,
    'price-table': /^100 editions, [1-9]\d* reads: never of two editions, up to [2-4] readers at once\n$/,
    'starting-line': /^8 runners: none starts before the gun, all arrive, one at a time has the baton\n$/,
    'lazy-table': /^5 threads, one of which filled the table: 78498 primes below 1000000\n$/,
};
