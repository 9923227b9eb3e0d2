/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Prints what a thread may do, as JSON. A prelude makes it look like another kind of thread. */

const { reportOnBlocking } = await import('../blocking-report.js');
console.log(JSON.stringify(await reportOnBlocking()));
