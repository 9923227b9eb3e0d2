/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { createHash } from 'node:crypto';
import { Violation } from '../explorer/violation.js';
import { Machine } from './machine.js';
import { Thread } from './thread.js';

/**
 * @typedef {import('./thread.js').Program} Program
 * @typedef {import('./thread.js').Node} Node
 * @typedef {import('./thread.js').Question} Question
 *
 * @typedef {object} Scenario
 * @property {string} name
 * @property {Program[]} threads
 * @property {string[]} keys that they use
 * @property {number} [stripes] the number of stripes of the keys; 1 by default
 * @property {Program} [before] runs first, alone
 * @property {number[]} [mortals] threads that may die
 * @property {number} [granules] the room for entries and claims, in granules of 16 bytes
 * @property {number} [most] the most granules in use at a time
 * @property {boolean} [mayLackRoom] whether calls may throw `HF_NO_SPACE`
 * @property {boolean} [isLong]
 * @property {number} states the recorded number of states
 *
 * @typedef {{ move: string, before: Trail | undefined }} Trail
 * @typedef {{ image: Int32Array, nodes: Node[], dead: number, trail: Trail | undefined }} State `dead`: the
 *     dead threads, as bits
 */

/** More than any scenario needs; scenarios of a full space set a smaller number. */
const GRANULES = 40;

/** The granules lost if a thread dies as it links or frees a key: of an entry, and of each further claim. */
const [LOST_ENTRY, LOST_CLAIM] = [4, 2];

/** @param {Question} question */
function textOf(question) {
    return question.is === 'call' ? `${question.name}(${question.args.join(', ')})` : question.is;
}

/** @param {State} state */
function keyOf({ image, nodes, dead }) {
    return createHash('sha1')
        .update(new Uint8Array(image.buffer))
        .update(`${dead} ${nodes.map(({ id }) => id).join(' ')}`)
        .digest('base64');
}

/** @param {State} state @param {number} which */
function isDead({ dead }, which) {
    return ((dead >> which) & 1) !== 0;
}

/** The abandoned keys that no thread has repaired. @param {State} state */
function abandonedIn(state) {
    const repaired = state.nodes.flatMap((node) => node.repaired);
    return state.nodes
        .flatMap(({ inside }, which) => (inside !== undefined && isDead(state, which) ? [inside] : []))
        .filter((key) => !repaired.includes(key));
}

/** A search through all orders in which the threads of a scenario can take their steps. */
class Search {
    #glue;
    #scenario;
    #machine;
    #threads;
    /** A thread in addition to the scenario's. */
    #other;
    #seen = new Set();
    /** @type {State[]} */
    #pending = [];
    /** The last move. @type {Trail | undefined} */
    #trail;

    /** @param {import('./glue.js').Glue} glue @param {Scenario} scenario */
    constructor(glue, scenario) {
        const { threads, keys, mortals = [], granules = GRANULES, stripes = 1 } = scenario;
        this.#glue = glue;
        this.#scenario = scenario;
        this.#machine = new Machine(glue, threads.length + 1, granules);
        const used = new Set(keys.map((key) => this.#stripeOf(key)));
        if (used.size !== stripes) {
            throw new Error(`${scenario.name}: the keys have ${used.size} stripes`);
        }
        this.#machine.stripes = [...used];
        this.#other = new Thread(glue, this.#machine, threads.length, () => {});
        this.#threads = threads.map(
            (program, which) => new Thread(glue, this.#machine, which, program, mortals.includes(which)),
        );
    }

    get states() {
        return this.#seen.size;
    }

    /** The moves that lead to the state where the search stopped. */
    get schedule() {
        const moves = [];
        for (let at = this.#trail; at; at = at.before) {
            moves.unshift(at.move);
        }
        return moves;
    }

    /** The address of a key's stripe, which a lookup locks first. @param {string} key */
    #stripeOf(key) {
        const looksUp = (/** @type {import('./thread.js').Given} */ { keyed }) => void keyed.tryLock(key);
        const { question } = new Thread(
            this.#glue,
            this.#machine,
            this.#scenario.threads.length,
            looksUp,
        ).begin();
        return question?.is === 'call' ? (question.args[0] ?? 0) : 0;
    }

    /** @param {Program} program @param {boolean} [mayLackRoom] */
    #alone(program, mayLackRoom = false) {
        const error = /** @type {any} */ (this.#other.runAlone(program));
        if (error && !(mayLackRoom && error.code === 'HF_NO_SPACE')) {
            throw error;
        }
    }

    /** @param {number} mostStates */
    run(mostStates) {
        this.#alone(this.#scenario.before ?? (() => {}));
        const image = this.#machine.image();
        const nodes = this.#threads.map((thread) => thread.begin());
        this.#add({ image, nodes, dead: 0, trail: undefined });
        for (let state = this.#pending.pop(); state; state = this.#pending.pop()) {
            this.#goOnFrom(state);
            if (this.states > mostStates) {
                throw new Violation(`more than ${mostStates} states`);
            }
        }
    }

    /** @param {State} state */
    #add(state) {
        this.#check(state);
        const key = keyOf(state);
        if (!this.#seen.has(key)) {
            this.#seen.add(key);
            this.#pending.push(state);
        }
    }

