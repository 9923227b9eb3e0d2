/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Compiled as uses.ts is: each line is an error that TypeScript has to find, with all settings that are strict. */
// @ts-expect-error no default export
import holdfast from 'holdfast';
import { HoldfastError, LockSpace, Mutex, RwLock } from 'holdfast';
import { RecoverableRwLock } from 'holdfast/recoverable';
import { Condition, Mutex as StaticMutex } from 'holdfast/tc39';
import { trace } from 'holdfast/trace';
// @ts-expect-error no default export
import locks from 'holdfast/web-locks';

export const defaults = [holdfast, locks];
const space = new LockSpace();
const mutex = new Mutex({ space });
declare const error: HoldfastError;

// @ts-expect-error no such code
export const isCode = error.code === 'HF_NO_SUCH_CODE';
// @ts-expect-error a number of milliseconds
void mutex.execAsync(() => {}, { timeout: '5' });
// @ts-expect-error a signal is no function
void mutex.execAsync(() => {}, { signal: () => {} });
// @ts-expect-error the controller is not the signal
void mutex.execAsync(() => {}, { signal: { signal: null, abort() {} } });
// @ts-expect-error a callback is needed
void mutex.execAsync();
// @ts-expect-error a handle of another class
Mutex.from(new RwLock({ space }).handle);
// @ts-expect-error a memory, not its bytes
LockSpace.attach(space.buffer);
// @ts-expect-error a memory, not its bytes
Mutex.at(space.buffer, 64);
// @ts-expect-error a predicate is not async
Condition.waitFor(new Condition(), StaticMutex.lock(new StaticMutex()), 5, async () => true);
// @ts-expect-error a space is no lock
trace(space);
// @ts-expect-error no such mode
void new RecoverableRwLock({ space }).execAsync(() => {}, { mode: 'both' });
// @ts-expect-error the memory of a space cannot be replaced
space.memory = space.memory;
