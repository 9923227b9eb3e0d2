/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { holderOf, machineOf } from '../explorer/scenario.js';
import { WAIT_ASYNC } from '../explorer/thread-call.js';
import { MUTEX_SCENARIOS } from '../programs/mutex.scenarios.js';
import { LEAST_SLEEPS_IN_A_LIMIT, PATIENCE_NS } from '../specification/gate-specification.js';
import { interpreterOf } from '../wasm/interpreter.js';
import { keyOf } from './abstraction.js';
import { NANOSECONDS_PER_US, SHORT_US } from './client.js';
import { Worlds } from './worlds.js';

/* The explorer's scenarios, whose threads run the package as it ships. A world of clients follows each of
 * their steps. So the clients can do all that those threads do, and what they reach must be in the fixpoint.
 */

/**
 * @typedef {import('../explorer/scenario.js').Scenario} Scenario
 * @typedef {import('../explorer/machine.js').World} Explored
 * @typedef {import('../explorer/waiting-threads.js').Move} Move
 * @typedef {import('../explorer/shipped-thread.js').RunningCall} RunningCall
 * @typedef {import('./client.js').Local} Local
 * @typedef {import('./worlds.js').World} World
 *
 * @typedef {{ explored: Explored, followers: World[] }} Followed several followers, while a time limit may be
 *     shorter or longer than the next wait
 */

/** The limit among the parameters of `gate_wait`, after the token. */
const LIMIT = 1;

/** @param {boolean} loops whether there are event loops */
const scenariosWith = (loops) =>
    MUTEX_SCENARIOS.filter(
        ({ threads, deaths = 0 }) =>
            deaths === 0 &&
            threads.some((thread) => thread.loops ?? false) === loops &&
            threads.every(({ blocks, copyOf }) => !blocks && copyOf === undefined),
    );

/**
 * Scenarios without deaths. Their threads block, or are event loops that never block and have one queue each.
 */
export const BLOCKING_SCENARIOS = scenariosWith(false);
export const LOOP_SCENARIOS = scenariosWith(true);

/** The calls that the clients make. The other calls only read. */
const CALLS = [
    ...['mutex_lock_for_a_time', 'mutex_trylock', 'mutex_unlock', 'gate_wait', 'gate_try_after'],
    ...['gate_step', 'gate_withdraw'],
];

/** The call a thread is in. @param {Explored} explored @param {number} thread @returns {RunningCall | undefined} */
function callOf({ locals }, thread) {
    const call = locals[thread]?.state.call;
    return call && CALLS.includes(call.name) ? call : undefined;
}

export class FollowedScenario {
    #fixpoint;
    #machine;
    #worlds;
    #count;
    #holder;
    #isFound;

