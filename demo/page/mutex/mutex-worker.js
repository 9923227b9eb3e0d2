/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { hammer } from '../../hammer.js';
import { journalWriter } from './journal.js';

self.onmessage = ({ data: { journal, pageOrigin, ...order } }) => {
    const note = journalWriter(journal, performance.timeOrigin - pageOrigin);
    self.postMessage('ready');
    hammer({ ...order, note });
    self.close();
};
