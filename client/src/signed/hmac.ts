type Bytes = Uint8Array<ArrayBuffer>;

/** Returns a function that verifies HMAC-SHA-256 signatures in constant time (WebCrypto). */
export async function hmacVerifier(
  secret: Bytes,
): Promise<(signature: Bytes | null, text: string) => Promise<boolean>> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['verify']);
  return async (signature, text) =>
    signature !== null && crypto.subtle.verify('HMAC', key, signature, utf8(text));
}

/** Encodes a string as UTF-8. */
export const utf8 = (text: string): Bytes => new Uint8Array(new TextEncoder().encode(text));

/** Decodes base64; null for other characters. */
export function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Decodes hexadecimal digits; null for other characters. */
export const fromHex = (text: string): Bytes | null =>
  /^([0-9a-f]{2})+$/i.test(text)
    ? Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
    : null;
