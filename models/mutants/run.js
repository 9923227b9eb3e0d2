/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { AGENTS_MUTANTS } from './agents-mutants.js';
import { AnyNumberChecks, reportWithLoops } from './any-number-checks.js';
import { ANY_NUMBER_MUTANTS, expectedOf } from './any-number-mutants.js';
import { GlueCopy } from './glue-copy.js';
import { MutantBuild } from './mutant-build.js';
import { findingIn, findingOf, ModuleChecks, scenarioOf, withGlue } from './mutant-checks.js';
import { GLUE_MUTANTS, SOURCE_MUTANTS } from './mutants.js';
import { nativeFailure } from './native-mutants.js';
import { FOUND_IN_SCENARIO, NATIVE_MUTANTS, PHASE_MUTANTS } from './phase-mutants.js';
import { DEPTH_MUTANTS, RECURSIVE_GLUE_MUTANTS, RECURSIVE_NATIVE_MUTANTS } from './recursive-mutants.js';
import { runPutBack, runShellMutants } from './shell-checks.js';
import { moduleOf, shippedModule } from '../wasm/shipped-module.js';

const USAGE = `npm run mutants [-- c | any-number | phases | agents | recursive | glue | shell | defects | bytes] [--verbose] [--only TEXT]
    c          mistakes in the C sources of what stands on a gate
    any-number the same in a mutex of any number of threads
    phases     mistakes in the C sources of condition, event, latch, barrier and once
    agents     mistakes in the C sources of the table of threads, and in what locks do by it
    recursive  mistakes in the recursive mutex, in C and in the glue
    glue       mistakes in what the glue decides while it waits
    shell      mistakes in the glue around that: queues, requests, signals, sections
    defects    defects that were mended, put back
    bytes      every single-operation change of the mutex's code in the module
    --verbose  how each mutant of the bytes ended
    --only     of all but the bytes: those whose names have that text`;

const LEAST_BYTE_SCORE = 0.95;
const PERCENT = 100;
const COUNT_WIDTH = 7;

const { values, positionals } = parseArgs({
    options: {
        verbose: { type: 'boolean', default: false },
        only: { type: 'string', default: '' },
        help: { type: 'boolean' },
    },
    allowPositionals: true,
});

/** @param {{ name: string }} mutant */
const isWanted = ({ name }) => name.includes(values.only);

/** @type {import('./shell-checks.js').Report} */
function report(name, checks) {
    const killers = checks.filter(([, finding]) => finding).map(([check]) => check);
    console.log(`${killers.length > 0 ? 'killed  ' : 'SURVIVES'}  ${name}: ${killers.join('; ')}`);
    if (killers.length === 0) {
        process.exitCode = 1;
    }
    return killers.length > 0;
}

/** @param {string} kind @param {boolean[]} killed */
function summarize(kind, killed) {
    console.log(`${kind}: ${killed.filter(Boolean).length} of ${killed.length} killed\n`);
}

/**
 * The explorer's finding in the scenario of a mutant, if it has one; then it must find something.
 * @param {import('./mutants.js').SourceMutant} mutant
 * @param {(scenario: import('../explorer/scenario.js').Scenario) => string} search
 * @returns {import('./shell-checks.js').Check[]}
 */
function explorerOn({ foundIn }, search) {
    if (!foundIn) {
        return [];
    }
    const finding = search(scenarioOf(foundIn));
    if (!finding) {
        console.log(`          nothing is found in ${foundIn}`);
        process.exitCode = 1;
    }
    return [[`explorer (${foundIn})`, finding]];
}

function runSourceMutants() {
    const build = new MutantBuild();
    const checks = new ModuleChecks();
    const killed = SOURCE_MUTANTS.filter(isWanted).map((mutant) => {
        const bytes = build.bytesOf(mutant);
        return report(mutant.name, [
            ['specification', checks.differenceIn(bytes)],
            ...explorerOn(mutant, (scenario) => findingIn(moduleOf(bytes), scenario)),
        ]);
    });
    build.remove();
    summarize('C', killed);
}

