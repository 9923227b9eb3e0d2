/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Compiled by tests/package/package.test.js, as strictly as TypeScript can, in a project that has installed the
 * package. */
import {
    Barrier,
    BinarySemaphore,
    Condition,
    CountingSemaphore,
    Event,
    Guard,
    HoldfastError,
    Latch,
    LockSpace,
    Mutex,
    Once,
    RecursiveMutex,
    RwLock,
    support,
    TimeoutError,
} from 'holdfast';
import type {
    ConditionOptions,
    DeadlockMember,
    DeadlockReport,
    Handle,
    LockMode,
    MutexHandle,
    SpaceOptions,
} from 'holdfast';
import { RecoverableRwLock, RecoverableSemaphore } from 'holdfast/recoverable';
import { trace } from 'holdfast/trace';
import type { TraceOptions } from 'holdfast/trace';

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

export function attachTo(memory: WebAssembly.Memory, threads: number): number | undefined {
    return LockSpace.from(LockSpace.attach(memory, { threads }).handle).handle.threads;
}

const options: SpaceOptions = { deadlocks: 'throw', threads: 8 };
const watched = new LockSpace(options);
watched.onreport = ({ certain, members, message }: DeadlockReport): string =>
    `${certain} ${message} ${members.map(({ thread, how }: DeadlockMember) => `${thread} ${how}`).join()}`;
watched.onreport = undefined;

export async function useAll(signal: AbortSignal): Promise<string> {
    const length: number = await sameMutex.executeLocked(() => 'abc'.length, { timeout: 10, signal });
    const later: string = await placedMutex.executeLocked(async () => `${length} ${sum} ${taken}`);
    const asyncGuard: Guard = await mutex.lockAsync({ timeout: Infinity });
    asyncGuard.release();
    return later;
}

const turn = new BinarySemaphore(space, { initial: 0 });
const seats: CountingSemaphore = CountingSemaphore.from(new CountingSemaphore(space, { max: 5 }).handle);
const table = RwLock.at(space.memory, new RwLock(space).byteOffset);
const changed = new Condition(space);
const opened: Event = Event.at(space.memory, 1024, { autoReset: true });
const latch = new Latch(space, { count: 2 });
const barrier = new Barrier(undefined, { parties: 2 });
const once = new Once();
const tree: RecursiveMutex = RecursiveMutex.named(space, 'tree');
const treeHandle: Handle<'RecursiveMutex'> = tree.handle;
const handle: Handle<'RwLock'> = table.handle;
const mutexHandle: MutexHandle = mutex.handle;

export async function useFamily(signal: AbortSignal, mode: LockMode): Promise<number> {
    turn.leave();
    const entered: boolean = turn.tryEnter(1);
    const free: number = seats.value + seats.max;
    const text: string = await seats.execAsync(async () => 'text', { permits: 2, timeout: 5, signal });
    await seats.enterAsync();
    const read: number = await table.executeLocked(() => text.length, { mode });
    const shared: Guard = await table.lockAsync({ mode: 'shared' });
    shared.release();
    const written: string = table.exec(() => 'x', { mode: 'exclusive' });
    const options: ConditionOptions = { predicate: () => entered, signal };
    await changed.waitAsync(mutex, options);
    const notified: boolean = changed.waitFor(mutex, 5);
    changed.notify(1);
    opened.set();
    await opened.waitAsync({ timeout: 5 });
    const given: { timeout: number | undefined; signal: AbortSignal | undefined } = {
        timeout: 5,
        signal: undefined,
    };
    await opened.waitAsync(given);
    latch.countDown();
    const isOpen: boolean = latch.wait(0);
    const isLast: boolean = await barrier.arriveAndWaitAsync();
    const nested: number = tree.exec(() => (tree.tryLock(5) ? tree.depth : 0));
    tree.unlock();
    const isWoken: boolean = changed.waitFor(RecursiveMutex.from(treeHandle), 5);
    const isRepaired: boolean = tree.recover(() => {});
    // @ts-expect-error what waits without blocking has no nesting
    tree.executeLocked?.(() => {});
    const ran: boolean = await once.runAsync(() => written);
    return [isOpen, isLast, ran, notified, isWoken, isRepaired].filter(Boolean).length + free + read + nested;
}

export function codeOf(error: unknown): string | undefined {
    return error instanceof TimeoutError || error instanceof HoldfastError ? error.code : undefined;
}

export const abilities = support();

export async function takesBack(room: LockSpace): Promise<number> {
    const permits = new RecoverableSemaphore(room, { max: 3, name: 'permits' });
    const book = RecoverableRwLock.from(new RecoverableRwLock(room).handle);
    await permits.execAsync(() => book.exec(() => 1, { mode: 'shared' }), { permits: 2 });
    return RecoverableSemaphore.named(room, 'permits', { max: 3 }).value;
}

const traceOptions: TraceOptions = { name: 'table', minimum: 0.1 };
export const stops: (() => void)[] = [
    trace(mutex),
    trace(seats, traceOptions),
    trace(barrier, { keep: true }),
];

// @ts-expect-error a callback is required
void mutex.executeLocked();
// @ts-expect-error times are numbers of milliseconds
mutex.tryLock('1s');
// @ts-expect-error a handle of another class
Mutex.from(handle);
// @ts-expect-error no mode of a lock
void table.executeLocked(() => {}, { mode: 'both' });
// @ts-expect-error what to wait with is needed
changed.wait();
RwLock.from(handle);
Mutex.from(mutexHandle);
// @ts-expect-error how many permits is to be said
new RecoverableSemaphore(space, {});
// @ts-expect-error only what is a lock can be traced
trace(space);
// @ts-expect-error a handle of something else
Mutex.from({ memory: space.memory });
