/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    GATE_HURRIED_POLL_MS,
    GATE_POLLED_RESERVATION_MS,
    LATCH_ALIGN,
    RESULT_ABANDONED,
    RESULT_OK,
} from '../memory/layout.js';
import { environment } from '../thread/environment.js';
import {
    arm,
    clearAlarm,
    hasTimers,
    hasWaitAsync,
    keepAlive,
    keepAliveNoMore,
    schedule,
    setAlarm,
} from '../thread/event-loop.js';
import { LATE_STEP_EVERY, LONGEST_POLL_MS, MOST_REFUSALS, POLL_MS } from '../thread/times.js';
import { hooks } from './hooks.js';

/* How a thread waits without blocking. Its requests for one lock form one queue, and run in the order made.
 * The first one steps: it makes one attempt in C (`step` of a gate, or of a phase: the state that
 * waiters of a condition, an event, a latch or a barrier wait on), with one of three outcomes:
 *
 *   granted     the request runs
 *   abandoned   the holder has died: the request is rejected
 *   wait        on which word, for which value. The queue makes a waitAsync entry there, and steps again when woken
 *
 * The word is 'turn' for the heir, the waiter that is next and for which a released lock is reserved for a short
 * time, and 'line' for others (c-src/gate_word.h). A phase has one word.
 *
 * Entries cannot be cancelled and outlive their wait, so there is at most one for each word, and it is used
 * again. A wake of these words wakes all waiters, so no waiter loses a wake to an entry whose wait is over.
 *
 * thread/event-loop.js drives all queues of a thread. It calls work() in a burst (a few milliseconds of work, then
 * other tasks have their turn), woken() when an entry was woken, ring() when a watch ends or a poll is due, and look()
 * in a sweep (a check of all pending waits, about 20 times a second).
 *
 * While a job runs, this thread is busy and cannot take up a reservation. So if a queue's first request is
 * new, or a section has just ended, the step is made when the running job has ended.
 *
 * STATES of a queue: the word that it waits on, and whether a step is scheduled.
 *
 *   #word   #stepComes   meaning
 *   none    false        no request, or a section of this thread holds the lock. add() of a first request, or goOn()
 *                        after a section, schedules a step.
 *   none    true         the first request is to step: when the running job has ended, or in a later turn.
 *   set     false        waits on that word. wake() schedules a step after a wake, at the end of a watch, and when a sweep
 *                        sees another value than #seen. giveUp() schedules one if the next request asks for something
 *                        else. The end of the last request, and free(), unset the word.
 *   set     true         woken, or the first request has given up. The step comes in this burst (thread/event-loop.js), or
 *                        in a later turn.
 *
 * A step ends in one of: waits (#word set), served or nobody to serve (#word none). */

/**
 * @typedef {import('../memory/attachment.js').Attachment} Attachment
 * @typedef {import('../thread/event-loop.js').Word} Word
 * @typedef {object} Waitable what a queue waits for: a gate, a phase, or an object of a C program
 * @property {(ask: number, comesLate: boolean, isArmed: boolean, watched: number, waited: number) =>
 *     import('./outcome.js').Outcome} step `ask`: the amount for a gate, or when the wait began; `comesLate`: to ask
 *     for the long reservation; `isArmed`: an entry is pending on `line`; `watched`: what has blocked it for a whole
 *     reservation; `waited`: milliseconds
 * @property {(ask: number) => boolean} [tryNow] passes if that is possible at once; leaves nothing in the words
 * @property {() => void} withdraw this thread stops waiting
 * @property {(ask: number) => boolean} giveUp a request stops waiting; true if it was granted at the last moment
 * @property {(word: Word) => { words: Int32Array, index: number }} locate
 * @property {(word: Word) => number} read the word by which a step decides to wait there
 * @property {boolean} [reserves] whether it reserves its next turn for one thread for a short time
 * @property {() => boolean} isMine whether this thread holds it alone
 * @property {(goesOn: boolean) => void} probe checks whether the holder lives; `goesOn`: not the first probe of this
 *     wait
 */

/**
 * One thread's requests for one lock.
 * @template {Waitable} [Target=any]
 */
