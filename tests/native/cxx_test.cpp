/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The classes of holdfast.hpp as one thread sees them, in each standard from C++11 up. */
#include "holdfast/holdfast.hpp"

#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <limits>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "cxx_runner.hpp"

using std::chrono::duration;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using std::chrono::system_clock;
using std::chrono::time_point;

#if __cplusplus >= 202002L
#define CONSTANT constinit
#elif defined(__clang__)
#define CONSTANT [[clang::require_constant_initialization]]
#else
#define CONSTANT
#endif

CONSTANT static holdfast::mutex mutex;
CONSTANT static holdfast::mutex other;
CONSTANT static holdfast::recursive_mutex nested;
CONSTANT static holdfast::shared_mutex table_lock;
CONSTANT static holdfast::condition changed;
CONSTANT static holdfast::event event;
CONSTANT static holdfast::once once;
CONSTANT static holdfast::counting_semaphore<5> seats(2);
CONSTANT static holdfast::binary_semaphore one(0);
CONSTANT static holdfast::latch gate(3);
CONSTANT static holdfast::barrier<> meeting(3);

static int completions; // of all barriers here

struct counts {
    void operator()() noexcept
    {
        completions += 1;
    }
};

CONSTANT static holdfast::barrier<counts> counted(1);

template <class Lock> constexpr bool is_words_only()
{
    return !std::is_copy_constructible<Lock>::value && !std::is_move_constructible<Lock>::value &&
           !std::is_copy_assignable<Lock>::value && !std::is_move_assignable<Lock>::value &&
           std::is_standard_layout<Lock>::value;
}

static_assert(is_words_only<holdfast::mutex>() && is_words_only<holdfast::recursive_mutex>() &&
                  is_words_only<holdfast::shared_mutex>() && is_words_only<holdfast::condition>() &&
                  is_words_only<holdfast::event>() && is_words_only<holdfast::once>() &&
                  is_words_only<holdfast::counting_semaphore<>>() && is_words_only<holdfast::latch>() &&
                  is_words_only<holdfast::barrier<>>(),
              "neither copied nor moved");
static_assert(std::is_trivially_destructible<holdfast::mutex>::value &&
                  std::is_trivially_destructible<holdfast::recursive_mutex>::value &&
                  std::is_trivially_destructible<holdfast::shared_mutex>::value &&
                  std::is_trivially_destructible<holdfast::event>::value &&
                  std::is_trivially_destructible<holdfast::once>::value &&
                  std::is_trivially_destructible<holdfast::counting_semaphore<>>::value &&
                  std::is_trivially_destructible<holdfast::latch>::value,
              "nothing to destroy");
static_assert(noexcept(mutex.unlock()) &&noexcept(nested.unlock()) &&noexcept(nested.depth()) &&noexcept(
                  table_lock.unlock()) &&noexcept(table_lock.unlock_shared()),
              "as the named requirements have it");
static_assert(holdfast::counting_semaphore<>::max() >= 1 && holdfast::counting_semaphore<5>::max() == 5 &&
                  holdfast::binary_semaphore::max() == 1,
              "as semaphores of the standard");

template <class Words> bool is_zero(const Words *words)
{
    const Words zero = Words();
    return std::memcmp(words, &zero, sizeof zero) == 0;
}

template <class Words> bool are_same(const Words *some, const Words &others)
{
    return std::memcmp(some, &others, sizeof others) == 0;
}

static void constructors_write_what_the_inits_of_c_write()
{
    CHECK(is_zero(mutex.native_handle()));
    CHECK(is_zero(nested.native_handle()));
    CHECK(is_zero(table_lock.native_handle()));
    CHECK(is_zero(changed.native_handle()));
    CHECK(is_zero(event.native_handle()));
    CHECK(is_zero(once.native_handle()));

    hf_semaphore semaphore;
    hf_semaphore_init(&semaphore, 2, 5);
    CHECK(are_same(seats.native_handle(), semaphore));
    hf_semaphore_init(&semaphore, 0, 1);
    CHECK(are_same(one.native_handle(), semaphore));
    holdfast::counting_semaphore<> most(holdfast::counting_semaphore<>::max());
    hf_semaphore_init(&semaphore, HF_SEMAPHORE_MOST, HF_SEMAPHORE_MOST);
    CHECK(are_same(most.native_handle(), semaphore));

    hf_latch latch;
    hf_latch_init(&latch, 3);
    CHECK(are_same(gate.native_handle(), latch));
    hf_barrier barrier;
    hf_barrier_init(&barrier, 3);
    CHECK(are_same(meeting.native_handle(), barrier));
    hf_event automatic;
    hf_event_init(&automatic, true);
    holdfast::event made(holdfast::event_reset::automatic);
    CHECK(are_same(made.native_handle(), automatic));
    holdfast::event manual(holdfast::event_reset::manual);
    CHECK(is_zero(manual.native_handle()));
}

template <class Rep, class Period = std::ratio<1>> std::int64_t ns(Rep count)
{
    return holdfast::detail::ns_in(duration<Rep, Period>(count));
}

