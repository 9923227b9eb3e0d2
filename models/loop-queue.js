/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { GATE_LINE_OFFSET, GATE_TURN_OFFSET, RESULT_OK } from '../js-glue/memory/layout.js';
import { Gate } from '../js-glue/waiting/gate.js';
import { steppedOf } from '../js-glue/waiting/outcome.js';
import { idleState } from '../js-glue/waiting/decide.js';
import { PlannedGate } from './planned-gate.js';
import { ARMED, WAIT_ASYNC } from './thread-call.js';
import { Violation } from './violation.js';

/* The requests of one thread for one object, as js-glue/waiting/queue.js has them: what is to be done is decided by
 * react(), and done here on the model. Requests are the tasks that wait. */

/**
 * @typedef {import('../js-glue/waiting/decide.js').Word} Word
 * @typedef {import('../js-glue/waiting/decide.js').WaitAction} WaitAction
 * @typedef {import('./primitive.js').Planned} Planned
 *
 * @typedef {object} QueueState
 * @property {import('../js-glue/waiting/decide.js').WaitState} wait
 * @property {import('../js-glue/waiting/decide.js').WaitEvent[]} events
 * @property {WaitAction[]} actions
 * @property {'' | 'polled' | 'outlasted'} timer what comes when it ends
 * @property {number[]} waiting
 * @property {boolean} held a section of this queue runs
 * @property {boolean} wasFirst the request that is being given up
 *
 * @typedef {{ is: 'arms' | 'defers' | 'goes on' | 'decides' | 'rests' } | { is: 'runs', task: number }
 *     | { is: 'calls', name: string, parameters: (token: number) => number[], purpose: 'step' | 'withdraw', task: number }} Done
 */

export class LoopQueue {
    #self;
    #address;
    #waitable;
    #react;
    #gate;

    /**
     * @param {number} self
     * @param {number} address
     * @param {NonNullable<import('./objects.js').Kind['waitable']>} waitable
     * @param {typeof import('../js-glue/waiting/decide.js').react} react
     */
    constructor(self, address, waitable, react) {
        this.#self = self;
        this.#address = address;
        this.#waitable = waitable;
        this.#react = react;
        const capacity = waitable.is === 'gate' ? waitable.capacity : 0;
        this.#gate = new PlannedGate(Gate, self, address, capacity);
    }

    /**
     * @param {boolean} polls
     * @returns {QueueState}
     */
    start(polls) {
        return {
            ...{ wait: idleState(polls), events: [], actions: [], timer: '' },
            ...{ waiting: [], held: false, wasFirst: false },
        };
    }

    /** @param {QueueState} queue */
    isHeldUp({ held }) {
        return this.#waitable.is === 'gate' && this.#waitable.holdsUp && held;
    }

    /**
     * A request was served, or what held the others up is over.
     * @param {QueueState} queue
     * @returns {import('../js-glue/waiting/decide.js').WaitEvent}
     */
    served(queue) {
        return { type: 'served', waits: queue.waiting.length > 0, isHeldUp: this.isHeldUp(queue) };
    }

    /**
     * Does the next thing.
     * @param {QueueState} queue
     * @returns {Done}
     */
    advance(queue) {
        const [action] = queue.actions;
        if (action?.type === 'arm') {
            return { is: 'arms' };
        }
        if (action) {
            queue.actions.shift();
            return this.#perform(queue, action);
        }
        const event = queue.events.shift();
        if (!event) {
            return { is: 'rests' };
        }
        const { state, actions } = this.#react(queue.wait, event);
        queue.wait = state;
        queue.actions = [...actions];
        return { is: 'decides' };
    }

