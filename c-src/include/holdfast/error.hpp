/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_ERROR_HPP
#define HOLDFAST_ERROR_HPP

#include <mutex>
#include <system_error>
#include <utility>

#include "holdfast/result.h"

/* Not for users: turns results that are errors into exceptions.
 *
 * With exceptions the classes throw std::system_error, with the generic category and the number that
 * pthread has for the same. Without exceptions (-fno-exceptions) they end the program by a trap instruction,
 * without a message. */
namespace holdfast
{
namespace detail
{

inline std::errc errc_of(hf_result result)
{
    switch (result) {
    case HF_TIMEOUT:
        return std::errc::timed_out;
    case HF_DEADLOCK:
        return std::errc::resource_deadlock_would_occur;
    case HF_NOT_OWNER:
        return std::errc::operation_not_permitted;
    case HF_ABANDONED:
        return std::errc::owner_dead;
    case HF_OVERFLOW:
        return std::errc::value_too_large;
    default:
        return std::errc::invalid_argument;
    }
}

[[noreturn]] __attribute__((cold, noinline)) inline void fail(std::errc kind)
{
#ifdef __cpp_exceptions
    throw std::system_error(std::make_error_code(kind), "holdfast");
#else
    (void)kind;
    __builtin_trap();
#endif
}

[[noreturn]] __attribute__((cold, noinline)) inline void fail(hf_result result)
{
    fail(errc_of(result));
}

inline void check(hf_result result)
{
    if (result != HF_OK) {
        fail(result);
    }
}

/* Returns whether the object was acquired. `give_up()` releases a lock that is held with HF_ABANDONED. */
template <class GiveUp> bool is_got(hf_result result, GiveUp give_up)
{
    switch (result) {
    case HF_OK:
        return true;
    case HF_BUSY:
    case HF_TIMEOUT:
        return false;
    case HF_ABANDONED:
        give_up();
        break;
    default:
        break;
    }
    fail(result);
}

/* Completes recover() of a lock, where `locked` is the result of locking. `recover()` marks the lock as
 * usable again. */
template <class Lock, class Recover, class Repair>
bool recover_locked(Lock &lock, hf_result locked, Recover recover, Repair &&repair)
{
    if (locked != HF_ABANDONED) {
        check(locked);
    }
    const std::lock_guard<Lock> guard(lock, std::adopt_lock);
    if (locked == HF_OK) {
        return false;
    }
    std::forward<Repair>(repair)();
    check(recover());
    return true;
}

} // namespace detail
} // namespace holdfast

#endif
