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
    'who watched a reservation takes the lock also when it is held',
    'who comes by passes also when there is no room',
    'an open gate lets nobody in who wants more than it has',
    'any reservation may be taken away',
    'the successor does not know its own place',
    'nobody minds a successor',
    'two calls of one thread are the same',
    'a place has the number of its call',
    'who takes its turn stays the successor',
    'who passes leaves the call to the next',
    'a woken sleeper does not answer for the others',
    'a blocking thread takes a place over',
    'a release wakes no sleeper',
    'a release does not wake the successor',
    'wakes are for the word as it is now',
    'a release calls nobody',
    'a gate that opens for anybody keeps its flags',
    'a place is claimed that another has',
    'a blocked thread never claims the place of the successor',
    'a sleeper sets no flag',
    'a blocked thread waits for the word as it was before it set its flag',
    'the successor waits for its place as it was before it claimed it',
    'a try calls a place at once',
    'a step takes the lock though another thread was faster',
    'more is given back than is in use',
    'anybody may unlock',
    'a release counts though another thread was faster',
    'unlock wakes before it releases',
    'a release says that it released what it did not',
    'who withdraws wakes nobody',
    'who passes wakes nobody',
    'a look before the first sleep passes by a successor',
    'a look before the first sleep takes a lock that is held',
    'a look before the first sleep takes the lock though another thread was faster',
    'one that waits on looks as long as one that has just come',
    'a blocked thread waits for the word as it is when it falls asleep',
    'a reservation counts as outlasted when its watcher was woken',
    'a reservation counts as outlasted when the time of the caller was up',
    'a blocked thread never loses its patience',
    'no limit of the caller is taken for one that has passed',
    'a call that is watched is taken for a count of slices',
    'lock returns after its first sleep',
    'a try does not say whose call the gate is reserved by',
    'the owner of a mutex waits for itself',
    'a try of a mutex tells the wrong result',
    'unlock says that it released a mutex that it did not',
    'who withdraws does not pass its wake on',
    'who withdraws forgets those that it was woken for',
    'a time limit that ends takes the lock as if nobody waited behind it',
    'a time limit that ends leaves the place, the flag and the wake to nobody',
    'who withdraws keeps its place as successor',
    'a withdrawal counts though another thread was faster',
];

/** Reported with event loops beside the threads, and the explorer finds it with event loops. */
const WITH_LOOPS = [
    'nobody wakes the line',
    'the line is woken only if nobody is called',
    'the line is woken only if somebody is called',
    'a release leaves behind that an event loop had passed',
    'an event loop that stands in the line does not set its flag',
    'a blocked thread naps while the gate is reserved, and watches nothing',
    'a flag counts as set though another thread was faster',
    'a successor that withdraws leaves an open gate with nobody awake',
    'the senior comes before nobody',
];

/** Reported, but no few threads do it, each with the reason. @type {Record<string, string>} */
const SPURIOUS = {
    'a release wakes only one entry of the successor':
        'only the successor sleeps on the upper half, since who loses the place was woken by its call; to see it, one sleeper has to be told from two',
};

