/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Latch, Once } from 'holdfast';
import { work } from '../threads.js';
import { countShare, sieve } from './sieve.js';

work(({ isPrime, thread, threads, ...handles }) => {
    const allHere = Latch.from(handles.allHere);
    allHere.countDown();
    allHere.wait();
    const filled = Once.from(handles.once).run(() => sieve(isPrime));
    return { filled, primes: countShare(isPrime, thread, threads) };
});
