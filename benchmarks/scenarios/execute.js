/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { compare, runLoops } from './loop-figures.js';

/** @type {import('./scenarios.js').Scenario} */
export const execute = {
    name: 'execute',
    title: 'await executeLocked(() => value), with nobody else there',
    async run(options) {
        const { holdfast, textbook } = await runLoops('execute', options);
        return [
            compare('one awaited section', holdfast, { name: 'textbook', nanoseconds: textbook, most: 0.5 }),
        ];
    },
};
