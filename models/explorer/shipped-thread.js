/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { GlueInstance, limitOf } from './glue-instance.js';
import { ARMED, begin, choice, gained, goOn, sleepOf, WAIT_ASYNC, whatResolved } from './thread-call.js';
import { DUE_END_OF } from './wait-queue.js';

/* A thread that runs programs on the package as it ships. Between two jobs its state is a snapshot of all that the package
 * and the programs know; within a job it is that, and what was answered to the questions so far. */

/**
 * @typedef {import('../wasm/interpreter.js').Value} Value
 * @typedef {import('./thread-call.js').Behaviour<ThreadState>} Behaviour
 * @typedef {import('./thread-call.js').View} View
 * @typedef {import('./glue-instance.js').Question} Question
 *
 * @typedef {object} ThreadOptions
 * @property {[program: string, ...parameters: any[]][]} tasks several: an event loop that begins them one after the other
 * @property {boolean} [loops] it is an event loop although it has one task only
 * @property {boolean} [blocks] and it may block while its event loop is next
 * @property {boolean} [isLimited] it has time limits, or watches
 * @property {boolean} [polls] there is no waitAsync
 * @property {boolean} [isOld] it has waited for long before its first job ends
 * @property {Record<string, string | number>} [constants] of js-glue that are others
 * @property {string} [from] a folder with other sources of the package
 * @property {'at times' | 'for good' | undefined} [busy] at any moment another job of it may take long; or, to have fewer states, one
 *     takes for ever as soon as it has begun all its tasks and waits
 * @property {boolean} [isForlorn] nobody depends on its coming to an end: what it waits for may never be there
 * @property {number} [holds] so much of the first object it has at the start
 * @property {number} [copyOf] it is another copy of the package in that thread: both have one identity, and run one job at a time
 *
 * @typedef {object} Told something that has happened, for those who judge it; no other thread sees it
 * @property {string} name of the call that has ended, or `enters`, `leaves`
 * @property {string} on
 * @property {number} task -1: it is not known whose call it was
 * @property {readonly number[]} parameters behind the address
 * @property {Value} [value]
 *
 * @typedef {import('./thread-call.js').Call & { on: string, parameters: number[], task: number }} RunningCall
 *
 * @typedef {object} ThreadState
 * @property {number} base the snapshot at the end of the last job
 * @property {string} job that runs; '': none
 * @property {readonly any[]} answers so far
 * @property {readonly { at: number, key: string }[]} rounds where a loop came by, and how all was there
 * @property {Exclude<Question, { is: 'call' }> | undefined} question that is open
 * @property {RunningCall | undefined} call that is open
 * @property {readonly Told[]} told
 * @property {readonly number[]} inbox the addresses of entries that have come back, in any order
 * @property {number} has how much it has taken by the word, from the compare-exchange that took it
 *
 * @typedef {object} Base
 * @property {string} text
 * @property {number} before the base that it came from; -1: the start
 * @property {import('./glue-instance.js').Job | undefined} job by which
 * @property {import('./thread.js').Offer[]} offers
 * @property {string[]} standing
 * @property {string} left what is wrong with what it leaves behind, if all are done; '' if nothing is
 * @property {Map<string, import('./glue-instance.js').Outcome & { after: number }>} runs of jobs from here; after: the base
 *     that one ends in
 */

/** What is no instruction of the module, but a step of a program all the same. */
export const TELL = 'tell';
export const DATA = 'data';
export const UNTIL = 'until';
export const LOOK = 'half load';

/** Longer than all reservations. */
const LONG_MS = 20;
/** Longer than anything is watched: a limit of the program's. */
const LONGEST_WATCH_MS = 500;
/** The glue looks after that time, where nobody wakes it (glue-code.js). */
const LOOK_MS = 2;
/** Instances that are kept for one more job of theirs. */
const MOST_LIVE = 64;

/** What stands on a gate. */
const GATES = ['mutex', 'rwlock', 'semaphore', 'auto event', 'once'];

/** One that looks by timer has one timer for that and for what it watches: all that it waits for comes then. */
const POLLING = { POLL_MS: 8, LONGEST_POLL_MS: 8, HURRIED_POLL_MS: 8 };

const TIME_IS_UP = 'its time is up';
const WAITS_ON = 'waits on';
const WATCHES = 'watches long enough';
const WATCHES_NO_MORE = 'watches no more';

