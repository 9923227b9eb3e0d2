/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { idleState, MOST_REFUSALS, react } from '../../js-glue/waiting/decide.js';
import { randomOf } from './seed.js';

/* A world for the pure function of waiting/decide.js: what it armed, timed and deferred is kept as facts, and each
 * event is drawn from those that the facts allow. */

/** @typedef {import('../../js-glue/waiting/decide.js').WaitEvent} WaitEvent */
/** @typedef {import('../../js-glue/waiting/decide.js').WaitAction} WaitAction */
/** @typedef {import('../../js-glue/waiting/decide.js').Word} Word */

const THREADS = 3;

class World {
    /** @type {import('../../js-glue/waiting/decide.js').WaitState} */
    state;
    requests = 0;
    /** Requests that have ended, and were told nothing yet. */
    unsettled = 0;
    holding = false;
    jobs = 0;
    turns = 0;
    rests = 0;
    /** Whether the next request's signal has aborted, and its listener has not been called. */
    isAborted = false;
    /** @type {Set<Word>} */
    entries = new Set();
    /** @type {Set<'look' | 'watch'>} */
    timers = new Set();
    /** Requests by their number: what the function is given of them. */
    #last = 0;
    /** @type {import('./seed.js').Random} */
    #random;

    /**
     * @param {number} seed
     * @param {boolean} polls
     */
    constructor(seed, polls) {
        this.#random = randomOf(seed);
        this.state = idleState(polls);
    }

