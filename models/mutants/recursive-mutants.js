/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { mutantsOf } from './mutant-list.js';

/* Mistakes in the recursive mutex; what the mutex inside does wrong is in the other lists. */

/** In the C that the module of depths is made of; the explorer finds them. */
export const DEPTH_MUTANTS = mutantsOf(`
=== c-src/include/holdfast/recursive_mutex.h [recursive mutex, 2 nest to 2, 2 rounds]
another lock does not count
    - mutex->depth += 1;
    + mutex->depth += 0;
another lock counts twice [recursive mutex, too deep, 2 nest to 2]
    + mutex->depth += 2;
there is no greatest depth [recursive mutex, too deep, 2 nest to 2]
    - if (mutex->depth >= HF_RECURSIVE_MUTEX_MOST - 1) {
    + if (0) {
the greatest depth is one less [recursive mutex, too deep, 2 nest to 2]
    + if (mutex->depth >= HF_RECURSIVE_MUTEX_MOST - 2) {
the greatest depth is one more [recursive mutex, too deep, 2 nest to 2]
    + if (mutex->depth >= HF_RECURSIVE_MUTEX_MOST) {
a lock beyond the greatest depth counts [recursive mutex, too deep, 2 nest to 2]
    + mutex->depth += 1;
    +     if (mutex->depth >= HF_RECURSIVE_MUTEX_MOST) {
    +         return HF_OVERFLOW;
    +     }
    +     return HF_OK;
    +     if (0) {

=== c-src/recursive_mutex.h [recursive mutex, 2 nest to 2, 2 rounds]
any thread locks it again
    - return hf__mutex_is_held_by(&mutex->mutex, self) ? hf__recursive_mutex_deepen(mutex) : HF_NOT_OWNER;
    + return self != 0 ? hf__recursive_mutex_deepen(mutex) : HF_NOT_OWNER;
its owner does not have it again [recursive mutex, 2 nest to 3]
    + return self == 0 ? hf__recursive_mutex_deepen(mutex) : HF_NOT_OWNER;
the depth of a dead owner stays [recursive mutex, 2 nest to 2 after an owner has died]
    - mutex->depth = 0;
    + mutex->depth %= 100;
the depth of a dead owner stays for the recovering thread [agents, depths, a holder, a waiter]
    - mutex->depth = 0;
    + mutex->depth %= 100;
the first lock has depth 2
    - mutex->depth = 0;
    + mutex->depth = 1;
the depth is one less
    - return hf__mutex_is_held_by(&mutex->mutex, self) ? mutex->depth + 1 : 0;
    + return hf__mutex_is_held_by(&mutex->mutex, self) ? mutex->depth : 0;
a stranger sees the owner's depth [recursive mutex, an unlock by a stranger, 2 nest to 2]
    + return self != 0 ? mutex->depth + 1 : 0;
a thread that holds nothing has depth 1
    + return hf__mutex_is_held_by(&mutex->mutex, self) ? mutex->depth + 1 : 1;
an unlock at depth 2 releases it
    - if (hf__recursive_mutex_depth(mutex, self) <= 1) {
    + if (hf__recursive_mutex_depth(mutex, self) <= 2) {
an unlock at depth 1 does not release it
    + if (hf__recursive_mutex_depth(mutex, self) < 1) {
a stranger unlocks [recursive mutex, an unlock by a stranger, 2 nest to 2]
    + if (mutex->depth == 0 || self == 0) {
an unlock does not count
    - mutex->depth -= 1;
    + mutex->depth -= 0;
an unlock unlocks all [recursive mutex, 2 nest to 3]
    + mutex->depth = 0;
`);

