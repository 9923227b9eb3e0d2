/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { entriesOf } from './mutant-list.js';

/**
 * Defects that were mended, put back, with their numbers in the issue that lists them. In brackets: the file of
 * tests/glue/ that notices it, and the switch of the fuzzer that it needs.
 */
export const PUT_BACK = entriesOf(`
1: one signal ends requests twice [shared-signal, sharedSignals]
    === js-glue/waiting/queue.js
    - if (!request.waits) {
    + if (request.waits === undefined) {
    === js-glue/waiting/request.js
    - for (const request of this) {
    + for (const request of [...this.#requests]) {
2: callbacks run in another one's context [async-context, contexts]
    === js-glue/waiting/request.js
    - this.resource = callback && !snapshot ? newResource() : undefined;
    + this.resource = undefined;
3: event loops starve among themselves [overtaking, loopContests]
    === c-src/gate_async.h
    - return !hf__is_older(line, token) &&
    + return false &&
4: faked timers are those of the glue [fake-timers]
    === js-glue/thread/environment.js
    - [name, object?.[name]?.bind(object)]
    + [name, (...args) => object[name](...args)]
5: an async predicate counts as true [condition, asyncPredicates]
    === js-glue/waiting/section.js
    - return Boolean(notAsync(predicate(), 'A predicate returns true or false, not a promise.'));
    + return Boolean(predicate());
6: a reset does nothing while an event is reserved [event, resets]
    === c-src/gate.c
    - next = used_in(word) == 0 ? (word & ~RESERVED)
    + next = used_in(word) == 0 && !(word & RESERVED) ? (word & ~RESERVED)
12: inits leave words as they were [garbage-words, dirtyMemory]
    === c-src/semaphore.c
    -     hf__store_rlx(&semaphore->gate.line, 0);
    +
    === c-src/event.c
    -     hf__store_rlx(&event->gate.line, 0);
    +
    === js-glue/memory/placed.js
    -             new Uint8Array(attachment.memory.buffer, byteOffset, attachment.bytesFor(shape.BYTES)).fill(0);
    +
12: a loop has no end where a word is wrong [garbage-words, strayWords]
    === js-glue/thread/times.js
    - export const MOST_REFUSALS = 4;
    + export const MOST_REFUSALS = Infinity;
13: a dead heir blocks what has room [dead-heir, deadHeirs]
    === c-src/gate_word.h
    - return !(word & RESERVED) && has_room(
    + return false && has_room(
14: a freed lock has requests [freed-locks, freedWithRequests]
    === js-glue/waiting/queue.js
    -         this.isFreed = true;
    -         this.takenByLock();
    +         this.takenByLock();
14: a freed lock is released [freed-locks, freedWhileHeld]
    === js-glue/waiting/section.js
    - if (state !== 'holds' || queue.isFreed) {
    + if (state !== 'holds') {
19: a request lets its thread pass for ever [overtaking, ownRequests]
    === c-src/gate_word.h
    - return heir_of(word) == self && !(word & ASYNC_HEIR) == (kind == HF__BLOCKING);
    + return heir_of(word) == self;
20: a burst has no end [yielding, crowds]
    === js-glue/thread/event-loop.js
    - return environment.now() > burstEnd;
    + return false;
`).map(({ name, foundIn = '', changes }) => {
    const [test, ...switches] = foundIn.split(', ');
    const edits = changes.map((change) => ({ name, ...change }));
    return { name, edits, switches, tests: [`tests/glue/${test}.test.js`] };
});
