/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Waits with random time limits and signals, which may end before they are granted. */

const LONGEST_MS = 3;

/** @param {unknown} error */
export function isEndOfWait(error) {
    const { code, name } = /** @type {{ code?: string, name?: string }} */ (error ?? {});
    return code === 'HF_TIMEOUT' || name === 'AbortError';
}

/** @param {import('./seed.js').Random} random */
export function timeoutOf(random) {
    return random.next() * LONGEST_MS;
}

/**
 * Draws the options of a request: in more than half of the cases with a time limit or a signal.
 *
 * @param {import('./seed.js').Random} random
 */
export function limitOf(random) {
    if (random.chance(0.4)) {
        return {};
    }
    if (random.chance(0.5)) {
        return { timeout: timeoutOf(random) };
    }
    const controller = new AbortController();
    const abort = () => controller.abort();
    if (random.chance(0.4)) {
        queueMicrotask(abort);
    } else if (random.chance(0.5)) {
        setTimeout(abort, random.below(LONGEST_MS));
    } // otherwise the signal never aborts, and the request itself must remove its listener
    return { signal: controller.signal };
}

/**
 * @param {() => unknown} wait
 * @returns {Promise<boolean>} whether it was granted, not ended by its time limit or signal
 */
export async function isMet(wait) {
    try {
        await wait();
        return true;
    } catch (error) {
        if (!isEndOfWait(error)) {
            throw error;
        }
        return false;
    }
}
