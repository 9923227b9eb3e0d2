/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { codeOf, runToEnd, takeThread } from './glue-code.js';
import { snapshotOf } from './snapshot.js';
import { FIRST_ADDRESS } from './memory.js';
import { Violation } from './violation.js';

/* A live instance of a thread: the package and its programs. It can be neither copied nor stopped within a
 * job. So each state gets an instance of its own, which is given all earlier answers and stops at the first
 * question without an answer. */

/**
 * @typedef {import('./thread.js').Offer} Offer
 *
 * @typedef {{ is: 'call', name: string, parameters: number[] } | { is: 'arm', address: number, expected:
 *     number } | { is: 'load', address: number } | { is: 'notify', address: number, count: number } | { is:
 *     'data', on: string, by: number } | { is: 'until', on: string, least: number } | { is: 'watch' } | { is:
 *     'clock' }} Question something that depends on other threads or on time
 *
 * @typedef {{ name: string, on: string, task: number, parameters: number[] }} Crossing a program's report for
 *     the judges
 *
 * @typedef {Pick<Offer, 'job' | 'which'> & { answers: readonly any[] }} Job answers: to its questions, in their order
 *
 * @typedef {object} Outcome of a job
 * @property {Question | undefined} question without an answer; undefined: the job has ended
 * @property {number} task the task whose code asks, or -1
 * @property {{ after: number, crossing: Crossing }[]} told after: the number of questions before it
 * @property {string | undefined} between the state, if the program was between two of its calls
 * @property {string | undefined} round the state, if a loop may return to this question
 */

/** Thrown through the package's code to leave the instance at a question; the instance is then dropped. */
class Unanswered extends Error {
    name = 'Unanswered';
}

/** The longest wait of one call (js-glue/waiting/blocking.js), in microseconds. */
const LONGEST_WAIT_US = 60_000_000;

const FAR_AHEAD_MS = 1e9;

/** The index of the time limit among a call's parameters. @type {Record<string, number>} */
const LIMIT_AT = {
    rwlock_upgrade_wait: 3,
    gate_wait: 3,
    condition_wait: 3,
    event_wait: 3,
    barrier_wait: 3,
    latch_wait: 2,
};

/**
 * The time limit of a call; 0: its caller has set none.
 * @param {string} name
 * @param {readonly number[]} parameters
 */
export function limitOf(name, parameters) {
    const limit = parameters[LIMIT_AT[name] ?? -1] ?? 0;
    return limit < LONGEST_WAIT_US ? limit : 0;
}

/** @returns {Outcome} */
function nothingYet() {
    return { question: undefined, task: -1, told: [], between: undefined, round: undefined };
}

export class GlueInstance {
    #code;
    /** @type {any} */
    #thread;
    /** @type {readonly any[]} */
    #answers = [];
    #asked = 0;
    #outcome = nothingYet();
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
        const ask = (/** @type {Question} */ question) => this.#ask(question);
        const calls = Object.fromEntries(
            exports.map((name) => [
                name,
                (/** @type {number[]} */ ...parameters) => ask({ is: 'call', name, parameters }),
            ]),
        );
        /** @type {import('./realm.js').Host} */
        const host = {
            ...{ memory, self, polls, firstAddress: FIRST_ADDRESS, ask },
            tell: (name, on, task, parameters) => {
                if (!this.#outcome.question) {
                    const crossing = { name, on, task, parameters };
                    this.#outcome.told.push({ after: this.#asked, crossing });
                }
            },
            announce: (name, on) => {
                this.#announced = { name, on };
            },
            pass: () => {
                if (!this.#outcome.question && this.#asked === this.#answers.length) {
                    this.#outcome.between = this.snapshot();
                }
            },
            goOn: () => {
                if (this.#outcome.question) {
                    throw new Unanswered(); // the program has caught the error of that question
                }
            },
            mark: () => {
                this.#isMarked = true;
            },
            violates: (words) => {
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
            if (question.is === 'clock') {
                return undefined; // an error would leave a rejected promise without its handler
            }
            throw new Unanswered(); // code that still runs belongs to no thread
        }
        if (question.is === 'clock' && !this.#mayRunOut) {
            return undefined;
        }
        const isCall = question.is === 'call';
        if (this.#asked === this.#answers.length) {
            // The package waits in a loop (js-glue/waiting/blocking.js).
            if (this.#isMarked || (isCall && question.name.endsWith('_wait'))) {
                // Take the snapshot before the throw: code that catches it runs for no thread.
                this.#outcome.round = `${JSON.stringify(question)} ${this.snapshot()}`;
            }
            this.#outcome.question = question;
            this.#outcome.task = this.#thread?.callingTask() ?? -1;
            throw new Unanswered();
        }
        const answer = this.#answers[this.#asked];
        this.#asked += 1;
        this.#isMarked = false;
        // A wait with a time limit has ended, so its time may be up.
        this.#mayRunOut = isCall && limitOf(question.name, question.parameters) > 0 && Number(answer) < 0;
        if (isCall && question.name === this.#announced?.name) {
            const { on } = this.#announced;
            this.#announced = undefined;
            this.#ask({ is: 'data', on, by: 1 });
        }
        if (question.is === 'clock') {
            return answer ? FAR_AHEAD_MS : undefined;
        }
        return answer;
    }

    /** Runs a job as far as its questions are answered. @param {Job} job @returns {Outcome} */
    run({ job, which, answers }) {
        this.#answers = answers;
        this.#asked = 0;
        this.#mayRunOut = false;
        this.#isMarked = false;
        this.#announced = undefined;
        this.#outcome = nothingYet();
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
            this.#thread.turnBack(this.#thread.variables());
        }
        return this.#outcome;
    }

    end() {
        this.#code.unused.push(this.#thread);
        this.#thread = undefined;
    }

    /** @returns {Offer[]} */
    offers() {
        return this.#thread.offers();
    }

    /** @returns {string[]} */
    standing() {
        return this.#thread.standing();
    }

    /** @returns {string} */
    leftBehind() {
        return this.#thread.leftBehind();
    }

    /** @param {Set<string>} [hidden] */
    snapshot(hidden) {
        return snapshotOf(this.#thread.variables(), hidden);
    }
}
