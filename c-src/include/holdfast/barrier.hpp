/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_BARRIER_HPP
#define HOLDFAST_BARRIER_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "holdfast/barrier.h"
#include "holdfast/deadline.hpp"
#include "holdfast/error.hpp"

namespace holdfast
{
namespace detail
{

/* A completion that runs nothing at the end of a round. */
struct no_completion {
};

/* A completion, in C++ and in the form that C takes. */
template <class Completion> class completion_of
{
    static_assert(noexcept(std::declval<Completion &>()()), "a completion must be noexcept");

  public:
    constexpr explicit completion_of(Completion completion)
        : completion_(std::move(completion)), for_c_{run, &completion_}
    {
    }

    const hf_barrier_completion *for_c() const noexcept
    {
        return &for_c_;
    }

  private:
    static void run(void *completion) noexcept
    {
        (*static_cast<Completion *>(completion))();
    }

    Completion completion_;
    hf_barrier_completion for_c_;
};

template <> class completion_of<no_completion>
{
  public:
    constexpr explicit completion_of(no_completion) noexcept
    {
    }

    static constexpr const hf_barrier_completion *for_c() noexcept
    {
        return nullptr;
    }
};

} // namespace detail

/* hf_barrier as a class, with the contract of C++20's std::barrier and, in addition, waits with a time limit.
 * Rules of all classes: holdfast.hpp.
 *
 * Completion: `completion()` must be noexcept. Before C++17 a pointer to a function cannot be noexcept, so it
 * cannot be a completion. A barrier with a completion has the limits of barrier.h: no JavaScript thread may
 * take part, nor a callback (async.h). Without a completion the object is the words of hf_barrier and nothing
 * else. */
template <class Completion = detail::no_completion> class barrier : private detail::completion_of<Completion>
{
  public:
    using native_handle_type = hf_barrier *;

    /* Names the round of an arrival. */
    class arrival_token
    {
      public:
        arrival_token(arrival_token &&) noexcept = default;
        arrival_token &operator=(arrival_token &&) noexcept = default;

      private:
        friend barrier;
        explicit arrival_token(hf_barrier_token round) noexcept : round_(round)
        {
        }
        hf_barrier_token round_;
    };

    static constexpr std::ptrdiff_t max() noexcept
    {
        return HF_BARRIER_MOST;
    }

    /* Constructs a barrier for `expected` threads; with 0, nobody may arrive. Throws value_too_large iff it
     * is not within 0 and max(). */
    constexpr explicit barrier(std::ptrdiff_t expected, Completion completion = Completion())
        : detail::completion_of<Completion>(std::move(completion)), words_{more_than_one(expected)
                                                                               << HF__BARRIER_PARTIES_AT,
                                                                           0, 0}
    {
    }
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;

    /* Any thread whose own wait has returned may destroy the barrier, even while other threads are about
     * to return, which the standard leaves undefined. Blocks until those have returned
     * (hf_barrier_destroy): for ever if a thread waits in a round that does not end, or was terminated in
     * one. */
    ~barrier()
    {
        hf_barrier_destroy(&words_);
    }

    /* Arrives `update` times in this round, and does not wait. Never blocks, but for the completion. Throws
     * value_too_large, and changes nothing, iff `update` is not within 1 and max(). Requires: at least
     * `update` arrivals of this round are still to come; any more would count for the next rounds. */
#if __cplusplus >= 201703L
    [[nodiscard]]
#endif
    arrival_token
    arrive(std::ptrdiff_t update = 1)
    {
        if (update < 1 || update > max()) {
            detail::fail(HF_OVERFLOW);
        }
        for (; update > 1; update -= 1) {
            hf_barrier_arrive(&words_, this->for_c());
        }
        return arrival_token(hf_barrier_arrive(&words_, this->for_c()));
    }

    /* Blocks until the round of the token is over, without limit. */
    void wait(arrival_token &&arrival) const
    {
        hf_barrier_wait(&words_, arrival.round_);
    }

    /* Block until the round is over, or the time is up. Return whether the round is over; if not, the arrival
     * stays, and the caller may wait again. */
    template <class Rep, class Period>
    bool wait_for(const arrival_token &arrival, const std::chrono::duration<Rep, Period> &duration) const
    {
        return hf_barrier_wait_until(&words_, arrival.round_, detail::deadline_after(duration)) == HF_OK;
    }

    template <class Clock, class Duration>
    bool wait_until(const arrival_token &arrival, const std::chrono::time_point<Clock, Duration> &time) const
    {
        return detail::wait_until(time, [&](std::int64_t deadline_ns) {
                   return hf_barrier_wait_until(&words_, arrival.round_, deadline_ns);
               }) == HF_OK;
    }

    /* Blocks until all have arrived, without limit. Returns whether the caller was the last, which
     * std::barrier does not say. */
    bool arrive_and_wait()
    {
        return hf_barrier_arrive_and_wait_with(&words_, this->for_c());
    }

    /* Arrives in this round, and makes all later ones smaller by one. Never blocks, but for the
     * completion. */
    void arrive_and_drop()
    {
        hf_barrier_arrive_and_drop(&words_, this->for_c());
    }

#ifdef __cpp_impl_coroutine /* defined in async.hpp */
    /* Requires: no completion. co_await arrives, and gives whether the caller was the last. A coroutine
     * that is destroyed before the round is over has not arrived. */
    [[nodiscard]] auto arrive_and_wait_async();
#endif

    native_handle_type native_handle() noexcept
    {
        return &words_;
    }

  private:
    static constexpr std::uint64_t more_than_one(std::ptrdiff_t expected)
    {
        return expected < 0 || expected > max() ? (detail::fail(HF_OVERFLOW), UINT64_C(0))
                                                : static_cast<std::uint64_t>(expected > 1 ? expected - 1 : 0);
    }

    mutable hf_barrier words_; /* mutable: waits change it */
};

static_assert(sizeof(barrier<>) == sizeof(hf_barrier) && std::is_standard_layout<barrier<>>::value,
              "words only");

} // namespace holdfast

#endif
