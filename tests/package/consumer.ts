/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Compiled by tests/package.test.js, as strictly as TypeScript can, in a project that has installed the
 * package. */
import { Guard, HoldfastError, LockSpace, Mutex, support, TimeoutError } from 'holdfast';

const space = new LockSpace({ pages: 1 });
const mutex: Mutex = new Mutex(space);
const sameMutex: Mutex = Mutex.from(mutex.handle);
const placedMutex: Mutex = Mutex.at(space.memory, mutex.byteOffset);
const bytes: number = Mutex.BYTES + Mutex.ALIGN;

mutex.lock();
const taken: boolean = mutex.tryLock(0.5);
mutex.unlock();
const sum: number = mutex.exec(() => bytes + 1);
const guard: Guard = mutex.acquire();
guard.release();

export async function useAll(signal: AbortSignal): Promise<string> {
    const length: number = await sameMutex.executeLocked(() => 'abc'.length, { timeout: 10, signal });
    const later: string = await placedMutex.executeLocked(async () => `${length} ${sum} ${taken}`);
    const asyncGuard: Guard = await mutex.lockAsync({ timeout: Infinity });
    asyncGuard.release();
    return later;
}

export function codeOf(error: unknown): string | undefined {
    return error instanceof TimeoutError || error instanceof HoldfastError ? error.code : undefined;
}

export const abilities = support();

// @ts-expect-error a callback is required
void mutex.executeLocked();
// @ts-expect-error times are numbers of milliseconds
mutex.tryLock('1s');
// @ts-expect-error a handle of something else
Mutex.from({ memory: space.memory });
