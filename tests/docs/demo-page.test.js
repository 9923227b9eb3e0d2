/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The demo page's counts, before it draws them; browser/demo-page.test.js checks the page. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createLedger, lostUpdates, runSection, tallies } from '../../demo/ledger.js';
import {
    describe as describeSide,
    describeDeath,
    Meter,
    MOST_UNREAD,
    owedAfter,
} from '../../demo/page/channel/meter.js';
import { COLUMN_MS, HeldTime } from '../../demo/page/mutex/held-time.js';
import { createJournal, JournalReader, journalWriter } from '../../demo/page/mutex/journal.js';
import { WaitCounts } from '../../demo/page/mutex/wait-counts.js';
import { Waits } from '../../demo/page/mutex/waits.js';
import { Books, createBooks } from '../../demo/page/threads/books.js';
import { describe, edgesOf, heldBy, holderToKill, ringOf } from '../../demo/page/threads/graph.js';
import { createTurnWords, TurnWords } from '../../demo/page/turns/turn-words.js';
import { duration } from '../../demo/page/wording.js';

const PAGE = readFileSync(new URL('../../demo/page/index.html', import.meta.url), 'utf8');

test('demo page: each input has a label of its own', () => {
    const labels = PAGE.match(/<label\b[^]*?<\/label\s*>/g) ?? [];
    const named = labels.map((label) =>
        label.match(/<(input|button|meter|output|progress|select|textarea)\b/g),
    );
    assert.equal(labels.length, PAGE.match(/<(input|select|textarea)\b/g)?.length);
    assert.deepEqual(
        named,
        labels.map(() => ['<input']),
    );
});

test('demo page: a duration has two digits, and its unit is chosen after rounding', () => {
    assert.deepEqual(
        [0.123, 99.4, 994, 996, 999.4, 999.6, 1040, 12_345].map((ms) => duration(ms).replace('\u00a0', ' ')),
        ['0.12 ms', '99 ms', '990 ms', '1 s', '1 s', '1 s', '1 s', '12 s'],
    );
});

/**
 * @param {JournalReader} reader
 * @returns {number[]} when each new section begins
 */
function newBegins(reader) {
    /** @type {number[]} */
    const begins = [];
    reader.readNew((begin) => begins.push(begin));
    return begins;
}

test("demo journal: each recorded section is read once, in order, with times on the reader's clock", () => {
    const journal = createJournal();
    const note = journalWriter(journal, 100);
    const reader = new JournalReader(journal);
    note(1, 2);
    note(3, 4);
    assert.deepEqual(newBegins(reader), [101, 103]);
    assert.deepEqual(newBegins(reader), []);
    note(5, 6);
    assert.deepEqual(newBegins(reader), [105]);
});

test('demo journal: entries that a writer may be overwriting are left out, and the others are right', () => {
    const journal = createJournal();
    const note = journalWriter(journal, 0);
    const reader = new JournalReader(journal);
    const noted = 100_000;
    for (let time = 0; time < noted; time += 1) {
        note(time, time + 0.5);
    }
    const begins = newBegins(reader);
    assert.ok(begins.length > 10_000 && begins.length < noted, `${begins.length} are read`);
    assert.deepEqual(
        begins,
        Array.from(begins, (_, index) => noted - begins.length + index),
    );
});

test('demo journal: a query of a time span gives the sections that overlap the span', () => {
    const journal = createJournal();
    const note = journalWriter(journal, 0);
    for (const [begin, end] of /** @type {[number, number][]} */ ([
        [0, 1],
        [2, 4],
        [5, 6],
        [7, 9],
        [10, 11],
    ])) {
        note(begin, end);
    }
    assert.deepEqual(new JournalReader(journal).between(3, 8), [
        { begin: 2, end: 4 },
        { begin: 5, end: 6 },
        { begin: 7, end: 9 },
    ]);
});

test('demo held time: each column shows the fraction of its time span in which the lock was held', () => {
    const held = new HeldTime();
    held.add(0.5 * COLUMN_MS, 2.25 * COLUMN_MS);
    held.add(2.5 * COLUMN_MS, 2.75 * COLUMN_MS);
    assert.deepEqual(
        [0, 1, 2, 3].map((column) => held.share(column)),
        [0.5, 1, 0.5, 0],
    );
    assert.equal(held.shareOf(0, 4), 0.5);
});

