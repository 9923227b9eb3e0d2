/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { compare, runLoops } from './loop-figures.js';

/** @type {import('./scenarios.js').Scenario} */
export const uncontended = {
    name: 'uncontended',
    title: 'a pair of calls from JavaScript, with nobody else there',
    async run(options) {
        const { holdfast, tryLock, textbook, threeState } = await runLoops('uncontended', options);
        const ofTextbook = { name: 'textbook', nanoseconds: textbook };
        return [
            compare('lock and unlock', holdfast, { ...ofTextbook, most: 0.4 }),
            compare('lock and unlock', holdfast, {
                name: 'three-state futex',
                nanoseconds: threeState,
                most: 0.8,
            }),
            compare('tryLock and unlock', tryLock, ofTextbook),
        ];
    },
};
