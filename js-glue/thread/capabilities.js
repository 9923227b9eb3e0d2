/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from './environment.js';
import { HoldfastError } from '../errors.js';
import { hasTimers, hasWaitAsync, NO_TIMERS, someWords } from './event-loop.js';
import { isSeenByOthers } from './presence.js';
import { isIn } from './tag.js';

/** Undefined: not asked yet. @type {boolean | undefined} */
export let blockingAllowed;

/** Firefox's wasm wait really blocks its main thread and audio worklets; the latter even allow Atomics.wait. */
function mustNotBlock() {
    // Deno's main thread is a Window too, and may block. It has no document.
    return isIn(/ServiceWorker|AudioWorklet/) || ('document' in globalThis && isIn(/Window/));
}

/** Asks the engine, once. Touches no lock. */
function mayBlock() {
    try {
        // The value differs, so this returns at once where waiting is allowed, and throws where it is not.
        blockingAllowed ??= !mustNotBlock() && Boolean(environment.wait(someWords(), 0, 1, 0));
    } catch {
        blockingAllowed = false;
    }
    return blockingAllowed;
}

/**
 * @param {string} instead what to call, for the message
 * @throws {HoldfastError} `HF_MAY_NOT_BLOCK`
 */
export function checkMayBlock(instead) {
    if (!mayBlock()) {
        throw new HoldfastError('HF_MAY_NOT_BLOCK', `This thread may not block. Use ${instead}.`);
    }
}

export function mayShare() {
    // Chromium isolates service workers too, but posts shared memory to none.
    return (
        'SharedArrayBuffer' in globalThis &&
        globalThis.crossOriginIsolated !== false &&
        !isIn(/ServiceWorker/)
    );
}

const NO_SHARING =
    'No lock can be posted. Serve page and workers by https or localhost with Cross-Origin-Opener-Policy: same-origin, ' +
    'Cross-Origin-Embedder-Policy: require-corp.';

/** The cases in which headers do not help. */
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
 *
 * @typedef {object} Support
 * @property {boolean} mayShare locks can be posted to other threads
 * @property {boolean} mayBlock `lock()` and the other blocking methods work here
 * @property {'waitAsync' | 'poll' | 'none'} asyncWait how the non-blocking methods wait: woken, or looking by
 *     timer; or that they cannot
 * @property {'probe' | 'none'} death how others notice that this thread has died: `lock()` and the like then throw an
 *     `AbandonedError`; or that they cannot
 * @property {readonly string[]} advice in words, what to change to get what is missing; empty if nothing is, as on a page
 *     that is cross-origin isolated, although no page may block
 */

/** @returns {Support['asyncWait']} */
function asyncWait() {
    if (!hasTimers()) {
        return 'none';
    }
    return hasWaitAsync() ? 'waitAsync' : 'poll';
}

/**
 * Reports what this thread can do, and says in words what to change.
 *
 * Blocks: never. Callable from: any thread.
 *
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
