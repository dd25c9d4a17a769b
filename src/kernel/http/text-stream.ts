import type { Context } from 'hono';
import type { App, HeaderFields } from './context.ts';
import { reportError } from './problem.ts';

/**
 * Streams text parts as UTF-8. Generates each part when the client reads, so memory holds one part at a time. If a
 * part fails, logs the error and aborts the body, so the client knows that it is incomplete. Sends `no-store` unless
 * `headers` say otherwise.
 */
export function respondParts(
  c: Context<App>,
  parts: AsyncGenerator<string, void>,
  headers: HeaderFields,
): Response {
  const requestId = c.get('requestId');
  return new Response(c.req.method === 'HEAD' ? null : streamOf(parts, requestId), {
    headers: { ...c.get('headers'), 'Cache-Control': 'no-store', ...headers },
  });
}

function streamOf(parts: AsyncGenerator<string, void>, requestId: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await parts.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          reportError(error instanceof Error ? error : new Error('Not an error'), requestId);
          // Not the error itself: the runtime logs it with the query's text.
          controller.error(new Error('The body breaks off'));
        }
      },
      async cancel() {
        await parts.return();
      },
    },
    { highWaterMark: 0 },
  );
}