static void durations_are_rounded_up_and_do_not_overflow()
{
    using limits = std::numeric_limits<std::int64_t>;
    using wide = std::uint64_t;
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double infinity = std::numeric_limits<double>::infinity();

    CHECK((ns<int>(0) == 0 && ns<int>(-1) == 0 && ns<int>(2) == 2000000000));
    CHECK((ns<std::int64_t, std::nano>(limits::max()) == HF_FOREVER));
    CHECK((ns<std::int64_t, std::nano>(limits::min()) == 0));
    CHECK((ns<std::int64_t, std::nano>(holdfast::detail::longest_ns) == HF_FOREVER));
    CHECK((ns<std::int64_t, std::nano>(INT64_C(4611686018427386880)) == INT64_C(4611686018427386880)));
    CHECK((ns<std::int64_t, std::ratio<3600>>(limits::max()) == HF_FOREVER));
    CHECK((ns<std::int64_t, std::ratio<3600>>(limits::min()) == 0));
    CHECK((ns<short, std::ratio<3600>>(32767) == INT64_C(117961200000000000)));

    CHECK((ns<int, std::pico>(1) == 1 && ns<int, std::pico>(1000) == 1 && ns<int, std::pico>(1001) == 2));
    CHECK((ns<std::int64_t, std::pico>(limits::max()) == INT64_C(9223372036854776)));
    CHECK((ns<wide, std::pico>(std::numeric_limits<wide>::max()) == INT64_C(18446744073709552)));
    CHECK((ns<wide>(std::numeric_limits<wide>::max()) == HF_FOREVER));
    CHECK((ns<int, std::ratio<1, 3>>(1) == 333333334 && ns<int, std::ratio<1, 3>>(3) == 1000000000));
    /* A hundred years and an hour, in samples. A product of this count and a million would overflow. */
    CHECK((ns<std::int64_t, std::ratio<1, 44100>>(INT64_C(44100) * 3155763600) ==
           INT64_C(3155763600000000000)));

    CHECK((ns<double>(0.5) == 500000000 && ns<float>(0.5F) == 500000000));
    CHECK((ns<double, std::nano>(0.25) == 1 && ns<double, std::nano>(1.25) == 2));
    CHECK((ns<double>(-0.5) == 0 && ns<double>(nan) == 0 && ns<double>(-infinity) == 0));
    CHECK((ns<double>(infinity) == HF_FOREVER && ns<double>(1e300) == HF_FOREVER));
    CHECK((ns<float>(std::numeric_limits<float>::max()) == HF_FOREVER));
    CHECK((ns<long double>(std::numeric_limits<long double>::max()) == HF_FOREVER));

    CHECK(holdfast::detail::deadline_after(hours::max()) == HF_FOREVER);
    const std::int64_t before = hf_now_ns();
    const std::int64_t deadline = holdfast::detail::deadline_after(milliseconds(5));
    CHECK(deadline >= before + 5 * HF_MILLISECOND && deadline <= hf_now_ns() + 5 * HF_MILLISECOND);
}

/* A clock that the test sets. */
struct set_clock {
    using duration = nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<set_clock>;
    static constexpr bool is_steady = false;
    static duration now_is;
    static time_point now()
    {
        return time_point(now_is);
    }
};

constexpr bool set_clock::is_steady;
set_clock::duration set_clock::now_is(0);

template <class Duration> std::int64_t ns_until(std::int64_t now, Duration time)
{
    set_clock::now_is = nanoseconds(now);
    return holdfast::detail::ns_until(time_point<set_clock, Duration>(time));
}

static void times_of_any_clock_do_not_overflow()
{
    using limits = std::numeric_limits<std::int64_t>;
    CHECK(ns_until(100, nanoseconds(101)) == 1);
    CHECK(ns_until(100, nanoseconds(100)) == 0);
    CHECK(ns_until(100, nanoseconds::min()) == 0);
    CHECK(ns_until(100, nanoseconds::max()) == HF_FOREVER);
    CHECK(ns_until(-100, nanoseconds::max()) == HF_FOREVER);
    CHECK(ns_until(limits::max(), nanoseconds::min()) == 0);
    CHECK(ns_until(limits::min(), nanoseconds::max()) == HF_FOREVER);
    CHECK(ns_until(limits::max() - 1, nanoseconds::max()) == 1);
    CHECK(ns_until(1000, hours::max()) == HF_FOREVER);
    CHECK(ns_until(1000, hours::min()) == 0);
    CHECK(ns_until(1000, duration<double, std::micro>(1.0005)) == 1);
    CHECK(ns_until(1000, duration<double>(std::numeric_limits<double>::quiet_NaN())) == 0);
    CHECK(ns_until(1000, duration<double>(std::numeric_limits<double>::infinity())) == HF_FOREVER);
    CHECK(ns_until(1000, duration<double>(-std::numeric_limits<double>::infinity())) == 0);
}

/* At each wait the clock is set back once: a wait that ends before its time starts again. */
static void a_clock_that_was_set_back_makes_the_wait_longer()
{
    set_clock::now_is = nanoseconds(0);
    int waits = 0;
    const hf_result result =
        holdfast::detail::wait_until(set_clock::time_point(nanoseconds(10)), [&](std::int64_t deadline_ns) {
            CHECK(deadline_ns <= hf_now_ns() + 10);
            waits += 1;
            set_clock::now_is += nanoseconds(4);
            return HF_TIMEOUT;
        });
    CHECK(result == HF_TIMEOUT && waits == 3);
    const auto is_got = [](std::int64_t) { return HF_OK; };
    CHECK(holdfast::detail::wait_until(set_clock::time_point(nanoseconds(0)), is_got) == HF_OK);
}

static void a_clock_that_is_set_forward_does_not_make_the_wait_shorter()
{
    set_clock::now_is = nanoseconds(0);
    const std::int64_t before = hf_now_ns();
    const auto wait = [before](std::int64_t deadline_ns) {
        set_clock::now_is += hours(1);
        CHECK(deadline_ns >= before + 3 * HF_MILLISECOND);
        return hf_event_wait_until(event.native_handle(), deadline_ns);
    };
    CHECK(holdfast::detail::wait_until(set_clock::time_point(milliseconds(3)), wait) == HF_TIMEOUT);
    CHECK(hf_now_ns() - before >= 3 * HF_MILLISECOND);
}

