/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { mutantsOf } from './mutant-list.js';

/** The fuzzer, as what finds a mistake. */
export const FUZZER = 'fuzzer';

/**
 * Mistakes in the glue around its decisions; each is found by a file of tests/glue/, or by the fuzzer. Left out are two
 * that only take steps in vain: a queue that steps while its own section runs, and a watch that is not stopped.
 */
export const SHELL_MUTANTS = mutantsOf(`

=== js-glue/waiting/request.js [request-queue]
a time limit stays when the wait is over [mutex]
    - callersTimers.clearTimeout(this.#timer);
a request has no timeout
    - if (this.timeout <= LONGEST_DELAY_MS) {
    + if (this.timeout < 0) {
a time limit ends before its time [primitives-waits]
    - isTimeFaked() ? 0 : 1;
    + -1;
a listener stays when the wait is over [primitives-waits]
    - this.#abort?.remove(this);
a request does not listen to its signal
    - this.#abort.add(this);
a request that is over still seems to wait
    - if (newest === this) {
    + if (newest === null) {
a request that stands for another one does not seem to wait [held]
    - newest.promise = promise;
a request that a callback may not return is not known [held]
    - return newest?.promise === promise ? newest : undefined;
    + return undefined;
the listener of a signal stays [mutex]
    - this.#signal.removeEventListener('abort', this.#listener);
a signal that is used again has no listener [mutex]
    - aborts.delete(this.#signal);
the first request to go takes what ends it from the others [fuzzer]
    - if (this.delete(request) && this.size === 0) {
    + if (this.delete(request)) {
a reader's request waits for a turn, so its section seems to wait for itself [awaited-loops]
    - const isReader = gate.alone && amount !== gate.alone && gate.mayNotAwait(amount);
    + const isReader = false;
a request that microtasks may serve lets no other work have its turn [awaited-loops]
    - queue.defer();
the end of requests ends none [request-queue]
    - #listener = () => schedule(this);
    + #listener = () => {};
of many requests that end together some do not end [mutex]
    - return this.size > 0;
    + return false;

=== js-glue/thread/event-loop.js [request-queue]
the callbacks of one thread follow each other for ever
    - burstEnd = environment.now() + BURST_MS;
    + burstEnd = Infinity;
the rest of a burst is not worked on [yielding]
    -     if (tasks.size > 0) {
    +     if (tasks.size < 0) {
the rest of a task is not worked on [yielding]
    - workOn(task); // at least one a turn
    + task.work();
only one turn begins
    - coming = undefined;

=== js-glue/thread/event-loop.js [awaited-loops]
calls that need not wait give no turn
    - return isDue;
    + return false;
the clock is read in each call
    - callsLeft = pace - 1;
    + callsLeft = 0;
the clock is read so seldom that sections that become long give no turn
    - const MOST_CALLS = 16;
    + const MOST_CALLS = 64;

=== js-glue/thread/event-loop.js [sweep]
turns of a hidden page are late
    - beginTurn(); // turns come by timers, too
alarms of a hidden page are late
    - ringAlarms(); // timers may be late
an entry that was refused counts as armed [request-queue]
    -     if (!entry.async) {
    -         return false;
    +     if (!entry.async) {
    +         return true;
the sweep does not look [missing-runtime-parts]
    - one.waiter.look(one.word);
there is one sweep only
    - isSweeping = armed.size > 0;
    + isSweeping = !isSweeping;
entries that nobody needs stay
    - environment.notify(one.place.words, one.place.index); // a wake is for all, so nobody is robbed of one

=== js-glue/waiting/queue.js [request-queue]
a queue that polls is not looked at
    -         this.#poll();
    -         this.look();
    +         this.#poll();
there is one poll only
    -         this.#poll();
    -         this.look();
    +         this.look();
polls are as frequent as ever though nothing changes [sweep]
    - this.#pause = Math.min(2 * this.#pause, hurries ? HURRIED_POLL_MS : LONGEST_POLL_MS);

=== js-glue/waiting/section.js [shared-signal]
an async callback that rejects keeps the lock
    -         section.leave();
    -         throw error;
    -     } finally {
    +         throw error;
    +     } finally {
an async callback keeps the lock
    -     end(section);
    -     return value;
    +     return value;
the lock is released while an async callback runs
    -         if (isThenable(result)) {
    -             checkIsForeign
    +         if (isThenable(result)) {
    +             section.leave();
    +             checkIsForeign
a thenable is no promise [request-queue]
    - typeof value?.then === 'function';
    + value instanceof Promise;
a request that was refused gets its lock [held]
    - request.queue.giveUp(request, error);

=== js-glue/waiting/phase.js [shared-signal]
a wait comes to nothing
    - () => value, undefined, wait, is
    + () => undefined, undefined, wait, is
a wait that blocks is over too early [condition]
    - wait(token, before, left), limit) === RESULT_OK;
    + wait(token, before, left), limit) !== RESULT_OK;

=== js-glue/thread/event-loop.js [missing-runtime-parts]
a document outside windows is one of a window that is gone
    -  && isIn(/Window/)

=== js-glue/debug/find.js [debug]
a writer of this thread may give up for all that is known
    - !writersBefore(waiter).some(isPatient);
    + true;
a writer of this thread never gives up
    - !writersBefore(waiter).some(isPatient);
    + writersBefore(waiter).length === 0;
permits have no owners
    -         isOwned(waiter) ||
    -         mayNotAwait(
    +         isOwned(waiter) &&
    +         mayNotAwait(
all permits have owners
    -         isOwned(waiter) ||
    -         mayNotAwait(
    +         true ||
    +         mayNotAwait(

=== js-glue/recursive-mutex.js [mutex-lost-locks]
a guard whose wait has lost the mutex releases that of a later one
    - if (this.isLost) {
    + if (this.isLost === undefined) {

=== js-glue/condition.js [condition]
a guard does not learn that its wait has lost a recursive mutex [mutex-lost-locks]
    - levelsOf.get(mutex)?.lose();
a wait that blocks does not say that it has ended without the mutex [mutex-lost-locks]
    - lose(mutexQueue, mutexQueue.section);
a wait does not say that it has ended without the mutex [mutex-lost-locks]
    - lose(mutexQueue, section);
a predicate may release the mutex that the wait then releases
    - this.#check(mutex); // which a predicate may have released
a predicate that has come true late is not asked
    - if (hasMutex && isTrue(predicate)) {
    + if (hasMutex && isTrue(() => false)) {

=== js-glue/rwlock.js [abandoned]
abandoned: unlock() ends a repair
    - if (queue && queue.holds) {
    + if (sections < 0) {
abandoned: a waiter for a writer never probes it
    - hasOwner: true,
    + hasOwner: false,

=== js-glue/thread/event-loop.js [alarms]
an alarm rings with an earlier one [request-queue]
    - if (time <= now) {
    + if (now) {
an alarm that has rung rings again
    -             alarms.delete(alarm);
    -             alarm.ring();
    +             alarm.ring();
an alarm that is earlier than all others rings with them
    - if (time < timer.time) {
    + if (alarms.size === 1) {
an alarm that was cleared rings
    - if (alarms.delete(alarm) && alarms.size === 0) {
    + if (alarms.size === 0) {
the timer of an alarm that was cleared runs on
    - if (alarms.delete(alarm) && alarms.size === 0) {
    + if (alarms.delete(alarm) && alarms.size < 0) {
there is no timer after the first alarm has rung [request-queue]
    -         } else {
    -             startTimer(time);
    -         }
    +         }

=== js-glue/waiting/holder.js [abandoned]
abandoned: a waiter never probes the holder
    - now - this.#first >= PROBE_AFTER_MS && this.isOther
    + false
abandoned: short waits begin to probe anew each time
    - if (!goesOn) {
    + if (!goesOn) {
    +             this.#first = now;
abandoned: the time of a holder begins again at each look
    -         if (holder !== this.known) {
    +         if (holder !== undefined) {
abandoned: the owner of an abandoned mutex has no name
    - slotOf(this.#attachment, owner & ~THREAD_MARK)
    + slotOf(this.#attachment, owner)
abandoned: an error names the one that repairs
    - owner & THREAD_MARK && slotOf(
    + owner && slotOf(

=== js-glue/waiting/holder.js [inspect]
a holder is known from before the lock was free
    - if (!goesOn) {
    + if (false) {

=== js-glue/waiting/recovery.js [abandoned]
abandoned: a mutex that was repaired is not good
    - section.left = 0;
abandoned: a repair that blocks may be async
    - return isThenable(result) ? result : recovered(section);
    + return recovered(section);
abandoned: a repair may wait for its own lock
    - checkIsForeign(section, result);
abandoned: recovering a mutex that is not abandoned keeps it
    - lock.exec(() => {});
    + /** @type {any} */ (lock).lock();

=== js-glue/waiting/queue.js [abandoned]
abandoned: a request that was late to take a lock over is granted
    - if (!first.left) {
    + if (first.left === undefined) {

=== js-glue/once.js [abandoned]
abandoned: each wait of a once has the whole limit
    - timeout: timeout - Math.floor(time - began)
    + timeout: timeout

=== js-glue/tc39.js [tc39-tokens]
a section may await a request for its own lock
    - if (asked && asked.lock.byteOffset === held.byteOffset && asked.lock.memory === held.memory) {
    + if (asked?.lock === null) {
only a request by the same object is its own lock's
    - if (asked && asked.lock.byteOffset === held.byteOffset && asked.lock.memory === held.memory) {
    + if (asked?.lock === held) {
a request that was met is still its lock's
    - requests.delete(promise);
a request that was refused runs its callback
    - if (asked.refusal) {
    + if (asked.lock === undefined) {
a token keeps the mutex that was not got again
    - token.unlock(); // the mutex was not got again, so this only empties it

=== js-glue/web-locks.js [web-locks-shared]
each request has a listener of its own
    - listeners.get(signal) ?? new AbortListener(signal)
    + new AbortListener(signal)
a signal keeps its listener when nobody waits
    - this.#signal.removeEventListener('abort', this.#end);

=== js-glue/once.js [abandoned]
abandoned: a once whose runner died is never done
    - if (this.isUsed || !isAbandoned(error)) {
    + if (true) {

=== js-glue/thread/presence.js [abandoned]
abandoned: a thread arms one entry only
    - presence.arm(FIRST_ENTRIES);
abandoned: a thread that was looked at arms no others
    - this.arm(MOST_ENTRIES);

=== js-glue/waiting/queue.js [request-queue]
requests behind a request do not go on [semaphore]
    -         if (!this.section) {
    -             this.goOn();
    +         if (this.section) {
    +             this.goOn();
a request that is given up never settles
    - request.reject(reason);
a wait that was granted at the last moment is rejected [shared-signal]
    -         if (isGranted) {
    +         if (!isGranted) {
the words are not told that a request was given up [condition]
    - !this.isFreed && this.gate.giveUp(request.ask);
    + false;
the next request counts as one that asks for the same [semaphore]
    - isFirst && this.first.ask !== request.ask && this.#word
    + false
one that is taken out stays behind the one before it [shared-signal]
    - previous.next = next;
the last one that is taken out stays the last [semaphore]
    - this.last = previous;
a second request is not found
    - this.last.next = request;
the process is kept alive when the wait is over [process-lifetime]
    - keepAliveNoMore();
a request that was taken out keeps its time limit [mutex]
    - request.endWait();
a request whose signal has aborted is granted all the same
    - const end = first.endedBy();
    + const end = undefined;
requests of a freed lock never settle [freed-locks]
    -         this.#reset();
    -         this.#stepSoon();
    +         this.#reset();
of many requests of a freed lock some never settle [yielding]
    -                 if (this.first) {
    -                     this.#stepSoon();
    -                 }
    -                 return;
    +                 return;
a freed lock is given up as if it were there [freed-locks]
    - if (hasWaited && !this.isFreed) {
    + if (hasWaited) {
steps that follow each other leave no turns to other work [yielding]
    - (isNew ? this.work() : schedule(this))
    + this.work()
the requests go on within the call that released
    - environment.soon(() => (isNew ? this.work() : schedule(this)));
    + this.work();
a section of the thread holds nobody up [mutex]
    - return !this.first && !this.holds && !this.isFreed;
    + return !this.first && !this.isFreed;
a section that lost the lock holds requests up [mutex-lost-locks]
    - if (this.section && !this.gate.isMine()) {
    + if (this.section === null) {
a section that lost the lock ends that of the next one [rwlock-unlock-refused]
    - this.forget(); // it has lost the lock
unlock() after a wait that ended without the lock says that it was not held [mutex-lost-locks]
    - const isLost = this.emptyUnlocks > 0 && (
    + const isLost = this.emptyUnlocks === 0 && (
unlock() after such a wait is forgiven again and again [mutex-lost-locks]
    - this.emptyUnlocks -= 1;
unlock() of a later lock() is taken for that of such a wait [mutex-lost-locks]
    -             this.gate.attachment.sections -= this.emptyUnlocks;
    -             this.emptyUnlocks = 0;
    +             this.gate.attachment.sections -= this.emptyUnlocks;
unlock() after such a wait ends the section of other code [mutex-lost-locks]
    - (this.section !== undefined || !this.gate.isMine())
    + !this.gate.isMine()
a wake that was lost is not noticed [sweep]
    - (hasChanged || (!word && this.#word === 'line'))
    + false
a thread that waits by its event loop does not probe the holder [abandoned]
    - this.gate.probe(this.#isShown);
patience has no end
    - this.#spurious === LATE_STEP_EVERY - 1;
    + false;

=== js-glue/waiting/request.js [timeouts]
a timeout of 0 waits
    - if (wait.timeout === 0 && !queue.isFreed) {
    + if (wait.timeout < 0) {
a request takes an abandoned mutex for its own [abandoned]
    - if (result === RESULT_ABANDONED && !left) {
    + if (result < 0) {

=== js-glue/waiting/section.js [mutex]
a callback that throws keeps the lock
    -     } catch (error) {
    -         section.leave();
    -         throw error;
    -     }
    -     end(section);
    -     return /** @type {T} */ (result);
    +     } catch (error) {
    +         throw error;
    +     }
    +     end(section);
    +     return /** @type {T} */ (result);
a section that waits for itself is not known [held]
    - request !== before && queue.gate.mayNotAwait(this.amount) ? request : undefined;
    + undefined;
of a section's own requests the last is the only one that is known [held]
    - while (request && request !== before
    + if (request && request !== before
a section that was released releases once more [held]
    - this.state = 'over';
a section whose wait has ended without the lock says that it was not held [mutex-lost-locks]
    - state === 'lost' ? undefined : lockError(
    + lockError(

=== js-glue/waiting/blocking.js [abandoned]
abandoned: a thread that blocks does not look
    - gate.holder?.probe(goesOn);

=== js-glue/waiting/gate.js [abandoned]
abandoned: a lock whose repair failed is good
    - if (left !== 0) {
    + if (left < 0) {
abandoned: a thread that only tries does not look
    - this.holder?.probe(false); // attempts may be seconds apart
abandoned: a try takes an abandoned mutex for one that is held
    - if (result === RESULT_ABANDONED) {
    + if (result < 0) {

=== js-glue/condition.js [condition]
a wait comes back without the mutex [shared-signal]
    - await lockAgain(mutexQueue, attachmentFor(mutex).self, section);
    + await undefined;
a predicate is asked where the mutex is not back
    - !mutexQueue.isFreed && exports.owned_is_by(offsetFor(mutex), self);
    + !mutexQueue.isFreed;
a wait that blocks does not release the mutex [primitives-threads]
    - exports.mutex_unlock(offsetFor(mutex), self);
a wait that blocks does not take the mutex again
    - goOnLocking(mutexQueue.gate, exports.mutex_lock_for_a_time(offsetFor(mutex), self));
a section that ended while it waited gets the lock again for ever
    - if (isOver) {
    + if (isOver === undefined) {

=== js-glue/memory/placed.js [collected]
the place of a collected lock is used again although a guard holds it
    - !isIdle || lasting
    + !isIdle
the place of a collected lock is used again although a request waits there
    - !isIdle || lasting
    + lasting
the place of a collected lock is used again although others may know it
    - } else if (!isKnown) {
    + } else {
a place that is used again has the words of the lock before
    - if (found.isNew) {
    + if (found.attachment === undefined) {
a default space that is full stays the only one
    - return placeIn(defaultSpace(true), shape);
    + return placeIn(defaultSpace(), shape);
no place of a collected lock is used again
    - spare.set(shape, found);
a constructor that throws leaves its place to the next one [primitives-construction]
    - given = undefined; // it may have thrown before it came to Placed
a constructor that makes another lock makes it at the same place [primitives-construction]
    - given = undefined; // it may make another one

=== js-glue/waiting/queue.js [freed-locks]
a lock that was freed leaves its queue to the next one
    - queues.delete(place);
`);
