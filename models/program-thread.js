/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RESULT_OK, RESULT_TIMEOUT } from '../js-glue/memory/layout.js';
import { MOST_REFUSALS, react } from '../js-glue/waiting/decide.js';
import { ABORTED } from './judges.js';
import { LoopQueue } from './loop-queue.js';
import { LONGEST_WAIT_US } from './primitive.js';
import { choice, FELL_ASLEEP, goOn, LIMIT_US, NO_TIME, sleepOf, whatResolved } from './thread-call.js';
import { Violation } from './violation.js';

/* A thread that runs programs (program.js). A worker runs one, and blocks where that says so. One with an event loop
 * runs several side by side, each from one of its waits to the next, and waits as js-glue/waiting/phase.js and
 * js-glue/waiting/queue.js do. */

/**
 * @typedef {import('./thread-call.js').View} View
 * @typedef {import('./wasm-interpreter.js').Value} Value
 * @typedef {import('./program.js').Op} Op
 * @typedef {import('./thread-call.js').Behaviour<ThreadState>} ProgramBehaviour
 *
 * @typedef {object} ProgramOptions
 * @property {typeof react} [react]
 * @property {boolean} [polls] there is no waitAsync
 * @property {boolean} [busy] once it waits through its event loop, another job of it may take for ever
 *
 * @typedef {object} Task a program as far as it has come
 * @property {number} at
 * @property {number} result
 * @property {number} token
 * @property {number} outcome
 * @property {boolean} hadSection the mutex that it has let go was that of a section
 * @property {'ready' | 'runs' | 'waits' | 'done'} is
 *
 * @typedef {'op' | 'try' | 'step' | 'withdraw' | 'abandon'} Purpose of a call: an operation of a task; a request's first
 *     attempt; what the queue does
 *
 * @typedef {import('./thread-call.js').Call & { on: string, parameters: number[], purpose: Purpose, task: number,
 *     queue: number }} ProgramCall
 *
 * @typedef {object} Told something that has happened, for those who judge it; no other thread sees it
 * @property {string} name of the call that has ended
 * @property {string} on
 * @property {number} task
 * @property {readonly number[]} parameters
 * @property {Value | undefined} value
 *
 * @typedef {{ is: 'job ended' | 'goes on' | 'task', which: number }} Microtask
 *
 * @typedef {object} ThreadState
 * @property {Task[]} tasks
 * @property {number} runs the task whose job runs, or -1
 * @property {number} more the result of a limited wait that goes on if it is not given up; else 0
 * @property {ProgramCall | undefined} call
 * @property {import('./loop-queue.js').QueueState[]} queues
 * @property {number} active the queue that decides what to do next, or -1
 * @property {Microtask[]} micro
 * @property {number[]} inbox the addresses of entries that have come back, in any order
 * @property {Told[]} told
 */

const NOBODY = -1;
const NO_TOKEN = 0;

const STARTS = 'starts task ';
const WAITS_ON = 'waits on';
const GIVES_UP = 'gives up';
const ABORTS = 'aborts task ';
const HEARS = 'hears of ';
const TIMER_ENDS = 'timer ends of queue ';

/** What is no instruction of the module, but a step of a program all the same. */
export const TELL = 'tell';
export const DATA = 'data';
export const UNTIL = 'until';

/** @implements {ProgramBehaviour} */
export class ProgramThread {
    #runner;
    #self;
    #programs;
    #addresses;
    #polls;
    #queues;
    #queueNames;

