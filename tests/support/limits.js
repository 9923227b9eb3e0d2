/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Waits that end at random before what they wait for has come. */

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
 * Options of a request, in more than half of the cases with a limit.
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
    } // else never: the listener has to go with the request
    return { signal: controller.signal };
}

/**
 * @param {() => unknown} wait
 * @returns {Promise<boolean>} whether it came to its end, and not to that of its time or signal
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
