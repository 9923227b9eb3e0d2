/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Shared } from './shared-words.js';

/* In an iframe: asks for the lock once, and needs its event loop to end the section. */

/** @param {{ handle: import('./shared-words.js').SharedHandle, index: number }} task */
function ask({ handle, index }) {
    const shared = Shared.from(handle);
    void shared.mutex.executeLocked(async () => {
        await new Promise((resolve) => setTimeout(resolve));
        shared.countedSection(index);
    });
}

addEventListener('message', ({ data }) => ask(data));
Object.assign(globalThis, { ask });

parent.postMessage('ready', origin);
