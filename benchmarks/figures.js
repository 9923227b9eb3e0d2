/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
/* A figure is what a scenario measured, with what it is compared with and what it should be. */

/**
 * @typedef {object} Bound
 * @property {'value' | 'ratio'} of
 * @property {number} [most]
 * @property {number} [least]
 * @property {string} [note] under which condition
 */

/**
 * @typedef {object} Figure
 * @property {string} what
 * @property {string} unit
 * @property {number} value of holdfast; a median of rounds unless `what` says otherwise
 * @property {{ name: string, value: number }} [beside] what it is compared with
 * @property {number} [ratio] value / beside.value
 * @property {Bound} [bound] none: for information
 */

/** @param {Figure} figure */
export function isMissed({ value, ratio, bound }) {
    if (bound === undefined) {
        return false;
    }
    const measured = (bound.of === 'value' ? value : ratio) ?? NaN;
    // In this form a figure that is no number misses its bound too.
    return !(measured <= (bound.most ?? Infinity) && measured >= (bound.least ?? -Infinity));
}
