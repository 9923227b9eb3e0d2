/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Compiled by tests/package/package.test.js with many settings, also where no types of the web or of Node are known.
 * consumer.ts uses all classes. */
import { HoldfastError, LockSpace, Mutex, TimeoutError, support } from 'holdfast';
import type { ErrorCode, HandleOf, WaitOptions } from 'holdfast';
import { debug } from 'holdfast/debug';
import { loadModule, Mutex as OfFile } from 'holdfast/external';
import { RecoverableSemaphore } from 'holdfast/recoverable';
import { trace } from 'holdfast/trace';

const space = new LockSpace({ pages: 1, threads: 8 });
const mutex: Mutex = new Mutex({ space });
const handle: HandleOf<Mutex> = mutex.handle;
const same: HandleOf<Mutex> = Mutex.from(handle).handle;
export const bytes: ArrayBufferLike = same.memory.buffer;
export const counter = new Int32Array(space.buffer, space.alloc(4), 1);
export const there: Mutex = Mutex.at(space.memory, mutex.byteOffset);
export const sameSpace: LockSpace = LockSpace.attach(handle.memory);

/** A wrapper passes its options on, whether it got them or not. */
export function wrapped(timeout?: number, signal?: WaitOptions['signal']): Promise<number> {
    const options: WaitOptions = { timeout, signal };
    return mutex.execAsync(async () => 1, options);
}
export const withoutSignals: Promise<string>[] = [
    mutex.execAsync(() => 'text', { signal: undefined, timeout: undefined }),
    mutex.execAsync(() => 'text', { signal: null }),
];

export function wordsOf(error: unknown): string | undefined {
    if (error instanceof TimeoutError) {
        return error.holder;
    }
    if (!(error instanceof HoldfastError)) {
        return undefined;
    }
    const code: ErrorCode = error.code;
    switch (code) {
        case 'HF_ABANDONED':
        case 'HF_DEADLOCK':
            return code.toLowerCase();
        default:
            return error.message;
    }
}

export async function fromFile(bytes: ArrayBuffer): Promise<OfFile> {
    await loadModule(bytes);
    await loadModule({ arrayBuffer: async () => bytes });
    await loadModule(await loadModule(Promise.resolve(new Uint8Array(bytes))));
    return new OfFile();
}

export const seats = new RecoverableSemaphore({ space, max: 2 }).value;
export const stops: (() => void)[] = [trace(mutex), debug({ throw: true })];
export const advice: readonly string[] = support().advice;