export class Queue {
    /** @type {import('./request.js').AnyRequest | undefined} */
    first;
    /** @type {import('./request.js').AnyRequest | undefined} */
    last;
    /**
     * The section that holds the lock alone, for this thread. Requests wait for its end.
     * @type {import('./section.js').Section | undefined}
     */
    section;
    /**
     * The queue's own section, in which one callback after another runs: a new one for each would cost the garbage
     * collector time. Unset once other code may keep it.
     * @type {import('./section.js').Section | undefined}
     */
    own;
    /** True if the lock was freed. A later lock at that place has another queue. */
    isFreed = false;
    /**
     * How many guards and async sections hold the lock, or permits. While there are some, its place is not used again
     * (memory/placed.js).
     */
    lasting = 0;
    /**
     * Waits of conditions after lock() that have ended without the mutex: for each, the caller's unlock() has nothing
     * to release. Each counts in `attachment.sections`, so that unlock() asks this queue.
     */
    emptyUnlocks = 0;
    /** See STATES. */
    #stepComes = false;
    /** See STATES. @type {Word | undefined} */
    #word;
    /** The value that the last step saw in the word that decided its wait. */
    #seen = 0;
    /** The words on which an entry is pending. */
    #armed = { turn: false, line: false };
    /** The number (outcome.js) of the obstacle that this thread watches; 0: none. */
    #watched = 0;
    /** The number that was watched for its whole time: the next step may pass ahead of it; 0: none. */
    #outlasted = 0;
    /** The pause before the next poll: short at first, longer while nothing changes. */
    #pause = POLL_MS;
    /** The oldest async waiter, to which this thread leaves the slot, and since when; 0: none. */
    #oldest = 0;
    #leftSince = 0;
    /**
     * Steps that did not pass, modulo LATE_STEP_EVERY. The last of each cycle asks for the long reservation: this thread may
     * be too late for the short one.
     */
    #spurious = 0;
    /** The time from which this thread has waited unserved; 0: it has not tried since it was served. */
    #since = 0;
    /** True once the slot of this thread shows the wait. */
    #isShown = false;

    /**
     * @param {Target} gate of a lock; a phase of a condition, an event, a latch or a barrier; or an object of a C
     *     program
     */
    constructor(gate) {
        this.gate = /** @type {Target & { attachment: any, place: number }} */ (gate);
    }

    /** True if a new request would be the first, and may be served at once. */
    get admits() {
        return !this.first && !(this.section && this.holds) && !this.isFreed;
    }

    /** The section that holds the lock. Forgets one whose lock other code of this thread has released. */
    get holds() {
        if (this.section && !this.gate.isMine()) {
            this.forget();
        }
        return this.section;
    }

    /** Notes the begin of a section. @param {import('./section.js').Section} section with the lock held */
    begin(section) {
        this.forget(); // the old section has lost the lock
        this.section = section;
        this.gate.attachment.sections += 1;
    }

    /** Notes that the section has ended. */
    end() {
        this.section = undefined;
        this.gate.attachment.sections -= 1;
        this.goOn();
    }

    /** Notes that the section, whose code may go on, no longer holds the lock. */
    forget() {
        if (this.section) {
            this.section.state = 'over';
            this.own = undefined;
            this.end();
        }
    }

    /**
     * Notes a hold by lock(), or by a condition's wait after lock(): no section releases it, the next unlock() does.
     */
    takenByLock() {
        this.gate.attachment.sections -= this.emptyUnlocks;
        this.emptyUnlocks = 0;
        this.forget();
    }

    /** For unlock(): returns true once for each wait of its caller that has ended without the lock. */
    takesLoss() {
        const isLost = this.emptyUnlocks && (this.section || !this.gate.isMine());
        if (isLost) {
            this.gate.attachment.sections -= 1;
            this.emptyUnlocks -= 1;
        }
        return isLost;
    }

    /**
     * @param {import('./request.js').AnyRequest} request begins to wait
     * @param {boolean} [isDue] other work of this thread has its turn first (isTurnDue)
     */
    add(request, isDue = false) {
        request.previous = this.last;
        if (this.last) {
            this.last.next = request;
        } else {
            this.first = request;
            this.#since = environment.now();
        }
        this.last = request;
        keepAlive();
        request.watch();
        this.goOn(!isDue);
    }

