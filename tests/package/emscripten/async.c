/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <emscripten.h>
#include <emscripten/html5.h>
#include <holdfast/async.h>
#include <holdfast/holdfast.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Everything that holdfast/async.h promises, one scenario after the other, on the thread of main(). Each
 * begins with what the one before has left, and ends by next(). Prints what was wrong, and the number of
 * scenarios at the end. */

enum { WATCHDOG_MS = 60000, A_WHILE_MS = 50, MANY = 100000 };

static int failures;
static const char *scenario = "none";

#define EXPECT(what) expect((what), #what, __LINE__)

static void expect(bool is_so, const char *what, int line)
{
    if (!is_so) {
        failures += 1;
        printf("%s: line %d: not so: %s\n", scenario, line, what);
    }
}

static void next(void);

/* ---- The results of callbacks ---- */

typedef struct told {
    int calls;
    hf_result result;
    double at;
} told;

static bool is_inside; // a call that asks

static void note(hf_result result, void *user_data)
{
    told *to = user_data;
    EXPECT(!is_inside);
    to->calls += 1;
    to->result = result;
    to->at = emscripten_get_now();
}

static int64_t in_ms(int64_t ms)
{
    return hf_now_ns() + ms * HF_MILLISECOND;
}

/* Steps of a scenario start each other: on a loaded machine two timers may be due at once, with no turn
 * between. */
static void later(void (*then)(void *), double ms)
{
    emscripten_set_timeout(then, ms, NULL);
}

static hf_mutex mutex;
static told first, second, third;

static void forget_what_was_told(void)
{
    memset(&first, 0, sizeof first);
    memset(&second, 0, sizeof second);
    memset(&third, 0, sizeof third);
}

/* ---- A free mutex ---- */

static void end_free_later(void *);

static void end_free(void *unused)
{
    (void)unused;
    EXPECT(first.calls == 1 && first.result == HF_OK);
    EXPECT(hf_mutex_is_mine(&mutex));
    EXPECT(hf_mutex_trylock(&mutex) == HF_BUSY);
    EXPECT(second.calls == 0); // until it is unlocked
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    later(end_free_later, 2 * A_WHILE_MS);
}

static void end_free_later(void *unused)
{
    (void)unused;
    EXPECT(second.calls == 1 && second.result == HF_OK);
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    next();
}

static void begin_free(void)
{
    scenario = "a free mutex";
    is_inside = true;
    EXPECT(hf_mutex_lock_async(&mutex, note, &first, HF_FOREVER) != 0);
    EXPECT(hf_mutex_lock_async(&mutex, note, &second, HF_FOREVER) != 0);
    is_inside = false;
    later(end_free, A_WHILE_MS);
}

/* ---- Time limits ---- */

static double asked_at;
static told at_once[4];

static void end_limits_later(void *);

static void end_limits(void *unused)
{
    (void)unused;
    EXPECT(first.calls == 1 && first.result == HF_TIMEOUT);
    EXPECT(first.at - asked_at >= A_WHILE_MS);
    for (int i = 0; i < 3; i += 1) {
        EXPECT(at_once[i].calls == 1 && at_once[i].result == HF_TIMEOUT);
    }
    EXPECT(second.calls == 0); // a long limit
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    later(end_limits_later, 2 * A_WHILE_MS);
}

static void end_limits_last(void *);

static void end_limits_later(void *unused)
{
    (void)unused;
    EXPECT(second.calls == 1 && second.result == HF_OK);
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    hf_mutex_lock_async(&mutex, note, &third, 0);
    later(end_limits_last, 2 * A_WHILE_MS);
}

static void end_limits_last(void *unused)
{
    (void)unused;
    EXPECT(third.calls == 1 && third.result == HF_OK); // one attempt finds it free
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    next();
}

static void begin_limits(void)
{
    scenario = "time limits";
    EXPECT(hf_mutex_trylock(&mutex) == HF_OK);
    asked_at = emscripten_get_now();
    hf_mutex_lock_async(&mutex, note, &first, in_ms(A_WHILE_MS));
    hf_mutex_lock_async(&mutex, note, &second, INT64_MAX - 1);
    hf_mutex_lock_async(&mutex, note, &at_once[0], 0);
    hf_mutex_lock_async(&mutex, note, &at_once[1], hf_now_ns() - 5);
    hf_mutex_lock_async(&mutex, note, &at_once[2], INT64_MIN);
    later(end_limits, 4 * A_WHILE_MS);
}

/* ---- A time limit while another thread holds the mutex, with this thread's request in the wait list ---- */

static hf_event is_taken;
static hf_event has_given_up;
static hf_event is_given_back;

static void *take_for_a_while(void *unused)
{
    hf_mutex_lock(&mutex);
    hf_event_set(&is_taken);
    hf_event_wait(&has_given_up);
    hf_mutex_unlock(&mutex);
    hf_event_set(&is_given_back);
    return unused;
}

