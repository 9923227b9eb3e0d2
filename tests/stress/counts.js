/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Counts of one run. */

export function noCounts() {
    return {
        episodes: 0,
        terminations: { waiting: 0, notified: 0, busy: 0, between: 0, anywhere: 0, holding: 0, inside: 0 },
        /** The number of victims that became the heir, by a release, just as they were ended. */
        handedOver: 0,
        givenBack: 0,
        diedAsOwner: 0,
        /** The numbers of deaths in a section (once for each lock), of reports of a death, and of repairs. */
        diedInside: 0,
        told: 0,
        repairs: 0,
        /** The longest time for which a lock named a dead thread. */
        longestLeft: 0,
        /** The longest time that a thread lived on after it was ended. */
        longestEnd: 0,
        /** Locks whose words still named a dead thread at the end of an episode. */
        leftByTheDead: 0,
        longestGoOn: 0,
        sections: 0,
        ended: 0,
        locksMade: 0,
        addressesUsedAgain: 0,
        freedAtOnce: 0,
        abandonedEntries: 0,
        /** The resources still in use after the end. */
        left: { timers: 0, listeners: 0, entries: 0, handles: 0, bytes: 0 },
    };
}

/** @typedef {ReturnType<typeof noCounts>} Counts */

/** @param {Counts} counts */
export function terminationsIn({ terminations }) {
    return Object.values(terminations).reduce((sum, count) => sum + count, 0);
}

/** @param {Counts} counts */
export function deathsOfHolders({ diedInside, diedAsOwner }) {
    return diedInside + diedAsOwner;
}

/** @param {Counts} counts */
export function describeProgress(counts) {
    const deaths = `${terminationsIn(counts)} terminations, ${deathsOfHolders(counts)} of holders`;
    return `${counts.episodes} episodes, ${deaths}, ${counts.sections} sections`;
}

/** @param {Counts} counts */
export function describeCounts(counts) {
    const { terminations: ended, left } = counts;
    return `${describeProgress(counts)}, ${counts.ended} timeouts and aborts; no update lost
  ended while waiting for a held lock ${ended.waiting}, at its release ${ended.notified}, too busy to hear ${ended.busy}, between sections ${ended.between}, anywhere without the lock ${ended.anywhere}, staying in a section ${ended.holding}, somewhere in or behind one ${ended.inside}
  of these: the lock was handed over to the victim ${counts.handedOver}, got and given back ${counts.givenBack}, named in the words at the end ${counts.leftByTheDead}
  deaths of holders ${deathsOfHolders(counts)}: in a section ${counts.diedInside}, beside one ${counts.diedAsOwner}; told to ${counts.told}, repairs ${counts.repairs}; told of no other; held by one that was gone for ${counts.longestLeft.toFixed(1)} ms at most, that was ended and lived on for ${counts.longestEnd.toFixed(1)} ms
  after a termination the others went on within ${counts.longestGoOn.toFixed(1)} ms
  ${counts.locksMade} locks made, ${counts.addressesUsedAgain} where one had been before; ${counts.freedAtOnce} freed with whatever still waited there; ${counts.abandonedEntries} abandoned entries known and found
  left at the end: ${left.timers} timers, ${left.listeners} listeners, ${left.entries} entries, ${left.handles} handles, ${left.bytes} bytes of the space`;
}