    /**
     * @param {import('./fixpoint.js').Fixpoint} fixpoint
     * @param {import('../wasm/decoder.js').Module} module
     * @param {Scenario} scenario
     * @param {boolean} [isFound] false: the search was not made, so only check that the clients can follow
     */
    constructor(fixpoint, module, scenario, isFound = true) {
        this.#isFound = isFound;
        const runner = interpreterOf(module);
        const groups = scenario.threads.map((thread) => JSON.stringify(thread));
        this.#fixpoint = fixpoint;
        this.#machine = machineOf(module, scenario, () => runner, { groups });
        this.#count = scenario.threads.length;
        this.#holder = holderOf(scenario);
        this.#worlds = new Worlds(
            fixpoint.clients,
            fixpoint.names,
            scenario.threads.map(({ loops = false }) => loops),
        );
    }

    /**
     * Searches, nearest first, for a world that the clients cannot reach or the fixpoint lacks.
     *
     * @param {number} most worlds
     * @returns {{ missing: string, count: number }}
     */
    firstMissing(most) {
        const explored = this.#machine.start();
        const start = this.#aligned({ explored, followers: [this.#worlds.start(this.#holder)] });
        const known = new Set([this.#keyOf(start)]);
        const open = [start];
        for (let at = 0; at < open.length && known.size < most; at += 1) {
            const followed = /** @type {Followed} */ (open[at]);
            for (const move of this.#machine.movesOf(followed.explored)) {
                const next = this.#after(followed, move);
                const key = this.#keyOf(next);
                if (!known.has(key)) {
                    known.add(key);
                    open.push(next);
                    const missing = this.#missingIn(next);
                    if (missing) {
                        return { missing, count: known.size };
                    }
                }
            }
        }
        return { missing: '', count: known.size };
    }

    /** Threads that do the same are treated as one. @param {Followed} followed */
    #keyOf({ explored, followers }) {
        const abstracted = followers.map((follower) => {
            const { state, actors } = this.#worlds.abstracted(follower);
            const parts = actors.map((actor) => this.#fixpoint.keyOfActor(actor)).sort();
            return `${keyOf(state)} ${parts}`;
        });
        return `${this.#machine.keyOf(explored)} ${abstracted.sort()}`;
    }

    /** @param {Followed} followed */
    #missingIn({ explored, followers }) {
        const lacking = followers.map((follower) =>
            follower.word !== explored.words[0]
                ? 'the word is another than that of the clients'
                : this.#isFound
                  ? this.#fixpoint.lacks(this.#worlds.abstracted(follower))
                  : '',
        );
        return followers.length === 0
            ? ['the clients do not follow', ...this.#machine.describeWorld(explored)].join('\n')
            : (lacking.find(Boolean) ?? '');
    }

    /** @param {Followed} before @param {Move} move @returns {Followed} */
    #after({ explored: before, followers }, move) {
        const explored = this.#machine.apply(before, move);
        const { thread } = move;
        const isOfClient = callOf(before, thread) !== undefined;
        if (move.kind === 'wait ends') {
            return this.#aligned({
                explored,
                followers: followers.map((follower) => this.#worlds.ended(follower, thread)),
            });
        }
        const isEntry = before.locals[thread]?.view.atomic?.name === WAIT_ASYNC;
        if (isEntry) {
            const isMade = explored.queue.length > before.queue.length;
            return this.#aligned({
                explored,
                followers: followers.map((follower) => this.#worlds.askedForEntry(follower, thread, isMade)),
            });
        }
        if (move.kind !== 'atomic' || !isOfClient) {
            return this.#aligned({ explored, followers });
        }
        const woken = before.locals.findIndex(
            ({ view }, at) => view.sleeps && !explored.locals[at]?.view.sleeps,
        );
        const { name, operands } = before.locals[thread]?.view.atomic ?? {};
        const isForOne = name === 'memory.atomic.notify' && operands?.[0] === 1 && woken >= 0;
        return this.#aligned({
            explored,
            followers: followers.map((follower) =>
                this.#worlds.performed(follower, thread, isForOne ? woken : undefined),
            ),
        });
    }

    /** Clients begin the calls that their threads have begun. @param {Followed} followed @returns {Followed} */
    #aligned({ explored, followers }) {
        let aligned = followers;
        for (let thread = 0; thread < this.#count; thread += 1) {
            const call = callOf(explored, thread);
            aligned = aligned.flatMap((follower) => this.#matching(follower, thread, call));
        }
        return { explored, followers: aligned };
    }

    /** @param {World} follower @param {number} thread @param {RunningCall | undefined} call @returns {World[]} */
    #matching(follower, thread, call) {
        const local = /** @type {Local} */ (follower.threads[thread]?.local);
        if (local.at === 'calls') {
            return call && matches(local, call) ? [follower] : [];
        }
        if (!call) {
            return [follower];
        }
        return this.#worlds
            .choicesOf(local, thread)
            .filter((choice) => isCall(this.#fixpoint.clients.callBy(local, choice), call))
            .flatMap((choice) => this.#matching(this.#worlds.chosen(follower, thread, choice), thread, call));
    }
}

/**
 * True if the choice makes that call.
 * @param {[name: string, ...parameters: number[]]} own
 * @param {RunningCall} call
 */
function isCall([name, ...own], call) {
    const [, ...parameters] = call.parameters; // after the identity
    return (
        name === call.name &&
        own.every((value, at) =>
            name === 'gate_wait' && at === LIMIT
                ? (value === 0) === (parameters[at] === 0)
                : value === parameters[at],
        )
    );
}

/**
 * True if the client is at the same step as the thread, whatever its time limit.
 * @param {Local} local
 * @param {RunningCall} call
 */
function matches({ call: its }, call) {
    const [own, explored] = [its?.stop.atomic, call.stop.atomic];
    if (!its || !own || !explored || its.name !== call.name || (its.asleep !== '') !== call.asleep) {
        return false;
    }
    const [ownLast, last] = [own.operands.at(-1), explored.operands.at(-1)];
    const limit = Number(call.parameters[1 + LIMIT]) * NANOSECONDS_PER_US;
    const isCut =
        own.name === 'memory.atomic.wait32' &&
        Number(ownLast) === SHORT_US * NANOSECONDS_PER_US &&
        Number(last) === limit;
    // A sleep that a limit shortens to a part of it is as whole as the client's.
    const isPart =
        own.name === 'memory.atomic.wait32' &&
        Number(last) === Math.max(PATIENCE_NS, Math.floor(limit / LEAST_SLEEPS_IN_A_LIMIT)) &&
        Number(ownLast) > PATIENCE_NS;
    const isSameStep = own.name === explored.name && own.address === explored.address;
    return isSameStep && own.operands[0] === explored.operands[0] && (isCut || isPart || ownLast === last);
}
