/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { identityAt } from '../explorer/gate-word.js';
import { Violation } from '../explorer/violation.js';
import { randomOf } from '../random.js';
import { AMBIENT, keyOf, HEIR } from './abstraction.js';
import { LOW } from './client.js';
import { nameOf } from './names.js';
import { Worlds } from './worlds.js';

/* Random walks of many threads, more than any search tries. For each step two questions are asked. Does the
 * abstraction have the step, from the abstracted world before to the abstracted world after? That needs no
 * search. And is the world after it in the fixpoint? */

/**
 * @typedef {import('./worlds.js').World} World
 * @typedef {import('./worlds.js').Step} Step
 * @typedef {import('./abstraction.js').State} State
 * @typedef {import('./abstraction.js').Actor} Actor
 * @typedef {import('./client.js').Local} Local
 * @typedef {import('../random.js').Random} Random
 *
 * @typedef {[thread: number, choice: string, until: 'moved' | 'sleeps' | 'is to wake' | 'is done'][]} Script
 *
 * @typedef {object} Walks
 * @property {number} blocking the number of blocking threads
 * @property {number} [loops] the number of event loops
 * @property {number} steps in all
 * @property {number} seed
 * @property {boolean} [isFound] false: the search was not made, so only check the steps
 *
 * @typedef {object} Walked
 * @property {string} missing the missing move or world, or ''
 * @property {string[]} schedule that leads there
 * @property {Map<string, number>} kinds of moves, how often
 * @property {{ long: number, high: number, loops: number }} most the largest numbers of waiters: on the lower
 *     half; on the upper half, without being the heir; event loops
 */

/** The length of a walk: much longer ones reach nothing new. */
const LENGTH = 500;
/** How long threads keep their pace: some stop in the middle of a call while others go on. */
const PHASE = 40;
/** How often a drawn thread that could sleep on moves anyway. */
const ENDS_BY_ITSELF = 0.05;
/** How often a thread claims to have watched the heir, if it may; and how often it does something rare. */
const WATCHES = 0.2;
const DOES_ANYTHING = 0.2;
const USUAL = /^(lock|unlock|try|60000000|lock for 60000000|step 1 [13] .* nothing|withdraw)$/;

/** @param {import('./fixpoint.js').Fixpoint} fixpoint @param {Walks} options @returns {Walked} */
export function walked(fixpoint, { blocking, loops = 0, steps, seed, isFound = true }) {
    const kindsOf = [...new Array(blocking).fill(false), ...new Array(loops).fill(true)];
    const worlds = new Worlds(fixpoint.clients, fixpoint.names, kindsOf);
    const random = randomOf(seed);
    const most = { long: 0, high: 0, loops: 0 };
    /** @type {Map<string, number>} */
    const kinds = new Map();
    /** @type {{ step: Step, came: World }[]} */
    let path = [];
    let world = worlds.start();
    /** @type {boolean[]} */
    let isSlow = [];
    let wakesLate = false;
    const stands = (/** @type {number} */ thread, /** @type {Local} */ local) =>
        isSlow[thread] === true ||
        (wakesLate && fixpoint.clients.atomicOf(local)?.name === 'memory.atomic.notify');
    for (let count = 0; count < steps; count += 1) {
        if (count % LENGTH === 0) {
            world = worlds.start();
            path = [];
            wakesLate = random.chance(1 / 2);
        }
        isSlow = count % PHASE === 0 ? kindsOf.map(() => random.chance(1 / 2)) : isSlow;
        const step = drawn(worlds, world, stands, random);
        if (!step) {
            continue;
        }
        const { kind, missing, came } = stepped(fixpoint, worlds, world, step, isFound);
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        path.push({ step, came });
        if (missing) {
            return { missing, schedule: path.flatMap((each) => told(worlds, each)), kinds, most };
        }
        world = came;
        most.long = Math.max(
            most.long,
            numberOf(world, (local) => fixpoint.clients.asleepAt(local) === LOW),
        );
        most.high = Math.max(most.high, worlds.highIn(world));
        most.loops = Math.max(most.loops, numberOf(world, isWaitingLoop));
    }
    return { missing: '', schedule: [], kinds, most };
}

/**
 * Makes one given walk.
 *
 * @param {import('./fixpoint.js').Fixpoint} fixpoint
 * @param {readonly boolean[]} kinds of each thread, whether it is an event loop
 * @param {Script} script for each entry the thread, its call ('': it goes on), and how far it goes
 * @param {boolean} isFound whether the search has been made
 * @returns {{ missing: string, worlds: Worlds, came: World[] }}
 */
export function scripted(fixpoint, kinds, script, isFound) {
    const worlds = new Worlds(fixpoint.clients, fixpoint.names, kinds);
    const came = [worlds.start()];
    for (const [thread, choice, until] of script) {
        for (let named = choice || undefined, is = false; !is; named = undefined) {
            const world = /** @type {World} */ (came.at(-1));
            const step = worlds.stepsOf(world, thread).find((each) => each.choice === named);
            if (!step) {
                throw new Error(`T${thread} has no step ${named ?? ''} here: ${worlds.describe(world)}`);
            }
            const next = stepped(fixpoint, worlds, world, step, isFound);
            came.push(next.came);
            if (next.missing) {
                return { missing: next.missing, worlds, came };
            }
            is = until === 'moved' || stateOf(worlds.localOf(next.came, thread)) === until;
        }
    }
    return { missing: '', worlds, came };
}

