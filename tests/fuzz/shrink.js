/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Shrinks a failing program, as long as it fails in the same way. */

/**
 * @typedef {import('./program.js').Program} Program
 * @typedef {import('./program.js').Step} Step
 * @typedef {(program: Program) => Promise<boolean>} Fails
 */

/** @template T @param {T[]} list @param {number} index */
const without = (list, index) => list.filter((_, at) => at !== index);

/** @param {Step} step @returns {Generator<Step>} */
function* simplerSteps(step) {
    const { limits, body, steps } = step;
    if (steps) {
        for (const index of steps.keys()) {
            yield* [...simplerSteps(steps[index])].map((simpler) => ({
                ...step,
                steps: steps.with(index, simpler),
            }));
        }
    }
    if (step.do === 'nest') {
        for (const index of steps.keys()) {
            yield { ...step, steps: without(steps, index) };
        }
        for (const simpler of [{ wait: undefined }, { unlocksAgain: false }, { how: 'lock' }]) {
            yield* Object.entries(simpler).some(([name, value]) => step[name] && step[name] !== value)
                ? [{ ...step, ...simpler }]
                : [];
        }
    }
    // If words are overwritten, only its limit ends a request, so keep the limit.
    for (const limit of step['may'] ? [] : Object.keys(limits ?? {})) {
        yield {
            ...step,
            limits: Object.fromEntries(Object.entries(limits).filter(([name]) => name !== limit)),
        };
    }
    if (body?.inner) {
        yield { ...step, body: { ...body, inner: undefined } };
        for (const simpler of simplerSteps(body.inner[0])) {
            yield { ...step, body: { ...body, inner: [simpler] } };
        }
    }
    if (body?.aborts) {
        yield { ...step, body: { ...body, aborts: undefined } };
    }
    if (body?.work) {
        yield { ...step, body: { ...body, work: 0 } };
    }
    if (body && body.ends !== 'returns') {
        yield { ...step, body: { ...body, ends: 'returns' } };
    }
    if (step['style'] === 'guard') {
        yield { ...step, style: 'section' };
    }
    if (step['awaited']) {
        yield { ...step, awaited: false };
    }
    if (typeof step['ask'] === 'number' && step['ask'] > 1) {
        yield { ...step, ask: step['ask'] - 1 };
    }
}

/** @param {Program} program @returns {Generator<Program>} each a bit smaller, the much smaller ones first */
function* smaller(program) {
    const { threads } = program;
    for (const index of threads.keys()) {
        if (threads.length > 1) {
            yield {
                ...program,
                threads: without(threads, index),
                firstIsHost: Boolean(program.firstIsHost) && index > 0,
            };
        }
    }
    for (const [index, thread] of threads.entries()) {
        const withSteps = (/** @type {Step[]} */ steps) => ({
            ...program,
            threads: threads.with(index, { ...thread, steps }),
        });
        const half = Math.floor(thread.steps.length / 2);
        if (half > 1) {
            yield withSteps(thread.steps.slice(0, half));
            yield withSteps(thread.steps.slice(half));
        }
        for (const at of thread.steps.keys()) {
            yield withSteps(without(thread.steps, at));
        }
        for (const [at, step] of thread.steps.entries()) {
            for (const simpler of simplerSteps(step)) {
                yield withSteps(thread.steps.with(at, simpler));
            }
        }
    }
    for (const index of (program.victims ?? []).keys()) {
        yield { ...program, victims: without(program.victims ?? [], index) };
    }
    for (const [index, spec] of program.objects.entries()) {
        if (!JSON.stringify([program.threads, program.victims ?? []]).includes(`"${spec.name}"`)) {
            const objects = without(program.objects, index);
            if (objects.every(({ mutex }) => mutex !== spec.name)) {
                yield { ...program, objects };
            }
        }
    }
}

/**
 * @param {Program} program
 * @returns {Program} without the signals that no step names
 */
function withoutUnused(program) {
    const threads = program.threads.map(({ signals = {}, steps }) => {
        const used = JSON.stringify(steps);
        return {
            signals: Object.fromEntries(
                Object.entries(signals).filter(([name]) => used.includes(`"${name}"`)),
            ),
            steps,
        };
    });
    return { ...program, threads };
}

/**
 * @param {Program} program that fails
 * @param {Fails} fails whether a program fails in the same way
 * @param {number} milliseconds for all of it
 * @returns {Promise<Program>}
 */
export async function shrink(program, fails, milliseconds) {
    const end = performance.now() + milliseconds;
    let best = program;
    for (let isSmaller = true; isSmaller;) {
        isSmaller = false;
        for (const candidate of smaller(best)) {
            if (performance.now() > end) {
                return withoutUnused(best);
            }
            if (await fails(candidate)) {
                best = candidate;
                isSmaller = true;
                break;
            }
        }
    }
    return withoutUnused(best);
}
