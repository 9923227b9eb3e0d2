/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* tests/package/package.test.js has TypeScript's errors for each line. */
import { Barrier, Condition, CountingSemaphore, Event, LockSpace, Mutex, Once, RwLock } from 'holdfast';

declare const space: LockSpace;

new Barrier({ partys: 4 });
new Barrier(space);
new Barrier(space, { partys: 4 });
new Barrier();
new CountingSemaphore({ max: '3' });
new CountingSemaphore({});
new Event({ autoreset: true });
new Event({ autoReset: 1 });
new Mutex({ nam: 'orders' });
new Mutex({ space, nam: 'orders' });
new Mutex({ space: 'orders' });
new Mutex(space, { name: 'orders' });
new Mutex('orders');
new Mutex().exec(async () => 7);
new Once().run(() => Promise.resolve());
new Mutex({}, {});
new Mutex({ name: 5 });
Mutex.named('orders');
new Mutex(new Mutex());
new Mutex({ space: new Mutex() });
new Mutex(space, space);
new Mutex(new SharedArrayBuffer(64), 0);
new Event({}, 5);
new Mutex(undefined, { space });
new Mutex().lock(5);
new Mutex().acquire({ timeout: 5 });
new Mutex().exec(() => {}, { timeout: 5 });
new CountingSemaphore({ max: 5 }).enter(1, 5);
new CountingSemaphore({ max: 5 }).tryAcquire(2);
new CountingSemaphore({ max: 5 }).exec(() => {}, 2);
new Condition().waitFor(new Mutex(), 5, () => true);
new RwLock().tryAcquire(5);
new Condition().wait(new Mutex(), () => true);
