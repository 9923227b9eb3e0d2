/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "families.h"

#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <mutex>

#include <emscripten.h>
#include <pthread.h>
#include <semaphore.h>

/* The main thread in Emscripten, on a page or in Node, beside a thread that does a job for it. */

namespace
{

constexpr long held_ms = 15;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
sem_t sem;
std::mutex cxx_mutex;
std::condition_variable cxx_cond;
bool is_met;

using job = void();
job *next_job;
bool is_begun;
bool may_release;

void rest_ms(long ms)
{
    const struct timespec time = {0, ms * NS_IN_A_MS};
    nanosleep(&time, nullptr);
}

/* Takes jobs without a lock, since locks are under test. */
void *do_jobs(void *)
{
    for (;;) {
        if (job *todo = __atomic_load_n(&next_job, __ATOMIC_ACQUIRE)) {
            todo();
            __atomic_store_n(&next_job, nullptr, __ATOMIC_RELEASE);
        } else {
            rest_ms(1);
        }
    }
}

/* A job calls this when it holds its lock. */
void begin()
{
    __atomic_store_n(&is_begun, true, __ATOMIC_RELEASE);
}

void await_begin()
{
    while (!__atomic_load_n(&is_begun, __ATOMIC_ACQUIRE)) {
        pause_a_little();
    }
    __atomic_store_n(&is_begun, false, __ATOMIC_RELAXED);
}

/* Holds the lock until the main thread has seen that, which may take long on a loaded machine. */
void hold_until_seen()
{
    begin();
    while (!__atomic_load_n(&may_release, __ATOMIC_ACQUIRE)) {
        pause_a_little();
    }
    __atomic_store_n(&may_release, false, __ATOMIC_RELAXED);
    rest_ms(held_ms);
}

void say_seen()
{
    __atomic_store_n(&may_release, true, __ATOMIC_RELEASE);
}

void await_end()
{
    while (__atomic_load_n(&next_job, __ATOMIC_ACQUIRE)) {
        pause_a_little();
    }
    progress();
}

/* Gives a job to the other thread, and returns when the job has begun. */
void start(job *todo)
{
    __atomic_store_n(&next_job, todo, __ATOMIC_RELEASE);
    await_begin();
}

void hold_mutex()
{
    pthread_mutex_lock(&mutex);
    hold_until_seen();
    pthread_mutex_unlock(&mutex);
}

/* Only the main thread can make that call, and it waits for the mutex. */
void call_main_thread_while_it_waits()
{
    pthread_mutex_lock(&mutex);
    begin();
    rest_ms(held_ms);
    MAIN_THREAD_EM_ASM({ globalThis.callsHere = (globalThis.callsHere || 0) + 1; });
    pthread_mutex_unlock(&mutex);
}

void try_mutexes_here()
{
    start(hold_mutex);
    CHECK_IS(EBUSY, pthread_mutex_trylock(&mutex));
    say_seen();
    CHECK_IS(0, pthread_mutex_lock(&mutex));
    CHECK_IS(0, pthread_mutex_unlock(&mutex));
    await_end();

    start(hold_mutex);
    struct timespec soon = in_ms(CLOCK_REALTIME, 2);
    CHECK_IS(ETIMEDOUT, pthread_mutex_timedlock(&mutex, &soon));
    say_seen();
    await_end();
    CHECK_IS(0, pthread_mutex_trylock(&mutex));
    CHECK_IS(EPERM, pthread_cond_wait(&cond, (pthread_mutex_unlock(&mutex), &mutex)));

    start(call_main_thread_while_it_waits);
    CHECK_IS(0, pthread_mutex_lock(&mutex));
    CHECK_IS(1, EM_ASM_INT({ return globalThis.callsHere; }));
    CHECK_IS(0, pthread_mutex_unlock(&mutex));
    await_end();
}

void meet_condition()
{
    begin();
    rest_ms(held_ms);
    pthread_mutex_lock(&mutex);
    is_met = true;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&cond);
}

