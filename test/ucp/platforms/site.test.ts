import { expect, it } from 'vitest';
import { siteOf } from '../../../src/ucp/platforms/site.ts';

it.each([
  ['agent.example.com', 'example.com'],
  ['a.b.c.example.com', 'example.com'],
  ['example.com', 'example.com'],
  ['shop.agent.co.uk', 'agent.co.uk'],
  ['a.x.agent.com.au', 'agent.com.au'],
  ['a.abc.io', 'abc.io'],
  ['a.co.com', 'co.com'],
  ['localhost', 'localhost'],
])('takes %s for a host of %s', (host, site) => {
  expect(siteOf(`https://${host}/agent`)).toBe(site);
});
