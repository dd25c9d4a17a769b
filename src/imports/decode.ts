import { fail, ok, type Result } from '../kernel/core/result.ts';
import type { Upload } from '../kernel/input/body.ts';
import { groupDigits } from '../kernel/text/text.ts';
import { BOM_BYTES, hasByteOrderMark } from './csv/bytes.ts';
import { MAX_FILE_BYTES } from './schemas.ts';

const unreadable = (message: string) =>
  fail('unsupported_media_type', { message, details: { takes: 'text/csv; charset=utf-8' } });

/**
 * Returns an upload in UTF-8: decoded from the charset (WHATWG Encoding) that its `Content-Type` declares, unless it begins
 * with the byte order mark of UTF-8 or UTF-16. Undeclared, it is UTF-8. Fails with `unsupported_media_type` for an unknown
 * charset, and so does the result for bytes that the charset doesn't have; with `payload_too_large` above
 * {@link MAX_FILE_BYTES}, before or after it is decoded.
 */
export function uploadInUtf8(upload: Upload, headers: Headers): Result<Upload> {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers.get('content-type') ?? '') ?? [];
  const decoder = charset === undefined ? null : decoderOf(charset);
  if (charset === undefined || decoder?.encoding === 'utf-8') return ok(upload);
  return decoder
    ? ok(new DecodedUpload(upload, decoder))
    : unreadable(`The charset ${JSON.stringify(charset.slice(0, 40))} of Content-Type is unknown.`);
}

function decoderOf(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: false });
  } catch {
    return null;
  }
}

/** Returns the decoder of a file that begins so: its byte order mark counts more than what was declared; null for UTF-8. */
function decoderFor(head: Uint8Array, declared: TextDecoder): TextDecoder | null {
  if (hasByteOrderMark(head)) return null;
  const isBigEndian = head[0] === 0xfe && head[1] === 0xff;
  const isLittleEndian = head[0] === 0xff && head[1] === 0xfe;
  if (isBigEndian) return decoderOf('utf-16be');
  return isLittleEndian ? decoderOf('utf-16le') : declared;
}

/** An upload whose bytes are decoded as they arrive. */
class DecodedUpload implements Upload {
  private decoder: TextDecoder | null;
  private isBegun = false;
  private size = 0;

  constructor(
    private readonly upload: Upload,
    decoder: TextDecoder,
  ) {
    this.decoder = decoder;
  }

  async next(): Promise<Result<Uint8Array | null>> {
    const piece = this.isBegun ? await this.upload.next() : await this.head();
    const decoder = this.decoder;
    if (!piece.ok || !decoder) return piece;
    if (piece.value === null) this.decoder = null;
    const text = decoded(decoder, piece.value);
    if (text === null)
      return unreadable(`The file is not ${decoder.encoding}, as its beginning or its Content-Type says.`);
    const bytes = new TextEncoder().encode(text);
    this.size += bytes.byteLength;
    if (this.size > MAX_FILE_BYTES) return tooLarge();
    return piece.value === null && bytes.byteLength === 0 ? piece : ok(bytes);
  }

  /** Returns the first bytes, as many as a byte order mark has or more, and chooses the decoder by them. */
  private async head(): Promise<Result<Uint8Array | null>> {
    this.isBegun = true;
    let head: Uint8Array = new Uint8Array();
    while (head.byteLength < BOM_BYTES) {
      const piece = await this.upload.next();
      if (!piece.ok) return piece;
      if (piece.value === null) break;
      head = Buffer.concat([head, piece.value]);
    }
    if (this.decoder) this.decoder = decoderFor(head, this.decoder);
    return ok(head);
  }
}

const tooLarge = () =>
  fail('payload_too_large', {
    message: `The file has more than ${groupDigits(MAX_FILE_BYTES)} bytes in UTF-8.`,
    details: { max_bytes: MAX_FILE_BYTES },
  });

/** Returns the text of the next bytes, at the end (null) of what is left; null if they are not in the charset. */
function decoded(decoder: TextDecoder, bytes: Uint8Array | null): string | null {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch {
    return null;
  }
}
