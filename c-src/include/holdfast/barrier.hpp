/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_BARRIER_HPP
#define HOLDFAST_BARRIER_HPP

#include <cstddef>
#include <type_traits>

#include "holdfast/barrier.h"
#include "holdfast/error.hpp"

namespace holdfast
{

/* hf_barrier as a class: of C++20's std::barrier what hf_barrier has, without a completion. Who may call and
 * what blocks are as in barrier.h. */
class barrier
{
  public:
    using native_handle_type = hf_barrier *;

    static constexpr std::ptrdiff_t max() noexcept
    {
        return HF_BARRIER_MOST;
    }

    /* For `expected` threads. Throws value_too_large iff that is not within 1 and max(). */
    constexpr explicit barrier(std::ptrdiff_t expected)
        : words_{more_than_one(expected) << HF__BARRIER_PARTIES_AT, 0, 0}
    {
    }
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;

    /* Blocks until all have arrived, without limit. Returns whether the caller was the last, which
     * std::barrier does not tell. */
    bool arrive_and_wait()
    {
        return hf_barrier_arrive_and_wait(&words_);
    }

    native_handle_type native_handle() noexcept
    {
        return &words_;
    }

  private:
    static constexpr std::uint64_t more_than_one(std::ptrdiff_t expected)
    {
        return expected >= 1 && expected <= max() ? static_cast<std::uint64_t>(expected - 1)
                                                  : (detail::fail(HF_OVERFLOW), UINT64_C(0));
    }

    hf_barrier words_;
};

static_assert(sizeof(barrier) == sizeof(hf_barrier) && std::is_standard_layout<barrier>::value, "words only");

} // namespace holdfast

#endif
