/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The memory orders outside the explorer of orders.test.js: ThreadSanitizer notices when any of them is
 * relaxed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isExplored, isShown, orderSites } from '../../models/orders/order-sites.js';
import { SanitizedTests } from '../../models/orders/thread-sanitizer.js';

/** @type {SanitizedTests} */
let tests;

before(() => {
    tests = new SanitizedTests();
});
after(() => tests?.remove());

for (const site of orderSites().filter((each) => isShown(each) && !isExplored(each))) {
    test(`orders: ThreadSanitizer reports a data race with ${site.tag} in ${site.inFunction} relaxed`, () => {
        assert.match(tests.reportOn(site, { isRelaxed: true }), /^data race/);
    });
}
