/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Violation } from '../explorer/violation.js';

/* A thread that uses a KeyedMutex as it ships. Its code can neither stop in the middle nor be copied. So its
 * position is identified by the answers that it got: results of the module's calls, and words that it read.
 * Each position is a node of a tree. To go on from a new node, the program runs again with the answers so
 * far. */

/**
 * @typedef {import('./machine.js').Machine} Machine
 *
 * @typedef {{ is: 'call', name: string, args: number[] } | { is: 'read' | 'write' | 'readText' | 'writeText',
 *     at: number, value: number } | { is: 'enter' | 'leave' | 'repair', key: string } | { is: 'pause' } | {
 *     is: 'end', error: unknown }} Question the program's next operation
 *
 * @typedef {object} Node a position of a thread
 * @property {number} id
 * @property {Node | undefined} before
 * @property {unknown} answer the answer that led here
 * @property {string | undefined} inside the key that the thread holds
 * @property {string[]} repaired keys that it has repaired
 * @property {Question | undefined} question
 * @property {Map<unknown, Node>} next by the answer
 *
 * @typedef {object} Given
 * @property {import('../../js-glue/keyed.js').KeyedMutex} keyed
 * @property {(key: string) => void} inside called with the key held
 * @property {(key: string) => void} repair called with a dead thread's key held
 *
 * @typedef {(given: Given) => void} Program
 */

/** A program with more questions counts as a livelock. */
const MOST_QUESTIONS = 20_000;
const NO_END = 'a call has no end';

/** Thrown to stop the program at a question without an answer. */
class Unanswered extends Error {}

/** @param {object} array @param {(index: number) => unknown} get @param {(index: number, value: number) => void} set */
function watched(array, get, set) {
    return new Proxy(array, {
        get: (target, name) =>
            typeof name === 'string' && /^\d+$/.test(name)
                ? get(Number(name))
                : Reflect.get(target, name, target),
        set: (_, name, value) => (set(Number(name), value), true),
    });
}

export class Thread {
    #glue;
    #machine;
    #program;
    #isMortal;
    #words;
    #units;
    #attachment;
    #nodes = 0;
    /** @type {Node} */
    start;
    self;
    /** @type {(question: Question) => any} */
    #ask = () => {};

