/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Coroutines that wait by holdfast/async.hpp. There is no event loop here, so callbacks.hpp stands for what
 * Emscripten programs link: the locks are real, and the test says when callbacks come. AddressSanitizer sees
 * a coroutine that goes on after its end, and what is never freed. */
#include "cxx_callbacks.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cxx_runner.hpp"

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;

/* Runs until its first wait. Its end, or its destruction, destroys the coroutine. */
class task
{
  public:
    struct promise_type {
        std::exception_ptr error;

        task get_return_object()
        {
            return task(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        std::suspend_never initial_suspend() noexcept
        {
            return {};
        }
        std::suspend_always final_suspend() noexcept
        {
            return {};
        }
        void return_void()
        {
        }
        void unhandled_exception()
        {
            error = std::current_exception();
        }
    };

    task(task &&other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr))
    {
    }
    task &operator=(task &&other) noexcept
    {
        std::swap(coroutine_, other.coroutine_);
        return *this;
    }
    ~task()
    {
        if (coroutine_) {
            coroutine_.destroy();
        }
    }

    bool is_done() const
    {
        return coroutine_.done();
    }

    /* Throws the error of a coroutine that is done. */
    void rethrow() const
    {
        CHECK(is_done());
        if (coroutine_.promise().error) {
            std::rethrow_exception(coroutine_.promise().error);
        }
    }

  private:
    explicit task(std::coroutine_handle<promise_type> coroutine) : coroutine_(coroutine)
    {
    }
    std::coroutine_handle<promise_type> coroutine_;
};

/* Destroys itself at its end. An exception leaves its callback, and the coroutine stays alive for the code
 * that catches the exception. */
struct detached {
    static std::coroutine_handle<> left;

