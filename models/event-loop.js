/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    GATE_LINE_OFFSET,
    GATE_POLLED_RESERVATION_MS,
    GATE_TURN_OFFSET,
    RESULT_BUSY,
    RESULT_OK,
    RESULT_TIMEOUT,
} from '../js-glue/memory/layout.js';
import { Gate } from '../js-glue/waiting/gate.js';
import { idleState, MOST_REFUSALS, react } from '../js-glue/waiting/decide.js';
import { PlannedGate } from './planned-gate.js';
import { LONGEST_WAIT_US } from './primitive.js';
import {
    ARMED,
    begin,
    checkHad,
    choice,
    gained,
    GATE_ADDRESS,
    goOn,
    LIMIT_US,
    NO_TIME,
    sleepOf,
    WAIT_ASYNC,
    whatResolved,
} from './thread-call.js';
import { Violation } from './violation.js';

/* A thread with an event loop. It does its jobs in their order, each at any time, and waits by react(), the very
 * function of the glue, whose actions are performed here on the model as js-glue/waiting/queue.js performs them
 * on the engine. What goes into a step of the module and what its numbers mean is left to the glue, too. */

/**
 * @typedef {import('../js-glue/waiting/decide.js').Word} Word
 * @typedef {import('./thread-call.js').Behaviour<LoopState>} LoopBehaviour
 *
 * @typedef {'request' | 'lock' | 'tryLock' | 'tryLock for a while' | 'tryLock and keep' | 'acquire' | 'release'} Job
 *     executeLocked(); or, in a worker, lock() and unlock(), or the same with tryLock(), which waits once at most, or
 *     with no unlock(); or lock() alone, and unlock() of that in a later job
 *
 * @typedef {object} LoopOptions
 * @property {number[]} [asks] what each of its jobs asks for; 1 by default, and of a mutex always itself
 * @property {typeof react} [react]
 * @property {typeof Gate} [Waitable]
 * @property {boolean} [polls] there is no waitAsync
 * @property {boolean} [late] each other step claims the place as one that comes late; more often than in the glue, so that
 *     few jobs have both
 * @property {boolean} [isOld] it has waited for long before it comes
 * @property {boolean} [longSections] sections go on while other jobs run, as with callbacks that return promises
 * @property {boolean} [rests] after a section the queue may rest, as after a burst of sections
 * @property {boolean} [aborts] a request that waits may be given up
 * @property {'at times' | 'for good'} [busy] at any moment another job of it may take long, or block; or, to have
 *     fewer states, one takes for ever as soon as the thread has done its jobs here and waits
 *
 * @typedef {object} LoopState
 * @property {number} at which of its jobs it has come to
 * @property {readonly number[]} waiting what the requests in the queue ask for
 * @property {readonly number[]} held what the sections of requests have been given that run
 * @property {readonly number[]} kept what it has taken and gives back in a later job, or never
 * @property {boolean} hasLeft a section has ended, and it is open whether the queue goes on or rests
 * @property {boolean} comesLate the last step was made so
 * @property {number} ask of the call that runs
 * @property {boolean} blocks the call that runs is of a job that is no request
 * @property {boolean} limited and its time ends with its first wait
 * @property {boolean} inside and that job has the lock
 * @property {number} has
 * @property {import('../js-glue/waiting/decide.js').WaitState} wait
 * @property {import('../js-glue/waiting/decide.js').WaitEvent[]} events
 * @property {import('../js-glue/waiting/decide.js').WaitAction[]} actions
 * @property {string[]} inbox what comes by itself, in any order
 * @property {'' | 'polled' | 'outlasted'} timer what comes when it ends
 * @property {boolean} isTimerLong it lasts longer than all reservations
 * @property {import('./thread-call.js').Call | undefined} call
 */

