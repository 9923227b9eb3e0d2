/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import './ledger.js';
import { perform } from './tasks.js';

/* Who gets the lock of this thread's name knows that the thread is gone. */
await new Promise((resolve) => {
    void navigator.locks.request(self.name, () => {
        resolve(undefined);
        return new Promise(() => {});
    });
});

self.onmessage = async ({ data }) => self.postMessage(await perform(data));
self.postMessage('ready');
