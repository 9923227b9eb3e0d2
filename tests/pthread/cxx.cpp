/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "families.h"

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <shared_mutex>

#include <pthread.h>

namespace
{

constexpr int sections = 5000;
constexpr int threads = 4;
constexpr auto soon = std::chrono::milliseconds(SOON_MS);

std::mutex mutex;
std::condition_variable not_empty;
std::deque<int> queue;
std::recursive_mutex recursive;
std::timed_mutex timed;
std::shared_mutex shared;
std::once_flag once;
long sum, counter, shared_counter, calls;

void *put_and_take(void *next)
{
    const bool puts = __atomic_fetch_add(static_cast<int *>(next), 1, __ATOMIC_RELAXED) % 2 == 0;
    for (int item = 1; item <= sections; item += 1) {
        std::unique_lock<std::mutex> lock(mutex);
        if (puts) {
            queue.push_back(item);
            lock.unlock();
            not_empty.notify_one();
        } else {
            not_empty.wait(lock, [] { return !queue.empty(); });
            sum += queue.front();
            queue.pop_front();
        }
        progress();
    }
    return nullptr;
}

void *count(void *)
{
    for (int section = 0; section < sections; section += 1) {
        const std::lock_guard<std::recursive_mutex> outer(recursive);
        const std::lock_guard<std::recursive_mutex> inner(recursive);
        counter += 1;
        const std::unique_lock<std::shared_mutex> exclusive(shared);
        shared_counter += 1;
    }
    std::call_once(once, [] { calls += 1; });
    return nullptr;
}

void *unlock_it(void *)
{
    return reinterpret_cast<void *>(static_cast<intptr_t>(pthread_mutex_unlock(mutex.native_handle())));
}

void *lock_it_for_a_while(void *)
{
    return reinterpret_cast<void *>(static_cast<intptr_t>(timed.try_lock_for(soon)));
}

} // namespace

void try_cxx()
{
    int next = 0;
    in_threads(threads, put_and_take, &next);
    CHECK_IS(static_cast<long>(threads) / 2 * sections * (sections + 1) / 2, sum);
    in_threads(threads, count, nullptr);
    CHECK_IS(static_cast<long>(threads) * sections, counter);
    CHECK_IS(counter, shared_counter);
    CHECK_IS(1, calls);

    mutex.lock();
    CHECK_IS(EPERM, elsewhere(unlock_it, nullptr)); /* stock ones let it */
    std::unique_lock<std::mutex> lock(mutex, std::adopt_lock);
    CHECK(not_empty.wait_for(lock, soon) == std::cv_status::timeout);
    CHECK(not_empty.wait_until(lock, std::chrono::system_clock::now() + soon) == std::cv_status::timeout);

    CHECK(timed.try_lock_for(soon));
    CHECK_IS(0, elsewhere(lock_it_for_a_while, nullptr));
    timed.unlock();
}