/** @implements {Behaviour} */
export class ShippedThread {
    #runner;
    #options;
    #instanceOptions;
    #names;
    #addresses;
    #mayBeSwept;
    #has;
    #startsLater;
    #gates;
    /** @type {Base[]} */
    #bases = [];
    /** @type {Map<string, number>} */
    #known = new Map();
    /** @type {Map<string, any[]>} */
    #between = new Map();
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
     * @param {boolean} world.mayBeSwept its sweeps may come
     * @param {boolean} world.startsLater another copy may come first
     * @param {number} [world.has] how much the word says that it has at the start
     */
    constructor(runner, self, options, { objects, memory, exports, mayBeSwept, startsLater, has = 0 }) {
        this.self = self;
        this.#has = has;
        this.#startsLater = startsLater || options.tasks.length > 1;
        this.#runner = runner;
        this.#options = options;
        this.#names = new Map(objects.map(({ name, address }) => [address, name]));
        this.#addresses = new Map(objects.map(({ name, address }) => [name, address]));
        this.#mayBeSwept = mayBeSwept;
        this.#gates = new Set(objects.filter(({ is }) => GATES.includes(is)).map(({ name }) => name));
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
        /** @type {ThreadState} */
        const state = {
            ...{ base, job: '', answers: [], rounds: [], question: undefined, call: undefined },
            ...{ told: [], inbox: [], has: this.#has },
        };
        return this.#startsLater ? state : this.#goesOn({ ...state, job: 'starts 0' });
    }

    /** @param {number} base */
    #baseAt(base) {
        return /** @type {Base} */ (this.#bases[base]);
    }

    /**
     * @param {GlueInstance} instance between two jobs
     * @param {number} before
     * @param {import('./glue-instance.js').Job | undefined} job
     */
    #baseOf(instance, before, job) {
        const text = instance.snapshot();
        let base = this.#known.get(text);
        if (base === undefined) {
            base = this.#bases.length;
            this.#known.set(text, base);
            const [offers, standing, left] = [instance.offers(), instance.standing(), instance.leftBehind()];
            this.#bases.push({ text, before, job, offers, standing, left, runs: new Map() });
            this.#keep(base, instance);
        } else {
            instance.end();
        }
        return base;
    }

