/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RwLock } from '../../js-glue/index.js';
import { isMet, limitOf, timeoutOf } from '../support/limits.js';
import { assertFree } from '../support/words.js';
import { blocksNow, fail, makeWords } from './play.js';

/* Writers change two numbers one after the other, and readers see them equal. Some writers continue as
 * readers. */

/** The pair, without atomics; then how many readers and writers are inside, and how often it was written. */
const FIRST = 0;
const SECOND = 1;
const READERS = 2;
const WRITERS = 3;
const WRITTEN = 4;
const WORDS = 5;

/** @typedef {{ handle: any, words: Int32Array }} Table */
/** @typedef {{ begin: () => void, end: () => void, stay?: (downgrade: () => void) => void }} Section */

/** @param {Int32Array} words */
function checkPair(words) {
    if (words[FIRST] !== words[SECOND]) {
        fail(`the pair is ${words[FIRST]} and ${words[SECOND]}`);
    }
}

/** @param {Int32Array} words @param {number} who @param {number} others */
function enter(words, who, others) {
    const before = Atomics.add(words, who, 1);
    const there = Atomics.load(words, others) + (who === WRITERS ? before : 0);
    if (there !== 0) {
        fail(`${who === WRITERS ? 'a writer' : 'a reader'} got in with ${there} others`);
    }
    checkPair(words);
}

/** @type {(words: Int32Array) => Section} */
const reading = (words) => ({
    begin: () => enter(words, READERS, WRITERS),
    end() {
        checkPair(words);
        Atomics.sub(words, READERS, 1);
    },
});

/** @type {(words: Int32Array) => Section} */
const writing = (words) => ({
    begin() {
        enter(words, WRITERS, READERS);
        words[FIRST] = (words[FIRST] ?? 0) + 1;
    },
    end() {
        words[SECOND] = (words[SECOND] ?? 0) + 1;
        checkPair(words);
        Atomics.add(words, WRITTEN, 1);
        Atomics.sub(words, WRITERS, 1);
    },
    stay(downgrade) {
        const written = Atomics.load(words, WRITTEN);
        downgrade();
        const { begin, end } = reading(words);
        begin();
        if (Atomics.load(words, WRITTEN) !== written) {
            fail('a writer got in during a downgrade');
        }
        end();
    },
});

/**
 * Reads as the upgradable reader. Returns a function that checks, after the upgrade, that no thread has
 * written meanwhile.
 * @param {Int32Array} words
 */
function readFirst(words) {
    const written = Atomics.load(words, WRITTEN);
    const { begin, end } = reading(words);
    begin();
    end();
    return () => {
        if (Atomics.load(words, WRITTEN) !== written) {
            fail('a writer got in before an upgrade');
        }
        const { begin: beginWriting, end: endWriting } = writing(words);
        beginWriting();
        endWriting();
    };
}

/** @param {RwLock} lock @param {Int32Array} words @param {import('./games.js').Seat} seat */
function blockToDecide(lock, words, { random }) {
    if (random.chance(0.5)) {
        lock.lockUpgradable();
    } else if (!lock.tryLockUpgradable(random.chance(0.3) ? 0 : timeoutOf(random))) {
        return;
    }
    const write = readFirst(words);
    let upgrades = true;
    if (random.chance(0.5)) {
        lock.upgrade();
    } else {
        upgrades = lock.tryUpgrade(random.chance(0.3) ? 0 : timeoutOf(random));
    }
    if (upgrades) {
        write();
        lock.unlock();
    } else if (random.chance(0.5)) {
        lock.downgrade();
        lock.unlockShared();
    } else {
        lock.unlockUpgradable();
    }
}

/** @param {RwLock} lock @param {Int32Array} words @param {import('./games.js').Seat} seat */
async function waitToDecide(lock, words, { random }) {
    await isMet(async () => {
        const guard = await lock.acquireAsync({ mode: 'upgradable', ...limitOf(random) });
        const write = readFirst(words);
        if (await isMet(() => guard.upgradeAsync(limitOf(random)))) {
            write();
        }
        guard.release();
    });
}

/** @param {RwLock} lock @param {boolean} reads @param {Section} section @param {import('./games.js').Seat} seat */
function block(lock, reads, section, { random }) {
    const mode = reads ? 'shared' : 'exclusive';
    const whole = () => {
        section.begin();
        section.end();
    };
    switch (random.below(4)) {
        case 0:
            lock.exec(whole, { mode });
            return;
        case 1: {
            const guard = lock.acquire({ mode });
            whole();
            if (random.chance(0.5)) {
                section.stay?.(() => guard.downgrade());
            }
            guard.release();
            return;
        }
        case 2: {
            const timeout = random.chance(0.3) ? 0 : timeoutOf(random);
            if (!(reads ? lock.tryLockShared(timeout) : lock.tryLock(timeout))) {
                return;
            }
            break;
        }
        default:
            if (reads) {
                lock.lockShared();
            } else {
                lock.lock();
            }
    }
    whole();
    const stays = !reads && random.chance(0.5);
    if (stays) {
        section.stay?.(() => lock.downgrade());
    }
    if (reads || stays) {
        lock.unlockShared();
    } else {
        lock.unlock();
    }
}

/** @param {RwLock} lock @param {boolean} reads @param {Section} section @param {import('./games.js').Seat} seat */
async function wait(lock, reads, section, { random, sharesThread }) {
    const options = /** @type {const} */ ({ mode: reads ? 'shared' : 'exclusive', ...limitOf(random) });
    const short = () => {
        section.begin();
        section.end();
    };
    const whole = async () => {
        section.begin();
        await undefined;
        section.end();
    };
    await isMet(async () => {
        if (sharesThread) {
            await lock.execAsync(short, options);
        } else if (random.chance(0.5)) {
            await lock.execAsync(whole, options);
        } else {
            const guard = await lock.acquireAsync(options);
            await whole();
            if (random.chance(0.5)) {
                section.stay?.(() => guard.downgrade());
                await undefined;
            }
            guard.release();
        }
    });
}

/** @type {import('./games.js').Game<Table>} */
export const rwlock = {
    name: 'rwlock',
    mixes: true,
    lay: (space) => ({ handle: new RwLock({ space }).handle, words: makeWords(WORDS) }),
    objects: ({ handle }) => [RwLock.from(handle)],
    async play({ handle, words }, seat) {
        const lock = RwLock.from(handle);
        for (let turn = 0; turn < seat.turns; turn += 1) {
            const reads = seat.random.chance(0.7);
            const section = reads ? reading(words) : writing(words);
            const blocks = blocksNow(seat);
            if (!seat.sharesThread && seat.random.chance(0.2)) {
                await (blocks ? blockToDecide : waitToDecide)(lock, words, seat);
            } else {
                await (blocks ? block : wait)(lock, reads, section, seat);
            }
        }
    },
    judge({ handle, words }) {
        if (words[FIRST] !== words[WRITTEN] || words[SECOND] !== words[WRITTEN]) {
            fail(`${words[WRITTEN]} writes left ${words[FIRST]} and ${words[SECOND]}`);
        }
        assertFree(RwLock.from(handle));
    },
};
