/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Draw } from './draw.js';

/* Adds upgradable readers, and deadlines in place of timeouts, to programs with reader-writer locks. They
 * have random numbers of their own, so a seed's program is otherwise the same as before. An upgrade comes
 * before the requests inside its section, so that it waits for readers alone. */

/**
 * @typedef {import('./program.js').Program} Program
 * @typedef {import('./program.js').Step} Step
 * @typedef {import('./program.js').Limits} Limits
 *
 * @typedef {object} Move of a section that holds upgradable; `giveUp`: an upgrade during which its guard is released
 * @property {'upgrade' | 'try' | 'tryFor' | 'async' | 'giveUp' | 'downgrade'} how
 * @property {number} [timeout] milliseconds, of `tryFor`
 * @property {Limits} [limits] of `async` and `giveUp`
 */

/** Seeds for separate draws. */
const [OF_UPGRADES, OF_DEADLINES] = [0xabba, 0xdead];
const SHARE = 0.4;
const DEADLINES_SHARE = 0.3;
const LONGEST_DEADLINE_MS = 1e6;
const MOST_MOVES = 3;
const TIMEOUTS_MS = [0, 0.5, 2, 5, 12, 30];
/** Kinds of programs whose requests have no bound. */
const GENRES = ['mixed', 'queued', 'deaths'];

/** @type {Move['how'][]} */
const BLOCKING = ['upgrade', 'tryFor'];
/** @type {Move['how'][]} */
const ASYNC = ['async', 'async', 'async', 'giveUp'];

/** @param {Draw} draw @param {string[]} signals @param {{ isAsync: boolean, blocks: boolean }} section @returns {Move} */
function move(draw, signals, { isAsync, blocks }) {
    const how = draw.pick(
        /** @type {Move['how'][]} */ ([
            ...['try', 'downgrade'],
            ...(blocks ? BLOCKING : []),
            ...(isAsync ? ASYNC : []),
        ]),
    );
    const signal = signals.length > 0 && draw.chance(0.4) ? draw.pick(signals) : undefined;
    return {
        how,
        ...(how === 'tryFor' && { timeout: draw.pick(TIMEOUTS_MS) }),
        ...((how === 'async' || how === 'giveUp') && {
            limits: {
                ...(draw.chance(0.4) && { timeout: draw.pick(TIMEOUTS_MS) }),
                ...(signal && { signal }),
            },
        }),
    };
}

/** @param {Draw} draw @param {string[]} signals @param {{ isAsync: boolean, blocks: boolean }} section */
function moves(draw, signals, section) {
    return Array.from({ length: draw.random.below(MOST_MOVES + 1) }, () => move(draw, signals, section));
}

/**
 * @param {Step} step
 * @param {(step: Step) => Step} change of the step and of all steps inside
 * @returns {Step}
 */
function everywhere(step, change) {
    const { steps, body } = step;
    const deep = (/** @type {Step[]} */ list) => list.map((one) => everywhere(one, change));
    return change({
        ...step,
        ...(steps && { steps: deep(steps) }),
        ...(body?.inner && { body: { ...body, inner: deep(body.inner) } }),
    });
}

/** @param {Program} program @param {(step: Step, signals: string[], isHost: boolean) => Step} change @returns {Program} */
function withSteps(program, change) {
    const threads = program.threads.map((thread, index) => {
        const signals = Object.keys(thread.signals ?? {});
        const isHost = program.firstIsHost === true && index === 0;
        const steps = thread.steps.map((step) => everywhere(step, (one) => change(one, signals, isHost)));
        return { ...thread, steps };
    });
    return { ...program, threads };
}

/**
 * @param {Program} program
 * @param {string} genre
 * @param {number} seed
 * @param {import('./switches.js').On} on
 * @returns {Program}
 */
export function withUpgrades(program, genre, seed, on) {
    const draw = new Draw((seed ^ OF_UPGRADES) >>> 0, on);
    const names = program.objects.filter(({ kind }) => kind === 'RwLock').map(({ name }) => name);
    if (!GENRES.includes(genre)) {
        return program;
    }
    const changed = withSteps(program, (step, signals, isHost) => {
        const { do: what, object, style, body } = step;
        const mayBe = ['request', 'block'].includes(what) && names.includes(object);
        if (!mayBe || !draw.chance(SHARE)) {
            return step;
        }
        const asks = { ...step, ask: 'upgradable' };
        if (genre === 'deaths') {
            return asks; // no upgrade: it would wait for the referee, which stays a reader until all are done
        }
        if (what === 'block') {
            return style === 'exec'
                ? asks
                : { ...asks, moves: moves(draw, signals, { isAsync: false, blocks: true }) };
        }
        const drawn = moves(draw, signals, { isAsync: true, blocks: !isHost });
        return style === 'guard' ? { ...asks, body: { ...body, moves: drawn } } : asks;
    });
    const victims = (program.victims ?? []).map((victim) =>
        names.includes(victim.object) && draw.chance(SHARE)
            ? { ...victim, step: upgradeOf(victim.object) }
            : victim,
    );
    return program.victims ? { ...changed, victims } : changed;
}

/** An upgrade that waits for the readers inside. @param {string} object @returns {Step} */
function upgradeOf(object) {
    return {
        do: 'request',
        object,
        ask: 'upgradable',
        style: 'guard',
        limits: {},
        body: { moves: [{ how: 'async', limits: {} }] },
        awaited: false,
    };
}

/** @param {Draw} draw @param {Limits} limits @returns {Limits} */
function withDeadline(draw, { timeout, ...others }) {
    const mayBe = timeout !== undefined && (timeout <= LONGEST_DEADLINE_MS || timeout === Infinity);
    return mayBe && draw.chance(DEADLINES_SHARE)
        ? { ...others, deadline: timeout }
        : { ...(timeout !== undefined && { timeout }), ...others };
}

/**
 * @param {Program} program
 * @param {number} seed
 * @param {import('./switches.js').On} on
 * @returns {Program}
 */
export function withDeadlines(program, seed, on) {
    const draw = new Draw((seed ^ OF_DEADLINES) >>> 0, on);
    return withSteps(program, (step) => {
        const { limits, body, timeout } = step;
        const isTry = step.do === 'block' && timeout <= LONGEST_DEADLINE_MS;
        return {
            ...step,
            ...(limits && { limits: withDeadline(draw, limits) }),
            ...(isTry && draw.chance(DEADLINES_SHARE) && { byDeadline: true }),
            ...(body?.moves && {
                body: {
                    ...body,
                    moves: body.moves.map((/** @type {Move} */ one) =>
                        one.limits ? { ...one, limits: withDeadline(draw, one.limits) } : one,
                    ),
                },
            }),
        };
    });
}