/** In the class of the glue, and in what a condition does with it; the explorer finds them. */
export const RECURSIVE_GLUE_MUTANTS = mutantsOf(`
=== js-glue/recursive-mutex.js [recursive mutex, 2 nest to 2 after an owner has died]
lock() leaves the depth of a dead owner
    -             this.#mutex.lock();
    -             this.#begin();
    +             this.#mutex.lock();
tryLock() leaves the depth of a dead owner [recursive mutex, a try, a time limit, 1 nests to 2 after an owner has died]
    - if (taken) {
    + if (!taken) {
lock() takes it without a wait where it is held [recursive mutex, 2 nest to 2, 2 rounds]
    - if (!this.#isTakenAgain()) {
    + if (!this.#isTakenAgain() && this.#mutex.tryLock()) {
tryLock() waits for itself [recursive mutex, a time limit, 2 nest to 2]
    - if (this.#isTakenAgain()) {
    + if (this.depth > 1 && this.#isTakenAgain()) {
unlock() at any depth releases it [recursive mutex, 2 nest to 2, 2 rounds]
    - if (!this.#exports.recursive_mutex_surface(this.#byteOffset, this.#self)) {
    + this.#exports.recursive_mutex_surface(this.#byteOffset, this.#self);
    +         {
the last unlock() releases nothing [recursive mutex, 2 nest to 2, 2 rounds]
    +         if (this.#exports.recursive_mutex_surface(this.#byteOffset, this.#self)) {
exec() keeps what it has locked [recursive mutex, sections, 1 nests to 2]
    - if (isMine) {
    + if (!isMine) {
exec() gives back what its callback has given back [recursive mutex, sections that fail, 1 nests to 2]
    - const isMine = !this.queue.isFreed && this.#mutex.depth >= this.least;
    + const isMine = this.#mutex.depth > 0 && this.least > 0;
at the greatest depth, a lock waits for itself [recursive mutex, too deep, 2 nest to 2]
    - if (result === RESULT_OVERFLOW) {
    + if (result < 0) {

=== js-glue/condition.js [recursive mutex, condition, 2 wait after depth 2]
a wait at depth 2 is no error
    - if (depth > 1) {
    + if (depth > 2) {
a wait at depth 1 is an error [recursive mutex, condition, 2 wait]
    + if (levels && depth > 0) {
`);

/** In what C programs call; its native test finds them. */
export const RECURSIVE_NATIVE_MUTANTS = mutantsOf(`
=== c-src/recursive_mutex.c [recursive_mutex_test]
a first slow lock leaves the depth of a dead owner
    - hf__recursive_mutex_begin(mutex);
    -     }
    -     return result;
    - }
    - 
    - static hf_result lock_recursively(
    + }
    +     return result;
    + }
    + 
    + static hf_result lock_recursively(
a thread told of the death of the owner has its depth
    - if (result == HF_OK || result == HF_ABANDONED) {
    + if (result == HF_OK) {
a slow lock waits for itself
    - if (hf__owned_is_mine(&mutex->mutex.gate, self)) { /* not recovered yet, so the fast path has failed */
    + if (self == 0) {
a slow try does not lock it again
    - trylock_slow(hf_recursive_mutex *mutex, uint32_t self)
    - {
    -     if (hf__owned_is_mine(&mutex->mutex.gate, self)) {
    + trylock_slow(hf_recursive_mutex *mutex, uint32_t self)
    + {
    +     if (self == 0) {
a slow unlock releases it at any depth
    - if (hf__owned_is_mine(&mutex->mutex.gate, self) && mutex->depth != 0) {
    + if (mutex->depth != 0 && self == 0) {
a stranger unlocks it once
    + if (mutex->depth != 0) {
a stranger sees the owner's depth
    - return hf_recursive_mutex_is_mine(mutex) ? mutex->depth + 1 : 0;
    + return mutex->depth + 1;
a wait at depth 2 is no error
    - if (hf_recursive_mutex_depth(mutex) > 1) {
    + if (hf_recursive_mutex_depth(mutex) > 2) {
a wait at depth 1 is an error
    + if (hf_recursive_mutex_depth(mutex) > 0) {
a wait leaves the depth of an owner that died meanwhile
    - if (result != HF_NOT_OWNER) {
    + if (result == HF_NOT_OWNER) {
a wait by a stranger sets the depth back
    + {

=== c-src/include/holdfast/recursive_mutex.h [recursive_mutex_test]
an unlock at depth 2 releases it
    - if (mutex->depth != 0) {
    + if (mutex->depth > 1) {
`);
