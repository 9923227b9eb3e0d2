/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import {
    arm,
    clearAlarm,
    hasTimers,
    hasWaitAsync,
    isBurstOver,
    setAlarm,
    tell,
    tellLater,
} from '../thread/event-loop.js';
import { turns } from '../thread/turns.js';
import { idleState, isToStep, react } from './decide.js';
import { throwLater } from './ends.js';
import { RequestList } from './pending.js';
import { poll, pollNoMore } from './polling.js';

/**
 * @typedef {import('./decide.js').WaitEvent} WaitEvent
 * @typedef {import('./decide.js').WaitAction} WaitAction
 * @typedef {import('../thread/event-loop.js').Word} Word
 * @typedef {import('./pending.js').AnyRequest} PendingRequest
 */

/**
 * What the queue needs of a primitive. `ask`: how much of a gate, or since when it waits.
 *
 * @typedef {object} Waitable
 * @property {(ask: number, comesLate: boolean, inLine: boolean, watched: number, waited: number) => import('./decide.js').Outcome} step
 * @property {() => void} withdraw this thread waits no longer
 * @property {(ask: number) => boolean} [abandon] a request waits no longer; whether it was met at this last moment
 * @property {(word: Word) => { words: Int32Array, index: number }} locate
 * @property {object} [memory] of a lock, for which one thread's requests come in the order made
 * @property {number} [byteOffset] there
 * @property {(word: 'done' | Word) => number} look at the word by which a step decides to wait there
 * @property {(goesOn: boolean) => import('./holder.js').Holder | undefined} [lookAtHolder] at times, whether that thread
 *     lives (`goesOn`: not for the first time in this wait)
 * @property {() => import('../errors.js').Held | undefined} [held] for an error
 * @property {import('./awaited.js').Awaited} [awaited]
 * @property {string} late what did not happen, for the message
 */

/**
 * What each class of queues has besides: why its requests end.
 *
 * @typedef {object} Reasons
 * @property {(request: any) => { reason: unknown } | undefined} endOf what has ended it before its next step, though nobody
 *     has said so yet
 * @property {(timeout: number) => unknown} timeoutError of one whose time is up; milliseconds
 * @property {() => unknown} whyNoWait when nothing may wait any more
 *
 * @typedef {WaitQueue & Reasons} AnyQueue
 */

/** The time that a queue gives to another thread's call, and the event that it is over. */
class Watch {
    type = /** @type {const} */ ('outlasted');
    isOn = true;

    /**
     * @param {number} time
     * @param {WaitQueue} queue
     */
    constructor(time, queue) {
        this.time = time;
        this.queue = queue;
    }

    ring() {
        tell(this.queue, this);
    }

    stop() {
        clearAlarm(this);
        this.isOn = false;
    }
}

/**
 * One thread's requests for one primitive, which wait and run in the order made, whatever they call back. decide.js says
 * what to do.
 */
export class WaitQueue {
    #waitable;
    #state;
    #requests = new RequestList();
    #dispatching = false;
    /** Whether `looked` is under way: a busy thread looks more often than it hears of that. */
    #hasLooked = false;
    /** Whether its requests let other work have a turn first. */
    rests = false;
    /** The lock was freed. One made later in its place has another queue. */
    isFreed = false;
    /** How many guards and async sections hold what it is for. */
    lasting = 0;
    /** @type {WaitEvent[]} */
    #events = [];
    /** @type {Watch | undefined} */
    #watch;
    /** Whether others may see that it waits. */
    #isShown = false;

    /** @param {Waitable} waitable */
    constructor(waitable) {
        this.#waitable = waitable;
        this.#state = idleState(!hasWaitAsync());
    }

    get waits() {
        return this.#requests.first !== undefined;
    }

    /** Whether a turn, or a section of this thread, comes first, which ends by `goOn`. */
    get isHeldUp() {
        return this.rests;
    }

    /** A request that is made now waits for a turn of the event loop. */
    rest() {
        const hear = () => {
            this.rests = false;
            this.goOn();
        };
        tellLater({ hear });
        this.rests = true;
    }

    /** Whether a new request would be the first. */
    get admits() {
        return !this.waits && !this.isFreed;
    }