/** Blocking threads do otherwise, and nothing is reported. @type {{ reason: string, mutants: string[] }[]} */
const SILENT = [
    {
        reason: 'it takes event loops, deaths or amounts, which are not here, and with those the explorer finds it',
        mutants: [
            'a reservation is never taken away',
            'who passes leaves its kind to the next successor',
            'one that takes over a place beside which there is room waits for its turn',
            'a step does not say whose call to watch',
            'who passes forgets those that it was woken for',
            'a reservation is never found to have outlasted its time',
            'a gate has room only while nothing is in use',
            'what is asked for does not count',
        ],
    },
    {
        reason: 'it is about event loops or amounts, which are not here',
        mutants: [
            'a blocking thread leaves the place to the senior',
            'a successor that passes leaves the free place to whom is awake',
            'a place that is given back before its call wakes no other queue of its thread',
            'a blocking thread that passes says that it was an event loop',
            'a place of one that looks by timer is watched as its call',
            'a step does not say that the one who is called looks by timer',
            'a call that is not enough costs the place',
            'a mutex has sleepers that want more than one',
        ],
    },
    {
        reason: 'a wake too many, or one in place of a flag, and any thread may be woken at any time here',
        mutants: [
            'a woken sleeper that passes does not set the flag again for the others',
            'who withdraws does not set the flag for the others',
            'all sleepers are woken where one is enough',
            'a call of a blocked thread wakes all others too',
            'a thread that naps asks for a wake',
            'who withdraws wakes others also if it took no wake',
            'who withdraws takes a full gate for open',
        ],
    },
    {
        reason: 'who comes first, when and for how long: any order and any time are tried here',
        mutants: [
            'a blocking thread forgets that it was next',
            'a blocking thread forgets by and by that it was next',
            'one that has lost a place does not keep the next',
            'a blocked thread claims the place at once',
            'a try does not say which place to watch',
            'who withdraws while it watches leaves nobody who watches',
            'a time limit that ends takes a reservation away',
            'a wait whose time is up waits once more',
            'an awake successor looks for a free lock only',
            'an awake successor does not see its call',
            'a blocked thread loses its patience with its first wake',
            'one that was woken goes on with slices as long',
            'one that has slept for a slice has watched nobody',
            'a successor that has slept looks as long as one that has just come',
            'the two reservations are mixed up',
            'the two naps are mixed up',
            'a try never takes a reservation away',
        ],
    },
    {
        reason: 'it compares one half of the word with what the other has, so it does not sleep',
        mutants: ['the successor sleeps where the others sleep'],
    },
    {
        reason: 'they compare one half of the word with what the other has, so they do not sleep: while an event loop is busy they do not end, but they move',
        mutants: ['the others sleep where the successor sleeps'],
    },
    {
        reason: 'without that bit, the numbers of calls differ just as well',
        mutants: ['the first bit of an identity is not in the number of its call'],
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
    'a place that was watched may be taken as if it had been called',
    'a call that looks like nobody counts for nobody',
    'who passes takes one only',
    'an event loop answers for sleepers',
    'who was woken for room that is enough for several wakes no other',
    'an event loop that passes leaves the free place to event loops only',
    'who was woken and passes wakes none of those that sleep',
    'who was woken and passes while there is room does not wake the line',
    'a successor that passes does not wake the line',
    'a successor that passes wakes all sleepers where some want more than one',
    'who passes and nobody waits behind it wakes others all the same',
    'who was woken and passes behaves as if nobody waited behind it',
    'an event loop that has just come takes a place over',
    'an event loop that has waited for long enough takes no place over',
    'the place of an event loop is taken over',
    'a place is taken over again and again',
    'a place is taken over after its call',
    'a successor that passes wakes a sleeper before the line',
    'a thread that naps does not claim the place while event loops wait',
    'a thread passes in the place of its own event loop',
    'who withdraws takes the place of its own event loop with it',
    'a step of an event loop declines the call of its own thread',
    'a thread sleeps on the half that its own event loop waits on',
    'an event loop is next for the mutex that its own thread has',
    'an event loop claims no place while as much is in use as its identity says',
    'a place that is given back after its call wakes once more',
    'only one of the line is woken',
    'one sleeper is woken where some want more than one',
    'sleepers that want more than one are not woken while another answers for them',
    'one that claims the place after an event loop has passed does not keep it',
    'one that claims the place of an event loop that comes late keeps it',
    'an event loop that passes does not say so',
    'one that passes at once leaves it said that an event loop had passed',
    'a call of an event loop keeps no sleeper awake',
    'a call of an event loop does not wake the line',
    'a gate that opens for anybody forgets the line',
    'a call that is not enough stays',
    'one that watched a call for nothing does not become the next',
    'a place is taken over with its call',
    'an event loop claims its place as if it could block',
    'a thread without waitAsync claims its place as if it had it',
    'an event loop says that it stands in the line before it does',
    'a sleeper that wants more than one does not say so',
    'a step does not say which place to watch',
    'a place that was watched is not called',
    'a place that was watched has the shorter time to come',
    'a place beside which there is room is called at once',
    'a place is called that is not in the way',
    'a thread that blocks watches the place of its own event loop first',
    'a thread that blocks calls its own event loop for which there is no room',
    'who calls a place does not wake who has it',
    'there is room beside a place only while nothing is in use',
    'a blocked thread watches a place before its patience is over',
    'a place is watched for as long as a call',
    'a try calls no place',
    'a try says that it has called a place though another thread was faster',
    'a try that calls a place wakes nobody',
    'what is in use of somebody else may be given back',
    'every release opens the gate',
    'only the last release opens the gate',
    'who withdraws takes a gate with a successor for open',
    'who withdraws takes a gate that has room for some for full',
    'who withdraws does not wake the line',
    'a senior that gives up leaves the line asleep',
    'a successor that gives up leaves the line asleep',
    'the call of one of the first threads is taken for a count of slices',
    'the successor looks on a core that one of those inside waits for',
    'the senior comes before itself',
    'the senior comes before those that have waited longer',
    'one that has waited as long is the senior in its stead',
    'a senior that was watched still comes first',
    'a senior is watched by its identity',
    'a senior that claims the place stays the senior',
    'who waits no longer takes the rank of another',
    'who looks by timer is never the senior',
    'one that does not stand in line is the senior',
    'an event loop whose thread has the mutex is the senior',
    'a mutex of another thread may be unlocked',
    // With event loops, too: a senior may have gone at any time there. The explorer finds the word when all are done.
    'a senior that waits no longer stays the senior',
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
