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
    holding = false;
    jobs = 0;
    turns = 0;
    rests = 0;
    /** Whether the next request's signal has aborted, and its listener has not been called. */
    isAborted = false;
    /** @type {Set<Word>} */
    entries = new Set();
    /** @type {'polled' | 'outlasted' | undefined} */
    timer;
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
                this.happen({ type: 'sectionEnded', rest: this.#random.chance(0.3) });
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
        const timer = this.timer;
        if (timer !== undefined) {
            possible.push(() => {
                this.timer = undefined;
                this.happen({ type: timer });
            });
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
        this.happen({ type: 'requested', isHeldUp: this.holding });
    }

    #giveUp() {
        const wasFirst = this.#random.chance(0.5);
        this.happen(this.#end(wasFirst));
    }

    /**
     * @param {boolean} wasFirst
     * @returns {WaitEvent}
     */
    #end(wasFirst) {
        this.requests -= 1;
        if (wasFirst || this.requests === 0) {
            this.isAborted = false;
        }
        const left = this.requests === 0 ? 'none' : this.#random.chance(0.5) ? 'same' : 'other';
        return { type: 'gaveUp', wasFirst, left };
    }

    #free() {
        this.requests = 0;
        this.isAborted = false;
        this.happen({ type: 'freed' });
    }

    #leave() {
        this.holding = false;
        this.happen(this.#served());
    }

    /** @returns {WaitEvent} */
    #served() {
        return { type: 'served', waits: this.requests > 0, isHeldUp: this.holding };
    }

    /** @param {Word} word */
    #wake(word) {
        this.entries.delete(word);
        this.happen({ type: 'woken', word });
    }

    /** @returns {WaitEvent} */
    #step() {
        if (this.holding || this.requests === 0) {
            return { type: 'emptied' };
        }
        if (this.isAborted) {
            return { type: 'aborted', reason: undefined };
        }
        const watched = this.#random.chance(0.5) ? 1 + this.#random.below(THREADS) : 0;
        const next = /** @type {const} */ (['done', 'turn', 'line'])[this.#random.below(3)] ?? 'done';
        return next === 'done'
            ? { type: 'stepped', next, expected: 0, watched: 0, reservation: 1 }
            : { type: 'stepped', next, expected: this.#random.below(9), watched, reservation: 1 };
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
            case 'giveUp':
                return this.#end(true);
            case 'step':
                return this.#step();
            case 'run':
                this.requests -= 1;
                this.isAborted = false;
                this.holding = true;
                return this.#served();
            case 'arm':
                assert.ok(!this.entries.has(action.word), `a second entry on ${action.word}`);
                if (this.#random.chance(0.02)) {
                    return { type: 'aborted', reason: undefined, word: action.word };
                }
                if (action.word === 'turn' && this.#random.chance(0.5)) {
                    return { type: 'refused', word: 'turn' };
                }
                this.entries.add(action.word);
                return { type: 'armed', word: action.word };
            case 'startTimer':
                assert.equal(this.timer, undefined, 'a second timer');
                this.timer = action.then;
                return undefined;
            case 'stopTimer':
                this.timer = undefined;
                return undefined;
            case 'withdraw':
                assert.ok(this.state.phase === 'idle', 'gives back the place that it waits for');
                return undefined;
        }
    }

    #check() {
        const { phase, polls, turn, line, watched, refused } = this.state;
        assert.equal(turn, this.entries.has('turn'));
        assert.equal(line, this.entries.has('line'));
        assert.equal(watched !== 0, this.timer === 'outlasted');
        if (phase !== 'waiting' && phase !== 'changed') {
            assert.equal(this.timer, undefined, `a timer is left while ${phase}`);
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
            assert.ok(this.entries.size > 0 || this.timer !== undefined);
            assert.ok(refused < MOST_REFUSALS || this.timer !== undefined);
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
