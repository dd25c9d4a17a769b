import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { Page } from 'playwright-core';
import { openChromium } from '../screen.ts';

const folder = join(import.meta.dirname, '../../panel');

/** Returns a stylesheet or a script below `scripts/panel` with what it imports. */
export function bundled(path: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(folder, path)],
    bundle: true,
    write: false,
    format: 'iife',
    external: ['/panel-assets/*'],
  });
  return outputFiles[0]?.text ?? '';
}

/** The stylesheet of the panels, with the sizes that the build puts in place of their names. */
export const panelCss = readFileSync(join(folder, 'css/scale.css'), 'utf8') + bundled('css/panel.css');

/** The stylesheets of the demo shop. */
export const demoCss = ['demo', 'demo-lists', 'demo-product', 'demo-account']
  .map((name) => bundled(`css/demo/${name}.css`))
  .join('\n');

/** Waits until a condition holds, for as long as Playwright waits for an element; throws when it does not. */
export async function waitUntil(page: Page, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const begun = Date.now(); !(await holds()); await page.waitForTimeout(20))
    if (Date.now() - begun > 30_000) throw new Error(`Not within 30 seconds: ${holds}`);
}

/** Shows a page in a Chromium: the element `<style>`, and the body. */
export async function onPage(html: string, look: (page: Page) => Promise<void>, width = 1280): Promise<void> {
  const chromium = await openChromium();
  try {
    const page = await chromium.newPage({ viewport: { width, height: 800 } });
    await page.setContent(`<!doctype html><html lang="en"><title>Page</title>${html}`);
    await look(page);
  } finally {
    await chromium.close();
  }
}
