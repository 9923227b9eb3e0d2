/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Checks the promises of holdfast-sqlite.h, call by call; with the argument "enter", a call on a connection
 * that is in use. */
#include "holdfast-sqlite.h"

#include <emscripten.h>
#include <emscripten/eventloop.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WATCHDOG_MS = 20000, SHORT_MS = 20 };

static int failures;
static const char *stage = "before all";
static sqlite3 *db;
static char told[200];

#define EXPECT(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            printf("%s: line %d: %s; told: %s\n", stage, __LINE__, #condition, told);                        \
            failures += 1;                                                                                   \
        }                                                                                                    \
    } while (0)

static void tell(const char *word)
{
    strncat(told, word, sizeof told - strlen(told) - 1);
}

/* A thread that holds a mutex of SQLite until it is told to leave. */
static sqlite3_mutex *wanted;
static atomic_bool is_inside, may_leave, waits_for_busy;
static pthread_t holder;

static void *hold(void *unused)
{
    (void)unused;
    sqlite3_mutex_enter(wanted);
    is_inside = true;
    while (!may_leave && !(waits_for_busy && hf_sqlite_busy_enters() != 0)) {
    }
    sqlite3_mutex_leave(wanted);
    return NULL;
}

/* Returns once the thread has the mutex. */
static void begin_hold(sqlite3_mutex *mutex)
{
    wanted = mutex;
    is_inside = may_leave = false;
    pthread_create(&holder, NULL, hold, NULL);
    while (!is_inside) {
    }
}

static void end_hold(void)
{
    may_leave = true;
    pthread_join(holder, NULL);
}

static void open_with(int flag)
{
    int code = sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | flag, NULL);
    EXPECT(code == SQLITE_OK);
}

static int no_row(void *unused, int columns, char **values, char **names)
{
    (void)unused, (void)columns, (void)values, (void)names;
    return 1;
}

static int row(void *unused, int columns, char **values, char **names)
{
    (void)unused, (void)columns, (void)names;
    EXPECT(sqlite3_mutex_try(sqlite3_db_mutex(db)) == SQLITE_OK); // again, inside the connection
    sqlite3_mutex_leave(sqlite3_db_mutex(db));
    tell(values[0]);
    return 0;
}

static void done(int code, const char *message, void *word)
{
    (void)message;
    EXPECT(code == SQLITE_OK);
    tell(word);
}

static void aborted(int code, const char *message, void *word)
{
    (void)message;
    EXPECT(code == SQLITE_ABORT);
    tell(word);
}

static void failed(int code, const char *message, void *word)
{
    EXPECT(code == SQLITE_ERROR);
    tell(message);
    tell(word);
}

static void last(int code, const char *message, void *unused)
{
    (void)message, (void)unused;
    EXPECT(code == SQLITE_OK);
    EXPECT(strcmp(told, "busy, 1 done, aborted, no such table: missing, created, 2 done, ") == 0);
    EXPECT(sqlite3_close(db) == SQLITE_OK);
    printf("%d failures\n", failures);
    emscripten_force_exit(failures != 0);
}

static int ask(const char *sql, hf_sqlite_row on_row, hf_sqlite_done on_done, char *word)
{
    return hf_sqlite_exec_async(db, sql, on_row, on_done, word, HF_FOREVER);
}

/* Called when a time limit ends while the thread holds the connection. */
static void late(int code, const char *message, void *unused)
{
    (void)message, (void)unused;
    EXPECT(code == SQLITE_BUSY);
    tell("busy, ");
    stage = "requests in order";
    char sql[] = "SELECT '1'";
    EXPECT(ask(sql, row, done, " done, ") == SQLITE_OK);
    memset(sql, 'x', sizeof sql - 1); // the text was copied
    EXPECT(ask("SELECT 1", no_row, aborted, "aborted, ") == SQLITE_OK);
    EXPECT(ask("SELECT * FROM missing", NULL, failed, ", ") == SQLITE_OK);
    EXPECT(ask("CREATE TABLE t (x); INSERT INTO t VALUES ('2')", NULL, done, "created, ") == SQLITE_OK);
    EXPECT(ask("SELECT x FROM t", row, done, " done, ") == SQLITE_OK);
    EXPECT(ask("SELECT 1", NULL, last, NULL) == SQLITE_OK);
    EXPECT(strcmp(told, "busy, ") == 0); // nothing within the call
    end_hold();
}

static void give_up(void *unused)
{
    (void)unused;
    printf("watchdog: %s did not end; told: %s\n", stage, told);
    emscripten_force_exit(2);
}

int main(int count, char **arguments)
{
    emscripten_set_timeout(give_up, WATCHDOG_MS, NULL);
    stage = "misuse";
    EXPECT(ask("SELECT 1", NULL, done, "") == SQLITE_MISUSE); // before hf_sqlite_config
    EXPECT(sqlite3_initialize() == SQLITE_OK);
    EXPECT(hf_sqlite_config() == SQLITE_MISUSE);
    EXPECT(sqlite3_shutdown() == SQLITE_OK);
    EXPECT(hf_sqlite_config() == SQLITE_OK);
    open_with(SQLITE_OPEN_NOMUTEX);
    EXPECT(ask("SELECT 1", NULL, done, "") == SQLITE_MISUSE);
    EXPECT(sqlite3_close(db) == SQLITE_OK);

    stage = "a static mutex in use";
    sqlite3_mutex *shared = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1);
    EXPECT(shared == sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1));
    EXPECT(shared != sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP2));
    EXPECT(hf_sqlite_busy_enters() == 0);
    waits_for_busy = true;
    begin_hold(shared);
    sqlite3_mutex_enter(shared);
    EXPECT(hf_sqlite_busy_enters() != 0);
    sqlite3_mutex_leave(shared);
    end_hold();
    waits_for_busy = false;

    stage = "a connection in use";
    open_with(SQLITE_OPEN_FULLMUTEX);
    begin_hold(sqlite3_db_mutex(db));
    EXPECT(sqlite3_mutex_try(sqlite3_db_mutex(db)) == SQLITE_BUSY);
    if (count > 1 && strcmp(arguments[1], "enter") == 0) {
        sqlite3_exec(db, "SELECT 1", NULL, NULL, NULL);
    }
    EXPECT(hf_sqlite_exec_async(db, "SELECT 1", row, late, "", hf_now_ns() + SHORT_MS * HF_MILLISECOND) ==
           SQLITE_OK);
    return 0;
}