static void give_place_up(hf_result result, void *unused)
{
    (void)unused;
    note(result, &first);
    hf_event_set(&has_given_up);
}

static void end_place(hf_result result, void *unused)
{
    (void)unused;
    EXPECT(result == HF_OK);
    EXPECT(first.calls == 1 && first.result == HF_TIMEOUT);
    next(); // nothing is left in the mutex
}

static void ask_for_place(hf_result result, void *unused)
{
    (void)unused;
    EXPECT(result == HF_OK);
    hf_mutex_lock_async(&mutex, give_place_up, NULL, in_ms(A_WHILE_MS));
    hf_event_wait_async(&is_given_back, end_place, NULL, HF_FOREVER);
}

static void begin_place(void)
{
    scenario = "a place that is given back";
    hf_event_init(&is_taken, false);
    hf_event_init(&has_given_up, false);
    hf_event_init(&is_given_back, false);
    hf_event_wait_async(&is_taken, ask_for_place, NULL, HF_FOREVER);
    pthread_t thread;
    pthread_create(&thread, NULL, take_for_a_while, NULL);
    pthread_detach(thread);
}

/* ---- Cancel ---- */

static hf_request own, other;

static void cancel_in_callback(hf_result result, void *unused)
{
    (void)unused;
    EXPECT(result == HF_OK);
    EXPECT(!hf_async_cancel(own));
    EXPECT(hf_async_cancel(other));
    EXPECT(!hf_async_cancel(other));
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    static hf_mutex another;
    EXPECT(hf_mutex_unlock(&another) == HF_NOT_OWNER);
    own = hf_mutex_lock_async(&mutex, note, &third, HF_FOREVER); // asks again
}

static void end_cancel(void *unused)
{
    (void)unused;
    EXPECT(first.calls == 0 && second.calls == 0);
    EXPECT(third.calls == 1 && third.result == HF_OK);
    EXPECT(!hf_async_cancel(own));
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    next();
}

static void begin_cancel(void)
{
    scenario = "cancel";
    EXPECT(!hf_async_cancel(0));
    EXPECT(hf_mutex_trylock(&mutex) == HF_OK);
    hf_request one = hf_mutex_lock_async(&mutex, note, &first, HF_FOREVER);
    own = hf_mutex_lock_async(&mutex, cancel_in_callback, NULL, HF_FOREVER);
    other = hf_mutex_lock_async(&mutex, note, &second, HF_FOREVER);
    EXPECT(one != own && own != other);
    EXPECT(hf_async_cancel(one));
    EXPECT(!hf_async_cancel(one));
    EXPECT(!hf_async_redirect(one, note, &third));
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    later(end_cancel, 2 * A_WHILE_MS);
}

/* ---- Memory that is freed by the callback ---- */

static hf_mutex *freed_by_callback;

static void free_it(hf_result result, void *user_data)
{
    note(result, user_data);
    if (result == HF_OK) {
        hf_mutex_unlock(freed_by_callback);
    }
    hf_async_forget(freed_by_callback, sizeof *freed_by_callback);
    free(freed_by_callback);
    freed_by_callback = NULL;
}

static void end_freed_later(void *);

static void end_freed(void *unused)
{
    (void)unused;
    EXPECT(first.calls == 1 && first.result == HF_TIMEOUT);
    EXPECT(freed_by_callback == NULL);
    freed_by_callback = calloc(1, sizeof *freed_by_callback);
    hf_mutex_lock_async(freed_by_callback, free_it, &second, HF_FOREVER);
    later(end_freed_later, 3 * A_WHILE_MS);
}

static void end_freed_last(void *);

static void end_freed_later(void *unused)
{
    (void)unused;
    EXPECT(second.calls == 1 && second.result == HF_OK);
    EXPECT(freed_by_callback == NULL);
    EXPECT(hf_mutex_trylock(&mutex) == HF_OK);
    hf_request pending = hf_mutex_lock_async(&mutex, note, &third, HF_FOREVER);
    hf_async_forget(&mutex, sizeof mutex);
    EXPECT(!hf_async_cancel(pending));
    hf_mutex_unlock(&mutex);
    later(end_freed_last, 2 * A_WHILE_MS);
}

static void end_freed_last(void *unused)
{
    (void)unused;
    EXPECT(third.calls == 0);
    EXPECT(hf_mutex_trylock(&mutex) == HF_OK); // nothing of the request is left in the word
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    next();
}

static void begin_freed(void)
{
    scenario = "memory that is freed";
    freed_by_callback = calloc(1, sizeof *freed_by_callback);
    EXPECT(hf_mutex_trylock(freed_by_callback) == HF_OK);
    hf_mutex_lock_async(freed_by_callback, free_it, &first, in_ms(A_WHILE_MS));
    later(end_freed, 4 * A_WHILE_MS);
}

