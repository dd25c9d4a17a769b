import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { serve } from '../../../src/app.ts';
import { checkAnswer } from '../contract/contract.ts';
import type { Answer } from '../world.ts';

/** A request whose body has begun to arrive and is held back by its sender. */
export interface HeldRequest {
  /** Resolves when the service has taken the first half and waits for the rest. */
  readonly reached: Promise<void>;
  /** Sends the rest; returns the response. */
  finish(): Promise<Response>;
  /** How often the service has asked for a piece of the body. */
  readonly asked: () => number;
  /** Returns the response to what has been sent so far. */
  response(): Promise<Response>;
}

/** Sends a request's headers and half of its body; the rest follows on `finish`. */
export function holdBody(
  method: string,
  path: string,
  body: string,
  headers: Record<string, string>,
  bindings: Env = env,
): HeldRequest {
  const bytes = new TextEncoder().encode(body);
  const half = Math.ceil(bytes.byteLength / 2);
  const reached = Promise.withResolvers<void>();
  const rest = Promise.withResolvers<void>();
  let pulls = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        pulls += 1;
        if (pulls === 1) return controller.enqueue(bytes.slice(0, half));
        reached.resolve();
        await rest.promise;
        controller.enqueue(bytes.slice(half));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const ctx = createExecutionContext();
  const request = new Request(`https://api.example.com${path}`, {
    method,
    headers,
    body: stream,
    redirect: 'manual',
  });
  const responding = Promise.resolve(serve(request, bindings, ctx)).then(async (response) => {
    await waitOnExecutionContext(ctx);
    return response;
  });
  // A response that comes before the whole body means that nobody waits for it any more.
  responding.then(
    () => reached.resolve(),
    () => reached.resolve(),
  );
  return {
    reached: reached.promise,
    asked: () => pulls,
    finish: () => {
      rest.resolve();
      return responding;
    },
    response: () => responding,
  };
}

/** Sends half of a JSON body with a token; checks the response against the OpenAPI document. */
export async function holdJsonBody(
  method: string,
  path: string,
  token: string,
  body: object,
  headers: Record<string, string> = {},
  bindings: Env = env,
): Promise<() => Promise<Answer>> {
  const held = holdBody(
    method,
    path,
    JSON.stringify(body),
    { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    bindings,
  );
  await held.reached;
  return async () => {
    const response = await held.finish();
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      body: text ? JSON.parse(text) : null,
    };
    await checkAnswer(method, path, answer);
    return answer;
  };
}
