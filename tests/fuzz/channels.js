/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Draw } from './draw.js';
import { LEAST_SIZE } from './mail.js';

/* Adds channels to programs. Drawn separately, so that a seed's program stays the same otherwise. */

/**
 * @typedef {import('./program.js').Program} Program
 * @typedef {import('./program.js').Step} Step
 * @typedef {import('./objects.js').ObjectSpec} ObjectSpec
 */

/** A seed for separate draws. */
const OF_CHANNELS = 0xc4a1;
/** Kinds of programs whose requests have no bound, and the part of them that get channels. */
const SHARES = /** @type {Record<string, number>} */ ({ mixed: 0.4, queued: 0.3, deaths: 0.5 });
const RINGS = [64, 64, 128, 256, 4096];
const HEADER = 8;
const TIMEOUTS_MS = [0, 0.5, 2, 5, 12, 30, Infinity];
const COUNTS = [1, 1, 3, 20];
const MOST_STEPS = 6;
const MOST_AT_ONCE = 12;
/** The number of messages of a victim, which dies before it has sent them all. */
const OF_A_VICTIM = 900;

/** @param {Draw} draw @param {ObjectSpec} spec */
function size(draw, { options: { bytes } }) {
    const largest = bytes / 2 - HEADER;
    return draw.chance(0.04)
        ? largest + 1 + draw.random.below(100)
        : LEAST_SIZE + draw.random.below(draw.chance(0.5) ? 9 : largest - LEAST_SIZE + 1);
}

/** @param {Draw} draw @param {boolean} hasSignal */
function limits(draw, hasSignal) {
    return {
        ...(draw.chance(0.4) && { timeout: draw.pick(TIMEOUTS_MS) }),
        ...(hasSignal && draw.chance(0.3) && { signal: draw.signal() }),
    };
}

/** @param {Draw} draw @param {ObjectSpec} spec @param {boolean} blocks @returns {Step} */
function send(draw, spec, blocks) {
    const how = draw.pick([
        ...['try', 'tryInPlace', 'tryMany', 'async', 'async', 'inPlaceAsync'],
        ...(blocks ? ['send', 'send', 'tryFor', 'inPlace', 'many'] : []),
    ]);
    const isMany = how === 'many' || how === 'tryMany';
    const isAsync = how.toLowerCase().endsWith('async');
    return {
        do: 'send',
        object: spec.name,
        how: how === 'tryFor' ? draw.pick(['try', 'tryInPlace', 'tryMany']) : how,
        sizes: Array.from({ length: isMany ? 1 + draw.random.below(MOST_AT_ONCE) : 1 }, () =>
            size(draw, spec),
        ),
        limits: isAsync || how === 'tryFor' ? limits(draw, isAsync) : {},
        ...(draw.chance(0.1) && { throws: true }),
        awaited: isAsync && draw.chance(0.4),
    };
}

/** @param {Draw} draw @param {ObjectSpec} spec @param {boolean} blocks @returns {Step} */
function receive(draw, spec, blocks) {
    const how = draw.pick([
        ...['try', 'tryInPlace', 'tryMany', 'async', 'async', 'inPlaceAsync', 'manyAsync', 'loop'],
        ...(blocks ? ['receive', 'receive', 'tryFor', 'inPlace', 'many'] : []),
    ]);
    const isAsync = how.toLowerCase().endsWith('async');
    return {
        do: 'receive',
        object: spec.name,
        how: how === 'tryFor' ? draw.pick(['try', 'tryInPlace', 'tryMany']) : how,
        most: 1 + draw.random.below(draw.chance(0.5) ? 3 : 100),
        limits: isAsync || how === 'tryFor' ? limits(draw, isAsync) : {},
        ...(draw.chance(0.1) && { throws: true }),
        awaited: (isAsync || how === 'loop') && draw.chance(0.4),
    };
}

/** @param {Draw} draw @param {ObjectSpec[]} specs @param {boolean} blocks @returns {Step} */
function anyStep(draw, specs, blocks) {
    const spec = draw.pick(specs);
    if (draw.chance(0.04)) {
        return { do: 'call', object: spec.name, method: 'close' };
    }
    const step = draw.chance(0.5) ? send(draw, spec, blocks) : receive(draw, spec, blocks);
    const count = draw.pick(COUNTS);
    return count > 1 ? { do: 'times', count, steps: [step] } : step;
}

/** A thread that dies while it sends or receives beside the others. @param {Draw} draw @param {ObjectSpec} spec */
function victim(draw, spec) {
    const isSender = draw.chance(0.5);
    const how = draw.pick([isSender ? 'send' : 'receive', 'inPlace', 'many', 'async']);
    /** @type {Step} */
    const drawn = isSender ? send(draw, spec, true) : receive(draw, spec, true);
    // Only a send of many messages may have several sizes: another send marks one message for each size as sent.
    const sizes = how === 'many' ? drawn['sizes'] : drawn['sizes']?.slice(0, 1);
    const step = { ...drawn, how, sizes, limits: {}, throws: false, awaited: how === 'async' };
    return {
        object: spec.name,
        isBeside: true,
        loses: isSender ? 0 : how === 'many' ? drawn['most'] : 1,
        after: draw.pick([0, 1, 3, 8, 20, 40]),
        step: { do: 'times', count: OF_A_VICTIM, steps: [step] },
    };
}

/**
 * @param {Program} program
 * @param {string} genre
 * @param {number} seed
 * @param {import('./switches.js').On} on
 * @returns {Program}
 */
export function withChannels(program, genre, seed, on) {
    const draw = new Draw((seed ^ OF_CHANNELS) >>> 0, on);
    if (!draw.chance(SHARES[genre] ?? 0)) {
        return program;
    }
    const specs = Array.from({ length: draw.chance(0.3) ? 2 : 1 }, (_, index) => ({
        name: `channel${index}`,
        kind: 'Channel',
        space: draw.random.below(2),
        options: { bytes: draw.pick(RINGS) },
    }));
    const threads = program.threads.map((thread, index) => {
        draw.signals = { ...thread.signals };
        const blocks = !(program.firstIsHost === true && index === 0) && draw.chance(0.7);
        const steps = [...thread.steps];
        for (let left = 1 + draw.random.below(MOST_STEPS); left > 0; left -= 1) {
            steps.splice(draw.random.below(steps.length + 1), 0, anyStep(draw, specs, blocks));
        }
        return { ...thread, signals: draw.signals, steps };
    });
    const victims =
        draw.chance(0.15) || genre === 'deaths'
            ? Array.from({ length: 1 + draw.random.below(2) }, () => victim(draw, draw.pick(specs)))
            : [];
    return {
        ...program,
        objects: [...program.objects, ...specs],
        threads,
        ...((program.victims || victims.length > 0) && { victims: [...(program.victims ?? []), ...victims] }),
    };
}
