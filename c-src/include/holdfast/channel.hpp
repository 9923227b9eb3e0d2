/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_CHANNEL_HPP
#define HOLDFAST_CHANNEL_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "holdfast/channel.h"
#include "holdfast/deadline.hpp"
#include "holdfast/error.hpp"

namespace holdfast
{

/* hf_channel as a class, with a ring of RingBytes bytes in the object. Batches and messages in place are
 * functions of C, by native_handle(). Rules of all classes: holdfast.hpp. Its constructor is not constant: a
 * static channel would be as large in the program's file.
 *
 * All functions that send or receive throw invalid_argument iff the words of the channel are not valid. */
template <std::uint32_t RingBytes> class channel
{
    static_assert(RingBytes >= HF_CHANNEL_LEAST_RING && RingBytes <= HF_CHANNEL_LARGEST_RING &&
                      (RingBytes & (RingBytes - 1)) == 0,
                  "RingBytes must be a power of two from 64 to 2^30");

  public:
    using native_handle_type = hf_channel *;

    /* Returns the size of the largest message, in bytes. */
    static constexpr std::size_t largest() noexcept
    {
        return RingBytes / 2 - 8;
    }

    channel() noexcept
    {
        hf_channel_init(&words_, RingBytes);
    }
    channel(const channel &) = delete;
    channel &operator=(const channel &) = delete;

    /* Sends a copy. Blocks until there is room, without limit. Returns false, with nothing sent, iff the
     * channel is closed. Throws value_too_large, with nothing sent, iff the message is larger than
     * largest(). */
    bool send(const void *message, std::size_t size)
    {
        return is_done(hf_channel_send(&words_, message, clamped(size)));
    }

    /* The next three return whether they have sent it. Never blocks. */
    bool try_send(const void *message, std::size_t size)
    {
        return is_done(hf_channel_trysend(&words_, message, clamped(size)));
    }

    template <class Rep, class Period>
    bool send_for(const void *message, std::size_t size, const std::chrono::duration<Rep, Period> &duration)
    {
        return is_done(
            hf_channel_send_until(&words_, message, clamped(size), detail::deadline_after(duration)));
    }

    template <class Clock, class Duration>
    bool send_until(const void *message, std::size_t size,
                    const std::chrono::time_point<Clock, Duration> &time)
    {
        return is_done(detail::wait_until(time, [&](std::int64_t deadline_ns) {
            return hf_channel_send_until(&words_, message, clamped(size), deadline_ns);
        }));
    }

    /* Receives a message, and its size. Blocks until there is one, without limit. Returns false iff the
     * channel is closed and empty. Throws value_too_large iff the message is larger than `capacity`: it stays
     * the next one, and `size` is its size. */
    bool receive(void *buffer, std::size_t capacity, std::size_t &size)
    {
        std::uint32_t bytes = 0;
        return is_done(told(size, bytes, hf_channel_receive(&words_, buffer, clamped(capacity), &bytes)));
    }

    /* The next three return whether they have received one. Never blocks. */
    bool try_receive(void *buffer, std::size_t capacity, std::size_t &size)
    {
        std::uint32_t bytes = 0;
        return is_done(told(size, bytes, hf_channel_tryreceive(&words_, buffer, clamped(capacity), &bytes)));
    }

    template <class Rep, class Period>
    bool receive_for(void *buffer, std::size_t capacity, std::size_t &size,
                     const std::chrono::duration<Rep, Period> &duration)
    {
        std::uint32_t bytes = 0;
        const std::int64_t deadline_ns = detail::deadline_after(duration);
        return is_done(told(
            size, bytes, hf_channel_receive_until(&words_, buffer, clamped(capacity), &bytes, deadline_ns)));
    }

    template <class Clock, class Duration>
    bool receive_until(void *buffer, std::size_t capacity, std::size_t &size,
                       const std::chrono::time_point<Clock, Duration> &time)
    {
        std::uint32_t bytes = 0;
        const hf_result result = detail::wait_until(time, [&](std::int64_t deadline_ns) {
            return hf_channel_receive_until(&words_, buffer, clamped(capacity), &bytes, deadline_ns);
        });
        return is_done(told(size, bytes, result));
    }

#ifdef __cpp_impl_coroutine /* defined in async.hpp */
    /* co_await sends a copy of the bytes, which must stay as they are until it returns. It gives whether they were
     * sent: false iff the channel is closed, or the time is up. Throws as send(). */
    [[nodiscard]] auto send_async(const void *message, std::size_t size);
    template <class Rep, class Period>
    [[nodiscard]] auto send_async_for(const void *message, std::size_t size,
                                      const std::chrono::duration<Rep, Period> &duration);

    /* co_await receives a message, and its size. It gives whether there was one: false iff the channel is closed
     * and empty, or the time is up. Throws as receive(). */
    [[nodiscard]] auto receive_async(void *buffer, std::size_t capacity, std::size_t &size);
    template <class Rep, class Period>
    [[nodiscard]] auto receive_async_for(void *buffer, std::size_t capacity, std::size_t &size,
                                         const std::chrono::duration<Rep, Period> &duration);
#endif

    /* Never blocks. Messages that are in it are still received. */
    void close() noexcept
    {
        hf_channel_close(&words_);
    }

    bool is_closed() const noexcept
    {
        return hf_channel_is_closed(&words_);
    }

    /* Returns how many messages are in it; other threads may change that at any time. */
    std::size_t length() const noexcept
    {
        return hf_channel_length(&words_);
    }

    native_handle_type native_handle() noexcept
    {
        return &words_;
    }

  private:
    /* Any size above 32 bits is too large for a message, and enough for a buffer. */
    static std::uint32_t clamped(std::size_t size) noexcept
    {
        return size < UINT32_MAX ? static_cast<std::uint32_t>(size) : UINT32_MAX;
    }

    /* `bytes` is a reference: the call that is the third argument may set it after the second was evaluated. */
    static hf_result told(std::size_t &size, const std::uint32_t &bytes, hf_result result) noexcept
    {
        if (result == HF_OK || result == HF_OVERFLOW) {
            size = bytes;
        }
        return result;
    }

    /* Returns whether a message was sent, or received. */
    static bool is_done(hf_result result)
    {
        return result != HF_CLOSED && detail::is_got(result, [] {});
    }

    hf_channel words_;
    unsigned char ring_[RingBytes];
};

static_assert(sizeof(channel<64>) == HF_CHANNEL_SIZE(64) && std::is_standard_layout<channel<64>>::value,
              "words only");

} // namespace holdfast

#endif
