/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { GATE_LINE_OFFSET, GATE_OWN_OFFSET } from '../../js-glue/memory/layout.js';
import { SPECIFIED } from './specified.js';
import { packed, unpacked } from './specified-word.js';
import { FIRST_ADDRESS as GATE_ADDRESS } from '../explorer/memory.js';
import { Violation } from '../explorer/violation.js';
import { call, goOn } from '../wasm/interpreter.js';

/* One call, in the module and in the specification, as other threads see it: changes, wakes, waits, result.
 * The other threads follow a script. */

/**
 * @typedef {import('./specified-word.js').Word} Word
 *
 * @typedef {object} LoneCall
 * @property {string} name of an export
 * @property {number[]} parameters behind the address
 * @property {Word} word at the start
 * @property {number} [own] at the start; 0 by default
 * @property {number} [line] at the start; 0 by default
 * @property {{ change: number, word: Word, flickers?: boolean }} [interference] the word that another thread
 *     leaves just before that change; if it `flickers`, the word changes back at once
 * @property {{ load: number, word: Word }} [spotted] the same before that load in a spin loop
 * @property {{ result: number, word?: Word }[]} [waits] the result of each wait, and the word after it
 * @property {number} [found] how many threads each wake finds; 0 by default
 * @property {number} [loads] the number of loads, if specified
 */

const RELEASES = ['mutex_unlock', 'semaphore_leave', 'rwlock_unlock'];

const UNSCRIPTED_WAIT = new Violation('waits once more');

/** A call's effects that others see. */
class Trace {
    #call;
    /** @type {string[]} */
    lines = [];
    /** @type {bigint} */
    word;
    /** @type {number} */
    own;
    /** @type {number} */
    line;
    loads = 0;
    #changes = 0;
    #waits = 0;

    /** @param {LoneCall} loneCall */
    constructor(loneCall) {
        this.#call = loneCall;
        this.word = packed(loneCall.word);
        this.own = loneCall.own ?? 0;
        this.line = loneCall.line ?? 0;
    }

    /** @param {bigint} word */
    store(word) {
        this.lines.push(`stores ${word.toString(16)}`);
        this.word = word;
    }

    /** @param {number} value */
    writeOwn(value) {
        this.lines.push(`notes ${value}`);
        this.own = value;
    }

    /**
     * No other thread changes it.
     * @param {number} expected
     * @param {number} replacement
     * @returns {number} the value before
     */
    exchangeOwn(expected, replacement) {
        const before = this.own;
        if (before === expected) {
            this.writeOwn(replacement);
        }
        return before;
    }

    /** @param {number} value */
    writeLine(value) {
        this.lines.push(`line is ${value}`);
    }

    /**
     * No other thread changes it.
     * @param {number} expected
     * @param {number} replacement
     * @returns {number} the value before
     */
    exchangeLine(expected, replacement) {
        const before = this.line;
        this.lines.push(`line: ${expected >>> 0} becomes ${replacement >>> 0}`);
        this.line = before === expected ? replacement : before;
        return before;
    }

    /**
     * Changes the word; fails also if another thread was faster.
     * @param {bigint} expected
     * @param {bigint} replacement
     * @returns {bigint} the word before
     */
    exchange(expected, replacement) {
        const { interference } = this.#call;
        const before = this.word;
        if (before !== expected) {
            this.lines.push('tries and fails');
            return before;
        }
        this.#changes += 1;
        if (interference && interference.change === this.#changes - 1) {
            this.lines.push('is too late');
            const other = packed(interference.word);
            this.word = interference.flickers ? before : other;
            return other;
        }
        this.word = replacement;
        this.lines.push(`writes ${BigInt.asUintN(64, replacement).toString(16)}`);
        return before;
    }

