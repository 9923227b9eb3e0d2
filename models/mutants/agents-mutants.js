/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { mutantsOf } from './mutant-list.js';

/** Mistakes in the table of threads, and in what locks do by it. */
export const AGENTS_MUTANTS = mutantsOf(`
=== c-src/agents.c [agents, one leaves, 2 join]

# Who looks
a look takes no entry off the count [agents, 2 join a slot]
    - while (!hf__cas_rlx(&agent->credits, credits, credits - ENTRY + 1));
    + while (!hf__cas_rlx(&agent->credits, credits, credits + 1));
a look takes two entries off the count [agents, a holder, a waiter]
    + while (!hf__cas_rlx(&agent->credits, credits, credits - (credits < 2 * ENTRY ? ENTRY : 2 * ENTRY) + 1));
a probing thread is not seen
    - while (!hf__cas_rlx(&agent->credits, credits, credits - ENTRY + 1));
    -     bool is_gone = hf__wake(&agent->presence, 1) == 0;
    -     if (is_gone) {
    -         hf__cas_rel(&agent->state, state_of(identity, ALIVE), state_of(identity, DEAD)); /* [R1], I4 */
    -     }
    -     hf__add_rlx(&agent->credits, UINT32_MAX);
    + while (!hf__cas_rlx(&agent->credits, credits, credits - ENTRY));
    +     bool is_gone = hf__wake(&agent->presence, 1) == 0;
    +     if (is_gone) {
    +         hf__cas_rel(&agent->state, state_of(identity, ALIVE), state_of(identity, DEAD)); /* [R1], I4 */
    +     }
a thread that has probed counts as probing for ever [agents, a holder, a waiter]
    - hf__add_rlx(&agent->credits, UINT32_MAX);
    -     return is_gone;
    + return is_gone;
a look without entries says that nobody is there [agents, a holder, a waiter, entries are used up]
    -         if (credits < ENTRY) {
    -             return false;
    -         }
    +         if (credits < ENTRY) {
    +             return true;
    +         }
an entry is counted that nobody has [agents, a holder, a waiter, entries are used up]
    -         if (credits < ENTRY) {
    -             return false;
    -         }
    +         if (credits < ENTRY) {
    +             credits = ENTRY;
    +             break;
    +         }
a look wakes all entries [agents, 2 join a slot]
    - hf__wake(&agent->presence, 1) == 0;
    + hf__wake(&agent->presence, HF__WAKE_ALL) == 0;
a look wakes nobody [agents, 2 join a slot]
    + hf__wake(&agent->presence, 0) == 0;
an agent is dead before the look [agents, 2 join a slot]
    - bool is_gone = hf__wake(&agent->presence, 1) == 0;
    + hf__cas_rel(&agent->state, state_of(identity, ALIVE), state_of(identity, DEAD));
    +     bool is_gone = hf__wake(&agent->presence, 1) == 0;
a late look ends the next agent
    - hf__cas_rel(&agent->state, state_of(identity, ALIVE), state_of(identity, DEAD)); /* [R1], I4 */
    + hf__store_rel(&agent->state, state_of(identity, DEAD));
a dead thread is dead only for the thread that probed it [agents, a holder, a waiter, 1 joins and waits]
    + (void)identity;
a thread that has left counts as alive [agents, a holder leaves, a waiter]
    - if (state != state_of(identity, ALIVE)) {
    -         return true; /* not alive: a thread that holds a lock had joined */
    + if (state != state_of(identity, ALIVE)) {
    +         return false; /* a thread that holds a lock has joined */
a look is at whoever has the slot [agents, a holder, a waiter for its slot]
    - if (state != state_of(identity, ALIVE)) {
    -         return true;
    + if ((state & 3) != ALIVE) {
    +         return true;

# Who joins
a slot is given out while somebody looks
    - if (credits & PROBING) {
    + if (0) {
the entries of the former agent count for the next [agents, 2 join a slot]
    - while (!hf__cas_rlx(&agent->credits, credits, 0));
    + while (!hf__cas_rlx(&agent->credits, credits, credits));
a joining thread resets the count without a comparison
    + while (hf__store_rlx(&agent->credits, 0), 0);
a joining thread resets the count before it has the slot
    - if (!hf__cas_rlx(&agent->state, state, state_of(next, JOINING))) {
    + hf__store_rlx(&agent->credits, 0);
    +     if (!hf__cas_rlx(&agent->state, state, state_of(next, JOINING))) {
a slot keeps its generation [agents, a holder, a waiter for its slot]
    - ((former & ~(uint32_t)HF_AGENTS_MOST) + HF_AGENTS_MOST + 1) % HF_THREAD_MARK
    + ((former & ~(uint32_t)HF_AGENTS_MOST)) % HF_THREAD_MARK
a slot that is being joined is taken [agents, 2 join a slot]
    - if (state != FREE && state != state_of(former, DEAD)) {
    + if (state != FREE && state != state_of(former, DEAD) && state != state_of(former, JOINING)) {
a slot is taken without a look [agents, 2 join a slot]
    + if (state == state_of(former, JOINING)) {
a slot is taken from its new owner [agents, 2 join a slot]
    - if (!hf__cas_rlx(&agent->state, state, state_of(next, JOINING))) {
    -         return 0;
    -     }
    + hf__store_rlx(&agent->state, state_of(next, JOINING));
a slot at which somebody looked is lost
    - hf__cas_rlx(&agent->state, state_of(next, JOINING), state_of(next, DEAD));
    + (void)next;
the slots of the dead stay theirs [agents, 2 join a slot]
    - if (probes && state == state_of(former, ALIVE) && is_found_dead(agent, former, now_ms)) {
    + if (0) {
one slot is never looked at [agents, 2 join a slot]
    - for (uint32_t at = 0; at < rounds * count; at += 1) {
    + for (uint32_t at = 0; at < rounds * count - 1; at += 1) {

# Who lives
a living thread says so without the entries [agents, a holder, a waiter]
    - hf__add_rlx(&agent->credits, entries * ENTRY - 1);
    + hf__add_rlx(&agent->credits, UINT32_MAX);
a thread that counts its entries resets those that others took [agents, 2 join a slot]
    + hf__store_rlx(&agent->credits, hf__load_rlx(&agent->credits) + entries * ENTRY - 1);
a thread that has joined counts as joining [agents, a holder, a waiter]
    - hf__cas_rlx(&agent->state, state_of(self, JOINING), state_of(self, ALIVE));
    + hf__cas_rlx(&agent->state, state_of(self, JOINING), state_of(self, JOINING));
a thread that has left arms entries in the slot of the next [agents, one leaves and arms too late, 1 joins]
    - return lives;
    - }
    - 
    - bool hf__agent_credit(
    + return true;
    + }
    + 
    + bool hf__agent_credit(
a thread that may not arm entries counts as probing for ever [agents, one leaves and arms too late, 1 joins]
    - if (!lives) {
    -         hf__add_rlx(&agent->credits, UINT32_MAX);
    + if (0) {
    +         hf__add_rlx(&agent->credits, UINT32_MAX);
a thread that arms entries says so after it has checked that it may [agents, one that dies is declared dead, 1 joins]
    - hf__add_rlx(&agent->credits, 1);
    -     bool lives = is_there(agent, self);
    + bool lives = is_there(agent, self);
    +     hf__add_rlx(&agent->credits, 1);
a thread declared dead meanwhile leaves the entries that it arms [agents, one that dies is declared dead, 1 joins]
    - if (!lives) {
    -         hf__wake(&agent->presence, HF__WAKE_ALL);
    + if (0) {
    +         hf__wake(&agent->presence, HF__WAKE_ALL);

# Who leaves
a leaving thread wakes none of its entries [agents, one leaves, 1 joins]
    - { /* [R1] */
    -         hf__wake(&agent->presence, HF__WAKE_ALL);
    + {
a leaving thread wakes one of its entries [agents, one leaves, 1 joins]
    + { hf__wake(&agent->presence, 1);
declaring a thread dead hits the next one in its slot [agents, one that dies is declared dead, 1 joins]
    - hf__add_rlx(&agent->credits, 1);
    -     if (hf__cas_rel(
    + if (hf__cas_rel(
    - hf__add_rlx(&agent->credits, UINT32_MAX);
    - }
    - 
    - void hf__agents_declare_all_dead(
    + }
    + 
    + void hf__agents_declare_all_dead(
a thread that has left counts as probing for ever [agents, one leaves, 2 join]
    - hf__add_rlx(&agent->credits, UINT32_MAX);
    - }
    - 
    - void hf__agents_declare_all_dead(
    + }
    + 
    + void hf__agents_declare_all_dead(
a leaving thread stays alive [agents, a holder leaves, a waiter, 1 joins]
    - if (hf__cas_rel(&agent->state, state_of(self, ALIVE), state_of(self, DEAD))) { /* [R1] */
    + if (hf__load_rlx(&agent->state) == state_of(self, ALIVE)) {
a leaving thread ends the next agent [agents, one that dies is declared dead, 1 joins]
    + hf__store_rel(&agent->state, state_of(self, DEAD));
    +     if (1) {

=== c-src/owner_probe.c [agents, a holder, a waiter]
any holder of the lock is taken for the known one [agents, a holder, a waiter, 1 joins and waits]
    - if (used == known && hf__agents_probe(agents, used, now_ms)) {
    + if (used != 0 && known != 0 && hf__agents_probe(agents, known, now_ms)) {
a dead owner is known to the probing thread only
    + if (0) {
a lock is abandoned without a look
    + if (used != 0 && used == known) {
a lock is abandoned by nobody in particular
    - hf__gate_abandon(gate, used, used | HF_THREAD_MARK);
    + hf__gate_abandon(gate, used, 0);

=== c-src/gate.c [agents, a holder, a waiter, 1 joins and waits]
a lock is abandoned whoever has it by now [agents, a holder, 2 waiters]
    -         if (used_in(word) != owner) {
    -             return false;
    -         }
    +         if (used_in(word) == 0) {
    +             return false;
    +         }
a takeover takes the lock from its new owner
    - if (used_in(word) != left) {
    + if (used_in(word) == 0) {

=== c-src/owned.c [agents, a holder, a waiter, 1 joins and waits]
a lock that is held is taken over
    - return hf__is_abandoned(left) && hf__gate_take_over(gate, left, owner) ? left : 0;
    + return left != 0 && hf__gate_take_over(gate, left, owner) ? left : 0;

=== c-src/records.h [holds, a holder, a waiter]
a passing thread is not recorded [holds, 2 that take in turn]
    - if (amount <= capacity && hf__is_slot(self)) {
    + if (0) {
all threads have one record [holds, 2 holders, a waiter for 2]
    - hf__records(gate)[(self & HF_AGENTS_MOST) - 1];
    + hf__records(gate)[self == 0];

a passing thread is recorded for the new owner of its slot [holds, a holder that goes on is declared dead, 1 joins and takes]
    - return hf__holder_in(held) == self && hf__cas64_rlx(record, held, held + amount);
    + return self != 0 && hf__cas64_rlx(record, held, held + amount);

=== c-src/gate.h [holds, a holder, a waiter]
a thread declared dead keeps what no record says [holds, a holder that goes on is declared dead, 1 joins and takes]
    - hf__gate_leave(gate, amount, HF__HOLDS_MOST, hf__opens_at(gate));
    + (void)gate;

=== c-src/records.h [holds, a holder, a waiter]
a thread taken for dead as it passed is not recorded [holds, a holder that goes on is declared dead]
    - return hf__note(record, self, amount) || hf__note(record, self, amount);
    + return hf__note(record, self, amount) || true;

=== c-src/holds.c [holds, a holder, a waiter]
a joining thread keeps what the last one in its slot held [holds, a holder, a waiter for its slot]
    - leaves_with(gate, record, held, (hf__record)self << HF__RECORD_HOLDER);
    + hf__cas64_rlx(record, held, (hf__record)self << HF__RECORD_HOLDER);
permits of a dead thread are given back twice [holds, a holder, 2 waiters for 2]
    - if (!is_noted && !hf__cas64_rlx(record, held, next_held)) { /* I3 */
    + hf__cas64_rlx(record, held, next_held);
    +         if (0) {
one permit of many comes back [holds, a holder of 2, a waiter for 2]
    - uint32_t amount = held_in(held) - held_in(next_held);
    + uint32_t amount = held_in(held) != held_in(next_held);
a joining thread does not say that the record is its own now [holds, a holder, a waiter]
    - while (hf__holder_in(held) != self && is_earlier(hf__holder_in(held), self)) {
    + while (0) {
a leaving thread stays recorded as inside [holds, 2 that take in turn]
    - if (!is_noted && !hf__cas64_rlx(record, held, next_held)) { /* I3 */
    + if (!is_noted && !hf__cas64_rlx(record, held, held)) {
a record shrinks after the leave [holds, 2 that take in turn, deaths anywhere]
    - if (!is_noted && !hf__cas64_rlx(record, held, next_held)) { /* I3 */
    -             return false;
    -         }
    -         is_done = hf__cas64_rel(&gate->word, word, next); /* [R1] I1, I2 */
    -         is_noted = !is_done && !hf__cas64_rlx(record, next_held, held);
    + is_done = hf__cas64_rel(&gate->word, word, next);
    +         is_noted = is_done && hf__cas64_rlx(record, held, next_held);
a thread that was not the fastest has left by its record [holds, 2 holders, a waiter for 2]
    - is_noted = !is_done && !hf__cas64_rlx(record, next_held, held);
    + is_noted = !is_done;
a thread that was not the fastest gives nothing back [holds, a holder that goes on is declared dead, 1 joins and takes]
    - is_noted = !is_done && !hf__cas64_rlx(record, next_held, held);
    + is_noted = false;
    +         is_done = is_done || !hf__cas64_rlx(record, next_held, held);
a thread declared dead leaves for the next one in its slot [holds, a holder that goes on is declared dead, 1 joins and takes]
    - if (hf__holder_in(held) != self || held_in(held) < amount) {
    + if (held_in(held) < amount) {
permits of a living thread are given back
    - holder != self && hf__agents_probe(agents, holder, now_ms)) {
    + holder != self) {
nobody looks
    + 0) {
a look ends at the first record [holds, 2 holders, a waiter for 2]
    - for (uint32_t at = 0; at < count; at += 1) {
    + for (uint32_t at = 0; at < 1; at += 1) {
`);
