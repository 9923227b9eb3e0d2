/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace } from '../../js-glue/index.js';
import { randomOf } from './seed.js';

/**
 * @typedef {{ byteOffset: number, bytes: number }} Block
 * @typedef {{ problems: string[], full: number, allocated: number }} AllocatorReport
 */

/**
 * @param {unknown} error
 * @param {string} code
 */
const hasCode = (error, code) => /** @type {{ code?: string }} */ (error).code === code;

/**
 * Allocates and frees at random beside other threads, and fills each block with a mark of its own. A block that is not zero at
 * first, or whose mark changes, was given to another thread too.
 *
 * @param {{ handle: import('../../js-glue/index.js').HandleOf<import('../../js-glue/index.js').LockSpace>, seed: number, mark: number,
 *     rounds: number }} options
 * @returns {AllocatorReport}
 */
export function useAllocator({ handle, seed, mark, rounds }) {
    const random = randomOf(seed);
    const space = LockSpace.from(handle);
    const bytesOf = new Uint8Array(space.buffer);
    /** @type {Block[]} */
    const blocks = [];
    const report = { problems: /** @type {string[]} */ ([]), full: 0, allocated: 0 };

    /** @param {Block} block @param {number} value */
    const isFilledWith = ({ byteOffset, bytes }, value) =>
        bytesOf.subarray(byteOffset, byteOffset + bytes).every((byte) => byte === value);

    /** @param {number} index */
    const free = (index) => {
        const [block] = blocks.splice(index, 1);
        if (block === undefined) {
            return;
        }
        if (!isFilledWith(block, mark)) {
            report.problems.push(`block ${block.byteOffset} was changed by another thread`);
        }
        try {
            space.free(block.byteOffset);
        } catch (error) {
            report.problems.push(`free of ${block.byteOffset}: ${error}`);
        }
    };

    const allocate = () => {
        const bytes = 1 + random.below(random.chance(0.1) ? 1500 : 100);
        const align = 2 ** random.below(9);
        try {
            const block = { byteOffset: space.alloc(bytes, align), bytes };
            if (block.byteOffset % Math.max(align, 16) !== 0) {
                report.problems.push(`block ${block.byteOffset} is not aligned to ${align}`);
            }
            if (!isFilledWith(block, 0)) {
                report.problems.push(`block ${block.byteOffset} is not zero`);
            }
            bytesOf.fill(mark, block.byteOffset, block.byteOffset + bytes);
            blocks.push(block);
            report.allocated += 1;
        } catch (error) {
            if (!hasCode(error, 'HF_NO_SPACE')) {
                throw error;
            }
            report.full += 1;
        }
    };

    for (let round = 0; round < rounds; round += 1) {
        if (blocks.length > 0 && random.chance(blocks.length / 100)) {
            free(random.below(blocks.length));
        } else {
            allocate();
        }
    }
    while (blocks.length > 0) {
        free(blocks.length - 1);
    }
    return report;
}
