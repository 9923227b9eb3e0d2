/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Violation } from '../explorer/violation.js';
import { interpreterOf } from '../wasm/interpreter.js';
import {
    AMBIENT,
    ASYNC,
    Abstraction,
    DUTIES,
    HEIR,
    OWNER,
    START,
    countedAs,
    keyOf,
    mayAct,
    patternOf,
    sleepOf,
    standingOf,
    whatIsWrong,
} from './abstraction.js';
import { Clients, isSaidBy } from './client.js';
import { namesBy } from './names.js';

/**
 * @typedef {import('./abstraction.js').State} State
 * @typedef {import('./abstraction.js').Role} Role
 * @typedef {import('./abstraction.js').Actor} Actor
 * @typedef {import('./abstraction.js').Move} Move
 * @typedef {import('./client.js').Local} Local
 *
 * @typedef {{ what: string, actor: Actor | undefined }} Step
 * @typedef {{ isDone: boolean[], kinds: Set<string> }} Place at a word: the actors that need not be asked
 *     again, and the kinds of moves of the others
 * @typedef {{ state: State, key: string, before: string, by: Step, asked: number }} Reached `asked`: how many
 *     actors were tried in the state
 */

/** @type {Step} */
const START_OF_ALL = { what: 'start', actor: undefined };

/** The kind of all moves that wake a thread. */
const WAKES = 'wakes';

/** Reached states, and what threads may be in them. Grows until nothing is new. */
export class Fixpoint {
    #names;
    #clients;
    #abstraction;
    /** @type {Map<string, Reached>} */
    states = new Map();
    /** @type {Actor[]} */
    actors = [];
    #known = new Set();
    #without;
    #loops;
    #most;
    /** True once an heir has gone back to the ambient set. */
    #demotes = false;
    /**
     * The pattern of the word at which an actor changes others (`dependsOn`).
     * @type {(bigint | '' | undefined)[]}
     */
    #dependsOn = [];
    /** True for actors that change only themselves, at some word. @type {boolean[]} */
    #isOwn = [];
    /** Results about actors that depend on the word alone. @type {Map<bigint, Place>} */
    #places = new Map();
    /** The current state and step, for a counterexample. */
    #at = '';
    /** @type {Step} */
    #by = START_OF_ALL;

    /**
     * @param {import('../wasm/decoder.js').Module} module
     * @param {object} [options]
     * @param {boolean} [options.loops] there are event loops, too
     * @param {string} [options.without] moves to leave out, for tests of the search
     */
    constructor(module, { loops = false, without = '' } = {}) {
        this.#without = without;
        this.#loops = loops;
        this.#most = loops ? Infinity : MOST;
        const runner = interpreterOf(module);
        this.#names = namesBy(runner);
        this.#clients = new Clients(module, runner, this.#names);
        this.#abstraction = new Abstraction(this.#clients, this.#names);
    }

    get size() {
        return { states: this.states.size, actors: this.actors.length, locals: this.#clients.size };
    }

    /**
     * Names what the fixpoint lacks of a world, or ''. A state with fewer duties is enough: every failure with more
     * duties also occurs there. But an actor with a duty that the state knows must be there with that duty, or the
     * loss of a duty would go unnoticed.
     *
     * @param {ReturnType<import('./worlds.js').Worlds['abstracted']>} abstracted
     */
    lacks({ state, actors }) {
        let lacking = describe(state);
        for (const known of withFewerDuties(state)) {
            if (this.states.has(keyOf(known))) {
                const isOf = [...known.owes, known.owed];
                const missing = actors.find(
                    (actor) =>
                        !this.#known.has(
                            this.keyOfActor({ ...actor, duties: actor.duties & (isOf[actor.role] ?? 0) }),
                        ),
                );
                if (!missing) {
                    return '';
                }
                const { role, local, duties } = missing;
                lacking = `${role} ${this.#clients.describe(local)}, duties ${duties}, beside ${describe(known)}`;
            }
        }
        return lacking;
    }

    /** @param {Actor} actor by any names */
    keyOfActor({ local, role, duties }) {
        return `${this.#abstraction.plainly(local).id} ${role} ${duties}`;
    }

    get clients() {
        return this.#clients;
    }

    get names() {
        return this.#names;
    }

    get abstraction() {
        return this.#abstraction;
    }

    /**
     * Everything reached, in a fixed order, described by what threads do and not by positions in the module.
     */
    text() {
        const actors = this.actors.map(
            ({ local, role, duties }) => `${role} ${duties} ${this.#clients.describe(local)}`,
        );
        return [...this.states.keys(), ...actors].join('\n');
    }

