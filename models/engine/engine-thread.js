/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RESULT_OK, STEP_NEXT_SHIFT, STEP_NEXT_DONE } from '../../js-glue/memory/layout.js';
import { FIRST_ADDRESS as GATE_ADDRESS } from '../explorer/memory.js';
import { Mailbox, ORDER, REPORT } from './mailbox.js';
import { Section } from './section.js';

/* A thread of the engine that runs calls into the asking module. Within a call it stops before each atomic
 * instruction, on its real stack, until the controller lets it go on; it performs the instruction itself. */

/**
 * @typedef {object} ThreadData
 * @property {WebAssembly.Module} module
 * @property {WebAssembly.Memory} memory
 * @property {SharedArrayBuffer} boxes
 * @property {SharedArrayBuffer} sectionWords
 * @property {string[]} names of the exports
 * @property {number[]} exchanges which sites are a compare-exchange
 * @property {number} at the thread's place
 */

/** How a call that nobody waits for any more is left. */
class Abandoned extends Error {}

const NEXT_MASK = 3n;

/**
 * Blocks: for ever.
 * @param {ThreadData} data
 * @returns {never}
 */
export function runThread({ module, memory, boxes, sectionWords, names, exchanges, at }) {
    const box = new Mailbox(boxes, at);
    const section = new Section(sectionWords, at);
    const words = new BigInt64Array(memory.buffer);
    let running = '';

    /** @type {(site: number, address: number, first: bigint, second: bigint) => number} */
    const ask = (site, address, first, second) => {
        box.write(REPORT.STANDS, site);
        box.writeOperands(address, first, second);
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
            const parameters = box.parameters;
            const result = /** @type {Function} */ (exports[running])(...parameters);
            if (takes(running, result)) {
                section.enter();
            }
            reportResult(box, result);
        } catch (error) {
            section.forget();
            box.write(reportOf(error), 0);
        }
        box.giveBack();
    }
}

/** The calls that say by RESULT_OK that the caller has the lock now. */
const PASSING = ['mutex_lock', 'mutex_trylock', 'gate_wait', 'gate_try_after'];

/**
 * Whether the caller has the lock now.
 * @param {string} name
 * @param {number | bigint | undefined} result
 */
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

/**
 * @param {Mailbox} box
 * @param {number | bigint | undefined} result
 */
function reportResult(box, result) {
    const kind =
        result === undefined
            ? REPORT.RETURNED
            : typeof result === 'bigint'
              ? REPORT.RETURNED_I64
              : REPORT.RETURNED_I32;
    box.write(kind, 0);
    box.writeOperands(GATE_ADDRESS, BigInt(result ?? 0), 0n);
}
