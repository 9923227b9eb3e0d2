/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { codeOf, giveBackThread, runToEnd, takeThread } from './glue-code.js';
import { snapshotOf } from './snapshot.js';
import { FIRST_ADDRESS } from './memory.js';
import { Violation } from './violation.js';

/* A live instance of a thread: the package and the thread's programs. Nobody can copy one, nor stop it in the middle of a
 * job. So it is made anew and given again what it was given before, up to the first question that is not answered yet; there
 * it is left. */

/**
 * @typedef {import('../wasm/interpreter.js').Value} Value
 *
 * @typedef {{ is: 'call', name: string, parameters: number[] } | { is: 'arm', address: number, expected: number }
 *     | { is: 'load', address: number } | { is: 'notify', address: number, count: number }
 *     | { is: 'data', on: string, by: number } | { is: 'until', on: string, least: number } | { is: 'watch' }
 *     | { is: 'clock' }} Question something whose answer other threads, or time, decide
 *
 * @typedef {object} Crossing what programs tell of themselves
 * @property {string} name
 * @property {string} on
 * @property {number} task
 * @property {number[]} parameters
 *
 * @typedef {object} Job
 * @property {import('./thread.js').Offer['job']} job
 * @property {number} which
 * @property {readonly any[]} answers to its questions, in their order
 *
 * @typedef {object} Told with its place among the questions of the job
 * @property {number} after how many questions
 * @property {Crossing} crossing
 *
 * @typedef {object} Outcome of a job
 * @property {Question | undefined} question that has no answer yet; none: the job has ended
 * @property {number} task whose code asks, or -1
 * @property {Told[]} told
 * @property {string | undefined} between the state where the program has just stood between two of its calls
 * @property {string | undefined} round if a loop may come by here again: how all is there
 */

/** It goes through the package's code as an error, which is left behind with it. */
class Unanswered extends Error {
    name = 'Unanswered';
}

/** The longest wait of one call (js-glue/waiting/blocking.js), in microseconds. */
const LONGEST_WAIT_US = 60_000_000;

const FAR_AHEAD_MS = 1e9;

/** The place of the time limit among the parameters of a call that waits. @type {Record<string, number>} */
const LIMIT_AT = { gate_wait: 3, condition_wait: 3, event_wait: 3, barrier_wait: 3, latch_wait: 2 };

/**
 * The time limit of a call that blocks, if its caller has set one; else 0.
 *
 * @param {string} name
 * @param {readonly number[]} parameters
 */
export function limitOf(name, parameters) {
    const limit = parameters[LIMIT_AT[name] ?? -1] ?? 0;
    return limit < LONGEST_WAIT_US ? limit : 0;
}

/**
 * Whether the package asks that again and again in a loop, until it is over (js-glue/waiting/blocking.js).
 *
 * @param {Question} question
 */
function isOfLoop(question) {
    return question.is === 'call' && question.name.endsWith('_wait');
}

export class GlueInstance {
    #code;
    /** @type {any} */
    #thread;
    /** @type {readonly any[]} */
    #answers = [];
    #asked = 0;
    /** @type {Outcome} */
    #outcome = { question: undefined, task: -1, told: [], between: undefined, round: undefined };
    #failure = '';
    #mayRunOut = false;
    #isMarked = false;
    /** @type {{ name: string, on: string } | undefined} */
    #announced;

