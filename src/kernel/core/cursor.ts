import { z } from '@hono/zod-openapi';
import { parseJson } from '../text/json-text.ts';

/** The version of the format; a cursor of another version is invalid. */
const CURSOR_VERSION = 1;
/** The longest cursor in characters, where a list doesn't say otherwise. */
const MAX_CURSOR_LENGTH = 2_048;

const MESSAGE = 'must be the next_cursor of a page of this list';

/** The positions of one list, and their opaque form on the wire. */
interface CursorFormat<Position> {
  /** Returns the cursor that continues after `position`. */
  encode(position: Position): string;
  /** Returns the position of a cursor, or null if it is not one of this list. */
  decode(cursor: string): Position | null;
  /** Schema of the query parameter `cursor`: outputs the position. Any other string is a 422. */
  readonly param: z.ZodType<Position, string>;
}

/**
 * Declares the cursors of a list: base64url (RFC 4648) of the JSON array of the version, the list's name, a
 * checksum and the position, which `position` checks. `list` keeps the cursor of one list from being read by
 * another; the checksum finds cursors that were altered or cut. A position is not signed, so it must not grant
 * anything: it only says where to continue. `maxLength` (characters) is more for lists whose positions may be longer.
 */
export function cursorFormat<Position>(
  list: string,
  position: z.ZodType<Position>,
  maxLength = MAX_CURSOR_LENGTH,
): CursorFormat<Position> {
  const Wire = z.tuple([z.literal(CURSOR_VERSION), z.literal(list), z.int(), position]);
  const encode = (at: Position): string =>
    Buffer.from(JSON.stringify([CURSOR_VERSION, list, checksum([list, at]), at])).toString('base64url');
  const decode = (cursor: string): Position | null => {
    if (cursor.length > maxLength) return null;
    const read = Wire.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
    // Each position has one spelling only, since base64 and JSON have several.
    return read.success && encode(read.data[3]) === cursor ? read.data[3] : null;
  };
  const param = z
    .string()
    .transform((cursor, context): Position => {
      const at = decode(cursor);
      if (at !== null) return at;
      context.addIssue({ code: 'custom', message: MESSAGE });
      return z.NEVER;
    })
    .openapi({ type: 'string', maxLength, description: 'The `next_cursor` of a page.' });
  return { encode, decode, param };
}

/** Returns the 32-bit FNV-1a hash (draft-eastlake-fnv) of a JSON value's UTF-8 text. */
function checksum(value: unknown): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(JSON.stringify(value))) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
