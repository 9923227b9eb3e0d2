/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { checkWait, quoted, valueError } from '../options.js';
import { keepAlive, keepAliveNoMore } from '../thread/event-loop.js';
import { requestOf } from './request.js';

/* Waits for which the process need not live. A file of its own: pages with locks alone do not load it. */

/**
 * Limits of a wait. `ref: false` lets the process, or the worker, end while only such waits are pending: for a wait
 * for a stop that may never come. For Node, Bun and Deno; true by default.
 * @typedef {import('../options.js').WaitOptions & { ref?: boolean | undefined }} EventWaitOptions
 */

const NAMES = ['timeout', 'deadline', 'signal', 'ref'];

/**
 * @template T
 * @param {Promise<T>} promise of a request, or of a wait that is over
 */
export function unreferenced(promise) {
    const request = requestOf(promise);
    if (request) {
        const { endWait } = request;
        keepAliveNoMore();
        request.timer?.unref?.();
        /** @type {any} */ (globalThis).Deno?.unrefTimer?.(request.timer);
        request.endWait = () => {
            keepAlive(); // cancels the queue's own keepAliveNoMore() for this request
            endWait.call(request);
        };
    }
    return promise;
}

/**
 * @template T
 * @param {EventWaitOptions | undefined} options
 * @param {(wait: import('../options.js').Wait) => Promise<T>} ask
 */
export function askWithRef(options, ask) {
    const wait = checkWait(options, NAMES);
    const { ref = true } = wait;
    if (typeof ref !== 'boolean') {
        throw valueError('HF_BAD_OPTION', 'ref must be true or false', quoted(ref));
    }
    const promise = ask(wait);
    return ref ? promise : unreferenced(promise);
}