/* ---- Reader-writer lock, semaphore, recursive mutex, once ---- */

static hf_rwlock rwlock;
static hf_semaphore semaphore;
static hf_recursive_mutex recursive;
static hf_once once;
static told none, writer, permits, too_many, depth, begun, begun_again, done;

static void end_held_later(void *);

static void end_held(void *unused)
{
    (void)unused;
    EXPECT(first.calls == 1 && second.calls == 1); // two readers
    EXPECT(writer.calls == 0);
    EXPECT(hf_rwlock_unlock_shared(&rwlock) == HF_OK);
    EXPECT(hf_rwlock_unlock_shared(&rwlock) == HF_OK);

    EXPECT(permits.calls == 1 && permits.result == HF_OK);
    EXPECT(hf_semaphore_value(&semaphore) == 1);
    EXPECT(too_many.calls == 1 && too_many.result == HF_OVERFLOW);
    EXPECT(none.calls == 0);
    EXPECT(third.calls == 0); // two more permits
    EXPECT(hf_semaphore_leave(&semaphore, 2) == HF_OK);

    EXPECT(depth.calls == 1 && depth.result == HF_OK);
    EXPECT(hf_recursive_mutex_depth(&recursive) == 1);
    EXPECT(hf_recursive_mutex_trylock(&recursive) == HF_OK);
    EXPECT(hf_recursive_mutex_depth(&recursive) == 2);
    EXPECT(hf_recursive_mutex_unlock(&recursive) == HF_OK);
    EXPECT(hf_recursive_mutex_unlock(&recursive) == HF_OK);
    EXPECT(hf_recursive_mutex_unlock(&recursive) == HF_NOT_OWNER);

    EXPECT(begun.calls == 1 && begun.result == HF_OK);
    EXPECT(begun_again.calls == 0);
    EXPECT(hf_once_end(&once, false) == HF_OK);
    later(end_held_later, 2 * A_WHILE_MS);
}

static void end_held_last(void *);

static void end_held_later(void *unused)
{
    (void)unused;
    EXPECT(writer.calls == 1 && writer.result == HF_OK);
    EXPECT(hf_rwlock_is_mine(&rwlock));
    EXPECT(hf_rwlock_unlock(&rwlock) == HF_OK);
    EXPECT(third.calls == 1 && third.result == HF_OK);
    EXPECT(hf_semaphore_leave(&semaphore, 2) == HF_OK);
    EXPECT(begun_again.calls == 1 && begun_again.result == HF_OK);
    EXPECT(done.calls == 0);
    EXPECT(hf_once_end(&once, true) == HF_OK);
    later(end_held_last, 2 * A_WHILE_MS);
}

static void end_held_last(void *unused)
{
    (void)unused;
    EXPECT(done.calls == 1 && done.result == HF_DONE);
    EXPECT(hf_once_is_done(&once));
    next();
}

static void begin_held(void)
{
    scenario = "what is held";
    hf_rwlock_lock_shared_async(&rwlock, note, &first, HF_FOREVER);
    hf_rwlock_lock_shared_async(&rwlock, note, &second, HF_FOREVER);
    hf_rwlock_lock_async(&rwlock, note, &writer, HF_FOREVER);
    hf_semaphore_init(&semaphore, 3, 3);
    hf_semaphore_enter_async(&semaphore, 2, note, &permits, HF_FOREVER);
    hf_semaphore_enter_async(&semaphore, 2, note, &third, HF_FOREVER);
    hf_semaphore_enter_async(&semaphore, 4, note, &too_many, HF_FOREVER);
    EXPECT(hf_async_cancel(hf_semaphore_enter_async(&semaphore, 0, note, &none, HF_FOREVER)));
    static hf_semaphore forgotten;
    hf_semaphore_enter_async(&forgotten, 0, note, &none, HF_FOREVER);
    hf_async_forget(&forgotten, sizeof forgotten);
    recursive.depth = 5; // as a dead thread may have left it
    hf_recursive_mutex_lock_async(&recursive, note, &depth, HF_FOREVER);
    hf_once_begin_async(&once, note, &begun, HF_FOREVER);
    hf_once_begin_async(&once, note, &begun_again, HF_FOREVER);
    hf_once_begin_async(&once, note, &done, HF_FOREVER);
    later(end_held, 2 * A_WHILE_MS);
}

/* ---- Upgradable reader ---- */

static told refused;

static void end_upgradable_last(void *unused)
{
    (void)unused;
    static const hf_rwlock free_rwlock;
    EXPECT(refused.calls == 1 && refused.result == HF_NOT_OWNER); // unlocked before its first step
    EXPECT(memcmp(&rwlock, &free_rwlock, sizeof rwlock) == 0);
    next();
}

