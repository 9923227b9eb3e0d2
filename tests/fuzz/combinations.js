/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CLASS_NAMES } from '../support/classes.js';
import { allSteps } from './program.js';

/* Combinations that some programs must contain; otherwise the fuzzer tests less than it claims. */

/** @typedef {import('./program.js').Program} Program */

const HUGE_MS = 1e6;

/** @param {Program} program @returns {any[][]} by thread */
const stepsOf = (program) => program.threads.map((thread) => allSteps({ ...program, threads: [thread] }));

/** True if two requests of a thread share a signal but ask for different things. @param {Program} program */
function sharesSignal(program) {
    return program.threads.some((thread) => {
        const asks = allSteps({ ...program, threads: [thread] }).filter((step) => step['limits']?.signal);
        return asks.some((one) =>
            asks.some(
                (other) =>
                    one['limits'].signal === other['limits'].signal &&
                    one['object'] === other['object'] &&
                    one['ask'] !== other['ask'],
            ),
        );
    });
}

/** True if a thread both requests and blocks for the same object. @param {Program} program */
function waitsInTwoWays(program) {
    return stepsOf(program).some((steps) =>
        steps.some(
            (step) =>
                step.do === 'request' &&
                steps.some((other) => other.do === 'block' && other.object === step.object),
        ),
    );
}

/** @param {(step: any) => boolean} has @returns {(program: Program) => boolean} */
const anyStep = (has) => (program) => allSteps(program).some(has);

/** @param {(move: import('./upgrades.js').Move) => unknown} has */
const anyMove = (has) =>
    anyStep(({ body, moves = body?.moves ?? [] }) => moves.some((/** @type {any} */ one) => has(one)));

/** @param {(spec: any) => boolean} has @returns {(program: Program) => boolean} */
const anyObject = (has) => (program) => program.objects.some(has);

/** @type {Record<string, (program: Program) => boolean>} */
export const COMBINATIONS = {
    'one signal for different amounts or modes': sharesSignal,
    'a thread that waits in two ways at once': waitsInTwoWays,
    'four threads': ({ threads }) => threads.length === 4,
    'more than one space': ({ objects }) => new Set(objects.map(({ space }) => space)).size > 1,
    'several permits': anyStep(({ ask }) => ask > 1),
    'shared and exclusive': (program) =>
        ['shared', 'exclusive'].every((mode) => allSteps(program).some((step) => step['ask'] === mode)),
    'a request inside a section': anyStep(({ body }) => Boolean(body?.inner)),
    'a timeout of 0': anyStep(({ limits }) => limits?.timeout === 0),
    'a huge timeout': anyStep(({ limits }) => limits?.timeout > HUGE_MS),
    'a timeout and a signal': anyStep(
        ({ limits }) => limits?.timeout !== undefined && limits?.signal !== undefined,
    ),
    'a callback that throws': anyStep(({ body }) => body?.ends === 'throws'),
    'a callback that rejects': anyStep(({ body }) => body?.ends === 'rejects'),
    'a callback that aborts a signal': anyStep(({ body }) => body?.aborts !== undefined),
    'a thenable': anyStep(({ body }) => body?.ends === 'thenable'),
    'a polyfilled signal': ({ threads }) =>
        threads.some(({ signals = {} }) => Object.values(signals).some((spec) => spec.isPolyfilled)),
    'a signal that has aborted before': anyStep((step) => step['do'] === 'abort'),
    'a loop that is busy while it waits': anyStep((step) => step['do'] === 'busy'),
    'memory that was not zero': anyObject(({ dirty }) => dirty !== undefined),
    'words that are overwritten': anyStep((step) => step['do'] === 'stray'),
    'a thread that dies while it waits': ({ victims = [] }) => victims.length > 0,
    'a dead thread beside room': ({ victims = [] }) => victims.some(({ lasts }) => lasts),
    'a set and a reset at once': anyStep((step) => step['do'] === 'setAndReset'),
    'a lock taken again by who asks for it too': anyStep((step) => step['do'] === 'retake'),
    'thousands at once': anyStep((step) => step['do'] === 'crowd'),
    'a lock freed with a request': anyStep((step) => step['pending'] === 'request'),
    'a lock freed with a guard or a section': anyStep((step) =>
        ['guard', 'section'].includes(step['pending']),
    ),
    'a message in place': anyStep(({ how }) => /inplace/i.test(how)),
    'many messages at once': anyStep(({ do: what, how }) => what === 'send' && how === 'many'),
    'a message that is too large': (program) =>
        allSteps(program).some(
            (step) =>
                step.do === 'send' &&
                program.objects.some(
                    ({ name, options }) =>
                        name === step['object'] && Math.max(...step['sizes']) > options.bytes / 2,
                ),
        ),
    'a loop that receives': anyStep(({ how }) => how === 'loop'),
    'a close in the middle': anyStep(({ method }) => method === 'close'),
    'a thread that dies as it sends': ({ victims = [] }) => victims.some(({ loses }) => loses === 0),
    'a thread that dies as it receives': ({ victims = [] }) => victims.some(({ loses = 0 }) => loses > 0),
    'a deadline': anyStep(({ limits }) => limits?.deadline !== undefined),
    'an attempt until a deadline': anyStep((step) => step['byDeadline']),
    'an upgrade that does not block': anyMove(({ how, limits }) => how === 'async' && !limits?.signal),
    'an upgrade that a signal may end': anyMove(({ how, limits }) => how === 'async' && limits?.signal),
    'an upgrade that blocks': anyMove(({ how }) => how === 'upgrade'),
    'a guard that is released during its upgrade': anyMove(({ how }) => how === 'giveUp'),
    'a downgrade': anyMove(({ how }) => how === 'downgrade'),
    'a thread that dies in its upgrade': ({ victims = [] }) =>
        victims.some(({ step }) => step['ask'] === 'upgradable'),
    'an async predicate': anyStep((step) => step['predicate'] === 'async'),
    'a recursive mutex locked again, with another lock within': anyStep(
        ({ do: what, steps = [] }) =>
            what === 'nest' &&
            ['nest', 'block'].every((inner) => steps.some((/** @type {any} */ step) => step.do === inner)),
    ),
    'a wait with a recursive mutex': anyStep(({ do: what, wait }) => what === 'nest' && wait !== undefined),
    'an unlock too many': anyStep(({ unlocksAgain }) => unlocksAgain),
    ...Object.fromEntries(
        [...CLASS_NAMES, 'Channel'].map((kind) => [`a ${kind}`, anyObject((spec) => spec.kind === kind)]),
    ),
};
