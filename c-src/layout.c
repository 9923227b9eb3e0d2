/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Prints every number that the glue needs, as JSON, straight from the headers. It is a native program, run
 * by scripts/generate-layout.mjs: no struct here holds a pointer, so its offsets are those of wasm32 too. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "mutex_step.h"
#include "space.h"

/* wasm is little-endian: the state is the lower half of the word, the successor's turn the upper one. */
enum { STATE_OFFSET = 0, TURN_OFFSET = sizeof(uint32_t) };

static const char *separator = "";

static void begin(const char *group)
{
    printf("%s\n  \"%s\": {", separator, group);
    separator = "";
}

static void number(const char *name, int64_t value)
{
    printf("%s\n    \"%s\": %" PRId64, separator, name, value);
    separator = ",";
}

static void end(void)
{
    printf("\n  }");
    separator = ",";
}

static void print_result(void)
{
    begin("RESULT");
    number("OK", HF_OK);
    number("BUSY", HF_BUSY);
    number("TIMEOUT", HF_TIMEOUT);
    number("DEADLOCK", HF_DEADLOCK);
    number("NOT_OWNER", HF_NOT_OWNER);
    number("BAD_ADDRESS", HF_BAD_ADDRESS);
    end();
}

static void print_mutex(void)
{
    begin("MUTEX");
    number("BYTES", sizeof(hf_mutex));
    number("ALIGN", _Alignof(hf_mutex));
    number("STATE_OFFSET", offsetof(hf_mutex, word) + STATE_OFFSET);
    number("TURN_OFFSET", offsetof(hf_mutex, word) + TURN_OFFSET);
    number("LINE_OFFSET", offsetof(hf_mutex, line));
    number("GENERATION_OFFSET", offsetof(hf_mutex, generation));
    number("PATIENCE_MS", HF_MUTEX_PATIENCE_NS / HF_MILLISECOND);
    number("RESERVATION_MS", HF_MUTEX_RESERVATION_NS / HF_MILLISECOND);
    number("POLLED_RESERVATION_MS", HF_MUTEX_POLLED_RESERVATION_NS / HF_MILLISECOND);
    end();
}

static void print_step(void)
{
    begin("STEP");
    number("KIND_BLOCKING", HF__BLOCKING);
    number("KIND_ASYNC", HF__ASYNC);
    number("KIND_POLLING", HF__POLLING);
    number("NEXT_TAKEN", HF__MUTEX_TAKEN);
    number("NEXT_WAIT_TURN", HF__MUTEX_WAIT_TURN);
    number("NEXT_WAIT_QUEUE", HF__MUTEX_WAIT_QUEUE);
    number("NEXT_OWN", HF__MUTEX_OWN);
    number("NEXT_SHIFT", HF__OUTCOME_NEXT);
    number("POLLS_SHIFT", HF__OUTCOME_POLLS);
    number("WATCHED_SHIFT", HF__OUTCOME_WATCHED);
    number("TOKEN_IN_LINE", HF__TOKEN_IN_LINE);
    number("WAIT_MORE", HF__WAIT_MORE);
    end();
}

static void print_space(void)
{
    begin("SPACE");
    number("MAGIC", HF_SPACE_MAGIC);
    number("ADDRESS", HF_SPACE_ADDRESS);
    number("PAGE", HF_SPACE_PAGE);
    number("GRANULE", HF_SPACE_GRANULE);
    number("BITMAPS", HF_SPACE_BITMAPS);
    number("MAGIC_OFFSET", offsetof(hf_space, magic));
    number("GRANULES_OFFSET", offsetof(hf_space, granules));
    number("ID_OFFSET", offsetof(hf_space, id));
    number("THREADS_OFFSET", offsetof(hf_space, threads));
    number("BITMAPS_OFFSET", offsetof(hf_space, bitmaps));
    end();
}

static void print_thread(void)
{
    begin("THREAD");
    number("JS", HF_THREAD_JS);
    number("BITS", HF_THREAD_BITS);
    number("MASK", HF_THREAD_MASK);
    end();
}

int main(void)
{
    printf("{");
    print_result();
    print_mutex();
    print_step();
    print_space();
    print_thread();
    printf("\n}\n");
    return 0;
}
