/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { mutantsOf } from './mutant-list.js';

/** Mistakes in how a queue steps, and in its numbers: the explorer finds them. */
export const GLUE_MUTANTS = mutantsOf(`
=== js-glue/waiting/queue.js
the async wait list is not announced after its entry [3 loops]
    - if (word === 'turn') {
    + if (word) {
a step does not say that an entry is armed in the wait list [3 loops]
    - comesLate, this.#armed.line, watched
    + comesLate, false, watched
a step does not name what was outlasted [a holder, 1 loop, 2 busy loops]
    - const watched = this.#outlasted || (isOld ? this.#oldest : 0);
    + const watched = 0;
the last request gives up, and the thread stays the heir [1 worker, 2 loops with aborts]
    - this.gate.withdraw();
the watch runs on after the lock was granted [1 worker, 1 loop with 2 requests that one signal ends]
    -         clearAlarm(this);
    -         this.#word
    +         this.#word
a watch is not set [a holder, 1 loop, 2 busy loops]
    - setAlarm(this, environment.now() + delay);
a wake is not heard [1 worker, 2 loops]
    -         this.#armed[word] = false;
    -         this.wake();
    +         this.#armed[word] = false;
an entry that was woken counts as armed [1 worker, 2 loops]
    - this.#armed[word] = false;
the first request never steps [1 worker, 2 loops]
    - if (!this.#word && !this.section) {
    + if (this.#word && !this.section) {
requests behind a section do not go on [1 worker, 1 loop with 3 long sections, rests and aborts]
    -             if (this.first) {
    -                 this.goOn();
    -             }
a turn that was put off does not come [2 workers, 1 loop with 2 long sections and rests]
    - environment.soon(() => (isNew ? this.work() : schedule(this)));
    + environment.soon(() => isNew && this.work());
a look by timer finds nothing [2 workers, 1 loop that polls]
    - || !hasTimers()) {
    + && !hasTimers()) {
a queue without waitAsync is not polled [2 workers, 1 loop that polls]
    -             if (polls) {
    +             if (polls === undefined) {

=== js-glue/waiting/gate.js
an event loop withdraws as if it had blocked [1 worker, 2 loops with aborts]
    - this.#self, STEP_KIND_ASYNC, 0
    + this.#self, 0, 0

=== js-glue/waiting/outcome.js
the watched number of a token is lost [a holder, 1 loop, 2 busy loops]
    - return watched | (isArmed
    + return 0 | (isArmed
the async wait list is lost on its way into the token [3 loops]
    - (isArmed ? STEP_TOKEN_LISTED : 0)
    + 0
`);