static void standard_guards_hold_and_release_the_mutex()
{
    hf_mutex *words = mutex.native_handle();
    {
        const std::lock_guard<holdfast::mutex> guard(mutex);
        CHECK(hf_mutex_is_mine(words));
    }
    CHECK(is_zero(words));
    {
        std::unique_lock<holdfast::mutex> lock(mutex, std::defer_lock);
        CHECK(lock.try_lock() && lock.owns_lock());
        lock.unlock();
        CHECK(lock.try_lock_for(milliseconds(1)));
        lock.unlock();
        CHECK(lock.try_lock_until(system_clock::now() + milliseconds(1)));
    }
    CHECK(is_zero(words));
    {
        const std::unique_lock<holdfast::mutex> lock(mutex, hours(1));
        CHECK(lock.owns_lock() && !mutex.try_lock());
    }
    std::lock(mutex, other);
    CHECK(hf_mutex_is_mine(words) && hf_mutex_is_mine(other.native_handle()));
    CHECK(std::try_lock(mutex, other) == 0);
    mutex.unlock();
    other.unlock();
#if __cplusplus >= 201703L
    {
        const std::scoped_lock guard(mutex, other, table_lock);
        CHECK(hf_mutex_is_mine(words) && hf_rwlock_is_mine(table_lock.native_handle()));
    }
#endif
    CHECK(is_zero(words) && is_zero(other.native_handle()) && is_zero(table_lock.native_handle()));
}

static void a_free_mutex_is_acquired_even_after_the_deadline()
{
    CHECK(mutex.try_lock_for(milliseconds(-1)));
    mutex.unlock();
    CHECK(mutex.try_lock_for(duration<double>(std::numeric_limits<double>::quiet_NaN())));
    mutex.unlock();
    CHECK(mutex.try_lock_until(steady_clock::time_point::min()));
    mutex.unlock();
    CHECK(mutex.try_lock_until(steady_clock::time_point::max()));
    mutex.unlock();
    CHECK(is_zero(mutex.native_handle()));
}

static void a_holder_that_locks_again_is_refused()
{
    const auto deadlock = std::errc::resource_deadlock_would_occur;
    {
        const std::lock_guard<holdfast::mutex> guard(mutex);
        CHECK(throws(deadlock, [] { mutex.lock(); }));
        CHECK(throws(deadlock, [] { (void)mutex.try_lock_for(milliseconds(1)); }));
        CHECK(throws(deadlock, [] { (void)mutex.try_lock_until(steady_clock::now()); }));
        CHECK(throws(deadlock, [] { mutex.recover([] {}); }));
        CHECK(!mutex.try_lock());
        CHECK(hf_mutex_is_mine(mutex.native_handle()));
    }
    CHECK(is_zero(mutex.native_handle()));
    {
        const std::lock_guard<holdfast::shared_mutex> guard(table_lock);
        CHECK(throws(deadlock, [] { table_lock.lock(); }));
        CHECK(throws(deadlock, [] { table_lock.lock_shared(); }));
    }
    CHECK(is_zero(table_lock.native_handle()));
}

/* Runs it on a thread that then ends, whatever it holds. */
template <class Function> void on_another_thread(Function function)
{
    std::thread(function).join();
}

static void an_abandoned_mutex_is_held_by_no_guard_until_it_is_recovered()
{
    CHECK(!mutex.recover([] { CHECK(false); }));
    on_another_thread([] { mutex.lock(); });
    const auto abandoned = std::errc::owner_dead;
    hf_mutex *words = mutex.native_handle();
    CHECK(throws(abandoned, [] { const std::lock_guard<holdfast::mutex> guard(mutex); }));
    CHECK(!hf_mutex_is_mine(words));
    CHECK(throws(abandoned, [] { (void)mutex.try_lock(); }));
    CHECK(throws(abandoned, [] { (void)mutex.try_lock_for(milliseconds(1)); }));
    CHECK(throws(abandoned, [] { std::lock(other, mutex); }));
    CHECK(!hf_mutex_is_mine(words) && is_zero(other.native_handle()));

    bool is_caught = false;
    try {
        mutex.recover([] { throw std::runtime_error("it is beyond repair"); });
    } catch (const std::runtime_error &) {
        is_caught = true;
    }
    CHECK(is_caught && !hf_mutex_is_mine(words));
    CHECK(throws(abandoned, [] { mutex.lock(); }));

    CHECK(mutex.recover([=] { CHECK(hf_mutex_is_mine(words)); }));
    CHECK(is_zero(words));
    CHECK(mutex.try_lock());
    mutex.unlock();
}

static void a_recursive_mutex_is_as_deep_as_it_was_locked()
{
    using lock_type = std::unique_lock<holdfast::recursive_mutex>;
    CHECK(nested.depth() == 0);
    {
        const std::lock_guard<holdfast::recursive_mutex> guard(nested);
        CHECK(nested.depth() == 1);
        const lock_type again(nested, std::try_to_lock);
        const lock_type third(nested, milliseconds(-1));
        const lock_type fourth(nested, steady_clock::time_point::min());
        CHECK(again.owns_lock() && third.owns_lock() && fourth.owns_lock() && nested.depth() == 4);
        std::lock(nested, mutex);
        CHECK(nested.depth() == 5);
        mutex.unlock();
        nested.unlock();
        on_another_thread([] {
            CHECK(nested.depth() == 0 && !nested.try_lock());
            const auto before = steady_clock::now();
            CHECK(!nested.try_lock_for(milliseconds(3)));
            CHECK(steady_clock::now() - before >= milliseconds(3));
            CHECK(!nested.try_lock_until(system_clock::now() + milliseconds(1)));
        });
    }
    CHECK(nested.depth() == 0 && is_zero(nested.native_handle()));
    CHECK(nested.try_lock_for(hours::max()) && nested.try_lock_until(steady_clock::time_point::max()));
    nested.unlock();
    nested.unlock();
    CHECK(is_zero(nested.native_handle()));
}