static void unlock_before_an_upgrade(void *unused)
{
    (void)unused;
    EXPECT(second.calls == 1 && second.result == HF_OK);
    EXPECT(hf_rwlock_is_upgradable_mine(&rwlock));
    refused = (told){0};
    hf_rwlock_upgrade_async(&rwlock, note, &refused, HF_FOREVER);
    EXPECT(hf_rwlock_unlock_upgradable(&rwlock) == HF_OK);
    later(end_upgradable_last, A_WHILE_MS);
}

static void end_upgrade(void *unused)
{
    (void)unused;
    EXPECT(writer.calls == 1 && writer.result == HF_OK);
    EXPECT(refused.calls == 1 && refused.result == HF_NOT_OWNER); // it was the writer by then
    EXPECT(hf_rwlock_is_mine(&rwlock));
    EXPECT(second.calls == 0);
    EXPECT(hf_rwlock_unlock(&rwlock) == HF_OK);
    later(unlock_before_an_upgrade, 2 * A_WHILE_MS);
}

static void unlock_beside_an_upgrade(void *unused)
{
    (void)unused;
    EXPECT(writer.calls == 0 && refused.calls == 0);
    EXPECT(hf_rwlock_unlock_shared(&rwlock) == HF_OK); // the last reader
    later(end_upgrade, 2 * A_WHILE_MS);
}

static void cancel_an_upgrade(void *unused)
{
    (void)unused;
    EXPECT(none.calls == 0);
    EXPECT(hf_rwlock_trylock_shared(&rwlock) == HF_BUSY);
    EXPECT(hf_async_cancel(own));
    EXPECT(hf_rwlock_is_upgradable_mine(&rwlock));
    EXPECT(hf_rwlock_trylock_shared(&rwlock) == HF_OK);
    EXPECT(hf_rwlock_unlock_shared(&rwlock) == HF_OK);
    hf_rwlock_lock_upgradable_async(&rwlock, note, &second, HF_FOREVER);
    hf_rwlock_upgrade_async(&rwlock, note, &writer, HF_FOREVER);
    hf_rwlock_upgrade_async(&rwlock, note, &refused, HF_FOREVER);
    later(unlock_beside_an_upgrade, A_WHILE_MS);
}

static void end_late_upgrade(void *unused)
{
    (void)unused;
    EXPECT(none.calls == 0);
    EXPECT(third.calls == 1 && third.result == HF_TIMEOUT);
    EXPECT(hf_rwlock_is_upgradable_mine(&rwlock));
    EXPECT(hf_rwlock_trylock_shared(&rwlock) == HF_OK); // new readers may enter again
    EXPECT(hf_rwlock_unlock_shared(&rwlock) == HF_OK);
    own = hf_rwlock_upgrade_async(&rwlock, note, &none, HF_FOREVER);
    later(cancel_an_upgrade, A_WHILE_MS);
}

static void upgrade_beside_a_reader(void *unused)
{
    (void)unused;
    EXPECT(first.calls == 1 && first.result == HF_OK);
    EXPECT(hf_rwlock_is_upgradable_mine(&rwlock));
    EXPECT(hf_rwlock_trylock_shared(&rwlock) == HF_OK);
    hf_rwlock_upgrade_async(&rwlock, note, &third, in_ms(A_WHILE_MS));
    EXPECT(hf_async_cancel(hf_rwlock_upgrade_async(&rwlock, note, &none, HF_FOREVER)));
    later(end_late_upgrade, 3 * A_WHILE_MS);
}

static void begin_upgradable(void)
{
    scenario = "upgradable reader";
    refused = none = writer = (told){0};
    hf_rwlock_lock_upgradable_async(&rwlock, note, &first, HF_FOREVER);
    later(upgrade_beside_a_reader, A_WHILE_MS);
}

/* ---- Events, latch, barrier ---- */

static hf_event automatic, manual;
static hf_latch latch;
static hf_barrier barrier;
static told counted, arrived, over_told, last, redirected;

static void *set_all(void *unused)
{
    hf_event_set(&automatic);
    hf_event_set(&manual);
    hf_latch_count_down(&latch, 1);
    hf_barrier_arrive_and_wait(&barrier);
    return unused;
}

static void end_phases_later(void *);

static void end_phases(void *unused)
{
    (void)unused;
    EXPECT(first.calls == 1 && first.result == HF_OK);
    EXPECT(second.calls == 1 && second.result == HF_OK);
    EXPECT(!hf_event_is_set(&automatic) && hf_event_is_set(&manual));
    EXPECT(counted.calls == 1 && counted.result == HF_OK);
    EXPECT(arrived.calls == 1 && arrived.result == HF_OK);
    hf_request taken_back = hf_barrier_arrive_and_wait_async(&barrier, note, &third, HF_FOREVER);
    EXPECT(hf_async_cancel(taken_back));
    static hf_barrier fresh;
    hf_barrier_init(&fresh, 2);
    EXPECT(barrier.word >> 32 == fresh.word >> 32); // the arrival was taken back
    hf_barrier_init(&barrier, 2);
    hf_request over = hf_barrier_arrive_and_wait_async(&barrier, note, &over_told, HF_FOREVER);
    hf_barrier_arrive(&barrier, NULL); // the other party, which is the last
    EXPECT(!hf_async_cancel(over));
    EXPECT(!hf_async_cancel(over)); // not the second time either
    EXPECT(over_told.calls == 0);   // not within the call
    hf_barrier_init(&barrier, 1);
    hf_request ends_round = hf_barrier_arrive_and_wait_async(&barrier, note, &last, HF_FOREVER);
    EXPECT(hf_async_redirect(ends_round, note, &redirected));
    EXPECT(!hf_async_cancel(ends_round));
    later(end_phases_later, 2 * A_WHILE_MS);
}

