/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runDeaths, testProbes } from './probed.js';
import { tableOfDeaths, tableOfProbes } from './table.js';

const [major] = process.versions.node.split('.');

testProbes(`node-${major}`);

test('deaths: a table has the count, the median, the 99th percentile and the maximum', () => {
    const none = { looks: 0, unknown: 0, dead: 0 };
    const column = {
        name: 'Bun',
        word: 'bun',
        version: '1',
        probes: [{ state: 'idle', ...none, looks: 1234 }],
    };
    const times = Array.from({ length: 200 }, (_, at) => 200 - at);
    const table = tableOfDeaths([{ ...column, deaths: [{ name: 'process.exit()', times }] }]);
    assert.match(table, /^\| process.exit\(\) \| 200: 100 \/ 198 \/ 200 \|$/m);
    assert.match(table, /^\| \*\*all\*\* \| 200: 100 \/ 198 \/ 200 \|$/m);
    assert.match(table, /^\| close\(\) \| – \|$/m);
    assert.match(tableOfProbes([{ ...column, deaths: [] }]), /^\| \*\*all\*\* \| 1,234 \|$/m);
});

test('deaths: an invalid argument is refused, and the message lists the valid ones', async () => {
    for (const words of [
        ['--in', 'lynx'],
        ['--deaths', 'many'],
        ['--probes', '-1'],
        ['--write', '--in', 'bun'],
    ]) {
        const { code, stderr } = await runDeaths(...words);
        assert.equal(code, 1);
        assert.match(stderr, /npm run deaths/);
    }
});