static void a_recursive_mutex_has_a_greatest_depth()
{
    nested.lock();
    nested.native_handle()->depth = holdfast::recursive_mutex::max_depth() - 1;
    CHECK(nested.depth() == holdfast::recursive_mutex::max_depth());
    CHECK(throws(std::errc::value_too_large, [] { nested.lock(); }));
    CHECK(throws(std::errc::value_too_large, [] { nested.recover([] { CHECK(false); }); }));
    CHECK(!nested.try_lock() && !nested.try_lock_for(hours(1)));
    CHECK(!nested.try_lock_until(steady_clock::now()));
    CHECK(nested.depth() == holdfast::recursive_mutex::max_depth());
    nested.native_handle()->depth = 0;
    nested.unlock();
    CHECK(is_zero(nested.native_handle()));
}

static void an_abandoned_recursive_mutex_is_held_by_no_guard_until_it_is_recovered()
{
    CHECK(!nested.recover([] { CHECK(false); }));
    on_another_thread([] {
        nested.lock();
        nested.lock();
    });
    const auto abandoned = std::errc::owner_dead;
    CHECK(throws(abandoned, [] { const std::lock_guard<holdfast::recursive_mutex> guard(nested); }));
    CHECK(throws(abandoned, [] { (void)nested.try_lock(); }));
    CHECK(throws(abandoned, [] { (void)nested.try_lock_for(milliseconds(1)); }));
    CHECK(nested.depth() == 0);

    bool is_caught = false;
    try {
        nested.recover([] { throw std::runtime_error("it is beyond repair"); });
    } catch (const std::runtime_error &) {
        is_caught = true;
    }
    CHECK(is_caught && nested.depth() == 0);
    CHECK(throws(abandoned, [] { nested.lock(); }));

    CHECK(nested.recover([] {
        const std::lock_guard<holdfast::recursive_mutex> guard(nested);
        CHECK(nested.depth() == 2);
        CHECK(!nested.recover([] { CHECK(false); }));
    }));
    CHECK(is_zero(nested.native_handle()));
}

static void an_abandoned_shared_mutex_is_held_in_no_mode_until_it_is_recovered()
{
    CHECK(!table_lock.recover([] { CHECK(false); }));
    on_another_thread([] { table_lock.lock(); });
    const auto abandoned = std::errc::owner_dead;
    CHECK(throws(abandoned, [] { table_lock.lock(); }));
    CHECK(throws(abandoned, [] { (void)table_lock.try_lock(); }));
    CHECK(throws(abandoned, [] { table_lock.lock_shared(); }));
    CHECK(throws(abandoned, [] { (void)table_lock.try_lock_shared_for(milliseconds(1)); }));
    CHECK(!hf_rwlock_is_mine(table_lock.native_handle()));
    CHECK(table_lock.recover([] { CHECK(hf_rwlock_is_mine(table_lock.native_handle())); }));
    CHECK(is_zero(table_lock.native_handle()));
}

static void a_wait_whose_mutex_is_abandoned_meanwhile_throws_with_the_mutex_held()
{
    std::unique_lock<holdfast::mutex> lock(mutex);
    std::thread dying([] {
        mutex.lock();
        changed.notify_all();
    });
    CHECK(throws(std::errc::owner_dead, [&] { changed.wait(lock); }));
    CHECK(lock.owns_lock() && hf_mutex_is_mine(mutex.native_handle()));
    lock.unlock();
    dying.join();
    CHECK(mutex.recover([] {}));
}

static void a_downgrade_makes_the_writer_a_reader()
{
    table_lock.lock();
    table_lock.downgrade();
    CHECK(!table_lock.try_lock() && table_lock.try_lock_shared());
    table_lock.unlock_shared();
    table_lock.unlock_shared();
#if __cplusplus >= 201402L
    {
        std::unique_lock<holdfast::shared_mutex> writer(table_lock);
        table_lock.downgrade();
        const std::shared_lock<holdfast::shared_mutex> reader(*writer.release(), std::adopt_lock);
        CHECK(!table_lock.try_lock());
    }
#endif
    CHECK(is_zero(table_lock.native_handle()));
}

static void an_upgradable_reader_becomes_the_writer()
{
    table_lock.lock_upgrade();
    on_another_thread([] {
        CHECK(table_lock.try_lock_shared());
        table_lock.unlock_shared();
        CHECK(!table_lock.try_lock() && !table_lock.try_lock_upgrade());
        CHECK(!table_lock.try_lock_upgrade_for(milliseconds(1)));
        CHECK(!table_lock.try_lock_upgrade_until(system_clock::now() - hours(1)));
        const auto refused = std::errc::operation_not_permitted;
        CHECK(throws(refused, [] { table_lock.unlock_upgrade_and_lock(); }));
        CHECK(throws(refused, [] { (void)table_lock.try_unlock_upgrade_and_lock(); }));
    });
    CHECK(throws(std::errc::resource_deadlock_would_occur, [] { table_lock.lock_upgrade(); }));
    table_lock.unlock_upgrade_and_lock();
    CHECK(hf_rwlock_is_mine(table_lock.native_handle()));
    table_lock.unlock_and_lock_shared();
    table_lock.unlock_shared();
    CHECK(table_lock.try_lock_upgrade_for(milliseconds(1)));
    table_lock.unlock_upgrade_and_lock_shared();
    CHECK(table_lock.try_lock_shared());
    table_lock.unlock_shared();
    table_lock.unlock_shared();
    CHECK(table_lock.try_lock_upgrade_until(steady_clock::now()));
    table_lock.unlock_upgrade();
    CHECK(is_zero(table_lock.native_handle()));
}

