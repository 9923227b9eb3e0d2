/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runThread } from './engine-thread.js';

self.onmessage = ({ data }) => {
    postMessage('ready');
    runThread(data);
};
