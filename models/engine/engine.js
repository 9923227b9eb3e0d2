/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { MUTEX_BYTES } from '../../js-glue/memory/layout.js';
import { FIRST_ADDRESS as GATE_ADDRESS } from '../explorer/memory.js';
import { Violation } from '../explorer/violation.js';
import { Mailbox, mailboxesFor, ORDER, REPORT } from './mailbox.js';
import { SectionRecord, sectionWordsFor } from './section.js';

/* The controller: runs a model's calls on threads of the engine. */

/**
 * @typedef {import('./asking-module.js').AskingModule} AskingModule
 * @typedef {import('./asking-module.js').Site} Site
 * @typedef {import('../explorer/scenario.js').Scenario} Scenario
 * @typedef {import('../wasm/interpreter.js').Stop} Stop
 * @typedef {import('./engine-thread.js').ThreadData} ThreadData
 * @typedef {{ end: () => unknown }} Started
 * @typedef {(data: ThreadData) => Promise<Started>} Starter of a platform
 */

/** Longer than any step. */
const PATIENCE_MS = 10_000;

const PAGES = 1;
const HALF_BITS = 32;

export class Engine {
    #sites;
    #names;
    #boxes;
    #words;
    #started;
    #calls;
    #holder = -1;

    /**
     * @param {AskingModule} module
     * @param {Pick<ThreadData, 'memory' | 'boxes' | 'sectionWords'>} shared
     * @param {Started[]} started
     */
    constructor({ sites, names, original }, { memory, boxes, sectionWords }, started) {
        this.module = original ?? { exports: new Map(names.map((name) => [name, 0])) };
        this.sections = new SectionRecord(sectionWords);
        this.#sites = sites;
        this.#names = names;
        this.#boxes = started.map((_, at) => new Mailbox(boxes, at));
        this.#words = new BigInt64Array(
            memory.buffer,
            GATE_ADDRESS,
            MUTEX_BYTES / BigInt64Array.BYTES_PER_ELEMENT,
        );
        this.#started = started;
        /** @type {string[]} */
        this.#calls = started.map(() => '');
    }

    /**
     * Starts as many threads as any of the scenarios needs.
     * @param {AskingModule} module
     * @param {Scenario[]} scenarios
     * @param {Starter} start
     */
    static async start(module, scenarios, start) {
        const threads = Math.max(...scenarios.map((scenario) => scenario.threads.length));
        const { bytes, sites, names } = module;
        const shared = {
            module: new WebAssembly.Module(/** @type {BufferSource} */ (bytes)),
            memory: new WebAssembly.Memory({ initial: PAGES, maximum: PAGES, shared: true }),
            boxes: mailboxesFor(threads),
            sectionWords: sectionWordsFor(threads),
            names,
            exchanges: [...sites.keys()].filter((site) => sites[site]?.name.endsWith('.cmpxchg')),
        };
        const places = Array.from({ length: threads }, (_, at) => at);
        const started = await Promise.all(places.map((at) => start({ ...shared, at })));
        return new this(module, shared, started);
    }

    /**
     * @template T
     * @param {AskingModule} module
     * @param {Scenario[]} scenarios
     * @param {Starter} start
     * @param {(engine: Engine) => T} use
     */
    static async use(module, scenarios, start, use) {
        const engine = await this.start(module, scenarios, start);
        try {
            return use(engine);
        } finally {
            await engine.end();
        }
    }

    async end() {
        await Promise.all(this.#started.map((thread) => thread.end()));
    }

    get word() {
        return this.#words[0] ?? 0n;
    }

    /** The gate's word `own`. */
    get own() {
        return Number(BigInt.asUintN(HALF_BITS, (this.#words[1] ?? 0n) >> BigInt(HALF_BITS)));
    }

    get words() {
        return [...this.#words];
    }

    /** By thread: the call that has not returned, or ''. */
    get calls() {
        return [...this.#calls];
    }

    /**
     * Ends the running calls, and sets the words for a new schedule.
     * @param {bigint} word
     * @param {number} own
     * @param {number} holder the thread that has the lock, or -1
     */
    reset(word, own, holder) {
        this.#calls.forEach((call, at) => {
            if (call) {
                this.#order(at, ORDER.ABANDON, 0);
            }
        });
        this.sections.reset();
        this.#words.set([word, BigInt(own) << BigInt(HALF_BITS)]);
        this.#holder = holder;
    }

    /** @param {number} at @returns {import('../explorer/thread-call.js').Runner} */
    runnerOf(at) {
        return {
            call: (name, parameters) => {
                this.#calls[at] = name;
                const order = at === this.#holder ? ORDER.CALL_INSIDE : ORDER.CALL;
                this.#holder = at === this.#holder ? -1 : this.#holder;
                return this.#order(at, order, this.#names.indexOf(name), parameters);
            },
            // The result matters only for waits and wakes; the engine performs all other instructions itself.
            resume: (_, result) => this.#order(at, ORDER.GO_ON, Number(BigInt.asIntN(32, BigInt(result)))),
        };
    }

    /** @param {number} at @param {number} order @param {number} what @param {number[]} [parameters] @returns {Stop} */
    #order(at, order, what, parameters) {
        const box = /** @type {Mailbox} */ (this.#boxes[at]);
        const call = this.#calls[at] ?? '';
        box.write(order, what, parameters);
        if (!box.giveTurn(PATIENCE_MS)) {
            const words = this.words.map((word) => BigInt.asUintN(64, word).toString(16));
            throw new Error(
                `T${at} did not reach its next step of ${call} within ${PATIENCE_MS} ms; words: ${words}`,
            );
        }
        if (box.kind === REPORT.STANDS) {
            return this.#standsAt(box);
        }
        this.#calls[at] = '';
        if (box.kind === REPORT.TRAPPED) {
            throw new Violation(`${call} trapped`);
        }
        const [value] = box.values;
        const isNumber = value !== undefined && box.kind === REPORT.RETURNED;
        return { atomic: undefined, value: isNumber ? Number(value) : value };
    }

    /** @param {Mailbox} box @returns {Stop} */
    #standsAt({ what, values: [address, ...values] }) {
        const { name, look, operands } = /** @type {Site} */ (this.#sites[what]);
        const typed = operands.map((type, at) => (type === 'i64' ? (values[at] ?? 0n) : Number(values[at])));
        // No frames: they are on the real stack, which cannot return to an earlier step.
        return { atomic: { name, look, address: Number(address), operands: typed }, frames: undefined };
    }
}