    /** Notes a read: a released lock may be freed memory (I4 of c-src/gate.c). */
    read() {
        if (RELEASES.includes(this.#call.name) && this.lines.some((line) => line.startsWith('writes'))) {
            this.lines.push('reads what it has released');
        }
    }

    /** @param {number} place @param {number | bigint} count */
    wake(place, count) {
        this.lines.push(`wakes ${count} on ${place}`);
        return this.#call.found ?? 0;
    }

    /** @param {number} place @param {number | bigint} expected @param {number | bigint} nanoseconds */
    wait(place, expected, nanoseconds) {
        this.lines.push(`waits on ${place} for ${expected}, ${nanoseconds} ns`);
        const scripted = this.#call.waits?.[this.#waits];
        if (!scripted) {
            throw UNSCRIPTED_WAIT;
        }
        this.#waits += 1;
        this.word = scripted.word ? packed(scripted.word) : this.word;
        return scripted.result;
    }

    /** @param {() => number | bigint | undefined} run */
    of(run) {
        try {
            this.lines.push(`returns ${run()}`);
        } catch (error) {
            if (!(error instanceof Violation)) {
                throw error;
            }
            this.lines.push(error.message);
        }
        return this.lines.join('; ');
    }
}

/** @param {LoneCall} loneCall */
export function specifiedTrace(loneCall) {
    const trace = new Trace(loneCall);
    let looks = 0;
    let seen = { bits: trace.word, word: loneCall.word };
    /** @type {import('./gate-specification.js').Surroundings} */
    const around = {
        exchange: (expected, replacement) =>
            trace.exchange(packed(expected), packed(replacement)) === packed(expected),
        change(decide, always = false) {
            for (;;) {
                const before = unpacked(trace.word);
                const after = decide(before);
                const [from, to] = [packed(before), packed(after)];
                if ((from === to && !always) || trace.exchange(from, to) === from) {
                    return { before, after };
                }
            }
        },
        look() {
            if (looks === 0 && loneCall.spotted) {
                trace.word = packed(loneCall.spotted.word);
            }
            looks += 1;
            if (seen.bits !== trace.word) {
                seen = { bits: trace.word, word: unpacked(trace.word) };
            }
            return seen.word;
        },
        store: (word) => trace.store(packed(word)),
        readOwn: () => trace.own,
        writeOwn: (value) => trace.writeOwn(value),
        exchangeOwn: (expected, replacement) => trace.exchangeOwn(expected, replacement) === expected,
        writeLine: (value) => trace.writeLine(value),
        readLine: () => trace.line,
        exchangeLine: (expected, replacement) => trace.exchangeLine(expected, replacement) === expected,
        wake: (place, count) => trace.wake(place, count),
        wait: (place, expected, nanoseconds) => trace.wait(place, expected, nanoseconds),
    };
    const text = trace.of(() => SPECIFIED[loneCall.name]?.(around, ...loneCall.parameters));
    return withLoads(text, loneCall, loneCall.loads ?? 0);
}

/**
 * @param {import('../wasm/decoder.js').Module} module
 * @param {LoneCall} loneCall
 * @param {number} most atomic instructions
 */
export function moduleTrace(module, loneCall, most) {
    const trace = new Trace(loneCall);
    let atomics = 0;
    const text = trace.of(() => {
        const parameters = loneCall.parameters.map((parameter) => parameter | 0); // as an engine passes them
        let stop = call(module, loneCall.name, [GATE_ADDRESS, ...parameters]);
        while (stop.atomic) {
            atomics += 1;
            if (atomics > most) {
                throw new Violation('has no end');
            }
            stop = goOn(module, stop.frames, perform(trace, loneCall, stop.atomic));
        }
        return stop.value;
    });
    return withLoads(text, loneCall, trace.loads);
}

/** @param {Trace} trace @param {LoneCall} loneCall @param {import('../wasm/interpreter.js').Atomic} atomic */
function perform(trace, { spotted }, { name, address, operands: [first = 0, second = 0] }) {
    const place = address - GATE_ADDRESS;
    if (name === 'i32.atomic.store' && place === GATE_LINE_OFFSET) {
        trace.writeLine(Number(first));
        return 0;
    }
    const isOfLine = name.startsWith('i32') && place === GATE_LINE_OFFSET;
    const isOwn = name.startsWith('i32') && !isOfLine;
    if ((name.startsWith('i64') && place !== 0) || (isOwn && place !== GATE_OWN_OFFSET)) {
        throw new Violation(`${name} at ${place}`);
    }
    switch (name) {
        case 'i64.atomic.load':
            trace.read();
            if (spotted?.load === trace.loads) {
                trace.word = packed(spotted.word);
            }
            trace.loads += 1;
            return trace.word;
        case 'i64.atomic.rmw.cmpxchg':
            return trace.exchange(BigInt(first), BigInt(second));
        case 'i64.atomic.store':
            trace.store(BigInt(first));
            return 0;
        case 'i32.atomic.load':
            trace.read();
            return isOfLine ? trace.line : trace.own;
        case 'i32.atomic.rmw.cmpxchg':
            return isOwn
                ? trace.exchangeOwn(Number(first), Number(second))
                : trace.exchangeLine(Number(first), Number(second));
        case 'i32.atomic.store':
            trace.writeOwn(Number(first));
            return 0;
        case 'memory.atomic.notify':
            return trace.wake(place, first);
        case 'memory.atomic.wait32':
            return trace.wait(place, first, second);
        default:
            throw new Error(`a gate never uses ${name}`);
    }
}

/** @param {string} text @param {LoneCall} loneCall @param {number} loads */
function withLoads(text, loneCall, loads) {
    return loneCall.loads === undefined ? text : `${text}; ${loads} loads`;
}

/** @param {LoneCall} loneCall */
export function describeCall({ name, parameters, word, line, interference, spotted, waits, found }) {
    const hex = (/** @type {Word} */ any) => `0x${BigInt.asUintN(64, packed(any)).toString(16)}`;
    const others = [
        ...(line ? [`line ${line >>> 0}`] : []),
        ...(interference ? [`${hex(interference.word)} before change ${interference.change}`] : []),
        ...(spotted ? [`${hex(spotted.word)} before load ${spotted.load}`] : []),
        ...(found ? [`${found} woken by each wake`] : []),
        ...(waits ? [`waits come to ${waits.map(({ result }) => result).join()}`] : []),
    ];
    return `${name}(${parameters.map((value) => `0x${(value >>> 0).toString(16)}`).join(', ')}) with ${[hex(word), ...others].join(', ')}`;
}
