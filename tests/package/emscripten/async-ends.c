/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <emscripten.h>
#include <emscripten/html5.h>
#include <holdfast/async.h>
#include <holdfast/holdfast.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* How requests end beside threads that die, other threads that meddle, and callbacks that throw. For Node,
 * whose main thread may wait for threads. The program has a table of its threads. Prints what was wrong, and a last line. */

enum { WATCHDOG_MS = 30000 };

static int failures;

#define EXPECT(what) expect((what), #what, __LINE__)

static void expect(bool is_so, const char *what, int line)
{
    if (!is_so) {
        failures += 1;
        printf("line %d: not so: %s\n", line, what);
    }
}

static int64_t in_ms(int64_t ms)
{
    return hf_now_ns() + ms * HF_MILLISECOND;
}

static hf_mutex mutex;
static hf_recursive_mutex recursive;
static hf_rwlock written, read;
static hf_once once;
static hf_condition condition;
static hf_event is_held, is_to_die;

static int watchdog;

static void leave(const char *line, int status)
{
    puts(line);
    emscripten_clear_timeout(watchdog);
    emscripten_force_exit(status);
}

static void give_up(void *unused)
{
    (void)unused;
    leave("watchdog: it did not end", 2);
}

static pthread_t start(void *(*life)(void *))
{
    pthread_t thread;
    pthread_create(&thread, NULL, life, NULL);
    return thread;
}

static void live(void *(*life)(void *))
{
    pthread_join(start(life), NULL);
}

/* ---- A callback that throws ends no other request ---- */

EM_JS(void, hear_of_errors, (void), {
    process['on'](
        'uncaughtException', function(error) { globalThis['heard'] = error; });
});

EM_JS(int, is_heard, (void), { return globalThis['heard'] == 'out of a callback'; });

EM_JS(void, throw_it, (void), { throw 'out of a callback'; });

static void throw_out(hf_result result, void *unused)
{
    (void)unused;
    EXPECT(result == HF_OK);
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    throw_it();
}

static void end_last(void *unused)
{
    (void)unused;
    EXPECT(is_heard());
    EXPECT(hf_mutex_trylock(&mutex) == HF_OK);
    leave(failures == 0 ? "all ends are as they should be" : "there were failures", failures != 0);
}

static void after_the_error(hf_result result, void *unused)
{
    (void)unused;
    EXPECT(result == HF_OK);
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    emscripten_set_timeout(end_last, 0, NULL);
}

static void begin_errors(void)
{
    hear_of_errors();
    EXPECT(hf_mutex_trylock(&mutex) == HF_OK);
    hf_mutex_lock_async(&mutex, throw_out, NULL, HF_FOREVER);
    hf_mutex_lock_async(&mutex, after_the_error, NULL, HF_FOREVER);
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
}

/* ---- A thread cannot end another thread's request ---- */

static hf_request pending;
static int calls;

static void never(hf_result result, void *unused)
{
    (void)result, (void)unused;
    EXPECT(!"this is not called");
}

static void *meddle(void *unused)
{
    EXPECT(!hf_async_cancel(pending));
    EXPECT(!hf_async_redirect(pending, never, NULL));
    hf_async_forget(&mutex, sizeof mutex);
    return unused;
}

static void after_meddling(hf_result result, void *unused)
{
    (void)unused;
    EXPECT(result == HF_OK);
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    begin_errors();
}

static void begin_meddling(void)
{
    EXPECT(hf_mutex_trylock(&mutex) == HF_OK);
    pending = hf_mutex_lock_async(&mutex, after_meddling, NULL, HF_FOREVER);
    live(meddle);
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
}

/* ---- A wait for a condition that has ended is ended by forgetting the mutex ---- */

static void end_forgotten(void *unused)
{
    (void)unused;
    hf_async_forget(&condition, sizeof condition);
    EXPECT(!hf_async_cancel(pending));
    hf_async_forget(&mutex, sizeof mutex);
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    EXPECT(hf_mutex_trylock(&mutex) == HF_OK); // no other thread may have it
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    begin_meddling();
}

static void begin_forgotten(void)
{
    enum { A_WHILE_MS = 200 };
    EXPECT(hf_mutex_trylock(&mutex) == HF_OK);
    pending = hf_condition_wait_async(&condition, &mutex, never, NULL, HF_FOREVER);
    EXPECT(hf_mutex_trylock(&mutex) == HF_OK);
    EXPECT(hf_condition_notify(&condition, 1) == 1);
    emscripten_set_timeout(end_forgotten, A_WHILE_MS, NULL); // by then it waits for the mutex
}

/* ---- After its timeout a wait for a condition still waits for the mutex ---- */

static bool is_late;

static void after_late(hf_result result, void *unused)
{
    (void)unused;
    EXPECT(result == HF_TIMEOUT && is_late);
    EXPECT(hf_mutex_is_mine(&mutex));
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    begin_forgotten();
}

static void end_late(void *unused)
{
    (void)unused;
    is_late = true;
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
}

