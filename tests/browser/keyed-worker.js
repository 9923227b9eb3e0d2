/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { KeyedMutex } from '../../js-glue/keyed.js';

/** Locks the page's keys in a loop until its time is over, or locks one and keeps it. @param {MessageEvent} event */
self.onmessage = ({ data: { handle, words, keys, rounds, kept } }) => {
    const keyed = KeyedMutex.from(handle);
    if (kept !== undefined) {
        keyed.lock(kept);
        self.postMessage('holds it');
        return;
    }
    for (let round = 0; round < rounds; round += 1) {
        const at = round % keys;
        keyed.exec(`key ${at}`, () => {
            words[at] += 1; // not atomic
        });
    }
    self.postMessage(rounds);
};
