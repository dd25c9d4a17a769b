import { z } from '@hono/zod-openapi';
import { iso } from '../core/clock.ts';

/** Returns whether a date-time has four digits of a year in UTC as well; true for what is no date-time. */
function isShowable(text: string): boolean {
  const at = Date.parse(text);
  return Number.isNaN(at) || /^\d/.test(iso(at));
}

/** Schema of an instant in a request: ISO 8601 with an offset, in the years 0000 to 9999 of UTC as responses show them. */
export const instant = z.iso
  .datetime({ offset: true })
  .refine(isShowable, 'must be in the years 0000 to 9999 in UTC');

/** Schema of such an instant, which it parses to ms since the epoch. */
export const instantMs = instant
  .transform((text) => Date.parse(text))
  .openapi({ type: 'string', format: 'date-time' });
