/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Compiled by tests/package/package.test.js, as strictly as TypeScript can, in a project that has installed the
 * package. */
import {
    Barrier,
    BinarySemaphore,
    Condition,
    CountingSemaphore,
    deadlineIn,
    Event,
    Guard,
    HoldfastError,
    Latch,
    LockSpace,
    Mutex,
    Once,
    RecursiveMutex,
    RwLock,
    RwLockGuard,
    SharedEvent,
    stateOf,
    support,
    TimeoutError,
} from 'holdfast';
import type { ConditionOptions, HandleOf, LockMode, PlaceOptions, SpaceOptions, TimeLimit } from 'holdfast';
import { Answerer, Caller, Channel, type CallRequest } from 'holdfast/channel';
import { debug, inspect, InspectedThread } from 'holdfast/debug';
import type { DeadlockMember, Inspection, Report } from 'holdfast/debug';
import { KeyedMutex } from 'holdfast/keyed';
import { RecoverableRwLock, RecoverableSemaphore } from 'holdfast/recoverable';
import * as tc39 from 'holdfast/tc39';
import { trace } from 'holdfast/trace';
import { Lock, LockManager } from 'holdfast/web-locks';
import type { LockManagerSnapshot, LockOptions } from 'holdfast/web-locks';
import type { TraceOptions } from 'holdfast/trace';

const space = new LockSpace({ pages: 1 });
const mutex: Mutex = new Mutex({ space });
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

const shared: tc39.Mutex = tc39.Mutex.from(new tc39.Mutex().handle);
const altered: tc39.Condition = tc39.Condition.from(new tc39.Condition().handle);
const empty: tc39.Mutex.UnlockToken = new tc39.Mutex.UnlockToken();
const token = tc39.Mutex.lockIfAvailable(shared, 0, empty) ?? tc39.Mutex.lock(shared);
tc39.Condition.wait(altered, token);
const isChanged: boolean = tc39.Condition.waitFor(altered, token, Infinity, () => token.locked);
const released: number = tc39.Condition.notify(altered, isChanged ? 1 : undefined);
const isOver: boolean = token.unlock();
export const section: Promise<number> = tc39.Mutex.lockAsync(shared, async () => {
    await tc39.Condition.waitAsync(altered, shared);
    return released + Number(isOver);
});
// @ts-expect-error no callback
tc39.Mutex.lock(shared, () => {});

const locksHandle: HandleOf<LockManager> = new LockManager({ space: new LockSpace() }).handle;
const locks: LockManager = LockManager.from(locksHandle);
const lockOptions: LockOptions = { mode: 'shared', ifAvailable: true };
export const locked: Promise<string> = locks.request(
    'table',
    async (lock: Lock) => `${lock.name} ${lock.mode}`,
);
export const tried: Promise<boolean> = locks.request(
    'table',
    lockOptions,
    (lock: Lock | null) => lock !== null,
);
export const seen: Promise<LockManagerSnapshot> = locks.query();
// @ts-expect-error no such mode
void locks.request('table', { mode: 'both' }, () => {});

const options: SpaceOptions = { threads: 8 };
export const stop: () => void = debug({
    throw: true,
    onReport: ({ certain, members, message }: Report): string =>
        `${certain} ${message} ${members.map(({ thread, how }: DeadlockMember) => `${thread} ${how}`).join()}`,
});
const found: Inspection = inspect(new LockSpace(options));
export const waits: string[] = [...found.objects, ...inspect(mutex).objects].map(
    ({ kind, name }) => kind + name,
);
export const last: InspectedThread | undefined = inspect(mutex.handle).threads.at(-1);

export async function useAll(signal: AbortSignal): Promise<string> {
    const length: number = await sameMutex.execAsync(() => 'abc'.length, { timeout: 10, signal });
    const later: string = await placedMutex.execAsync(async () => `${length} ${sum} ${taken}`);
    const asyncGuard: Guard = await mutex.acquireAsync({ timeout: Infinity, deadline: undefined });
    asyncGuard.release();
    const tried: Guard | null = mutex.tryAcquire(5);
    tried?.release();
    const seven: number = await mutex.execAsync(() => 7, { timeout: 5 });
    return later + seven;
}