static void an_upgrade_that_is_not_possible_in_time_leaves_the_reader_upgradable()
{
    CHECK(table_lock.try_lock_upgrade());
    on_another_thread([] { table_lock.lock_shared(); }); /* nobody finds a dead reader */
    CHECK(!table_lock.try_unlock_upgrade_and_lock());
    const auto time = steady_clock::now() + milliseconds(1);
    CHECK(!table_lock.try_unlock_upgrade_and_lock_for(milliseconds(1)) && steady_clock::now() >= time);
    CHECK(!table_lock.try_unlock_upgrade_and_lock_until(system_clock::now() - hours(1)));
    CHECK(hf_rwlock_is_upgradable_mine(table_lock.native_handle()));
    table_lock.unlock_shared();
    CHECK(table_lock.try_unlock_upgrade_and_lock_for(hours::max()));
    table_lock.unlock();
    for (bool (*get)() :
         {+[] { return table_lock.try_unlock_upgrade_and_lock(); },
          +[] { return table_lock.try_unlock_upgrade_and_lock_until(steady_clock::now()); }}) {
        table_lock.lock_upgrade();
        CHECK(get());
        table_lock.unlock();
    }
    CHECK(is_zero(table_lock.native_handle()));
}

static void an_upgrade_lock_owns_its_mutex_until_it_ends_or_has_upgraded()
{
    using reader_lock = holdfast::upgrade_lock<holdfast::shared_mutex>;
    const auto is_upgradable = [] { return hf_rwlock_is_upgradable_mine(table_lock.native_handle()); };
    {
        reader_lock reader(table_lock);
        CHECK(reader.owns_lock() && reader && reader.mutex() == &table_lock && is_upgradable());
        CHECK(throws(std::errc::resource_deadlock_would_occur, [&] { reader.lock(); }));
        {
            const std::unique_lock<holdfast::shared_mutex> writer = reader.upgrade();
            CHECK(writer.owns_lock() && !reader.owns_lock());
            CHECK(hf_rwlock_is_mine(table_lock.native_handle()));
        }
        CHECK(is_zero(table_lock.native_handle()));
        CHECK(throws(std::errc::operation_not_permitted, [&] { (void)reader.upgrade(); }));
        CHECK(throws(std::errc::operation_not_permitted, [&] { reader.unlock(); }));
        reader.lock();
        on_another_thread([] {
            table_lock.lock_shared();
            CHECK(!reader_lock(table_lock, std::try_to_lock));
            reader_lock other(table_lock, std::defer_lock);
            CHECK(!other.try_lock() && !other.try_lock_for(milliseconds(1)));
            CHECK(!other.try_lock_until(steady_clock::now()));
        });
        CHECK(!reader.try_upgrade() && !reader.try_upgrade_for(milliseconds(1)));
        CHECK(!reader.try_upgrade_until(steady_clock::now()) && reader && is_upgradable());
        table_lock.unlock_shared();
        CHECK(reader.try_upgrade_for(milliseconds(1)).owns_lock() && !reader);
        CHECK(reader.try_lock() && reader.try_upgrade().owns_lock());
        CHECK(reader.try_lock_for(milliseconds(1)));
        CHECK(reader.try_upgrade_until(steady_clock::now()).owns_lock());
        CHECK(reader.try_lock_until(steady_clock::now()));
        reader_lock moved(std::move(reader));
        CHECK(moved && !reader && reader.mutex() == nullptr); // NOLINT(bugprone-use-after-move)
        CHECK(throws(std::errc::operation_not_permitted, [&] { reader.lock(); }));
        reader = std::move(moved);
        moved.swap(reader);
        CHECK(moved && !reader && is_upgradable());
        table_lock.unlock_upgrade_and_lock_shared();
        CHECK(moved.release() == &table_lock && !moved);
        table_lock.unlock_shared();
        table_lock.lock_upgrade();
        const reader_lock adopted(table_lock, std::adopt_lock);
        CHECK(adopted && is_upgradable());
    }
    CHECK(is_zero(table_lock.native_handle()));
}

static void readers_share_a_shared_mutex()
{
    {
        const std::lock_guard<holdfast::shared_mutex> guard(table_lock);
        CHECK(!table_lock.try_lock());
        on_another_thread([] {
            CHECK(!table_lock.try_lock_shared());
            CHECK(!table_lock.try_lock_shared_for(milliseconds(1)));
            CHECK(!table_lock.try_lock_shared_until(system_clock::now() - hours(1)));
        });
    }
    for (bool (*get)() :
         {+[] { return table_lock.try_lock(); }, +[] { return table_lock.try_lock_for(milliseconds(1)); },
          +[] { return table_lock.try_lock_until(steady_clock::now()); }}) {
        CHECK(get());
        on_another_thread([] { CHECK(!table_lock.try_lock_shared()); });
        table_lock.unlock();
    }
    table_lock.lock_shared();
    on_another_thread([] {
        CHECK(table_lock.try_lock_shared());
        table_lock.unlock_shared();
        CHECK(table_lock.try_lock_shared_for(hours::max()));
        table_lock.unlock_shared();
        CHECK(table_lock.try_lock_shared_until(steady_clock::time_point::max()));
        table_lock.unlock_shared();
        auto time = steady_clock::now() + milliseconds(1);
        CHECK(!table_lock.try_lock_for(milliseconds(1)) && steady_clock::now() >= time);
        time = steady_clock::now() + milliseconds(1);
        CHECK(!table_lock.try_lock_until(time) && steady_clock::now() >= time);
    });
    table_lock.unlock_shared();
#if __cplusplus >= 201402L
    {
        std::shared_lock<holdfast::shared_mutex> lock(table_lock);
        CHECK(lock.owns_lock());
        lock.unlock();
        CHECK(lock.try_lock_for(milliseconds(1)));
        lock.unlock();
        CHECK(lock.try_lock_until(steady_clock::now()));
    }
#endif
    CHECK(is_zero(table_lock.native_handle()));
}

