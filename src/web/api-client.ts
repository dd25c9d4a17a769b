import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { App } from '../kernel/http/context.ts';

/** An error that a page or form shows: a message, and messages by field. */
export interface FormError {
  readonly message: string;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** The HTTP status of the page. */
  readonly status: number;
  /** The API's error code and details; absent for an error that the page itself found. */
  readonly code?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Seconds until a retry makes sense. */
  readonly retryAfter?: number | undefined;
}

/** The result of an API call. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T; readonly etag?: string | null }
  | { readonly ok: false; readonly formError: FormError };

/** The values of answers, by their names. */
type ValuesOf<Answers> = {
  readonly [Name in keyof Answers]: Answers[Name] extends Promise<Answer<infer Value>> ? Value : never;
};

/** Waits for several answers at once. Returns their values by name, or the error of the first one that failed. */
export async function allAnswers<Answers extends Readonly<Record<string, Promise<Answer<unknown>>>>>(
  answers: Answers,
): Promise<Answer<ValuesOf<Answers>>> {
  await Promise.all(Object.values(answers));
  const values: Record<string, unknown> = {};
  for (const [name, answered] of Object.entries(answers)) {
    const answer = await answered;
    if (!answer.ok) return answer;
    values[name] = answer.value;
  }
  // Each name has the value of its answer.
  return { ok: true, value: values as ValuesOf<Answers> };
}

/** A call of an API endpoint. */
export interface ApiCall<T> {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query: `/v1/products?page=2`. */
  readonly path: string;
  readonly body?: object;
  /** A file, for endpoints that take a stream. */
  readonly file?: Blob;
  readonly mediaType?: string;
  /** The media type of the response; JSON by default. */
  readonly accept?: string;
  /** The `If-Match`: the call fails with `precondition_failed` if the resource has another `ETag` by now. */
  readonly match?: string | null | undefined;
  /** The Idempotency-Key: sending the same form twice has one effect. */
  readonly once?: string | undefined;
  /** The schema of the response; absent when the value is not read. */
  readonly answer?: z.ZodType<T>;
}

/** The Worker's fetch handler. */
export type Fetch = (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response>;

/** Returns a `fetch` of this service inside the Worker, through the same router and limits as any client's request. */
export const publicFetch =
  (c: Context<App>, fetch: Fetch) =>
  async (url: string | URL, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    // The call stays in this Worker, so the shopper's address is passed on as the client's.
    const shopper = c.req.header('cf-connecting-ip');
    if (shopper) headers.set('cf-connecting-ip', shopper);
    const { cf } = c.req.raw;
    const request = new Request(url, { ...init, headers, ...(cf && { cf }) });
    // Hono's type lacks members that every current Workers runtime has.
    return fetch(request, c.env, c.executionCtx as ExecutionContext);
  };
