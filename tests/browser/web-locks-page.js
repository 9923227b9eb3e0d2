/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockManager } from '../../js-glue/web-locks.js';
import { defineCases } from '../support/web-locks-cases.js';

/**
 * Runs the cases of the Web Locks API on this page.
 *
 * @param {boolean} isEngine whether to test the browser's own navigator.locks
 * @returns {Promise<{ title: string, message: string }[]>} those that failed
 */
export async function failedCases(isEngine) {
    /** @type {[string, () => Promise<void>][]} */
    const cases = [];
    defineCases(
        (title, run) => cases.push([title, run]),
        () => (isEngine ? navigator.locks : new LockManager()),
    );
    const failed = [];
    for (const [title, run] of cases) {
        try {
            await run();
        } catch (error) {
            failed.push({
                title: title.replace('web-locks: ', ''),
                message: /** @type {Error} */ (error).message,
            });
        }
    }
    return failed;
}
