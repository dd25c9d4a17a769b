import { env, exports } from 'cloudflare:workers';

const BASE = 'https://api.example.com';

/** A page as a browser gets it. */
export interface Got {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
}

/** A browser without a screen: keeps cookies, follows nothing, and sends forms as the page has them. */
export class Browser {
  readonly cookies = new Map<string, string>();
  last: Got = { status: 0, html: '', headers: new Headers() };
  private fetch = (request: Request): Promise<Response> => exports.default.fetch(request);

  /** This browser's cookies in one whose requests go another way. */
  through(fetch: (request: Request) => Promise<Response>): Browser {
    const other = new Browser();
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    other.fetch = fetch;
    return other;
  }

  /** Fetches a page. */
  get = (path: string): Promise<Got> => this.send('GET', path);

  /** Sends a form with the CSRF token of the page that was last shown; fields may be overridden. */
  post(path: string, fields: Record<string, string | string[]>, headers = {}): Promise<Got> {
    const body = new URLSearchParams();
    const token = this.token();
    for (const [name, value] of Object.entries({ ...(token ? { _token: token } : {}), ...fields })) {
      for (const one of [value].flat()) body.append(name, one);
    }
    return this.send('POST', path, body, { origin: BASE, ...headers });
  }

  /** Sends a form and loads the page that it leads to. */
  async submit(path: string, fields: Record<string, string | string[]>): Promise<Got> {
    const got = await this.post(path, fields);
    const to = got.headers.get('location');
    return got.status === 303 && to ? this.get(to) : got;
  }

  /** The CSRF token of the page that was last shown. */
  token = (): string | undefined => /name="_token" value="([^"]+)"/.exec(this.last.html)?.[1];

  async send(method: string, path: string, body: BodyInit | null = null, headers = {}): Promise<Got> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const request = new Request(BASE + path, {
      ...{ method, body, redirect: 'manual' as const },
      headers: { ...(cookie ? { cookie } : {}), ...headers },
    });
    const response = await this.fetch(request);
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const got = { status: response.status, html: await response.text(), headers: response.headers };
    if (got.status !== 303) this.last = got;
    return got;
  }
}

/** The fields that a form is shown with, as a browser would send them; a needed instant is filled in. */
export function fieldsOf(html: string, action: string): Record<string, string | string[]> {
  const form = html.split('<form').find((part) => part.includes(`method="post" action="${action}"`)) ?? '';
  const fields: Record<string, string | string[]> = {};
  for (const [, attributes = ''] of form.split('</form>')[0]?.matchAll(/<input([^>]*)>/g) ?? []) {
    const name = /\sname="([^"]*)"/.exec(attributes)?.[1];
    const value = unescaped(/\svalue="([^"]*)"/.exec(attributes)?.[1] ?? '');
    if (!name || /type="(file|submit)"/.test(attributes)) continue;
    if (!attributes.includes('type="checkbox"')) fields[name] = value || instantFor(attributes);
    else if (/\schecked/.test(attributes)) fields[name] = [...(fields[name] ?? []), value];
  }
  for (const [, name = '', text = ''] of form.matchAll(/<textarea[^>]*\sname="([^"]*)"[^>]*>([^<]*)</g)) {
    fields[name] = unescaped(text);
  }
  for (const [, name = '', options = ''] of form.matchAll(
    /<select[^>]*\sname="([^"]*)"[^>]*>(.*?)<\/select>/g,
  )) {
    fields[name] = /value="([^"]*)" selected/.exec(options)?.[1] ?? '';
  }
  return fields;
}

const MARKS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** A text as the page means it. */
const unescaped = (html: string): string =>
  html.replace(/&([a-z]+|#39);/g, (mark, name) => MARKS[name] ?? mark);

const instantFor = (attributes: string): string =>
  attributes.includes('datetime-local') && attributes.includes('required') ? '2026-01-01T00:00' : '';

/** Opens a page, changes some of a form's fields and sends it. */
export async function fill(
  browser: Browser,
  page: string,
  action: string,
  changes: Record<string, string | string[]>,
) {
  const { html } = await browser.get(page);
  return browser.submit(action, { ...fieldsOf(html, action), ...changes });
}

/** A browser in which the super-admin is signed in. */
export async function asAdmin(): Promise<Browser> {
  const browser = new Browser();
  await browser.get('/admin/sign-in');
  await browser.submit('/admin/sign-in', { secret: env.SUPER_ADMIN_TOKEN });
  return browser;
}

/** Invites a developer to a tenant; answers the link's path. */
export async function invitation(admin: Browser, slug: string, email = 'ada@example.com'): Promise<string> {
  await admin.get(`/admin/tenants/${slug}`);
  const { html } = await admin.post(`/admin/tenants/${slug}/developers`, {
    developer_name: 'Ada',
    developer_email: email,
  });
  return /value="https:\/\/[^/"]+(\/developer\/invitations\/[^"]+)"/.exec(html)?.[1] ?? 'no link';
}

/** A browser in which a developer of the tenant is signed in. */
export async function asDeveloper(slug: string, admin?: Browser, email?: string): Promise<Browser> {
  const link = await invitation(admin ?? (await asAdmin()), slug, email);
  const browser = new Browser();
  await browser.get(link);
  await browser.submit(link, { password: 'correct horse battery' });
  return browser;
}