static void end_phases_later(void *unused)
{
    (void)unused;
    EXPECT(third.calls == 0);
    EXPECT(over_told.calls == 1 && over_told.result == HF_OK);
    EXPECT(last.calls == 0);
    EXPECT(redirected.calls == 1 && redirected.result == HF_DONE);
    next();
}

static void begin_phases(void)
{
    scenario = "events, latch, barrier";
    hf_event_init(&automatic, true);
    hf_event_init(&manual, false);
    hf_latch_init(&latch, 1);
    hf_barrier_init(&barrier, 2);
    hf_event_wait_async(&automatic, note, &first, HF_FOREVER);
    hf_event_wait_async(&manual, note, &second, HF_FOREVER);
    hf_latch_wait_async(&latch, note, &counted, HF_FOREVER);
    hf_barrier_arrive_and_wait_async(&barrier, note, &arrived, HF_FOREVER);
    pthread_t thread;
    pthread_create(&thread, NULL, set_all, NULL);
    pthread_detach(thread);
    later(end_phases, 20 * A_WHILE_MS);
}

/* ---- Condition ---- */

static hf_condition condition;
static told not_owner, timed_out, before;

static hf_event has_notified;

static void *notify_one(void *unused)
{
    hf_mutex_lock(&mutex);
    hf_condition_notify(&condition, 1);
    hf_event_set(&has_notified);
    usleep(5000 * A_WHILE_MS); // the waiter gets the mutex some time after the notify
    hf_mutex_unlock(&mutex);
    return unused;
}

static hf_request notified;

static void try_to_cancel(void *unused)
{
    (void)unused;
    EXPECT(first.calls == 0);
    EXPECT(!hf_async_cancel(notified)); // a cancelled wait would lose the notify
    EXPECT(hf_async_redirect(notified, note, &first));
}

static void ask_to_cancel(hf_result result, void *unused)
{
    (void)unused;
    EXPECT(result == HF_OK);
    later(try_to_cancel, 4 * A_WHILE_MS); // by then the notified wait waits for the mutex
}

static void end_condition_later(void *);

static void end_condition(void *unused)
{
    (void)unused;
    EXPECT(not_owner.calls == 1 && not_owner.result == HF_NOT_OWNER);
    EXPECT(before.calls == 0);
    EXPECT(first.calls == 1 && first.result == HF_OK);
    EXPECT(hf_mutex_is_mine(&mutex));
    hf_request ended = hf_condition_wait_async(&condition, &mutex, note, &second, HF_FOREVER);
    EXPECT(hf_async_cancel(ended));
    EXPECT(condition.word >> 46 == 0); // nobody waits
    EXPECT(!hf_mutex_is_mine(&mutex));
    EXPECT(hf_mutex_trylock(&mutex) == HF_OK);
    asked_at = emscripten_get_now();
    hf_condition_wait_async(&condition, &mutex, note, &timed_out, in_ms(A_WHILE_MS));
    later(end_condition_later, 4 * A_WHILE_MS);
}

static void end_condition_later(void *unused)
{
    (void)unused;
    EXPECT(second.calls == 0);
    EXPECT(timed_out.calls == 1 && timed_out.result == HF_TIMEOUT);
    EXPECT(timed_out.at - asked_at >= A_WHILE_MS);
    EXPECT(hf_mutex_is_mine(&mutex));
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    next();
}

static void begin_condition(void)
{
    scenario = "condition";
    hf_event_init(&has_notified, false);
    hf_condition_wait_async(&condition, &mutex, note, &not_owner, HF_FOREVER);
    EXPECT(hf_mutex_trylock(&mutex) == HF_OK);
    notified = hf_condition_wait_async(&condition, &mutex, note, &before, HF_FOREVER);
    EXPECT(!hf_mutex_is_mine(&mutex));
    pthread_t thread;
    pthread_create(&thread, NULL, notify_one, NULL);
    pthread_detach(thread);
    hf_event_wait_async(&has_notified, ask_to_cancel, NULL, HF_FOREVER);
    later(end_condition, 20 * A_WHILE_MS);
}

