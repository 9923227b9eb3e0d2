/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { fromWindow } from './order-sites.js';
import { call, resume } from '../wasm/interpreter.js';

/* Two threads, each with a list of steps: calls of the module, and one plain write and one plain read of data
 * beside the lock. It tries everything that C11's relaxed, acquire and release allow, except load buffering.
 * Each word and each datum has a list of the values written to it, and each thread has a view: how far down
 * each list it has seen. It may read any value from there on. A written value carries a view too: a release
 * carries the writer's view, and any read-modify-write carries that of the value it replaced (the release
 * sequence). An acquire adds the carried view to the reader's. No thread sleeps: a step that has to wait is
 * repeated. */

/**
 * @typedef {import('../wasm/decoder.js').Module} Module
 * @typedef {import('../wasm/interpreter.js').Value} Value
 * @typedef {Record<string, number>} View how many of the values written to each place have been seen
 * @typedef {{ value: Value, view: View }} Message
 * @typedef {Record<string, Value | undefined>} Notes of a thread: results that later steps need
 *
 * @typedef {object} Step
 * @property {'write' | 'read'} [data] `write`: its own datum; `read`: the other thread's, into the note
 *     `seen`
 * @property {string} [call]
 * @property {(notes: Notes) => number[]} [parameters]
 * @property {(result: Value) => boolean} [until] the step is repeated until this is true
 * @property {string} [note] the note that keeps the result
 * @property {(notes: Notes) => boolean} [unless] the step is left out if this is true
 *
 * @typedef {object} Litmus
 * @property {string} name
 * @property {[name: string, ...parameters: number[]][]} [first] calls that make the objects
 * @property {[Step[], Step[]]} threads
 * @property {number} [relaxed] the number of a site (order-sites.js)
 * @property {(notes: [Notes, Notes], alone: (name: string, ...parameters: number[]) => Value) => boolean}
 *     fails called when both threads are done; `alone`: a call that sees the last words
 *
 * @typedef {{ at: number, notes: Notes, view: View, stop: any }} Thread `stop` of a call that has begun
 * @typedef {{ written: Record<string, Message[]>, threads: Thread[] }} World
 * @typedef {{ order: string, place: string, name: string, operands: Value[] }} Access
 */

const ACQUIRING = new Set(['acquire', 'acq_rel', 'seq_cst']);
const RELEASING = new Set(['release', 'acq_rel', 'seq_cst']);
const MOST_WORLDS = 1e6;

/** @param {View} one @param {View} other */
function joined(one, other) {
    const both = { ...one };
    Object.entries(other).forEach(([place, seen]) => (both[place] = Math.max(both[place] ?? 0, seen)));
    return both;
}

/** @param {World} world @param {string} place @returns {Message[]} */
function writtenTo({ written }, place) {
    return written[place] ?? [{ value: place.startsWith('i64') ? 0n : 0, view: {} }];
}

/** @param {World} world */
const keyOf = (world) =>
    JSON.stringify(world, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));

/** @param {import('../wasm/interpreter.js').Atomic} atomic @param {number} [relaxed] @returns {Access} */
function accessOf({ name, address, operands }, relaxed) {
    const { address: word, order } = fromWindow(address, relaxed);
    return { order, name, operands, place: `${name.slice(0, 3)} ${word}` };
}

/**
 * The value that a read-modify-write or a store leaves; undefined: none.
 * @param {Access} access
 * @param {Value} before
 */
function afterwards({ name, operands: [first = 0, second] }, before) {
    switch (name.slice(4)) {
        case 'atomic.load':
            return undefined;
        case 'atomic.store':
            return first;
        case 'atomic.rmw.cmpxchg':
            return before === first ? second : undefined;
        case 'atomic.rmw.add':
            return (Number(before) + Number(first)) | 0;
        case 'atomic.rmw.and':
            return Number(before) & Number(first);
        default:
            throw new Error(`no litmus test has ${name}`);
    }
}

/**
 * All that an access may read, with the world and the view after it.
 * @param {World} world
 * @param {View} view
 * @param {Access} access
 * @returns {{ read: Value, view: View, written: World['written'] }[]}
 */
function outcomesOf(world, view, access) {
    const { name, order, place } = access;
    const messages = writtenTo(world, place);
    const last = messages.length - 1;
    const outcomes = [];
    for (let at = view[place] ?? 0; at <= last; at += 1) {
        const message = /** @type {Message} */ (messages[at]);
        const value = afterwards(access, message.value);
        if (value === undefined) {
            const acquires = name.endsWith('.load') && ACQUIRING.has(order);
            const seen = joined(acquires ? joined(view, message.view) : view, { [place]: at });
            outcomes.push({ read: message.value, view: seen, written: world.written });
        } else if (at === last) {
            const isStore = name.endsWith('.store');
            const acquires = !isStore && ACQUIRING.has(order);
            const seen = joined(acquires ? joined(view, message.view) : view, { [place]: at + 1 });
            const inherited = isStore ? {} : message.view;
            const carried = joined(inherited, RELEASING.has(order) ? seen : {});
            outcomes.push({
                read: message.value,
                view: seen,
                written: { ...world.written, [place]: [...messages, { value, view: carried }] },
            });
        }
    }
    return outcomes;
}

