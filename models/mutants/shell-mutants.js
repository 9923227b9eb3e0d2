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
=== js-glue/waiting/decide.js [waiting-decisions]
a new request begins only while something holds it up
    - phase === 'idle' && !event.isHeldUp
    + phase === 'idle' && event.isHeldUp
the requests go on only while a section holds them up
    - return event.isHeldUp ? unchanged(state) :
    + return !event.isHeldUp ? unchanged(state) :
sections of one thread follow each other without its other work's turn
    - return event.isOver
    + return event.isOver === undefined
requests that rested do not go on
    - return phase === 'resting' || phase === 'changed' ?
    + return phase === 'changed' ?
a request that was met ends once more
    - return request.waits ? { state, actions: [{ type: 'end', request, reason }] } : unchanged(state);
    + return { state, actions: [{ type: 'end', request, reason }] };
a wait that was done at the last moment is rejected
    - [isMet ? { type: 'run', request } : {
    + [{
a next request that asks for something else does not look
    - const changes = isFirst && left === 'other'
    + const changes = !isFirst && left === 'other'
a next request that asks for something else has no job to look in
    - (changes ? [{ type: 'defer' }] : [])
    + ([])
the requests behind one that has failed do not go on
    - { type: 'end', request: first, reason }, { type: 'goOn' }],
    + { type: 'end', request: first, reason }],
a step that cannot be told of goes on for ever
    - if (first === undefined) {
    + if (first === null) {
an entry that could not be made counts as made
    - state[word] = false;
the requests of a freed lock never settle
    - [...stopTimers(state), { type: 'rejectAll' }]
    + stopTimers(state)

=== js-glue/waiting/wait-queue.js [request-queue]
the requests do not go on when their section is over
    -         if (this.waits) {
    -             this.hear({ type: 'released', waits: true
    +         if (!this.waits) {
    +             this.hear({ type: 'released', waits: true
the requests go on within the call that released
    - return void environment.soon(() => this.hear({ type: 'wentOn', isOver: isBurstOver() }));
    + return this.hear({ type: 'wentOn', isOver: isBurstOver() });
the requests do not begin again after a section that lost the lock [mutex-lost-locks]
    - this.#requested(false);
a request that is given up stays in the list
    -         this.#requests.remove(request);
    -         const next
    +         const next
a request that is given up never settles
    - return action.request.reject(action.reason);
    + return undefined;
the words are not told that a request was given up
    - isMet = this.#waitable.abandon?.(request.ask) === true;
    + isMet = false;
a queue whose last request was given up goes on waiting [sweep]
    - next === undefined ? 'none' :
    + next === undefined ? 'same' :
the next request counts as one that asks for the same [semaphore]
    - next.ask === request.ask ? 'same' : 'other'
    + 'same'
what came of an action is told after what callbacks brought about [throwing-signals]
    - next = outcome;
    + this.#events.push(outcome);
of two things that came of one event one is lost [throwing-signals]
    - this.#events.unshift(next);
a dispatch has no end
    -         } finally {
    -             this.#dispatching = false;
    -         }
    +         } finally {
    +             this.#dispatching = true;
    +         }
a thread that waits no longer does not withdraw
    - return this.#waitable.withdraw();
    + return undefined;
a request that is met stays in the list while it runs [timeouts]
    -                 const request = this.#requests.shift();
    +                 const request = /** @type {any} */ (this.#requests.first);
    +                 if (!this.isFreed) {
    +                     request.run();
    +                     this.#requests.shift();
    +                     return undefined;
    +                 }
a request whose lock its signal has freed is met [freed-locks]
    -                 if (this.isFreed) {
    -                     request.reject
    +                 if (this.isFreed === undefined) {
    +                     request.reject
a request whose lock its signal frees before its step takes the next one [freed-locks]
    -         if (this.isFreed || !hasTimers()) {
    +         if (!hasTimers()) {
the next request is not met after a section that ended at once [shared-signal]
    - return { type: 'released', waits: this.waits, isHeldUp: this.#mayNotGoOn() };
    + return undefined;
a signal that throws leaves its request in the list [throwing-signals]
    - this.#requests.drop(request); // first: a refused request must not wait, even if endWait() throws
a request that is refused waits where its listener cannot be taken away [throwing-signals]
    -                 this.#requests.drop(request); // first: a refused request must not wait, even if endWait() throws
    -                 request.endWait();
    +                 request.endWait();
    +                 this.#requests.drop(request);
the end of a watch is not heard [fuzzer]
    - isOn = true;
    + isOn = false;
an earlier request of another bundle does not come first [turns]
    - return this.isHeldUp || isBehind;
    + return this.isHeldUp;
another bundle is not told that its request is the first now [turns]
    - this.#standsBehind(); // who is first may go on
a freed lock keeps its place in the line of its thread [turns]
    - (this.isFreed ? undefined : this.#requests.first?.order)
    + this.#requests.first?.order

=== js-glue/thread/environment.js [request-queue]
a request that goes on runs what a program has put on promises
    - Reflect.set(resolved, 'constructor', undefined);

=== js-glue/thread/event-loop.js [yielding]
a turn that cannot be scheduled is waited for, for ever
    -         yieldToLoop(beginTurn); // which may throw: then the next news schedule it
    -         isScheduled = true;
    +         isScheduled = true;
    +         yieldToLoop(beginTurn);

=== js-glue/waiting/pending.js [turns]
the requests of one thread all have the same number
    - (all.asked += 1)
    + all.asked

=== js-glue/emscripten/lines.js [turns]
a queue whose request has ended keeps its place
    - line.delete(queue);
the one that asked last comes first
    - place.order < first.order
    + place.order > first.order
who is first is told of it by nobody
    - first.goOn();

=== js-glue/waiting/queue.js [freed-locks]
a lock that was freed leaves its queue to the next one
    - queues.delete(place); // first: the code of signals may make the next lock there
a lock leaves its queue to one that a signal's code makes as it is freed
    -         queues.delete(place); // first: the code of signals may make the next lock there
    -         there?.forEach((queue) => queue.free());
    +         there?.forEach((queue) => queue.free());
    +         queues.delete(place);

=== js-glue/waiting/queue.js [request-queue]
a request whose signal has aborted is met all the same
    - return signal && abortOf(signal);
    + return undefined;
a timeout of 0 waits [timeouts]
    - if (wait.timeout === 0) {
    + if (wait.timeout < 0) {

=== js-glue/waiting/pending.js [request-queue]
of many requests of a freed lock some never settle [yielding]
    - return this.first !== undefined;
    + return false;
the process is kept alive for ever
    - if (pending === Number(this.waits)) {
    + if (pending < 0) {
each request keeps the process alive by itself
    - if (pending === 0) {
    + if (pending >= 0) {
the process is kept alive once only [process-lifetime]
    - handle = undefined;
the process is not kept alive [shared-signal]
    - keepAlive();
the process is kept alive when the wait is over [process-lifetime]
    - pending -= 1;
a time limit stays when the wait is over [mutex]
    - this.#limit?.remove(/** @type {any} */ (this));
a request that was taken out seems to wait [throwing-signals]
    - request.waits = false;
a request that ends while it is taken out is taken out twice [throwing-signals]
    -         if (request.waits) {
    +         if (true) {
what cannot be ended is taken out all the same [throwing-signals]
    -         request.endWait();
    -         if (request.waits) {
    +         try {
    +             request.endWait();
    +         } catch (error) {
    +             this.drop(request);
    +             throw error;
    +         }
    +         if (request.waits) {
a request has no timeout
    - this.timeout !== Infinity) {
    + this.timeout === Infinity) {
one that is taken out stays behind the one before it [shared-signal]
    - previous.next = next;
the last one that is taken out stays the last
    - this.#last = previous;
one that is taken out stays before the one behind it
    - next.previous = previous;
a second request is not found
    - this.#last.next = request;

=== js-glue/waiting/request.js [request-queue]
a listener stays when the wait is over [throwing-signals]
    - this.#abort?.remove(this);
a request does not listen to its signal
    - this.#abort.add(this);
what a callback throws is lost [mutex]
    - this.reject(error);
    + this.#resolve(error);
a request that is over still seems to wait
    - this.#wait.request = undefined;
a traced request that is over still seems to wait
    - Stamp.set(promise, wait);
    + Stamp.set(promise, { request: wait.request });
a request that stands for another one does not seem to wait [abandoned]
    - Stamp.set(promise, wait);
a section that waits for itself is not known [mutex]
    - return #wait in Object(promise) ? promise.#wait : undefined;
    + return undefined;

=== js-glue/waiting/ends.js [throwing-signals]
a signal that has aborted while it was listened to is kept
    -         if (this.isOn) {
    -             aborts.set
    +         if (true) {
    +             aborts.set
an abort has no reason [request-queue]
    - return abortOf(this.#signal)?.reason;
    + return undefined;
what a program's timer throws as it is cleared keeps its request [throwing-signals]
    - throwLater(error); // a polyfill's: the requests end all the same
    + throw error;
the listener of a signal stays
    - this.#signal.removeEventListener('abort', this.#listener);
a signal that is used again has no listener [mutex]
    - aborts.delete(this.#signal);
the first request to go takes what ends it from the others [fuzzer]
    - if (this.#requests.delete(request) && this.#requests.size === 0) {
    + if (this.#requests.delete(request)) {
what ends several requests is looked at for ever
    + if (this.#requests.delete(request) && this.#requests.size < 0) {
what ends requests ends none [request-queue]
    -         this.#stopOnce();
    -         tell(this);
    +         this.#stopOnce();
an abort ends one request only [shared-signal]
    -             left -= 1;
    -             if (left === 0) {
    -                 break;
    -             }
    -         }
    -         return this.#requests.size > 0;
    +             break;
    +         }
    +         return false;
of many requests that end together some do not end [mutex]
    - return this.#requests.size > 0;
    + return false;
a time limit whose requests are all met stays set [mutex]
    - clearAlarm(this);
a time limit that was stopped is used again [timeouts]
    - limits.delete(this.time);
a limit by faked timers cannot be stopped [timeouts]
    - this.#timers.clearTimeout(this.#handle);

=== js-glue/thread/event-loop.js [request-queue]
the callbacks of one thread follow each other for ever
    - burstEnd = environment.now() + BURST_MS;
    + burstEnd = Infinity;
what is left after a burst is not heard
    -         if (news[heard]) {
    -             scheduleTurn();
    +         if (!news[heard]) {
    +             scheduleTurn();
what is to be told later is told never
    - news.push({ listener, event });
a listener that has more to do is forgotten [mutex]
    - news.splice(heard, 0, one);
only one turn begins
    -     isScheduled = false;
    -     try {
    +     try {

=== js-glue/thread/event-loop.js [sweep]
alarms of a hidden page are late
    - ringAlarms(); // whose timer may be late
a wake of an entry is not heard [request-queue]
    - tell(waiter, { type: 'woken', word });
an entry that was refused counts as armed [request-queue]
    -     if (!entry.async) {
    -         return false;
    +     if (!entry.async) {
    +         return true;
the sweep does not look [missing-runtime-parts]
    - one.waiter.look(one.word);
there is one sweep only
    -     isSweeping = armed.size > 0;
    -     if (!isSweeping) {
    +     isSweeping = true;
    +     if (armed.size === 0) {
entries that nobody needs stay
    - environment.notify(one.words, one.index); // a wake is for all, so nobody is robbed of one

=== js-glue/waiting/polling.js [request-queue]
a queue that polls is not looked at
    - waiting.add(queue);
there is one look by timer only
    -     alarm.time = 0;
    -     const before
    +     const before
the looks by timer go on when nobody waits
    - waiting.delete(queue);

=== js-glue/waiting/section.js [shared-signal]
a callback that throws keeps the lock [mutex]
    -     } catch (error) {
    -         section.leave();
    -         throw error;
    -     }
    -     end(section);
    -     section.recycle
    +     } catch (error) {
    +         throw error;
    +     }
    +     end(section);
    +     section.recycle
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
a callback that throws keeps the lock of a method that blocks [condition]
    -         section.leave();
    -         throw error; // and not that of the release
    +         throw error; // and not that of the release
a thenable is no promise [request-queue]
    - typeof value?.then === 'function';
    + value instanceof Promise;
a section that has not ended well is used again [condition]
    -     end(section);
    -     section.recycle?.();
    -     return /** @type {T} */ (result);
    +     section.recycle?.();
    +     end(section);
    +     return /** @type {T} */ (result);
the same of a method that blocks [condition]
    -     end(section);
    -     if (isThenable(result)) {
    +     section.recycle?.();
    +     end(section);
    +     if (isThenable(result)) {
a section is used again while its result is looked at [mutex-lost-locks]
    -     end(section);
    -     if (isThenable(result)) {
    +     end(section);
    +     section.recycle?.();
    +     if (isThenable(result)) {
a section that waits for its own request is not known [mutex]
    - if (held.awaits(promise)) {
    + if (held === undefined) {
a request that was refused gets its lock [held]
    - request.queue.giveUp(request, error);

=== js-glue/waiting/guard.js [mutex]
a guard releases again and again
    - this.#section = undefined;
a guard that lost its lock says nothing [request-queue]
    -         if (error !== undefined) {
    -             throw error;
    +         if (error === undefined) {
    +             throw error;

=== js-glue/waiting/gate-queue.js [semaphore]
a request passes those of its thread that were there before
    - this.admits &&
    + this !== undefined &&
a section gives back less than it took [shared-signal]
    - held.amount) === RESULT_OK;
    + 1) === RESULT_OK;
a section gives back twice
    -         const isDone = this.#leave(this.#byteOffset, held.amount) === RESULT_OK;
    -         held.holds = false;
    + const isDone = this.#leave(this.#byteOffset, held.amount) === RESULT_OK;
a try takes less than it was asked for
    - return this.#gate.pass(amount, limit) ||
    + return this.#gate.pass(1, limit) ||
a blocking wait that cannot pass at once does not wait
    - this.#gate.pass(amount, Infinity);

=== js-glue/waiting/mutex-queue.js [mutex-lost-locks]
a section whose wait has ended without the lock says that it was not held
    -             section.isLost = false;
    -             return undefined;
    +             section.isLost = false;
unlock() after such a wait says that it was not held
    - const isLost = this.#lost > 0 && (
    + const isLost = this.#lost < 0 && (
unlock() after such a wait is forgiven again and again
    - this.#lost -= 1;
unlock() of a later lock() is taken for that of such a wait
    -         this.#attachment.sections -= this.#lost; // as sections count, so that the methods look here
    -         this.#lost = 0;
unlock() after such a wait ends the section of other code
    - (this.section !== undefined || !this.isMine())
    + !this.isMine()
a section of the thread holds nobody up [mutex]
    - return this.section?.holdsUp === true;
    + return false;
the next request does not go on after a section [request-queue]
    -         if (this.waits && this.isHeldUp) {
    -             this.goOn();
    +         if (this.waits && !this.isHeldUp) {
    +             this.goOn();
two sections at a time are one
    -         this.spare = undefined;
whoever leaves releases the lock, though another one holds it [condition]
    - if (section === this.section) {
    + if (section !== undefined) {

=== js-glue/waiting/phase.js [shared-signal]
a wait that is given up does not end in the words
    - mustEnd === true && this.#endsWell(token)
    + mustEnd === undefined && this.#endsWell(token)
a wait that could not begin does not end in the words [condition]
    - if (mustEnd && this.#endsWell(token)) {
    + if (!mustEnd && this.#endsWell(token)) {
a wait comes to nothing
    - () => value, undefined, wait)
    + () => undefined, undefined, wait)
a wait that blocks is over too early [condition]
    - wait(token, before, left), limit) === RESULT_OK;
    + wait(token, before, left), limit) !== RESULT_OK;

=== js-glue/thread/event-loop.js [missing-runtime-parts]
a document outside windows is one of a window that is gone
    -  && isIn(/Window/)

=== js-glue/memory/placed.js [primitives-construction]
a subclass that keeps the place to itself makes a new lock
    - if (!place.isTaken) {
    + if (place === undefined) {

=== js-glue/errors.js [condition]
what a callback throws is looked at
    -     } catch {
    -         return false;
    -     }
    +     } finally {
    +         // As if it could not throw.
    +     }

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

=== js-glue/condition.js [condition]
a wait that blocks does not say that it has ended without the mutex [mutex-lost-locks]
    - holders.lose(holders.section);
a wait does not say that it has ended without the mutex [mutex-lost-locks]
    - holders.lose(section);
a predicate may release the mutex that the wait then releases
    - this.#check(mutex); // which a predicate may have released
a wait comes back without the mutex [shared-signal]
    - await lockAgain(holders, this.#attachment.self, section);
    + await undefined;
a predicate that has come true late is not asked
    - if (isBack && isTrue(predicate)) {
    + if (isBack && isTrue(() => false)) {
a predicate is asked where the mutex is not back
    - !holders.isFreed && exports.gate_is_mine(mutex.byteOffset, self);
    + !holders.isFreed;
a wait that blocks does not release the mutex [primitives-threads]
    - exports.mutex_unlock(mutex.byteOffset, self);
a section that goes on after a wait holds nothing [shared-signal]
    - holders.enter(section);
a section that ended while it waited gets the lock again for ever
    - if (!section.isSuspended) {
    + if (section.isSuspended === undefined) {
a wait that blocks does not take the mutex again
    - holders.goOnLocking(exports.mutex_lock(mutex.byteOffset, self));

=== js-glue/rwlock.js [abandoned]
abandoned: unlock() ends a repair
    - if (sections !== 0 && this.#queue().holds) {
    + if (sections < 0) {
abandoned: who waits for a writer never looks at it
    - hasOwner: true,
    + hasOwner: false,

=== js-glue/waiting/gate-queue.js [abandoned]
abandoned: a reader-writer lock whose repair failed is good
    - if (held.left !== 0) {
    + if (held.left < 0) {

=== js-glue/waiting/gate-queue.js [rwlock-unlock-refused]
unlock() releases what an exclusive section holds
    - if (section.amount === this.#attachment.self) {
    + if (section.left !== 0) {
a shared section is taken for an exclusive one
    - if (section.amount === this.#attachment.self) {
    + if (section.amount !== 0) {
a section that has lost the lock releases that of the next one
    - this.forget(); // that has lost the gate
what has lost the lock is thought to hold it once a blocking method has it
    -         this.#forgetLost();
    -         if (!this.#passesNow(amount)) {
    +         if (!this.#passesNow(amount)) {
what has lost the lock is thought to hold it once a method that tries has it
    -         this.#forgetLost();
    -         if (limit === 0) {
    +         if (limit === 0) {

=== js-glue/thread/event-loop.js [alarms]
an alarm rings with an earlier one [request-queue]
    - (first = alarms[0]) && first.time <= now;
    + (first = alarms[0]);
a long alarm rings at once [fuzzer]
    - Math.min(left, LONGEST_DELAY_MS)
    + left
alarms of one time ring in the wrong order
    - time <= alarm.time) + 1
    + time < alarm.time) + 1
an alarm that is earlier than all others rings with them
    -     alarms.splice(place, 0, alarm);
    -     if (place === 0) {
    +     alarms.splice(place, 0, alarm);
    +     if (alarms.length === 1) {
an alarm that was cleared rings
    - alarms.splice(place, 1);
the timer of an alarm that was cleared runs on
    -         alarms.splice(place, 1);
    -     }
    -     if (place === 0) {
    +         alarms.splice(place, 1);
    +     }
    +     if (place < -1) {
there is no timer after the first alarm has rung [request-queue]
    -         isRinging = false;

=== js-glue/waiting/holder.js [abandoned]
abandoned: who waits never looks at the holder
    - now - this.#first >= LOOK_AFTER_MS && this.isOther
    + false
abandoned: who waits for short times begins to ask anew each time
    - if (!goesOn) {
    + if (!goesOn) {
    +             this.#first = now;
abandoned: the time of a holder begins again at each look
    -         if (holder !== this.#known) {
    +         if (holder !== undefined) {
abandoned: the owner of an abandoned mutex has no name
    - slotOf(this.#attachment, owner & ~THREAD_MARK)
    + slotOf(this.#attachment, owner)
abandoned: an error names the one that repairs
    - owner & THREAD_MARK ? slotOf(
    + owner ? slotOf(

=== js-glue/waiting/gate.js [abandoned]
abandoned: a thread that blocks does not look
    - const look = () => this.lookAtHolder(looks++ > 0);
    + const look = () => undefined;
abandoned: a thread that only tries does not look
    -         this.lookAtHolder(false); // attempts may be seconds apart
    -         const inTheWay
    +         const inTheWay
abandoned: a request takes an abandoned mutex for its own
    - this.#checkResult(Number(outcome));
abandoned: a try takes an abandoned mutex for one that is held
    -         this.#checkResult(result);
    -         this.lookAtHolder(false);
    +         this.lookAtHolder(false);

=== js-glue/waiting/wait-queue.js [abandoned]
abandoned: a thread that waits by its event loop does not look
    - this.#waitable.lookAtHolder?.(this.#isShown)
    + undefined

=== js-glue/waiting/holder.js [inspect]
a holder is known from before the lock was free
    - if (!goesOn) {
    + if (false) {

=== js-glue/waiting/mutex-queue.js [abandoned]
abandoned: a mutex whose repair failed is good
    -         if (left !== 0) {
    -             exports.gate_abandon
    +         exports.mutex_unlock(this.#byteOffset, self);
    +         if (left < 0) {
    +             exports.gate_abandon

=== js-glue/waiting/recovery.js [abandoned]
abandoned: a repair is a section of a sound mutex, too
    - return section.left !== 0;
    + return true;
abandoned: each wait of recoverAsync() has the whole limit
    - timeout: timeout - Math.floor(time - began)
    + timeout: timeout
abandoned: a mutex that was repaired is not good
    - section.left = 0;
abandoned: what a repair that blocks has refused rejects once more
    - return isThenable(result) ? result : recovered(section);
    + return afterRepair(section, result);
abandoned: a repair may wait for its own lock
    -         checkIsForeign(section, result);
    -         return recoveredBy
    +         return recoveredBy
abandoned: who recovers a mutex that is not abandoned keeps it
    - lock.exec(() => {});
    + /** @type {any} */ (lock).lock();

=== js-glue/tc39.js [tc39-tokens]
a section may await a request for its own lock
    - if (asked && asked.lock.byteOffset === held.byteOffset && asked.lock.memory === held.memory) {
    + if (asked?.lock === null) {
only a request by the same object is its own lock's
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
    - endings.get(signal) ?? new Ending(signal)
    + new Ending(signal)
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
`);
