/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Coroutines of the main thread wait for locks that pthreads use, by holdfast/async.hpp, and some are
 * destroyed while they wait. Prints what they did. tests/native/cxx_async.cpp has all cases, one by one; this
 * is with the real callbacks. */
#include <holdfast/async.hpp>

#include <cstdio>
#include <emscripten.h>
#include <exception>
#include <thread>
#include <vector>

using std::chrono::hours;
using std::chrono::milliseconds;

enum { THREADS = 2, SECTIONS = 500 };

/* Lives until its end, or until it is destroyed. */
struct task {
    struct promise_type {
        task get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_never initial_suspend() noexcept
        {
            return {};
        }
        std::suspend_never final_suspend() noexcept
        {
            return {};
        }
        void return_void()
        {
        }
        void unhandled_exception()
        {
            std::terminate();
        }
    };

    std::coroutine_handle<> coroutine;
};

static holdfast::mutex mutex;
static holdfast::recursive_mutex nested;
static holdfast::shared_mutex table;
static holdfast::condition changed;
static holdfast::counting_semaphore<THREADS> permit(0);
static holdfast::latch begun(THREADS);
static holdfast::barrier<> meeting(THREADS + 1);
static holdfast::event done;
static holdfast::once once;

static int left; // both guarded by the mutex: equal outside of its sections
static int right;
static int turn; // guarded by the mutex
static int calls;
static int failures;

static void expect(bool condition, const char *what)
{
    if (!condition) {
        std::printf("wrong: %s\n", what);
        failures += 1;
    }
}

static void section()
{
    expect(left == right, "nothing is torn");
    left += 1;
    right += 1;
}

static void play()
{
    begun.count_down();
    for (int number = 0; number < SECTIONS; number += 1) {
        {
            const std::lock_guard<holdfast::mutex> guard(mutex);
            section();
        }
        const std::lock_guard<holdfast::recursive_mutex> guard(nested);
        const std::lock_guard<holdfast::shared_mutex> writer(table);
    }
    holdfast::call_once(once, [] { calls += 1; });
    meeting.arrive_and_wait();
    permit.release();
    {
        std::unique_lock<holdfast::mutex> lock(mutex);
        changed.wait(lock, [] { return turn == 1; });
    }
    done.set();
}

static task lock_and_wait(holdfast::event &until)
{
    const std::unique_lock<holdfast::mutex> guard = co_await mutex.lock_async();
    expect(false, "a destroyed coroutine goes on");
    co_await until.wait_async();
}

/* Requests a lock and gives it up again and again, beside coroutines that acquire it. */
static void lock_in_vain()
{
    static holdfast::event never;
    const task waiting = lock_and_wait(never);
    waiting.coroutine.destroy();
}

static task wait_for_turn(int number, int &past)
{
    std::unique_lock<holdfast::mutex> lock = co_await mutex.lock_async();
    while (turn != number) {
        co_await changed.wait_async(lock);
    }
    past += 1;
}

static task arrive(holdfast::barrier<> &barrier, int &past)
{
    co_await barrier.arrive_and_wait_async();
    past += 1;
}

static void turn_is(int number)
{
    {
        const std::lock_guard<holdfast::mutex> guard(mutex);
        turn = number;
    }
    changed.notify_all();
}

static task play_here(std::vector<std::thread> &threads)
{
    co_await begun.wait_async();
    for (int number = 0; number < SECTIONS; number += 1) {
        lock_in_vain();
        {
            const auto guard = co_await mutex.try_lock_async_for(hours(1));
            expect(guard.owns_lock(), "a mutex");
            section();
            expect(!mutex.try_lock(), "the thread is one owner");
        }
        {
            const std::unique_lock<holdfast::recursive_mutex> guard = co_await nested.lock_async();
            const std::lock_guard<holdfast::recursive_mutex> again(nested);
            expect(nested.depth() == 2, "locked twice");
        }
        const std::shared_lock<holdfast::shared_mutex> reader = co_await table.lock_shared_async();
        expect(!table.try_lock(), "a reader");
    }
    {
        const std::unique_lock<holdfast::shared_mutex> writer = co_await table.lock_async();
        expect(!table.try_lock_shared(), "a writer");
    }
    co_await holdfast::call_once_async(once, [] { calls += 1; });
    co_await meeting.arrive_and_wait_async();
    for (int number = 0; number < THREADS; number += 1) {
        co_await permit.acquire_async();
    }
    expect(!co_await permit.try_acquire_async_for(milliseconds(1)), "no permit is left");
    turn_is(1);
    co_await done.wait_async();
    for (std::thread &thread : threads) {
        thread.join();
    }
    std::printf("%d %d %d\n", left, right, calls);
    emscripten_force_exit(failures == 0 ? 0 : 1);
}

/* Coroutines of one thread that end each other's waits. Some are destroyed while they wait. */
static task play_alone(std::vector<std::thread> &threads)
{
    static holdfast::event never;
    int past = 0;
    task first = wait_for_turn(2, past);
    wait_for_turn(2, past);
    expect(!co_await never.wait_async_for(milliseconds(1)), "an event that nobody sets");
    turn_is(2);
    first.coroutine.destroy(); /* it has been let through, and is to take the mutex */
    {
        const std::unique_lock<holdfast::mutex> guard = co_await mutex.lock_async();
        expect(guard.owns_lock(), "the mutex after that");
    }
    expect(!co_await never.wait_async_for(milliseconds(20)), "an event that nobody sets");
    expect(past == 1, "one of two goes on");

    holdfast::barrier<> pair(2);
    first = arrive(pair, past);
    first.coroutine.destroy(); /* takes its arrival back */
    first = arrive(pair, past);
    expect(!co_await never.wait_async_for(milliseconds(1)), "an event that nobody sets");
    expect(past == 1, "one is not enough");
    (void)pair.arrive();
    first.coroutine.destroy(); /* the round is over */
    expect(!co_await never.wait_async_for(milliseconds(20)), "an event that nobody sets");
    expect(past == 1, "a destroyed coroutine goes on");
    hf_async_forget(pair.native_handle(), sizeof pair);

    for (int number = 0; number < THREADS; number += 1) {
        threads.emplace_back(play);
    }
    play_here(threads);
}

int main()
{
    static std::vector<std::thread> threads;
    play_alone(threads);
    return 0; // to the event loop
}
