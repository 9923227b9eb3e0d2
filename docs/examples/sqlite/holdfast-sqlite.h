/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_SQLITE_H
#define HOLDFAST_SQLITE_H

#include <stdint.h>

#include <holdfast/async.h>
#include <sqlite3.h>

#ifdef __cplusplus
extern "C" {
#endif

/* SQLite in an Emscripten program, with mutexes for which the page can wait without a stop.
 *
 *   static void show(int code, const char *message, void *user_data) { ... }
 *
 *   hf_sqlite_config();
 *   sqlite3_open_v2("app.db", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, NULL);
 *   ...
 *   hf_sqlite_exec_async(db, "SELECT ...", add_row, show, NULL, HF_FOREVER); // on the page
 *   sqlite3_step(statement);                                                  // in a pthread, as ever
 *
 * SQLite's sources are compiled with SQLITE_THREADSAFE=1.
 *
 * The main thread has to ask for a connection that others use; what it calls on one directly must find the
 * connection free. If it does not, the program is aborted with words on standard error, since the page can
 * neither block nor tell SQLite that it got no mutex. In Node the main thread is treated the same.
 *
 * Several connections: SQLite's static mutexes guard what all share (the count of its memory, its random
 * numbers, files that are open), and there the main thread tries again until it gets one. Each is held for a
 * short time, but opening a file may take longer. sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) leaves out the
 * one that is taken most. With one connection none is contended while statements run, since all that takes
 * them holds the connection. hf_sqlite_busy_enters() counts.
 *
 * Not changed: the lock in malloc, for which Emscripten's main thread spins. In a statement that is short.
 *
 * Deaths: a pthread that ends within a statement keeps the connection, as with SQLite's own mutexes. In a
 * program with a table of threads (threads.c) the next to enter aborts the program with words, and a request
 * is told SQLITE_CORRUPT: what the thread left half done is not known. */

/* Makes SQLite use mutexes of holdfast: all of them, SQLITE_MUTEX_FAST too, are recursive.
 * Requires: it is called before sqlite3_initialize and before all other calls of SQLite but sqlite3_config,
 * by one thread. Never blocks.
 * Returns SQLITE_OK; or what sqlite3_config returns: SQLITE_MISUSE iff SQLite is initialised, SQLITE_ERROR
 * iff it is compiled without mutexes. */
int hf_sqlite_config(void);

/* The statements have ended, or have not begun.
 * code: what sqlite3_exec returned; SQLITE_BUSY: the time was up and nothing was run; SQLITE_CORRUPT: a
 * thread died within the connection, and nothing was run. message: in English, valid during the call.
 * user_data: as given. */
typedef void (*hf_sqlite_done)(int code, const char *message, void *user_data);

/* As for sqlite3_exec; may be NULL. Not 0: the statements end with SQLITE_ABORT. */
typedef int (*hf_sqlite_row)(void *user_data, int columns, char **values, char **names);

/* Runs statements on a connection once no other thread is inside it, by sqlite3_exec, and in one piece: no
 * other thread uses the connection between two of them. So it takes as long as they do, and a frame has 16
 * ms.
 *
 * Callable from: any thread that returns to its event loop (async.h). Never blocks. Requires: db is open with
 * SQLITE_OPEN_FULLMUTEX, and stays open until on_done is called, which may close it.
 *
 * on_row and on_done are called by the thread that asked, from its event loop and never within this call:
 * on_row inside the connection, where calls on db are free; on_done outside, once, if SQLITE_OK was returned.
 * Requests of one thread are run in the order asked. sql is copied.
 *
 * deadline_ns: for the wait, a time on hf_now_ns(); HF_FOREVER for none. It never ends a statement.
 *
 * Returns SQLITE_OK: asked. Otherwise nothing is asked: SQLITE_NOMEM; SQLITE_MISUSE iff hf_sqlite_config did
 * not succeed, db has no mutex, or the thread has no timers (an audio worklet). */
int hf_sqlite_exec_async(sqlite3 *db, const char *sql, hf_sqlite_row on_row, hf_sqlite_done on_done,
                         void *user_data, int64_t deadline_ns);

/* How often the main thread found a static mutex of SQLite's busy and tried again. Any thread may call it;
 * never blocks. */
uint32_t hf_sqlite_busy_enters(void);

#ifdef __cplusplus
}
#endif
#endif