static void a_condition_waits_until_its_time_and_no_longer()
{
    std::unique_lock<holdfast::mutex> lock(mutex);
    const auto before = steady_clock::now();
    CHECK(changed.wait_for(lock, milliseconds(3)) == std::cv_status::timeout);
    CHECK(steady_clock::now() - before >= milliseconds(3));
    CHECK(changed.wait_for(lock, milliseconds(-3)) == std::cv_status::timeout);
    CHECK(changed.wait_until(lock, steady_clock::time_point::min()) == std::cv_status::timeout);
    const auto time = system_clock::now() + milliseconds(3);
    CHECK(changed.wait_until(lock, time) == std::cv_status::timeout);
    CHECK(system_clock::now() >= time);
    CHECK(lock.owns_lock() && hf_mutex_is_mine(mutex.native_handle()));

    CHECK(!changed.wait_for(lock, milliseconds(1), [] { return false; }));
    CHECK(!changed.wait_until(lock, steady_clock::now(), [] { return false; }));
    int looks = 0;
    CHECK(changed.wait_for(lock, milliseconds(1), [&] { return ++looks == 2; }));
    CHECK(changed.wait_for(lock, hours::max(), [] { return true; }));
    CHECK(changed.wait_until(lock, steady_clock::time_point::max(), [] { return true; }));
    changed.wait(lock, [] { return true; });

    lock.unlock();
    const auto not_held = std::errc::operation_not_permitted;
    CHECK(throws(not_held, [&] { changed.wait(lock); }));
    CHECK(throws(not_held, [&] { (void)changed.wait_for(lock, milliseconds(1)); }));
    std::unique_lock<holdfast::mutex> none;
    CHECK(throws(not_held, [&] { changed.wait(none); }));
    std::unique_lock<holdfast::mutex> lie(mutex, std::adopt_lock);
    CHECK(throws(not_held, [&] { changed.wait(lie); }));
    lie.release();
    CHECK(is_zero(mutex.native_handle()));

    lock.lock();
    hf_condition full = {static_cast<std::uint64_t>(HF_CONDITION_MOST_WAITERS) << 46, 0, 0};
    std::swap(*changed.native_handle(), full);
    const auto overflow = std::errc::value_too_large;
    CHECK(throws(overflow, [&] { changed.wait(lock); }));
    CHECK(throws(overflow, [&] { (void)changed.wait_for(lock, milliseconds(1)); }));
    CHECK(lock.owns_lock() && hf_mutex_is_mine(mutex.native_handle()));
    std::swap(*changed.native_handle(), full);
}

static void a_condition_waits_with_a_recursive_mutex_of_depth_1()
{
    std::unique_lock<holdfast::recursive_mutex> lock(nested);
    CHECK(changed.wait_for(lock, milliseconds(1)) == std::cv_status::timeout);
    CHECK(changed.wait_until(lock, steady_clock::now()) == std::cv_status::timeout);
    CHECK(!changed.wait_for(lock, milliseconds(1), [] { return false; }));
    CHECK(!changed.wait_until(lock, steady_clock::now(), [] { return false; }));
    CHECK(lock.owns_lock() && nested.depth() == 1);

    bool is_ready = false;
    std::thread other([&] {
        const std::lock_guard<holdfast::recursive_mutex> guard(nested);
        is_ready = true;
        changed.notify_one();
    });
    changed.wait(lock, [&] { return is_ready; });
    other.join();

    nested.lock();
    CHECK(throws(std::errc::resource_deadlock_would_occur, [&] { changed.wait(lock); }));
    CHECK(nested.depth() == 2);
    nested.unlock();
    lock.unlock();
    CHECK(throws(std::errc::operation_not_permitted, [&] { changed.wait(lock); }));
    CHECK(is_zero(nested.native_handle()));
}

static void permits_are_taken_and_returned()
{
    seats.acquire();
    CHECK(seats.try_acquire());
    CHECK(!seats.try_acquire());
    CHECK(!seats.try_acquire_for(milliseconds(1)));
    CHECK(!seats.try_acquire_until(system_clock::now() - hours(1)));
    seats.release(5);
    const auto overflow = std::errc::value_too_large;
    CHECK(throws(overflow, [] { seats.release(); }));
    CHECK(throws(overflow, [] { seats.release(6); }));
    CHECK(throws(overflow, [] { seats.release(-1); }));
    CHECK(throws(overflow, [] { seats.release(std::numeric_limits<std::ptrdiff_t>::max()); }));
    seats.release(0);
    CHECK(hf_semaphore_value(seats.native_handle()) == 5);
    CHECK(seats.try_acquire_for(hours::max()));
    CHECK(seats.try_acquire_until(steady_clock::time_point::max()));
    CHECK(hf_semaphore_value(seats.native_handle()) == 3);
    CHECK(throws(overflow, [] { const holdfast::binary_semaphore wrong(2); }));
    CHECK(throws(overflow, [] { const holdfast::counting_semaphore<> wrong(-1); }));
}

static void a_latch_opens_at_0()
{
    CHECK(!gate.try_wait());
    CHECK(!gate.wait_for(milliseconds(1)) && !gate.wait_until(steady_clock::now()));
    const auto overflow = std::errc::value_too_large;
    CHECK(throws(overflow, [] { gate.count_down(4); }));
    CHECK(throws(overflow, [] { gate.count_down(-1); }));
    gate.count_down(0);
    gate.count_down();
    CHECK(!gate.try_wait());
    gate.arrive_and_wait(2);
    const holdfast::latch &seen = gate;
    seen.wait();
    CHECK(seen.try_wait() && seen.wait_for(hours::max()));
    CHECK(seen.wait_until(steady_clock::time_point::max()));
    const holdfast::latch open(0);
    CHECK(open.try_wait());
    CHECK(throws(overflow, [] { const holdfast::latch wrong(-1); }));
    CHECK(is_zero(gate.native_handle()));
}

