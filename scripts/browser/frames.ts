import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** Whether the page draws two frames within five seconds. */
const DRAWS_FRAMES = `new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
  setTimeout(() => done(false), 5000);
})`;

/** A browser that has stopped drawing a page, for which every click waits: no fault of the page. */
export class StuckBrowser extends Error {}

/**
 * Waits for two frames. Once in a thousand looks a browser draws no more frames of a page, until something makes it.
 *
 * @throws {StuckBrowser} when nothing does
 */
export async function waitForFrames(page: Page): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await page.evaluate(DRAWS_FRAMES)) return;
    await makeDraw(page);
  }
  throw new StuckBrowser(`${page.url()} draws no frames`);
}

/** How long (ms) a browser may take for the picture of a page that it does not draw. */
const PICTURE_DEADLINE_MS = 5_000;

/**
 * Makes the browser draw a page again: brought to the front from behind another one, in another size, and for a
 * picture.
 */
async function makeDraw(page: Page): Promise<void> {
  const other = await page.context().newPage();
  await other.bringToFront();
  await page.bringToFront();
  await other.close();
  await page.bringToFront();
  const size = page.viewportSize();
  if (size) {
    await page.setViewportSize({ ...size, height: size.height + 1 });
    await page.setViewportSize(size);
  }
  // By the debugger: Playwright itself would wait for the page.
  const session = await page.context().newCDPSession(page);
  const taken = session.send('Page.captureScreenshot', { format: 'jpeg', quality: 1 });
  await Promise.race([taken.catch(() => undefined), sleep(PICTURE_DEADLINE_MS)]);
  await session.detach();
}
