/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { SOURCE_MUTANTS } from './mutants.js';

/* The mistakes of other lists that a mutex of any number of threads (models/any-number/) is tried on. */

/** @type {import('./mutants.js').SourceMutant[]} */
export const ANY_NUMBER_MUTANTS = SOURCE_MUTANTS.filter(({ file }) =>
    [
        'c-src/gate_word.h',
        'c-src/gate_async.h',
        'c-src/gate.c',
        'c-src/gate_block.c',
        'c-src/mutex.c',
    ].includes(file),
);

/** Reported, and a few threads do it: by the same check, or so that the explorer finds it. */
const REPORTED = [
    'a thread that watched a reservation takes the lock even while it is held',
    'a thread passes although there is no room',
    'an open gate lets no thread in that wants more than it has',
    'any reservation may be taken away',
    'the heir does not know its own slot',
    'threads pass by an heir',
    'two reservations for one thread have the same number',
    'a slot has the number of its reservation',
    'an heir that passes stays the heir',
    'a passing heir leaves its reservation to the next',
    'a woken sleeper does not answer for the others',
    'a blocking thread takes a slot over',
    'a release wakes no sleeper',
    'a release does not wake the heir',
    'wakes are for the word as it is now',
    'a release reserves for nobody',
    'a gate that opens for anybody keeps its flags',
    'a slot is claimed that another thread has',
    'a blocked thread never claims the slot of the heir',
    'a sleeper sets no flag',
    'a blocked thread waits for the word as it was before it set its flag',
    'the heir waits for its slot as it was before it claimed it',
    'a try reserves a slot at once',
    'a step takes the lock though another thread was faster',
    'more is given back than is in use',
    'anybody may unlock',
    'a release counts though another thread was faster',
    'unlock wakes before it releases',
    'a release says that it released what it did not',
    'a withdrawing thread wakes nobody',
    'a passing thread wakes nobody',
    'a spin before the first sleep passes by an heir',
    'a spin before the first sleep takes a lock that is held',
    'a spin before the first sleep takes the lock though another thread was faster',
    'a thread that waits on spins as long as one that has just come',
    'a blocked thread waits for the word as it is when it falls asleep',
    'a reservation counts as outlasted when its watcher was woken',
    'a reservation counts as outlasted when the time of the caller was up',
    'a blocked thread never loses its patience',
    'no limit of the caller is taken for one that has passed',
    'a watched reservation is taken for a count of slices',
    'lock returns after its first sleep',
    'a try does not say for whom the gate is reserved',
    'the owner of a mutex waits for itself',
    'a try of a mutex tells the wrong result',
    'unlock says that it released a mutex that it did not',
    'a withdrawing thread does not forward its wake',
    'a withdrawing thread forgets those that it was woken for',
    'a time limit that ends takes the lock as if nobody waited behind it',
    'a time limit that ends leaves the slot, the flag and the wake to nobody',
    'a withdrawing heir keeps its slot',
    'a withdrawal counts though another thread was faster',
];

/** Reported with event loops beside the threads, and the explorer finds it with event loops. */
const WITH_LOOPS = [
    'the async wait list is never woken',
    'the async wait list is woken only if nobody has a reservation',
    'the async wait list is woken only if somebody has a reservation',
    'a release leaves the mark of a passing event loop',
    'an event loop on the async wait list does not set its flag',
    'a blocked thread naps while the gate is reserved, and watches nothing',
    'a flag counts as set though another thread was faster',
    'a withdrawing heir leaves an open gate with nobody awake',
    'the oldest waiter comes before nobody',
];

/** Mutants that are reported although no few threads show it, with the reason. @type {Record<string, string>} */
const SPURIOUS = {
    'a release wakes only one entry of the heir':
        'only the heir sleeps on the upper half, since a thread that loses the slot was woken by its reservation; to see it, one sleeper has to be told from two',
};