    /** Whatever may happen next, each once or more. */
    #possible() {
        /** @type {(() => void)[]} */
        const possible = [() => this.#request()];
        for (const word of this.entries) {
            possible.push(() => this.#wake(word));
        }
        if (this.requests > 0) {
            possible.push(() => this.#giveUp());
        }
        if (this.holding) {
            possible.push(() => this.#leave());
        }
        if (this.jobs > 0) {
            possible.push(() => {
                this.jobs -= 1;
                this.happen({ type: 'jobEnded' });
            });
        }
        if (this.#random.chance(0.01)) {
            possible.push(() => this.#free());
        }
        if (this.turns > 0) {
            possible.push(() => {
                this.turns -= 1;
                this.happen({ type: 'wentOn', isOver: this.#random.chance(0.3) });
            });
        }
        if (this.requests > 0 && !this.isAborted) {
            possible.push(() => (this.isAborted = this.#random.chance(0.2)));
        }
        if (this.rests > 0) {
            possible.push(() => {
                this.rests -= 1;
                this.happen({ type: 'rested' });
            });
        }
        if (this.timers.has('watch')) {
            possible.push(() => {
                this.timers.delete('watch');
                this.happen({ type: 'outlasted', isOn: true });
            });
        }
        if (this.timers.has('look')) {
            possible.push(() => this.happen({ type: 'looked' }));
        }
        if (this.#random.chance(0.1)) {
            possible.push(() => this.happen({ type: 'outlasted', isOn: false }));
        }
        return possible;
    }

    advance() {
        const possible = this.#possible();
        possible[this.#random.below(possible.length)]?.();
        this.#check();
    }

    #request() {
        this.requests += 1;
        const isFirst = this.requests === 1;
        this.happen({ type: 'requested', isFirst, waits: true, isHeldUp: this.holding, now: this.#now() });
    }

    #now() {
        this.#last += 1;
        return this.#last;
    }

    /** @returns {any} a request, of which the function only passes on that it is one */
    #first() {
        return this.requests > 0 ? { ask: 1 } : undefined;
    }

    #giveUp() {
        const waits = this.#random.chance(0.9);
        this.happen({ type: 'due', request: { ...this.#first(), waits }, reason: undefined });
    }

    /** @returns {WaitEvent} */
    #end() {
        const isFirst = this.#random.chance(0.5);
        this.requests -= 1;
        this.unsettled += 1;
        if (isFirst || this.requests === 0) {
            this.isAborted = false;
        }
        const left = this.requests === 0 ? 'none' : this.#random.chance(0.5) ? 'same' : 'other';
        const facts = {
            request: /** @type {any} */ ({}),
            reason: undefined,
            isMet: this.#random.chance(0.1),
        };
        return { type: 'ended', ...facts, isFirst: isFirst || left === 'none', left };
    }

    #free() {
        this.happen({ type: 'freed' });
        assert.equal(this.timers.size, 0);
        // What is at its place has another queue.
        this.requests = this.jobs = this.turns = this.rests = 0;
        this.isAborted = false;
        this.holding = false;
        this.entries.clear();
        this.state = idleState(this.state.polls);
    }

    #leave() {
        this.holding = false;
        this.happen(this.#released());
    }

    /** @returns {WaitEvent} */
    #released() {
        return { type: 'released', waits: this.requests > 0, isHeldUp: this.holding };
    }

    /** @param {Word} word */
    #wake(word) {
        this.entries.delete(word);
        this.happen({ type: 'woken', word });
    }

    /** @returns {WaitEvent} */
    #step() {
        const watched = this.#random.chance(0.5) ? 1 + this.#random.below(THREADS) : 0;
        const next = /** @type {const} */ (['done', 'turn', 'line'])[this.#random.below(3)] ?? 'done';
        const isSenior = watched > 0 && this.#random.chance(0.5);
        const facts = { isSenior, seen: this.#random.below(9), reservation: 1, now: this.#now() };
        return next === 'done'
            ? { type: 'stepped', next, expected: 0, watched: 0, ...facts }
            : { type: 'stepped', next, expected: this.#random.below(9), watched, ...facts };
    }

    /**
     * @param {WaitEvent} event
     */
    happen(event) {
        const before = Object.freeze({ ...this.state });
        const { state, actions } = react(before, event);
        this.state = state;
        for (const action of actions) {
            const outcome = this.#perform(action);
            if (outcome !== undefined) {
                this.happen(outcome);
            }
        }
    }

    /**
     * @param {WaitAction} action
     * @returns {WaitEvent | undefined}
     */
    #perform(action) {
        switch (action.type) {
            case 'defer':
                this.jobs += 1;
                return undefined;
            case 'goOn':
                this.turns += 1;
                return undefined;
            case 'rest':
                this.rests += 1;
                return undefined;
            case 'end':
                return this.#end();
            case 'run':
            case 'reject':
                this.unsettled -= 1;
                return undefined;
            case 'check': {
                const end = this.isAborted ? { reason: undefined } : undefined;
                const { watched } = action;
                const now = this.#now();
                return { type: 'checked', first: this.#first(), isHeldUp: this.holding, end, watched, now };
            }
            case 'step':
                assert.ok(this.requests > 0 && !this.holding && !this.isAborted);
                return this.#step();
            case 'meet':
                this.requests -= 1;
                this.isAborted = false;
                this.holding = true;
                return this.#released();
            case 'arm':
                assert.ok(!this.entries.has(action.word), `a second entry on ${action.word}`);
                if (this.#random.chance(0.02)) {
                    return { type: 'failed', first: this.#first(), reason: undefined, word: action.word };
                }
                if (action.word === 'turn' && this.#random.chance(0.5)) {
                    return { type: 'refused', word: 'turn' };
                }
                this.entries.add(action.word);
                return { type: 'armed', word: action.word };
            case 'watch':
            case 'look':
                assert.ok(!this.timers.has(action.type), `a second ${action.type}`);
                this.timers.add(action.type);
                return undefined;
            case 'stopWatch':
                assert.ok(this.timers.delete('watch'));
                return undefined;
            case 'stopLook':
                assert.ok(this.timers.delete('look'));
                return undefined;
            case 'throw':
                assert.fail('nobody is there to be told');
                return undefined;
            case 'rejectAll':
                return undefined;
            case 'withdraw':
                assert.ok(this.state.phase === 'idle', 'gives back the place that it waits for');
                return undefined;
        }
    }

    #check() {
        const { phase, polls, turn, line, looks, watched, refused, since } = this.state;
        assert.equal(turn, this.entries.has('turn'));
        assert.equal(line, this.entries.has('line'));
        assert.equal(watched !== 0, this.timers.has('watch'));
        assert.equal(looks, this.timers.has('look'));
        assert.equal(this.unsettled, 0, 'a request that ended was told nothing');
        assert.ok(since > 0 || this.requests === 0, 'the time of the first request is not known');
        if (phase !== 'waiting' && phase !== 'changed') {
            assert.equal(this.timers.size, 0, `a timer is left while ${phase}`);
        }
        const waits = this.requests > 0 && !this.holding;
        assert.ok(
            waits || (phase !== 'waiting' && phase !== 'changed'),
            `${phase} with ${this.requests} requests`,
        );
        if (polls) {
            assert.equal(this.entries.size, 0, 'an entry without waitAsync');
        }
        // Who waits is sure to look again.
        if (phase === 'asked' || phase === 'changed') {
            assert.ok(this.jobs > 0 || this.turns > 0 || this.rests > 0);
        } else if (phase === 'resting') {
            assert.ok(this.rests > 0);
        } else if (phase === 'waiting') {
            assert.ok(this.entries.size > 0 || this.timers.size > 0);
            assert.ok(refused < MOST_REFUSALS || this.timers.has('look'));
        } else {
            assert.ok(!waits || this.turns > 0);
        }
    }
}

/**
 * @param {number} seed
 * @param {boolean} polls
 * @param {number} events
 */
export function walk(seed, polls, events) {
    const world = new World(seed, polls);
    for (let count = 0; count < events; count += 1) {
        world.advance();
    }
}
