/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Numbers as words, alike in all views. */

/** Keeps a number and its unit on one line. */
const SPACE = '\u00a0';

const figures = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** @param {number} ms */
export function duration(ms) {
    return ms < 995 ? `${figures.format(ms)}${SPACE}ms` : `${figures.format(ms / 1000)}${SPACE}s`;
}

/** Formats a running time, with the same number of digits in each frame. @param {number} ms */
export function seconds(ms) {
    return `${(ms / 1000).toFixed(1)}${SPACE}s`;
}

/** @param {number} count */
export function count(count) {
    return whole.format(count);
}

/** @param {number} share 0 to 1 */
export function percent(share) {
    return `${share < 0.01 ? figures.format(share * 100) : whole.format(share * 100)}${SPACE}%`;
}

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
    return `${whole.format(count)} ${count === 1 ? one : many}`;
}
