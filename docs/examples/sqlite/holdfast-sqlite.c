/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "holdfast-sqlite.h"

#include <emscripten/threading.h>
#include <holdfast/recursive_mutex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sqlite3_mutex {
    hf_recursive_mutex mutex;
};

/* SQLite numbers its static mutexes from 2 on. */
enum { FIRST_STATIC = SQLITE_MUTEX_STATIC_MAIN, LAST_STATIC = SQLITE_MUTEX_STATIC_VFS3 };
static sqlite3_mutex statics[LAST_STATIC - FIRST_STATIC + 1];

static bool is_configured;
static _Atomic uint32_t busy_enters;

static int begin(void)
{
    return SQLITE_OK;
}

static int end(void)
{
    return SQLITE_OK;
}

static sqlite3_mutex *allocate(int type)
{
    if (type == SQLITE_MUTEX_FAST || type == SQLITE_MUTEX_RECURSIVE) {
        return calloc(1, sizeof(sqlite3_mutex));
    }
    return type <= LAST_STATIC ? &statics[type - FIRST_STATIC] : NULL;
}

static void release(sqlite3_mutex *mutex)
{
    hf_async_forget(mutex, sizeof *mutex);
    free(mutex);
}

static void give_up(const char *words)
{
    fprintf(stderr, "holdfast-sqlite: %s\n", words);
    abort();
}

static bool is_static(const sqlite3_mutex *mutex)
{
    return mutex >= statics && mutex <= &statics[LAST_STATIC - FIRST_STATIC];
}

static hf_result enter_on_main_thread(sqlite3_mutex *mutex)
{
    hf_result result = hf_recursive_mutex_trylock(&mutex->mutex);
    while (result == HF_BUSY) {
        if (!is_static(mutex)) {
            give_up("the main thread called SQLite while another thread was inside the connection; "
                    "ask for it by hf_sqlite_exec_async");
        }
        busy_enters += 1;
        /* The holder may wait for this thread to open a file. */
        emscripten_main_thread_process_queued_calls();
        result = hf_recursive_mutex_trylock(&mutex->mutex);
    }
    return result;
}

static void enter(sqlite3_mutex *mutex)
{
    hf_result result = emscripten_is_main_browser_thread() ? enter_on_main_thread(mutex)
                                                           : hf_recursive_mutex_lock(&mutex->mutex);
    if (result != HF_OK) {
        give_up("a thread died inside SQLite");
    }
}

static int try(sqlite3_mutex *mutex)
{
    hf_result result = hf_recursive_mutex_trylock(&mutex->mutex);
    if (result == HF_ABANDONED) {
        give_up("a thread died inside SQLite");
    }
    return result == HF_OK ? SQLITE_OK : SQLITE_BUSY;
}

static void leave(sqlite3_mutex *mutex)
{
    hf_recursive_mutex_unlock(&mutex->mutex);
}

static int is_held(sqlite3_mutex *mutex)
{
    return hf_recursive_mutex_is_mine(&mutex->mutex);
}

static int is_not_held(sqlite3_mutex *mutex)
{
    return !is_held(mutex);
}

int hf_sqlite_config(void)
{
    static const sqlite3_mutex_methods methods = {begin, end,   allocate, release,    enter,
                                                  try,   leave, is_held,  is_not_held};
    int code = sqlite3_config(SQLITE_CONFIG_MUTEX, &methods);
    is_configured = is_configured || code == SQLITE_OK;
    return code;
}

uint32_t hf_sqlite_busy_enters(void)
{
    return busy_enters;
}

struct request {
    sqlite3 *db;
    hf_sqlite_row on_row;
    hf_sqlite_done on_done;
    void *user_data;
    char sql[];
};

static int code_of(hf_result result)
{
    return result == HF_ABANDONED ? SQLITE_CORRUPT : SQLITE_BUSY;
}

static void run(hf_result result, void *argument)
{
    struct request *request = argument;
    char *message = NULL;
    int code;
    if (result == HF_OK) {
        code = sqlite3_exec(request->db, request->sql, request->on_row, request->user_data, &message);
    } else {
        code = code_of(result);
    }
    if (result != HF_TIMEOUT) {
        leave(sqlite3_db_mutex(request->db));
    }
    request->on_done(code, message ? message : sqlite3_errstr(code), request->user_data);
    sqlite3_free(message);
    free(request);
}

int hf_sqlite_exec_async(sqlite3 *db, const char *sql, hf_sqlite_row on_row, hf_sqlite_done on_done,
                         void *user_data, int64_t deadline_ns)
{
    sqlite3_mutex *mutex = is_configured ? sqlite3_db_mutex(db) : NULL;
    if (!mutex) {
        return SQLITE_MISUSE;
    }
    size_t bytes = strlen(sql) + 1;
    struct request *request = malloc(sizeof *request + bytes);
    if (!request) {
        return SQLITE_NOMEM;
    }
    *request = (struct request){db, on_row, on_done, user_data};
    memcpy(request->sql, sql, bytes);
    if (!hf_recursive_mutex_lock_async(&mutex->mutex, run, request, deadline_ns)) {
        free(request);
        return SQLITE_MISUSE;
    }
    return SQLITE_OK;
}