static void a_barrier_of_one_is_passed_at_once()
{
    holdfast::barrier<> alone(1);
    CHECK(alone.arrive_and_wait() && alone.arrive_and_wait());
    const holdfast::barrier<> none(0);
    const auto overflow = std::errc::value_too_large;
    CHECK(throws(overflow, [] { const holdfast::barrier<> wrong(-1); }));
    CHECK(throws(overflow, [] { const holdfast::barrier<> wrong(holdfast::barrier<>::max() + 1); }));
    CHECK(throws(overflow, [&] { (void)alone.arrive(0); }));
    CHECK(throws(overflow, [&] { (void)alone.arrive(-1); }));
    CHECK(throws(overflow, [&] { (void)alone.arrive(holdfast::barrier<>::max() + 1); }));
    holdfast::barrier<> most(holdfast::barrier<>::max());
    auto all = most.arrive(holdfast::barrier<>::max());
    most.wait(std::move(all));
}

static void a_token_waits_for_its_own_round()
{
    using token = holdfast::barrier<>::arrival_token;
    static_assert(std::is_nothrow_move_constructible<token>::value &&
                      std::is_nothrow_move_assignable<token>::value &&
                      !std::is_copy_constructible<token>::value,
                  "as in the standard");
    token first = meeting.arrive(2);
    CHECK(!meeting.wait_for(first, milliseconds(1)) && !meeting.wait_until(first, steady_clock::now()));
    token third = meeting.arrive();
    CHECK(meeting.wait_for(first, milliseconds(-1)));
    const holdfast::barrier<> &seen = meeting;
    seen.wait(std::move(first));
    seen.wait(std::move(third));

    third = meeting.arrive();
    CHECK(!meeting.wait_for(third, milliseconds(1)));
    meeting.arrive_and_drop();
    CHECK(meeting.arrive_and_wait());
    CHECK(meeting.wait_until(third, steady_clock::time_point::max()));
    (void)meeting.arrive();
    CHECK(meeting.arrive_and_wait()); // of 2 now
}

static void a_completion_runs_once_a_round()
{
    completions = 0;
    CHECK(counted.arrive_and_wait() && completions == 1);
    counted.wait(counted.arrive());
    CHECK(completions == 2);
    counted.arrive_and_drop();
    CHECK(completions == 3);

    int calls = 0;
    auto count = [&calls]() noexcept { calls += 1; };
    holdfast::barrier<decltype(count)> of_two(2, count);
    auto arrival = of_two.arrive();
    CHECK(calls == 0);
    CHECK(of_two.arrive_and_wait() && calls == 1);
    of_two.wait(std::move(arrival));
    of_two.wait(of_two.arrive(2));
    CHECK(calls == 2);
#if __cplusplus >= 201703L
    holdfast::barrier deduced(1);
    static_assert(std::is_same_v<decltype(deduced), holdfast::barrier<>>);
    void (*pointer)() noexcept = []() noexcept { completions += 1; };
    holdfast::barrier by_pointer(1, pointer);
    CHECK(by_pointer.arrive_and_wait() && completions == 4);
#endif
}

static void a_manual_event_stays_set_and_an_automatic_one_lets_one_through()
{
    CHECK(!event.is_set() && !event.wait_for(milliseconds(1)) && !event.wait_until(system_clock::now()));
    event.set();
    event.wait();
    CHECK(event.is_set() && event.wait_for(milliseconds(-1)));
    event.reset();
    CHECK(!event.is_set());

    holdfast::event automatic(holdfast::event_reset::automatic);
    automatic.set();
    CHECK(automatic.wait_until(steady_clock::time_point::max()));
    CHECK(!automatic.is_set() && !automatic.wait_for(milliseconds(1)));
}

struct part {
    int number;
    void set(int to)
    {
        number = to;
    }
};

static void a_once_whose_callable_throws_is_not_done()
{
    bool is_caught = false;
    try {
        holdfast::call_once(once, [] { throw std::runtime_error("not now"); });
    } catch (const std::runtime_error &) {
        is_caught = true;
    }
    CHECK(is_caught && !once.is_done() && is_zero(once.native_handle()));

    CHECK(throws(std::errc::resource_deadlock_would_occur,
                 [] { holdfast::call_once(once, [] { holdfast::call_once(once, [] {}); }); }));
    CHECK(!once.is_done());

    part made = {0};
    std::string text = "moved";
    std::string taken;
    holdfast::call_once(once, &part::set, &made, 7);
    CHECK(once.is_done() && made.number == 7);
    holdfast::call_once(once, &part::set, made, 8);
    CHECK(made.number == 7);
    holdfast::once another;
    holdfast::call_once(
        another, [&](std::string &&given) { taken = std::move(given); }, std::move(text));
    CHECK(taken == "moved");
}

/* Knows whether it was called as an lvalue. */
struct called {
    int as_lvalue = 0;
    int as_rvalue = 0;
    void operator()() &
    {
        as_lvalue += 1;
    }
    void operator()() &&
    {
        as_rvalue += 1;
    }
};

struct only_as_rvalue {
    int *calls;
    void operator()(int by) &&
    {
        *calls += by;
    }
};

static void call_once_invokes_as_the_standard_does()
{
    called function;
    holdfast::once as_lvalue;
    holdfast::call_once(as_lvalue, function);
    holdfast::once as_rvalue;
    holdfast::call_once(as_rvalue, std::move(function));
    CHECK(function.as_lvalue == 1 && function.as_rvalue == 1);

    int calls = 0;
    holdfast::once temporary;
    holdfast::call_once(temporary, only_as_rvalue{&calls}, 3);
    CHECK(calls == 3);

    part made = {0};
    holdfast::once by_reference;
    holdfast::call_once(by_reference, &part::set, std::ref(made), 9);
    holdfast::once of_a_member;
    holdfast::call_once(of_a_member, &part::number, made);
    CHECK(made.number == 9 && of_a_member.is_done());
}

