/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { GlueInstance, limitOf } from './glue-instance.js';
import { ARMED, begin, choice, gained, goOn, sleepOf, WAIT_ASYNC, whatResolved } from './thread-call.js';
import { DUE_END_OF } from './wait-queue.js';

/* A thread that runs programs on the package as it ships. Its state is a snapshot at the end of the last job (snapshot.js), and
 * the answers so far in the running job. */

/**
 * @typedef {import('../wasm/interpreter.js').Value} Value
 * @typedef {import('../wasm/interpreter.js').Atomic} Atomic
 * @typedef {import('./thread-call.js').Behaviour<ThreadState>} Behaviour
 * @typedef {import('./thread-call.js').View} View
 * @typedef {import('./thread-call.js').Due} Due
 * @typedef {import('./glue-instance.js').Question} Question
 * @typedef {import('./glue-instance.js').Job} Job
 * @typedef {import('./glue-instance.js').Outcome} Outcome
 * @typedef {import('./thread.js').Offer} Offer
 *
 * @typedef {object} ThreadOptions
 * @property {[program: string, ...parameters: any[]][]} tasks of an event loop, if there are several
 * @property {boolean} [loops] whether it is an event loop even with one task
 * @property {boolean} [blocks] whether it may block while its event loop is the heir
 * @property {boolean} [isLimited] whether it has time limits, or watches reservations
 * @property {boolean} [polls] there is no waitAsync
 * @property {boolean} [isOld] see Setup
 * @property {Record<string, string | number>} [constants] constants of js-glue with other values
 * @property {string} [from] a folder with other sources
 * @property {'at times' | 'for good'} [busy] `at times`: another job may take long at any moment; `for good`,
 *     with fewer states: a job lasts for ever once all tasks have begun and the thread waits
 * @property {boolean} [isForlorn] whether it may wait for ever, so that no thread may depend on its end
 * @property {number} [holds] the amount of the first object that it holds at the start
 * @property {number} [copyOf] the thread of which this is another copy of the package: same identity, one job
 *     at a time
 *
 * @typedef {object} Told for the judges only
 * @property {string} name of a call that has ended, or `enters`, `leaves`
 * @property {string} on
 * @property {number} task -1: not known
 * @property {readonly number[]} parameters behind the address
 * @property {Value} [value]
 *
 * @typedef {import('./thread-call.js').Call & { on: string, parameters: number[], task: number }} RunningCall
 *
 * @typedef {object} ThreadState
 * @property {number} base the snapshot
 * @property {string} job '': none runs
 * @property {readonly any[]} answers
 * @property {readonly { at: number, key: number }[]} rounds the questions at which a loop came by, each with
 *     a number for the state there
 * @property {Exclude<Question, { is: 'call' }> | undefined} question
 * @property {RunningCall | undefined} call
 * @property {readonly Told[]} told
 * @property {readonly number[]} inbox the addresses of entries that have resolved
 * @property {number} has see View
 *
 * @typedef {object} Base
 * @property {number} before the snapshot before the job
 * @property {Job | undefined} job undefined: the start
 * @property {Offer[]} offers
 * @property {string[]} standing
 * @property {string} left the defect if all tasks are done, or ''
 * @property {Map<string, Outcome & { after: number }>} runs the outcomes of jobs from here; `after`: the base
 *     that a job ends in
 */

/** A step of a program that is no instruction of the module. */
export const TELL = 'tell';
export const DATA = 'data';
export const UNTIL = 'until';
export const LOOK = 'half load';

/** Longer than all reservations. */
const LONG_MS = 20;
/** Longer timers are the program's time limits. */
const LONGEST_WATCH_MS = 500;
/** POLL_MS of glue-code.js. */
const LOOK_MS = 2;
/** The most instances that are kept, each for one more job from its state. */
const MOST_LIVE = 64;

const GATES = ['mutex', 'recursive mutex', 'rwlock', 'semaphore', 'auto event', 'once'];

/** A polling queue has one timer for its polls and for the reservation that it watches. */
const POLLING = { POLL_MS: 8, LONGEST_POLL_MS: 8, GATE_HURRIED_POLL_MS: 8 };

