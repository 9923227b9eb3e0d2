/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * Counts the free granules of 16 bytes of a space, by allocating all of them for a moment.
 *
 * @param {import('../../js-glue/index.js').LockSpace} space
 */
export function freeBytes(space) {
    const blocks = [];
    for (let bytes = space.buffer.byteLength; bytes >= 16;) {
        try {
            blocks.push([space.alloc(bytes), bytes]);
        } catch {
            bytes = Math.floor(bytes / 32) * 16;
        }
    }
    blocks.forEach(([block = 0]) => space.free(block));
    return blocks.reduce((sum, [, bytes = 0]) => sum + bytes, 0);
}
