/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace } from '../../js-glue/index.js';
import { Member } from '../stress/member.js';
import { pending } from '../stress/ledger.js';
import { afterOtherTasks } from '../stress/locks-use.js';
import { within } from '../support/watchdog.js';
import { Objects } from './objects.js';
import { playThread } from './play-thread.js';
import { MOST_THREADS, SharedWords } from './shared-words.js';

/* Plays programs: makes their objects, runs their threads, ends waits without a limit, and judges. */

/** The interval at which waits without a limit are granted; the first time is after one interval. */
const MEET_MS = 25;
/** The time within which words must be at rest. */
const REST_MS = 1000;
/** An ended thread is gone within this time; Chromium lets a blocked one live for two seconds. */
const GONE_MS = 10_000;

/**
 * @typedef {object} Victim a thread that waits for something, and is ended then
 * @property {string} object
 * @property {string} code
 * @property {number | string} [stake] the amount that the referee holds of the object, so that the victim
 *     must wait
 * @property {boolean} [lasts] whether the referee holds it until all threads are done; else until the death
 * @property {boolean} [isBeside] whether the victim is ended while the others play
 * @property {number} [loses] how many messages may be lost with the victim
 * @property {number} after milliseconds for which it waits
 *
 * @typedef {object} Code of a program
 * @property {import('./objects.js').ObjectSpec[]} objects
 * @property {string[]} threads
 * @property {boolean} [firstIsHost] the first one is played by the referee's own thread, which never blocks
 * @property {boolean} [contexts]
 * @property {Victim[]} [victims]
 *
 * @typedef {import('./player.js').Failure} Failure
 */

export class Referee {
    /** @type {Member[]} */
    #members = [];
    /** @type {LockSpace[]} */
    #spaces = [];
    #startThread;

    /** @param {import('../stress/member.js').StartThread} startThread */
    constructor(startThread) {
        this.#startThread = startThread;
        this.#renew();
    }

