/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { join } from 'node:path';
import { failingLitmus } from '../orders/litmus.js';
import { moduleWithOrders } from '../orders/weak-scenarios.js';
import { Specification } from '../specification/specification-check.js';
import { UnknownInstruction } from '../wasm/decoder.js';
import { shippedModule } from '../wasm/shipped-module.js';
import { costOf, FUZZER, isQuick, kindOf, testsOf } from './checks.js';
import { GlueCopy } from './glue-copy.js';
import { MutantBuild } from './mutant-build.js';
import { findingIn, findingInModules, scenarioOf, withGlue } from './mutant-checks.js';
import { escaped, NO_END } from './project-copy.js';
import { ShellCopy } from './shell-copy.js';

/**
 * @typedef {import('./mutants.js').Mutant} Mutant
 *
 * @typedef {object} Verdict
 * @property {'killed' | 'survives' | 'the same' | 'no program'} is `the same`: the build does not change
 * @property {[check: string, finding: string][]} found
 */

/** `npm test` compares one in this many of the specified calls (tests/verification/specification.test.js). */
const QUICK_ONE_IN = 23;
/** The folder of the models' tests: a test that fails there fails each time. */
const MODELS = 'tests/verification/';
const NATIVE_LIMIT_SECONDS = 20;
const PROGRAMS = 250;
/** Programs for which a switch is needed are rarer. */
const PROGRAMS_WITH_SWITCH = 900;

/** @template {object} T @param {() => T} make @returns {() => T} builds a copy */
function once(make) {
    /** @type {T | undefined} */
    let made;
    return () => (made ??= make());
}

/** Says which checks notice a mutant. Files that the checks need are made on demand. */
export class Judge {
    /** @type {{ remove: () => void }[]} */
    #copies = [];
    #build = once(() => this.#kept(new MutantBuild()));
    #native = once(() => this.#kept(new MutantBuild('native')));
    #glue = once(() => this.#kept(new GlueCopy()));
    #shell = once(() => this.#kept(new ShellCopy()));
    #specification = once(() => new Specification(this.#isQuick ? QUICK_ONE_IN : 1));
    #shipped = once(() => this.#build().modulesWith([]));
    #isQuick;
    /** The usual time of each test, without a mistake. @type {Map<string, number>} */
    #seconds = new Map();
    /** The check that noticed the mutant before: it is likely to notice the next one, which is in the same function. */
    #latest = '';

    /** @param {{ isQuick?: boolean }} [options] isQuick: only with the checks of `npm test` */
    constructor({ isQuick: isQuickTier = false } = {}) {
        this.#isQuick = isQuickTier;
    }