    struct promise_type {
        detached get_return_object()
        {
            return {};
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
            left = std::coroutine_handle<promise_type>::from_promise(*this);
            throw;
        }
    };
};

std::coroutine_handle<> detached::left;

static holdfast::mutex mutex;
static holdfast::recursive_mutex nested;
static holdfast::shared_mutex table;
static holdfast::binary_semaphore permit(0);
static holdfast::event manual;

template <class Words> bool is_zero(const Words *words)
{
    const Words zero = Words();
    return std::memcmp(words, &zero, sizeof zero) == 0;
}

/* The objects that each way to get a lock is tried on. */
struct of_mutex {
    static auto get()
    {
        return mutex.lock_async();
    }
    static auto get_for(milliseconds time)
    {
        return mutex.try_lock_async_for(time);
    }
    static void take()
    {
        mutex.lock();
    }
    static void give()
    {
        mutex.unlock();
    }
    static bool is_free()
    {
        return is_zero(mutex.native_handle());
    }
    static bool recover()
    {
        return mutex.recover([] {});
    }
};

struct of_recursive {
    static auto get()
    {
        return nested.lock_async();
    }
    static auto get_for(milliseconds time)
    {
        return nested.try_lock_async_for(time);
    }
    static void take()
    {
        nested.lock();
    }
    static void give()
    {
        nested.unlock();
    }
    static bool is_free()
    {
        return is_zero(nested.native_handle());
    }
    static bool recover()
    {
        return nested.recover([] {});
    }
};

struct of_writer {
    static auto get()
    {
        return table.lock_async();
    }
    static auto get_for(milliseconds time)
    {
        return table.try_lock_async_for(time);
    }
    static void take()
    {
        table.lock();
    }
    static void give()
    {
        table.unlock();
    }
    static bool is_free()
    {
        return is_zero(table.native_handle());
    }
    static bool recover()
    {
        return table.recover([] {});
    }
};

struct of_reader : of_writer {
    static auto get()
    {
        return table.lock_shared_async();
    }
    static auto get_for(milliseconds time)
    {
        return table.try_lock_shared_async_for(time);
    }
};

struct of_upgradable : of_writer {
    static auto get()
    {
        return table.lock_upgrade_async();
    }
    static auto get_for(milliseconds time)
    {
        return table.try_lock_upgrade_async_for(time);
    }
};

/* Notes its number when it holds the lock. */
template <class Way> task hold(std::vector<int> &order, int number, holdfast::event &until)
{
    const auto guard = co_await Way::get();
    CHECK(guard.owns_lock());
    order.push_back(number);
    co_await until.wait_async();
}

template <class Way> void is_got_in_order_and_given_back()
{
    std::vector<int> order;
    holdfast::event first_end;
    holdfast::event second_end;
    task first = hold<Way>(order, 1, first_end);
    CHECK(order.empty()); /* a lock that is free is not granted within the call either */
    Way::take();
    task second = hold<Way>(order, 2, second_end);
    callbacks.run();
    CHECK(order.empty() && callbacks.count() == 2);
    Way::give();
    callbacks.run();
    CHECK(!Way::is_free() && order.front() == 1);
    first_end.set();
    callbacks.run();
    first.rethrow();
    CHECK(order.size() == 2 && order.back() == 2);
    second_end.set();
    callbacks.run();
    second.rethrow();
    CHECK(Way::is_free() && callbacks.count() == 0);
}

template <class Way> task try_to_hold(milliseconds time, std::optional<bool> &is_got)
{
    const auto guard = co_await Way::get_for(time);
    is_got = static_cast<bool>(guard);
}

template <class Way> void a_guard_that_was_too_late_holds_nothing()
{
    std::optional<bool> late;
    std::optional<bool> in_time;
    Way::take();
    task first = try_to_hold<Way>(milliseconds(5), late);
    task second = try_to_hold<Way>(hours(1), in_time);
    CHECK(callbacks.last_deadline_ns() != HF_FOREVER);
    callbacks.time_is_up(5);
    callbacks.run();
    first.rethrow();
    CHECK(late == false && !in_time && !Way::is_free());
    Way::give();
    callbacks.run();
    second.rethrow();
    CHECK(in_time == true && Way::is_free());
}

template <class Way> void what_is_abandoned_is_told_and_not_held()
{
    std::thread([] { Way::take(); }).join();
    std::vector<int> order;
    task told = hold<Way>(order, 1, manual);
    std::optional<bool> is_got;
    task late = try_to_hold<Way>(milliseconds(5), is_got);
    callbacks.run();
    CHECK(throws(std::errc::owner_dead, [&] { told.rethrow(); }));
    CHECK(throws(std::errc::owner_dead, [&] { late.rethrow(); }));
    CHECK(order.empty() && !is_got);
    CHECK(Way::recover());
    CHECK(Way::is_free());
}

/* Destroys a coroutine that waits, and one that was granted the lock but has not been called back. */
template <class Way> void a_destroyed_coroutine_loses_no_lock()
{
    std::vector<int> order;
    Way::take();
    {
        const task waits = hold<Way>(order, 1, manual);
        callbacks.settle();
    }
    CHECK(callbacks.count() == 0);
    Way::give();
    CHECK(Way::is_free());
    {
        const task has_it = hold<Way>(order, 2, manual);
        callbacks.settle();
        CHECK(!Way::is_free());
    }
    CHECK(Way::is_free() && callbacks.count() == 0);
    {
        const task holds = hold<Way>(order, 3, manual);
        callbacks.run();
        CHECK(order.size() == 1 && !Way::is_free());
    }
    CHECK(Way::is_free() && callbacks.count() == 0); /* released by its guard; and its wait has ended */
    callbacks.run();
}

template <class Way> void all_of_a_lock()
{
    is_got_in_order_and_given_back<Way>();
    a_guard_that_was_too_late_holds_nothing<Way>();
    what_is_abandoned_is_told_and_not_held<Way>();
    a_destroyed_coroutine_loses_no_lock<Way>();
}

static void coroutines_acquire_a_mutex()
{
    all_of_a_lock<of_mutex>();
}

static void coroutines_acquire_a_recursive_mutex()
{
    all_of_a_lock<of_recursive>();
    task holder = []() -> task {
        const std::unique_lock<holdfast::recursive_mutex> guard = co_await nested.lock_async();
        const std::lock_guard<holdfast::recursive_mutex> again(nested);
        CHECK(nested.depth() == 2);
    }();
    callbacks.run();
    holder.rethrow();
    CHECK(nested.depth() == 0);
}

static void coroutines_acquire_a_shared_mutex()
{
    all_of_a_lock<of_writer>();
    all_of_a_lock<of_reader>();
    all_of_a_lock<of_upgradable>();
    std::vector<int> order;
    holdfast::event end;
    task first = hold<of_reader>(order, 1, end);
    task second = hold<of_reader>(order, 2, end);
    task writer = hold<of_writer>(order, 3, end);
    callbacks.run();
    CHECK(order.size() == 2);
    end.set();
    callbacks.run();
    callbacks.run();
    writer.rethrow();
    CHECK(order.size() == 3 && of_writer::is_free());
}

/* Notes r when it reads, w when it writes, and - if its time was up first. */
static task upgrade(std::string &notes, std::optional<milliseconds> limit)
{
    holdfast::upgrade_lock<holdfast::shared_mutex> reader = co_await table.lock_upgrade_async();
    notes += 'r';
    std::unique_lock<holdfast::shared_mutex> writer;
    if (limit) {
        writer = co_await reader.try_upgrade_async_for(*limit);
    } else {
        writer = co_await reader.upgrade_async();
    }
    CHECK(writer.owns_lock() != reader.owns_lock());
    notes += writer ? 'w' : '-';
}

static void a_coroutine_upgrades_when_the_readers_have_gone()
{
    std::string notes;
    table.lock_shared();
    task upgrades = upgrade(notes, std::nullopt);
    callbacks.run();
    CHECK(notes == "r");
    table.unlock_shared();
    callbacks.run();
    upgrades.rethrow();
    CHECK(notes == "rw" && of_writer::is_free());
}

static void an_upgrade_that_is_late_or_destroyed_leaves_the_reader_upgradable()
{
    std::string notes;
    table.lock_shared();
    task late = upgrade(notes, milliseconds(5));
    callbacks.run();
    callbacks.time_is_up(5);
    callbacks.run();
    late.rethrow();
    CHECK(notes == "r-");
    {
        const task destroyed = upgrade(notes, std::nullopt);
        callbacks.run();
        CHECK(notes == "r-r" && callbacks.count() == 1);
    }
    CHECK(callbacks.count() == 0);
    table.unlock_shared();
    CHECK(of_writer::is_free());
    holdfast::upgrade_lock<holdfast::shared_mutex> without;
    CHECK(throws(std::errc::operation_not_permitted, [&] { (void)without.upgrade_async(); }));
}

static task give_guard(std::unique_lock<holdfast::mutex> &to)
{
    to = co_await mutex.lock_async();
}

static void a_guard_outlives_its_coroutine()
{
    std::unique_lock<holdfast::mutex> kept;
    {
        const task giver = give_guard(kept);
        callbacks.run();
        giver.rethrow();
    }
    CHECK(kept.owns_lock() && hf_mutex_is_mine(mutex.native_handle()));
    kept.unlock();
    CHECK(of_mutex::is_free());
}

/* Returns whether a wait for `time` has its deadline `ns` nanoseconds after the call. */
template <class Rep, class Period> bool has_limit(std::chrono::duration<Rep, Period> time, std::int64_t ns)
{
    const std::int64_t before = hf_now_ns();
    const auto wait = [](std::chrono::duration<Rep, Period> limit) -> task {
        (void)co_await manual.wait_async_for(limit);
    };
    const task waits = wait(time);
    const std::int64_t deadline = callbacks.last_deadline_ns();
    return deadline >= before + ns && deadline <= hf_now_ns() + ns;
}

static void time_limits_are_deadlines()
{
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(has_limit(microseconds(1500), 1500000));
    CHECK(has_limit(std::chrono::duration<double>(0.25), 250 * HF_MILLISECOND));
    CHECK(has_limit(milliseconds(0), 0) && has_limit(milliseconds(-7), 0));
    CHECK(has_limit(std::chrono::duration<double>(nan), 0));
    CHECK(has_limit(std::chrono::nanoseconds::min(), 0));
    {
        const auto wait = [](hours limit) -> task { (void)co_await manual.wait_async_for(limit); };
        const task waits = wait(hours::max());
        CHECK(callbacks.last_deadline_ns() == HF_FOREVER);
    }
    CHECK(callbacks.count() == 0);
}

/* Notes the result of the wait, and the coroutine's name. */
template <class Wait> task note(std::string &notes, Wait wait, char name)
{
    using result = decltype(wait().await_resume());
    if constexpr (std::is_void_v<result>) {
        co_await wait();
        notes += name;
    } else {
        notes += co_await wait() ? name : '-';
    }
}

static void coroutines_acquire_permits()
{
    std::string notes;
    const auto acquire = [] { return permit.acquire_async(); };
    const auto acquire_for = [] { return permit.try_acquire_async_for(milliseconds(5)); };
    const task first = note(notes, acquire, 'a');
    const task late = note(notes, acquire_for, 'b');
    callbacks.run();
    CHECK(notes.empty());
    callbacks.time_is_up(5);
    callbacks.run();
    CHECK(notes == "-");
    permit.release();
    callbacks.run();
    CHECK(notes == "-a");
    const task in_time = note(notes, acquire_for, 'c');
    permit.release();
    callbacks.run();
    CHECK(notes == "-ac");
    permit.release();
    {
        const task destroyed = note(notes, acquire, 'd');
        callbacks.settle();
        CHECK(hf_semaphore_value(permit.native_handle()) == 0);
    }
    CHECK(hf_semaphore_value(permit.native_handle()) == 1 && callbacks.count() == 0);
    CHECK(permit.try_acquire());
    holdfast::counting_semaphore<5> seats(1);
    const task seated = note(
        notes, [&] { return seats.acquire_async(); }, 'e');
    callbacks.run();
    CHECK(notes == "-ace");
}

static void events_and_latches_release_coroutines()
{
    std::string notes;
    holdfast::event automatic(holdfast::event_reset::automatic);
    const auto wait = [&] { return automatic.wait_async(); };
    const auto wait_for = [&] { return automatic.wait_async_for(milliseconds(5)); };
    const task first = note(notes, wait, 'a');
    const task late = note(notes, wait_for, 'b');
    automatic.set();
    callbacks.run();
    callbacks.time_is_up(5);
    callbacks.run();
    CHECK(notes == "a-" && !automatic.is_set());
    automatic.set();
    {
        const task destroyed = note(notes, wait, 'c');
        callbacks.settle();
        CHECK(!automatic.is_set());
    }
    CHECK(automatic.is_set());

    holdfast::latch gate(1);
    const holdfast::latch &seen = gate;
    const task opened = note(
        notes, [&] { return seen.wait_async(); }, 'd');
    const task shut = note(
        notes, [&] { return seen.wait_async_for(milliseconds(5)); }, 'e');
    callbacks.time_is_up(5);
    callbacks.run();
    gate.count_down();
    callbacks.run();
    const task open = note(
        notes, [&] { return seen.wait_async_for(milliseconds(5)); }, 'f');
    {
        const task destroyed = note(
            notes, [&] { return seen.wait_async(); }, 'g');
        callbacks.settle();
    }
    callbacks.run();
    CHECK(notes == "a--df" && callbacks.count() == 0);
}

static void coroutines_meet_at_a_barrier()
{
    std::string notes;
    holdfast::barrier<> meeting(2);
    const auto meet = [&] { return meeting.arrive_and_wait_async(); };
    const task first = note(notes, meet, 'a');
    callbacks.run();
    CHECK(notes.empty());
    const task last = note(notes, meet, 'b');
    CHECK(notes.empty());
    callbacks.run();
    CHECK(notes == "-b");
    {
        const task destroyed = note(notes, meet, 'c');
    }
    const task early = note(notes, meet, 'd'); /* alone again: the earlier arrival was taken back */
    callbacks.run();
    CHECK(notes == "-b" && callbacks.count() == 1);
    {
        const task over = note(notes, meet, 'e'); /* the last wait: its callback cannot be stopped */
        callbacks.settle();
    }
    CHECK(callbacks.count() == 2);
    callbacks.run();
    CHECK(notes == "-b-" && callbacks.count() == 0);
}

static holdfast::condition changed;
static int notified; // the waited-for state, guarded by the mutex

static task wait_for_change(std::string &notes, char name, holdfast::condition &condition = changed)
{
    std::unique_lock<holdfast::mutex> lock = co_await mutex.lock_async();
    while (notified == 0) {
        co_await condition.wait_async(lock);
        CHECK(lock.owns_lock() && hf_mutex_is_mine(mutex.native_handle()));
    }
    notified -= 1;
    notes += name;
}

static void change()
{
    {
        const std::lock_guard<holdfast::mutex> guard(mutex);
        notified += 1;
    }
    changed.notify_one();
}

static void a_condition_releases_coroutines()
{
    std::string notes;
    const task first = wait_for_change(notes, 'a');
    const task second = wait_for_change(notes, 'b');
    callbacks.run();
    callbacks.run();
    CHECK(of_mutex::is_free() && callbacks.count() == 2);
    change();
    mutex.lock();
    callbacks.run();
    CHECK(notes.empty()); /* it waits for the mutex */
    mutex.unlock();
    callbacks.run();
    CHECK(notes == "a" && of_mutex::is_free());
    change();
    callbacks.run();
    second.rethrow();
    CHECK(notes == "ab" && of_mutex::is_free());
}

static task wait_and_note(std::string &notes, std::unique_lock<holdfast::mutex> &lock)
{
    const std::cv_status status = co_await changed.wait_async_for(lock, milliseconds(5));
    notes += status == std::cv_status::timeout ? '-' : '+';
}

static void a_condition_wait_may_time_out()
{
    std::string notes;
    std::unique_lock<holdfast::mutex> lock(mutex);
    const task late = wait_and_note(notes, lock);
    CHECK(!lock.owns_lock() && of_mutex::is_free());
    callbacks.time_is_up(5);
    callbacks.run();
    CHECK(lock.owns_lock() && hf_mutex_is_mine(mutex.native_handle()));
    const task in_time = wait_and_note(notes, lock);
    changed.notify_all();
    callbacks.run();
    CHECK(notes == "-+" && lock.owns_lock());
    lock.unlock();
}

static task wait_in_vain(std::unique_lock<holdfast::mutex> &lock, bool &is_refused)
{
    auto wait = changed.wait_async(lock); /* outlives its exception */
    try {
        co_await wait;
    } catch (const std::system_error &error) {
        is_refused = error.code() == std::errc::value_too_large;
    }
    callbacks.run();
}

static void a_condition_refuses_misuse()
{
    std::string notes;
    std::unique_lock<holdfast::mutex> lock(mutex, std::defer_lock);
    const task not_held = wait_and_note(notes, lock);
    CHECK(throws(std::errc::operation_not_permitted, [&] { not_held.rethrow(); }));
    lock.lock();
    callbacks.is_full = true;
    bool is_refused = false;
    const task too_many = wait_in_vain(lock, is_refused);
    callbacks.is_full = false;
    too_many.rethrow();
    CHECK(is_refused);
    CHECK(lock.owns_lock() && callbacks.count() == 0);
    callbacks.has_timers = false;
    const task impossible = wait_and_note(notes, lock);
    callbacks.has_timers = true;
    CHECK(throws(std::errc::operation_not_supported, [&] { impossible.rethrow(); }));
    CHECK(lock.owns_lock() && hf_mutex_is_mine(mutex.native_handle()));

    const task told = wait_and_note(notes, lock);
    std::thread([] { mutex.lock(); }).join();
    changed.notify_all();
    callbacks.run();
    CHECK(throws(std::errc::owner_dead, [&] { told.rethrow(); }));
    CHECK(lock.owns_lock() && hf_mutex_is_mine(mutex.native_handle()));
    lock.unlock();
    CHECK(mutex.recover([] {}));

    std::unique_lock<holdfast::mutex> lie(mutex, std::adopt_lock);
    const task lied = wait_and_note(notes, lie);
    callbacks.run();
    CHECK(throws(std::errc::operation_not_permitted, [&] { lied.rethrow(); }));
    CHECK(lie.release() == &mutex && notes.empty() && of_mutex::is_free());
}

static void a_destroyed_waiter_of_a_condition_loses_no_wake_and_no_mutex()
{
    std::string notes;
    callbacks.notifies = 0;
    {
        const task waits = wait_for_change(notes, 'a');
        callbacks.run();
        CHECK(of_mutex::is_free() && callbacks.count() == 1);
    }
    CHECK(callbacks.count() == 0 && callbacks.notifies == 0);

    std::optional<task> first = wait_for_change(notes, 'b');
    const task second = wait_for_change(notes, 'c');
    callbacks.run();
    callbacks.run();
    change();
    callbacks.settle(); /* the first one has the mutex */
    CHECK(hf_mutex_is_mine(mutex.native_handle()));
    callbacks.notifies = 0;
    first.reset();
    CHECK(callbacks.notifies == 1 && callbacks.count() == 2);
    callbacks.run();
    callbacks.run();
    second.rethrow();
    CHECK(notes == "c" && of_mutex::is_free() && callbacks.count() == 0);

    first = wait_for_change(notes, 'd');
    callbacks.run();
    change();
    mutex.lock();
    first.reset(); /* it waits for the mutex, which is held */
    mutex.unlock();
    callbacks.run();
    CHECK(notes == "c" && of_mutex::is_free() && callbacks.count() == 0);
    notified = 0;
}

static task wait_without_limit(std::unique_lock<holdfast::mutex> &lock)
{
    co_await changed.wait_async(lock);
}

static void forgotten_requests_leave_nothing_behind()
{
    std::string notes;
    holdfast::barrier<> alone(1);
    const auto meet = [&] { return alone.arrive_and_wait_async(); };
    {
        const task waits = wait_for_change(notes, 'a');
        callbacks.run();
        const task over = note(notes, meet, 'b');
        change();
        mutex.lock();
        callbacks.settle();
    }
    CHECK(callbacks.count() == 2); /* both waits take the mutex back, so neither could be cancelled */
    callbacks.forget();
    mutex.unlock();
    notified = 0;

    callbacks.notifies = 0;
    {
        const task waits = wait_for_change(notes, 'c');
        callbacks.run();
        const task over = note(notes, meet, 'd');
        callbacks.settle();
        callbacks.forget();
    }
    CHECK(callbacks.notifies == 0); /* the condition may have been freed */
    callbacks.run();
    CHECK(notes.empty() && of_mutex::is_free());
}

static void coroutines_send_and_receive()
{
    std::string notes;
    holdfast::channel<64> channel;
    char buffer[8] = "";
    std::size_t size = 9;
    const auto receive = [&] { return channel.receive_async(buffer, sizeof buffer, size); };
    const auto send = [&] { return channel.send_async("1234567", 8); };
    const task first = note(notes, receive, 'a');
    callbacks.run();
    CHECK(notes.empty() && size == 9);
    CHECK(channel.send("one", 3));
    callbacks.run();
    CHECK(notes == "a" && size == 3 && std::memcmp(buffer, "one", 3) == 0);

    std::vector<task> sent;
    for (const char name : {'b', 'c', 'd', 'e', 'f'}) {
        sent.push_back(note(notes, send, name));
    }
    callbacks.run();
    CHECK(notes == "abcde" && channel.length() == 4);
    const task late = note(
        notes, [&] { return channel.send_async_for("", 0, milliseconds(5)); }, 'g');
    callbacks.time_is_up(5);
    callbacks.run();
    CHECK(notes == "abcde-");
    {
        const task destroyed = note(notes, send, 'h');
    }
    CHECK(callbacks.count() == 1);
    CHECK(channel.receive(buffer, SIZE_MAX, size) && size == 8);
    callbacks.run();
    CHECK(notes == "abcde-f" && channel.length() == 4 && callbacks.count() == 0);
}

static void coroutines_hear_of_a_closed_channel_and_of_misuse()
{
    std::string notes;
    holdfast::channel<64> channel;
    char buffer[8] = "";
    std::size_t size = 9;
    const auto receive = [&] { return channel.receive_async(buffer, 2, size); };
    const task late = note(
        notes, [&] { return channel.receive_async_for(buffer, 2, size, milliseconds(5)); }, 'a');
    callbacks.time_is_up(5);
    callbacks.run();
    CHECK(notes == "-" && size == 9);
    const task without_memory = note(notes, receive, 'b');
    callbacks.time_is_up(HF_FOREVER);
    callbacks.run();
    CHECK(throws(std::errc::timed_out, [&] { without_memory.rethrow(); }));

    CHECK(channel.send("one", 3));
    const task too_small = note(notes, receive, 'c');
    const task too_large = note(
        notes, [&] { return channel.send_async(buffer, SIZE_MAX); }, 'd');
    callbacks.run();
    CHECK(throws(std::errc::value_too_large, [&] { too_small.rethrow(); }) && size == 3);
    CHECK(throws(std::errc::value_too_large, [&] { too_large.rethrow(); }));
    CHECK(channel.length() == 1 && channel.receive(buffer, sizeof buffer, size));

    const task last = note(notes, receive, 'e');
    callbacks.run();
    channel.close();
    const task refused = note(
        notes, [&] { return channel.send_async("", 0); }, 'f');
    callbacks.run();
    CHECK(notes == "---" && callbacks.count() == 0);
}

/* Forgets the condition and frees its memory: AddressSanitizer reports later uses. */
static void forget(std::unique_ptr<holdfast::condition> &condition)
{
    callbacks.forget(condition.get(), sizeof *condition);
    condition.reset();
}

static void a_condition_may_be_forgotten_before_its_mutex()
{
    std::string notes;
    callbacks.notifies = 0;
    auto brief = std::make_unique<holdfast::condition>();
    {
        const task waits = wait_for_change(notes, 'a', *brief);
        callbacks.run();
        CHECK(callbacks.count() == 1);
        forget(brief);
        CHECK(callbacks.count() == 0);
    }
    CHECK(callbacks.notifies == 0); /* the condition no longer exists */

    brief = std::make_unique<holdfast::condition>();
    std::optional<task> first = wait_for_change(notes, 'b', *brief);
    std::optional<task> second = wait_for_change(notes, 'c', *brief);
    callbacks.run();
    callbacks.run();
    mutex.lock();
    brief->notify_one();
    callbacks.settle(); /* the first waits for the mutex, the second for the condition */
    second.reset();
    CHECK(callbacks.notifies == 1 && callbacks.count() == 1);
    first.reset();
    CHECK(callbacks.notifies == 2 && callbacks.count() == 1);
    forget(brief);
    CHECK(callbacks.count() == 1); /* the mutex was not forgotten, so its callback comes */
    mutex.unlock();
    callbacks.settle();
    CHECK(!of_mutex::is_free());
    callbacks.run();
    CHECK(callbacks.count() == 0 && of_mutex::is_free());
    CHECK(notes.empty() && callbacks.notifies == 2);
}

/* As if the engine had no memory for a wait: for the notify, and for the mutex. */
static void a_condition_wait_throws_if_the_engine_cannot_wait()
{
    std::unique_lock<holdfast::mutex> lock(mutex);
    const task no_notify = wait_without_limit(lock);
    callbacks.time_is_up(HF_FOREVER);
    callbacks.run();
    CHECK(throws(std::errc::timed_out, [&] { no_notify.rethrow(); }));
    CHECK(lock.owns_lock() && hf_mutex_is_mine(mutex.native_handle()));

    std::string notes;
    std::optional<task> no_mutex = wait_and_note(notes, lock);
    std::unique_lock<holdfast::mutex> other(mutex); /* this thread's own lock, not the waiter's */
    changed.notify_all();
    callbacks.settle();
    callbacks.time_is_up(5);
    callbacks.run();
    CHECK(throws(std::errc::timed_out, [&] { no_mutex->rethrow(); }));
    CHECK(!lock.owns_lock() && notes.empty() && hf_mutex_is_mine(mutex.native_handle()));

    other.unlock();
    lock.lock();
    no_mutex = wait_and_note(notes, lock);
    other.lock();
    changed.notify_all();
    callbacks.settle();
    no_mutex.reset();
    callbacks.time_is_up(5);
    callbacks.run();
    CHECK(callbacks.count() == 0 && hf_mutex_is_mine(mutex.native_handle()));
    other.unlock();
    CHECK(of_mutex::is_free());
}

static task do_once(holdfast::once &once, int &calls, bool throws_first)
{
    /* Has a name: GCC 12 destroys a temporary with captures twice in an expression with co_await. */
    auto work = [&, kept = std::make_unique<int>(1)] {
        calls += *kept;
        if (throws_first) {
            throw std::runtime_error("not now");
        }
    };
    co_await holdfast::call_once_async(once, std::move(work));
}

static void coroutines_run_a_once_only_once()
{
    holdfast::once once;
    int calls = 0;
    {
        const task destroyed = do_once(once, calls, false);
        callbacks.settle();
    }
    CHECK(calls == 0 && is_zero(once.native_handle()));
    const task fails = do_once(once, calls, true);
    const task does = do_once(once, calls, false);
    const task sees = do_once(once, calls, false);
    callbacks.run();
    callbacks.run();
    bool is_caught = false;
    try {
        fails.rethrow();
    } catch (const std::runtime_error &) {
        is_caught = true;
    }
    does.rethrow();
    sees.rethrow();
    CHECK(is_caught && calls == 2 && once.is_done());
}

static void a_thread_that_cannot_wait_gets_an_error()
{
    std::string notes;
    std::unique_lock<holdfast::mutex> kept;
    holdfast::barrier<> meeting(2);
    callbacks.has_timers = false;
    const task no_lock = give_guard(kept);
    const task no_meeting = note(
        notes, [&] { return meeting.arrive_and_wait_async(); }, 'a');
    callbacks.has_timers = true;
    const auto not_supported = std::errc::operation_not_supported;
    CHECK(throws(not_supported, [&] { no_lock.rethrow(); }));
    CHECK(throws(not_supported, [&] { no_meeting.rethrow(); }));

    mutex.lock();
    const task refused = give_guard(kept);
    const task unmet = note(
        notes, [&] { return meeting.arrive_and_wait_async(); }, 'b');
    callbacks.time_is_up(HF_FOREVER); /* as if the engine had no memory for a wait */
    callbacks.run();
    mutex.unlock();
    CHECK(throws(std::errc::timed_out, [&] { refused.rethrow(); }));
    CHECK(throws(std::errc::timed_out, [&] { unmet.rethrow(); }));
    CHECK(!kept.owns_lock() && notes.empty() && of_mutex::is_free());
}

static detached lock_and_destroy(std::optional<task> &other, int &sections)
{
    const std::unique_lock<holdfast::mutex> guard = co_await mutex.lock_async();
    other.reset();
    sections += 1;
}

static detached lock_and_throw()
{
    const std::unique_lock<holdfast::mutex> guard = co_await mutex.lock_async();
    CHECK(guard.owns_lock());
    throw std::runtime_error("out of a callback");
}

static void a_coroutine_may_throw_or_be_destroyed_in_a_callback()
{
    std::vector<int> order;
    std::optional<task> other;
    int sections = 0;
    lock_and_destroy(other, sections);
    other = hold<of_mutex>(order, 1, manual);
    callbacks.run();
    CHECK(sections == 1 && callbacks.count() == 0 && order.empty() && of_mutex::is_free());

    lock_and_throw();
    lock_and_destroy(other, sections);
    bool is_caught = false;
    try {
        callbacks.run();
    } catch (const std::runtime_error &) {
        is_caught = true;
    }
    CHECK(is_caught);
    detached::left.destroy();
    callbacks.run();
    CHECK(sections == 2 && callbacks.count() == 0 && of_mutex::is_free());
}

static task lock_often(int &sections)
{
    for (int section = 0; section < 1000; section += 1) {
        const std::unique_lock<holdfast::mutex> guard = co_await mutex.lock_async();
        sections += 1;
    }
}

static void a_coroutine_locks_again_and_again()
{
    int sections = 0;
    const task one = lock_often(sections);
    const task another = lock_often(sections);
    while (callbacks.count() != 0) {
        callbacks.run();
    }
    CHECK(sections == 2000 && of_mutex::is_free());
    auto unused = mutex.lock_async(); /* without co_await it asks for nothing */
    CHECK(callbacks.count() == 0);
}

int main()
{
    hf_threads(); /* with a table, deaths are noticed */
    const named_test tests[] = {
        TEST(coroutines_acquire_a_mutex),
        TEST(coroutines_acquire_a_recursive_mutex),
        TEST(coroutines_acquire_a_shared_mutex),
        TEST(a_coroutine_upgrades_when_the_readers_have_gone),
        TEST(an_upgrade_that_is_late_or_destroyed_leaves_the_reader_upgradable),
        TEST(a_guard_outlives_its_coroutine),
        TEST(time_limits_are_deadlines),
        TEST(coroutines_acquire_permits),
        TEST(events_and_latches_release_coroutines),
        TEST(coroutines_meet_at_a_barrier),
        TEST(a_condition_releases_coroutines),
        TEST(a_condition_wait_may_time_out),
        TEST(a_condition_refuses_misuse),
        TEST(a_condition_wait_throws_if_the_engine_cannot_wait),
        TEST(a_destroyed_waiter_of_a_condition_loses_no_wake_and_no_mutex),
        TEST(forgotten_requests_leave_nothing_behind),
        TEST(a_condition_may_be_forgotten_before_its_mutex),
        TEST(coroutines_send_and_receive),
        TEST(coroutines_hear_of_a_closed_channel_and_of_misuse),
        TEST(coroutines_run_a_once_only_once),
        TEST(a_thread_that_cannot_wait_gets_an_error),
        TEST(a_coroutine_may_throw_or_be_destroyed_in_a_callback),
        TEST(a_coroutine_locks_again_and_again),
    };
    watchdog_start(reinterpret_cast<const uint32_t *>(mutex.native_handle()),
                   sizeof mutex / sizeof(uint32_t));
    run_tests(tests);
    watchdog_stop();
    return 0;
}
