/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Uses a mutex alone, so it links with the sources of that alone; and misuses it, without exceptions. */
#include <holdfast/holdfast.hpp>

#include <cstdio>

static holdfast::mutex mutex;

int main()
{
    {
        const std::lock_guard<holdfast::mutex> guard(mutex);
        std::printf("%d\n", mutex.try_lock());
    }
    mutex.unlock();
    std::printf("it went on\n");
    return 0;
}