    /**
     * @param {object} options
     * @param {WebAssembly.Memory} options.memory
     * @param {number} options.self
     * @param {boolean} options.polls
     * @param {Record<string, string | number>} options.constants
     * @param {string | undefined} options.from
     * @param {readonly string[]} options.exports of the module
     * @param {import('./thread.js').Setup} options.setup
     */
    constructor({ memory, self, polls, constants, from, exports, setup }) {
        this.#code = codeOf(constants, from);
        const calls = Object.fromEntries(
            exports.map((name) => [
                name,
                (/** @type {number[]} */ ...parameters) => this.#ask({ is: 'call', name, parameters }),
            ]),
        );
        const host = {
            ...{ memory, self, polls, firstAddress: FIRST_ADDRESS },
            ask: (/** @type {Question} */ question) => this.#ask(question),
            tell: (
                /** @type {string} */ name,
                /** @type {string} */ on,
                /** @type {number} */ task,
                /** @type {number[]} */ parameters,
            ) => {
                if (!this.#outcome.question) {
                    const crossing = { name, on, task, parameters };
                    this.#outcome.told.push({ after: this.#asked, crossing });
                }
            },
            announce: (/** @type {string} */ name, /** @type {string} */ on) => {
                this.#announced = { name, on };
            },
            pass: () => {
                if (!this.#outcome.question && this.#asked === this.#answers.length) {
                    this.#outcome.between = this.snapshot();
                }
            },
            goOn: () => {
                if (this.#outcome.question) {
                    throw new Unanswered(); // the program has caught the first one
                }
            },
            mark: () => {
                this.#isMarked = true;
            },
            violates: (/** @type {string} */ words) => {
                if (!this.#outcome.question) {
                    this.#failure ||= words;
                }
            },
        };
        const webAssembly = {
            Memory: WebAssembly.Memory,
            Module: class {},
            Instance: class {
                exports = calls;
            },
        };
        this.#run(() => {
            this.#thread = takeThread(this.#code, { host }, webAssembly);
            this.#thread.prepare(setup);
        });
    }

    /** @param {() => void} task */
    #run(task) {
        runToEnd(task);
        if (this.#failure) {
            throw new Violation(this.#failure);
        }
    }

    /** @param {Question} question */
    #ask(question) {
        if (this.#outcome.question) {
            throw new Unanswered(); // what runs on is nobody any more
        }
        if (question.is === 'clock' && !this.#mayRunOut) {
            return undefined;
        }
        if (this.#asked === this.#answers.length) {
            if (this.#isMarked || isOfLoop(question)) {
                // Now: code that catches the error below goes on for nobody.
                this.#outcome.round = `${JSON.stringify(question)} ${this.snapshot()}`;
            }
            this.#outcome.question = question;
            this.#outcome.task = this.#thread?.callingTask() ?? -1;
            throw new Unanswered();
        }
        const answer = this.#answers[this.#asked];
        this.#asked += 1;
        this.#isMarked = false;
        // A limited wait has ended, and its time may be up.
        this.#mayRunOut =
            question.is === 'call' && limitOf(question.name, question.parameters) > 0 && Number(answer) < 0;
        if (question.is === 'call' && question.name === this.#announced?.name) {
            const { on } = this.#announced;
            this.#announced = undefined;
            this.#ask({ is: 'data', on, by: 1 });
        }
        if (question.is === 'clock') {
            return answer ? FAR_AHEAD_MS : undefined;
        }
        return answer;
    }

    /**
     * Runs a job as far as its questions are answered.
     *
     * @param {Job} job
     * @returns {Outcome}
     */
    run({ job, which, answers }) {
        this.#answers = answers;
        this.#asked = 0;
        this.#mayRunOut = false;
        this.#isMarked = false;
        this.#announced = undefined;
        this.#outcome = { question: undefined, task: -1, told: [], between: undefined, round: undefined };
        this.#run(() => {
            try {
                this.#thread.run(job, which);
            } catch (error) {
                if (!(error instanceof Unanswered)) {
                    throw error;
                }
            }
        });
        if (!this.#outcome.question) {
            this.#thread.turnBack(this.#thread.variables().alarms);
        }
        return this.#outcome;
    }

    /** It is not used any more. */
    end() {
        giveBackThread(this.#code, this.#thread);
        this.#thread = undefined;
    }

    /** What may happen between its jobs. @returns {import('./thread.js').Offer[]} */
    offers() {
        return this.#thread.offers();
    }

    /** @returns {string[]} of its tasks */
    standing() {
        return this.#thread.standing();
    }

    /** @returns {string} what is wrong with what it leaves behind, if it comes to its end as it is; '' if nothing is */
    leftBehind() {
        return this.#thread.leftBehind();
    }

    /**
     * Its whole state between two jobs, as a text.
     *
     * @param {Set<string>} [hidden] fields that are left out
     */
    snapshot(hidden) {
        return snapshotOf({ ...this.#thread.roots(), variables: this.#thread.variables() }, hidden);
    }
}