void wait_for_condition()
{
    pthread_mutex_lock(&mutex);
    is_met = false;
    begin();
    while (!is_met) {
        pthread_cond_wait(&cond, &mutex);
    }
    pthread_mutex_unlock(&mutex);
}

void try_conditions_here()
{
    pthread_mutex_lock(&mutex);
    is_met = false;
    struct timespec soon = in_ms(CLOCK_REALTIME, 2);
    CHECK_IS(ETIMEDOUT, pthread_cond_timedwait(&cond, &mutex, &soon));
    pthread_mutex_unlock(&mutex);
    start(meet_condition);
    pthread_mutex_lock(&mutex);
    while (!is_met) {
        pthread_cond_wait(&cond, &mutex);
    }
    pthread_mutex_unlock(&mutex);
    await_end();

    for (int round = 0; round < 20; round += 1) {
        start(wait_for_condition);
        pthread_mutex_lock(&mutex);
        is_met = true;
        pthread_cond_broadcast(&cond);
        pthread_mutex_unlock(&mutex);
        CHECK_IS(0, pthread_cond_destroy(&cond));
        cond = PTHREAD_COND_INITIALIZER;
        await_end();
    }
}

void hold_shared()
{
    pthread_rwlock_rdlock(&rwlock);
    begin();
    rest_ms(held_ms);
    pthread_rwlock_unlock(&rwlock);
}

void hold_exclusively()
{
    pthread_rwlock_wrlock(&rwlock);
    hold_until_seen();
    pthread_rwlock_unlock(&rwlock);
}

void try_rwlocks_here()
{
    start(hold_shared);
    CHECK_IS(0, pthread_rwlock_rdlock(&rwlock));
    CHECK_IS(0, pthread_rwlock_unlock(&rwlock));
    CHECK_IS(0, pthread_rwlock_wrlock(&rwlock));
    CHECK_IS(0, pthread_rwlock_unlock(&rwlock));
    await_end();
    start(hold_exclusively);
    struct timespec soon = in_ms(CLOCK_REALTIME, 2);
    CHECK_IS(ETIMEDOUT, pthread_rwlock_timedrdlock(&rwlock, &soon));
    say_seen();
    CHECK_IS(0, pthread_rwlock_rdlock(&rwlock));
    CHECK_IS(0, pthread_rwlock_unlock(&rwlock));
    await_end();
}

void leave_later()
{
    begin();
    rest_ms(held_ms);
    sem_post(&sem);
}

void try_semaphores_here()
{
    sem_init(&sem, 0, 0);
    struct timespec soon = in_ms(CLOCK_REALTIME, 2);
    CHECK_IS(-1, sem_timedwait(&sem, &soon));
    CHECK_IS(ETIMEDOUT, errno);
    start(leave_later);
    CHECK_IS(0, sem_wait(&sem));
    await_end();
}

void meet_in_cxx()
{
    begin();
    rest_ms(held_ms);
    {
        const std::lock_guard<std::mutex> lock(cxx_mutex);
        is_met = true;
    }
    cxx_cond.notify_one();
}

void try_cxx_here()
{
    is_met = false;
    start(meet_in_cxx);
    std::unique_lock<std::mutex> lock(cxx_mutex);
    cxx_cond.wait(lock, [] { return is_met; });
    lock.unlock();
    await_end();
}

void try_all(void *)
{
    try_mutexes_here();
    try_conditions_here();
    try_rwlocks_here();
    try_semaphores_here();
    try_cxx_here();
    emscripten_force_exit(tell_checks() ? 0 : 1);
}

} // namespace

int main()
{
    pthread_t helper;
    begin_family("the main thread");
    start_watchdog();
    if (pthread_create(&helper, nullptr, do_jobs, nullptr) != 0) {
        abort();
    }
    emscripten_async_call(try_all, nullptr, 1);
    emscripten_exit_with_live_runtime();
}
