/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Four threads write to one connection and scan it for some seconds (the argument), and the main thread
 * queries it every 4 ms: with WITH_HOLDFAST by callback, else by sqlite3_exec with SQLite's own mutexes.
 * Prints a line of JSON, and exits with 1 if anything was lost or torn. Times are in milliseconds; with a
 * second argument, those of all calls too. */
#include <emscripten.h>
#include <emscripten/html5.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WITH_HOLDFAST
#include "holdfast-sqlite.h"
#define MUTEXES "holdfast"
#else
#define MUTEXES "stock"
#endif

enum { WORKERS = 4, ROWS = 2000, WRITES_A_SCAN = 10, ASK_EVERY_MS = 4, MOST_CALLS = 100000 };

struct worker {
    pthread_t thread;
    int number;
    /* Of the thread, until it has ended. */
    sqlite3_int64 updates, inserts, scans, torn;
};

static sqlite3 *db;
static struct worker workers[WORKERS];
static atomic_bool has_to_end;
static atomic_int running;

/* Of the main thread. */
static double begun_at, seconds;
static double longest_call, longest_wait;
static float calls[MOST_CALLS];
static int call_count;
static bool tells_calls;
static int asked, answered, torn;
static bool is_asking;
static double asked_at;
static int timer;

static void check(int code, const char *call)
{
    if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE) {
        printf("%s: %s\n", call, sqlite3_errstr(code));
        abort();
    }
}

static sqlite3_stmt *prepare(const char *sql)
{
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), sql);
    return statement;
}

static sqlite3_int64 step(sqlite3_stmt *statement)
{
    int code = sqlite3_step(statement);
    check(code, sqlite3_sql(statement));
    sqlite3_int64 value = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    check(sqlite3_reset(statement), sqlite3_sql(statement));
    return value;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    sqlite3_stmt *update = prepare("UPDATE pair SET a = a + 1, b = b - 1 WHERE id = ?");
    sqlite3_stmt *insert = prepare("INSERT INTO log (worker) VALUES (?)");
    sqlite3_stmt *scan = prepare("SELECT sum(a + b) FROM pair");
    while (!has_to_end) {
        for (int writes = 0; writes < WRITES_A_SCAN; writes += 1) {
            check(sqlite3_bind_int64(update, 1, (worker->updates * WORKERS + worker->number) % ROWS), "bind");
            step(update);
            worker->updates += 1;
        }
        check(sqlite3_bind_int(insert, 1, worker->number), "bind");
        step(insert);
        worker->inserts += 1;
        worker->torn += step(scan) != 0;
        worker->scans += 1;
    }
    sqlite3_finalize(update);
    sqlite3_finalize(insert);
    sqlite3_finalize(scan);
    running -= 1;
    return NULL;
}

static void note(double *longest, double since)
{
    double now = emscripten_get_now();
    *longest = now - since > *longest ? now - since : *longest;
}

static void note_call(double since)
{
    note(&longest_call, since);
    if (call_count < MOST_CALLS) {
        calls[call_count] = (float)(emscripten_get_now() - since);
        call_count += 1;
    }
}

/* The linker puts it in the place of sqlite3_exec, which only the main thread calls here. */
int __real_sqlite3_exec(sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **);
int __wrap_sqlite3_exec(sqlite3 *connection, const char *sql, int (*on_row)(void *, int, char **, char **),
                        void *user_data, char **message)
{
    double since = emscripten_get_now();
    int code = __real_sqlite3_exec(connection, sql, on_row, user_data, message);
    if (is_asking) {
        note_call(since);
    }
    return code;
}

static int look(void *unused, int columns, char **values, char **names)
{
    (void)unused, (void)columns, (void)names;
    torn += strcmp(values[0], "0") != 0 || atoi(values[1]) != ROWS;
    return 0;
}

static void end_query(int code, const char *message, void *unused)
{
    (void)unused;
    check(code, message);
    note(&longest_wait, asked_at);
    answered += 1;
    is_asking = false;
}