/** @param {Local} local */
function stateOf({ call }) {
    const isToWake = call?.stop.atomic?.name === 'memory.atomic.notify';
    return call === undefined ? 'is done' : call.asleep ? 'sleeps' : isToWake ? 'is to wake' : '';
}

/** @param {Worlds} worlds @param {{ step: Step, came: World }} taken */
function told(worlds, { step: { thread, what }, came }) {
    return [`T${thread} ${what}`, `    -> ${worlds.describe(came)}`];
}

/** @param {World} world @param {(local: Local) => boolean} isCounted */
function numberOf({ threads }, isCounted) {
    return threads.filter(({ local }) => isCounted(local)).length;
}

/**
 * @param {import('./fixpoint.js').Fixpoint} fixpoint
 * @param {Worlds} worlds
 * @param {World} world
 * @param {Step} step
 * @param {boolean} isFound
 */
function stepped(fixpoint, worlds, world, step, isFound) {
    try {
        const came = step.apply();
        const [before, after] = [worlds.abstracted(world), worlds.abstracted(came)];
        const { kind, lacks } = moveOf(fixpoint, before, after, step);
        return { kind, came, missing: lacks || (isFound ? fixpoint.lacks(after) : '') };
    } catch (error) {
        if (error instanceof Violation) {
            return { kind: '', came: world, missing: error.message };
        }
        throw error;
    }
}

/**
 * The move of the abstraction that corresponds to a step.
 *
 * @param {import('./fixpoint.js').Fixpoint} fixpoint
 * @param {{ state: State, actors: Actor[] }} before
 * @param {{ state: State, actors: Actor[] }} after
 * @param {Step} step
 * @returns {{ kind: string, lacks: string }}
 */
function moveOf(fixpoint, before, after, { thread, what }) {
    const { abstraction, clients } = fixpoint;
    const actor = /** @type {Actor} */ (before.actors[thread]);
    const own = /** @type {Actor} */ (after.actors[thread]);
    const plain = { ...actor, local: abstraction.plainly(actor.local) };
    const key = keyOf(withoutDuties(after.state));
    const all = [...abstraction.movesOf(before.state, plain)];
    const move = all.find(
        ({ state, came, most }) =>
            keyOf(withoutDuties(state)) === key &&
            came.local === abstraction.plainly(own.local) &&
            came.role === own.role &&
            (own.duties & ~most) === 0 &&
            isWithin(dutiesIn(state), dutiesIn(after.state)),
    );
    const { isDemoted = false } = move ?? {};
    const short = all.find(({ isOwn, state }) => isOwn && keyOf(state) !== keyOf(before.state));
    const other = after.actors.find(
        (is, at) => at !== thread && !mayBe(abstraction, before.actors[at], is, isDemoted),
    );
    const by = `${what}, ${clients.describe(actor.local)}`;
    const lacks = !fixpoint.isThere(before.state, plain)
        ? `the search does not ask T${thread}: ${by}`
        : move === undefined
          ? `nothing does what T${thread} does: ${by}`
          : other
            ? `no other comes to ${clients.describe(other.local)} by what T${thread} does: ${by}`
            : short
              ? `it changes more than the thread itself: ${short.what}, ${by}`
              : '';
    return { kind: move?.what ?? '', lacks };
}

/**
 * True if another thread can be this actor after a move: it is unchanged, or was woken, or was the heir and
 * has joined the ambient set.
 *
 * @param {import('./abstraction.js').Abstraction} abstraction
 * @param {Actor | undefined} was
 * @param {Actor} is
 * @param {boolean} isDemoted
 */
function mayBe(abstraction, was, is, isDemoted) {
    return (
        was !== undefined &&
        (was.role === is.role || (isDemoted && was.role === HEIR && is.role === AMBIENT)) &&
        [was, ...abstraction.wokenAs(was)].some(
            ({ local, duties }) =>
                abstraction.plainly(local) === abstraction.plainly(is.local) && (is.duties & ~duties) === 0,
        )
    );
}

/** @param {State} state @returns {State} */
function withoutDuties(state) {
    return { ...state, owes: [0, 0], owed: 0 };
}

/** @param {State} state */
function dutiesIn({ owes, owed }) {
    return [...owes, owed];
}

/** @param {number[]} some @param {number[]} all */
function isWithin(some, all) {
    return some.every((duties, at) => (duties & ~(all[at] ?? 0)) === 0);
}

/** @param {Local} local */
function isWaitingLoop({ at, entries }) {
    return (at === 'in line' && entries.line) || (at === 'for its turn' && entries.turn);
}

/**
 * @param {Worlds} worlds
 * @param {World} world
 * @param {(thread: number, local: Local) => boolean} stands whether the thread moves seldom
 * @param {Random} random
 * @returns {Step | undefined}
 */
function drawn(worlds, world, stands, random) {
    const thread = random.below(world.threads.length);
    const { local } = /** @type {import('./worlds.js').Thread} */ (world.threads[thread]);
    const isStill = stands(thread, local) || local.call?.asleep || isWaitingLoop(local);
    if (isStill && !random.chance(ENDS_BY_ITSELF)) {
        return undefined;
    }
    const all = worlds.stepsOf(world, thread);
    const next = new RegExp(`(reservation|slot|oldest|after|of) ${nameOf(identityAt(world.word, 32n))}$`);
    const watching = all.filter(({ choice = '' }) => next.test(choice));
    const usual = all.filter(({ choice }) => choice === undefined || USUAL.test(choice));
    const some =
        watching.length > 0 && random.chance(WATCHES)
            ? watching
            : usual.length > 0 && !random.chance(DOES_ANYTHING)
              ? usual
              : all;
    return some[random.below(some.length)];
}
