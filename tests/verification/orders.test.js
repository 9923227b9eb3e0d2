/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The memory orders of the C sources, which no run of the wasm module tests. There is no violation with them,
 * and one with any of them relaxed. `npm run orders` prints more, as a table. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { MutantBuild } from '../../models/mutants/mutant-build.js';
import { isExplored, isInLitmus, isShown, orderSites } from '../../models/orders/order-sites.js';
import { failingLitmus, LITMUS } from '../../models/orders/litmus.js';
import { tryLitmus } from '../../models/orders/litmus-machine.js';
import { C_MISTAKES } from '../../models/mutants/mistakes.js';
import { recordedStates } from '../../models/explorer/recorded-states.js';
import { shippedModule } from '../../models/wasm/shipped-module.js';
import { RULES } from '../../models/orders/weak-machine.js';
import {
    exploreWeakly,
    firstFailure,
    moduleWithOrders,
    weakScenarios,
} from '../../models/orders/weak-scenarios.js';

const sites = orderSites();
const recorded = recordedStates();
const shipped = shippedModule();

const build = new MutantBuild();
const module = moduleWithOrders(build);

after(() => build.remove());

for (const scenario of weakScenarios()) {
    test(`orders: mutex, ${scenario.name}: no violation is found with the memory orders of the sources`, () => {
        const { states, failure, schedule } = exploreWeakly(module, scenario);
        assert.equal(failure, '', `${failure}\n${schedule.join('\n')}`);
        // This explorer also lets loads read old values, so it finds more states than the recorded number.
        assert.ok(states > (recorded[scenario.name] ?? Infinity), `only ${states} states`);
    });
}

for (const scenario of weakScenarios()) {
    test(`orders: mutex, ${scenario.name}: the shipped bytes are correct even if waits compare stale words`, () => {
        const { states, failure, schedule } = exploreWeakly(shipped, scenario, { onlyWaitsReadOld: true });
        assert.equal(failure, '', `${failure}\n${schedule.join('\n')}`);
        assert.ok(states > (recorded[scenario.name] ?? Infinity), `only ${states} states`);
    });
}

test('orders: a lost wake-up is found if a wake is not ordered before later waits', () => {
    assert.notEqual(firstFailure(shipped, { onlyWaitsReadOld: true, wakesOrderWaits: false }), undefined);
});

for (const site of sites.filter((each) => isShown(each) && isExplored(each))) {
    test(`orders: the explorer finds a data race with ${site.tag} in ${site.inFunction} relaxed`, () => {
        const found = firstFailure(module, { relaxed: site.number });
        assert.match(found?.failure ?? 'nothing was found', /^data race/);
    });
}

for (const litmus of LITMUS) {
    test(`orders: litmus, ${litmus.name}: no thread misses data that another wrote before it released`, () => {
        assert.equal(tryLitmus(module, litmus).fails, false);
    });
}

for (const site of sites.filter(isInLitmus)) {
    test(`orders: a litmus test fails with ${site.tag} in ${site.inFunction} relaxed`, () => {
        assert.notEqual(failingLitmus(module, site.number), '');
    });
}

for (const { name, edits } of C_MISTAKES.filter(({ checks: [check] }) => check === 'litmus')) {
    test(`orders: a litmus test finds this mutant: ${name}`, () => {
        assert.match(failingLitmus(moduleWithOrders(build, edits)), /set of a set one|free permit/);
    });
}

for (const rule of RULES) {
    test(`orders: the explorer fails without its rule ${rule}, so the rule is needed`, () => {
        assert.notEqual(firstFailure(module, { [rule]: false }), undefined);
    });
}

for (const file of new Set(sites.map((site) => site.file).filter((name) => name.endsWith('.c')))) {
    test(`orders: the table in ${file} has a row for each tag, and no other`, () => {
        const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
        // Such a row is about a site in the gate.
        const rows = Array.from(
            text.matchAll(
                /^ \* .{11} ([ABR]\d) .*? (acq_rel|acq|rel) (?!.*; gate\.c$| *(?:[AR]\d +)+gate\.c$)/gm,
            ),
            ([, tag, order]) => `${tag} ${order}`,
        );
        const tagged = sites
            .filter((site) => site.file === file)
            .map(({ tag, operation }) => `${tag} ${/(?:acq_rel|acq|rel)$/.exec(operation)?.[0]}`);
        assert.deepEqual(rows.sort(), [...new Set(tagged)].sort());
    });
}

test('orders: a counterexample names the stale words, and the threads that do not see the data', () => {
    const site = sites.find(
        ({ tag, inFunction }) => tag === 'A1' && inFunction === 'hf__mutex_lock_for_a_time',
    );
    assert.ok(site);
    const schedule = firstFailure(module, { relaxed: site.number })?.schedule ?? [];
    assert.match(
        schedule[0] ?? '',
        /^T0 mutex_lock_for_a_time\(lock, \d+\): i64\.atomic\.rmw\.cmpxchg .*, relaxed; reads the last word$/,
    );
    assert.match(schedule.at(-1) ?? '', /^the last section's data has not reached: T/);
});