static void begin_late(void)
{
    enum { LIMIT_MS = 5, A_WHILE_MS = 500 };
    EXPECT(hf_mutex_trylock(&mutex) == HF_OK);
    hf_condition_wait_async(&condition, &mutex, after_late, NULL, in_ms(LIMIT_MS));
    EXPECT(hf_mutex_trylock(&mutex) == HF_OK); // another hold of this thread, which is not the waiter's
    emscripten_set_timeout(end_late, A_WHILE_MS, NULL);
}

/* ---- A condition that is full, and one whose mutex is abandoned meanwhile ---- */

static void after_full(hf_result result, void *unused)
{
    (void)unused;
    EXPECT(result == HF_OVERFLOW);
    EXPECT(hf_mutex_is_mine(&mutex));
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    condition = (hf_condition){0};
    begin_late();
}

static void *notify_and_die(void *unused)
{
    hf_mutex_lock(&mutex);
    hf_condition_notify(&condition, 1);
    return unused;
}

static void after_condition(hf_result result, void *unused)
{
    (void)unused;
    EXPECT(result == HF_ABANDONED);
    EXPECT(hf_mutex_is_mine(&mutex));
    EXPECT(hf_mutex_recover(&mutex) == HF_OK);
    condition.word = (uint64_t)HF_CONDITION_MOST_WAITERS << 46;
    hf_condition_wait_async(&condition, &mutex, after_full, NULL, HF_FOREVER);
    EXPECT(hf_mutex_is_mine(&mutex));
}

static void begin_condition(void)
{
    EXPECT(hf_mutex_trylock(&mutex) == HF_OK);
    hf_condition_wait_async(&condition, &mutex, after_condition, NULL, HF_FOREVER);
    live(notify_and_die);
}

/* ---- A holder that dies while the request waits ---- */

static void *hold_until_asked(void *unused)
{
    hf_mutex_lock(&mutex);
    hf_event_set(&is_held);
    hf_event_wait(&is_to_die);
    return unused;
}

static void after_wait(hf_result result, void *unused)
{
    (void)unused;
    EXPECT(result == HF_ABANDONED);
    EXPECT(hf_mutex_is_mine(&mutex));
    EXPECT(hf_mutex_recover(&mutex) == HF_OK);
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    begin_condition();
}

static void let_it_die(void *unused)
{
    (void)unused;
    hf_event_set(&is_to_die);
}

static void begin_wait(void)
{
    pthread_detach(start(hold_until_asked));
    hf_event_wait(&is_held);
    hf_mutex_lock_async(&mutex, after_wait, NULL, HF_FOREVER);
    emscripten_set_timeout(let_it_die, 0, NULL);
}

/* ---- Time limits of everything, and a request of the thread that holds the recursive mutex ---- */

static hf_semaphore semaphore;
static hf_event automatic, manual;
static hf_latch latch;
static hf_barrier barrier;

static int late;

static void too_late(hf_result result, void *unused)
{
    (void)unused;
    EXPECT(result == HF_TIMEOUT);
    late += 1;
}

static void has_it(hf_result result, void *unused)
{
    (void)unused;
    EXPECT(result == HF_OK && late == 9);
    EXPECT(hf_recursive_mutex_depth(&recursive) == 1);
    EXPECT(hf_recursive_mutex_unlock(&recursive) == HF_OK);
    begin_wait();
}

static void end_limits(void *unused)
{
    (void)unused;
    EXPECT(late == 9);
    EXPECT(hf_rwlock_unlock(&written) == HF_OK && hf_rwlock_trylock(&written) == HF_OK);
    EXPECT(hf_rwlock_unlock(&written) == HF_OK);
    EXPECT(hf_semaphore_value(&semaphore) == 1 && hf_semaphore_tryenter(&semaphore, 1) == HF_OK);
    EXPECT(!hf_event_is_set(&automatic) && !hf_event_is_set(&manual) && hf_latch_count(&latch) == 1);
    hf_barrier fresh;
    hf_barrier_init(&fresh, 2);
    EXPECT(barrier.word >> 32 == fresh.word >> 32); // the arrival is taken back
    EXPECT(hf_once_end(&once, true) == HF_OK && hf_once_is_done(&once));
    EXPECT(hf_recursive_mutex_depth(&recursive) == 2);
    EXPECT(hf_recursive_mutex_unlock(&recursive) == HF_OK && hf_recursive_mutex_unlock(&recursive) == HF_OK);
}

