/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RESULT_OK, STEP_NEXT_SHIFT, STEP_NEXT_DONE } from '../../js-glue/memory/layout.js';
import { Mailbox, ORDER, REPORT } from './mailbox.js';
import { Section } from './section.js';

/* A thread that runs calls into the asking module. It stops before each atomic instruction, on its real stack, until the
 * controller lets it go on. */

/**
 * @typedef {object} ThreadData
 * @property {WebAssembly.Module} module
 * @property {WebAssembly.Memory} memory
 * @property {SharedArrayBuffer} boxes
 * @property {SharedArrayBuffer} sectionWords
 * @property {string[]} names of the exports
 * @property {number[]} exchanges the sites of compare-exchanges
 * @property {number} at
 */

/** Ends a call whose schedule is over. */
class Abandoned extends Error {}

const NEXT_MASK = 3n;

/** Calls whose RESULT_OK means that the caller now has the lock. */
const PASSING = ['mutex_lock_for_a_time', 'mutex_trylock', 'gate_wait', 'gate_try_after'];

/** @param {ThreadData} data @returns {never} */
export function runThread({ module, memory, boxes, sectionWords, names, exchanges, at }) {
    const box = new Mailbox(boxes, at);
    const section = new Section(sectionWords, at);
    const words = new BigInt64Array(memory.buffer);
    let running = '';

    /** @type {(site: number, address: number, first: bigint, second: bigint) => number} */
    const ask = (site, address, first, second) => {
        box.write(REPORT.STANDS, site, [address, first, second]);
        box.giveBack();
        if (box.kind === ORDER.ABANDON) {
            throw new Abandoned();
        }
        const releases =
            section.isIn &&
            running === 'mutex_unlock' &&
            exchanges.includes(site) &&
            words[address / BigInt64Array.BYTES_PER_ELEMENT] === first;
        if (releases) {
            section.leave();
        }
        return box.what;
    };
    const { exports } = new WebAssembly.Instance(module, { env: { memory }, schedule: { ask } });

    box.awaitTurn();
    for (;;) {
        running = names[box.what] ?? '';
        if (box.kind === ORDER.CALL_INSIDE) {
            section.enter();
        }
        try {
            const result = /** @type {Function} */ (exports[running])(...box.values.map(Number));
            if (takes(running, result)) {
                section.enter();
            }
            const kind = typeof result === 'bigint' ? REPORT.RETURNED_I64 : REPORT.RETURNED;
            box.write(kind, 0, result === undefined ? [] : [result]);
        } catch (error) {
            section.isIn = false;
            box.write(reportOf(error), 0);
        }
        box.giveBack();
    }
}

/** @param {string} name @param {number | bigint | undefined} result */
function takes(name, result) {
    if (typeof result === 'bigint') {
        return Number((result >> BigInt(STEP_NEXT_SHIFT)) & NEXT_MASK) === STEP_NEXT_DONE;
    }
    return PASSING.includes(name) && result === RESULT_OK;
}

/** @param {unknown} error */
function reportOf(error) {
    if (error instanceof Abandoned) {
        return REPORT.ABANDONED;
    }
    if (error instanceof WebAssembly.RuntimeError) {
        return REPORT.TRAPPED;
    }
    throw error;
}
