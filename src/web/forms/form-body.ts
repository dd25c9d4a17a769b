import type { Context } from 'hono';
import type { App } from '../../kernel/http/context.ts';
import { type IncomingBody, isEncoded } from '../../kernel/input/body.ts';
import { errorPage, pageBehind } from '../error-page.tsx';
import type { SentFields } from './row-edits.ts';

/** Largest number of fields that a form may send, and longest name (UTF-16 units) of one. */
const MAX_FIELDS = 5_000;
const MAX_NAME_LENGTH = 200;

/** Returns the text fields of a form, or an error page when its body can't be read or has too many fields. */
export async function readForm(c: Context<App>, body: IncomingBody): Promise<SentFields | Response> {
  const back = pageBehind(c);
  if (isEncoded(c.req.raw.headers)) {
    return errorPage(c, 415, { back, headers: { 'Accept-Encoding': 'identity' } });
  }
  const form = await body.form();
  if (!form.ok) return errorPage(c, form.failure.code === 'request_timeout' ? 408 : 413, { back });
  if (form.value === null) return errorPage(c, 415, { back });
  const names = [...form.value.keys()];
  if (names.length > MAX_FIELDS || names.some((name) => name.length > MAX_NAME_LENGTH)) {
    return errorPage(c, 413, { back });
  }
  // Hono's validator reads the form from this cache, which holds promises although its type says otherwise.
  Object.assign(c.req.bodyCache, { formData: Promise.resolve(form.value) });
  const sent = new Map<string, string[]>();
  for (const [name, value] of form.value.entries()) {
    if (typeof value !== 'string') continue;
    const values = sent.get(name);
    if (values) values.push(value);
    else sent.set(name, [value]);
  }
  return Object.fromEntries(sent);
}