    /**
     * @param {QueueState} queue
     * @param {WaitAction} action
     * @returns {Done}
     */
    #perform(queue, action) {
        const [first] = queue.waiting;
        switch (action.type) {
            case 'defer':
                return { is: 'defers' };
            case 'goOn':
                return { is: 'goes on' };
            case 'step':
                if (first === undefined || this.isHeldUp(queue)) {
                    queue.events.unshift({ type: 'emptied' });
                    return { is: 'decides' };
                }
                return this.#step(queue, first, action);
            case 'withdraw':
                return this.#withdraw();
            case 'run':
                if (first === undefined) {
                    throw new Violation('something was taken for nobody');
                }
                queue.waiting.shift();
                return { is: 'runs', task: first };
            case 'startTimer':
                if (queue.timer) {
                    throw new Violation('two timers run at once');
                }
                queue.timer = action.then;
                return { is: 'decides' };
            case 'stopTimer':
                queue.timer = '';
                return { is: 'decides' };
            default:
                throw new Error(`a queue of the model does not ${action.type}`);
        }
    }

    /**
     * @param {QueueState} queue
     * @param {number} task
     * @param {Extract<WaitAction, { type: 'step' }>} action
     * @returns {Done}
     */
    #step({ wait }, task, action) {
        const waitable = this.#waitable;
        if (waitable.is === 'phase') {
            const { step, hasToken } = waitable;
            const parameters = (/** @type {number} */ token) => (hasToken ? [token] : []);
            return { is: 'calls', name: step, parameters, purpose: 'step', task };
        }
        const amount = waitable.amountOf(this.#self);
        const [name, ...parameters] = this.#gate.planStep(amount, wait.polls, action);
        return { is: 'calls', name, parameters: () => parameters, purpose: 'step', task };
    }

    /** @returns {Done} */
    #withdraw() {
        if (this.#waitable.is === 'phase') {
            return { is: 'decides' };
        }
        const [name, ...parameters] = this.#gate.planWithdraw();
        return { is: 'calls', name, parameters: () => parameters, purpose: 'withdraw', task: -1 };
    }

    /**
     * A step has ended.
     * @param {QueueState} queue
     * @param {import('./wasm-interpreter.js').Value} outcome
     */
    stepped(queue, outcome) {
        const event =
            this.#waitable.is === 'phase' ? steppedOf(BigInt(outcome)) : this.#gate.understand(outcome);
        queue.events.unshift(event);
    }

    /**
     * What a request tries before it waits; nothing if others of its thread are before it.
     * @param {QueueState} queue
     * @param {number} token
     * @returns {Planned | undefined}
     */
    tryOf(queue, token) {
        const waitable = this.#waitable;
        if (waitable.is === 'phase') {
            return [waitable.step, ...(waitable.hasToken ? [token] : [])];
        }
        if (queue.waiting.length > 0 || this.isHeldUp(queue)) {
            return undefined;
        }
        return this.#gate.planTry(waitable.amountOf(this.#self));
    }

    /**
     * Whether what it has tried has let it through.
     * @param {import('./wasm-interpreter.js').Value} value
     */
    hasSucceeded(value) {
        return this.#waitable.is === 'phase'
            ? steppedOf(BigInt(value)).next === 'done'
            : Number(value) === RESULT_OK;
    }

    /**
     * How a request ends that waits no longer; nothing if there is nothing to end.
     * @param {number} token
     * @returns {Planned | undefined}
     */
    abandonOf(token) {
        const waitable = this.#waitable;
        return waitable.is === 'phase' && waitable.mustEnd ? [waitable.wait, token, 0, 0] : undefined;
    }

    /**
     * Whether two requests ask for something else. All that wait for a gate ask for the same here.
     * @param {number} one
     * @param {number} other
     */
    asksDiffer(one, other) {
        return this.#waitable.is === 'phase' && this.#waitable.hasToken && one !== other;
    }

    /**
     * A waitAsync as the atomic operation that it is, if that is next.
     * @param {QueueState} queue
     */
    armOf({ actions: [action] }) {
        return action?.type === 'arm'
            ? {
                  name: WAIT_ASYNC,
                  address: this.#addressOf(action.word),
                  operands: [action.expected],
                  look: '',
              }
            : undefined;
    }

    /**
     * What has become of that.
     * @param {QueueState} queue
     * @param {import('./wasm-interpreter.js').Value | string} input
     */
    armed(queue, input) {
        const action = queue.actions.shift();
        if (action?.type === 'arm') {
            const { word } = action;
            queue.events.unshift({ type: input === ARMED ? 'armed' : 'refused', word });
        }
    }

    /** @param {Word} word */
    #addressOf(word) {
        if (this.#waitable.is === 'phase') {
            return this.#address + this.#waitable.offset; // it has one word to wait on
        }
        return this.#address + (word === 'turn' ? GATE_TURN_OFFSET : GATE_LINE_OFFSET);
    }

    /**
     * Which entry of this queue is at an address, if any.
     * @param {QueueState} queue
     * @param {number} address
     * @returns {Word | undefined}
     */
    wordAt({ wait }, address) {
        const words = /** @type {const} */ (['turn', 'line']);
        return words.find((word) => wait[word] && this.#addressOf(word) === address);
    }
}