const TIME_IS_UP = 'its time is up';
const WAITS_ON = 'waits on';
const WATCHES = 'watches long enough';
const WATCHES_NO_MORE = 'watches no more';

/** The input for yes, for the yes-or-no questions. @type {Partial<Record<Question['is'], string>>} */
const YES = { arm: ARMED, clock: TIME_IS_UP, watch: WATCHES };

/** The state between two jobs. */
const IDLE = { job: '', answers: [], rounds: [], question: undefined, call: undefined };

/** @implements {Behaviour} */
export class ShippedThread {
    #runner;
    #options;
    #instanceOptions;
    #objects;
    #mayBeSwept;
    #has;
    #startsLater;
    /** @type {Base[]} */
    #bases = [];
    /** @type {Map<string, number>} */
    #known = new Map();
    /** @type {Map<string, any[]>} */
    #between = new Map();
    /** @type {Map<string, number>} */
    #rounds = new Map();
    /** @type {Map<number, GlueInstance>} */
    #live = new Map();

    /**
     * @param {import('./thread-call.js').Runner} runner
     * @param {number} self
     * @param {ThreadOptions} options
     * @param {object} world
     * @param {{ name: string, is: string, address: number }[]} world.objects
     * @param {WebAssembly.Memory} world.memory
     * @param {readonly string[]} world.exports of the module
     * @param {boolean} world.mayBeSwept
     * @param {boolean} world.startsLater another copy of the package may start first
     * @param {number} [world.has]
     */
    constructor(runner, self, options, { objects, memory, exports, mayBeSwept, startsLater, has = 0 }) {
        this.self = self;
        this.#has = has;
        this.#startsLater = startsLater || options.tasks.length > 1;
        this.#runner = runner;
        this.#options = options;
        this.#objects = objects;
        this.#mayBeSwept = mayBeSwept;
        const { tasks, polls = false, isOld = false, constants = {}, from } = options;
        this.#instanceOptions = {
            ...{ memory, self, polls, constants: { ...(polls && POLLING), ...constants }, from, exports },
            setup: { objects, tasks, isOld },
        };
        this.isBusy = options.busy !== undefined || (options.isForlorn ?? false);
        this.loops = options.loops ?? tasks.length > 1;
        this.blocks = options.blocks ?? false;
        this.outlasts = this.loops || (options.isLimited ?? false);
    }

    /** @returns {ThreadState} */
    start() {
        const base = this.#baseOf(new GlueInstance(this.#instanceOptions), -1, undefined);
        const state = { base, ...IDLE, told: [], inbox: [], has: this.#has };
        return this.#startsLater ? state : this.#goesOn({ ...state, job: 'starts 0' });
    }

    /** @param {number} base */
    #baseAt(base) {
        return /** @type {Base} */ (this.#bases[base]);
    }

    /** @param {GlueInstance} instance between two jobs @param {number} before @param {Job | undefined} job */
    #baseOf(instance, before, job) {
        const text = instance.snapshot();
        const known = this.#known.get(text);
        if (known !== undefined) {
            instance.end();
            return known;
        }
        const base = this.#bases.length;
        this.#known.set(text, base);
        const [offers, standing, left] = [instance.offers(), instance.standing(), instance.leftBehind()];
        this.#bases.push({ before, job, offers, standing, left, runs: new Map() });
        this.#keep(base, instance);
        return base;
    }

    /** @param {number} base @param {GlueInstance} instance */
    #keep(base, instance) {
        this.#live.set(base, instance);
        const [oldest = -1] = this.#live.keys();
        if (this.#live.size > MOST_LIVE) {
            this.#live.get(oldest)?.end();
            this.#live.delete(oldest);
        }
    }

    /** An instance in the state of a snapshot; it can be used once. @param {number} base @returns {GlueInstance} */
    #instanceAt(base) {
        const live = this.#live.get(base);
        if (live) {
            this.#live.delete(base);
            return live;
        }
        const { before, job } = this.#baseAt(base);
        const instance = job ? this.#instanceAt(before) : new GlueInstance(this.#instanceOptions);
        if (job) {
            instance.run(job);
        }
        return instance;
    }

    /** @param {ThreadState} state @returns {View} */
    view(state) {
        const { call, has, told, job } = state;
        const atomic = this.#atomicOf(state);
        const isLimited = call !== undefined && limitOf(call.name, [0, ...call.parameters]) > 0;
        return {
            atomic,
            sleeps: sleepOf(call, isLimited),
            choices: atomic || call ? [] : this.#choices(state),
            has,
            isRunning: job !== '',
            isDone: told.length === 0 && job === '' && this.#isDone(state),
        };
    }

    /** @param {ThreadState} state */
    #isDone({ base, inbox }) {
        const { standing } = this.#baseAt(base);
        return inbox.length === 0 && standing.every((is) => is === 'done');
    }

    /** @param {ThreadState} state */
    leftBehind({ base }) {
        return this.#baseAt(base).left;
    }

    /**
     * The thread's next step, if it has no choice.
     * @type {(state: ThreadState) => (Atomic & { told?: Told }) | undefined}
     */
    #atomicOf({ told: [first], call, question }) {
        if (first) {
            return { ...step(TELL, 0), told: first };
        }
        if (call) {
            return call.asleep ? undefined : call.stop.atomic;
        }
        switch (question?.is) {
            case 'arm':
                return step(WAIT_ASYNC, question.address, question.expected);
            case 'load':
                return step(LOOK, question.address);
            case 'notify':
                return step('memory.atomic.notify', question.address, question.count);
            case 'data':
                return step(DATA, this.#addressOf(question.on), question.by);
            case 'until':
                return step(UNTIL, this.#addressOf(question.on), question.least);
            default:
                return undefined;
        }
    }

    /** @param {string} name */
    #addressOf(name) {
        const object = this.#objects.find((known) => known.name === name);
        if (!object) {
            throw new Error(`there is no ${name}`);
        }
        return object.address;
    }

    /** @param {ThreadState} state @returns {View['choices']} */
    #choices({ base, question, inbox }) {
        if (question?.is === 'clock') {
            return [choice(WAITS_ON, 'not yet'), choice(TIME_IS_UP, DUE_END_OF.limit)];
        }
        if (question?.is === 'watch') {
            return [choice(WATCHES, 'soon'), choice(WATCHES_NO_MORE)];
        }
        const { offers, standing } = this.#baseAt(base);
        const waits = standing.every((is) => is !== 'ready') && standing.includes('runs');
        const goesOn = offers.some(({ job }) => job === 'goes on');
        if (this.#options.busy === 'for good' && waits && !goesOn) {
            return [];
        }
        const due = this.#options.busy && waits ? 'no' : 'yes';
        return [
            ...[...new Set(inbox)].map((address) => choice(`hears ${address}`, due)),
            ...offers
                .filter(({ job }) => job !== 'sweeps' || this.#mayBeSwept)
                .map((offer) => choice(`${offer.job} ${offer.which}`, this.#dueOf(offer, due))),
        ];
    }

    /** @param {Offer} offer @param {'yes' | 'no'} due @returns {Due} */
    #dueOf({ job, delay = 0 }, due) {
        switch (job) {
            case 'goes on':
                return 'yes'; // even a busy thread releases what it holds
            case 'starts':
                return due;
            case 'aborts':
                return 'no';
            case 'sweeps':
                return due === 'no' ? 'no' : 'late';
            default:
                // A job that yields to others, or polls since nothing wakes it.
                if (delay === 0 || this.#options.polls || delay === LOOK_MS || due === 'no') {
                    return due;
                }
                return delay > LONGEST_WATCH_MS ? 'no' : delay > LONG_MS ? 'late' : 'soon';
        }
    }

    /** @param {ThreadState} before @param {Value | string} input @returns {ThreadState} */
    after(before, input) {
        const address = whatResolved(input);
        if (address !== undefined) {
            return { ...before, inbox: [...before.inbox, Number(address)].sort((one, other) => one - other) };
        }
        if (before.told.length > 0) {
            return { ...before, told: before.told.slice(1) };
        }
        if (before.call) {
            return this.#afterInstruction(before, before.call, input);
        }
        if (before.question) {
            const yes = YES[before.question.is];
            return this.#answered(before, yes === undefined ? input : input === yes);
        }
        const { job, which } = jobIn(String(input));
        const heard = job === 'hears' ? before.inbox.indexOf(which) : -1;
        const inbox = before.inbox.filter((_, at) => at !== heard);
        return this.#goesOn({ ...before, inbox, job: String(input) });
    }

    /** @param {ThreadState} before @param {RunningCall} call @param {Value | string} input */
    #afterInstruction(before, call, input) {
        const isOnGate = this.#objects.some(({ name, is }) => name === call.on && GATES.includes(is));
        const has = before.has + (isOnGate ? gained(call, input) : 0);
        const further = { ...call, ...goOn(this.#runner, call, input) };
        if (further.stop.atomic) {
            return { ...before, has, call: further };
        }
        const { value } = further.stop;
        return this.#answered({ ...before, has, told: [toldOf(call, value)] }, value);
    }

    /** @param {ThreadState} state @param {any} answer */
    #answered(state, answer) {
        return this.#goesOn({ ...state, answers: [...state.answers, answer] });
    }

    /** Runs the job up to the next question without an answer. @param {ThreadState} before @returns {ThreadState} */
    #goesOn(before) {
        const told = [...before.told];
        let from = before.answers.length;
        let answers = [...before.answers];
        let { rounds } = before;
        for (;;) {
            const run = this.#run(before.base, { ...jobIn(before.job), answers });
            const { question, task, told: crossings, between, round } = run;
            if (between !== undefined && !this.loops) {
                // Only the program is on the stack, and its log tells the position. So all answers that led
                // here lead to the same state.
                const first = this.#between.get(between) ?? answers;
                this.#between.set(between, first);
                answers = [...first];
                rounds = [];
            }
            if (round !== undefined) {
                const key = numberOf(this.#rounds, round);
                const first = rounds.findIndex((known) => known.key === key);
                // The loop has been here in the same state, so later answers do not matter.
                answers = first < 0 ? answers : answers.slice(0, rounds[first]?.at);
                rounds = first < 0 ? [...rounds, { at: answers.length, key }] : rounds.slice(0, first + 1);
            }
            // The crossings since the last answer.
            told.push(...crossings.flatMap(({ after, crossing }) => (after >= from ? [crossing] : [])));
            if (question?.is === 'call') {
                const call = this.#begin(question, task);
                if (!call.stop.atomic) {
                    // Other threads cannot observe this call.
                    told.push(toldOf(call, call.stop.value));
                    answers.push(call.stop.value);
                    from = answers.length;
                    continue;
                }
                return { ...before, answers, rounds, told, call, question: undefined };
            }
            if (question) {
                return { ...before, answers, rounds, told, call: undefined, question };
            }
            return { ...before, ...IDLE, base: run.after, told };
        }
    }

    /** Runs a job. The same answers give the same outcome, so it is remembered. @param {number} base @param {Job} job */
    #run(base, job) {
        const { runs } = this.#baseAt(base);
        const key = `${job.job} ${job.which} ${job.answers.length} ${job.answers}`;
        let run = runs.get(key);
        if (!run) {
            const instance = this.#instanceAt(base);
            run = { ...instance.run(job), after: -1 };
            if (run.question) {
                instance.end();
            } else {
                run.after = this.#baseOf(instance, base, job);
            }
            runs.set(key, run);
        }
        return run;
    }

    /** @param {Extract<Question, { is: 'call' }>} question @param {number} task @returns {RunningCall} */
    #begin({ name, parameters }, task) {
        const [address = 0, ...rest] = parameters;
        const object = this.#objects.find((known) => known.address === address);
        return {
            ...begin(this.#runner, name, address, rest),
            on: object?.name ?? '',
            parameters: rest,
            task,
        };
    }
}

/** @param {Map<string, number>} numbers @param {string} text */
function numberOf(numbers, text) {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
}

/** @param {string} name @param {number} address @param {...Value} operands @returns {Atomic} */
function step(name, address, ...operands) {
    return { name, address, operands, look: '' };
}

/** @param {RunningCall} call @param {Value | undefined} value @returns {Told} */
function toldOf({ name, on, task, parameters }, value) {
    return { name, on, task, parameters, value };
}

/** @param {string} text */
function jobIn(text) {
    const [, job = '', which = ''] = /^(.*) (\d+)$/.exec(text) ?? [];
    return { job: /** @type {Job['job']} */ (job), which: Number(which) };
}