    /** @template {{ remove: () => void }} T @param {T} copy */
    #kept(copy) {
        this.#copies.push(copy);
        return copy;
    }

    remove() {
        this.#copies.forEach((copy) => copy.remove());
    }

    /**
     * Fails if one of these native tests fails without a mutant: then the test would show nothing.
     *
     * @param {string[]} checks
     */
    checkUnchanged(checks) {
        const tests = [...new Set(checks)].filter((check) => kindOf(check) === 'native');
        failIf(this.verdictOn({ name: '', checks: tests, edits: [] }).found);
    }

    /** How long a test of the glue takes without a mistake; it fails if the test fails then. @param {string} check */
    #secondsOf(check) {
        if (!this.#seconds.has(check) && testsOf(check)) {
            const shell = this.#shell();
            shell.with([], [check], () => {
                const start = performance.now();
                const finding = testFailure(shell, check);
                failIf(finding ? [[check, finding]] : []);
                this.#seconds.set(check, (performance.now() - start) / 1000);
            });
        }
        return this.#seconds.get(check) ?? Infinity;
    }

    /**
     * Stops at the first check that notices the mutant, unless more are wanted.
     *
     * @param {Mutant} mutant
     * @param {string[]} [wanted]
     * @returns {Verdict}
     */
    verdictOn({ checks, edits }, wanted = []) {
        /** @type {Verdict['found']} */
        const found = [];
        const modules = once(() => this.#build().modulesWith(edits));
        /** @param {(check: string) => string} findingOf @returns {(check: string) => void} */
        const tryEach = (findingOf) => (check) => {
            const finding = found.length === 0 || wanted.includes(check) ? findingOf(check) : '';
            found.push(...(finding ? [/** @type {[string, string]} */ ([check, finding])] : []));
        };
        const inOrder = checks
            .filter((check) => !this.#isQuick || isQuick(check))
            .toSorted((one, other) => costOf(one) - costOf(other));
        const tests = inOrder.filter((check) => kindOf(check) === 'test');
        const others = inOrder.filter((check) => kindOf(check) !== 'test');
        try {
            const isInModules =
                isOfC(edits) && others.length > 0 && !others.some((check) => kindOf(check) === 'native');
            if (isInModules && isEqual(modules(), this.#shipped())) {
                return { is: 'the same', found };
            }
            others.forEach(tryEach((check) => this.#finding(check, edits, modules)));
        } catch (error) {
            if (error instanceof UnknownInstruction) {
                return { is: 'killed', found: [['static gate', error.message]] };
            }
            if (/^cmake .* failed:/.test(/** @type {Error} */ (error).message)) {
                return { is: 'no program', found };
            }
            throw error;
        }
        if (tests.some((check) => found.length === 0 || wanted.includes(check))) {
            const shell = this.#shell();
            const usual = new Map(tests.map((check) => [check, this.#secondsOf(check)]));
            const secondsOf = (/** @type {string} */ check) => usual.get(check) ?? Infinity;
            const rankOf = (/** @type {string} */ check) => (check === this.#latest ? 0 : secondsOf(check));
            tests.sort((one, other) => rankOf(one) - rankOf(other) || 0);
            const failureOf = (/** @type {string} */ check) => testFailure(shell, check, secondsOf(check));
            shell.with(edits, tests, () => tests.forEach(tryEach(failureOf)));
        }
        this.#latest = found[0]?.[0] ?? '';
        return { is: found.length > 0 ? 'killed' : 'survives', found };
    }

    /**
     * @param {string} check
     * @param {import('./mutants.js').Edit[]} edits
     * @param {() => ReturnType<MutantBuild['modulesWith']>} modules
     */
    #finding(check, edits, modules) {
        switch (kindOf(check)) {
            case 'specification':
                return this.#specification().differenceIn(modules().bytes);
            case 'scenario':
                return this.#explored(check, edits, modules);
            case 'litmus':
                return failingLitmus(moduleWithOrders(this.#build(), edits));
            default:
                return this.#nativeFailure(check, edits);
        }
    }

    /**
     * @param {string} name of a scenario
     * @param {import('./mutants.js').Edit[]} edits
     * @param {() => ReturnType<MutantBuild['modulesWith']>} modules
     */
    #explored(name, edits, modules) {
        try {
            return isOfC(edits)
                ? findingInModules(modules(), name)
                : findingIn(shippedModule(), withGlue(scenarioOf(name), this.#glue().sourcesWith(edits)));
        } catch (error) {
            if (error instanceof TypeError) {
                return `${error}`; // a call does something that the explorer does not support, such as ending at once
            }
            throw error;
        }
    }

    /** @param {string} test @param {import('./mutants.js').Edit[]} edits */
    #nativeFailure(test, edits) {
        const build = this.#native();
        const folder = build.buildWith(edits, test);
        const { ok, output } = build.run([join(folder, 'tests', 'native', test)], NATIVE_LIMIT_SECONDS);
        return ok ? '' : (/\[ +FAILED +\] (\w+)$/m.exec(output)?.[1] ?? NO_END);
    }
}

/** @param {import('./mutants.js').Edit[]} edits */
const isOfC = (edits) => edits.some(({ file }) => file.startsWith('c-src/'));

/** @param {Record<string, Uint8Array>} modules @param {Record<string, Uint8Array>} others */
function isEqual(modules, others) {
    return Object.entries(modules).every(
        ([name, bytes]) => Buffer.compare(bytes, others[name] ?? new Uint8Array()) === 0,
    );
}

/** @param {Verdict['found']} found in the unchanged code */
function failIf(found) {
    if (found.length > 0) {
        throw new Error(`the unchanged code fails too: ${found.join(': ')}`);
    }
}

/** @param {ShellCopy} copy @param {string} check @param {number} [usualSeconds] that it takes without a mistake */
function testFailure(copy, check, usualSeconds = Infinity) {
    const fuzzed = FUZZER.exec(check);
    if (fuzzed) {
        const switched = fuzzed.groups?.switched;
        return copy.fuzzed(switched ? PROGRAMS_WITH_SWITCH : PROGRAMS, switched ? [switched] : []);
    }
    const { file = '', text = '' } = testsOf(check) ?? {};
    const failing = (/** @type {string} */ pattern) => copy.failingTest(file, pattern, usualSeconds);
    const test = failing(escaped(text));
    // Twice: on a busy machine a test may fail once for lack of time. First alone, then with the tests before
    // it.
    const isFailing =
        test === NO_END ||
        (test && file.startsWith(MODELS)) ||
        (test && (failing(`^${escaped(test)}$`) === test || failing(escaped(text)) !== ''));
    return isFailing ? test : '';
}
