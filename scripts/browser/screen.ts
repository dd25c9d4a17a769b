import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
  type Response,
  type ViewportSize,
} from 'playwright-core';
import { waitForFrames } from './frames.ts';
import { AMBIGUOUS } from './names.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Opens a Chromium without a screen: `CHROMIUM`, or where systems keep it. Says how to get one where there is none. */
export async function openChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(executablePath))
    throw new Error(
      `There is no browser at ${executablePath}: apt-get install chromium, or CHROMIUM=/path/to/another.`,
    );
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

const WIDTHS = { narrow: 360, tablet: 768, wide: 1280 } as const;
const HEIGHT = 800;

/** What a page may weigh without pictures, before anything is compressed. */
const MOST_BYTES = 30 * 1024;

/**
 * Adds up how far things move (web.dev/cls), from the page's first moment until somebody uses it: what moves then is
 * an answer to that, however late it is drawn.
 */
const WATCH_SHIFTS = `
  globalThis.shifts = 0;
  let used = Infinity;
  for (const type of ['click', 'input', 'drop'])
    addEventListener(type, () => (used = Math.min(used, performance.now())), { capture: true });
  new PerformanceObserver((list) => {
    for (const { value, startTime, hadRecentInput } of list.getEntries())
      if (!hadRecentInput && startTime < used) globalThis.shifts += value;
  }).observe({ type: 'layout-shift', buffered: true });`;

/** The most that a layout may shift: a hundredth of what Web Vitals call good. Rounding to pixels can make 0.00002. */
const MAX_LAYOUT_SHIFT = 0.001;

/** A window beside a page's, for the same person: a tab in front of the page could stop the page's frames. */
async function openBeside(page: Page, viewport: ViewportSize): Promise<BrowserContext> {
  const browser = page.context().browser();
  if (!browser) throw new Error('The page has no browser.');
  const context = await browser.newContext({ viewport });
  await context.addCookies(await page.context().cookies());
  return context;
}

const AXE = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, impact, nodes }) =>
    id + ' (' + impact + '): ' + nodes.map((node) => node.html.slice(0, 160)).join(' | ')))`;

/** Lists the words of up to 11 letters that are broken across two lines in a table's cells. */
const BROKEN_WORDS = `[...document.querySelectorAll('td')].flatMap((cell) => {
  const [broken, range] = [[], document.createRange()];
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode()); ) {
    // What a closed <details> holds is laid out, but nobody sees it.
    if (!text.parentElement.checkVisibility()) continue;
    for (const { 0: word, index } of text.data.matchAll(/(?<!\\S)\\p{L}{2,11}(?![^\\s,.:])/gu)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (range.getClientRects().length > 1) broken.push(word);
    }
  }
  return broken;
})`;

/** Lists the tables that are cut off without a way to scroll: wider than an element around them, which clips them. */
const CUT_TABLES = `[...document.querySelectorAll('.scroll')]
  .filter((around) => getComputedStyle(around).overflowX === 'clip' && around.scrollWidth > around.clientWidth)
  .map((around) => around.getAttribute('aria-label'))`;

/** Whether a page is drawn before its last element is there, so that what is drawn moves when the rest arrives. */
const DRAWN_IN_PARTS = `(() => {
  const awaited = document.querySelector('link[rel=expect][blocking=render]')?.getAttribute('href');
  const last = [...document.querySelectorAll('body > :is(main, footer)')].at(-1);
  return !awaited || document.querySelector(awaited) !== last;
})()`;

/** A picture for every address, so that pages look as they do, and nothing leaves this machine. */
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><rect width="600"
  height="600" fill="#8fa8b8"/><circle cx="300" cy="250" r="130" fill="#e8c07d"/></svg>`;

/** What a page weighs, in bytes: as it is, and compressed. */
interface Weight {
  readonly name: string;
  readonly plain: number;
  readonly zipped: number;
}

/**
 * Looks at pages as people see them: light and dark, on phones, tablets and desktops. Nothing may stick out or move, no
 * word of a table may break, no two names may be alike, axe and the console may have nothing to say, and no page may weigh too much. Keeps
 * pictures in `folder`.
 */
export class Inspector {
  readonly #wrong: string[] = [];
  readonly #weights: Weight[] = [];
  readonly #documents = new WeakMap<Page, Response>();
  /** Pages that were refused on purpose: what the browser then logs is no fault. */
  readonly #refused = new Set<string>();
  readonly #said: { url: string; text: string }[] = [];
  readonly #files = new Map<string, Promise<Omit<Weight, 'name'>>>();