const turn = new BinarySemaphore({ space, initial: 0 });
const seats: CountingSemaphore = CountingSemaphore.from(new CountingSemaphore({ space, max: 5 }).handle);
const table = RwLock.at(space.memory, new RwLock({ space }).byteOffset);
const changed = new Condition({ space });
const opened: Event = Event.at(space.memory, 1024, { autoReset: true });
export const counter: Int32Array = space.named('counter', Int32Array, 1);
export const long: bigint | undefined = space.named('long', BigInt64Array, 1)[0];
space.free(counter);
export const closed: SharedEvent = SharedEvent.from(opened.handle);
const latch = new Latch({ space, count: 2 });
const barrier = new Barrier({ parties: 2, name: 'rounds' });
export const barrierName: string | undefined = barrier.handle.name;
const once = new Once();
const tree: RecursiveMutex = RecursiveMutex.named(space, 'tree');
const treeHandle: HandleOf<RecursiveMutex> = tree.handle;
const handle: HandleOf<RwLock> = table.handle;
const mutexHandle: HandleOf<Mutex> = mutex.handle;
const writer: RwLockGuard | null = table.tryAcquire();
writer?.downgrade();

export async function useFamily(signal: AbortSignal, mode: LockMode): Promise<number> {
    turn.leave();
    const entered: boolean = turn.tryEnter({ timeout: 1 });
    const free: number = seats.value + seats.max;
    const text: string = await seats.execAsync(async () => 'text', { permits: 2, timeout: 5, signal });
    await seats.enterAsync();
    const read: number = await table.execAsync(() => text.length, { mode });
    const shared: Guard = await table.acquireAsync({ mode: 'shared' });
    shared.release();
    const triedShared: Guard | null = table.tryAcquire({ mode: 'shared' });
    triedShared?.release();
    const permits: Guard = await seats.acquireAsync({ permits: 2 });
    permits.release();
    [seats.acquire({ permits: 2 }), seats.tryAcquire({ timeout: 5, permits: 2 })].forEach(
        (seat: Guard | null) => seat?.release(),
    );
    const written: string = table.exec(() => 'x', { mode: 'exclusive' });
    const options: ConditionOptions = { predicate: () => entered, signal };
    await changed.waitAsync(mutex, options);
    const limit: TimeLimit = { deadline: deadlineIn(5) };
    const notified: boolean = changed.waitFor(mutex, limit);
    changed.notify(1);
    opened.set();
    await opened.waitAsync({ timeout: 5 });
    const given: { timeout: number | undefined; signal: AbortSignal | undefined } = {
        timeout: 5,
        signal: undefined,
    };
    await opened.waitAsync(given);
    latch.countDown();
    await opened.waitAsync({ ref: false, timeout: 5 });
    await latch.waitAsync({ ref: true, signal: opened.signal });
    const was: 'free' | 'shared' | 'exclusive' | 'abandoned' = stateOf(table);
    const isOpen: boolean = latch.wait(0) || latch.wait(limit);
    const isLast: boolean = await barrier.arriveAndWaitAsync();
    const alone: boolean | null = barrier.arriveAndWait();
    const late: boolean = barrier.arriveAndWait({ timeout: 5 }) === null;
    seats.release(2);
    const nested: number = tree.exec(() => (tree.tryLock(5) ? tree.depth : 0));
    tree.unlock();
    const isWoken: boolean = changed.waitFor(RecursiveMutex.from(treeHandle), { timeout: 5 });
    const isRepaired: boolean = tree.recover(() => {});
    // @ts-expect-error a recursive mutex has no async methods, since they cannot nest
    tree.execAsync?.(() => {});
    const ran: boolean = await once.runAsync(() => written);
    return (
        [isOpen, isLast, alone, late, ran, notified, isWoken, isRepaired].filter(Boolean).length +
        free +
        read +
        nested
    );
}

export function codeOf(error: unknown): string | undefined {
    return error instanceof TimeoutError || error instanceof HoldfastError ? error.code : undefined;
}

export const abilities = support();

export async function takesBack(room: LockSpace): Promise<number> {
    const permits = new RecoverableSemaphore({ space: room, max: 3, name: 'permits' });
    const book = RecoverableRwLock.from(new RecoverableRwLock({ space: room }).handle);
    await permits.execAsync(() => book.exec(() => 1, { mode: 'shared' }), { permits: 2 });
    return RecoverableSemaphore.named(room, 'permits', { max: 3 }).value;
}

