/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { MutantBuild } from '../mutants/mutant-build.js';
import { isExplored, isInLitmus, isShown, orderSites } from './order-sites.js';
import { shippedModule } from '../wasm/shipped-module.js';
import { failingLitmus, LITMUS } from './litmus.js';
import { tryLitmus } from './litmus-machine.js';
import { SanitizedTests, testOf } from './thread-sanitizer.js';
import { exploreWeakly, firstFailure, moduleWithOrders, weakScenarios } from './weak-scenarios.js';
import { RULES } from './weak-machine.js';

/* `npm run orders` finds no violation with the orders as they are, and one with each of them relaxed. */

const STATES_WIDTH = 9;
const NOTHING = 'nothing found';
const build = new MutantBuild('wasm');
const module = moduleWithOrders(build);
const sanitized = new SanitizedTests();

/** @param {string} complaint */
function fail(complaint) {
    console.log(`    ${complaint}`);
    process.exitCode = 1;
}

/** @param {import('../wasm/decoder.js').Module} explored @param {import('./weak-machine.js').Rules} [rules] */
function exploreAll(explored, rules) {
    for (const scenario of weakScenarios({ long: true })) {
        const { states, failure, schedule } = exploreWeakly(explored, scenario, rules);
        const count = String(states).padStart(STATES_WIDTH);
        console.log(`${count} states  ${scenario.name}: ${failure || 'nothing found'}`);
        if (failure) {
            fail(schedule.join('\n    '));
        }
    }
}

function asTheyAre() {
    console.log('The orders as they are:');
    exploreAll(module);
    for (const litmus of LITMUS) {
        const { worlds, fails } = tryLitmus(module, litmus);
        const count = String(worlds).padStart(STATES_WIDTH);
        console.log(`${count} states  litmus, ${litmus.name}: ${fails ? 'it fails' : 'nothing found'}`);
        if (fails) {
            fail('the orders as they are fail a litmus test');
        }
    }
    for (const [name, site] of new Map(
        orderSites()
            .filter(isShown)
            .map((site) => [testOf(site).join(' '), site]),
    )) {
        const report = sanitized.reportOn(site, { isRelaxed: false });
        console.log(`ThreadSanitizer, ${name}: ${report || 'nothing reported'}`);
        if (report) {
            fail('ThreadSanitizer reports the orders as they are');
        }
    }
    console.log('\nThe shipped bytes, if waits may compare old words:');
    exploreAll(shippedModule(), { onlyWaitsReadOld: true });
}

/** @param {import('./order-sites.js').OrderSite} site */
function oneRelaxed(site) {
    const { inFunction, tag, operation } = site;
    const found = foundBy(site);
    const explored = found ?? 'not explored';
    const reported = sanitized.reportOn(site, { isRelaxed: true });
    const where = `\`${operation}\` in \`${inFunction}\``;
    console.log(`| ${tag} | ${where} | ${explored} | ${reported || 'nothing reported'} |`);
    if ((found ?? NOTHING) === NOTHING && !reported) {
        fail('this order is not needed: nothing fails without it');
    }
}

/** @param {import('./order-sites.js').OrderSite} site */
function foundBy(site) {
    if (isExplored(site)) {
        return summaryOf(firstFailure(module, { relaxed: site.number }));
    }
    if (isInLitmus(site)) {
        const failing = failingLitmus(module, site.number);
        return failing ? `data is not seen (${failing})` : NOTHING;
    }
    return undefined;
}

/** @param {ReturnType<typeof firstFailure>} found */
function summaryOf(found) {
    return found ? `${found.failure.split(':')[0]} (${found.scenario})` : NOTHING;
}

/** @param {keyof import('./weak-machine.js').Rules} rule */
function oneRuleLess(rule) {
    const found = firstFailure(module, { [rule]: false });
    console.log(`| \`${rule}\` | ${summaryOf(found)} |`);
    if (!found) {
        fail('this rule is not needed: nothing fails without it');
    }
}

try {
    asTheyAre();
    console.log('\n| relaxed | where | explorer | ThreadSanitizer |\n|---|---|---|---|');
    orderSites().filter(isShown).forEach(oneRelaxed);
    console.log('\n| rule of the model that does not hold | explorer |\n|---|---|');
    RULES.forEach(oneRuleLess);
    console.log('\nThreadSanitizer, a release that a third thread passes on:');
    for (const how of /** @type {const} */ (['rmw', 'store'])) {
        console.log(
            `    by a relaxed ${how}: ${sanitized.reportOnReleaseSequence(how) || 'nothing reported'}`,
        );
    }
} finally {
    build.remove();
    sanitized.remove();
}
