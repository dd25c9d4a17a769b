import { beforeAll, expect, it } from 'vitest';
import { asDeveloper, type Browser } from '../../support/fixtures/browser.ts';
import { world } from '../../support/world.ts';

let developer: Browser;

beforeAll(async () => {
  developer = await asDeveloper((await world()).slug);
});

it.each([
  '/developer/applications/new',
  '/developer/settings/tax',
  '/developer/settings/shipping/new-method',
  '/developer/new-promotion',
])('ties every hint of %s to its field or group', async (path) => {
  const { html, status } = await developer.get(path);
  expect(status).toBe(200);
  const hints = [...html.matchAll(/<small class="hint"(?: id="([^"]*)")?>/g)].map(([, id]) => id);
  const described = [...html.matchAll(/aria-describedby="([^"]*)"/g)].flatMap(([, ids = '']) =>
    ids.split(' '),
  );
  expect(hints.length).toBeGreaterThan(0);
  expect(hints.filter((id) => id === undefined || !described.includes(id))).toEqual([]);
});
