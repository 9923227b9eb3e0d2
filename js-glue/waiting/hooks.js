/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * The only seam between the base and diagnosis: `holdfast/debug` installs and removes these hooks.
 * @typedef {object} Hooks
 * @property
 *     {((gate: Shown, timeout: number, isLate: boolean, run: (between: Between) => number) => number) | undefined}
 *     [block] runs a blocking wait, and returns its result; `isLate`: it began GATE_BLOCKED_BEFORE_MS ago
 * @property {((gate: Shown) => void) | undefined} [asks] called from time to time while the event loop waits for the
 *     gate
 * @property {((gate: Shown) => void) | undefined} [asksNoMore]
 *
 * @typedef {(waited: number) => boolean} Between called between two sleeps with the milliseconds since `run`; true:
 *     give up
 *
 * @typedef {object} Shown what a thread waits for
 * @property {import('../memory/attachment.js').Attachment} attachment
 * @property {number} place with its kind (hf__kind_at)
 * @property {import('./holder.js').Holder | undefined} [holder] its exclusive holder, for objects that can have one
 */

/** @type {Hooks} */
export const hooks = {};
