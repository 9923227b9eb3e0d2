/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import './ledger.js';
import { perform } from './tasks.js';

/* This thread holds a Web Lock of its name for life. A thread that gets that lock knows that this one is gone. */
await new Promise((resolve) => {
    void navigator.locks.request(self.name, () => {
        resolve(undefined);
        return new Promise(() => {});
    });
});

self.onmessage = async ({ data }) => self.postMessage(await perform(data));
self.postMessage('ready');
