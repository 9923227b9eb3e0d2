/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* How misuse ends a program: with exceptions by std::terminate() where nothing may be thrown, without
 * exceptions by a trap everywhere. This file is compiled both ways. */
#include "holdfast/holdfast.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

static holdfast::mutex mutex;
static holdfast::recursive_mutex nested;
static holdfast::shared_mutex table_lock;
#ifndef __cpp_exceptions
static holdfast::binary_semaphore one(1);
static holdfast::latch gate(1);
#endif

enum { LONGEST_SECONDS = 60 };

/* Returns the signal that ends a process after this misuse; 0: the process goes on. */
template <class Misuse> int signal_of(Misuse misuse)
{
    const pid_t child = fork();
    if (child == 0) {
        /* Sanitizers would turn the signal into an exit. */
        (void)std::signal(SIGILL, SIG_DFL);
        (void)std::signal(SIGTRAP, SIG_DFL);
        (void)std::signal(SIGABRT, SIG_DFL);
        alarm(LONGEST_SECONDS);
        misuse();
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        std::perror("a child");
        std::exit(1);
    }
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static int failures;

template <class Misuse> void expect(const char *what, bool is_trap, Misuse misuse)
{
    const int number = signal_of(misuse);
    if (is_trap ? number != SIGILL && number != SIGTRAP : number != SIGABRT) {
        std::fprintf(stderr, "%s: ended by signal %d\n", what, number);
        failures += 1;
    }
}

int main() // NOLINT(bugprone-exception-escape): what comes of that is what is looked at
{
#ifdef __cpp_exceptions
    constexpr bool is_trap = false;
#else
    constexpr bool is_trap = true;
    expect("lock twice", is_trap, [] {
        mutex.lock();
        mutex.lock();
    });
    expect("release too many", is_trap, [] { one.release(); });
    expect("count down too far", is_trap, [] { gate.count_down(2); });
#endif
    expect("unlock what is not held", is_trap, [] { mutex.unlock(); });
    expect("unlock a recursive mutex that is not held", is_trap, [] { nested.unlock(); });
    expect("unlock a free shared mutex", is_trap, [] { table_lock.unlock(); });
    expect("unlock what nobody holds upgradable", is_trap, [] { table_lock.unlock_upgrade(); });
    expect("downgrade a free shared mutex", is_trap, [] { table_lock.downgrade(); });
    expect("unlock what nobody holds shared", is_trap, [] { table_lock.unlock_shared(); });
    return failures;
}
