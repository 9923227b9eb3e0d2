/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Scenarios of channels, in the machine of models/explorer/channel-machine.js. */

/**
 * @typedef {import('../explorer/channel-machine.js').ChannelScenario} ChannelScenario
 * @typedef {import('../explorer/channel-machine.js').Party} Party
 */

/** @param {number} times @returns {Party} */
const sends = (times) => ({ role: 'sends', times });
/** @param {number} times @returns {Party} */
const awaits = (times) => ({ role: 'awaits', times });
/** @param {number} times @returns {Party} */
const advances = (times) => ({ role: 'advances', times });
/** @type {Party} */
const RECEIVES = { role: 'receives' };
/** @type {Party} */
const CLOSES = { role: 'closes' };

/** @param {Party} party */
const mortal = (party) => ({ ...party, mayDie: true });

/** @param {Party} party @param {number} [aborts] */
const loop = (party, aborts = 0) => ({ ...party, isLoop: true, aborts });

/** @type {ChannelScenario[]} */
export const CHANNEL_SCENARIOS = Object.entries({
    'event count, 1 awaits 2 changes': [awaits(2), advances(2)],
    'event count, 2 await 2 changes of 2': [awaits(2), awaits(2), advances(1), advances(1)],
    'event count, 2 await changes, 1 of which dies': [mortal(awaits(1)), awaits(2), advances(2)],
    '1 sends more than fit, 1 receives': [sends(4), RECEIVES],
    '1 sends, 1 receives, 1 closes': [sends(1), RECEIVES, CLOSES],
    '1 sends and dies, 1 receives': [mortal(sends(3)), RECEIVES],
    '2 send, 1 receives': [sends(1), sends(1), RECEIVES],
    '1 sends, 2 receive': [sends(1), RECEIVES, RECEIVES],
    '1 sends, 2 receive, 1 of which dies': [sends(1), mortal(RECEIVES), RECEIVES],
    '2 send, 1 of which dies, 1 receives': [mortal(sends(1)), sends(1), RECEIVES],
    '2 send, 1 receives, 1 closes': [sends(1), sends(1), RECEIVES, CLOSES],
    '2 send, 1 of which dies, 1 receives, 1 closes': [mortal(sends(1)), sends(1), RECEIVES, CLOSES],
    'a loop sends more than fit, a loop receives': [loop(sends(4)), loop(RECEIVES)],
    'a loop with aborts sends more than fit, 1 receives': [loop(sends(4), 2), RECEIVES],
    '1 sends, a loop with aborts receives, 1 closes': [sends(1), loop(RECEIVES, 1), CLOSES],
    '1 sends and dies, a loop receives': [mortal(sends(3)), loop(RECEIVES)],
    '1 sends, 2 loops receive, 1 with aborts': [sends(1), loop(RECEIVES, 1), loop(RECEIVES)],
    '2 send, a loop with aborts receives': [sends(1), sends(1), loop(RECEIVES, 1)],
}).map(([name, parties]) => ({ name: `channel, ${name}`, parties }));
