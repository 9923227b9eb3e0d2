/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_HPP
#define HOLDFAST_HPP

/* The locks as classes of C++, from C++11 up, with the names and the contracts of the standard's. Callers,
 * blocking, cost and fairness are as in the C header of the same name.
 *
 *   static holdfast::mutex mutex; // protects invariant: a + b == 0
 *
 *   std::lock_guard<holdfast::mutex> guard(mutex);
 *   a += 1, b -= 1;
 *
 * Each object is the words of its C type and nothing else: C functions, by native_handle(), and JavaScript, by
 * its address, use the same lock. Statics are constant initialised, but for automatic events and channels.
 * Objects are neither copied nor moved. The destructors of conditions and barriers wait for the threads that
 * leave them; other objects have none, and need not be destroyed.
 *
 * Errors: std::system_error with a number of std::errc, which each class names. Without exceptions
 * (-fno-exceptions) they end the program by a trap. Emscripten leaves exceptions out by default: there a
 * throw aborts.
 *
 * Time limits: functions whose names end in _for or _until block until then at the latest, and return
 * whether they were granted what they wait for. They take any duration and any clock. No wait ends early. A
 * limit that is not positive, or not a number, is no wait at all, and one further away than 146 years is
 * for ever. A clock that is set back makes a wait for a time on it longer; one that is set forward does not
 * make it shorter.
 *
 * Coroutines: functions whose names have _async are defined in async.hpp, which says who may call them.
 * They never block. */

#include "holdfast/barrier.hpp"
#include "holdfast/channel.hpp"
#include "holdfast/condition.hpp"
#include "holdfast/event.hpp"
#include "holdfast/latch.hpp"
#include "holdfast/mutex.hpp"
#include "holdfast/once.hpp"
#include "holdfast/recursive_mutex.hpp"
#include "holdfast/rwlock.hpp"
#include "holdfast/semaphore.hpp"

#endif
