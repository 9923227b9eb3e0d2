/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

#include <emscripten.h>
#include <pthread.h>

/* How long the main thread of Emscripten waits for a mutex that two threads lock in a loop, in sections of 20
 * us: pthread's, then std::mutex. It runs on stock locks and on wrapped ones. Prints for each kind how many
 * waits there were, the median and the longest, in ms. */

namespace
{

constexpr double section_ms = 0.02;
constexpr double longest_ms = 2000; /* of each kind */
constexpr std::size_t most_waits = 200;
constexpr int pause_ms = 4;

pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
std::mutex standard;
std::atomic<bool> is_plain{true};
std::atomic<long> sections{0};

std::vector<double> waits;
double begun_ms;

void work()
{
    const double end = emscripten_get_now() + section_ms;
    while (emscripten_get_now() < end) {
    }
    sections += 1;
}

void *hammer(void *)
{
    for (;;) {
        if (is_plain) {
            pthread_mutex_lock(&plain);
            work();
            pthread_mutex_unlock(&plain);
        } else {
            const std::lock_guard<std::mutex> lock(standard);
            work();
        }
    }
}

void tell()
{
    std::sort(waits.begin(), waits.end());
    std::printf("%s: %zu waits, median %.3f, longest %.3f; %ld sections\n", is_plain ? "pthread" : "std",
                waits.size(), waits[waits.size() / 2], waits.back(), sections.exchange(0));
}

void ask(void *)
{
    const double before = emscripten_get_now();
    if (is_plain) {
        pthread_mutex_lock(&plain);
        pthread_mutex_unlock(&plain);
    } else {
        const std::lock_guard<std::mutex> lock(standard);
    }
    const double after = emscripten_get_now();
    waits.push_back(after - before);
    if (waits.size() == most_waits || after - begun_ms > longest_ms) {
        tell();
        if (!is_plain) {
            std::printf("all\n");
            emscripten_force_exit(0);
            return;
        }
        is_plain = false;
        waits.clear();
        begun_ms = emscripten_get_now();
    }
    emscripten_async_call(ask, nullptr, pause_ms);
}

void start(void *)
{
    begun_ms = emscripten_get_now();
    ask(nullptr);
}

} // namespace

int main()
{
    pthread_t threads[2];
    for (pthread_t &thread : threads) {
        if (pthread_create(&thread, nullptr, hammer, nullptr) != 0) {
            abort();
        }
    }
    emscripten_async_call(start, nullptr, 100);
    emscripten_exit_with_live_runtime();
}