/** Each has to be in the list that it belongs to. */
function runAnyNumber() {
    const build = new MutantBuild();
    const checks = new AnyNumberChecks();
    const results = ANY_NUMBER_MUTANTS.filter(isWanted).map((mutant) => {
        const { name, foundIn } = mutant;
        const module = moduleOf(build.bytesOf(mutant));
        const { report, replay, finding, isSame } = checks.verdictOn(module);
        const isReported = report && (replay || finding);
        const withLoops = isReported ? '' : reportWithLoops(module, foundIn);
        const other = report ? 'spurious' : isSame ? 'the same' : 'silent';
        const is = isReported ? 'reported' : withLoops ? 'with loops' : other;
        const explorers = finding || (withLoops && foundIn);
        const found = [withLoops || report, replay, explorers && `explorer: ${explorers}`]
            .filter(Boolean)
            .join('; ');
        console.log(`${is.padEnd(10)} ${name}: ${found}`);
        const expected = expectedOf(name);
        if (is !== expected) {
            console.log(`          any-number-mutants.js says: ${expected ?? 'nobody has looked at it'}`);
            process.exitCode = 1;
        }
        return is;
    });
    build.remove();
    for (const is of new Set(results)) {
        console.log(`any number: ${results.filter((each) => each === is).length} ${is}`);
    }
}

function runPhaseMutants() {
    const [build, native] = [new MutantBuild(), new MutantBuild('native')];
    const killed = PHASE_MUTANTS.filter(isWanted).map((mutant) => {
        const module = moduleOf(build.bytesOf(mutant));
        const checks = explorerOn(mutant, (scenario) => findingIn(module, scenario));
        return report(mutant.name, checks);
    });
    const killedNatively = NATIVE_MUTANTS.filter(isWanted).map((mutant) => {
        const foundIn = FOUND_IN_SCENARIO[mutant.name];
        return report(mutant.name, [
            [`native test ${mutant.foundIn}`, nativeFailure(native, mutant)],
            ...explorerOn({ ...mutant, foundIn }, () => findingOf(build, { ...mutant, foundIn })),
        ]);
    });
    build.remove();
    native.remove();
    summarize('C of condition, event, latch, barrier and once', [...killed, ...killedNatively]);
}

function runAgentsMutants() {
    const build = new MutantBuild();
    const killed = AGENTS_MUTANTS.filter(isWanted).map((mutant) => {
        const { name, foundIn = '' } = mutant;
        return report(name, [[`explorer (${foundIn})`, findingOf(build, mutant)]]);
    });
    build.remove();
    summarize('C of the table of threads', killed);
}

function runRecursiveMutants() {
    const [build, native, copy] = [new MutantBuild(), new MutantBuild('native'), new GlueCopy()];
    const killed = [
        ...DEPTH_MUTANTS.filter(isWanted).map((mutant) => {
            const { name, foundIn = '' } = mutant;
            return report(name, [[`explorer (${foundIn})`, findingOf(build, mutant)]]);
        }),
        ...RECURSIVE_GLUE_MUTANTS.filter(isWanted).map((mutant) => {
            const from = copy.with(mutant, () => copy.sources());
            const search = (/** @type {import('../explorer/scenario.js').Scenario} */ scenario) =>
                findingIn(shippedModule(), withGlue(scenario, from));
            return report(mutant.name, explorerOn(mutant, search));
        }),
        ...RECURSIVE_NATIVE_MUTANTS.filter(isWanted).map((mutant) =>
            report(mutant.name, [[`native test ${mutant.foundIn}`, nativeFailure(native, mutant)]]),
        ),
    ];
    [build, native, copy].forEach((made) => made.remove());
    summarize('recursive mutex', killed);
}

