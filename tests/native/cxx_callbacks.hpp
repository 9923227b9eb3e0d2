/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef CXX_CALLBACKS_HPP
#define CXX_CALLBACKS_HPP

#include "holdfast/holdfast.hpp"

#include <cstdint>
#include <cstring>
#include <list>
#include <memory>

/* Only async.h itself requires Emscripten. */
#define __EMSCRIPTEN__ 1
#include "holdfast/async.h"
#undef __EMSCRIPTEN__

#include "holdfast/async.hpp"

/* Stands for c-src/async.c and its JavaScript, with what holdfast/async.h promises, in one thread: requests
 * take the real locks, in the order asked, when the test says so, and are called back when it says so.
 * Between a grant and its callback, the test sees states that a program hardly ever sees. Not here: queues,
 * wakes and fairness. */
class callbacks_here
{
  public:
    /* Answers of requests: a thread without timers is refused; a full condition refuses its next wait. */
    bool has_timers = true;
    bool is_full = false;
    int notifies = 0;

    /* One wait. Its result is HF_BUSY until it is over. */
    struct wait {
        virtual ~wait() = default;
        virtual hf_result step() = 0;
        /* Ends the wait, or gives back what it acquired. Returns false iff it can do neither. */
        virtual bool end(hf_result result) = 0;
        /* The wait's time is up. */
        virtual hf_result give_up()
        {
            return end(HF_BUSY) ? HF_TIMEOUT : HF_BUSY;
        }
        /* The object waited for. */
        virtual const void *about() const = 0;
    };

    hf_request ask(hf_async_callback callback, void *user_data, std::int64_t deadline_ns,
                   std::unique_ptr<wait> wait)
    {
        if (!has_timers) {
            return 0;
        }
        last_ += 1;
        requests_.push_back({last_, callback, user_data, deadline_ns, std::move(wait), HF_BUSY});
        return last_;
    }

    /* Grants the requests that can be granted, without calling back. */
    void settle()
    {
        for (request &each : requests_) {
            if (each.result == HF_BUSY) {
                each.result = each.wait->step();
            }
        }
    }

    /* Times out the pending requests with this limit or a shorter one; HF_FOREVER: those without a limit. */
    void time_is_up(std::int64_t limit_ms)
    {
        settle();
        const bool is_without = limit_ms == HF_FOREVER;
        const std::int64_t latest = is_without ? HF_FOREVER : hf_now_ns() + limit_ms * HF_MILLISECOND;
        for (request &each : requests_) {
            const bool is_one = is_without ? each.deadline_ns == HF_FOREVER : each.deadline_ns <= latest;
            if (each.result == HF_BUSY && is_one) {
                each.result = each.wait->give_up();
            }
        }
    }

    /* Grants and calls back until no request can be granted. */
    void run()
    {
        settle();
        for (auto at = requests_.begin(); at != requests_.end();) {
            if (at->result == HF_BUSY) {
                ++at;
                continue;
            }
            const request met = std::move(*at);
            requests_.erase(at);
            met.callback(met.result, met.user_data);
            settle();
            at = requests_.begin();
        }
    }

    bool cancel(hf_request id)
    {
        for (auto at = requests_.begin(); at != requests_.end(); ++at) {
            if (at->id == id) {
                const bool is_ended = at->wait->end(at->result);
                if (is_ended) {
                    requests_.erase(at);
                }
                return is_ended;
            }
        }
        return false;
    }

    bool redirect(hf_request id, hf_async_callback callback, void *user_data)
    {
        for (request &each : requests_) {
            if (each.id == id) {
                each.callback = callback;
                each.user_data = user_data;
                return true;
            }
        }
        return false;
    }

    /* As hf_async_forget does: no callback comes. */
    void forget(const void *begin, std::size_t bytes)
    {
        requests_.remove_if([=](request &each) {
            const std::size_t at = address_of(each.wait->about()) - address_of(begin);
            if (at < bytes) {
                each.wait->end(each.result);
            }
            return at < bytes;
        });
    }

    /* All memory. */
    void forget()
    {
        forget(nullptr, SIZE_MAX);
    }

    std::size_t count() const
    {
        return requests_.size();
    }

    std::int64_t last_deadline_ns() const
    {
        return requests_.back().deadline_ns;
    }

  private:
    struct request {
        hf_request id;
        hf_async_callback callback;
        void *user_data;
        std::int64_t deadline_ns;
        std::unique_ptr<callbacks_here::wait> wait;
        hf_result result;
    };

    static std::uintptr_t address_of(const void *object)
    {
        return reinterpret_cast<std::uintptr_t>(object);
    }

    std::list<request> requests_;
    hf_request last_ = 0;
};

extern callbacks_here callbacks;

#endif