  readonly #folder: string | undefined;

  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /** Watches every page that somebody opens. */
  async watch(context: BrowserContext): Promise<void> {
    await context.addInitScript(WATCH_SHIFTS);
    await context.route(/^https:/, (route) => route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }));
    context.on('page', (page) => {
      page.on('pageerror', ({ message }) => this.#said.push({ url: page.url(), text: message }));
      page.on('console', (message) => {
        if (message.type() !== 'error') return;
        this.#said.push({ url: message.location().url, text: message.text() });
      });
      page.on('response', (response) => {
        const request = response.request();
        if (!request.isNavigationRequest() || response.status() < 200) return;
        if (response.status() < 300 || response.status() >= 400) this.#documents.set(page, response);
        if (response.status() >= 400) this.#refused.add(response.url());
      });
    });
  }

  /** Looks at a page as it is now, and leaves it light and wide. */
  async inspect(page: Page, name: string): Promise<void> {
    await page.waitForLoadState();
    await this.#lookForShifts(page, `${name} wide`);
    await this.#weigh(page, name);
    if (await page.evaluate(DRAWN_IN_PARTS)) this.#wrong.push(`${name}: drawn before it is whole`);
    await this.#loadNarrow(page, name);
    // Evaluated by the debugger, which no content policy stops.
    await page.evaluate(axe);
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const [size, width] of Object.entries(WIDTHS)) {
        await page.setViewportSize({ width, height: HEIGHT });
        await this.#inspect(page, `${name} ${scheme} ${size}`);
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await waitForFrames(page);
  }

  async #inspect(page: Page, at: string): Promise<void> {
    // axe answers what the expression makes of it.
    const violations = (await page.evaluate(AXE)) as string[];
    for (const violation of violations) this.#wrong.push(`${at}: ${violation}`);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    if (Number(overflow) > 0) this.#wrong.push(`${at}: ${overflow} px stick out to the side`);
    const cut = await page.evaluate(CUT_TABLES);
    if (String(cut)) this.#wrong.push(`${at}: cut off to the side: ${cut}`);
    const broken = await page.evaluate(BROKEN_WORDS);
    if (String(broken)) this.#wrong.push(`${at}: broken in the middle: ${broken}`);
    const ambiguous = await page.evaluate(AMBIGUOUS);
    if (String(ambiguous)) this.#wrong.push(`${at}: named alike: ${ambiguous}`);
    if (!this.#folder) return;
    await page.screenshot({ path: `${this.#folder}/${at.replaceAll(' ', '-')}.png`, fullPage: true });
  }

  /** Asks for the shifts once frames have passed in which a last one would have been seen. */
  async #lookForShifts(page: Page, at: string): Promise<void> {
    await waitForFrames(page);
    const shifts = await page.evaluate('globalThis.shifts');
    if (Number(shifts) > MAX_LAYOUT_SHIFT) this.#wrong.push(`${at}: the layout shifts by ${shifts}`);
  }

  /** Loads the page again in a narrow window, if it was the answer to a GET. */
  async #loadNarrow(page: Page, name: string): Promise<void> {
    if (this.#documents.get(page)?.request().method() !== 'GET') return;
    const context = await openBeside(page, { width: WIDTHS.narrow, height: HEIGHT });
    await this.watch(context);
    const narrow = await context.newPage();
    await narrow.goto(page.url());
    await this.#lookForShifts(narrow, `${name} narrow`);
    await context.close();
  }

  /** The page with its stylesheets and scripts, as for somebody who comes for the first time. */
  async #weigh(page: Page, name: string): Promise<void> {
    const document = await this.#documents.get(page)?.body();
    if (!document) throw new Error(`${name} has no document`);
    const urls = await page.evaluate(
      `[...document.querySelectorAll('link[rel=stylesheet], script[src]')].map((it) => it.href ?? it.src)`,
    );
    // They are what the expression makes of them: addresses.
    const files = (urls as string[]).map((url) => {
      const known = this.#files.get(url) ?? fetch(url).then(async (got) => weigh(await got.arrayBuffer()));
      this.#files.set(url, known);
      return known;
    });
    const parts = [weigh(document), ...(await Promise.all(files))];
    const sum = (of: 'plain' | 'zipped') => parts.reduce((total, part) => total + part[of], 0);
    const weight = { name, plain: sum('plain'), zipped: sum('zipped') };
    this.#weights.push(weight);
    if (weight.plain > MOST_BYTES) this.#wrong.push(`${name} weighs ${kib(weight.plain)}`);
  }

  /** All that is wrong with what was looked at. */
  get wrong(): string[] {
    const faults = this.#said.filter(
      ({ url, text }) => !(this.#refused.has(url) && text.startsWith('Failed to load resource')),
    );
    return [...this.#wrong, ...faults.map(({ url, text }) => `${url} says in the console: ${text}`)];
  }

  /** What was seen, in a few lines. */
  get summary(): string {
    const [heaviest] = this.#weights.toSorted((a, b) => b.plain - a.plain);
    if (!heaviest) return 'Nothing was looked at.';
    const { name, plain, zipped } = heaviest;
    return `Looked at ${this.#weights.length} pages, each in light and dark, at 360, 768 and 1280 px.
The heaviest, ${name}, weighs ${kib(plain)} without pictures, ${kib(zipped)} compressed.`;
  }
}

const weigh = (bytes: Buffer | ArrayBuffer): Omit<Weight, 'name'> => ({
  plain: bytes.byteLength,
  zipped: gzipSync(bytes).byteLength,
});

const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
