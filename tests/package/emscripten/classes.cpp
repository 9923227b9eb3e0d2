/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A program in C++: threads use the classes, with the standard's guards. Prints the counts, or what was
 * wrong. The test's time limit ends a deadlock or a lost wake. */
#include <holdfast/holdfast.hpp>

#include <cstdio>
#include <functional>
#include <shared_mutex>
#include <thread>

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

enum { THREADS = 2, ROUNDS = 500 };

static int completions;

static holdfast::mutex first;
static holdfast::mutex second;
static holdfast::recursive_mutex nested;
static holdfast::shared_mutex table;
static holdfast::condition changed;
static holdfast::binary_semaphore one(1);
static holdfast::latch start(THREADS);
static holdfast::barrier<> meeting(THREADS);
static holdfast::barrier<void (*)() noexcept> rendezvous(THREADS, []() noexcept { completions += 1; });
static holdfast::event done;
static holdfast::once once;

static int sums[4]; // each guarded by one lock
static int next_thread;
static int calls;
static int wrong;

static void expect(bool condition, const char *what)
{
    if (!condition) {
        std::printf("wrong: %s\n", what);
        const std::lock_guard<holdfast::mutex> guard(first);
        wrong += 1;
    }
}

static void play(int number)
{
    start.arrive_and_wait();
    holdfast::call_once(once, [] { calls += 1; });
    for (int round = 0; round < ROUNDS; round += 1) {
        if (number) {
            const std::scoped_lock guard(first, second);
            sums[0] += 1;
        } else {
            const std::scoped_lock guard(second, first);
            sums[0] += 1;
        }
        {
            const std::unique_lock<holdfast::shared_mutex> lock(table, hours(1));
            sums[1] += 1;
        }
        {
            const std::shared_lock<holdfast::shared_mutex> lock(table);
            expect(sums[1] > round, "a reader sees what its own thread wrote");
        }
        {
            const std::lock_guard<holdfast::recursive_mutex> guard(nested);
            const std::unique_lock<holdfast::recursive_mutex> again(nested, hours(1));
            expect(nested.depth() == 2, "locked twice");
        }
        expect(one.try_acquire_until(steady_clock::time_point::max()), "a permit");
        sums[2] += 1;
        one.release();

        std::unique_lock<holdfast::mutex> lock(first);
        changed.wait(lock, [=] { return next_thread == number; });
        next_thread = 1 - number;
        sums[3] += 1;
        lock.unlock();
        changed.notify_all();
    }
    meeting.wait(meeting.arrive());
    rendezvous.arrive_and_wait();
    expect(completions == 1, "the completion comes before anybody goes on");
    rendezvous.arrive_and_drop();
    done.set();
}

int main()
{
    std::thread other(play, 1);
    play(0);
    other.join();
    done.wait();

    const std::lock_guard<holdfast::mutex> guard(first);
    std::thread([] {
        const auto before = steady_clock::now();
        expect(!second.try_lock() || (second.unlock(), true), "a free mutex");
        const bool is_got = first.try_lock_for(std::chrono::duration<float, std::milli>(5));
        std::printf("%d %d\n", is_got, steady_clock::now() - before >= milliseconds(5));
    }).join();
    std::printf("%d %d %d %d %d %d\n", sums[0], sums[1], sums[2], sums[3], calls, wrong);
    return 0;
}