export async function useKeys(room: LockSpace): Promise<string | undefined> {
    const keyed = KeyedMutex.from(new KeyedMutex({ space: room, name: 'keys' }).handle);
    const guard: Guard | null = keyed.tryAcquire('a', 5);
    guard?.release();
    (await keyed.acquireAsync('a', { timeout: 5, signal: AbortSignal.timeout(50) })).release();
    keyed.lock('b');
    const isTaken: boolean = keyed.tryLock('b', { deadline: deadlineIn(5) });
    keyed.unlock('b');
    keyed.recover('b', () => isTaken);
    const isRepaired: boolean = await keyed.recoverAsync('b', async () => {});
    const length: number = await keyed.execAsync('c', async () => 'text'.length);
    keyed.reclaim();
    return isRepaired ? `${length}` : keyed.exec('c', () => KeyedMutex.named(room, 'keys').name);
}

const traceOptions: TraceOptions = { name: 'table', minimum: 0.1 };
export const stops: (() => void)[] = [
    trace(mutex),
    trace(seats, traceOptions),
    trace(barrier, { keep: true }),
];

/** Options, a space among them. */
export const made: [Mutex, Barrier, Latch, Event, CountingSemaphore, RwLock] = [
    new Mutex({ space, name: 'orders' }),
    new Barrier({ parties: 4 }),
    new Latch({ space, count: 0 }),
    new Event({ autoReset: undefined, space: null }),
    new CountingSemaphore({ initial: 0, max: 3 }),
    new RwLock({ name: undefined }),
];

/** A class of the program's own, with an option of its own. */
class LoggedMutex extends Mutex {
    readonly log: string;
    constructor(options?: PlaceOptions & { log?: string }) {
        super(options);
        this.log = options?.log ?? '';
    }
}
export const logs: string[] = [
    new LoggedMutex({ space, log: 'a' }).log,
    LoggedMutex.at(space.memory, 64, { log: 'b' }).log,
    LoggedMutex.from(mutex.handle).log,
    LoggedMutex.named(space, 'logged').log,
];

/** Callbacks whose results are not known to be promises. */
export function results(
    unknownText: () => unknown,
    any: () => any,
): [unknown, any, string | undefined, void] {
    return [
        mutex.exec(unknownText),
        seats.exec(any, { permits: 2 }),
        table.exec((): string | undefined => undefined, { mode: undefined }),
        tree.exec(() => {}),
    ];
}

export async function waitsWithOptionsLeftOut(signal: AbortSignal | null | undefined): Promise<void> {
    await mutex.execAsync(() => {}, { timeout: undefined, signal });
    await table.acquireAsync({ mode: undefined, signal });
    await seats.acquireAsync({ permits: undefined, signal: null });
    await changed.waitAsync(mutex, { predicate: undefined, signal });
    await latch.waitAsync({ signal });
}

