import type { Context, HonoRequest, MiddlewareHandler } from 'hono';
import { toItsEnd } from '../async/to-its-end.ts';
import type { Failure } from '../core/errors.ts';
import { ok } from '../core/result.ts';
import type { App } from '../http/context.ts';
import { type EndpointSpec, MAX_BODY_BYTES } from '../http/endpoint.ts';
import { problem } from '../http/problem.ts';
import { setHeaders } from '../http/response.ts';
import { normalizeJson } from '../text/json-text.ts';
import {
  BODY_DEADLINE_MS,
  type BodyLimits,
  declaredLength,
  IncomingBody,
  isEncoded,
  mediaTypeOf,
  UPLOAD_DEADLINE_MS,
} from './body.ts';
import { HeldBytes } from './held-bytes.ts';

/** Repeats the checks of a request's headers as of now. Returns the failure, or `null` to continue. */
export type Recheck = (c: Context<App>) => Promise<Failure | null>;

/**
 * Returns the middleware that validates a body: media type and no compression (415), size (413), deadline
 * (408), JSON in UTF-8 (400), well-formed strings (422), which it normalizes to NFC. An empty body of any
 * type counts as an empty object. Of a stream only the headers are checked; its handler reads an `Upload`.
 * After a slow body, `recheck` repeats the checks of the request's headers.
 */
export function bodyGuard(spec: EndpointSpec, recheck: Recheck): MiddlewareHandler<App> {
  return spec.stream
    ? streamGuard(spec.stream, recheck)
    : jsonGuard(spec.maxBytes ?? MAX_BODY_BYTES, recheck);
}

function streamGuard(
  { mediaTypes, maxBytes }: NonNullable<EndpointSpec['stream']>,
  recheck: Recheck,
): MiddlewareHandler<App> {
  return async (c, next) => {
    const { raw } = c.req;
    if (isEncoded(raw.headers) || !mediaTypes.includes(mediaTypeOf(raw.headers))) {
      return unsupported(c, mediaTypes.join(', '));
    }
    const details = { max_bytes: maxBytes };
    if (declaredLength(raw.headers) > maxBytes) return problem(c, { code: 'payload_too_large', details });
    const body = new IncomingBody(raw, { maxBytes, deadlineMs: UPLOAD_DEADLINE_MS });
    c.set('upload', {
      next: async () => {
        const piece = await body.next();
        if (!piece.ok || piece.value !== null || !body.isSlow) return piece;
        const failure = await recheck(c);
        return failure ? { ok: false, failure } : ok(null);
      },
    });
    return next();
  };
}

function jsonGuard(limit: number, recheck: Recheck): MiddlewareHandler<App> {
  return async (c, next) => {
    const held = new HeldBytes(c.get('caller')?.tenantId);
    const hold = (bytes: number) => held.takeBody(bytes);
    const limits = { maxBytes: limit, deadlineMs: BODY_DEADLINE_MS, hold };
    const handle = async () => (await takeJson(c, limits, recheck)) ?? (await next());
    return toItsEnd(
      c.executionCtx,
      handle().finally(() => held.release()),
    );
  };
}

/** Reads a JSON body for the validator. Returns why it is refused, or `null`. */
async function takeJson(c: Context<App>, limits: BodyLimits, recheck: Recheck): Promise<Response | null> {
  const { raw } = c.req;
  const takes = !isEncoded(raw.headers) && mediaTypeOf(raw.headers) === 'application/json';
  // An unsupported body is accepted if it is empty.
  const body = new IncomingBody(raw, takes ? limits : { ...limits, maxBytes: 0 });
  const read = await body.all();
  if (!read.ok) {
    const isWrongType = !takes && read.failure.code === 'payload_too_large';
    return isWrongType ? unsupported(c, 'application/json') : problem(c, read.failure);
  }
  const failure = body.isSlow ? await recheck(c) : null;
  if (failure) return problem(c, failure);
  const json = readJson(read.value);
  if (json === null) return problem(c, { code: 'invalid_json' });
  const normalized = normalizeJson(json.text, json.value);
  if (!normalized.ok) return problem(c, { code: 'validation_error', errors: normalized.errors });
  if (!takes) declareJson(c.req);
  // The validator calls this. Hono would parse the body again, without the normalization.
  Object.assign(c.req, { json: () => Promise.resolve(normalized.value) });
  c.set('bodyBytes', read.value);
  return null;
}

/**
 * Responds with 415. For a compressed body, `Accept-Encoding` offers `identity` only (RFC 9110, 12.5.3).
 */
function unsupported(c: Context<App>, takes: string): Response {
  if (isEncoded(c.req.raw.headers)) setHeaders(c, { 'Accept-Encoding': 'identity' });
  return problem(c, { code: 'unsupported_media_type', details: { takes } });
}

/** Declares an empty body as JSON: the validator checks the media type. */
function declareJson(request: HonoRequest): void {
  const headers = new Headers(request.raw.headers);
  headers.set('content-type', 'application/json');
  const { cf } = request.raw;
  request.raw = new Request(request.url, { method: request.method, headers, ...(cf && { cf }) });
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Returns a JSON body as text and parsed, or `null` if it is invalid. Empty counts as an empty object. */
function readJson(bytes: Uint8Array): { text: string; value: unknown } | null {
  try {
    const text = utf8.decode(bytes) || '{}';
    return { text, value: JSON.parse(text) };
  } catch {
    return null;
  }
}
