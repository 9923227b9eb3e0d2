/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { GATE_POLLED_RESERVATION_MS, RESULT_ABANDONED, RESULT_OK } from '../memory/layout.js';
import { environment } from '../thread/environment.js';
import {
    arm,
    clearAlarm,
    hasTimers,
    hasWaitAsync,
    keepAlive,
    keepAliveNoMore,
    setAlarm,
    tell,
    tellLater,
} from '../thread/event-loop.js';
import { AT_ONCE, MOST_REFUSALS, PATIENT_STEPS } from '../thread/times.js';
import { poll, pollNoMore } from './polling.js';

/* How a thread waits without blocking. Its requests for one lock stand in one queue, and run in the order made. The first
 * one steps: one attempt in C (`step` of a gate or a phase), which says
 *
 *   granted     the request runs
 *   abandoned   the holder has died: the request is rejected
 *   wait        on which word, for which value. The queue makes a waitAsync entry there, and steps again when woken
 *
 * Entries cannot be cancelled and outlive their wait, so there is at most one a word, and it is used again. A wake of these
 * words is for all that wait there: one that comes when nobody waits any more robs nobody.
 *
 * Until the running job has ended this thread is busy, and cannot take up what is reserved for it. So a queue whose first
 * request is new, or may go on after a section, steps when the job has ended. */

/**
 * @typedef {import('../thread/event-loop.js').Word} Word
 *
 * @typedef {object} Waitable what a queue waits for: a gate, a phase, or an object of a C program
 * @property {(ask: number, comesLate: boolean, inLine: boolean, watched: number, waited: number) => import('./outcome.js').Outcome} step
 *     `ask`: how much of a gate, or since when it waits; `watched`: what was in the way for a whole reservation
 * @property {() => void} withdraw this thread waits no longer
 * @property {(ask: number) => boolean} abandon a request waits no longer; whether it was granted at this last moment
 * @property {(word: Word) => { words: Int32Array, index: number }} locate
 * @property {(word: 'done' | Word) => number} look at the word by which a step decides to wait there
 * @property {(next: 'done' | Word) => boolean} hurries whether one that polls has to look soon
 * @property {() => boolean} isMine whether this thread holds it alone
 * @property {(goesOn: boolean) => void} show to others that this thread waits, and look whether the holder lives; `goesOn`: not
 *     for the first time in this wait
 * @property {() => void} hide
 */

/** The time that a queue gives to another thread's reservation. */
class Watch {
    isOn = true;

    /**
     * @param {Queue} queue
     * @param {number} watched
     * @param {number} time
     */
    constructor(queue, watched, time) {
        this.queue = queue;
        this.watched = watched;
        this.time = time;
    }

    ring() {
        tell(this);
    }

    hear() {
        if (this.isOn) {
            this.queue.outlast(this.watched);
        }
    }
}

/**
 * One thread's requests for one lock.
 *
 * @template {Waitable} [Target=any]
 */
export class Queue {
    /** @type {import('./pending.js').AnyRequest | undefined} */
    first;
    /** @type {import('./pending.js').AnyRequest | undefined} */
    #last;
    /** Holds the lock alone in this thread's name. Requests wait for its end. @type {import('./section.js').Section | undefined} */
    section;
    /** The lock was freed. One made later in its place has another queue. */
    isFreed = false;
    /** How many guards and async sections hold what it is for. */
    lasting = 0;
    /** How many calls of unlock() are to come that have nothing to release: a condition's wait has ended without the lock, and
     * said so. They count as sections do, so that the methods look here. */
    #lost = 0;
    /** True if it steps when the running job has ended, or in a later turn. */
    #isDue = false;
    /** True if other work of this thread has its turn before a request that is made now. */
    #rests = false;
    /** On which words an entry is pending. */
    #armed = { turn: false, line: false };
    /** The last step waits for this word; `done`: this thread has no place and no flag in the words. @type {'done' | Word} */
    #next = 'done';
    /** The value that this step saw in the word by which it decided. */
    #seen = 0;
    #isPolled = false;
    /** @type {Watch | undefined} */
    #watch;
    /** To whom it left the place, and since when; 0: nobody. */
    #senior = 0;
    #leftSince = 0;
    /** How many steps were in vain, modulo PATIENT_STEPS. */
    #inVain = 0;
    /** Since when this thread waits without having been served. */
    #since = 0;
    /** True if others may see that it waits. */
    #isShown = false;

    /** @param {Target} gate */
    constructor(gate) {
        this.gate = /** @type {Target & { attachment: any }} */ (gate);
    }

    /** True if a new request would be the first, and may be served at once. */
    get admits() {
        this.#forgetLost();
        return !this.first && !this.section && !this.#rests && !this.isFreed;
    }

    /** True if a section holds the lock. */
    get holds() {
        this.#forgetLost();
        return this.section !== undefined;
    }