static void ask(void)
{
    static const char sql[] = "SELECT sum(a + b), count(*) FROM pair";
    asked += 1;
    is_asking = true;
    asked_at = emscripten_get_now();
#ifdef WITH_HOLDFAST
    check(hf_sqlite_exec_async(db, sql, look, end_query, NULL, HF_FOREVER), sql);
    note_call(asked_at);
#else
    end_query(sqlite3_exec(db, sql, look, NULL, NULL), sql, NULL);
#endif
}

static sqlite3_int64 value_of(const char *sql)
{
    sqlite3_stmt *statement = prepare(sql);
    sqlite3_int64 value = step(statement);
    sqlite3_finalize(statement);
    return value;
}

static bool is_sound(void)
{
    sqlite3_stmt *statement = prepare("PRAGMA integrity_check");
    check(sqlite3_step(statement), "integrity_check");
    bool is_ok = strcmp((const char *)sqlite3_column_text(statement, 0), "ok") == 0;
    sqlite3_finalize(statement);
    return is_ok;
}

static void report(void)
{
    double elapsed = (emscripten_get_now() - begun_at) / 1000;
    sqlite3_int64 updates = 0, inserts = 0, scans = 0, all_torn = torn;
    for (int at = 0; at < WORKERS; at += 1) {
        pthread_join(workers[at].thread, NULL); // it has ended
        updates += workers[at].updates;
        inserts += workers[at].inserts;
        scans += workers[at].scans;
        all_torn += workers[at].torn;
    }
    sqlite3_int64 lost = updates - value_of("SELECT sum(a) FROM pair") + inserts -
                         value_of("SELECT count(*) FROM log") + ROWS - value_of("SELECT count(*) FROM pair");
    bool is_ok = is_sound();
    uint32_t busy_enters = 0;
#ifdef WITH_HOLDFAST
    busy_enters = hf_sqlite_busy_enters();
#endif
    printf(
        "{\"mutexes\": \"%s\", \"longestCall\": %.2f, \"longestWait\": %.2f, \"queries\": %d, "
        "\"unanswered\": %d, \"statementsPerSecond\": %.0f, \"rows\": %lld, \"lost\": %lld, \"torn\": %lld, "
        "\"integrity\": %s, \"busyEnters\": %u",
        MUTEXES, longest_call, longest_wait, answered, asked - answered,
        (double)(updates + inserts + scans) / elapsed, inserts + ROWS, lost, all_torn,
        is_ok ? "true" : "false", busy_enters);
    for (int at = 0; tells_calls && at < call_count; at += 1) {
        printf("%s%.2f", at == 0 ? ", \"calls\": [" : ", ", calls[at]);
    }
    printf("%s}\n", tells_calls ? "]" : "");
    check(sqlite3_close(db), "close");
    emscripten_force_exit(lost != 0 || all_torn != 0 || !is_ok);
}

static void tick(void *unused)
{
    (void)unused;
    if (is_asking) {
        return;
    }
    if (emscripten_get_now() - begun_at < seconds * 1000) {
        ask();
        return;
    }
    has_to_end = true;
    if (running == 0) {
        emscripten_clear_interval(timer);
        report();
    }
}

int main(int count, char **arguments)
{
    seconds = count > 1 ? atof(arguments[1]) : 4;
    tells_calls = count > 2;
#ifdef WITH_HOLDFAST
    check(hf_sqlite_config(), "hf_sqlite_config");
#endif
    check(sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX,
                          NULL),
          "open");
    check(sqlite3_exec(db,
                       "CREATE TABLE pair (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER);"
                       "CREATE TABLE log (worker INTEGER);",
                       NULL, NULL, NULL),
          "create");
    sqlite3_stmt *insert = prepare("INSERT INTO pair VALUES (?, 0, 0)");
    for (int id = 0; id < ROWS; id += 1) {
        check(sqlite3_bind_int(insert, 1, id), "bind");
        step(insert);
    }
    sqlite3_finalize(insert);
    begun_at = emscripten_get_now();
    running = WORKERS;
    for (int at = 0; at < WORKERS; at += 1) {
        workers[at].number = at;
        check(pthread_create(&workers[at].thread, NULL, work, &workers[at]), "pthread_create");
    }
    timer = emscripten_set_interval(tick, ASK_EVERY_MS, NULL);
    return 0;
}