test('demo held time: a column that is used again starts at zero', () => {
    const held = new HeldTime();
    held.add(0, COLUMN_MS);
    const later = 5000;
    held.add(later * COLUMN_MS, (later + 0.5) * COLUMN_MS);
    assert.equal(held.share(0), 0);
    assert.equal(held.share(later), 0.5);
    assert.equal(held.shareOf(later - 1000, later), 0);
});

test('demo waits: percentiles are at the upper end of their bucket, and never above the maximum', () => {
    const counts = new WaitCounts();
    for (let ms = 1; ms <= 100; ms += 1) {
        counts.add(ms);
    }
    const median = counts.percentile(0.5);
    assert.ok(median >= 50 && median < 50 * 1.04, `the median is ${median}`);
    assert.equal(counts.percentile(1), 100);
    assert.equal(
        counts.bars().reduce((sum, count) => sum + count),
        100,
    );
});

test('demo waits: a pending request is counted with its waiting time so far', () => {
    const waits = new Waits();
    waits.answer(waits.ask(0, 10), 1, 17);
    const open = waits.ask(5, 0);
    assert.equal(waits.recent[0]?.sections, 7);
    assert.equal(waits.oldestOpen, open);
    assert.equal(waits.countsAt(2005).worst, 2000);
    assert.equal(waits.answeredCounts.total, 1);
    waits.answer(open, 3005, 0);
    assert.equal(waits.unanswered, 0);
    assert.equal(waits.countsAt(9000).worst, 3000);
});

test('demo ledger: consecutive sections lose nothing, overlapping sections lose an update', (t) => {
    const ledger = createLedger(2);
    runSection(ledger, 0, 0);
    runSection(ledger, 1, 0);
    assert.equal(lostUpdates(ledger), 0);
    const inside = [() => runSection(ledger, 1, 0)];
    // A section reads the clock between the read and the write of the count.
    t.mock.method(performance, 'now', () => {
        inside.pop()?.();
        return 0;
    });
    runSection(ledger, 0, 0);
    assert.deepEqual(tallies(ledger), [2, 2]);
    assert.equal(lostUpdates(ledger), 1);
});

test('demo turns: each time that more threads are inside than allowed is counted', () => {
    const words = new TurnWords(createTurnWords(3), 2);
    words.begins(0, 1);
    words.begins(1, 1);
    assert.equal(words.broken, 0);
    words.begins(2, 1);
    assert.equal(words.broken, 1);
    words.ends(2, 1);
    words.ends(1, 1);
    words.begins(1, 1);
    assert.equal(words.broken, 1);
    assert.equal(words.turnsOf(1), 1);
});

test('demo books: if a thread dies inside, the books stay visibly broken until the repair', () => {
    const books = new Books(createBooks(2));
    books.begin(1);
    books.end(1);
    books.begin(1);
    books.read(0);
    assert.equal(books.broken, 0);
    books.read(1);
    assert.equal(books.broken, 1);
    assert.deepEqual(books.repair(1), { first: 2, second: 1 });
    books.begin(1);
    assert.equal(books.broken, 1);
});

/**
 * The result of inspect() for threads that hold these locks and wait for those.
 * @param {Record<string, { holds?: string[], waits?: string, isDead?: boolean }>} how
 * @returns {import('../../demo/page/threads/graph.js').Inspection}
 */
function inspectionOf(how) {
    const threads = Object.entries(how);
    const objects = ['orders', 'stock', 'prices'].map((name, index) => {
        const [holder, { isDead = false } = {}] =
            threads.find(([, { holds }]) => holds?.includes(name)) ?? [];
        return {
            kind: 'Mutex',
            name,
            byteOffset: 64 * index,
            holder,
            heldFor: undefined,
            isAbandoned: isDead,
            depth: undefined,
            inUse: undefined,
            isDone: undefined,
            next: undefined,
            waiting: threads.filter(([, { waits }]) => waits === name).length,
        };
    });
    return {
        objects,
        threads: threads.map(([name, { waits, isDead = false }]) => {
            const data = {
                name,
                isThis: name === 'page',
                isAlive: !isDead,
                waitsFor: objects
                    .filter((object) => object.name === waits)
                    .map((object) => ({ ...object, blocks: name !== 'page', milliseconds: 500 })),
            };
            return /** @type {import('../../js-glue/debug.js').InspectedThread} */ (
                /** @type {unknown} */ (data)
            );
        }),
    };
}