    #renew() {
        this.#spaces = [new LockSpace({ pages: 4 }), new LockSpace({ pages: 4 })];
        this.#members = [];
    }

    /** @param {number} index */
    #member(index) {
        return (this.#members[index] ??= new Member(this.#startThread, true));
    }

    /** Ends all threads, wherever they hang. */
    async close() {
        const members = Object.values(this.#members);
        this.#renew();
        await Promise.all(members.map((member) => member.terminate()));
    }

    /**
     * @param {Code} code
     * @param {number} patience milliseconds that no wait of a program needs
     * @returns {Promise<Failure | undefined>} the first failure
     */
    async play(code, patience) {
        const objects = new Objects(code.objects, this.#spaces);
        const words = new SharedWords();
        const match = { code, objects, words, patience };
        let failures;
        try {
            failures = await this.#run(match);
        } catch (/** @type {any} */ error) {
            failures = [{ kind: error.kind ?? 'error', message: error.stack ?? String(error) }];
        }
        const [failure] = failures;
        if (failure) {
            failure.message += `\n${objects.describe()}`;
            await this.close();
        } else {
            objects.free();
        }
        return failure;
    }

    /**
     * @param {{ code: Code, objects: Objects, words: SharedWords, patience: number }} match
     * @returns {Promise<Failure[]>}
     */
    async #run(match) {
        const { code, objects, words, patience } = match;
        const { timers, listeners } = pending();
        const stakes = [];
        const dying = [];
        for (const [index, victim] of (code.victims ?? []).entries()) {
            const dies = this.#sacrifice(match, victim, MOST_THREADS - 1 + index);
            dying.push(dies);
            stakes.push(...(victim.isBeside ? [] : [await dies]));
        }
        const spoilt = code.objects.filter((spec) => spec.spoilt).map(({ name }) => name);
        const common = {
            handles: objects.handles,
            words: words.shared,
            mail: objects.mail.shared,
            contexts: code.contexts ?? false,
            spoilt,
        };
        const parts = code.threads.map((text, index) => {
            const isHost = code.firstIsHost === true && index === 0;
            const part = { ...common, index, mailer: index, code: text, isHost };
            return isHost ? playThread(part) : this.#member(index).ask('fuzz', part);
        });
        const meeting = setInterval(() => objects.meet(words), MEET_MS);
        let failures;
        try {
            failures = (await within(Promise.all(parts), 'the threads are done', [], patience)).flat();
            await Promise.all(dying);
        } catch (/** @type {any} */ error) {
            const pendings = code.threads.map(
                (_, index) => `thread ${index}: ${words.pendingOf(index).join(' ')}`,
            );
            const what = `${error.message.trim()}\nnot settled: ${pendings.join('; ')}`;
            return [{ kind: /not done within/.test(error.message) ? 'hang' : 'error', message: what }];
        } finally {
            clearInterval(meeting);
        }
        stakes.forEach((release) => release());
        await within(objects.rest(), 'the referee has left all barriers', [], patience);
        /** @type {Record<string, number>} */
        const mayBeLost = {};
        for (const { object, loses = 0 } of code.victims ?? []) {
            mayBeLost[object] = (mayBeLost[object] ?? 0) + loses;
        }
        const mail = await within(objects.wrongMail(mayBeLost), 'the channels are empty', [], patience);
        return [...failures, ...mail, ...(await this.#wrongAtRest(match, timers + listeners))];
    }

    /**
     * @param {{ code: Code, objects: Objects, words: SharedWords }} match
     * @param {number} before how many timers and listeners this thread had before
     */
    async #wrongAtRest({ code, objects, words }, before) {
        const end = performance.now() + REST_MS;
        for (;;) {
            const wrong = await objects.wrongAtRest(words, (code.victims ?? []).length > 0);
            const left = pending().timers + pending().listeners - before;
            if (left > 0) {
                wrong.push({ kind: 'left', message: `left behind: ${left} timers and listeners` });
            }
            if (wrong.length === 0 || performance.now() > end) {
                return wrong;
            }
            await afterOtherTasks();
        }
    }

    /**
     * Starts a thread that waits, and ends it during its wait.
     *
     * @param {{ objects: Objects }} match
     * @param {Victim} victim
     * @param {number} mailer
     * @returns {Promise<() => void>} releases the referee's stake
     */
    async #sacrifice({ objects }, { object, code, stake, lasts, isBeside, after }, mailer) {
        const release = take(objects.byName[object], stake);
        const thread = new Member(this.#startThread, true);
        const words = new SharedWords();
        const part = {
            index: 0,
            code,
            handles: objects.handles,
            words: words.shared,
            mail: objects.mail.shared,
            mailer,
            contexts: false,
            spoilt: [],
            isHost: false,
        };
        thread.ask('fuzz', part).catch(() => {});
        const end = performance.now() + GONE_MS;
        while (!(isBeside ? words.hasBegun(0) : words.pendingOf(0).length > 0) && performance.now() < end) {
            await afterOtherTasks();
        }
        await new Promise((resolve) => setTimeout(resolve, after));
        await within(thread.terminate(), 'a thread that was ended is gone', [], GONE_MS);
        if (lasts) {
            return release;
        }
        release();
        return () => {};
    }
}

/**
 * @param {any} object which no thread uses yet
 * @param {number | string | undefined} stake what the referee holds: a number of permits, or a mode; undefined:
 *     nothing
 * @returns {() => void} releases it
 */
function take(object, stake) {
    if (stake === undefined) {
        return () => {};
    }
    const taken =
        stake === 'shared'
            ? object.tryLockShared()
            : stake === 'exclusive'
              ? object.tryLock()
              : object.tryEnter({ permits: stake });
    if (!taken) {
        throw new Error('an object that nobody uses could not be acquired');
    }
    return () => {
        if (stake === 'shared') {
            object.unlockShared();
        } else if (stake === 'exclusive') {
            object.unlock();
        } else {
            object.leave(stake);
        }
    };
}
