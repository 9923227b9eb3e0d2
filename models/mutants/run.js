/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parseArgs } from 'node:util';
import { explorableOf } from '../wasm/shipped-module.js';
import { AnyNumberChecks, isOfLoops, reportWithLoops } from './any-number-checks.js';
import { AGENTS, C, GLUE, PHASES, RECURSIVE } from './functions.js';
import { kindOf } from './checks.js';
import { Judge } from './judge.js';
import { C_MISTAKES, DEFECTS, GLUE_MISTAKES } from './mistakes.js';
import { MutantBuild } from './mutant-build.js';
import { mutantsOf } from './mutants.js';

/** An unnoticed mutant of the glue runs a dozen test files, which takes minutes. */
const [ONE_IN, ONE_IN_OF_GLUE] = [10, 50];

const USAGE = `npm run mutants [-- c | phases | agents | recursive | glue | mistakes | defects | any-number] [--one-in 1]
    c          by operator: the C of what stands on a gate
    phases     by operator: condition, event, latch, barrier, once, channel, and threads of C
    agents     by operator: the table of threads, and what locks do by it
    recursive  by operator: the recursive mutex, in C
    glue       by operator: the queues, and what is around them
    mistakes   those that are written by hand
    defects    defects that were mended, put back
    any-number mistakes in the gate and the mutex, and some by operator, in a mutex of any number of threads
    --one-in   of the mutants by operator, one in so many; by default ${ONE_IN}, of the glue ${ONE_IN_OF_GLUE}
    --from     the first of them; by default, by chance
    --only     those whose names have that text
    --every    goes on after the first check that notices, and prints what each check notices alone
    --quick    only with the checks of npm test; of the tests, their quick tier`;

const PERCENT = 100;
/**
 * Most unnoticed mutants change something that no check observes: a time, a spurious wake, a fast path.
 * @type {Record<string, number>}
 */
const LEAST_SCORES = { c: 0.9, phases: 0.7, agents: 0.6, recursive: 0.7, glue: 0.5 };
/**
 * Once a mutant of a function was noticed, each scenario gets this many tries to notice one of its mutants.
 */
const MOST_TRIES = 10;
const MOST_SPURIOUS = 0.05;
const OF_A_MUTEX = /c-src\/(?:gate\w*|mutex)\.[ch]/;

