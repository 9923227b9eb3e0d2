/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Threads synchronise by the words of a board: each stage of a test is a word that only grows. */

const LONGEST_BLOCK_MS = 20_000;

/** @param {number} stages */
export function makeBoard(stages) {
    return new Int32Array(new SharedArrayBuffer(stages * Int32Array.BYTES_PER_ELEMENT));
}

/**
 * @param {Int32Array} board
 * @param {number} stage
 */
export function reach(board, stage) {
    Atomics.add(board, stage, 1);
    Atomics.notify(board, stage);
}

/**
 * @param {Int32Array} board
 * @param {number} stage
 * @param {number} [times]
 */
export async function reached(board, stage, times = 1) {
    for (let value = Atomics.load(board, stage); value < times; value = Atomics.load(board, stage)) {
        await Atomics.waitAsync(board, stage, value).value;
    }
}

/**
 * Waits for the stage in a thread that blocks. It has a watchdog of its own, since its event loop runs none meanwhile.
 *
 * @param {Int32Array} board
 * @param {number} stage
 * @param {number} [times]
 */
export function blockUntilReached(board, stage, times = 1) {
    for (let value = Atomics.load(board, stage); value < times; value = Atomics.load(board, stage)) {
        if (Atomics.wait(board, stage, value, LONGEST_BLOCK_MS) === 'timed-out') {
            throw new Error(`stage ${stage} was reached ${value} times, not ${times}`);
        }
    }
}

/**
 * Keeps the thread busy until the stage is reached, so that its event loop runs nothing.
 *
 * @param {Int32Array} board
 * @param {number} stage
 * @param {number} [times]
 */
export function spinUntilReached(board, stage, times = 1) {
    const end = performance.now() + LONGEST_BLOCK_MS;
    while (Atomics.load(board, stage) < times) {
        if (performance.now() > end) {
            throw new Error(`stage ${stage} was not reached ${times} times`);
        }
    }
}

/** @param {number} milliseconds of uninterrupted work */
export function work(milliseconds) {
    if (milliseconds > 0) {
        const end = performance.now() + milliseconds;
        while (performance.now() < end) {
            // The work of a section.
        }
    }
}
