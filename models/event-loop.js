/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { GATE_LINE_OFFSET, GATE_TURN_OFFSET, RESULT_BUSY, RESULT_OK } from '../js-glue/layout.js';
import { MutexWaitable } from '../js-glue/mutex-waitable.js';
import { idleState, react } from '../js-glue/waiting.js';
import { begin, goOn, lengthOf, MUTEX_ADDRESS, releases } from './thread-call.js';
import { Violation } from './violation.js';

/* A thread with an event loop. It does its jobs in their order, each at any time, and waits by react(), the very
 * function of the glue, whose actions are performed here on the model as js-glue/request-queue.js performs them
 * on the engine. What goes into a step of the module and what its numbers mean is left to the glue, too. */

/**
 * @typedef {import('../js-glue/waiting.js').Word} Word
 * @typedef {import('./thread-call.js').Behaviour<LoopState>} LoopBehaviour
 *
 * @typedef {'request' | 'lock'} Job executeLocked(), or, in a worker, lock() and unlock()
 *
 * @typedef {object} LoopOptions
 * @property {typeof react} [react]
 * @property {typeof MutexWaitable} [Waitable]
 * @property {boolean} [polls] there is no waitAsync
 * @property {boolean} [longSections] sections go on while other jobs run, as with callbacks that return promises
 * @property {boolean} [rests] after a section the queue may rest, as after a burst of sections
 * @property {boolean} [aborts] a request that waits may be given up
 * @property {'at times' | 'for good'} [busy] at any moment another job of it may take long, or block; or, to have
 *     fewer states, one takes for ever as soon as the thread has done its jobs here and waits
 *
 * @typedef {object} LoopState
 * @property {Job[]} jobs still to be done
 * @property {number} waiting requests in the queue
 * @property {boolean} holding a section of the queue runs
 * @property {boolean} hasLeft a section has ended, and it is open whether the queue goes on or rests
 * @property {boolean} owns
 * @property {import('../js-glue/waiting.js').WaitState} wait
 * @property {import('../js-glue/waiting.js').WaitEvent[]} events
 * @property {import('../js-glue/waiting.js').WaitAction[]} actions
 * @property {string[]} inbox what comes by itself, in any order
 * @property {'' | 'polled' | 'outlasted'} timer what comes when it ends
 * @property {import('./thread-call.js').Call | undefined} call
 */

const DOES = { request: 'requests', lock: 'locks' };
const JOB_ENDS = 'ends its job';
const SECTION_ENDED = 'has ended its section';
const HAS_RESTED = 'has rested';
const ENDS_SECTION = 'ends its section';
const GOES_ON = 'goes on with its queue';
const RESTS = 'rests';
const GIVES_UP = 'gives a request up';
/** What a thread does when its timer ends. */
export const TIMER_ENDS = 'has its timer end';
const RESOLVED = 'resolved: ';

/** The name of a waitAsync among the atomic instructions, and what it comes to at once. */
export const WAIT_ASYNC = 'waitAsync';
export const ARMED = 'armed';
export const NOT_EQUAL = 'not-equal';

/**
 * What the machine says when an entry was woken or its time was up: its promise resolves, of which the thread
 * hears in a later job.
 * @param {Word} word
 */
export function resolved(word) {
    return `${RESOLVED}${word}`;
}

/** @type {Record<string, import('../js-glue/waiting.js').WaitEvent>} */
const EVENT_OF = {
    turn: { type: 'woken', word: 'turn' },
    line: { type: 'woken', word: 'line' },
    [JOB_ENDS]: { type: 'jobEnded' },
    [HAS_RESTED]: { type: 'rested' },
};

/** @param {Word} word */
function addressOf(word) {
    return MUTEX_ADDRESS + (word === 'turn' ? GATE_TURN_OFFSET : GATE_LINE_OFFSET);
}

/** @implements {LoopBehaviour} */
export class EventLoop {
    outlasts = true;
    #runner;
    #self;
    #jobs;
    #options;
    #waitable;
    /** The call that the glue asked for last. @type {(() => import('./thread-call.js').Call) | undefined} */
    #begin;
    #outcome = 0n;

