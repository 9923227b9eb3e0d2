/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { BinarySemaphore, CountingSemaphore } from '../../js-glue/index.js';
import { isMet, limitOf, timeoutOf } from '../support/limits.js';
import { assertAtRest, restOf } from '../support/words.js';
import { blocksNow, fail, makeWords } from './play.js';

/* Each player takes some permits, once in each of its turns. At no time are more taken than exist, and at the
 * end all are returned. */

const MOST = 5;

/** @typedef {{ handle: any, max: number, taken: Int32Array, rest: number[] }} Table */

/** @param {Table} table */
function semaphoreOf({ handle }) {
    return handle.holdfast === BinarySemaphore.KIND
        ? BinarySemaphore.from(handle)
        : CountingSemaphore.from(handle);
}

/** @param {Table} table @param {number} permits */
function begin({ taken, max }, permits) {
    const now = Atomics.add(taken, 0, permits) + permits;
    if (now > max) {
        fail(`${now} of ${max} permits were taken`);
    }
}

/** @param {Table} table @param {number} permits */
function end({ taken }, permits) {
    Atomics.sub(taken, 0, permits);
}

/** @param {Table} table @param {import('./games.js').Seat} seat @param {number} permits */
function block(table, { random }, permits) {
    const semaphore = semaphoreOf(table);
    const section = () => {
        begin(table, permits);
        end(table, permits);
    };
    switch (random.below(3)) {
        case 0:
            semaphore.exec(section, { permits });
            return;
        case 1:
            if (!semaphore.tryEnter({ timeout: random.chance(0.3) ? 0 : timeoutOf(random), permits })) {
                return;
            }
            break;
        default:
            semaphore.enter({ permits });
    }
    section();
    semaphore.leave(permits);
}

/** @param {Table} table @param {import('./games.js').Seat} seat @param {number} permits */
async function wait(table, { random, sharesThread }, permits) {
    const semaphore = semaphoreOf(table);
    const options = { permits, ...limitOf(random) };
    const section = () => {
        begin(table, permits);
        end(table, permits);
    };
    const longSection = async () => {
        begin(table, permits);
        await undefined;
        end(table, permits);
    };
    if (sharesThread) {
        await isMet(() => semaphore.execAsync(section, options));
    } else if (random.chance(0.5)) {
        await isMet(() => semaphore.execAsync(longSection, options));
    } else if (await isMet(() => semaphore.enterAsync(options))) {
        await longSection();
        semaphore.leave(permits);
    }
}

/**
 * @param {string} name
 * @param {(space: import('./games.js').LockSpace, random: import('./games.js').Random) => BinarySemaphore | CountingSemaphore} make
 * @returns {import('./games.js').Game<Table>}
 */
const gameOf = (name, make) => ({
    name,
    mixes: true,
    lay(space, _, random) {
        const semaphore = make(space, random);
        const { handle, max } = semaphore;
        return { handle, max, taken: makeWords(1), rest: restOf(semaphore) };
    },
    objects: (table) => [semaphoreOf(table)],
    async play(table, seat) {
        const { random, turns } = seat;
        for (let turn = 0; turn < turns; turn += 1) {
            const permits = random.chance(0.8) ? 1 : 1 + random.below(table.max);
            await (blocksNow(seat) ? block(table, seat, permits) : wait(table, seat, permits));
        }
    },
    judge(table) {
        const semaphore = semaphoreOf(table);
        if (semaphore.value !== table.max) {
            fail(`${semaphore.value} of ${table.max} permits are free in the end`);
        }
        assertAtRest(semaphore, table.rest);
    },
});

export const binarySemaphore = gameOf('binary semaphore', (space) => new BinarySemaphore({ space }));
export const countingSemaphore = gameOf(
    'counting semaphore',
    (space, random) => new CountingSemaphore({ space, max: 2 + random.below(MOST - 1) }),
);
