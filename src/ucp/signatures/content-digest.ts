import { createHash } from 'node:crypto';
import { isInnerList, parseDictionary, serializeBytes } from './structured-fields.ts';

const sha256 = (body: Uint8Array): Buffer => createHash('sha256').update(body).digest();

/** Returns the value of `Content-Digest` (RFC 9530) for these bytes, with SHA-256. */
export const contentDigest = (body: Uint8Array): string => `sha-256=${serializeBytes(sha256(body))}`;

/**
 * Returns whether a `Content-Digest` has the SHA-256 of exactly these bytes. Other algorithms beside it are
 * ignored; alone they are not enough, because UCP demands `sha-256`.
 */
export function digestMatches(field: string | null, body: Uint8Array): boolean {
  const member = field === null ? undefined : parseDictionary(field)?.get('sha-256');
  if (!member || isInnerList(member) || member.bare.type !== 'bytes') return false;
  return sha256(body).equals(member.bare.value);
}
