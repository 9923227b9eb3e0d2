/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { GIVEN_UP, Shared } from './shared-words.js';

/* In an iframe: asks for the lock once, needs its event loop to end the section, and notes if it is refused. */

/** @param {{ handle: import('./shared-words.js').SharedHandle, index: number }} task */
function ask({ handle, index }) {
    const shared = Shared.from(handle);
    const request = shared.mutex.executeLocked(async () => {
        await new Promise((resolve) => setTimeout(resolve));
        shared.countedSection(index);
    });
    request.catch(({ code }) => code === 'HF_NO_TIMERS' && shared.publish(GIVEN_UP, 1));
}

addEventListener('message', ({ data }) => ask(data));
Object.assign(globalThis, { ask });

parent.postMessage('ready', origin);
