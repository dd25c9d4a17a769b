import type { Browser, Got } from '../../support/fixtures/browser.ts';
import { pickFrom } from '../../support/seeded-random.ts';
import { bodyOf, type Filling, fillIn } from './fill-form.ts';
import { type Form, type PageParts, readPage } from './page-parts.ts';

const BASE = 'https://api.example.com';
/** Query parameters that pages read, or don't. */
const PARAMETERS = ['page', 'q', 'cursor', 'sort', 'status', 'type', 'from', 'to', 'before', 'next', 'note'];
const ODD = ['', '0', '-1', '2', '1e9', 'x'.repeat(300), '"><xss>', '2030-02-30', '%00', 'İ'];

/** Returns what is wrong with any page. */
function pageFaults({ title, headings, text, ids, namedIds, foreignMarkup }: PageParts): string[] {
  const twice = ids.filter((id, n) => ids.indexOf(id) !== n);
  const nowhere = namedIds.filter((id) => !ids.includes(id));
  const [nothing] = /undefined|\bNaN\b|\[object|Invalid Date|Infinity/.exec(text) ?? [];
  return [
    ...(title.trim() === '' ? ['no title'] : []),
    ...(headings === 1 ? [] : [`${headings} headings`]),
    ...twice.map((id) => `two elements with the id ${id}`),
    ...nowhere.map((id) => `nothing with the id ${id}`),
    ...foreignMarkup.map((name) => `markup that was typed: ${name}`),
    ...(nothing === undefined ? [] : [`says ${nothing}`]),
  ];
}

/** Returns a text as a form that is shown again has it; without invisible characters, some of which checkout takes away. */
const shown = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll('\0', '\ufffd')
    .replace(/\p{DI}/gu, '')
    .trim();

/** Returns what is wrong with the page of a refused form: it says why, beside the fields, and keeps what was typed. */
function refusalFaults({ forms, ids }: PageParts, html: string, { typed }: Filling): string[] {
  const kept = forms.flatMap(({ fields }) => fields.map(({ value }) => shown(value)));
  const lost = typed.filter((text) => shown(text) !== '' && !kept.includes(shown(text)));
  const [, summary] = /role="alert"(.*?)<\/div>/s.exec(html) ?? [];
  const blamed = [...(summary ?? '').matchAll(/href="#(f-[^"]+)"/g)].map(([, id]) => `${id}-error`);
  return [
    ...(summary === undefined ? ['does not say why'] : []),
    ...blamed.filter((id) => !ids.includes(id)).map((id) => `nothing beside the field: ${id}`),
    ...lost.map((text) => `lost what was typed: ${text.slice(0, 40)}`),
  ];
}

/** Returns whether somebody on a walk may send a form: all that have a button, but to sign out would end the walk. */
const isPressed = ({ buttons, action }: Form): boolean =>
  buttons.length > 0 && !/\/(sign-out|logout)$/.test(action);

/** Somebody who follows links and sends forms at random, and notes what no page may do. */
export class Walker {
  readonly faults: string[] = [];
  private page: { readonly path: string; readonly parts: PageParts } | null = null;

  constructor(
    private readonly browser: Browser,
    /** Returns the path of a page to begin at. */
    private readonly start: (luck: () => number) => Promise<string>,
    private readonly luck: () => number,
  ) {}

  async walk(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      const links = this.page?.parts.links.filter((link) => /^\/(admin|developer|demo)\b/.test(link)) ?? [];
      const forms = this.page?.parts.forms.filter(isPressed) ?? [];
      if (links.length + forms.length === 0 || this.luck() < 0.15)
        await this.open(await this.start(this.luck), 'start');
      else if (forms.length === 0 || (links.length > 0 && this.luck() < 0.3))
        await this.follow(pickFrom(links, this.luck));
      else await this.send(pickFrom(forms, this.luck));
    }
  }

  /** Follows a link of the page, at times with a parameter that somebody has edited. */
  private async follow(link: string): Promise<void> {
    if (this.luck() < 0.8) return this.open(link);
    const url = new URL(link, BASE);
    url.searchParams.set(pickFrom(PARAMETERS, this.luck), pickFrom(ODD, this.luck));
    return this.open(url.pathname + url.search, 'edited');
  }

  /** Opens a page and where it leads to. What a page leads to is there, or says why not; a start may be deleted by now. */
  private async open(path: string, by: 'link' | 'edited' | 'start' = 'link'): Promise<void> {
    const got = await this.browser.get(path.split('#')[0] ?? path);
    if (by === 'link' && got.status >= 400 && ![403, 409].includes(got.status))
      this.note(path, [`status ${got.status}`]);
    await this.see(got, { path, action: path });
  }

  private async send(form: Form): Promise<void> {
    const button = pickFrom(form.buttons, this.luck);
    const filling = fillIn(form, this.luck);
    const entries = button.name
      ? [...filling.entries, [button.name, button.value] as const]
      : filling.entries;
    const path = this.page?.path ?? form.action;
    const action = button.action || form.action;
    if (form.method === 'get') {
      const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]));
      return this.open(`${action.split('?')[0]}?${query}`, 'edited');
    }
    const got = await this.browser.send('POST', action, bodyOf(form, entries), { origin: BASE });
    const sent = `${action} ${JSON.stringify(entries.map(([name, value]) => [name, String(value).slice(0, 60)]))}`;
    await this.see(got, { path, action: sent });
    if (got.status !== 422) return;
    this.note(sent, refusalFaults(await readPage(got.html, path), got.html, filling));
  }

  /** Reads the page that a browser shows by now, after redirects. */
  private async see(got: Got, { path, action }: { path: string; action: string }): Promise<void> {
    this.page = null;
    if (got.status >= 500) this.note(action, [`status ${got.status}`]);
    const to = new URL(got.headers.get('location') ?? BASE, BASE);
    if (got.headers.has('location'))
      return to.origin === BASE ? this.open(to.pathname + to.search) : undefined;
    if (!got.headers.get('content-type')?.startsWith('text/html')) return;
    const parts = await readPage(got.html, path);
    this.note(action, pageFaults(parts));
    this.page = { path, parts };
  }

  private note(action: string, faults: readonly string[]): void {
    this.faults.push(...faults.map((fault) => `${action}: ${fault}`));
  }
}