    /** Other code of this thread may have released the lock. */
    #forgetLost() {
        if (this.section && !this.gate.isMine()) {
            this.forget();
        }
    }

    /** A section begins. @param {import('./section.js').Section} section with the lock held */
    begin(section) {
        this.forget(); // one that seems to last has lost the lock
        this.section = section;
        this.gate.attachment.sections += 1;
    }

    /** The section does not hold the lock any more. */
    forget() {
        const { section } = this;
        if (section) {
            this.section = undefined;
            section.holds = false;
            this.gate.attachment.sections -= 1;
            this.goOn();
        }
    }

    /** lock() has taken it, or a wait of its code: the next unlock() releases it. */
    takenByLock() {
        if (this.#lost > 0) {
            this.gate.attachment.sections -= this.#lost;
            this.#lost = 0;
        }
        this.forget();
    }

    /**
     * A condition's wait has ended without the lock.
     *
     * @param {import('./section.js').Section | undefined} section whose wait it was; lock() has made none
     */
    lose(section) {
        if (section !== undefined) {
            const isHere = section === this.section; // its thread was blocked
            section.isLost = isHere || section.isSuspended;
            section.isSuspended = false;
            if (isHere) {
                this.forget();
            }
        } else if (!this.isFreed) {
            this.gate.attachment.sections += 1;
            this.#lost += 1;
        }
    }

    get hasLost() {
        return this.#lost > 0;
    }

    /** For unlock(): whether it is that of code whose wait has ended without the lock. */
    takesLoss() {
        const isLost = this.#lost > 0 && (this.section !== undefined || !this.gate.isMine());
        if (isLost) {
            this.gate.attachment.sections -= 1;
            this.#lost -= 1;
        }
        return isLost;
    }

    /** @param {import('./pending.js').AnyRequest} request waits from now on */
    add(request) {
        request.previous = this.#last;
        if (this.#last) {
            this.#last.next = request;
        } else {
            this.first = request;
            this.#since = environment.now();
        }
        this.#last = request;
        keepAlive();
        request.watch();
        if (this.#next === 'done' && !this.section) {
            this.#stepSoon(true);
        }
    }

    /** @param {import('./pending.js').AnyRequest} request waits no longer */
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
            this.#last = previous;
        }
        request.previous = request.next = undefined; // a promise that is kept keeps no other requests
        request.waits = false;
        keepAliveNoMore();
        request.endWait();
    }

    /**
     * A request's time is up, or its signal has aborted.
     *
     * @param {import('./pending.js').AnyRequest} request
     * @param {unknown} reason
     * @returns {boolean} whether it was granted at this last moment
     */
    giveUp(request, reason) {
        if (!request.waits) {
            return false;
        }
        const isFirst = request === this.first;
        this.#remove(request);
        const isGranted = !this.isFreed && this.gate.abandon(request.ask);
        if (!this.first) {
            this.#leaveWords();
        } else if (isFirst && this.first.ask !== request.ask && this.#next !== 'done') {
            this.#stepSoon(); // the next one may find what it asks for
        }
        if (isGranted) {
            request.run(RESULT_OK);
        } else {
            request.reject(reason);
        }
        return isGranted;
    }

    /** The lock was freed: the words are not touched again, and requests are rejected, in turns. */
    free() {
        this.isFreed = true;
        this.takenByLock();
        this.#reset();
        tell(this);
    }

    #rejectSome() {
        for (let left = AT_ONCE; left > 0 && this.first; left -= 1) {
            const { first } = this;
            this.#remove(first);
            first.reject(first.whyNoWait());
        }
        return this.first !== undefined;
    }

    /** The first request is held up no longer. It goes on, but not within this call. */
    goOn() {
        if (this.first && this.#next === 'done') {
            this.#stepSoon();
        }
    }

    /** @param {boolean} [isNew] the first request was just made; else it lets other work have its turn */
    #stepSoon(isNew = false) {
        if (!this.#isDue) {
            this.#isDue = true;
            environment.soon(() => (isNew ? this.hear() : tell(this)));
        }
    }

    /** A request that is made now waits for a turn of the event loop. */
    rest() {
        this.#rests = this.#isDue = true;
        tellLater(this);
    }

    /** @returns {boolean} whether it has to hear once more */
    hear() {
        if (this.isFreed) {
            return this.#rejectSome();
        }
        if (this.#isDue) {
            this.#step(0);
        }
        return false;
    }

    /** An entry was woken. @param {Word} word */
    woken(word) {
        this.#armed[word] = false;
        this.#tell();
    }

    #tell() {
        if (this.#next !== 'done' && !this.#isDue && !this.isFreed) {
            this.#isDue = true;
            tell(this);
        }
    }

    /** @param {number} watched what was in the way for its whole time */
    outlast(watched) {
        this.#watch = undefined;
        this.#step(watched);
    }

    /**
     * One attempt for the first request, and what follows from it.
     *
     * @param {number} outlasted what was watched for long enough to be passed by; 0: nothing
     */
    #step(outlasted) {
        this.#rests = this.#isDue = false;
        let watched = outlasted;
        for (let refusals = 0; ;) {
            const { first, gate } = this;
            if (!first || this.section || this.isFreed) {
                this.#leaveWords(); // nobody is to have a place
                return;
            }
            // A signal's listeners may not have run yet. In a window that is no more nobody would end a section.
            const end = hasTimers() ? first.endedBy() : { reason: first.whyNoWait() };
            if (end) {
                this.giveUp(first, end.reason);
                if (this.first) {
                    this.#stepSoon();
                }
                return;
            }
            const now = environment.now();
            if (watched === 0 && now - this.#leftSince >= GATE_POLLED_RESERVATION_MS) {
                watched = this.#senior; // its time counts on while others have the place
            }
            const comesLate = !hasWaitAsync() || this.#inVain === PATIENT_STEPS - 1;
            const before = gate.look('line');
            const outcome = gate.step(first.ask, comesLate, this.#armed.line, watched, now - this.#since);
            const { next, expected } = outcome;
            watched = 0;
            if (next === 'done') {
                this.#serve(first, expected, now);
                return;
            }
            this.#next = next;
            this.#seen = next === 'turn' ? expected : before;
            this.#inVain = (this.#inVain + 1) % PATIENT_STEPS;
            this.#watchFor(outcome, now);
            if (!hasWaitAsync() || this.#armed[next]) {
                return;
            }
            if (arm(this, next, gate.locate(next), expected)) {
                this.#armed[next] = true;
                if (next === 'turn') {
                    return;
                }
                // The entry comes first. The flag that announces it comes after it, by one more step.
            } else {
                refusals += 1;
                if (refusals === MOST_REFUSALS) {
                    this.#pollIf(true); // each step has found another word: a timer looks
                    return;
                }
            }
        }
    }

    /**
     * @param {import('./pending.js').AnyRequest} request the first one
     * @param {number} result RESULT_OK, or RESULT_ABANDONED
     * @param {number} now
     */
    #serve(request, result, now) {
        if (result === RESULT_ABANDONED) {
            this.#leaveWords();
        }
        this.#reset(request.next ? now : 0);
        this.#remove(request);
        request.run(result);
        if (!this.section) {
            this.goOn();
        }
    }

    /** Gives back this thread's place and flags. */
    #leaveWords() {
        const hasWaited = this.#next !== 'done';
        this.#reset(this.first ? this.#since : 0);
        if (hasWaited && !this.isFreed) {
            this.gate.withdraw();
        }
    }

    #reset(since = 0) {
        this.#stopWatch();
        this.#pollIf(false);
        this.#next = 'done';
        this.#seen = this.#senior = this.#leftSince = this.#inVain = 0;
        this.#since = since;
        if (this.#isShown) {
            this.#isShown = false;
            this.gate.hide();
        }
    }

    /** Only another thread's reservation or place, or the senior, is in the way: if it still is at the end, the next step names
     * it. @param {import('./outcome.js').Outcome} outcome @param {number} now */
    #watchFor({ watched, isSenior, reservation }, now) {
        if (isSenior && watched !== this.#senior) {
            this.#senior = watched;
            this.#leftSince = now;
        }
        if (watched !== (this.#watch ? this.#watch.watched : 0)) {
            this.#stopWatch();
            if (watched !== 0) {
                // A queue that polls looks at no other time.
                const most = hasWaitAsync() ? reservation : Math.min(reservation, GATE_POLLED_RESERVATION_MS);
                this.#watch = new Watch(this, watched, environment.now() + most);
                setAlarm(this.#watch);
            }
        }
        this.#pollIf(!hasWaitAsync() && watched === 0);
    }

    #stopWatch() {
        if (this.#watch) {
            clearAlarm(this.#watch);
            this.#watch.isOn = false;
            this.#watch = undefined;
        }
    }

    /** @param {boolean} polls whether a timer is to look */
    #pollIf(polls) {
        if (polls !== this.#isPolled) {
            this.#isPolled = polls;
            const change = polls ? poll : pollNoMore;
            change(this);
        }
    }

    /** True if one that polls has to look soon. */
    get hurries() {
        return this.gate.hurries(this.#next);
    }

    /** True if nobody needs its entries. */
    get isIdle() {
        return this.isFreed || (this.#next === 'done' && !this.#isDue);
    }

    /**
     * Looks, from time to time, whether a wake was lost: if so, it steps.
     *
     * @param {Word} [word] none: by timer, and then one in line always steps, since its word does not tell all
     * @returns {boolean} whether the word has changed
     */
    look(word) {
        if (this.#next === 'done') {
            return false;
        }
        this.gate.show(this.#isShown);
        this.#isShown = true;
        const hasChanged = this.gate.look(this.#next) !== this.#seen;
        const isAbout = word === undefined || word === this.#next;
        if ((isAbout && (hasChanged || (!word && this.#next === 'line'))) || !hasTimers()) {
            this.#tell();
        }
        return hasChanged;
    }
}
