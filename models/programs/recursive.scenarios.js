/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import * as c from './circumstances.js';
import * as p from './programs.js';
import { does, scenariosOf } from './threads.js';

/* T0, T1, … in a counterexample are the threads in this order. The greatest depth is 3 here (wasm/shipped-module.js). The death
 * of an owner is in agents.scenarios.js. */

/** @typedef {import('../explorer/scenario.js').Scenario} Scenario */

/** @param {...number} depths of each round */
const nests = (...depths) => does([p.nests, ...depths]);

const MUTEX = { is: /** @type {const} */ ('recursive mutex') };
const LOCK = { lock: MUTEX };
/** The lock as a dead owner leaves it. */
const LEFT_DEEP = { lock: { ...MUTEX, depth: 7 } };

const ONCE = nests(1);
const TWICE = nests(2);
const TRIES = does([p.triesAndNests, 2]);
const LIMITED = does([p.nestsForAWhile, 3]);
const SECTIONS = does(p.nestsSections);
const FAILING_SECTIONS = does(p.nestsSectionsThatFail);
const TOO_DEEP = does(p.nestsTooDeep);
const TOO_OFTEN = does(p.unlocksTooOften);
const STRANGER = does([p.mayNotGiveBack, 'HF_NOT_OWNER', 0]);
const LOOP = does(p.requestsInside);
const LOOP_NESTS = does(p.nestsInRequest);
const LOOP_ABORTS = does(p.mayAbortInside);

const FLAG = {
    mutex: MUTEX,
    condition: /** @type {const} */ ({ is: 'condition' }),
    flag: /** @type {const} */ ({ is: 'data' }),
};
const SETS = does([p.setsFlag, 1]);
const SETS_AT_2 = does(p.setsFlagAtDepth2);
const AWAITS = does(p.awaitsFlag);
const AWAITS_AFTER_2 = does(p.awaitsFlagAfterDepth2);
const MAY_GIVE_UP = does(p.mayGiveUp);

/** @type {Scenario[]} */
export const RECURSIVE_SCENARIOS = [
    ...scenariosOf('recursive mutex, ', LOCK, c.EVERY_WAKE_COUNTS, {
        '2 nest to 2, 2 rounds': [nests(2, 2), nests(2, 2)],
        '2 nest to 3': [nests(3), nests(3)],
        '3 nest to 2': [TWICE, TWICE, TWICE],
        '3 nest to 1, 2 and 3, 2 rounds of one': [nests(1, 3), TWICE, nests(3)],
        'a try, 2 nest to 2': [TRIES, TWICE, TWICE],
        'a time limit, 2 nest to 2': [LIMITED, TWICE, TWICE],
        '2 time limits, 1 nests to 2': [LIMITED, LIMITED, TWICE],
        'sections, 1 nests to 2': [SECTIONS, SECTIONS, TWICE],
        'sections that fail, 1 nests to 2': [FAILING_SECTIONS, TWICE],
        'too deep, 2 nest to 2': [TOO_DEEP, TWICE, TWICE],
        'an unlock too many, 2 nest to 2': [TOO_OFTEN, TWICE, TWICE],
        'an unlock by a stranger, 2 nest to 2': [STRANGER, TWICE, TWICE],
        '1 nests to 2, 2 rounds, 1 loop that nests': [nests(2, 2), LOOP_NESTS],
        '2 nest to 2, 1 loop': [TWICE, TWICE, LOOP],
        '1 nests to 2, 2 rounds, 1 loop with aborts': [nests(2, 1), LOOP_ABORTS],
    }),
    ...scenariosOf('recursive mutex, ', LEFT_DEEP, c.EVERY_WAKE_COUNTS, {
        '2 nest to 2 after an owner has died': [TWICE, TWICE],
        'a try, a time limit, 1 nests to 2 after an owner has died': [TRIES, LIMITED, TWICE],
    }),
    ...scenariosOf('recursive mutex, ', LOCK, c.ONE_MAY_DIE, {
        '2 nest to 2, a death': [TWICE, TWICE],
        '2 nest to 2, 1 locks it, a death': [TWICE, TWICE, ONCE],
    }),
    ...scenariosOf('recursive mutex, ', LOCK, c.TOLD_APART, {
        '2 nest to 2, 2 rounds, livelocks': [nests(2, 2), nests(2, 2)],
    }),
    ...scenariosOf('recursive mutex, condition, ', FLAG, c.EVERY_WAKE_COUNTS, {
        '2 wait': [SETS_AT_2, AWAITS, AWAITS],
        '2 wait after depth 2': [SETS_AT_2, AWAITS_AFTER_2, AWAITS_AFTER_2],
        '1 waits after depth 2, 1 may give up': [SETS, AWAITS_AFTER_2, MAY_GIVE_UP],
    }),
];