    /**
     * @param {import('./glue.js').Glue} glue
     * @param {Machine} machine
     * @param {number} which agent
     * @param {Program} program
     * @param {boolean} [isMortal] whether it may die, also between two stores
     */
    constructor(glue, machine, which, program, isMortal = false) {
        const { memory, exports, agents } = machine;
        this.#glue = glue;
        this.#machine = machine;
        this.#program = program;
        this.#isMortal = isMortal;
        this.self = agents[which]?.self ?? 0;
        this.#words = new Int32Array(memory.buffer);
        this.#units = new Uint16Array(memory.buffer);
        this.#attachment = new glue.Attachment(memory, exports, this.self, true, glue.SPACE_ADDRESS);
        this.#attachment.words = /** @type {any} */ (
            watched(
                this.#words,
                (at) => this.#ask({ is: 'read', at, value: 0 }),
                () => {},
            )
        );
        this.#keyed(); // loads the module's further parts
        this.#attachment.exports = /** @type {any} */ (
            Object.fromEntries(
                Object.keys(exports).map((name) => [
                    name,
                    (/** @type {number[]} */ ...args) => this.#ask({ is: 'call', name, args }),
                ]),
            )
        );
        this.start = this.#newNode();
    }

    /** @param {Node} [before] @param {unknown} [answer] @returns {Node} */
    #newNode(before, answer) {
        this.#nodes += 1;
        const { inside, repaired = [] } = before ?? {};
        return { id: this.#nodes, before, answer, inside, repaired, question: undefined, next: new Map() };
    }

    /** Makes a new object for the table, as a thread's first use does. */
    #keyed() {
        const { construct, KeyedMutex } = this.#glue;
        this.#attachment.queues = new Map();
        this.#attachment.sections = 0;
        return construct({
            shape: KeyedMutex,
            attachment: this.#attachment,
            byteOffset: this.#machine.keyed,
            kind: 'KeyedMutex',
            isNew: false,
        });
    }

    /**
     * Runs a program with its runtime replaced.
     *
     * @param {Program} program
     * @param {(question: Question) => any} ask
     * @returns {unknown} the error that it throws
     */
    #run(program, ask) {
        const { environment } = this.#glue;
        const scope = /** @type {any} */ (globalThis);
        const { Uint16Array: Units } = globalThis;
        const { date, now, store } = environment;
        const units = watched(
            this.#units,
            (at) => ask({ is: 'readText', at, value: 0 }),
            (at, value) => ask({ is: 'writeText', at, value }),
        );
        this.#ask = ask;
        try {
            environment.date = environment.now = () => 0;
            environment.store = /** @type {any} */ (
                (/** @type {unknown} */ _, /** @type {number} */ at, /** @type {number} */ value) =>
                    ask({ is: 'write', at, value })
            );
            scope.Uint16Array = function () {
                return units;
            };
            const keyed = this.#keyed();
            scope.Uint16Array = Units;
            const inside = (/** @type {string} */ key) => {
                ask({ is: 'enter', key });
                ask({ is: 'pause' });
                ask({ is: 'leave', key });
            };
            const repair = (/** @type {string} */ key) => {
                ask({ is: 'repair', key });
                inside(key);
            };
            program({ keyed, inside, repair });
            return undefined;
        } catch (error) {
            return error;
        } finally {
            scope.Uint16Array = Units;
            Object.assign(environment, { date, now, store });
        }
    }

    /**
     * Performs an operation on the present memory.
     *
     * @param {Question} question
     * @param {string} [outcome] of a wait
     */
    perform(question, outcome) {
        switch (question.is) {
            case 'call':
                return this.#machine.call(this.self, question.name, question.args, outcome);
            case 'read':
                this.#machine.check(question.at, this.self);
                return this.#words[question.at];
            case 'write':
                this.#machine.check(question.at, this.self);
                return void (this.#words[question.at] = question.value);
            case 'readText':
                this.#machine.check(question.at >> 1, this.self);
                return this.#units[question.at];
            case 'writeText':
                this.#machine.check(question.at >> 1, this.self);
                return void (this.#units[question.at] = question.value);
            default:
                return undefined;
        }
    }

    /** True if other threads may run before this operation. @param {Question} question */
    #isStep(question) {
        const { is } = question;
        return (
            ['pause', 'end'].includes(is) ||
            (is === 'write' && this.#isMortal) ||
            (is === 'call' && !this.#machine.isUnseen(question.name, question.args))
        );
    }

    /** @param {Node} node @param {unknown} answer */
    #child(node, answer) {
        const { question, next } = node;
        const known = next.get(answer);
        if (known) {
            return known;
        }
        const child = this.#newNode(node, answer);
        if (question?.is === 'enter' || question?.is === 'leave') {
            child.inside = question.is === 'enter' ? question.key : undefined;
        } else if (question?.is === 'repair') {
            child.repaired = [...node.repaired, question.key];
        }
        next.set(answer, child);
        return child;
    }

    /**
     * Goes on with an answer to the question of a node, up to the next step.
     *
     * @param {Node} node
     * @param {unknown} answer
     * @returns {Node}
     */
    goOn(node, answer) {
        let at = this.#child(node, answer);
        while (at.question && !this.#isStep(at.question)) {
            at = this.#child(at, this.perform(at.question));
        }
        return at.question ? at : this.#play(at);
    }

    /** The first step. */
    begin() {
        return this.#play(this.start);
    }

    /** Runs the program again, up to the first step from a new node on. @param {Node} to @returns {Node} */
    #play(to) {
        /** @type {unknown[]} */
        const answers = [];
        for (let node = to; node.before; node = node.before) {
            answers.unshift(node.answer);
        }
        let at = this.start;
        let count = 0;
        let isOver = false;
        /** @type {unknown} */
        let failure;
        const error = this.#run(this.#program, (question) => {
            if (isOver) {
                throw new Unanswered(); // the program has caught the first error
            }
            try {
                at.question ??= question;
                count += 1;
                if (at.question.is !== question.is || count > MOST_QUESTIONS) {
                    throw new Violation(count > MOST_QUESTIONS ? NO_END : 'a run differs');
                }
                if (count > answers.length && this.#isStep(question)) {
                    throw new Unanswered();
                }
                const answer = count > answers.length ? this.perform(question) : answers[count - 1];
                at = this.#child(at, answer);
                return answer;
            } catch (thrown) {
                isOver = true;
                failure = thrown;
                throw thrown;
            }
        });
        if (failure && !(failure instanceof Unanswered)) {
            throw failure;
        }
        if (!isOver) {
            at.question = { is: 'end', error };
        }
        return at;
    }

    /**
     * Runs another program as a whole, without other threads.
     *
     * @param {Program} program
     * @returns {unknown} the error that it throws
     */
    runAlone(program) {
        /** @type {unknown} */
        let failure;
        let count = 0;
        const error = this.#run(program, (question) => {
            const isStuck =
                question.is === 'call' &&
                this.#machine.outcomes(this.self, question.name, question.args).length === 0;
            count += 1;
            if (isStuck || count > MOST_QUESTIONS) {
                failure ??= new Violation(
                    isStuck ? 'a mutex stays locked when all threads have ended' : NO_END,
                );
                throw failure;
            }
            return this.perform(question);
        });
        return failure ?? error;
    }
}
