/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex } from '../js-glue/index.js';

/** @type {import('./contestants.js').Contestant} */
export const contestant = {
    title: 'holdfast',
    open: ({ memory, lock }) => Mutex.at(memory, lock),
};
