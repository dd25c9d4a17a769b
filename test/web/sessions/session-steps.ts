import { env } from 'cloudflare:workers';
import { asDeveloper, type Browser, fieldsOf, type Got } from '../../support/fixtures/browser.ts';
import { type World, world } from '../../support/world.ts';

/** The password of the developer whom `asDeveloper` signs in. */
export const PASSWORD = 'correct horse battery';
/** The page of a form to be interrupted, and what is typed into it. */
export const FORM = '/developer/people';
export const TYPED = {
  person_name: 'Grace "Amazing" Hopper',
  person_email: 'grace@example.com',
  person_role: 'read_only',
};

/** A browser of a developer whose session has ended, on the page with the form. */
export async function ended(): Promise<{ shop: World; browser: Browser }> {
  const shop = await world();
  const browser = await asDeveloper(shop.slug);
  await browser.get(FORM);
  await endSessions(shop);
  return { shop, browser };
}

/** Ends all sessions of a shop's developers. */
export const endSessions = (shop: World) =>
  env.DB.prepare(
    'DELETE FROM panel_sessions WHERE user_id IN (SELECT id FROM panel_users WHERE tenant_id = ?)',
  )
    .bind(shop.tenantId)
    .run();

/** Sends a form as a browser does: with its length. */
export const send = (
  browser: Browser,
  path: string,
  fields: Record<string, string>,
  headers = {},
): Promise<Got> => {
  const all = { _token: browser.token() ?? '', _once: 'once-once-once-once-once', ...fields };
  const length = String(new URLSearchParams(all).toString().length);
  return browser.post(path, all, { 'content-length': length, ...headers });
};

/** Signs in on the page that is shown, with its hidden fields; returns the page that it ends with. */
export async function signIn(browser: Browser, shop: World, more: Record<string, string> = {}): Promise<Got> {
  const hidden = fieldsOf(browser.last.html, '/developer/sign-in');
  const network = { 'cf-connecting-ip': `2001:db8:${crypto.randomUUID().slice(0, 4)}:9::1` };
  const who = { shop: shop.slug, email: 'ada@example.com', password: PASSWORD, ...more };
  return browser.post('/developer/sign-in', { ...hidden, ...who }, network);
}
