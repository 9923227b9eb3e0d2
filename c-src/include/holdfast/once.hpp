/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_ONCE_HPP
#define HOLDFAST_ONCE_HPP

#include <functional>
#include <type_traits>
#include <utility>

#include "holdfast/error.hpp"
#include "holdfast/once.h"

namespace holdfast
{

/* hf_once as a class, for call_once(). Rules of all classes: holdfast.hpp. */
class once
{
  public:
    using native_handle_type = hf_once *;

    constexpr once() noexcept : words_()
    {
    }
    once(const once &) = delete;
    once &operator=(const once &) = delete;

    /* Never blocks. Returns whether the work is done. If so, what was done is visible. */
    bool is_done() const noexcept
    {
        return hf_once_is_done(&words_);
    }

    native_handle_type native_handle() noexcept
    {
        return &words_;
    }

  private:
    hf_once words_;
};

static_assert(sizeof(once) == sizeof(hf_once) && std::is_standard_layout<once>::value, "words only");

namespace detail
{

/* Ends what hf_once_begin began, also when an exception is thrown. */
class once_turn
{
  public:
    explicit once_turn(hf_once *words) noexcept : words_(words)
    {
    }
    once_turn(const once_turn &) = delete;
    once_turn &operator=(const once_turn &) = delete;
    ~once_turn()
    {
        hf_once_end(words_, is_done);
    }

    bool is_done = false;

  private:
    hf_once *words_;
};

/* std::invoke, which C++11 does not have. */
template <class Function, class... Arguments>
typename std::enable_if<!std::is_member_pointer<typename std::decay<Function>::type>::value>::type
invoke(Function &&function, Arguments &&...arguments)
{
    static_cast<void>(std::forward<Function>(function)(std::forward<Arguments>(arguments)...));
}

template <class Member, class... Arguments>
typename std::enable_if<std::is_member_pointer<typename std::decay<Member>::type>::value>::type
invoke(Member &&member, Arguments &&...arguments)
{
    static_cast<void>(std::mem_fn(member)(std::forward<Arguments>(arguments)...));
}

} // namespace detail

/* Calls function(arguments...), as std::invoke does, if the work is not done yet. If the function throws,
 * the work is not done: the exception goes to the caller, and the next thread calls its own function.
 * Blocks: while another thread does the work. Throws resource_deadlock_would_occur iff the caller is doing
 * it already, where std::call_once would wait for ever. */
template <class Function, class... Arguments>
void call_once(once &flag, Function &&function, Arguments &&...arguments)
{
    const hf_result begun = hf_once_begin(flag.native_handle());
    if (begun == HF_DONE) {
        return;
    }
    detail::check(begun);
    detail::once_turn turn(flag.native_handle());
    detail::invoke(std::forward<Function>(function), std::forward<Arguments>(arguments)...);
    turn.is_done = true;
}

} // namespace holdfast

#endif
