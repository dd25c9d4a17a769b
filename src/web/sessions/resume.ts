import { z } from 'zod';
import { HOUR, now } from '../../kernel/core/clock.ts';
import { seal, unseal } from '../../kernel/crypto/crypto.ts';
import type { SentFields } from '../forms/row-edits.ts';
import type { Area } from '../page.ts';

/**
 * What somebody typed into a form whose session had ended. It travels sealed through the sign-in page, so nothing
 * is stored, and the form is shown again afterwards. It is never sent on its own.
 */
interface HeldForm {
  /** Path and query that the form was sent to. */
  readonly path: string;
  readonly fields: SentFields;
}

/** The name of the hidden field that carries a sealed form. */
export const RESUME_FIELD = '_resume';

/** The largest form (bytes) that is held. */
export const MAX_HELD_BYTES = 32 * 1024;

/** How long (ms) a sealed form can be shown again. */
const HELD_FOR_MS = HOUR;

const PURPOSE = 'held-form';

/**
 * Names of fields that are never held: secrets, and the form's own (`_token`, `_once`, buttons). Held are those that
 * say which rows of which list the form has, and what it was shown with.
 */
const LEFT_OUT = /^_(?!list\.|(?:shown|slice|page)$)|password|secret|token|credential/i;

const Held = z.object({
  path: z.string(),
  fields: z.record(z.string(), z.array(z.string())),
  until: z.number(),
});

/** Seals a form without its secrets. */
export const sealForm = (env: Env, { path, fields }: HeldForm): Promise<string> => {
  const kept = Object.entries(fields).filter(([name]) => !LEFT_OUT.test(name));
  const held = { path, fields: Object.fromEntries(kept), until: now() + HELD_FOR_MS };
  return seal(env, PURPOSE, JSON.stringify(held));
};

/** Returns a sealed form, or `null` for one that was altered or has expired. */
export async function openForm(env: Env, sealed: string): Promise<HeldForm | null> {
  try {
    const held = Held.parse(JSON.parse(await unseal(env, PURPOSE, sealed)));
    return held.until > now() ? held : null;
  } catch {
    return null;
  }
}

/**
 * Returns the path to continue at after signing in to an area: `wanted` if it is a path of this area on this
 * host, else the area's start page. Browsers read `\` as `/` and skip control characters, so both are refused.
 */
export function safePath(wanted: string, area: Exclude<Area, 'site'>): string {
  const start = `/${area}`;
  if (!/^\/[\w!$&'()*+,;=:@%./?~-]*$/.test(wanted) || wanted.startsWith('//')) return start;
  const url = URL.parse(wanted, 'https://here.invalid');
  if (url?.host !== 'here.invalid') return start;
  const inside = url.pathname === start || url.pathname.startsWith(`${start}/`);
  const ends = /^\/\w+\/(?:sign-in|sign-out)$/.test(url.pathname) || url.pathname.startsWith('/admin/v1');
  return inside && !ends ? url.pathname + url.search : start;
}