const DOES = {
    request: 'requests',
    lock: 'locks',
    tryLock: 'tries',
    'tryLock for a while': 'tries for a while',
    'tryLock and keep': 'tries, to keep it',
    acquire: 'locks, to release it later',
    release: 'releases what it has',
};
const JOB_ENDS = 'ends its job';
const SECTION_ENDED = 'has ended its section';
const HAS_RESTED = 'has rested';
const ENDS_SECTION = 'ends its section';
const GOES_ON = 'goes on with its queue';
const RESTS = 'rests';
const GIVES_UP = 'gives a request up';
const GIVES_LAST_UP = 'gives its last request up';
/** The jobs that block, as long as it takes or for a while. */
const BLOCKING_JOBS = ['lock', 'acquire', 'tryLock for a while'];
/** The jobs that keep what they take. */
const KEEPING_JOBS = ['acquire', 'tryLock and keep'];
/** Longer than those wait that have just come. */
const LONG_MS = 20;
/** What a thread does when its timer ends. */
export const TIMER_ENDS = 'has its timer end';

/** @type {Record<string, import('../js-glue/waiting/decide.js').WaitEvent>} */
const EVENT_OF = {
    turn: { type: 'woken', word: 'turn' },
    line: { type: 'woken', word: 'line' },
    [JOB_ENDS]: { type: 'jobEnded' },
    [HAS_RESTED]: { type: 'rested' },
};

/** @param {Word} word */
function addressOf(word) {
    return GATE_ADDRESS + (word === 'turn' ? GATE_TURN_OFFSET : GATE_LINE_OFFSET);
}

/** @implements {LoopBehaviour} */
export class EventLoop {
    outlasts = true;
    #runner;
    #self;
    #jobs;
    #primitive;
    #options;
    #gate;

    /**
     * @param {import('./thread-call.js').Runner} runner
     * @param {number} self
     * @param {Job[]} jobs
     * @param {import('./primitive.js').Primitive} primitive
     * @param {LoopOptions} options
     */
    constructor(runner, self, jobs, primitive, options) {
        this.#runner = runner;
        this.#self = self;
        this.#jobs = jobs;
        this.#primitive = primitive;
        this.#options = options;
        this.isBusy = options.busy !== undefined;
        this.blocks = jobs.includes('request') && jobs.some((job) => BLOCKING_JOBS.includes(job));
        this.#gate = new PlannedGate(options.Waitable ?? Gate, self, GATE_ADDRESS, primitive.capacity);
    }

    /** @returns {LoopState} */
    start() {
        return {
            at: 0,
            waiting: [],
            held: [],
            kept: [],
            hasLeft: false,
            comesLate: this.#options.polls ?? false,
            ask: 0,
            blocks: false,
            limited: false,
            inside: false,
            has: 0,
            wait: idleState(this.#options.polls ?? false),
            events: [],
            actions: [],
            inbox: [],
            timer: '',
            isTimerLong: false,
            call: undefined,
        };
    }

    /**
     * @param {LoopState} state
     * @returns {import('./thread-call.js').View}
     */
    view(state) {
        const { call, actions, has } = state;
        const [action] = actions;
        const arms = !call && action?.type === 'arm';
        const runs = call !== undefined || arms;
        return {
            atomic: arms ? armOf(action) : call?.asleep ? undefined : call?.stop.atomic,
            sleeps: sleepOf(call, state.limited),
            choices: runs ? [] : this.#choices(state),
            owns: this.#owned(state),
            has,
            isDone: !runs && state.at === this.#jobs.length && isIdle(state),
        };
    }

    /** @param {number} ask */
    #amountOf(ask) {
        return this.#primitive.amountOf(this.#self, ask);
    }

    /**
     * The amounts of the sections that run.
     * @param {LoopState} state
     */
    #owned({ held, kept, inside, ask }) {
        return [...held, ...kept, ...(inside ? [ask] : [])].map((each) => this.#amountOf(each));
    }