function runGlueMutants() {
    const copy = new GlueCopy();
    const failsUnchanged = copy.failingDecision();
    if (failsUnchanged) {
        throw new Error(
            `the glue as it is fails in its copy, so that nothing can be said: ${failsUnchanged}`,
        );
    }
    const shipped = shippedModule();
    const killed = GLUE_MUTANTS.filter(isWanted).map((mutant) =>
        copy.with(mutant, () => {
            const [failing, from] = [copy.failingDecision(), copy.sources()];
            return report(mutant.name, [
                ...explorerOn(mutant, (scenario) => findingIn(shipped, withGlue(scenario, from))),
                [`request-queue.test.js (${failing})`, failing],
            ]);
        }),
    );
    copy.remove();
    summarize('glue', killed);
}

/**
 * @typedef {{ name: string, operator: string } & import('./mutant-checks.js').Verdict} ByteVerdict
 *
 * @param {(verdict: ByteVerdict) => void} onVerdict at once, since all of them take most of an hour
 */
async function judgeByteMutants(onVerdict) {
    const step = availableParallelism();
    const parts = Array.from({ length: step }, (_, first) => judgedBy({ first, step }, onVerdict));
    return (await Promise.all(parts)).flat();
}

/**
 * @param {{ first: number, step: number }} workerData @param {(verdict: ByteVerdict) => void} onVerdict
 * @returns {Promise<ByteVerdict[]>}
 */
function judgedBy(workerData, onVerdict) {
    return new Promise((resolve, reject) => {
        /** @type {ByteVerdict[]} */
        const verdicts = [];
        const worker = new Worker(new URL('byte-mutants.worker.js', import.meta.url), { workerData });
        worker.on('message', (verdict) => {
            verdicts.push(verdict);
            onVerdict(verdict);
        });
        worker.on('error', reject);
        worker.on('exit', () => resolve(verdicts));
    });
}

const BYTE_CHECKS = /** @type {const} */ (['static gate', 'specification', 'explorer', 'survives']);

/** @param {ByteVerdict[]} verdicts */
function printByteTable(verdicts) {
    const operators = [...new Set(verdicts.map(({ operator }) => operator))];
    const row = (/** @type {string} */ title, /** @type {(string | number)[]} */ cells) =>
        console.log(title.padEnd(10), cells.map((cell) => String(cell).padStart(COUNT_WIDTH * 2)).join(''));
    row('', ['mutants', ...BYTE_CHECKS]);
    for (const operator of [...operators, 'all']) {
        const some = verdicts.filter((verdict) => operator === 'all' || verdict.operator === operator);
        const counts = BYTE_CHECKS.map((check) => some.filter((verdict) => verdict.check === check).length);
        row(operator, [some.length, ...counts]);
    }
}

/** @param {boolean} isVerbose */
async function runByteMutants(isVerbose) {
    const verdicts = await judgeByteMutants(({ name, check, detail }) => {
        if (isVerbose || check === 'survives') {
            console.log(`${check}: ${name}: ${detail}`);
        }
    });
    printByteTable(verdicts);
    const killed = verdicts.filter(({ check }) => check !== 'survives').length;
    const score = killed / verdicts.length;
    console.log(`\nbytes: ${killed} of ${verdicts.length} killed, ${(score * PERCENT).toFixed(1)} %`);
    if (score < LEAST_BYTE_SCORE) {
        process.exitCode = 1;
    }
}

/** @type {Record<string, () => void | Promise<void>>} */
const PARTS = {
    c: runSourceMutants,
    'any-number': runAnyNumber,
    phases: runPhaseMutants,
    agents: runAgentsMutants,
    recursive: runRecursiveMutants,
    glue: runGlueMutants,
    shell: () => summarize('shell', runShellMutants(report, isWanted)),
    defects: () => summarize('defects', runPutBack(report, isWanted)),
    bytes: () => runByteMutants(values.verbose),
};
if (values.help || positionals.some((part) => PARTS[part] === undefined)) {
    console.log(USAGE);
    process.exitCode = values.help ? 0 : 1;
} else {
    const start = performance.now();
    for (const [part, run] of Object.entries(PARTS)) {
        if (positionals.length === 0 || positionals.includes(part)) {
            await run();
        }
    }
    console.log(`${((performance.now() - start) / 1000).toFixed(0)} s`);
}