/** Blocking threads do otherwise, and nothing is reported. @type {{ reason: string, mutants: string[] }[]} */
const SILENT = [
    {
        reason: 'it takes event loops, deaths or amounts, which are not here, and with those the explorer finds it',
        mutants: [
            'a reservation is never taken away',
            'a passing heir leaves its kind to the next heir',
            'a loop that takes over a slot beside which there is room waits for its turn',
            'a step does not say which reservation to watch',
            'a passing thread forgets those that it was woken for',
            'a reservation is never found to have outlasted its time',
            'a gate has room only while nothing is in use',
            'the amount asked for does not count',
        ],
    },
    {
        reason: 'it is about event loops or amounts, which are not here',
        mutants: [
            'a blocking thread leaves the slot to the oldest async waiter',
            'a passing heir wakes nobody for the free slot',
            'a slot given back before its reservation wakes no other queue of its thread',
            'a passing blocking thread leaves the mark of an event loop',
            'the slot of a polling loop is watched as its reservation',
            'a step does not say that the reservation is for a polling loop',
            'a reservation of too little costs the slot',
            'a mutex has sleepers that want more than one',
        ],
    },
    {
        reason: 'a wake too many, or one in place of a flag, and any thread may be woken at any time here',
        mutants: [
            'a woken sleeper that passes does not set the flag again for the others',
            'a withdrawing thread does not set the flag for the others',
            'all sleepers are woken although one is enough',
            'a reservation for a blocked thread wakes all others too',
            'a thread that naps asks for a wake',
            'a withdrawing thread wakes others although it took no wake',
            'a withdrawing thread takes a full gate for open',
        ],
    },
    {
        reason: 'who comes first, when and for how long: any order and any time are tried here',
        mutants: [
            'a blocking thread forgets that it was the heir',
            'a blocking thread forgets after a while that it was the heir',
            'a thread that has lost a slot does not keep the next',
            'a blocked thread claims the slot at once',
            'a try does not say which slot to watch',
            'a withdrawing thread that watches leaves nobody who watches',
            'a time limit that ends takes a reservation away',
            'a wait whose time is up waits once more',
            'an awake heir spins for a free lock only',
            'an awake heir does not see its reservation',
            'a blocked thread loses its patience with its first wake',
            'a woken thread goes on with slices as long',
            'a thread that has slept for a slice has watched nobody',
            'an heir that has slept spins as long as one that has just come',
            'the two reservations are mixed up',
            'the two naps are mixed up',
            'a try never takes a reservation away',
        ],
    },
    {
        reason: 'it compares one half of the word with what the other has, so it does not sleep',
        mutants: ['the heir sleeps where the others sleep'],
    },
    {
        reason: 'they compare one half of the word with what the other has, so they do not sleep: while an event loop is busy they do not end, but they move',
        mutants: ['the others sleep where the heir sleeps'],
    },
    {
        reason: 'without that bit, the numbers of calls differ just as well',
        mutants: ['the first bit of an identity is not in the number of its reservation'],
    },
    {
        reason: 'two identities of JavaScript threads are together more than any capacity',
        mutants: ['a mutex lets two in'],
    },
];

