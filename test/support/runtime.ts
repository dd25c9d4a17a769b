import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { database } from '../../src/kernel/data/database.ts';
import type { Runtime } from '../../src/kernel/http/context.ts';

/** The main database. */
export const db = () => database(env);

/** The bindings and the context of a call that no request makes. */
export const runtime = { env, ctx: createExecutionContext() } satisfies Runtime;
