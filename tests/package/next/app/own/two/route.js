/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { mutex } from '../../../lib/own-lock.mjs';
import { mostInside } from '../../../lib/most-inside.mjs';

export const dynamic = 'force-dynamic';
export const GET = async () => new Response(`most: ${await mostInside(mutex)}.`);