/** Blocking threads do with a mutex what they do with the shipped module. */
const THE_SAME = [
    'the last of what there is cannot be taken',
    'one more than there is can be taken',
    'a watched slot may be taken as if it were reserved',
    'a reservation whose number looks like none counts as none',
    'a passing thread takes one permit only',
    'an event loop answers for sleepers',
    'a thread woken for room for several wakes no other',
    'a passing event loop leaves the free slot to event loops only',
    'a woken thread that passes wakes no sleeper',
    'a woken thread that passes while there is room does not wake the async wait list',
    'a passing heir does not wake the async wait list',
    'a passing heir wakes all sleepers if some want more than one',
    'a thread that passes with nobody behind it wakes others',
    'a woken thread passes as if nobody waited behind it',
    'a young event loop takes a slot over',
    'an old event loop takes no slot over',
    'the slot of an event loop is taken over',
    'a slot is taken over again and again',
    'a slot is taken over after its reservation',
    'a passing heir wakes a sleeper before the async wait list',
    'a napping thread does not claim the slot while event loops wait',
    'a thread passes in the slot of its own event loop',
    'a withdrawing thread takes the slot of its own event loop with it',
    'a step of an event loop gives up the reservation of its own thread',
    'a thread sleeps on the half that its own event loop waits on',
    'an event loop becomes the heir of a mutex that its own thread has',
    'an event loop claims no slot while the amount in use equals its identity',
    'a slot given back after its reservation wakes once more',
    'only one of the async wait list is woken',
    'one sleeper is woken although some want more than one',
    'sleepers that want more than one are not woken while another answers for them',
    'a thread that claims the slot after an event loop has passed does not keep it',
    'a thread that claims the slot of a late event loop keeps it',
    'a passing event loop leaves no mark',
    'a thread that passes at once leaves the mark of a passing event loop',
    'a reservation for an event loop keeps no sleeper awake',
    'a reservation for an event loop does not wake the async wait list',
    'a gate that opens for anybody forgets the async wait list',
    'a reservation of too little stays',
    'a thread that outlasted a reservation does not become the heir',
    'a slot is taken over with its reservation',
    'an event loop claims its slot as if it could block',
    'a thread without waitAsync claims its slot as if it had it',
    'an event loop says that it is on the async wait list before it is',
    'a sleeper that wants more than one does not say so',
    'a step does not say which slot to watch',
    'a watched slot is not reserved',
    'a watched slot has the shorter time to come',
    'a slot beside which there is room is reserved at once',
    'a slot is reserved that is not in the way',
    'a blocking thread watches the slot of its own event loop first',
    'a blocking thread reserves for its own event loop without room',
    'a thread that reserves a slot does not wake its heir',
    'there is room beside a slot only while nothing is in use',
    'a blocked thread watches a slot before its patience is over',
    'a slot is watched for as long as a reservation',
    'a try reserves no slot',
    'a try says that it has reserved a slot though another thread was faster',
    'a try that reserves a slot wakes nobody',
    'an amount of another thread may be given back',
    'every release opens the gate',
    'only the last release opens the gate',
    'a withdrawing thread takes a gate with an heir for open',
    'a withdrawing thread takes a gate that has room for some for full',
    'a withdrawing thread does not wake the async wait list',
    'an oldest waiter that gives up leaves the async wait list asleep',
    'an heir that gives up leaves the async wait list asleep',
    'the reservation of one of the first threads is taken for a count of slices',
    'the heir spins on a core that a thread inside waits for',
    'the oldest waiter comes before itself',
    'the oldest waiter comes before those of a higher age class',
    'a waiter of the same age class replaces the oldest',
    'an oldest waiter that was watched still comes first',
    'an oldest waiter is watched by its identity',
    'an oldest waiter that claims the slot stays the oldest',
    'a waiter that leaves takes the age class of another',
    'a polling loop is never the oldest waiter',
    'a loop that is not on the async wait list is the oldest waiter',
    'an event loop whose thread has the mutex is the oldest waiter',
    'a mutex of another thread may be unlocked',
    // With event loops, too: an oldest one may have gone at any time there. The explorer finds the word when all are done.
    'an oldest waiter that waits no longer stays the oldest',
];

/** @type {Record<string, readonly string[]>} */
const LISTS = {
    reported: REPORTED,
    'with loops': WITH_LOOPS,
    spurious: Object.keys(SPURIOUS),
    silent: SILENT.flatMap(({ mutants }) => mutants),
    'the same': THE_SAME,
};

/** All that are in a list. */
export const NAMED = Object.values(LISTS).flat();

/** @param {string} name of a mutant @returns {string | undefined} */
export function expectedOf(name) {
    return Object.keys(LISTS).find((list) => LISTS[list]?.includes(name));
}
