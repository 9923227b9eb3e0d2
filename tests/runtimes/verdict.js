/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * A cell of the table, runtime x test.
 *
 * @typedef {object} Verdict
 * @property {'passed' | 'excepted' | 'failed'} is
 * @property {string} words the exception's name, or why it failed
 */

/**
 * @param {import('./junit.js').Case | undefined} ran undefined: the runtime reported no such test
 * @param {import('./exceptions.js').Exception | undefined} exception for this test in that runtime
 * @returns {Verdict}
 */
export function judge(ran, exception) {
    if (ran === undefined) {
        return { is: 'failed', words: 'it did not run' };
    }
    const { outcome, message } = ran;
    // Such a test may pass by chance. The exception's program shows when the exception may go.
    if (exception !== undefined && (outcome === 'passed' || exception.fault.test(message))) {
        return { is: 'excepted', words: exception.name };
    }
    if (outcome === 'passed') {
        return { is: 'passed', words: '' };
    }
    return { is: 'failed', words: outcome === 'failed' ? message : 'it was skipped' };
}
