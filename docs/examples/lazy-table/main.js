/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A table that whoever comes first fills, while the others wait: workers block, this thread, which may be a page's,
 * does not. */
import { Latch, Once } from 'holdfast';
import { check, print } from '../report.js';
import { inWorker } from '../threads.js';
import { countShare, sieve } from './sieve.js';

const THREADS = 5;
const NUMBERS = 1_000_000;

const once = new Once();
const allHere = new Latch({ count: THREADS });
const isPrime = new Uint8Array(new SharedArrayBuffer(NUMBERS));

const others = Array.from({ length: THREADS - 1 }, (_, index) =>
    inWorker(new URL('./worker.js', import.meta.url), {
        once: once.handle,
        allHere: allHere.handle,
        isPrime,
        thread: index + 1,
        threads: THREADS,
    }),
);
allHere.countDown();
await allHere.waitAsync();
const filled = await once.runAsync(() => sieve(isPrime));
const here = { filled, primes: countShare(isPrime, 0, THREADS) };

const results = [here, ...(await Promise.all(others))];
const fillers = results.filter((result) => result.filled).length;
check(fillers === 1, `one thread fills the table, not ${fillers}`);
const primes = results.reduce((sum, result) => sum + result.primes, 0);
check(primes === 78_498, `each thread finds the table filled; there are 78498 primes, not ${primes}`);
print(`${THREADS} threads, one of which filled the table: ${primes} primes below ${NUMBERS}`);