    /** @param {State} state */
    #check(state) {
        const living = state.nodes.filter((_, which) => !isDead(state, which));
        const inside = [...living.flatMap((node) => node.inside ?? []), ...abandonedIn(state)];
        if (new Set(inside).size < inside.length) {
            throw new Violation('two threads hold one key, or a thread holds an abandoned key');
        }
        if (this.#machine.used > (this.#scenario.most ?? Infinity)) {
            throw new Violation(`${this.#machine.used} granules are in use`);
        }
        for (const { question } of living) {
            const error = question?.is === 'end' ? /** @type {any} */ (question.error) : undefined;
            const mayFail =
                error?.code === 'HF_ABANDONED' ||
                (error?.code === 'HF_NO_SPACE' && this.#scenario.mayLackRoom);
            if (error && !mayFail) {
                throw new Violation(`a call throws ${error}`);
            }
        }
    }

    /** @param {State} state */
    #goOnFrom(state) {
        let canGoOn = false;
        let isOver = true;
        for (const [which, thread] of this.#threads.entries()) {
            const node = /** @type {Node} */ (state.nodes[which]);
            const question = /** @type {Question} */ (node.question);
            if (isDead(state, which) || question.is === 'end') {
                continue;
            }
            isOver = false;
            for (const outcome of this.#outcomes(state, thread, question)) {
                canGoOn = true;
                this.#move(state, `${which} ${textOf(question)} ${outcome}`, () => {
                    const next = thread.goOn(node, thread.perform(question, outcome));
                    return { nodes: state.nodes.with(which, next) };
                });
            }
            if (this.#scenario.mortals?.includes(which)) {
                this.#move(state, `${which} dies`, () => {
                    this.#machine.end(which);
                    return { dead: state.dead | (1 << which) };
                });
            }
        }
        if (isOver) {
            this.#checkEnd(state);
        } else if (!canGoOn) {
            this.#trail = state.trail;
            throw new Violation('a thread waits for ever');
        }
    }

    /** @param {State} state @param {Thread} thread @param {Question} question */
    #outcomes(state, thread, question) {
        this.#machine.restore(state.image, state.dead);
        return question.is === 'call'
            ? this.#machine.outcomes(thread.self, question.name, question.args)
            : ['goes on'];
    }

    /**
     * @param {State} state
     * @param {string} move
     * @param {() => Partial<State>} make makes the move, and returns the changed parts of the state, without the image
     */
    #move(state, move, make) {
        this.#trail = { move, before: state.trail };
        this.#machine.restore(state.image, state.dead);
        const changed = make();
        this.#add({ ...state, ...changed, image: this.#machine.image(), trail: this.#trail });
    }

    /**
     * Checks that all keys can be locked, and that their memory comes back.
     *
     * @param {State} state in which all threads have ended
     */
    #checkEnd(state) {
        this.#trail = state.trail;
        this.#machine.restore(state.image, state.dead);
        for (const key of this.#scenario.keys) {
            let isAbandoned = false;
            this.#alone(({ keyed }) => {
                isAbandoned = keyed.recover(key, () => {});
                keyed.exec(key, () => {});
            }, state.dead !== 0);
            if (!isAbandoned && abandonedIn(state).includes(key)) {
                throw new Violation('no thread gets HF_ABANDONED for a dead holder');
            }
        }
        this.#alone(({ keyed }) => keyed.reclaim());
        const deaths = this.#threads.filter((_, which) => isDead(state, which)).length;
        if (this.#machine.hasKeys) {
            throw new Violation('an unused key stays in the table');
        }
        if (this.#machine.used > deaths * (LOST_ENTRY + LOST_CLAIM * (this.#threads.length - 1))) {
            throw new Violation(`${this.#machine.used} granules are not freed`);
        }
    }
}

/**
 * @param {import('./glue.js').Glue} glue
 * @param {Scenario} scenario
 * @param {number} [mostStates] the limit of the search
 * @returns {{ states: number, failure: string, schedule: string[] }} `schedule`: the moves that lead to the failure
 */
export function explore(glue, scenario, mostStates = Infinity) {
    const search = new Search(glue, scenario);
    try {
        search.run(mostStates);
        return { states: search.states, failure: '', schedule: [] };
    } catch (error) {
        if (error instanceof Violation) {
            return { states: search.states, failure: error.message, schedule: search.schedule };
        }
        throw error;
    }
}