const { values, positionals } = parseArgs({
    options: {
        only: { type: 'string', default: '' },
        'one-in': { type: 'string' },
        from: { type: 'string' },
        every: { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        help: { type: 'boolean' },
    },
    allowPositionals: true,
});
if (values.quick) {
    process.env['HOLDFAST_QUICK'] = '1'; // tests/support/tier.js
}
const chance = Number(values.from ?? Math.floor(Math.random() * ONE_IN_OF_GLUE));

/** @param {{ name: string }} mutant */
const isWanted = ({ name }) => name.includes(values.only);

/** @param {string} complaint */
function fail(complaint) {
    console.log(`          ${complaint}`);
    process.exitCode = 1;
}

/**
 * @param {number} oneIn
 * @returns {(listed: import('./mutants.js').Listed) => import('./mutants.js').Mutant[]} takes one in `oneIn`
 *     of the mutants
 */
function sampler(oneIn) {
    console.log(`one in ${oneIn}, from ${chance % oneIn}`);
    let count = 0;
    return (listed) =>
        mutantsOf(listed).filter((mutant) => isWanted(mutant) && count++ % oneIn === chance % oneIn);
}

/** @param {string[][]} noticed for each mutant, the checks that notice it */
function printEvery(noticed) {
    console.log('| check | notices | alone |\n|---|--:|--:|');
    for (const check of new Set(noticed.flat())) {
        const own = noticed.filter((checks) => checks.includes(check));
        const alone = own.filter(({ length }) => length === 1);
        console.log(`| ${check} | ${own.length} | ${alone.length} |`);
    }
}

/** @param {string} kind @param {import('./mutants.js').Listed[]} list */
function runOperators(kind, list) {
    const oneIn = Number(values['one-in'] ?? (list === GLUE ? ONE_IN_OF_GLUE : ONE_IN));
    const sampleOf = sampler(oneIn);
    const samples = list
        .map((listed) => ({ ...listed, mutants: sampleOf(listed) }))
        .filter(({ mutants }) => mutants.length > 0);
    const judge = new Judge({ isQuick: values.quick });
    /** @type {string[][]} */
    const noticed = [];
    const verdicts = samples.flatMap(({ unit, checks, mutants }) => {
        const scenarios = checks.filter((check) => kindOf(check) === 'scenario');
        const tries = new Map(scenarios.map((check) => [check, 0]));
        const some = mutants.map((mutant) => {
            const wanted = [...tries.keys()].filter(
                (check) => !values.quick && (tries.get(check) ?? 0) < MOST_TRIES,
            );
            const { is, found } = judge.verdictOn(mutant, values.every ? mutant.checks : wanted);
            noticed.push(found.map(([check]) => check));
            wanted.forEach((check) => tries.set(check, (tries.get(check) ?? 0) + 1));
            found.forEach(([check]) => tries.delete(check));
            console.log(`${is.padEnd(10)} ${mutant.name}: ${found.map(([check]) => check).join('; ')}`);
            return is;
        });
        if (oneIn === 1 && !values.only && !values.quick && tries.size > 0) {
            console.log(`          ${unit}: nothing was found by ${[...tries.keys()].join('; ')}`);
        }
        return some;
    });
    judge.checkUnchanged(noticed.flat());
    judge.remove();
    if (values.every) {
        printEvery(noticed);
    }
    const countOf = (/** @type {import('./judge.js').Verdict['is']} */ is) =>
        verdicts.filter((each) => each === is).length;
    const [killed, judged] = [countOf('killed'), countOf('killed') + countOf('survives')];
    const percent = ((killed / judged) * PERCENT).toFixed(1);
    const others = `${countOf('the same')} change nothing, ${countOf('no program')} are no program`;
    console.log(`${kind}: ${killed} of ${judged} killed, ${percent} %; ${others}\n`);
    if (killed < (LEAST_SCORES[kind] ?? 1) * judged) {
        fail('too few mutants are killed');
    }
}

/** Fails unless each mistake is found. @param {string} kind @param {import('./mutants.js').Mutant[]} list */
function runMistakes(kind, list) {
    const judge = new Judge({ isQuick: values.quick });
    const mistakes = list.filter(isWanted);
    judge.checkUnchanged(mistakes.flatMap(({ checks }) => checks));
    const killed = mistakes.filter((mutant) => {
        const { is, found } = judge.verdictOn(mutant);
        console.log(`${is.padEnd(10)} ${mutant.name}: ${found.map((each) => each.join(': ')).join('; ')}`);
        return is === 'killed';
    });
    judge.remove();
    console.log(`${kind}: ${killed.length} of ${mistakes.length} killed\n`);
    if (killed.length < mistakes.length) {
        process.exitCode = 1;
    }
}

/**
 * Compares the reports of the search for any number of threads with the explorer: each finding of the
 * explorer must be reported.
 */
function runAnyNumber() {
    const build = new MutantBuild();
    const checks = new AnyNumberChecks();
    const ofFiles = C.filter(({ file }) => OF_A_MUTEX.test(file));
    const mistakes = C_MISTAKES.filter(({ edits }) => edits.every(({ file }) => OF_A_MUTEX.test(file)));
    const results = [
        ...mistakes.filter(isWanted),
        ...ofFiles.flatMap(sampler(Number(values['one-in'] ?? ONE_IN))),
    ].map((mutant) => {
        const module = explorableOf(build.bytesWith(mutant.edits));
        if (!module) {
            return 'of an unknown form';
        }
        const { report, replay, finding, isSame } = checks.verdictOn(module);
        const isReported = report && (replay || finding);
        const withLoops =
            !report && mistakes.includes(mutant) && isOfLoops(mutant) ? reportWithLoops(module) : '';
        const is = isReported
            ? 'reported'
            : withLoops
              ? 'with loops'
              : report
                ? 'spurious'
                : isSame
                  ? 'the same'
                  : 'silent';
        console.log(
            `${is.padEnd(10)} ${mutant.name}: ${[withLoops || report, replay, finding].filter(Boolean).join('; ')}`,
        );
        if (finding && !report) {
            fail('the proof misses a mistake that the explorer finds with blocking threads alone');
        }
        return is;
    });
    build.remove();
    const shareOf = (/** @type {string} */ is) => results.filter((each) => each === is).length;
    console.log(`any number: ${[...new Set(results)].map((is) => `${shareOf(is)} ${is}`).join(', ')}`);
    if (shareOf('spurious') > MOST_SPURIOUS * results.length) {
        fail('too many reports of the proof are spurious');
    }
}

/** @type {Record<string, () => void>} */
const PARTS = {
    ...Object.fromEntries(
        Object.entries({ c: C, phases: PHASES, agents: AGENTS, recursive: RECURSIVE, glue: GLUE }).map(
            ([kind, list]) => [kind, () => runOperators(kind, list)],
        ),
    ),
    mistakes: () => runMistakes('mistakes', [...C_MISTAKES, ...GLUE_MISTAKES]),
    defects: () => runMistakes('defects', DEFECTS),
    'any-number': runAnyNumber,
};
if (values.help || positionals.some((part) => PARTS[part] === undefined)) {
    console.log(USAGE);
    process.exitCode = values.help ? 0 : 1;
} else {
    const start = performance.now();
    for (const [part, run] of Object.entries(PARTS)) {
        if (positionals.length === 0 || positionals.includes(part)) {
            run();
        }
    }
    console.log(`${((performance.now() - start) / 1000).toFixed(0)} s`);
}