const BUSY = inspectionOf({
    page: { waits: 'stock' },
    seller: { holds: ['orders'], waits: 'stock' },
    packer: { waits: 'orders' },
    buyer: { holds: ['stock', 'prices'] },
});
const RING = inspectionOf({
    page: { waits: 'orders' },
    seller: { holds: ['orders'], waits: 'stock' },
    packer: { holds: ['stock'], waits: 'orders' },
    buyer: { holds: ['prices'] },
});
const ABANDONED = inspectionOf({ seller: { holds: ['orders'], isDead: true }, packer: { waits: 'orders' } });

test('demo threads: lines go from each thread to the locks that it holds, and to the lock for which it waits', () => {
    assert.deepEqual(edgesOf(ABANDONED), [
        { thread: 'seller', lock: 'orders', is: 'holds' },
        { thread: 'packer', lock: 'orders', is: 'waits' },
    ]);
    assert.deepEqual(heldBy(BUSY, 'buyer'), ['stock', 'prices']);
});

test('demo threads: a deadlock cycle does not contain threads that wait for a member', () => {
    assert.deepEqual(ringOf(BUSY), []);
    assert.deepEqual(ringOf(RING), ['seller', 'packer']);
});

test('demo threads: the sentence describes the most important state', () => {
    assert.equal(describe(BUSY), '3 locks are in use, and 3 threads wait.');
    assert.equal(describe(RING), 'Deadlock: seller and packer wait for each other.');
    assert.equal(describe(ABANDONED), 'Abandoned: seller died while it held orders.');
});

test('demo threads: the kill button ends a thread of a deadlock cycle, else a holder that does not wait', () => {
    const anybody = () => true;
    assert.equal(holderToKill(BUSY, anybody), 'buyer');
    assert.equal(
        holderToKill(BUSY, (thread) => thread !== 'buyer'),
        'seller',
    );
    assert.match(holderToKill(RING, anybody) ?? '', /seller|packer/);
    assert.equal(holderToKill(ABANDONED, anybody), undefined);
});

test('demo channel: the age of the shown message grows until the next one comes', () => {
    const meter = new Meter();
    assert.equal(meter.readAt(5, false).age, 0, 'before the first message');
    meter.take(100, 130);
    assert.deepEqual(meter.readAt(150, false), { time: 150, age: 50 });
    assert.deepEqual(meter.readAt(900, true), { time: 130, age: 30 });
    meter.take(120, 160);
    assert.equal(meter.readAt(160, false).age, 40);
});

test('demo channel: after a long wait a worker sends at its usual rate, without catching up', () => {
    assert.equal(owedAfter(0.5, 1000, 4), 4.5);
    assert.equal(owedAfter(0, 1000, 5000), 50);
});

test('demo channel: the text describes the backlog at any time, and the other sender after one was killed', () => {
    const words = (/** @type {boolean} */ isStopped, /** @type {number} */ waiting) =>
        describeSide({ isStopped, waiting }).replaceAll('\u00a0', ' ');
    assert.equal(words(false, 1), '1 message waits, 0.0 MB.');
    assert.match(words(false, MOST_UNREAD), /^60,000 messages wait, 14\.6 MB\. This demo keeps .* 60,000\.$/);
    assert.match(words(true, 6000), /^Stopped, but 6,000 messages wait, .* about 2\.0 s for them\.$/);
    assert.equal(words(true, 0), 'Stopped, and nothing waits.');
    assert.equal(describeDeath({ killedAt: NaN, wentOnAt: NaN }), '');
    assert.match(describeDeath({ killedAt: 10, wentOnAt: NaN }), /waits until that is noticed\.$/);
    assert.match(describeDeath({ killedAt: 10, wentOnAt: 1210 }), /went on 1\.2\ss later\.$/);
});
