import type { HonoRequest, MiddlewareHandler } from 'hono';
import type { App } from './call.ts';
import { type EndpointSpec, SMALL_BODY } from './endpoint.ts';
import { problem } from './problem.ts';

/**
 * Checks a body before anything looks into it: its declared media type (415), its size while it is read
 * (413), and that it is JSON in UTF-8 (400). No body, no 415: it counts as an empty object, whatever its
 * type. Of a stream only what is declared is checked; its handler counts what it reads.
 */
export function bodyGuard(spec: EndpointSpec): MiddlewareHandler<App> {
  const limit = spec.stream?.maxBytes ?? spec.maxBytes ?? SMALL_BODY;
  const takes = spec.stream?.mediaType ?? 'application/json';
  return async (c, next) => {
    const wrongType = () => problem(c, { code: 'unsupported_media_type', details: { takes } });
    const tooLarge = () => problem(c, { code: 'payload_too_large', details: { max_bytes: limit } });
    const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
    // NaN where no length is declared, which is not too large either.
    const length = Number(c.req.header('content-length') ?? Number.NaN);
    if (spec.stream && type !== takes) return wrongType();
    if (type === takes && length > limit) return tooLarge();
    if (spec.stream) return next();
    const most = type === takes ? limit : 0;
    const bytes = length <= most ? await readWhole(c.req.raw, most) : await readBytes(c.req.raw.body, most);
    if (!bytes) return type === takes ? tooLarge() : wrongType();
    const text = readJson(bytes);
    if (text === null) return problem(c, { code: 'invalid_json' });
    if (type !== takes) declareJson(c.req);
    // Hono keeps the body as a promise here, though its type says otherwise.
    Object.assign(c.req.bodyCache, { text: Promise.resolve(text) });
    c.set('bodyText', text);
    return next();
  };
}

/** The validator goes by the declared type; an empty body may have come with none, or with another. */
function declareJson(request: HonoRequest): void {
  const headers = new Headers(request.raw.headers);
  headers.set('content-type', 'application/json');
  request.raw = new Request(request.url, { method: request.method, headers });
}

/** The whole body at once, of a request that declares a length which will do; `null` if it has more after all. */
async function readWhole(request: Request, limit: number): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.byteLength > limit ? null : bytes;
}

/** The whole body, or `null` as soon as it has more than `limit` bytes. */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The text of a JSON body, or `null` when it is none; nothing at all counts as an empty object. */
function readJson(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes) || '{}';
    JSON.parse(text);
    return text;
  } catch {
    return null;
  }
}
