import { MAX_BODY_BYTES } from '../../kernel/http/endpoint.ts';
import { BODY_DEADLINE_MS, IncomingBody, isEncoded, mediaTypeOf } from '../../kernel/input/body.ts';
import { isNestedDeeper, normalizeJson } from '../../kernel/text/json-text.ts';
import { type Checked, done, fromFailure, refused } from '../protocol/outcome.ts';

/**
 * Reads the body of an agent's request: at most 64 KiB of JSON without compression. An empty body of any type is
 * accepted.
 */
export async function readBody(request: Request): Promise<Checked<Uint8Array>> {
  const { headers } = request;
  const takes = !isEncoded(headers) && mediaTypeOf(headers) === 'application/json';
  const limits = { maxBytes: takes ? MAX_BODY_BYTES : 0, deadlineMs: BODY_DEADLINE_MS };
  const read = await new IncomingBody(request, limits).all();
  if (read.ok) return done(read.value);
  return takes || read.failure.code !== 'payload_too_large'
    ? fromFailure(read.failure)
    : refused(415, 'unsupported_media_type', 'The body must be uncompressed application/json.');
}

/** The most levels of arrays and objects in a body. The protocol's have a dozen; unknown fields may have more. */
const MAX_LEVELS = 100;
const TOO_DEEP = refused(400, 'invalid_request', `The body is nested in more than ${MAX_LEVELS} levels.`);

/** Parses a body as JSON in UTF-8 (RFC 8259), and normalizes its strings to NFC. An empty body is an empty object. */
export function parseBody(bytes: Uint8Array): Checked<unknown> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes) || '{}';
    const json: unknown = JSON.parse(text);
    if (isNestedDeeper(json, MAX_LEVELS)) return TOO_DEEP;
    const normalized = normalizeJson(text, json);
    if (normalized.ok) return done(normalized.value);
    return refused(400, 'invalid_request', 'The body has strings or names that can not be stored as text.');
  } catch {
    return refused(400, 'invalid_json', 'The body is not valid JSON.');
  }
}