    /**
     * @param {import('./thread-call.js').Runner} runner
     * @param {number} self
     * @param {Op[][]} programs
     * @param {Record<string, { address: number, waitable: import('./objects.js').Kind['waitable'] }>} objects
     * @param {ProgramOptions} [options]
     */
    constructor(
        runner,
        self,
        programs,
        objects,
        { react: reactTo = react, polls = false, busy = false } = {},
    ) {
        this.#runner = runner;
        this.#self = self;
        this.#programs = programs;
        this.#addresses = Object.fromEntries(
            Object.entries(objects).map(([name, { address }]) => [name, address]),
        );
        this.#polls = polls;
        this.isBusy = busy;
        const asked = programs.flat().flatMap((op) => (op.is === 'ask' ? [op.on] : []));
        this.#queueNames = [...new Set(asked)];
        this.#queues = this.#queueNames.map((name) => {
            const { address, waitable } = objects[name] ?? {};
            if (address === undefined || waitable === undefined) {
                throw new Error(`nobody can wait for ${name}`);
            }
            return new LoopQueue(self, address, waitable, reactTo);
        });
    }

    /** @returns {ThreadState} */
    start() {
        const isLoop = this.#programs.length > 1;
        /** @type {ThreadState} */
        const state = {
            tasks: this.#programs.map(() => ({
                ...{ at: 0, result: 0, token: NO_TOKEN, outcome: 0 },
                ...{ hadSection: false, is: /** @type {const} */ ('ready') },
            })),
            ...{ runs: NOBODY, more: 0, call: undefined },
            queues: this.#queues.map((queue) => queue.start(this.#polls)),
            ...{ active: NOBODY, micro: [], inbox: [], told: [] },
        };
        if (!isLoop) {
            this.#startTask(state, 0);
            this.#run(state);
        }
        return state;
    }

    /**
     * @param {ThreadState} state
     * @returns {View}
     */
    view(state) {
        const { call, told, runs, tasks } = state;
        const atomic = this.#atomicOf(state);
        const limited = call?.purpose === 'op' && this.#isLimited(state);
        const isFree = !call && !atomic && told.length === 0;
        return {
            atomic,
            sleeps: sleepOf(call, limited),
            choices: isFree ? this.#choices(state) : [],
            owns: [],
            has: 0,
            isDone: isFree && runs < 0 && this.#isIdle(state) && tasks.every(({ is }) => is === 'done'),
        };
    }

    /** @param {ThreadState} state */
    #isIdle({ queues, inbox }) {
        return inbox.length === 0 && queues.every(({ waiting }) => waiting.length === 0);
    }

    /** @param {ThreadState} state */
    #isLimited(state) {
        const op = this.#opOf(state, state.runs);
        return op?.is === 'wait' && op.limited;
    }

    /**
     * @param {ThreadState} state
     * @param {number} task
     */
    #opOf({ tasks }, task) {
        return this.#programs[task]?.[tasks[task]?.at ?? -1];
    }

    /**
     * What it does next, if that is its only choice.
     * @param {ThreadState} state
     * @returns {(import('./wasm-interpreter.js').Atomic & { told?: Told }) | undefined}
     */
    #atomicOf(state) {
        const { told, call, active, queues } = state;
        const [first] = told;
        if (first) {
            return { name: TELL, address: 0, operands: [], look: '', told: first };
        }
        if (call) {
            return call.asleep ? undefined : call.stop.atomic;
        }
        const queue = queues[active];
        const arms = queue && this.#queues[active]?.armOf(queue);
        if (arms) {
            return arms;
        }
        const op = this.#opOf(state, state.runs);
        switch (op?.is) {
            case 'data':
                return { name: DATA, address: this.#addressOf(op.on), operands: [op.adds], look: '' };
            case 'until':
                return { name: UNTIL, address: this.#addressOf(op.on), operands: [op.least], look: '' };
            default:
                return undefined;
        }
    }

    /** @param {string} name */
    #addressOf(name) {
        const address = this.#addresses[name];
        if (address === undefined) {
            throw new Error(`there is no ${name}`);
        }
        return address;
    }

    /**
     * @param {ThreadState} state
     * @returns {View['choices']}
     */
    #choices(state) {
        const { tasks, runs, inbox, queues } = state;
        if (runs >= 0) {
            return [choice(WAITS_ON), choice(GIVES_UP, 'no')];
        }
        const waits = tasks.some(({ is }) => is === 'waits');
        const due = this.isBusy && waits ? 'no' : 'yes';
        const ready = tasks.findIndex(({ is }) => is === 'ready');
        return [
            ...(ready >= 0 ? [choice(`${STARTS}${ready}`, due)] : []),
            ...[...new Set(inbox)].map((address) => choice(`${HEARS}${address}`, due)),
            ...tasks.flatMap(({ is }, task) => {
                const op = this.#opOf(state, task);
                return is === 'waits' && op?.is === 'ask' && op.aborts
                    ? [choice(`${ABORTS}${task}`, 'no')]
                    : [];
            }),
            ...queues.flatMap((queue, at) =>
                queue.timer ? [choice(`${TIMER_ENDS}${at}`, this.#dueEndOf(queue, due))] : [],
            ),
        ];
    }

    /**
     * @param {import('./loop-queue.js').QueueState} queue
     * @param {'yes' | 'no'} due what its other moves are
     */
    #dueEndOf({ wait }, due) {
        // Without waitAsync, and where that says too often that the word is another; else it ends what is watched.
        const isHowItWaits = this.#polls || wait.refused === MOST_REFUSALS;
        return isHowItWaits || this.isBusy ? due : 'soon';
    }

    /**
     * @param {ThreadState} before
     * @param {Value | string} input
     * @returns {ThreadState}
     */
    after(before, input) {
        const { call, ...plain } = before;
        const state = { ...structuredClone(plain), call };
        const address = whatResolved(input);
        if (address !== undefined) {
            state.inbox = [...state.inbox, Number(address)].sort();
            return state;
        }
        if (state.told.length > 0) {
            state.told.shift();
        } else if (call) {
            state.call = { ...call, ...goOn(this.#runner, call, input) };
            if (input === FELL_ASLEEP) {
                return state;
            }
        } else if (state.active >= 0) {
            this.#queueAt(state.active).armed(stateOf(state, state.active), input);
        } else if (state.runs >= 0 && state.more === 0) {
            this.#goesOn(taskOf(state, state.runs), Number(input));
        } else {
            this.#choose(state, String(input));
        }
        this.#run(state);
        return state;
    }

    /** @param {number} index */
    #queueAt(index) {
        return /** @type {LoopQueue} */ (this.#queues[index]);
    }

    /**
     * @param {Task} task
     * @param {number} result
     */
    #goesOn(task, result) {
        task.result = result;
        task.at += 1;
    }

    /**
     * @param {ThreadState} state
     * @param {number} task
     */
    #startTask(state, task) {
        taskOf(state, task).is = 'runs';
        state.runs = task;
    }

    /**
     * @param {ThreadState} state
     * @param {string} input
     */
    #choose(state, input) {
        const number = Number(input.slice(input.lastIndexOf(' ') + 1));
        if (input === WAITS_ON || input === GIVES_UP) {
            const token = state.more;
            state.more = 0;
            this.#wait(state, token, input === GIVES_UP ? NO_TIME : LIMIT_US);
        } else if (input.startsWith(STARTS)) {
            this.#startTask(state, number);
        } else if (input.startsWith(ABORTS)) {
            this.#abort(state, number);
        } else if (input.startsWith(HEARS)) {
            state.inbox.splice(state.inbox.indexOf(number), 1);
            this.#queues.forEach((queue, index) => {
                const word = queue.wordAt(stateOf(state, index), number);
                if (word) {
                    this.#dispatch(state, index, { type: 'woken', word });
                }
            });
        } else if (input.startsWith(TIMER_ENDS)) {
            const { timer } = stateOf(state, number);
            stateOf(state, number).timer = '';
            this.#dispatch(state, number, { type: /** @type {'polled' | 'outlasted'} */ (timer) });
        } else {
            throw new Error(`a thread cannot choose ${input}`);
        }
    }

    /**
     * @param {ThreadState} state
     * @param {number} queue
     * @param {import('../js-glue/waiting/decide.js').WaitEvent} event
     */
    #dispatch(state, queue, event) {
        stateOf(state, queue).events.push(event);
        state.active = queue;
    }

    /**
     * @param {ThreadState} state
     * @param {string} name
     * @param {string} on
     * @param {number[]} parameters
     * @param {{ purpose: Purpose, task: number, queue?: number }} options
     */
    #call(state, name, on, parameters, { purpose, task, queue = NOBODY }) {
        const stop = this.#runner.call(name, [this.#addressOf(on), ...parameters]);
        state.call = { name, on, parameters, stop, asleep: false, purpose, task, queue };
    }

    /** @param {Task} task */
    #registers({ result, token, outcome }) {
        return { result, token, outcome, self: this.#self };
    }

    /**
     * Goes on until the thread touches shared memory, or has nothing to do before something happens to it.
     * @param {ThreadState} state
     */
    #run(state) {
        for (;;) {
            if (state.told.length > 0 || state.call?.stop.atomic) {
                return;
            }
            if (state.call) {
                this.#callEnded(state, state.call);
            } else if (state.active >= 0) {
                if (!this.#runQueue(state, state.active)) {
                    return;
                }
            } else if (state.runs >= 0) {
                if (!this.#runTask(state, state.runs)) {
                    return;
                }
            } else {
                const next = state.micro.shift();
                if (!next) {
                    return;
                }
                this.#runMicrotask(state, next);
            }
        }
    }

    /**
     * @param {ThreadState} state
     * @param {Microtask} microtask
     */
    #runMicrotask(state, { is, which }) {
        if (is === 'task') {
            state.runs = which;
            taskOf(state, which).is = 'runs';
        } else if (is === 'job ended') {
            this.#dispatch(state, which, { type: 'jobEnded' });
        } else {
            this.#dispatch(state, which, { type: 'sectionEnded', rest: false });
        }
    }

    /**
     * @param {ThreadState} state
     * @param {number} index
     * @returns {boolean} false: it touches shared memory next
     */
    #runQueue(state, index) {
        const queue = this.#queueAt(index);
        const done = queue.advance(stateOf(state, index));
        switch (done.is) {
            case 'arms':
                return false;
            case 'calls': {
                const { name, parameters, purpose, task } = done;
                // By the task's token for a phase, which the queue does not keep.
                this.#call(
                    state,
                    name,
                    this.#queueNames[index] ?? '',
                    parameters(this.#tokenOf(state, task)),
                    {
                        purpose,
                        task,
                        queue: index,
                    },
                );
                return true;
            }
            case 'defers':
                state.micro.push({ is: 'job ended', which: index });
                return true;
            case 'goes on':
                state.micro.push({ is: 'goes on', which: index });
                return true;
            case 'runs':
                this.#met(state, index, done.task);
                return true;
            case 'decides':
                return true;
            case 'rests':
                state.active = NOBODY;
                return true;
        }
    }

    /**
     * @param {ThreadState} state
     * @param {number} task
     */
    #tokenOf({ tasks }, task) {
        return tasks[task]?.token ?? NO_TOKEN;
    }

    /**
     * What a request asked for has come: its task goes on in a later microtask.
     * @param {ThreadState} state
     * @param {number} index
     * @param {number} task
     */
    #met(state, index, task) {
        this.#takes(state, index, task);
        this.#settles(state, task, RESULT_OK);
        const queue = stateOf(state, index);
        queue.events.unshift(this.#queueAt(index).served(queue));
    }

    /**
     * @param {ThreadState} state
     * @param {number} index
     * @param {number} task
     */
    #takes(state, index, task) {
        const op = this.#opOf(state, task);
        if (op?.is === 'ask') {
            stateOf(state, index).held = op.again ? taskOf(state, task).hadSection : true;
        }
    }

    /**
     * @param {ThreadState} state
     * @param {number} task
     * @param {number} result
     */
    #settles(state, task, result) {
        this.#waited(state, task, result);
        state.micro.push({ is: 'task', which: task });
    }

    /**
     * The wait that is a task's operation is over.
     * @param {ThreadState} state
     * @param {number} task
     * @param {number} result
     */
    #waited(state, task, result) {
        const own = taskOf(state, task);
        const op = this.#opOf(state, task);
        own.outcome = op?.is === 'ask' && op.again ? own.outcome : result;
        this.#goesOn(own, result);
    }

    /**
     * @param {ThreadState} state
     * @param {number} task
     * @returns {boolean} false: it touches shared memory next, or has a choice
     */
    #runTask(state, task) {
        const own = taskOf(state, task);
        const op = this.#opOf(state, task);
        const registers = this.#registers(own);
        switch (op?.is) {
            case 'call':
                this.#call(state, op.name, op.on, op.parameters(registers), { purpose: 'op', task });
                return true;
            case 'wait':
                if (state.more !== 0) {
                    return false;
                }
                this.#wait(state, NO_TOKEN, op.limited ? LIMIT_US : LONGEST_WAIT_US);
                return true;
            case 'ask':
                this.#ask(state, task, this.#queueNames.indexOf(op.on));
                return true;
            case 'data':
            case 'until':
                return false;
            case 'jump':
                own.at += op.unless(registers) ? 1 : op.by;
                return true;
            case 'check':
                if (!op.holds(registers)) {
                    throw new Violation(op.words);
                }
                own.at += 1;
                return true;
            default:
                own.is = 'done';
                state.runs = NOBODY;
                return true;
        }
    }

    /**
     * @param {ThreadState} state
     * @param {number} token
     * @param {number} limit
     */
    #wait(state, token, limit) {
        const task = state.runs;
        const op = this.#opOf(state, task);
        if (op?.is === 'wait') {
            const parameters = op.parameters(this.#registers(taskOf(state, task)), token, limit);
            this.#call(state, op.name, op.on, parameters, { purpose: 'op', task });
        }
    }

    /**
     * PhaseQueue.ask, or that of a gate.
     * @param {ThreadState} state
     * @param {number} task
     * @param {number} index
     */
    #ask(state, task, index) {
        const planned = this.#queueAt(index).tryOf(stateOf(state, index), this.#tokenOf(state, task));
        if (planned) {
            const [name, ...parameters] = planned;
            this.#call(state, name, this.#queueNames[index] ?? '', parameters, {
                purpose: 'try',
                task,
                queue: index,
            });
        } else {
            this.#enqueue(state, task, index);
        }
    }

    /**
     * RequestQueue.request.
     * @param {ThreadState} state
     * @param {number} task
     * @param {number} index
     */
    #enqueue(state, task, index) {
        const queue = stateOf(state, index);
        taskOf(state, task).is = 'waits';
        state.runs = NOBODY;
        queue.waiting.push(task);
        this.#dispatch(state, index, { type: 'requested', isHeldUp: this.#queueAt(index).isHeldUp(queue) });
    }

    /**
     * RequestQueue.giveUp.
     * @param {ThreadState} state
     * @param {number} task
     */
    #abort(state, task) {
        const index = state.queues.findIndex(({ waiting }) => waiting.includes(task));
        const queue = stateOf(state, index);
        queue.wasFirst = queue.waiting[0] === task;
        queue.waiting.splice(queue.waiting.indexOf(task), 1);
        const planned = this.#queueAt(index).abandonOf(this.#tokenOf(state, task));
        if (planned) {
            const [name, ...parameters] = planned;
            this.#call(state, name, this.#queueNames[index] ?? '', parameters, {
                ...{ purpose: 'abandon', task, queue: index },
            });
        } else {
            const on = this.#queueNames[index] ?? '';
            state.told.push({ name: ABORTED, on, task, parameters: [], value: undefined });
            this.#abandoned(state, task, index, RESULT_TIMEOUT);
        }
    }

    /**
     * @param {ThreadState} state
     * @param {number} task
     * @param {number} index
     * @param {number} result
     */
    #abandoned(state, task, index, result) {
        const queue = stateOf(state, index);
        const { token } = taskOf(state, task);
        this.#settles(state, task, result);
        const [first] = queue.waiting;
        const wasFirst = queue.wasFirst;
        queue.wasFirst = false;
        const differs =
            first !== undefined && this.#queueAt(index).asksDiffer(token, this.#tokenOf(state, first));
        const left = first === undefined ? 'none' : differs ? 'other' : 'same';
        this.#dispatch(state, index, { type: 'gaveUp', wasFirst, left });
    }

    /**
     * @param {ThreadState} state
     * @param {ProgramCall} call
     */
    #callEnded(state, call) {
        const { name, on, parameters, purpose, task, queue, stop } = call;
        const value = stop.atomic ? undefined : stop.value;
        state.call = undefined;
        state.told.push({ name, on, task, parameters, value });
        switch (purpose) {
            case 'op':
                this.#opEnded(state, task, name, value ?? 0);
                break;
            case 'try':
                if (this.#queueAt(queue).hasSucceeded(value ?? 0)) {
                    this.#takes(state, queue, task);
                    this.#waited(state, task, RESULT_OK);
                } else {
                    this.#enqueue(state, task, queue);
                }
                break;
            case 'step':
                this.#queueAt(queue).stepped(stateOf(state, queue), value ?? 0);
                break;
            case 'withdraw':
                break;
            case 'abandon':
                this.#abandoned(state, task, queue, Number(value) === RESULT_OK ? RESULT_OK : RESULT_TIMEOUT);
        }
    }

    /**
     * @param {ThreadState} state
     * @param {number} task
     * @param {string} name
     * @param {Value} value
     */
    #opEnded(state, task, name, value) {
        const own = taskOf(state, task);
        const op = this.#opOf(state, task);
        const result = Number(value);
        if (op?.is === 'wait' && result < 0) {
            if (op.limited) {
                state.more = result;
            } else {
                this.#wait(state, result, LONGEST_WAIT_US);
            }
            return;
        }
        if (op?.is === 'call') {
            if (op.expects.length > 0 && !op.expects.includes(result)) {
                throw new Violation(`${name} returned ${result}`);
            }
            own.token = op.keeps ? Number(BigInt.asIntN(32, BigInt(value))) : own.token;
            if (name === 'mutex_unlock') {
                this.#unlocked(state, own, this.#queueNames.indexOf(op.on));
            }
        }
        if (op?.is === 'wait') {
            if (result !== RESULT_OK && !(op.limited && result === RESULT_TIMEOUT)) {
                throw new Violation(`${name} returned ${result}`);
            }
            this.#waited(state, task, result);
            return;
        }
        this.#goesOn(own, result);
    }

    /**
     * MutexQueue: what held the requests up is over.
     * @param {ThreadState} state
     * @param {Task} own
     * @param {number} index
     */
    #unlocked(state, own, index) {
        const queue = state.queues[index];
        if (!queue) {
            return;
        }
        own.hadSection = queue.held;
        queue.held = false;
        if (own.hadSection) {
            this.#dispatch(state, index, this.#queueAt(index).served(queue));
        }
    }
}

/**
 * @param {ThreadState} state
 * @param {number} index
 */
function stateOf({ queues }, index) {
    return /** @type {import('./loop-queue.js').QueueState} */ (queues[index]);
}

/**
 * @param {ThreadState} state
 * @param {number} task
 */
function taskOf({ tasks }, task) {
    return /** @type {Task} */ (tasks[task]);
}