// @ts-expect-error a callback is required
void mutex.execAsync();
// @ts-expect-error times are numbers of milliseconds
mutex.tryLock('1s');
// @ts-expect-error a handle of another class
Mutex.from(handle);
// @ts-expect-error a lock has no such mode
void table.execAsync(() => {}, { mode: 'both' });
// @ts-expect-error the class must be that of a typed array
space.named('counter', DataView, 1);
// @ts-expect-error the number of elements is required
space.named('counter', Int32Array);
// @ts-expect-error ref is true or false
void opened.waitAsync({ ref: 'no' });
// @ts-expect-error only locks have a state
stateOf(seats);
// @ts-expect-error only a Mutex has executeLocked(), the name used in the articles
void table.executeLocked(() => {});
// @ts-expect-error the result may be null, when the time is up
export const wasLast: boolean = barrier.arriveAndWait(5);
// @ts-expect-error a condition needs a mutex to wait with
changed.wait();
RwLock.from(handle);
Mutex.from(mutexHandle);
// @ts-expect-error exec() blocks: an async callback is for execAsync()
mutex.exec(async () => 7);
// @ts-expect-error the same
table.exec(() => Promise.resolve(7), { mode: 'shared' });
// @ts-expect-error an async callback is for execAsync()
seats.exec(async () => {});
// @ts-expect-error a recursive mutex has none
tree.exec(async () => {});
// @ts-expect-error an async callback is for runAsync()
once.run(async () => {});
// @ts-expect-error an async repair is for recoverAsync()
mutex.recover(async () => {});
// @ts-expect-error `parties` is required
new Barrier();
// @ts-expect-error the same
new Barrier({ space });
const channel = new Channel({ space, bytes: 4096, name: 'log' });
channel.send(new Float32Array(3));
const isSent: boolean = channel.trySend(new ArrayBuffer(4), { timeout: 5 });
void channel.sendAsync(new Uint8Array(2), { timeout: 5 });
channel.sendInPlace(4, (bytes) => bytes.fill(Number(isSent)));
const message: Uint8Array | null = channel.receive();
const perhaps: Uint8Array | null | undefined = channel.tryReceive();
const firstByte: number | undefined | null = channel.receiveInPlace(([first]) => first);
const all: Uint8Array[] | null = await channel.receiveManyAsync({ most: 5 });
for await (const bytes of Channel.from(channel.handle)) {
    console.log(bytes.length, message?.length, perhaps?.length, firstByte, all?.length);
}
const answerer = new Answerer({ space, bytes: 4096, callers: 2, name: 'files' });
const caller: Caller = Caller.from(answerer.handle);
const reply: Uint8Array = caller.call(new Uint8Array(2), { timeout: 5 });
void caller.callAsync(reply, { signal: AbortSignal.timeout(5) });
for await (const request of Answerer.named(space, 'files')) {
    const asked: CallRequest = request;
    console.log(asked.bytes.length, asked.isAwaited, asked.answer(reply) || asked.refuse('no'));
}
// @ts-expect-error a time limit after the bytes must be an option
caller.call(reply, 5);
// @ts-expect-error a call that blocks has no signal
caller.call(reply, { signal: AbortSignal.timeout(5) });
// @ts-expect-error a reason must be a string
(request: CallRequest) => request.refuse(new Error('no'));
// @ts-expect-error no such option
new Channel({ size: 4096 });
// @ts-expect-error a message must be bytes, so text has to be encoded
channel.send('text');
// @ts-expect-error a time limit after a message must be an option
channel.trySend(new Uint8Array(2), 5);
// @ts-expect-error the same
channel.tryReceiveMany(5);
// @ts-expect-error a callback in place may not return a promise
channel.receiveInPlace(async (bytes) => bytes.length);

// @ts-expect-error a space is one of the options
new Mutex(space);
// @ts-expect-error there is one object of options
new Barrier(undefined, { parties: 4 });
// @ts-expect-error `count` is required
new Latch();
// @ts-expect-error `max` or `initial` is required
new CountingSemaphore({});
// @ts-expect-error no such option
new Event({ autoreset: true });
// @ts-expect-error no such option
new Mutex({ timeout: 5 });
// @ts-expect-error no such option
Barrier.at(space.memory, 2048, { party: 4 });
// @ts-expect-error at() takes no name: to find an object does not name it
Barrier.at(space.memory, 2048, { parties: 4, name: 'rounds' });
// @ts-expect-error a mutex has no options of its own
Mutex.at(space.memory, 2048, { parties: 4 });
// @ts-expect-error no such option
Latch.named(space, 'ready', { counts: 4 });
// @ts-expect-error no such option
void mutex.acquireAsync({ timeoutMs: 5 });
// @ts-expect-error acquire() has no options: tryAcquire(5), or acquireAsync({ timeout: 5 })
mutex.acquire({ timeout: 5 });
// @ts-expect-error a number alone does not say that it counts permits
new RecoverableSemaphore({ space });
// @ts-expect-error a key is a string
new KeyedMutex().lock(42);
// @ts-expect-error the callback comes behind the key
void new KeyedMutex().execAsync(() => {});
// @ts-expect-error async callbacks are for execAsync()
new KeyedMutex().exec('key', async () => {});
// @ts-expect-error only a lock can be traced
trace(space);
// @ts-expect-error a space's memory is no handle
Mutex.from({ memory: space.memory });