static void begin_limits(void)
{
    enum { LIMIT_MS = 5, A_WHILE_MS = 500 };
    hf_semaphore_init(&semaphore, 1, 2);
    hf_event_init(&automatic, true);
    hf_latch_init(&latch, 1);
    hf_barrier_init(&barrier, 2);
    once = (hf_once){0};
    EXPECT(hf_once_begin(&once) == HF_OK);
    EXPECT(hf_rwlock_lock(&written) == HF_OK);
    EXPECT(hf_recursive_mutex_lock(&recursive) == HF_OK && hf_recursive_mutex_lock(&recursive) == HF_OK);
    hf_rwlock_lock_async(&written, too_late, NULL, in_ms(LIMIT_MS));
    hf_rwlock_lock_shared_async(&written, too_late, NULL, in_ms(LIMIT_MS));
    hf_semaphore_enter_async(&semaphore, 2, too_late, NULL, in_ms(LIMIT_MS));
    hf_event_wait_async(&automatic, too_late, NULL, in_ms(LIMIT_MS));
    hf_event_wait_async(&manual, too_late, NULL, in_ms(LIMIT_MS));
    hf_latch_wait_async(&latch, too_late, NULL, in_ms(LIMIT_MS));
    hf_barrier_arrive_and_wait_async(&barrier, too_late, NULL, in_ms(LIMIT_MS));
    hf_once_begin_async(&once, too_late, NULL, in_ms(LIMIT_MS));
    hf_recursive_mutex_lock_async(&recursive, too_late, NULL, in_ms(LIMIT_MS));
    hf_recursive_mutex_lock_async(&recursive, has_it, NULL, HF_FOREVER);
    emscripten_set_timeout(end_limits, A_WHILE_MS, NULL);
}

/* ---- Locks that a dead thread held ---- */

static struct {
    hf_channel channel;
    char ring[HF_CHANNEL_LEAST_RING];
} memory;

static hf_channel *const channel = &memory.channel;
static char received[5];
static uint32_t size;

static void *hold_all_and_die(void *unused)
{
    hf_mutex_lock(&mutex);
    hf_recursive_mutex_lock(&recursive);
    hf_recursive_mutex_lock(&recursive);
    hf_rwlock_lock(&written);
    hf_rwlock_lock(&read);
    hf_once_begin(&once);
    void *message;
    hf_channel_begin_send(channel, 1, &message); // which no thread receives
    const void *next;
    hf_channel_begin_receive(channel, &next, &size);
    return unused;
}

static void told(hf_result result, void *lock)
{
    calls += 1;
    if (lock == &mutex) {
        EXPECT(result == HF_ABANDONED && hf_mutex_is_mine(&mutex));
        EXPECT(hf_mutex_recover(&mutex) == HF_OK && hf_mutex_unlock(&mutex) == HF_OK);
    } else if (lock == &recursive) {
        EXPECT(result == HF_ABANDONED && hf_recursive_mutex_depth(&recursive) == 1);
        EXPECT(hf_recursive_mutex_recover(&recursive) == HF_OK);
        EXPECT(hf_recursive_mutex_unlock(&recursive) == HF_OK);
        EXPECT(hf_recursive_mutex_unlock(&recursive) == HF_NOT_OWNER);
    } else if (lock == &written) {
        EXPECT(result == HF_ABANDONED && hf_rwlock_is_mine(&written));
        EXPECT(hf_rwlock_recover(&written) == HF_OK && hf_rwlock_unlock(&written) == HF_OK);
    } else if (lock == &read) {
        EXPECT(result == HF_ABANDONED);
        EXPECT(hf_rwlock_unlock_shared(&read) == HF_NOT_OWNER); // nothing is held
        EXPECT(hf_rwlock_lock(&read) == HF_ABANDONED);
        EXPECT(hf_rwlock_recover(&read) == HF_OK && hf_rwlock_unlock(&read) == HF_OK);
    } else if (lock == channel) {
        EXPECT(result == HF_OK && size == 5 && strcmp(received, "left") == 0);
    } else if (lock == &memory.ring) {
        EXPECT(result == HF_OK); // the dead thread's unfinished message was not sent
    } else {
        EXPECT(result == HF_OK); // the next caller runs it
        EXPECT(hf_once_end(&once, true) == HF_OK && hf_once_is_done(&once));
    }
    if (calls == 7) {
        EXPECT(hf_channel_length(channel) == 1);
        begin_limits();
    }
}

int main(void)
{
    watchdog = (int)emscripten_set_timeout(give_up, WATCHDOG_MS, NULL);
    EXPECT(hf_channel_init(channel, HF_CHANNEL_LEAST_RING) == HF_OK);
    EXPECT(hf_channel_trysend(channel, "left", 5) == HF_OK);
    live(hold_all_and_die);
    hf_mutex_lock_async(&mutex, told, &mutex, HF_FOREVER);
    hf_recursive_mutex_lock_async(&recursive, told, &recursive, HF_FOREVER);
    hf_rwlock_lock_async(&written, told, &written, HF_FOREVER);
    hf_rwlock_lock_shared_async(&read, told, &read, HF_FOREVER);
    hf_once_begin_async(&once, told, &once, HF_FOREVER);
    hf_channel_receive_async(channel, received, sizeof received, &size, told, channel, HF_FOREVER);
    hf_channel_send_async(channel, "next", 5, told, &memory.ring, HF_FOREVER);
    return 0;
}