/** @param {World} world @param {number} number @param {Partial<Thread>} change @param {World['written']} [written] */
function changed(world, number, change, written = world.written) {
    const threads = world.threads.map((thread, at) => (at === number ? { ...thread, ...change } : thread));
    return { written, threads };
}

/**
 * Each world that may come next by a step of that thread.
 * @param {Module} module
 * @param {Litmus} litmus
 * @param {World} world
 * @param {number} number
 * @returns {World[]}
 */
function nextWorlds(module, litmus, world, number) {
    const thread = /** @type {Thread} */ (world.threads[number]);
    const step = litmus.threads[number]?.[thread.at];
    if (!step) {
        return [];
    }
    const { at, notes, view } = thread;
    if (step.unless?.(notes)) {
        return [changed(world, number, { at: at + 1 })];
    }
    if (step.data) {
        const isWrite = step.data === 'write';
        const place = `data ${isWrite ? number : 1 - number}`;
        const name = `i32.atomic.${isWrite ? 'store' : 'load'}`;
        const access = { name, place, order: 'relaxed', operands: [1] };
        return outcomesOf(world, view, access).map(({ read, view: seen, written }) => {
            const noted = isWrite ? notes : { ...notes, seen: read };
            return changed(world, number, { at: at + 1, view: seen, notes: noted }, written);
        });
    }
    const stop = thread.stop ?? call(module, step.call ?? '', step.parameters?.(notes) ?? []);
    if (!stop.atomic) {
        const isOver = step.until?.(stop.value) ?? true;
        const noted = step.note && isOver ? { ...notes, [step.note]: stop.value } : notes;
        return [changed(world, number, { at: isOver ? at + 1 : at, notes: noted, stop: undefined })];
    }
    if (stop.atomic.name === 'memory.atomic.notify') {
        return [changed(world, number, { stop: resume(module, stop.frames, 0) })];
    }
    return outcomesOf(world, view, accessOf(stop.atomic, litmus.relaxed)).map(
        ({ read, view: seen, written }) =>
            changed(world, number, { view: seen, stop: resume(module, stop.frames, read) }, written),
    );
}

/**
 * A call that runs alone, and sees the last value of each word.
 * @param {Module} module
 * @param {World} world
 * @param {string} name
 * @param {number[]} parameters
 */
function alone(module, world, name, parameters) {
    /** @type {Litmus} */
    const only = {
        name,
        threads: [[{ call: name, parameters: () => parameters, note: 'result' }], []],
        fails: () => false,
    };
    const seen = Object.fromEntries(Object.entries(world.written).map(([at, all]) => [at, all.length - 1]));
    /** @type {World} */
    let now = { ...world, threads: [{ at: 0, notes: {}, view: seen, stop: undefined }] };
    while (now.threads[0]?.at === 0) {
        now = /** @type {World} */ (nextWorlds(module, only, now, 0)[0]);
    }
    return { result: now.threads[0]?.notes['result'] ?? 0, written: now.written };
}

/**
 * @param {Module} module with orders in its addresses
 * @param {Litmus} litmus
 * @returns {{ worlds: number, fails: boolean }} fails: whether the threads can reach a forbidden outcome
 */
export function tryLitmus(module, litmus) {
    /** @type {World} */
    let first = { written: {}, threads: [] };
    for (const [name, ...parameters] of litmus.first ?? []) {
        first = { ...first, ...alone(module, first, name, parameters), threads: [] };
    }
    // All threads have seen the first value.
    const written = Object.fromEntries(
        Object.entries(first.written).map(([place, all]) => [
            place,
            [{ value: /** @type {Message} */ (all.at(-1)).value, view: {} }],
        ]),
    );
    const threads = litmus.threads.map(() => ({ at: 0, notes: {}, view: {}, stop: undefined }));
    const open = [{ written, threads }];
    const known = new Set([keyOf(open[0] ?? first)]);
    for (let world = open.pop(); world; world = open.pop()) {
        const here = world;
        const next = [0, 1].flatMap((number) => nextWorlds(module, litmus, here, number));
        if (next.length === 0) {
            const notes = /** @type {[Notes, Notes]} */ (here.threads.map((thread) => thread.notes));
            if (litmus.fails(notes, (name, ...parameters) => alone(module, here, name, parameters).result)) {
                return { worlds: known.size, fails: true };
            }
        }
        for (const each of next) {
            const key = keyOf(each);
            if (!known.has(key)) {
                known.add(key);
                open.push(each);
            }
        }
        if (known.size > MOST_WORLDS) {
            throw new Error(`${litmus.name} has more than ${MOST_WORLDS} worlds`);
        }
    }
    return { worlds: known.size, fails: false };
}