/* ---- Channels ---- */

enum { RING = 64, LARGEST = RING / 2 - 8, EIGHT = 8, FULL = RING / 16 };

static struct {
    hf_channel channel;
    unsigned char ring[RING];
} memory;

static hf_channel *const channel = &memory.channel;
static char buffers[3][RING];
static uint32_t sizes[3];
static told closed[2], refusals[3];

/* The requests receive in the order asked, and each message comes once. A callback may receive a further message. */
static void receive_more(hf_result result, void *user_data)
{
    note(result, user_data);
    EXPECT(hf_channel_tryreceive(channel, buffers[2], RING, &sizes[2]) == HF_OK);
    EXPECT(sizes[2] == 5 && strcmp(buffers[2], "four") == 0);
    EXPECT(hf_channel_tryreceive(channel, buffers[2], RING, &sizes[2]) == HF_BUSY);
    hf_channel_receive_async(channel, buffers[2], 2, &sizes[2], note, &third, HF_FOREVER);
    hf_channel_send_async(channel, "five", 5, note, &none, HF_FOREVER);
}

static void *send_four(void *unused)
{
    const hf_message messages[] = {{"one", 4}, {NULL, 0}, {"three", 6}, {"four", 5}};
    uint32_t sent;
    hf_channel_send_many(channel, messages, 4, &sent);
    return unused;
}

static void end_messages(void *unused)
{
    (void)unused;
    EXPECT(first.calls == 1 && first.result == HF_OK && sizes[0] == 4 && strcmp(buffers[0], "one") == 0);
    EXPECT(writer.calls == 1 && writer.result == HF_OK && sizes[1] == 0);
    EXPECT(second.calls == 1 && second.result == HF_OK);
    EXPECT(none.calls == 1 && none.result == HF_OK);
    EXPECT(third.calls == 1 && third.result == HF_OVERFLOW && sizes[2] == 5); // it stays the next one
    EXPECT(hf_channel_length(channel) == 1);
    EXPECT(refusals[0].calls == 1 && refusals[0].result == HF_OVERFLOW);
    EXPECT(refusals[1].calls == 1 && refusals[1].result == HF_CORRUPT);
    EXPECT(refusals[2].calls == 1 && refusals[2].result == HF_CORRUPT);
    next();
}

static void begin_messages(void)
{
    scenario = "messages";
    static hf_channel zeroed;
    none = writer = (told){0};
    EXPECT(hf_channel_init(channel, RING) == HF_OK);
    is_inside = true;
    hf_channel_receive_async(channel, buffers[0], RING, &sizes[0], note, &first, HF_FOREVER);
    hf_channel_receive_async(channel, NULL, 0, &sizes[1], note, &writer, HF_FOREVER);
    hf_channel_receive_async(channel, buffers[1], RING, &sizes[2], receive_more, &second, HF_FOREVER);
    hf_channel_send_async(channel, NULL, LARGEST + 1, note, &refusals[0], HF_FOREVER);
    hf_channel_send_async(&zeroed, NULL, 0, note, &refusals[1], HF_FOREVER);
    hf_channel_receive_async(&zeroed, NULL, 0, &sizes[2], note, &refusals[2], HF_FOREVER);
    is_inside = false;
    pthread_t thread;
    pthread_create(&thread, NULL, send_four, NULL);
    pthread_detach(thread);
    later(end_messages, 20 * A_WHILE_MS);
}

/* ---- A channel that is full, and one that is closed ---- */

static char slow[EIGHT] = "slow";

static void *receive_two(void *unused)
{
    char buffer[EIGHT];
    uint32_t size;
    hf_channel_receive(channel, buffer, EIGHT, &size);
    hf_channel_receive(channel, buffer, EIGHT, &size);
    return unused;
}

static void *close_it(void *unused)
{
    hf_channel_close(channel);
    return unused;
}

static void end_closed(void *unused)
{
    (void)unused;
    EXPECT(first.calls == 1 && first.result == HF_CLOSED);
    EXPECT(closed[0].calls == 1 && closed[0].result == HF_OK); // messages in it are still received
    EXPECT(sizes[0] == EIGHT && strcmp(buffers[0], "slow") == 0);
    EXPECT(closed[1].calls == 1 && closed[1].result == HF_CLOSED);
    next();
}

static void drain(void *unused)
{
    (void)unused;
    EXPECT(first.calls == 1 && first.result == HF_CLOSED);
    for (int at = 0; at < FULL - 1; at += 1) {
        EXPECT(hf_channel_tryreceive(channel, buffers[0], EIGHT, &sizes[0]) == HF_OK);
    }
    hf_channel_receive_async(channel, buffers[0], EIGHT, &sizes[0], note, &closed[0], HF_FOREVER);
    hf_channel_receive_async(channel, buffers[1], EIGHT, &sizes[1], note, &closed[1], HF_FOREVER);
    later(end_closed, 2 * A_WHILE_MS);
}

