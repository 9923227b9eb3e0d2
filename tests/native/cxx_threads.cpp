/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The classes of holdfast.hpp on several threads; their data are plain, so that ThreadSanitizer reports races. */
#include "holdfast/holdfast.hpp"

#include <condition_variable>
#include <functional>
#include <memory>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "cxx_runner.hpp"

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

enum { THREADS = 4, ROUNDS = 2000 };

/* All that threads may wait for, for the watchdog to print. */
static struct {
    holdfast::mutex first;
    holdfast::mutex second;
    holdfast::recursive_mutex nested;
    holdfast::shared_mutex table;
    holdfast::condition changed;
    holdfast::binary_semaphore one{1};
    holdfast::latch start{THREADS};
    holdfast::latch end{THREADS};
    holdfast::barrier<> meeting{THREADS};
    holdfast::event turn{holdfast::event_reset::automatic};
    holdfast::once once;
} locks;

static void on_all_threads(const std::function<void(int)> &work)
{
    std::vector<std::thread> threads;
    for (int number = 0; number < THREADS; number += 1) {
        threads.emplace_back([&work, number] {
            work(number);
            watchdog_progress();
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}

static void two_mutexes_are_taken_in_any_order()
{
    int sum = 0;
    on_all_threads([&](int number) {
        for (int round = 0; round < ROUNDS; round += 1) {
            holdfast::mutex &one = number % 2 ? locks.first : locks.second;
            holdfast::mutex &other = number % 2 ? locks.second : locks.first;
#if __cplusplus >= 201703L
            const std::scoped_lock guard(one, other);
#else
            std::lock(one, other);
            const std::lock_guard<holdfast::mutex> guard(one, std::adopt_lock);
            const std::lock_guard<holdfast::mutex> too(other, std::adopt_lock);
#endif
            sum += 1;
        }
    });
    CHECK(sum == THREADS * ROUNDS);
}

static void each_way_to_lock_excludes_all_others()
{
    int sum = 0;
    on_all_threads([&](int number) {
        for (int round = 0; round < ROUNDS; round += 1) {
            std::unique_lock<holdfast::mutex> lock(locks.first, std::defer_lock);
            switch ((number + round) % 4) {
            case 0:
                lock.lock();
                break;
            case 1:
                CHECK(lock.try_lock_for(hours(1)));
                break;
            case 2:
                CHECK(lock.try_lock_until(steady_clock::time_point::max()));
                break;
            default:
                if (!lock.try_lock()) {
                    lock.lock();
                }
            }
            sum += 1;
        }
    });
    CHECK(sum == THREADS * ROUNDS);
}

static void the_owner_of_a_recursive_mutex_locks_it_again()
{
    int sum = 0;
    on_all_threads([&](int number) {
        for (int round = 0; round < ROUNDS; round += 1) {
            const std::lock_guard<holdfast::recursive_mutex> guard(locks.nested);
            std::unique_lock<holdfast::recursive_mutex> again(locks.nested, std::defer_lock);
            if ((number + round) % 2) {
                CHECK(again.try_lock());
            } else {
                CHECK(again.try_lock_for(hours(1)));
            }
            CHECK(locks.nested.depth() == 2);
            again.unlock();
            sum += 1;
        }
    });
    CHECK(sum == THREADS * ROUNDS);
}

static void a_wait_for_a_held_mutex_does_not_time_out_early()
{
    const std::lock_guard<holdfast::mutex> guard(locks.first);
    std::thread([] {
        const auto before = steady_clock::now();
        CHECK(!locks.first.try_lock());
        CHECK(!locks.first.try_lock_for(milliseconds(5)));
        CHECK(steady_clock::now() - before >= milliseconds(5));
        CHECK(!locks.first.try_lock_for(std::chrono::duration<double, std::milli>(5.5)));
        CHECK(!locks.first.try_lock_for(milliseconds(-5)));
        CHECK(!locks.first.try_lock_until(steady_clock::time_point::min()));
        const auto time = std::chrono::system_clock::now() + milliseconds(5);
        CHECK(!locks.first.try_lock_until(time));
        CHECK(std::chrono::system_clock::now() >= time);
    }).join();
}

static void readers_see_no_write_half_done()
{
    int left = 0;
    int right = 0;
    on_all_threads([&](int number) {
        for (int round = 0; round < ROUNDS; round += 1) {
            if ((number + round) % 2) {
                const std::lock_guard<holdfast::shared_mutex> guard(locks.table);
                left += 1;
                right += 1;
            } else {
#if __cplusplus >= 201402L
                const std::shared_lock<holdfast::shared_mutex> lock(locks.table);
                CHECK(left == right);
#else
                locks.table.lock_shared();
                CHECK(left == right);
                locks.table.unlock_shared();
#endif
            }
        }
    });
    CHECK(left == THREADS * ROUNDS / 2);
}

/* Each thread waits for its number. `wait` and `notify` are of the condition that is tried. */
template <class Wait, class Notify> void go_round(Wait wait, Notify notify)
{
    int next = 0;
    on_all_threads([&](int number) {
        for (int round = 0; round < ROUNDS / 10; round += 1) {
            std::unique_lock<holdfast::mutex> lock(locks.first);
            wait(lock, [&] { return next % THREADS == number; });
            next += 1;
            lock.unlock();
            notify();
        }
    });
    CHECK(next == ROUNDS / 10 * THREADS);
}

static void condition_waits_end_when_their_predicate_is_true()
{
    using lock_type = std::unique_lock<holdfast::mutex>;
    const auto notify = [] { locks.changed.notify_all(); };
    go_round([](lock_type &lock, const std::function<bool()> &is_mine) { locks.changed.wait(lock, is_mine); },
             notify);
    go_round(
        [](lock_type &lock, const std::function<bool()> &is_mine) {
            CHECK(locks.changed.wait_for(lock, hours(1), is_mine));
        },
        notify);
    go_round(
        [](lock_type &lock, const std::function<bool()> &is_mine) {
            CHECK(locks.changed.wait_until(lock, steady_clock::time_point::max(), is_mine));
        },
        notify);
    std::condition_variable_any any;
    go_round([&](lock_type &lock, const std::function<bool()> &is_mine) { any.wait(lock, is_mine); },
             [&] { any.notify_all(); });
}

static void one_notify_ends_one_wait_without_a_timeout()
{
    bool is_set = false;
    std::unique_lock<holdfast::mutex> lock(locks.first);
    std::thread setter([&] {
        const std::lock_guard<holdfast::mutex> guard(locks.first);
        is_set = true;
        locks.changed.notify_one();
    });
    while (!is_set) {
        CHECK(locks.changed.wait_for(lock, hours(1)) == std::cv_status::no_timeout);
    }
    lock.unlock();
    setter.join();
}

static void a_binary_semaphore_lets_one_thread_in_at_a_time()
{
    int sum = 0;
    on_all_threads([&](int number) {
        for (int round = 0; round < ROUNDS; round += 1) {
            if ((number + round) % 2) {
                locks.one.acquire();
            } else {
                CHECK(locks.one.try_acquire_for(hours(1)));
            }
            sum += 1;
            locks.one.release();
        }
    });
    CHECK(sum == THREADS * ROUNDS);
}

static void threads_meet_at_latches_and_barriers()
{
    int seen[THREADS] = {};
    on_all_threads([&](int number) {
        locks.start.arrive_and_wait();
        for (int round = 1; round <= ROUNDS / 10; round += 1) {
            seen[number] = round;
            locks.meeting.arrive_and_wait();
            CHECK(seen[(number + 1) % THREADS] == round);
            locks.meeting.arrive_and_wait();
        }
        locks.end.count_down();
        locks.end.wait();
        CHECK(locks.end.try_wait());
    });
}

static void in_each_round_of_a_barrier_one_thread_is_the_last()
{
    int last = 0;
    on_all_threads([&](int) {
        for (int round = 0; round < ROUNDS / 10; round += 1) {
            if (locks.meeting.arrive_and_wait()) {
                const std::lock_guard<holdfast::mutex> guard(locks.first);
                last += 1;
            }
        }
    });
    CHECK(last == ROUNDS / 10);
}

static void a_completion_sees_all_that_came_before_it()
{
    int seen[THREADS] = {};
    int rounds = 0;
    auto check = [&]() noexcept {
        rounds += 1;
        for (const int each : seen) {
            CHECK(each == rounds);
        }
    };
    holdfast::barrier<decltype(check)> rendezvous(THREADS, check);
    on_all_threads([&](int number) {
        for (int round = 1; round <= ROUNDS / 10; round += 1) {
            seen[number] = round;
            if (round % 2) {
                rendezvous.arrive_and_wait();
            } else {
                rendezvous.wait(rendezvous.arrive());
            }
            CHECK(rounds == round);
        }
    });
}

static void a_dropped_party_is_not_waited_for()
{
    int left = THREADS;
    auto check = [&]() noexcept { left -= 1; };
    holdfast::barrier<decltype(check)> shrinking(THREADS, check);
    on_all_threads([&](int number) {
        for (int round = 0; round < number; round += 1) {
            shrinking.arrive_and_wait();
            CHECK(left == THREADS - round - 1);
        }
        shrinking.arrive_and_drop();
    });
    CHECK(left == 0);
}

static void any_released_thread_may_destroy_a_barrier()
{
    std::unique_ptr<holdfast::barrier<>> barrier;
    on_all_threads([&](int number) {
        for (int round = 0; round < ROUNDS / 10; round += 1) {
            if (number == 0) {
                barrier.reset(new holdfast::barrier<>(THREADS));
            }
            locks.meeting.arrive_and_wait();
            if (barrier->arrive_and_wait()) {
                barrier.reset();
            }
            locks.meeting.arrive_and_wait();
        }
    });
}

static void a_condition_is_destroyed_right_after_a_notify_of_all()
{
    std::unique_ptr<holdfast::condition> condition;
    int waiting = 0;
    on_all_threads([&](int number) {
        for (int round = 0; round < ROUNDS / 10; round += 1) {
            if (number == 0) {
                condition.reset(new holdfast::condition);
                waiting = 0;
            }
            locks.meeting.arrive_and_wait();
            std::unique_lock<holdfast::mutex> lock(locks.first);
            waiting += 1;
            if (waiting < THREADS) {
                condition->wait(lock, [&] { return waiting == THREADS; });
            } else {
                condition->notify_all();
                condition.reset(); // with the mutex held
            }
            lock.unlock();
            locks.meeting.arrive_and_wait();
        }
    });
}

static void an_automatic_event_lets_one_through()
{
    int sum = 0;
    locks.turn.set();
    on_all_threads([&](int) {
        for (int round = 0; round < ROUNDS; round += 1) {
            locks.turn.wait();
            sum += 1;
            locks.turn.set();
        }
    });
    CHECK(sum == THREADS * ROUNDS);
}

static void one_thread_runs_the_work_of_a_once()
{
    int sum = 0;
    on_all_threads([&](int) {
        holdfast::call_once(locks.once, [&] { sum += 1; });
        CHECK(locks.once.is_done() && sum == 1);
    });
}

int main()
{
    const named_test tests[] = {
        TEST(two_mutexes_are_taken_in_any_order),
        TEST(each_way_to_lock_excludes_all_others),
        TEST(the_owner_of_a_recursive_mutex_locks_it_again),
        TEST(a_wait_for_a_held_mutex_does_not_time_out_early),
        TEST(readers_see_no_write_half_done),
        TEST(condition_waits_end_when_their_predicate_is_true),
        TEST(one_notify_ends_one_wait_without_a_timeout),
        TEST(a_binary_semaphore_lets_one_thread_in_at_a_time),
        TEST(threads_meet_at_latches_and_barriers),
        TEST(in_each_round_of_a_barrier_one_thread_is_the_last),
        TEST(a_completion_sees_all_that_came_before_it),
        TEST(a_dropped_party_is_not_waited_for),
        TEST(any_released_thread_may_destroy_a_barrier),
        TEST(a_condition_is_destroyed_right_after_a_notify_of_all),
        TEST(an_automatic_event_lets_one_through),
        TEST(one_thread_runs_the_work_of_a_once),
    };
    watchdog_start(reinterpret_cast<const uint32_t *>(&locks), sizeof locks / sizeof(uint32_t));
    run_tests(tests);
    watchdog_stop();
    return 0;
}