    /**
     * Adds the actor, and what it becomes when another thread takes over its duties, or wakes it.
     * @param {Actor} actor
     */
    #addActor({ local, role, duties }) {
        const key = `${local.id} ${role} ${duties}`;
        if (this.#known.has(key)) {
            return;
        }
        this.#known.add(key);
        this.actors.push({ local, role, duties });
        this.#dependsOn.push(this.#abstraction.dependsOn(local));
        if (this.actors.length > this.#most || this.states.size > this.#most) {
            throw new Violation(`more than ${this.#most} states, or threads' states`);
        }
        for (const one of DUTIES) {
            if (duties & one) {
                this.#addActor({ local, role, duties: duties & ~one });
            }
        }
        if (this.#without !== WAKES) {
            this.#abstraction.wokenAs({ local, role, duties }).forEach((woken) => this.#addActor(woken));
        }
        if (role === HEIR && this.#demotes) {
            this.#addActor({ local, role: AMBIENT, duties });
        }
    }

    #demote() {
        if (!this.#demotes) {
            this.#demotes = true;
            for (const actor of [...this.actors]) {
                if (actor.role === HEIR) {
                    this.#addActor({ ...actor, role: AMBIENT });
                }
            }
        }
    }

    /** @param {Move} move @param {string} before */
    #add({ state, came: { local, role }, most, isDemoted }, before) {
        this.#addActor({ local, role, duties: most });
        if (isDemoted) {
            this.#demote();
        }
        this.#addState(state, before);
    }

    /** @param {State} state @param {string} before */
    #addState(state, before) {
        const key = keyOf(state);
        if (!this.states.has(key)) {
            this.states.set(key, { state, key, before, by: this.#by, asked: 0 });
            const wrong = whatIsWrong(state);
            if (wrong) {
                this.#at = key;
                throw new Violation(wrong);
            }
        }
    }

    /**
     * @param {(size: Fixpoint['size']) => void} [watch] called with the size as it grows
     * @returns {boolean} whether the search is complete; with event loops it stops earlier
     * @throws {Violation}
     */
    run(watch = () => {}) {
        for (const loops of this.#loops ? [false, true] : [false]) {
            this.#addActor({ local: this.#abstraction.first(loops), role: AMBIENT, duties: 0 });
        }
        this.#addState(START, '');
        for (let before = ''; before !== JSON.stringify(this.size);) {
            before = JSON.stringify(this.size);
            for (const reached of this.states.values()) {
                this.#move(reached);
                watch(this.size);
                if (this.#loops && this.states.size > MOST_WITH_LOOPS) {
                    return false;
                }
            }
        }
        return true;
    }

    /** True if the thread can be this actor in the state. @param {State} state @param {Actor} actor */
    isThere({ word, heir, said, asleep, owes, owed }, { local, role, duties }) {
        switch (role) {
            case OWNER:
                return (word & 0x1fffffffn) !== 0n && owes[OWNER] === duties;
            case HEIR:
                return (
                    ((word >> 32n) & 0x1fffffffn) !== 0n &&
                    local.loops === ((word & ASYNC) !== 0n) &&
                    heir === standingOf(local) &&
                    said === isSaidBy(local) &&
                    owes[HEIR] === duties
                );
            default: {
                return countedAs(local).every((counted) => asleep[counted] > 0) && (owed & duties) === duties;
            }
        }
    }

    /** @param {Reached} reached */
    #move(reached) {
        const { state, key } = reached;
        const pattern = patternOf(state.word);
        const place = this.#places.get(state.word) ?? { isDone: [], kinds: new Set() };
        this.#places.set(state.word, place);
        this.#at = key;
        for (; reached.asked < this.actors.length; reached.asked += 1) {
            const actor = /** @type {Actor} */ (this.actors[reached.asked]);
            const dependsOn = this.#dependsOn[reached.asked];
            const isOwn = this.#isOwn[reached.asked] && dependsOn !== undefined && dependsOn !== pattern;
            if (isOwn || place.isDone[reached.asked] || !this.isThere(state, actor)) {
                continue;
            }
            const moves = [];
            this.#by = { what: '', actor };
            for (const move of this.#abstraction.movesOf(state, actor)) {
                if (!this.#without || !move.what.includes(this.#without)) {
                    this.#by = { what: move.what, actor };
                    this.#add(move, key);
                    moves.push(move);
                }
            }
            this.#isOwn[reached.asked] = actor.duties === 0 && moves.every((move) => move.isOwn);
            // A wake whose count is used leaves its thread in another state in another state of the sleepers.
            place.isDone[reached.asked] ??=
                this.#isOwn[reached.asked] ||
                (!this.#clients.usesCount(actor.local) && this.#isLikeAnother(place, actor, moves));
        }
    }

    /**
     * True if another actor of the same states has the same effects on other threads there; then this one
     * need not be tried again there.
     *
     * @param {Place} place
     * @param {Actor} actor
     * @param {Move[]} moves
     */
    #isLikeAnother({ kinds }, { local, role, duties }, moves) {
        const partOf = (/** @type {Local} */ one) =>
            `${sleepOf(one)} ${countedAs(one)} ${standingOf(one)} ${isSaidBy(one)} ${mayAct(one)}`;
        const kind = `${role} ${duties} ${partOf(local)}: ${moves
            .map(
                ({ what, state, came, most }) =>
                    `${what} ${state.word} ${came.role} ${most} ${partOf(came.local)}`,
            )
            .join()}`;
        const isKnown = kinds.has(kind);
        kinds.add(kind);
        return isKnown;
    }

    /**
     * Checks the search without its shortcuts: each actor that fits a state makes all its moves there, and
     * the search must have reached every result.
     *
     * @param {import('../random.js').Random} [random] chooses some pairs; absent: all
     * @param {number} [pairs] the number of pairs of a state and an actor that fits it
     * @returns {{ missing: string, count: number }} the first move that leaves the fixpoint, or ''; and the
     *     number of pairs tried
     */
    firstMoveOut(random, pairs = Infinity) {
        let count = 0;
        for (const { state, actor } of this.#pairs(random)) {
            if (count >= pairs) {
                break;
            }
            if (this.isThere(state, actor)) {
                count += 1;
                const out = [...this.#abstraction.movesOf(state, actor)].find((move) => !this.#has(move));
                if (out) {
                    return { missing: `${out.what} ${describe(state)} -> ${describe(out.state)}`, count };
                }
            }
        }
        return { missing: '', count };
    }

    /** @param {import('../random.js').Random} [random] @returns {Iterable<{ state: State, actor: Actor }>} */
    *#pairs(random) {
        const states = [...this.states.values()];
        while (random) {
            const { state } = /** @type {Reached} */ (states[random.below(states.length)]);
            yield { state, actor: /** @type {Actor} */ (this.actors[random.below(this.actors.length)]) };
        }
        for (const { state } of states) {
            for (const actor of this.actors) {
                yield { state, actor };
            }
        }
    }

    /** @param {Move} move */
    #has({ state, came: { local, role }, most, isDemoted }) {
        const isKnown = this.#known.has(`${local.id} ${role} ${most}`);
        return isKnown && this.states.has(keyOf(state)) && (this.#demotes || !isDemoted);
    }

    /** @param {Step} step */
    #describe({ what, actor }) {
        return `${what} ${actor ? this.#clients.describe(actor.local) : ''}`;
    }

    schedule() {
        const lines = [];
        for (let at = this.states.get(this.#at); at; at = this.states.get(at.before)) {
            lines.unshift(`${this.#describe(at.by)}\n        -> ${describe(at.state)}`);
        }
        return [...lines, this.#describe(this.#by)];
    }
}

/** @param {State} state */
function describe({ word, heir, said, asleep, owes, owed }) {
    const hex = BigInt.asUintN(64, word).toString(16);
    return [
        `word ${hex}, asleep ${JSON.stringify(asleep)}`,
        ['', ', the heir has an entry', ', the heir sleeps', ', the heir has an entry'][heir],
        said ? ', the heir is in line' : '',
        `, duties ${owes} ${owed}`,
    ].join('');
}

/** @param {State} state @returns {State[]} the state with the most duties comes last */
function withFewerDuties(state) {
    return subsetsOf(state.owes[OWNER]).flatMap((owner) =>
        subsetsOf(state.owes[HEIR]).flatMap((heir) =>
            subsetsOf(state.owed).map((owed) => ({
                ...state,
                owes: /** @type {State['owes']} */ ([owner, heir]),
                owed,
            })),
        ),
    );
}

/** @param {import('./abstraction.js').Duties} duties */
function subsetsOf(duties) {
    return Array.from({ length: duties + 1 }, (_, some) => some).filter((some) => (some & ~duties) === 0);
}

/** Many times the number for blocking threads. */
const MOST = 12_000;
/** More than twice the number. */
const MOST_WITH_LOOPS = 20_000;

/**
 * All that any number of threads may do with a mutex.
 *
 * @param {import('../wasm/decoder.js').Module} module
 * @param {{ loops?: boolean }} [options]
 */
export function fixpointOf(module, options = {}) {
    /** @type {Fixpoint | undefined} */
    let fixpoint;
    let failure = '';
    let isWhole = true;
    try {
        fixpoint = new Fixpoint(module, options);
        isWhole = fixpoint.run();
    } catch (error) {
        if (!(error instanceof Violation)) {
            throw error;
        }
        failure = error.message;
    }
    return { failure, isWhole, fixpoint, schedule: (failure && fixpoint?.schedule()) || [] };
}