static void close_while_full(void *unused)
{
    (void)unused;
    EXPECT(timed_out.calls == 1 && timed_out.result == HF_TIMEOUT);
    EXPECT(timed_out.at - asked_at >= A_WHILE_MS);
    EXPECT(before.calls == 0); // cancelled
    EXPECT(second.calls == 1 && second.result == HF_OK && third.calls == 1 && third.result == HF_OK);
    EXPECT(second.at <= third.at && hf_channel_length(channel) == FULL);
    hf_channel_send_async(channel, slow, EIGHT, note, &first, HF_FOREVER);
    pthread_t thread;
    pthread_create(&thread, NULL, close_it, NULL);
    pthread_detach(thread);
    later(drain, 20 * A_WHILE_MS);
}

static void make_room(void *unused)
{
    EXPECT(second.calls == 0 && third.calls == 0);
    pthread_t thread;
    pthread_create(&thread, NULL, receive_two, unused);
    pthread_detach(thread);
    later(close_while_full, 20 * A_WHILE_MS);
}

static void begin_full(void)
{
    scenario = "a channel that is full";
    timed_out = before = (told){0};
    EXPECT(hf_channel_init(channel, RING) == HF_OK);
    for (int at = 0; at < FULL; at += 1) {
        EXPECT(hf_channel_trysend(channel, slow, EIGHT) == HF_OK);
    }
    asked_at = emscripten_get_now();
    hf_channel_send_async(channel, slow, EIGHT, note, &timed_out, in_ms(A_WHILE_MS));
    hf_request cancelled = hf_channel_send_async(channel, slow, EIGHT, note, &before, HF_FOREVER);
    hf_channel_send_async(channel, slow, EIGHT, note, &second, HF_FOREVER);
    hf_channel_send_async(channel, slow, EIGHT, note, &third, HF_FOREVER);
    EXPECT(hf_async_cancel(cancelled));
    EXPECT(!hf_async_cancel(cancelled));
    later(make_room, 4 * A_WHILE_MS);
}

/* ---- A side that another thread holds, and a channel that is forgotten ---- */

static hf_event is_begun, is_to_end;

static void *send_in_place(void *unused)
{
    void *message;
    hf_channel_begin_send(channel, EIGHT, &message);
    memcpy(message, slow, EIGHT);
    hf_event_set(&is_begun);
    hf_event_wait(&is_to_end);
    hf_channel_end_send(channel);
    return unused;
}

static void end_sides(void *unused)
{
    (void)unused;
    EXPECT(first.calls == 1 && first.result == HF_OK && sizes[0] == EIGHT && strcmp(buffers[0], "slow") == 0);
    EXPECT(second.calls == 1 && second.result == HF_OK && third.calls == 0);
    EXPECT(hf_channel_tryreceive(channel, buffers[0], RING, &sizes[0]) == HF_OK && sizes[0] == 4);
    static const hf_mutex free_mutex;
    EXPECT(memcmp(&channel->senders.mutex, &free_mutex, sizeof free_mutex) == 0);
    EXPECT(memcmp(&channel->receivers.mutex, &free_mutex, sizeof free_mutex) == 0);
    hf_request pending =
        hf_channel_receive_async(channel, buffers[0], RING, &sizes[0], note, &third, HF_FOREVER);
    hf_async_forget(channel, sizeof *channel);
    EXPECT(!hf_async_cancel(pending));
    next();
}

static void let_send(void *unused)
{
    (void)unused;
    EXPECT(first.calls == 0 && second.calls == 0);
    EXPECT(third.calls == 1 && third.result == HF_TIMEOUT);
    third = (told){0};
    hf_event_set(&is_to_end);
    later(end_sides, 10 * A_WHILE_MS);
}

static void send_after_it(hf_result result, void *unused)
{
    (void)unused;
    EXPECT(result == HF_OK);
    hf_channel_receive_async(channel, buffers[0], RING, &sizes[0], note, &first, HF_FOREVER);
    hf_channel_send_async(channel, slow, EIGHT, note, &third, in_ms(A_WHILE_MS));
    hf_channel_send_async(channel, "own", 4, note, &second, HF_FOREVER);
    later(let_send, 4 * A_WHILE_MS);
}

static void begin_sides(void)
{
    scenario = "a side that another thread holds";
    EXPECT(hf_channel_init(channel, RING) == HF_OK);
    hf_event_init(&is_begun, false);
    hf_event_init(&is_to_end, false);
    hf_event_wait_async(&is_begun, send_after_it, NULL, HF_FOREVER);
    pthread_t thread;
    pthread_create(&thread, NULL, send_in_place, NULL);
    pthread_detach(thread);
}

/* ---- Threads that end ---- */

static told of_returned, of_exited;
static int exits_in_callback;

static void unlock_it(hf_result result, void *user_data)
{
    note(result, user_data);
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
}