    /**
     * @param {number} base
     * @param {GlueInstance} instance
     */
    #keep(base, instance) {
        this.#live.set(base, instance);
        const [oldest = -1] = this.#live.keys();
        if (this.#live.size > MOST_LIVE) {
            this.#live.get(oldest)?.end();
            this.#live.delete(oldest);
        }
    }

    /**
     * An instance in that state, to be used once.
     *
     * @param {number} base
     */
    #instanceAt(base) {
        const live = this.#live.get(base);
        if (live) {
            this.#live.delete(base);
            return live;
        }
        const jobs = [];
        for (let at = base; at >= 0; at = this.#baseAt(at).before) {
            const { job } = this.#baseAt(at);
            if (job) {
                jobs.unshift(job);
            }
        }
        const instance = new GlueInstance(this.#instanceOptions);
        jobs.forEach((job) => instance.run(job));
        return instance;
    }

    /**
     * @param {ThreadState} state
     * @returns {View}
     */
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
     * What it does next, if that is its only choice.
     *
     * @param {ThreadState} state
     * @returns {(import('../wasm/interpreter.js').Atomic & { told?: Told }) | undefined}
     */
    #atomicOf({ told: [first], call, question }) {
        if (first) {
            return { name: TELL, address: 0, operands: [], look: '', told: first };
        }
        if (call) {
            return call.asleep ? undefined : call.stop.atomic;
        }
        switch (question?.is) {
            case 'arm':
                return {
                    ...{ name: WAIT_ASYNC, address: question.address },
                    ...{ operands: [question.expected], look: '' },
                };
            case 'load':
                return { name: LOOK, address: question.address, operands: [], look: '' };
            case 'notify':
                return {
                    ...{ name: 'memory.atomic.notify', address: question.address },
                    ...{ operands: [question.count], look: '' },
                };
            case 'data':
                return {
                    name: DATA,
                    address: this.#addressOf(question.on),
                    operands: [question.by],
                    look: '',
                };
            case 'until':
                return {
                    name: UNTIL,
                    address: this.#addressOf(question.on),
                    operands: [question.least],
                    look: '',
                };
            default:
                return undefined;
        }
    }

    /** @param {string} name */
    #addressOf(name) {
        const address = this.#addresses.get(name);
        if (address === undefined) {
            throw new Error(`there is no ${name}`);
        }
        return address;
    }

    /**
     * @param {ThreadState} state
     * @returns {View['choices']}
     */
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

    /**
     * @param {import('./thread.js').Offer} offer
     * @param {'yes' | 'no'} due
     * @returns {import('./thread-call.js').Due}
     */
    #dueOf({ job, delay = 0 }, due) {
        switch (job) {
            case 'goes on':
                return 'yes'; // it does not keep what it has
            case 'starts':
                return due;
            case 'aborts':
                return 'no';
            case 'sweeps':
                return due === 'no' ? 'no' : 'late';
            default:
                // A job that only lets others go first, and looks where nobody wakes it.
                if (delay === 0 || this.#options.polls || delay === LOOK_MS || due === 'no') {
                    return due;
                }
                return delay > LONGEST_WATCH_MS ? 'no' : delay > LONG_MS ? 'late' : 'soon';
        }
    }

    /**
     * @param {ThreadState} before
     * @param {Value | string} input
     * @returns {ThreadState}
     */
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
            return this.#answered(before, this.#answerOf(before.question, input));
        }
        const [, job = '', which = ''] = /^(.*) (\d+)$/.exec(String(input)) ?? [];
        const inbox =
            job === 'hears' ? without(before.inbox, before.inbox.indexOf(Number(which))) : before.inbox;
        return this.#goesOn({ ...before, inbox, job: String(input) });
    }

    /**
     * @param {Question} question
     * @param {Value | string} input
     */
    #answerOf({ is }, input) {
        switch (is) {
            case 'arm':
                return input === ARMED;
            case 'clock':
                return input === TIME_IS_UP;
            case 'watch':
                return input === WATCHES;
            default:
                return input;
        }
    }

    /**
     * @param {ThreadState} before
     * @param {RunningCall} call
     * @param {Value | string} input
     * @returns {ThreadState}
     */
    #afterInstruction(before, call, input) {
        const has = before.has + (this.#gates.has(call.on) ? gained(call, input) : 0);
        const further = { ...call, ...goOn(this.#runner, call, input) };
        if (further.stop.atomic) {
            return { ...before, has, call: further };
        }
        const { value } = further.stop;
        const ended = toldOf(call, value);
        return this.#answered({ ...before, has, told: [ended] }, value);
    }

    /**
     * @param {ThreadState} state
     * @param {any} answer
     */
    #answered(state, answer) {
        return this.#goesOn({ ...state, answers: [...state.answers, answer] });
    }

    /**
     * The job goes on, up to what is not answered yet.
     *
     * @param {ThreadState} before
     * @returns {ThreadState}
     */
    #goesOn(before) {
        const [, job = '', which = ''] = /^(.*) (\d+)$/.exec(before.job) ?? [];
        const told = [...before.told];
        let from = before.answers.length;
        let answers = [...before.answers];
        let { rounds } = before;
        for (;;) {
            const run = this.#run(before.base, {
                job: /** @type {any} */ (job),
                which: Number(which),
                answers,
            });
            const { question, task, told: crossings, between, round } = run;
            if (between !== undefined && !this.loops) {
                // Nothing but the program is on the stack, and its log says where: what led here is all the same.
                answers = this.#sameAs(between, answers);
                rounds = [];
            }
            if (round !== undefined) {
                const first = rounds.findIndex(({ key }) => key === round);
                // The loop came by here in the same way: what it did since is nothing that lasts.
                answers = first < 0 ? answers : answers.slice(0, rounds[first]?.at);
                rounds =
                    first < 0 ? [...rounds, { at: answers.length, key: round }] : rounds.slice(0, first + 1);
            }
            // What programs have told since the last answer.
            told.push(...crossings.flatMap(({ after, crossing }) => (after >= from ? [crossing] : [])));
            if (question?.is === 'call') {
                const call = this.#begin(question, task);
                if (!call.stop.atomic) {
                    // It does nothing that others see, but has come to something.
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
            const done = { ...before, base: run.after, job: '', answers: [], rounds: [], told };
            return { ...done, call: undefined, question: undefined };
        }
    }

    /**
     * What comes of a job with these answers, which is always the same.
     *
     * @param {number} base
     * @param {import('./glue-instance.js').Job} job
     */
    #run(base, job) {
        const { runs } = this.#baseAt(base);
        const key = `${job.job} ${job.which} ${job.answers.length} ${job.answers}`;
        let run = runs.get(key);
        if (!run) {
            const instance = this.#instanceAt(base);
            const outcome = instance.run(job);
            run = { ...outcome, after: -1 };
            if (outcome.question) {
                instance.end();
            } else {
                run.after = this.#baseOf(instance, base, job);
            }
            runs.set(key, run);
        }
        return run;
    }

    /**
     * The first answers that led to such a state of a worker's one job.
     *
     * @param {string} state
     * @param {any[]} answers
     */
    #sameAs(state, answers) {
        const first = this.#between.get(state) ?? answers;
        this.#between.set(state, first);
        return [...first];
    }

    /**
     * @param {Extract<Question, { is: 'call' }>} question
     * @param {number} task
     * @returns {RunningCall}
     */
    #begin({ name, parameters }, task) {
        const [address = 0, ...rest] = parameters;
        return {
            ...begin(this.#runner, name, address, rest),
            on: this.#names.get(address) ?? '',
            parameters: rest,
            task,
        };
    }
}

/**
 * @param {RunningCall} call
 * @param {Value | undefined} value
 * @returns {Told}
 */
function toldOf({ name, on, task, parameters }, value) {
    return { name, on, task, parameters, value };
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {number} place
 */
function without(list, place) {
    return list.filter((_, at) => at !== place);
}