    /** Shows its first request to the other bundle's queues, if there are any. Returns whether one of theirs comes before it. */
    #standsBehind() {
        const { stand } = turns();
        const { memory, byteOffset } = this.#waitable;
        if (stand === undefined || memory === undefined) {
            return false;
        }
        const order = (this.isFreed ? undefined : this.#requests.first?.order) ?? Infinity;
        return !stand(memory, byteOffset ?? 0, this, order, () => this.goOn());
    }

    /** Whether it does not go on before `goOn`. */
    #mayNotGoOn() {
        const isBehind = this.#standsBehind();
        return this.isHeldUp || isBehind;
    }

    /**
     * Appends it, so that `watch` may end it from then on.
     *
     * @param {PendingRequest} request
     * @throws what the code of a signal throws; then it does not wait
     */
    add(request) {
        const isFirst = !this.waits;
        this.#requests.append(request);
        try {
            request.watch();
            this.#requested(isFirst);
        } catch (error) {
            if (request.waits) {
                this.#requests.drop(request); // first: a refused request must not wait, even if endWait() throws
                request.endWait();
                this.#standsBehind(); // which may have shown it as the first
            }
            throw error;
        }
    }

    /** The lock was freed: its requests are rejected, in turns. */
    free() {
        this.isFreed = true;
        this.hear({ type: 'freed' });
    }

    /** The section that holds requests up ends. They go on, but not within this call. */
    goOn() {
        if (this.waits) {
            this.hear({ type: 'released', waits: true, isHeldUp: this.rests });
        }
    }

    /** The section that held requests up had lost the lock. */
    startAgain() {
        this.#requested(false);
    }

    /** @param {boolean} isFirst */
    #requested(isFirst) {
        const isHeldUp = this.#mayNotGoOn();
        const now = isFirst ? environment.now() : 0;
        this.hear({ type: 'requested', isFirst, waits: this.waits, isHeldUp, now });
    }

    /**
     * @param {PendingRequest} request whose time is up, or whose signal has aborted
     * @param {unknown} reason
     */
    giveUp(request, reason) {
        this.hear({ type: 'due', request, reason });
    }

    /** @param {WaitEvent} event */
    hear(event) {
        this.#hasLooked &&= event.type !== 'looked';
        this.#events.push(event);
        if (this.#dispatching) {
            return; // from foreign code: the loop below goes on with it
        }
        this.#dispatching = true;
        try {
            this.#handleEvents();
        } finally {
            this.#dispatching = false;
        }
        if (this.#isShown && this.isIdle) {
            this.#isShown = false;
            this.#waitable.awaited?.askNoMore();
        }
        this.#standsBehind(); // who is first may go on
    }

    #handleEvents() {
        let next;
        while ((next ??= this.#events.shift())) {
            const { state, actions } = react(this.#state, next);
            this.#state = state;
            next = undefined;
            for (const action of actions) {
                // An `end` that throws is not answered by another one, which would throw, too, for ever.
                const outcome = action.type === 'end' ? this.end(action) : this.#attempt(action);
                if (outcome) {
                    if (next) {
                        this.#events.unshift(next);
                    }
                    next = outcome; // first: it is about the state as it is now
                }
            }
        }
    }

    /**
     * @param {WaitAction} action
     * @returns {WaitEvent | void} what came of it at once
     */
    #attempt(action) {
        try {
            return this.#perform(action);
        } catch (reason) {
            // a polyfill's, or out of memory or stack
            if (action.type === 'throw') {
                return undefined; // nobody can be told
            }
            const { word } = /** @type {Partial<Extract<WaitAction, { type: 'arm' }>>} */ (action);
            return { type: 'failed', first: this.#requests.first, reason, word };
        }
    }

    /**
     * @param {WaitAction} action
     * @returns {WaitEvent | void}
     */
    #perform(action) {
        switch (action.type) {
            case 'defer':
                // A microtask begins no burst: requests that follow each other would have no end.
                return void environment.soon(() => this.hear({ type: 'jobEnded' }));
            case 'goOn':
                return void environment.soon(() => this.hear({ type: 'wentOn', isOver: isBurstOver() }));
            case 'rest':
                return tellLater(this, { type: 'rested' });
            case 'check':
                return this.#check(action.watched);
            case 'step':
                return this.#step(action);
            case 'meet': {
                const request = this.#requests.shift();
                if (this.isFreed) {
                    request.reject(request.queue.whyNoWait()); // by its signal's own code, just now
                } else {
                    request.run();
                }
                return { type: 'released', waits: this.waits, isHeldUp: this.#mayNotGoOn() };
            }
            case 'run':
                return action.request.run();
            case 'reject':
                return action.request.reject(action.reason);
            case 'throw':
                return throwLater(action.reason);
            case 'arm':
                return this.#arm(action);
            case 'watch':
                this.#watch = new Watch(environment.now() + action.milliseconds, this);
                return setAlarm(this.#watch);
            case 'stopWatch':
                return /** @type {Watch} */ (this.#watch).stop();
            case 'look':
                return poll(this);
            case 'stopLook':
                return pollNoMore(this);
            case 'withdraw':
                return this.#waitable.withdraw();
            case 'rejectAll':
                return tell(this.#requests);
        }
    }

    /**
     * @param {number} watched
     * @returns {WaitEvent}
     */
    #check(watched) {
        const { first } = this.#requests;
        // A signal's listeners may not have run yet, and one of them may have released the lock.
        let end = first?.queue.endOf(first);
        if (this.isFreed || !hasTimers()) {
            // By the signal's own code, just now; or in a window that is no more, where nobody would end a section.
            end = { reason: /** @type {any} */ (this).whyNoWait() };
        }
        const now = environment.now();
        return { type: 'checked', first, isHeldUp: this.#mayNotGoOn(), end, watched, now };
    }

    /**
     * @param {Extract<WaitAction, { type: 'step' }>} action
     * @returns {WaitEvent}
     */
    #step({ ask, comesLate, inLine, watched, since, now }) {
        const before = this.#waitable.look('line');
        const outcome = this.#waitable.step(ask, comesLate, inLine, watched, now - since);
        const { next, expected, isSenior, reservation } = outcome;
        const seen = next === 'turn' ? expected : before;
        // Each by its name: to spread the outcome takes longer than the step.
        return {
            type: 'stepped',
            next,
            expected,
            watched: outcome.watched,
            isSenior,
            reservation,
            seen,
            now,
        };
    }

    /**
     * @param {Pick<Extract<WaitAction, { type: 'end' }>, 'request' | 'reason'>} action
     * @returns {Extract<WaitEvent, { type: 'ended' }>}
     */
    end({ request, reason }) {
        const { first } = this.#requests;
        this.#requests.remove(request);
        const next = this.#requests.first;
        const left = next === undefined ? 'none' : next.ask === request.ask ? 'same' : 'other';
        let isMet = false;
        try {
            isMet = this.#waitable.abandon?.(request.ask) === true;
        } catch (error) {
            reason = error;
        }
        return { type: 'ended', request, reason, isMet, isFirst: first === request, left };
    }

    /**
     * @param {Extract<WaitAction, { type: 'arm' }>} action
     * @returns {WaitEvent}
     */
    #arm({ word, expected }) {
        const place = this.#waitable.locate(word);
        return { type: arm(this, word, place, expected) ? 'armed' : 'refused', word };
    }

    /** Whether it is next, by a reservation that will not last. */
    get hurries() {
        return this.#state.next === 'turn';
    }

    /**
     * Steps if a wake may have been lost.
     *
     * @param {Word} [word] none: by timer
     * @returns {boolean} whether the word has changed
     */
    look(word) {
        if (!this.isIdle) {
            this.#waitable.awaited?.ask(this.#waitable.lookAtHolder?.(this.#isShown));
            this.#isShown = true;
        }
        const value = this.#waitable.look(this.#state.next);
        if (!this.#hasLooked && isToStep(this.#state, value, hasTimers(), word)) {
            this.#hasLooked = true;
            tell(this, { type: 'looked' });
        }
        return value !== this.#state.seen;
    }

    /** Whether nobody needs its entries. */
    get isIdle() {
        return this.#state.phase === 'idle' || this.isFreed;
    }
}
