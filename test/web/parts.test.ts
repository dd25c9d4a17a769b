import { expect, it } from 'vitest';
import { asDeveloper } from '../support/fixtures/browser.ts';
import { world } from '../support/world.ts';

it("loads a component's files in the head, once, and only where it is used", async () => {
  const developer = await asDeveloper((await world()).slug);
  const { html } = await developer.get('/developer/quick-start');
  const [head = '', body = ''] = html.split('<body');
  expect(body.match(/<figure class="code">/g)?.length).toBeGreaterThan(1);
  expect(head.match(/href="\/panel-assets\/code\.css"/g)).toHaveLength(1);
  expect(body).not.toContain('/panel-assets/code');
  expect((await developer.get('/developer/orders')).html).not.toContain('/panel-assets/code');
});