    /**
     * @param {import('./thread-call.js').Runner} runner
     * @param {number} self
     * @param {Job[]} jobs
     * @param {LoopOptions} options
     */
    constructor(runner, self, jobs, options) {
        this.#runner = runner;
        this.#self = self;
        this.#jobs = jobs;
        this.#options = options;
        this.isBusy = options.busy !== undefined;
        /** @param {string} name */
        const exported = (name) => {
            /** @type {(address: number, ...parameters: number[]) => bigint} */
            return (_, ...parameters) => {
                this.#begin = () => begin(runner, name, ...parameters);
                return this.#outcome;
            };
        };
        const Waitable = options.Waitable ?? MutexWaitable;
        this.#waitable = new Waitable(
            /** @type {any} */ ({
                exports: { mutex_step: exported('mutex_step'), mutex_withdraw: exported('mutex_withdraw') },
                self,
            }),
            MUTEX_ADDRESS,
        );
    }

    /** @returns {LoopState} */
    start() {
        return {
            jobs: this.#jobs,
            waiting: 0,
            holding: false,
            hasLeft: false,
            owns: false,
            wait: idleState(this.#options.polls ?? false),
            events: [],
            actions: [],
            inbox: [],
            timer: '',
            call: undefined,
        };
    }

    /**
     * @param {LoopState} state
     * @returns {import('./thread-call.js').View}
     */
    view(state) {
        const { call, actions, owns } = state;
        const [action] = actions;
        const arms = !call && action?.type === 'arm';
        const runs = call !== undefined || arms;
        return {
            atomic: arms ? armOf(action) : call?.asleep ? undefined : call?.stop.atomic,
            sleeps: call?.asleep ? lengthOf(call) : '',
            choices: runs ? [] : this.#choices(state),
            owns,
            isDone: !runs && !state.jobs.length && !state.waiting && !state.holding && !state.inbox.length,
        };
    }

    /**
     * @param {LoopState} state
     * @returns {import('./thread-call.js').View['choices']}
     */
    #choices({ jobs: [job], waiting, holding, hasLeft, wait, inbox, timer }) {
        const { polls = false, aborts = false, busy } = this.#options;
        if (busy === 'for good' && job === undefined && wait.phase === 'waiting') {
            return [];
        }
        if (hasLeft) {
            return [choice(GOES_ON), choice(RESTS)];
        }
        const canDo = job !== undefined && !(job === 'lock' && holding);
        // A busy thread may hear of anything, sooner or later. But it does not keep the lock.
        const due = this.isBusy ? 'no' : 'yes';
        const own = [
            ...(canDo ? [choice(DOES[job], due)] : []),
            ...(aborts && waiting > 0 ? [choice(GIVES_UP, 'no')] : []),
        ];
        const microtasks = [JOB_ENDS, SECTION_ENDED].filter((item) => inbox.includes(item));
        if (microtasks.length > 0) {
            // Nothing but the rest of the running job comes before them.
            return [...own, ...microtasks.map((item) => choice(item, due))];
        }
        return [
            ...own,
            ...(holding ? [choice(ENDS_SECTION)] : []),
            ...[...new Set(inbox)].map((item) => choice(item, due)),
            // Without waitAsync the timer is how a thread waits; else it ends the reservation that it watches.
            ...(timer ? [choice(TIMER_ENDS, polls || this.isBusy ? due : 'soon')] : []),
        ];
    }

    /**
     * @param {LoopState} before
     * @param {import('./wasm-interpreter.js').Value | string} input
     */
    after(before, input) {
        const state = {
            ...before,
            events: [...before.events],
            actions: [...before.actions],
            inbox: [...before.inbox],
        };
        if (typeof input === 'string' && input.startsWith(RESOLVED)) {
            state.inbox = [...state.inbox, input.slice(RESOLVED.length)].sort();
            return state;
        }
        if (state.call) {
            state.owns &&= !releases(state.call, input);
            state.call = goOn(this.#runner, state.call, input);
        } else if (state.actions[0]?.type === 'arm') {
            this.#armed(state, state.actions.shift(), input === ARMED);
        } else {
            this.#choose(state, String(input));
        }
        this.#run(state);
        return state;
    }

    /**
     * @param {LoopState} state
     * @param {import('../js-glue/waiting.js').WaitAction | undefined} action
     * @param {boolean} isPending
     */
    #armed({ events }, action, isPending) {
        if (action?.type === 'arm') {
            const { word } = action;
            events.push(isPending ? { type: 'armed', word } : { type: 'woken', word });
        }
    }

    /**
     * @param {LoopState} state
     * @param {string} choice
     */
    #choose(state, choice) {
        switch (choice) {
            case DOES.request:
                state.jobs = state.jobs.slice(1);
                if (state.holding || state.waiting > 0) {
                    this.#enqueue(state);
                } else {
                    state.call = begin(this.#runner, 'mutex_trylock', this.#self);
                }
                break;
            case DOES.lock:
                state.jobs = state.jobs.slice(1);
                state.call = begin(this.#runner, 'mutex_lock', this.#self);
                break;
            case ENDS_SECTION:
                this.#leave(state);
                break;
            case GOES_ON:
            case RESTS:
                state.hasLeft = false;
                state.events.push({ type: 'sectionEnded', rest: choice === RESTS });
                break;
            case SECTION_ENDED:
                state.inbox.splice(state.inbox.indexOf(choice), 1);
                this.#endSection(state);
                break;
            case GIVES_UP:
                state.waiting -= 1;
                if (state.waiting === 0 && !state.holding) {
                    state.events.push({ type: 'emptied' });
                }
                break;
            case TIMER_ENDS:
                state.events.push({ type: /** @type {'polled' | 'outlasted'} */ (state.timer) });
                state.timer = '';
                break;
            default:
                state.events.push(/** @type {typeof EVENT_OF[string]} */ (EVENT_OF[choice]));
                state.inbox.splice(state.inbox.indexOf(choice), 1);
        }
    }

    /** @param {LoopState} state */
    #enqueue(state) {
        state.waiting += 1;
        if (!state.holding) {
            state.events.push({ type: 'requested' });
        }
    }

    /**
     * Goes on until the thread touches shared memory, or has nothing to do before something happens to it.
     * @param {LoopState} state
     */
    #run(state) {
        const reactTo = this.#options.react ?? react;
        while (!state.call?.stop.atomic && state.actions[0]?.type !== 'arm') {
            const action = state.call ? undefined : state.actions.shift();
            const event = state.call || action ? undefined : state.events.shift();
            if (state.call && !state.call.stop.atomic) {
                this.#ended(state, state.call.name, state.call.stop.value);
            } else if (action) {
                this.#perform(state, action);
            } else if (event) {
                const reaction = reactTo(state.wait, event);
                state.wait = reaction.state;
                state.actions = [...reaction.actions];
            } else {
                return;
            }
        }
    }

    /**
     * @param {LoopState} state
     * @param {string} name of the call
     * @param {import('./wasm-interpreter.js').Value | undefined} value
     */
    #ended(state, name, value) {
        state.call = undefined;
        if (name === 'mutex_step') {
            this.#outcome = BigInt(value ?? 0);
            state.events.unshift(this.#step(state, 0, false));
        } else if (name === 'mutex_trylock' && value === RESULT_BUSY) {
            this.#enqueue(state);
        } else if (name === 'mutex_trylock' && value === RESULT_OK) {
            this.#enter(state);
        } else if (name === 'mutex_lock' && value === RESULT_OK) {
            state.owns = true;
            state.call = begin(this.#runner, 'mutex_unlock', this.#self);
        } else if (name === 'mutex_unlock' && value === RESULT_OK) {
            this.#left(state);
        } else if (name !== 'mutex_withdraw') {
            throw new Violation(`${name} returned ${value}`);
        }
    }

    /** @param {LoopState} state */
    #enter(state) {
        state.owns = true;
        state.holding = true;
        if (!this.#options.longSections) {
            this.#leave(state);
        }
    }

    /** @param {LoopState} state */
    #leave(state) {
        state.call = begin(this.#runner, 'mutex_unlock', this.#self);
    }

    /** @param {LoopState} state */
    #left(state) {
        // A blocking section leaves the queue alone.
        if (!state.holding) {
            return;
        }
        state.holding = false;
        if (state.waiting > 0 && this.#options.longSections) {
            state.inbox = [...state.inbox, SECTION_ENDED].sort();
        } else if (state.waiting > 0) {
            this.#endSection(state);
        }
    }

    /** @param {LoopState} state */
    #endSection(state) {
        if (this.#options.rests) {
            state.hasLeft = true;
        } else {
            state.events.push({ type: 'sectionEnded', rest: false });
        }
    }

    /**
     * Begins a step, or understands the outcome of one.
     * @param {LoopState} state
     * @param {number} watched
     * @param {boolean} inLine
     */
    #step(state, watched, inLine) {
        return this.#waitable.step(state.wait.polls, inLine, watched);
    }

    /**
     * @param {LoopState} state
     * @param {import('../js-glue/waiting.js').WaitAction} action
     */
    #perform(state, action) {
        switch (action.type) {
            case 'defer':
                state.inbox = [...state.inbox, JOB_ENDS].sort();
                break;
            case 'rest':
                state.inbox = [...state.inbox, HAS_RESTED].sort();
                break;
            case 'step':
                if (state.waiting === 0 || state.holding) {
                    state.events.unshift({ type: 'emptied' });
                } else {
                    this.#step(state, action.watched, action.inLine);
                    state.call = this.#begin?.();
                }
                break;
            case 'withdraw':
                this.#waitable.withdraw(state.wait.polls);
                state.call = this.#begin?.();
                break;
            case 'run':
                if (state.waiting === 0) {
                    throw new Violation('the lock was taken for nobody');
                }
                state.waiting -= 1;
                this.#enter(state);
                break;
            case 'startTimer':
                if (state.timer) {
                    throw new Violation('two timers run at once');
                }
                state.timer = action.then;
                break;
            case 'stopTimer':
                state.timer = '';
                break;
        }
    }
}

/**
 * @param {string} input
 * @param {import('./thread-call.js').Due} [due]
 */
function choice(input, due = 'yes') {
    return { input, due };
}

/**
 * A waitAsync as the atomic operation that it is.
 * @param {Extract<import('../js-glue/waiting.js').WaitAction, { type: 'arm' }>} action
 */
function armOf({ word, expected }) {
    return { name: WAIT_ASYNC, address: addressOf(word), operands: [expected], look: '' };
}
