/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { compare, runLoops } from './loop-figures.js';

/** @type {import('./scenarios.js').Scenario} */
export const execute = {
    name: 'execute',
    title: 'await executeLocked(() => value), with nobody else there',
    async run(options) {
        const { holdfast, textbook, settling, bare } = await runLoops('execute', options);
        /** @param {number[]} awaited */
        const added = (awaited) => awaited.map((nanoseconds, turn) => nanoseconds - (bare[turn] ?? 0));
        return [
            compare('one awaited section', holdfast, {
                name: 'textbook that awaits the callback too',
                nanoseconds: settling,
                most: 0.5,
            }),
            compare('the same', holdfast, { name: 'textbook that does not', nanoseconds: textbook }),
            compare('the same', holdfast, { name: 'await of a resolved promise', nanoseconds: bare }),
            compare('what it adds to that', added(holdfast), {
                name: 'textbook that does not',
                nanoseconds: added(textbook),
            }),
        ];
    },
};
