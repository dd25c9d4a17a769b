import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A Chromium without a screen: `CHROMIUM`, or where systems keep it. */
export const openChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
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

const WIDTHS = { narrow: 360, wide: 1280 } as const;

/** What axe-core says is wrong with the page as it is now: rule, how bad, and where. */
async function violations(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which no content policy stops.
  await page.evaluate(axe);
  const found = await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, impact, nodes }) =>
        id + ' (' + impact + '): ' + nodes.map((node) => node.html.slice(0, 160)).join(' | ')))`,
  );
  // axe answers what the expression above makes of it.
  return found as string[];
}

/**
 * Looks at the page light and dark, narrow and wide: axe finds nothing wrong, nothing sticks out to the
 * side, and pictures of it are kept in `folder` where one is given. Answers what is wrong.
 */
export async function inspect(page: Page, name: string, folder: string | undefined): Promise<string[]> {
  const wrong: string[] = [];
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const [size, width] of Object.entries(WIDTHS)) {
      await page.setViewportSize({ width, height: 800 });
      const at = `${name} ${scheme} ${size}`;
      for (const violation of await violations(page)) wrong.push(`${at}: ${violation}`);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      if (Number(overflow) > 0) wrong.push(`${at}: ${overflow} px stick out to the side`);
      if (folder) {
        const path = `${folder}/${name}-${scheme}-${size}.jpg`;
        await page.screenshot({ path, type: 'jpeg', quality: 60 });
      }
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return wrong;
}