    /** @param {import('./request.js').AnyRequest} request stops waiting */
    #remove(request) {
        const { previous, next } = request;
        if (previous) {
            previous.next = next;
        } else {
            this.first = next;
        }
        if (next) {
            next.previous = previous;
        } else {
            this.last = previous;
        }
        request.previous = request.next = undefined; // unlink, so that a retained promise retains no other requests
        request.waits = false;
        keepAliveNoMore();
        request.endWait();
    }

    /**
     * A request's time is up, or its signal has aborted.
     * @param {import('./request.js').AnyRequest} request
     * @param {unknown} reason
     * @returns {boolean} whether it was granted at the last moment
     */
    giveUp(request, reason) {
        if (!request.waits) {
            return false;
        }
        const isFirst = request === this.first;
        this.#remove(request);
        const isGranted = !this.isFreed && this.gate.giveUp(request.ask);
        if (!this.first) {
            this.#leaveWords();
        } else if (isFirst && this.first.ask !== request.ask && this.#word) {
            this.#stepSoon(); // where the given-up request did not fit, the next one may
        }
        if (isGranted) {
            request.run(RESULT_OK);
        } else {
            request.reject(reason);
        }
        return isGranted;
    }

    /** The lock was freed: its words are not touched again, and requests are rejected, some in each turn. */
    free() {
        this.isFreed = true;
        this.takenByLock();
        this.#reset();
        this.#stepSoon();
    }

    /**
     * Schedules a step for the first request, unless that request waits already, or a section runs.
     * @param {boolean} [atOnce] as #stepSoon()
     */
    goOn(atOnce) {
        if (this.first && !this.#word && !this.section) {
            this.#stepSoon(atOnce);
        }
    }

    /** @param {boolean} [atOnce] as a microtask, even if the burst is over */
    #stepSoon(atOnce = false) {
        if (!this.#stepComes) {
            this.#stepComes = true;
            environment.soon(() => (atOnce ? this.work() : schedule(this)));
        }
    }

    /** Makes the step that was scheduled. */
    work() {
        if (this.#stepComes) {
            this.#step();
        }
    }

    /** Called when an entry was woken. @param {Word} word */
    woken(word) {
        this.#armed[word] = false;
        this.wake();
    }

    /** Steps again: the lock may be free, or the event set. */
    wake() {
        if (this.#word && !this.#stepComes) {
            this.#stepComes = true;
            schedule(this);
        }
    }

    /** Makes one attempt for the first request, and acts on the outcome. */
    #step() {
        this.#stepComes = false;
        for (let refusals = 0; refusals < MOST_REFUSALS;) {
            const { first, gate } = this;
            if (!first || this.section) {
                this.#leaveWords(); // a thread without requests keeps no slot
                return;
            }
            try {
                first.check();
            } catch (reason) {
                this.giveUp(first, reason);
                this.#stepSoon();
                return;
            }
            // No word shows the wait yet, so a failed try has nothing to give back. A served request takes a fifth less time by it.
            if (!this.#word && gate.tryNow?.(first.ask)) {
                this.#serve(RESULT_OK);
                return;
            }
            const now = environment.now();
            this.#since ||= now;
            // The waiting time of the oldest waiter continues while others have the slot.
            const isOld = now - this.#leftSince >= GATE_POLLED_RESERVATION_MS;
            const watched = this.#outlasted || (isOld ? this.#oldest : 0);
            this.#outlasted = 0;
            const comesLate = !hasWaitAsync() || this.#spurious === LATE_STEP_EVERY - 1;
            const before = gate.read('line');
            const outcome = gate.step(first.ask, comesLate, this.#armed.line, watched, now - this.#since);
            const { word, expected } = outcome;
            if (!word) {
                this.#serve(expected);
                return;
            }
            this.#word = word;
            // Another word decides a wait on `line`. Keep its value from before the step: the next sweep steps
            // if it has changed.
            this.#seen = word === 'turn' ? expected : before;
            this.#spurious = (this.#spurious + 1) % LATE_STEP_EVERY;
            this.#watchFor(outcome, now);
            if (!hasWaitAsync() || this.#armed[word]) {
                return;
            }
            if (arm(this, word, gate.locate(word), expected)) {
                this.#armed[word] = true;
                if (word === 'turn') {
                    return;
                }
                // The entry comes first. One more step sets the flag that tells other threads of the entry.
            } else {
                refusals += 1;
            }
        }
        // The word changed before each waitAsync, so no entry will wake this thread.
        if (this.#watched === 0) {
            this.#poll();
        }
    }

    /** Ends the wait of the first request. @param {number} result RESULT_OK, or RESULT_ABANDONED */
    #serve(result) {
        const request = /** @type {import('./request.js').AnyRequest} */ (this.first);
        if (result === RESULT_ABANDONED) {
            this.#leaveWords();
        }
        this.#reset();
        this.#remove(request);
        request.run(result);
        this.goOn();
    }

    /** Gives back this thread's slot and flags. */
    #leaveWords() {
        if (this.#word && !this.isFreed) {
            this.gate.withdraw();
        }
        this.#reset();
    }

    #reset() {
        this.#since = 0;
        if (!this.#word) {
            return; // only a wait sets the others
        }
        clearAlarm(this);
        this.#word = undefined;
        this.#seen = this.#watched = this.#outlasted = this.#oldest = this.#leftSince = this.#spurious = 0;
        this.#pause = POLL_MS;
        if (this.#isShown) {
            this.#isShown = false;
            hooks.asksNoMore?.(this.gate);
        }
    }

    /**
     * Watches the obstacle: another thread's reservation, or the oldest async waiter. If it is still there when the
     * watch ends, the next step passes its number to C. Polls if there is no obstacle and no entry would wake this
     * thread.
     * @param {import('./outcome.js').Outcome} outcome
     * @param {number} now
     */
    #watchFor({ watched, isOldest, reservation }, now) {
        const polls = !hasWaitAsync();
        if (isOldest && watched !== this.#oldest) {
            this.#oldest = watched;
            this.#leftSince = now;
        }
        if (watched === 0) {
            if (polls) {
                this.#poll();
            } else {
                clearAlarm(this);
            }
        } else if (watched !== this.#watched) {
            // A polling queue has no other wake-up, so cap the delay.
            const delay = polls ? Math.min(reservation, GATE_POLLED_RESERVATION_MS) : reservation;
            setAlarm(this, environment.now() + delay);
            this.#pause = POLL_MS;
        }
        this.#watched = watched;
    }

    /** Called when a watch ends, or when a poll is due. */
    ring() {
        if (this.#watched !== 0) {
            this.#outlasted = this.#watched;
            this.#watched = 0;
            this.wake();
            return;
        }
        // Poll fast as the heir, whose reservation is short, and while this thread holds the lock: it then
        // claims no slot, so no reservation waits for its next request.
        const hurries = (this.gate.reserves && this.#word === 'turn') || this.gate.isMine();
        this.#pause = Math.min(2 * this.#pause, hurries ? GATE_HURRIED_POLL_MS : LONGEST_POLL_MS);
        this.#poll();
        this.look();
    }

    /** Queues with the same pause are polled together. */
    #poll() {
        setAlarm(this, (Math.floor(environment.now() / this.#pause) + 1) * this.#pause);
    }

    /** True if no request needs the queue's entries. */
    get isIdle() {
        return this.isFreed || !(this.#word || this.#stepComes);
    }

    /**
     * Called from time to time. Steps if a wake was lost. The first call shows the wait to other threads and begins a
     * probe of the holder; later calls continue the probe.
     * @param {Word} [word] absent: called by a timer. Then a wait on `line` always steps, since its word does not
     *     show every change
     */
    look(word) {
        if (!this.#word) {
            return;
        }
        this.gate.probe(this.#isShown);
        hooks.asks?.(this.gate);
        this.#isShown = true;
        const hasChanged = this.gate.read(this.#word) !== this.#seen;
        if (hasChanged) {
            this.#pause = POLL_MS;
        }
        const isThisWord = word === undefined || word === this.#word;
        if ((isThisWord && (hasChanged || (!word && this.#word === 'line'))) || !hasTimers()) {
            this.wake();
        }
    }
}

/** Locks are at multiples of this. */
const LEAST_ALIGN = LATCH_ALIGN;

/**
 * Frees the queues of the locks in these bytes. Entries still pending there wake only these unused queues.
 * @param {Attachment} attachment
 * @param {number} begin
 * @param {number} end
 */
export function freeQueues({ queues }, begin, end) {
    for (let place = begin; place < end; place += LEAST_ALIGN) {
        const there = queues.get(place);
        queues.delete(place);
        there?.forEach((queue) => queue.free());
    }
}
