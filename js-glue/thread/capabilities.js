/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from './environment.js';
import { HoldfastError } from '../errors.js';
import { hasTimers, hasWaitAsync, NO_TIMERS, someWords } from './event-loop.js';
import { isSeenByOthers } from './presence.js';
import { isIn } from './tag.js';

/** Undefined until first asked. @type {boolean | undefined} */
export let blockingAllowed;

/**
 * True where waiting works but must be refused: wasm waits really block in Firefox's main thread and audio worklets,
 * and audio worklets even allow Atomics.wait.
 */
function mustNotBlock() {
    // Deno's main thread is a Window too, but has no document and may block.
    return isIn(/ServiceWorker|AudioWorklet/) || ('document' in globalThis && isIn(/Window/));
}

/** Asks the engine once. Touches no lock. */
export function mayBlock() {
    try {
        // The word has another value, so the wait returns at once where waiting is allowed, and throws where
        // it is not.
        blockingAllowed ??= !mustNotBlock() && Boolean(environment.wait(someWords(), 0, 1, 0));
    } catch {
        blockingAllowed = false;
    }
    return blockingAllowed;
}

/** @param {string} instead the methods to call, for the message @throws {HoldfastError} `HF_MAY_NOT_BLOCK` */
export function checkMayBlock(instead) {
    if (!mayBlock()) {
        throw new HoldfastError('HF_MAY_NOT_BLOCK', `This thread may not block. Use ${instead}.`);
    }
}

export function mayShare() {
    // Chromium isolates service workers too, but shared memory cannot be posted to them.
    return (
        'SharedArrayBuffer' in globalThis &&
        globalThis.crossOriginIsolated !== false &&
        !isIn(/ServiceWorker/)
    );
}

const NO_SHARING =
    'No lock can be posted. Serve page and workers by https or localhost with Cross-Origin-Opener-Policy: same-origin, ' +
    'Cross-Origin-Embedder-Policy: require-corp.';

/** The reason why this thread shares no memory, and what helps. */
function whyNoSharing() {
    const { location, navigator } = globalThis;
    if (isIn(/SharedWorker|ServiceWorker/)) {
        return 'No lock can be posted to or from a shared worker or a service worker, whatever the headers. Use a dedicated worker, or locks of one thread.';
    }
    if (/; wv\)/.test(navigator?.userAgent)) {
        return 'No lock can be posted: Android WebView shares no memory, whatever the headers. Use a browser, or locks of one thread.';
    }
    return location?.protocol === 'file:'
        ? "No lock can be posted: a page with a file: URL (Electron's loadFile()) cannot be isolated. Load it from localhost, or by your own protocol, with Cross-Origin-Opener-Policy: same-origin, Cross-Origin-Embedder-Policy: require-corp."
        : NO_SHARING;
}

export const NO_WEBASSEMBLY = 'WebAssembly is disabled here.';

/** @throws {HoldfastError} `HF_NOT_ISOLATED` */
export function requireSharing() {
    if (!mayShare()) {
        throw new HoldfastError('HF_NOT_ISOLATED', `${NO_SHARING} See support().`);
    }
}

/**
 * The abilities of this thread.
 * @typedef {object} Support
 * @property {boolean} mayShare locks can be posted to other threads
 * @property {boolean} mayBlock `lock()` and the other blocking methods work here
 * @property {'waitAsync' | 'poll' | 'none'} asyncWait how the non-blocking methods wait: woken, by polling with a
 *     timer, or not at all
 * @property {'probe' | 'none'} death whether other threads notice this thread's death: if so, `lock()` and similar
 *     methods throw an `AbandonedError` then
 * @property {readonly string[]} advice what to change to get missing abilities; empty if none can be gained, as on a
 *     cross-origin isolated page, though pages may never block
 */

/** @returns {Support['asyncWait']} */
function asyncWait() {
    if (!hasTimers()) {
        return 'none';
    }
    return hasWaitAsync() ? 'waitAsync' : 'poll';
}

/**
 * Reports what this thread can do, and what to change if something is missing.
 * Blocks: never. Callable from: any thread.
 * @returns {Readonly<Support>}
 */
export function support() {
    const advice = [];
    if (!('WebAssembly' in globalThis)) {
        advice.push(NO_WEBASSEMBLY);
    }
    if (!mayShare()) {
        advice.push(whyNoSharing());
    }
    if (!hasTimers()) {
        advice.push(NO_TIMERS);
    } else if (!hasWaitAsync()) {
        advice.push(
            'Atomics.waitAsync is missing (Firefox before 145), so requests poll, and nobody notices if this thread dies.',
        );
    }
    return Object.freeze({
        mayShare: mayShare(),
        mayBlock: mayBlock(),
        asyncWait: asyncWait(),
        death: isSeenByOthers() ? 'probe' : 'none',
        advice: Object.freeze(advice),
    });
}