static void *return_with_request(void *unused)
{
    hf_mutex_lock_async(&mutex, unlock_it, &of_returned, HF_FOREVER);
    return unused;
}

static void *exit_with_request(void *unused)
{
    hf_mutex_lock_async(&mutex, note, &of_exited, HF_FOREVER);
    usleep(1000);
    pthread_exit(unused);
}

static void exit_thread(hf_result result, void *unused)
{
    (void)result;
    exits_in_callback += 1;
    hf_mutex_lock_async(&mutex, note, &of_exited, HF_FOREVER);
    hf_mutex_unlock(&mutex);
    pthread_exit(unused);
}

static void *exit_in_callback(void *unused)
{
    hf_mutex_lock_async(&mutex, exit_thread, NULL, HF_FOREVER);
    return unused;
}

static hf_event is_to_exit;

static void exit_at_last(hf_result result, void *unused)
{
    EXPECT(result == HF_OK);
    exits_in_callback += 1;
    pthread_exit(unused);
}

/* The thread ends while its request has the slot. */
static void *exit_with_place(void *unused)
{
    hf_mutex_lock_async(&mutex, note, &of_exited, HF_FOREVER);
    hf_event_wait_async(&is_to_exit, exit_at_last, NULL, HF_FOREVER);
    return unused;
}

static void end_threads(void *);

static void let_exit(void *unused)
{
    (void)unused;
    hf_event_set(&is_to_exit);
    later(end_threads, 10 * A_WHILE_MS);
}

static void end_threads_later(void *);

static void end_threads(void *unused)
{
    (void)unused;
    EXPECT(of_returned.calls == 0);
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    later(end_threads_later, 20 * A_WHILE_MS);
}

static void end_threads_later(void *unused)
{
    (void)unused;
    EXPECT(of_returned.calls == 1 && of_returned.result == HF_OK);
    EXPECT(of_exited.calls == 0);
    EXPECT(exits_in_callback == 2);
    EXPECT(hf_mutex_trylock(&mutex) == HF_OK); // a thread that has ended keeps no slot
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
    next();
}

static void begin_threads(void)
{
    scenario = "threads that end";
    EXPECT(hf_mutex_trylock(&mutex) == HF_OK);
    hf_event_init(&is_to_exit, false);
    static void *(*const starts[])(void *) = {return_with_request, exit_with_request, exit_in_callback,
                                              exit_with_place};
    for (int i = 0; i < 4; i += 1) {
        pthread_t thread;
        pthread_create(&thread, NULL, starts[i], NULL);
        pthread_detach(thread);
    }
    later(let_exit, 10 * A_WHILE_MS);
}

/* ---- Many requests ---- */

static int met;

static void meet(hf_result result, void *user_data)
{
    EXPECT(result == HF_OK);
    EXPECT((int)(intptr_t)user_data == met); // in the order asked
    met += 1;
    hf_mutex_unlock(&mutex);
    if (met == MANY) {
        next();
    }
}

static void begin_many(void)
{
    scenario = "many requests";
    EXPECT(hf_mutex_trylock(&mutex) == HF_OK);
    for (int i = 0; i < MANY; i += 1) {
        hf_mutex_lock_async(&mutex, meet, (void *)(intptr_t)i, HF_FOREVER);
    }
    EXPECT(hf_mutex_unlock(&mutex) == HF_OK);
}

/* ---- All of them ---- */

static void (*const scenarios[])(void) = {
    begin_free,   begin_limits,    begin_place,    begin_cancel, begin_freed, begin_held,    begin_upgradable,
    begin_phases, begin_condition, begin_messages, begin_full,   begin_sides, begin_threads, begin_many};
enum { SCENARIOS = sizeof scenarios / sizeof scenarios[0] };
static int begun_scenarios;
static int watchdog;

static void begin_next(void *unused)
{
    (void)unused;
    forget_what_was_told();
    begun_scenarios += 1;
    scenarios[begun_scenarios - 1]();
}

static void next(void)
{
    static const hf_mutex free_mutex;
    bool is_free = memcmp(&mutex, &free_mutex, sizeof mutex) == 0;
    EXPECT(is_free || begun_scenarios == SCENARIOS); // after the last scenario a thread may still hold it
    if (begun_scenarios == SCENARIOS) {
        printf("%d scenarios, %d failures\n", begun_scenarios, failures);
        emscripten_clear_timeout(watchdog); // Emscripten 6 ends when nothing is left to be done
        emscripten_force_exit(failures != 0);
        return;
    }
    later(begin_next, 0);
}

static void give_up(void *unused)
{
    (void)unused;
    printf("watchdog: %s did not end\n", scenario);
    emscripten_force_exit(2);
}

int main(void)
{
    watchdog = (int)emscripten_set_timeout(give_up, WATCHDOG_MS, NULL);
    next();
    return 0;
}