static void semaphores_of_any_maximum_work()
{
    holdfast::counting_semaphore<0> none(0);
    CHECK(!none.try_acquire());
    none.release();
    CHECK(none.try_acquire() && !none.try_acquire());

    holdfast::counting_semaphore<PTRDIFF_MAX> many(static_cast<std::ptrdiff_t>(HF_SEMAPHORE_MOST) - 1);
    many.release();
    CHECK(throws(std::errc::value_too_large, [&] { many.release(); }));
    CHECK(many.try_acquire());
    static_assert(holdfast::counting_semaphore<PTRDIFF_MAX>::max() ==
                      static_cast<std::ptrdiff_t>(HF_SEMAPHORE_MOST),
                  "the most that it may have");
}

static void a_channel_sends_and_receives_copies()
{
    static holdfast::channel<64> channel;
    using clock = steady_clock;
    char buffer[24];
    std::size_t size = 0;
    CHECK(!channel.is_closed() && channel.length() == 0 && channel.largest() == 24);
    CHECK(channel.send("one", 3) && channel.try_send("two", 3));
    CHECK(channel.send_for("three", 5, milliseconds(0)) && channel.send_until("", 0, clock::now()));
    CHECK(!channel.try_send("four", 4) && !channel.send_for("four", 4, milliseconds(1)));
    CHECK(!channel.send_until("four", 4, clock::now() + milliseconds(1)) && channel.length() == 4);

    const auto overflow = std::errc::value_too_large;
    CHECK(throws(overflow, [&] { channel.receive(buffer, 2, size); }) && size == 3);
    CHECK(channel.receive(buffer, sizeof buffer, size) && std::memcmp(buffer, "one", 3) == 0);
    CHECK(channel.try_receive(buffer, SIZE_MAX, size) && size == 3);
    CHECK(channel.receive_for(buffer, sizeof buffer, size, hours::max()) && size == 5);
    CHECK(channel.receive_until(buffer, 0, size, clock::now()) && size == 0);
    size = 7;
    CHECK(!channel.try_receive(buffer, sizeof buffer, size) && size == 7);
    CHECK(!channel.receive_for(buffer, sizeof buffer, size, milliseconds(1)));
    CHECK(!channel.receive_until(buffer, sizeof buffer, size, clock::now() + milliseconds(1)));

    CHECK(throws(overflow, [&] { channel.send(buffer, channel.largest() + 1); }));
    CHECK(throws(overflow, [&] { channel.try_send(buffer, SIZE_MAX); }));
    channel.native_handle()->senders.bytes = 63;
    CHECK(throws(std::errc::invalid_argument, [&] { channel.send("", 0); }));
    channel.native_handle()->senders.bytes = 64;
    CHECK(channel.send("last", 4));
    channel.close();
    CHECK(channel.is_closed() && !channel.send("", 0) && !channel.try_send("", 0));
    CHECK(channel.receive(buffer, 4, size) && !channel.receive(buffer, 4, size));
}

int main()
{
    hf_threads(); /* with a table, deaths are noticed */
    const named_test tests[] = {
        TEST(constructors_write_what_the_inits_of_c_write),
        TEST(durations_are_rounded_up_and_do_not_overflow),
        TEST(times_of_any_clock_do_not_overflow),
        TEST(a_clock_that_was_set_back_makes_the_wait_longer),
        TEST(a_clock_that_is_set_forward_does_not_make_the_wait_shorter),
        TEST(standard_guards_hold_and_release_the_mutex),
        TEST(a_free_mutex_is_acquired_even_after_the_deadline),
        TEST(a_holder_that_locks_again_is_refused),
        TEST(an_abandoned_mutex_is_held_by_no_guard_until_it_is_recovered),
        TEST(a_recursive_mutex_is_as_deep_as_it_was_locked),
        TEST(a_recursive_mutex_has_a_greatest_depth),
        TEST(an_abandoned_recursive_mutex_is_held_by_no_guard_until_it_is_recovered),
        TEST(an_abandoned_shared_mutex_is_held_in_no_mode_until_it_is_recovered),
        TEST(a_wait_whose_mutex_is_abandoned_meanwhile_throws_with_the_mutex_held),
        TEST(readers_share_a_shared_mutex),
        TEST(an_upgradable_reader_becomes_the_writer),
        TEST(an_upgrade_that_is_not_possible_in_time_leaves_the_reader_upgradable),
        TEST(an_upgrade_lock_owns_its_mutex_until_it_ends_or_has_upgraded),
        TEST(a_downgrade_makes_the_writer_a_reader),
        TEST(a_condition_waits_until_its_time_and_no_longer),
        TEST(a_condition_waits_with_a_recursive_mutex_of_depth_1),
        TEST(permits_are_taken_and_returned),
        TEST(a_latch_opens_at_0),
        TEST(a_barrier_of_one_is_passed_at_once),
        TEST(a_token_waits_for_its_own_round),
        TEST(a_completion_runs_once_a_round),
        TEST(a_manual_event_stays_set_and_an_automatic_one_lets_one_through),
        TEST(a_once_whose_callable_throws_is_not_done),
        TEST(call_once_invokes_as_the_standard_does),
        TEST(semaphores_of_any_maximum_work),
        TEST(a_channel_sends_and_receives_copies),
    };
    watchdog_start(reinterpret_cast<const uint32_t *>(mutex.native_handle()),
                   sizeof mutex / sizeof(uint32_t));
    run_tests(tests);
    watchdog_stop();
    return 0;
}
