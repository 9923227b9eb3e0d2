/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { STOP } from './shared-words.js';

const HOLD_MS = 1;

/**
 * An event loop that sleeps while it holds the mutex, again and again until STOP.
 *
 * @param {import('./shared-words.js').Shared} shared
 * @param {number} index of its count of sections
 */
export async function sleepInside(shared, index) {
    while (shared.read(STOP) === 0) {
        await shared.mutex.execAsync(async () => {
            await new Promise((resolve) => setTimeout(resolve, HOLD_MS));
            shared.countedSection(index);
        });
    }
}
