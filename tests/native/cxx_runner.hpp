/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef CXX_RUNNER_HPP
#define CXX_RUNNER_HPP

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <system_error>

extern "C" {
#include "watchdog.h"
}

/* A small runner for tests in C++: cmocka leaves a test by longjmp(), which skips destructors. */

#define CHECK(condition) check_that((condition), #condition, __FILE__, __LINE__)

inline void check_that(bool condition, const char *text, const char *file, int line)
{
    if (!condition) {
        std::fprintf(stderr, "%s:%d: not so: %s\n", file, line, text);
        std::abort();
    }
}

/* True if the function throws a std::system_error of this kind. */
template <class Function> bool throws(std::errc kind, Function function)
{
    try {
        function();
    } catch (const std::system_error &error) {
        return error.code() == kind;
    }
    return false;
}

struct named_test {
    const char *name;
    void (*run)();
};

#define TEST(function)                                                                                       \
    {                                                                                                        \
#function, function                                                                                  \
    }

/* Runs them one after the other. Prints each name first, so the last one is of the test that hung or failed.
 */
template <std::size_t COUNT> void run_tests(const named_test (&tests)[COUNT])
{
    for (const named_test &test : tests) {
        std::fprintf(stderr, "%s\n", test.name);
        test.run();
        watchdog_progress();
    }
}

#endif
