/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Event } from '../../js-glue/index.js';
import { isMet, limitOf, timeoutOf } from '../support/limits.js';
import { Detector } from '../support/detector.js';
import { assertAtRest, restOf } from '../support/words.js';
import { blocksNow, fail, makeWords } from './play.js';

/** @param {Event} event @param {import('./games.js').Seat} seat */
async function waitFor(event, seat) {
    const { random } = seat;
    if (blocksNow(seat)) {
        return event.wait(random.chance(0.5) ? timeoutOf(random) : Infinity);
    }
    return isMet(() => event.waitAsync(limitOf(random)));
}

/* With an automatic event, each set releases one player. That player is alone until it sets the event for the
 * next. */

/** @typedef {{ handle: any, pair: SharedArrayBuffer, rest: number[] }} AutoTable */

/** @type {import('./games.js').Game<AutoTable>} */
export const autoEvent = {
    name: 'auto-reset event',
    lay(space) {
        const event = new Event({ space, autoReset: true });
        event.set();
        return { handle: event.handle, pair: new SharedArrayBuffer(Detector.BYTES), rest: restOf(event) };
    },
    objects: ({ handle }) => [Event.from(handle)],
    async play({ handle, pair }, seat) {
        const event = Event.from(handle);
        const detector = new Detector(pair, 0);
        for (let turn = 0; turn < seat.turns; turn += 1) {
            while (!(await waitFor(event, seat))) {
                // The wait's time was up.
            }
            detector.begin(0);
            await (seat.blocks ? undefined : Promise.resolve());
            detector.end();
            if (detector.torn !== 0) {
                fail('one set released two waiters');
            }
            event.set();
        }
    },
    judge({ handle, pair, rest }, { seats, turns }) {
        const { total } = new Detector(pair, 0);
        if (total !== seats * turns) {
            fail(`${seats * turns} were released, but ${total} are counted`);
        }
        assertAtRest(Event.from(handle), rest);
    },
};

/* The first player leads: it sets one of two manual events, and all others pass it and wait for the other
 * event. The last player to pass reports that. */

/**
 * @typedef {object} ManualTable
 * @property {any[]} doors
 * @property {any} told
 * @property {Int32Array} words has one count: the players that have come through the open door
 * @property {number[]} rest
 */

/** @param {ManualTable} table @param {import('./games.js').Seat} seat @param {Event[]} doors */
async function lead({ told, words }, seat, doors) {
    const done = Event.from(told);
    for (let turn = 0; turn < seat.turns; turn += 1) {
        Atomics.store(words, 0, 0);
        doors[(turn + 1) % doors.length]?.reset();
        doors[turn % doors.length]?.set();
        while (!(await waitFor(done, seat))) {
            // The wait's time was up.
        }
        done.reset();
    }
    doors.forEach((door) => door.reset());
}

/** @param {ManualTable} table @param {import('./games.js').Seat} seat @param {Event[]} doors @param {number} others */
async function follow({ told, words }, seat, doors, others) {
    for (let turn = 0; turn < seat.turns; turn += 1) {
        while (!(await waitFor(/** @type {Event} */ (doors[turn % doors.length]), seat))) {
            // The wait's time was up.
        }
        const through = Atomics.add(words, 0, 1) + 1;
        if (through > others) {
            fail(`${through} of ${others} passed an event`);
        }
        if (through === others) {
            Event.from(told).set();
        }
    }
}

/** @type {import('./games.js').Game<ManualTable & { others: number }>} */
export const manualEvent = {
    name: 'manual-reset event',
    lay(space, { seats }) {
        const made = [new Event({ space }), new Event({ space }), new Event({ space })];
        const [told, ...doors] = made.map(({ handle }) => handle);
        return {
            doors,
            told,
            words: makeWords(1),
            others: seats - 1,
            rest: restOf(/** @type {Event} */ (made[0])),
        };
    },
    objects: ({ doors, told }) => [...doors, told].map((handle) => Event.from(handle)),
    async play(table, seat) {
        const doors = table.doors.map((handle) => Event.from(handle));
        await (seat.index === 0 ? lead(table, seat, doors) : follow(table, seat, doors, table.others));
    },
    judge(table) {
        manualEvent.objects(table).forEach((event) => assertAtRest(event, table.rest));
    },
};
