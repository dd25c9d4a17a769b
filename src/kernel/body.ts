import type { MiddlewareHandler } from 'hono';
import type { App } from './call.ts';
import { type EndpointSpec, SMALL_BODY } from './endpoint.ts';
import { problem } from './problem.ts';

/**
 * Checks a body before anything parses it: its declared media type (415), its size while it is read
 * (413), and that it is JSON (400). No body, no 415: it is validated as an empty object, whatever its type.
 */
export function bodyGuard(spec: EndpointSpec): MiddlewareHandler<App> {
  const limit = spec.stream?.maxBytes ?? spec.maxBytes ?? SMALL_BODY;
  const takes = spec.stream?.mediaType ?? 'application/json';
  return async (c, next) => {
    const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
    const length = Number(c.req.header('content-length') ?? Number.NaN);
    const stream = c.req.raw.body;
    const empty = !stream || length === 0;
    if (empty && !spec.stream) {
      const headers = new Headers(c.req.raw.headers);
      headers.delete('content-type');
      c.req.raw = new Request(c.req.raw, { headers });
      c.set('bodyText', '');
      return next();
    }
    if (type !== takes) {
      return problem(c, { code: 'unsupported_media_type', details: { takes } });
    }
    if (length > limit) return problem(c, { code: 'payload_too_large', details: { max_bytes: limit } });
    if (spec.stream) return next();
    const text = await readText(stream, limit);
    if (text === null) return problem(c, { code: 'payload_too_large', details: { max_bytes: limit } });
    try {
      c.req.bodyCache.json = Promise.resolve(JSON.parse(text));
    } catch {
      return problem(c, { code: 'invalid_json' });
    }
    c.set('bodyText', text);
    return next();
  };
}

/** The whole body as text, or `null` as soon as it has more than `limit` bytes. */
async function readText(stream: ReadableStream<Uint8Array> | null, limit: number): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of stream ?? []) {
    bytes += chunk.byteLength;
    if (bytes > limit) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