    /** @param {LoopState} state */
    #isHeldUp({ held }) {
        return this.#primitive.holdsUp && held.length > 0;
    }

    /**
     * @param {LoopState} state
     * @returns {import('./thread-call.js').View['choices']}
     */
    #choices(state) {
        const { at, held, hasLeft, wait, inbox, timer, isTimerLong } = state;
        const job = this.#jobs[at];
        const { polls = false, busy } = this.#options;
        if (busy === 'for good' && job === undefined && wait.phase === 'waiting') {
            return [];
        }
        if (hasLeft) {
            return [choice(GOES_ON), choice(RESTS)];
        }
        const canDo = job !== undefined && !(BLOCKING_JOBS.includes(job) && held.length > 0);
        // A busy thread may hear of anything, sooner or later. But it does not keep the lock.
        const due = this.isBusy ? 'no' : 'yes';
        const own = [...(canDo ? [choice(DOES[job], due)] : []), ...this.#waysToGiveUp(state)];
        // Without waitAsync, and where that says too often that the word is another; else it ends what is watched.
        const isHowItWaits = polls || wait.refused === MOST_REFUSALS;
        const dueEnd = isTimerLong ? 'late' : 'soon';
        const microtasks = [JOB_ENDS, SECTION_ENDED].filter((item) => inbox.includes(item));
        if (microtasks.length > 0) {
            // Nothing but the rest of the running job comes before them.
            return [...own, ...microtasks.map((item) => choice(item, due))];
        }
        return [
            ...own,
            ...(held.length > 0 ? [choice(ENDS_SECTION)] : []),
            ...[...new Set(inbox)].map((item) => choice(item, due)),
            ...(timer ? [choice(TIMER_ENDS, isHowItWaits || this.isBusy ? due : dueEnd)] : []),
        ];
    }

    /** @param {LoopState} state */
    #waysToGiveUp({ waiting }) {
        if (!this.#options.aborts || waiting.length === 0) {
            return [];
        }
        const isAllTheSame = waiting.every((ask) => ask === waiting[0]);
        return [choice(GIVES_UP, 'no'), ...(isAllTheSame ? [] : [choice(GIVES_LAST_UP, 'no')])];
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
        const word = whatResolved(input);
        if (word !== undefined) {
            state.inbox = [...state.inbox, word].sort();
            return state;
        }
        if (state.call) {
            const gains = gained(state.call, input);
            state.has += gains;
            if (gains < 0) {
                this.#releases(state);
            }
            state.call = goOn(this.#runner, state.call, input);
        } else if (state.actions[0]?.type === 'arm') {
            this.#armed(state, state.actions.shift(), input === ARMED);
        } else {
            this.#choose(state, String(input));
        }
        this.#run(state);
        return state;
    }

    /** @param {LoopState} state */
    #releases(state) {
        if (state.inside) {
            state.inside = false;
        } else {
            state.held = without(state.held, state.held.indexOf(state.ask));
        }
    }

    /**
     * @param {LoopState} state
     * @param {import('../js-glue/waiting/decide.js').WaitAction | undefined} action
     * @param {boolean} isPending
     */
    #armed({ events }, action, isPending) {
        if (action?.type === 'arm') {
            const { word } = action;
            events.push({ type: isPending ? 'armed' : 'refused', word });
        }
    }

    /**
     * @param {LoopState} state
     * @param {string} choice
     */
    #choose(state, choice) {
        switch (choice) {
            case DOES.request:
            case DOES.lock:
            case DOES.tryLock:
            case DOES['tryLock for a while']:
            case DOES['tryLock and keep']:
            case DOES.acquire:
            case DOES.release:
                this.#doNextJob(state);
                break;
            case ENDS_SECTION:
                state.ask = state.held[0] ?? 0;
                this.#unlock(state);
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
                this.#giveUp(state, 0);
                break;
            case GIVES_LAST_UP:
                this.#giveUp(state, state.waiting.length - 1);
                break;
            case TIMER_ENDS:
                state.events.push({ type: /** @type {'polled' | 'outlasted'} */ (state.timer) });
                state.timer = '';
                state.isTimerLong = false;
                break;
            default:
                state.events.push(/** @type {typeof EVENT_OF[string]} */ (EVENT_OF[choice]));
                state.inbox.splice(state.inbox.indexOf(choice), 1);
        }
    }

    /** @param {LoopState} state */
    #doNextJob(state) {
        const job = this.#jobs[state.at];
        const ask = this.#options.asks?.[state.at] ?? 1;
        state.at += 1;
        if (job === 'request' && (this.#isHeldUp(state) || state.waiting.length > 0)) {
            this.#enqueue(state, ask);
            return;
        }
        state.ask = ask;
        state.blocks = job !== 'request';
        if (job === 'release') {
            state.ask = state.kept[0] ?? 0;
            state.kept = without(state.kept, 0);
            state.inside = true;
            this.#unlock(state);
            return;
        }
        const { lock, tryLock } = this.#primitive;
        if (job === 'tryLock for a while') {
            state.limited = true;
            this.#wait(state, 0, LIMIT_US);
        } else {
            const blocks = job === 'lock' || job === 'acquire';
            this.#call(state, (blocks ? lock : tryLock)(this.#self, ask));
        }
    }

    /**
     * @param {LoopState} state
     * @param {import('./primitive.js').Planned} planned
     */
    #call(state, [name, ...parameters]) {
        state.call = begin(this.#runner, name, ...parameters);
    }

    /**
     * @param {LoopState} state
     * @param {number} token
     * @param {number} limit
     */
    #wait(state, token, limit) {
        const { capacity } = this.#primitive;
        this.#call(state, ['gate_wait', this.#self, token, limit, this.#amountOf(state.ask), capacity]);
    }

    /**
     * @param {LoopState} state
     * @param {number} ask
     */
    #enqueue(state, ask) {
        state.waiting = [...state.waiting, ask];
        state.events.push({ type: 'requested', isHeldUp: this.#isHeldUp(state) });
    }

    /**
     * @param {LoopState} state
     * @param {number} place
     */
    #giveUp(state, place) {
        const ask = state.waiting[place];
        state.waiting = without(state.waiting, place);
        const [first] = state.waiting;
        const left = first === undefined ? 'none' : first === ask ? 'same' : 'other';
        state.events.push({ type: 'gaveUp', wasFirst: place === 0, left });
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
        if (name === 'gate_step') {
            const event = this.#gate.understand(value ?? 0);
            const isDone = event.type === 'stepped' && event.next === 'done';
            this.#check(state, name, isDone ? [state.ask] : []);
            state.events.unshift(event);
            return;
        }
        const isNote = name.endsWith('_note');
        const isUnlock = name === this.#primitive.unlock(this.#self, state.ask)[0];
        if (isNote || isUnlock || name === 'gate_withdraw') {
            this.#check(state, name, []);
        }
        if (isNote) {
            this.#goIn(state);
        } else if (isUnlock && value === RESULT_OK) {
            this.#left(state);
        } else if (name !== 'gate_withdraw') {
            this.#asked(state, name, Number(value));
        }
    }

    /**
     * @param {LoopState} state
     * @param {string} name of the call that has ended
     * @param {number[]} passed what has just been passed for
     */
    #check(state, name, passed) {
        const amounts = [...this.#owned(state), ...passed.map((ask) => this.#amountOf(ask))];
        const sum = amounts.reduce((all, amount) => all + amount, 0);
        checkHad(name, state.has, sum);
    }

    /**
     * A call that locks, or tries to, has ended.
     * @param {LoopState} state
     * @param {string} name
     * @param {number} result
     */
    #asked(state, name, result) {
        const { ask } = state;
        this.#check(state, name, result === RESULT_OK ? [ask] : []);
        if (result === RESULT_OK) {
            this.#enter(state);
        } else if (name === 'gate_wait' && result < 0) {
            this.#wait(state, result, state.limited ? NO_TIME : LONGEST_WAIT_US);
        } else if (
            name === this.#primitive.tryLock(this.#self, ask)[0] &&
            (result === RESULT_BUSY || result < 0)
        ) {
            if (!state.blocks) {
                this.#enqueue(state, ask);
            }
            state.blocks = false;
        } else if (name === 'gate_wait' && result === RESULT_TIMEOUT && state.limited) {
            state.blocks = false;
            state.limited = false;
        } else {
            throw new Violation(`${name} returned ${result}`);
        }
    }

    /** @param {LoopState} state */
    #enter(state) {
        if (state.blocks) {
            state.inside = true;
        } else {
            state.held = [...state.held, state.ask];
        }
        const note = this.#primitive.note(this.#self, state.ask);
        if (note) {
            this.#call(state, note);
        } else {
            this.#goIn(state);
        }
    }

    /** @param {LoopState} state */
    #goIn(state) {
        const job = this.#jobs[state.at - 1];
        if (state.blocks && job && KEEPING_JOBS.includes(job)) {
            state.kept = [...state.kept, state.ask];
            state.blocks = state.inside = false;
        } else if (state.blocks || !this.#options.longSections) {
            this.#unlock(state);
        }
    }

    /** @param {LoopState} state */
    #unlock(state) {
        this.#call(state, this.#primitive.unlock(this.#self, state.ask));
    }

    /** @param {LoopState} state */
    #left(state) {
        // A blocking section leaves the queue alone.
        if (state.blocks) {
            state.blocks = false;
            state.limited = false;
        } else if (this.#primitive.holdsUp) {
            state.events.push(this.#served(state));
        }
    }

    /**
     * @param {LoopState} state
     * @returns {import('../js-glue/waiting/decide.js').WaitEvent}
     */
    #served(state) {
        return { type: 'served', waits: state.waiting.length > 0, isHeldUp: this.#isHeldUp(state) };
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
     * @param {LoopState} state
     * @param {import('../js-glue/waiting/decide.js').WaitAction} action
     */
    #perform(state, action) {
        const [first] = state.waiting;
        switch (action.type) {
            case 'defer':
                state.inbox = [...state.inbox, JOB_ENDS].sort();
                break;
            case 'goOn':
                state.inbox = [...state.inbox, SECTION_ENDED].sort();
                break;
            case 'rest':
                state.inbox = [...state.inbox, HAS_RESTED].sort();
                break;
            case 'step':
                if (first === undefined || this.#isHeldUp(state)) {
                    state.events.unshift({ type: 'emptied' });
                } else {
                    state.ask = first;
                    state.comesLate = this.#options.late ? !state.comesLate : state.comesLate;
                    const waited = this.#options.isOld ? LONG_MS : 0;
                    const plan = this.#gate.planStep(this.#amountOf(first), state.comesLate, action, waited);
                    this.#call(state, plan);
                }
                break;
            case 'withdraw':
                this.#call(state, this.#gate.planWithdraw());
                break;
            case 'run':
                if (first === undefined) {
                    throw new Violation('the lock was taken for nobody');
                }
                state.waiting = state.waiting.slice(1);
                state.ask = first;
                this.#enter(state);
                state.events.unshift(this.#served(state));
                break;
            case 'startTimer':
                if (state.timer) {
                    throw new Violation('two timers run at once');
                }
                state.timer = action.then;
                state.isTimerLong = action.milliseconds > GATE_POLLED_RESERVATION_MS;
                break;
            case 'stopTimer':
                state.timer = '';
                state.isTimerLong = false;
                break;
        }
    }
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {number} place
 */
function without(list, place) {
    return list.filter((_, at) => at !== place);
}

/** @param {LoopState} state */
function isIdle({ waiting, held, inbox }) {
    return waiting.length === 0 && held.length === 0 && inbox.length === 0;
}

/**
 * A waitAsync as the atomic operation that it is.
 * @param {Extract<import('../js-glue/waiting/decide.js').WaitAction, { type: 'arm' }>} action
 */
function armOf({ word, expected }) {
    return { name: WAIT_ASYNC, address: addressOf(word), operands: [expected], look: '' };
}
